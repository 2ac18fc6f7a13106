"""Read a journal.

    2024-03-01 Market #weekly
        food:fruit        12.50
        cash             -12.50

The amount of one posting may be left out: it is what makes the entry balance.
"""

import re
from datetime import date

from .entries import Entry, Posting
from .money import Purse, parse_amount

HEAD = re.compile(r"(\d{4}-\d\d-\d\d)\s+(.*)$")
TAG = re.compile(r"#(\w+)")


class JournalError(ValueError):
    def __init__(self, number, message):
        super().__init__(f"line {number}: {message}")
        self.number = number


def parse(source):
    entries = []
    block = []
    for number, line in enumerate(source.splitlines(), 1):
        line = line.split(";", 1)[0].rstrip()
        if not line:
            continue
        if line[0].isspace():
            if not block:
                raise JournalError(number, "a posting before the first entry")
            block.append((number, line.strip()))
            continue
        if block:
            entries.append(read_entry(block))
        block = [(number, line)]
    if block:
        entries.append(read_entry(block))
    return sorted(entries, key=lambda entry: entry.day)


def read_entry(block):
    number, head = block[0]
    match = HEAD.match(head)
    if not match:
        raise JournalError(number, "an entry starts with a day and a text")
    try:
        day = date.fromisoformat(match.group(1))
    except ValueError:
        raise JournalError(number, f"no such day: {match.group(1)}") from None
    tags = TAG.findall(match.group(2))
    text = TAG.sub("", match.group(2)).strip()
    postings = read_postings(number, block[1:])
    return Entry(day, text, postings, tags)


def read_postings(head_number, lines):
    postings = []
    open_account = None
    balance = Purse()
    for number, line in lines:
        account, _, amount = line.partition("  ")
        if not amount.strip():
            if open_account is not None:
                raise JournalError(number, "only one amount may be left out")
            open_account = account
            continue
        try:
            value, currency = parse_amount(amount)
        except ValueError as error:
            raise JournalError(number, str(error)) from None
        balance.add(value, currency)
        postings.append(Posting(account, value, currency))
    if open_account is not None:
        for currency, value in sorted(balance.sums.items()):
            postings.append(Posting(open_account, -value, currency))
    elif balance:
        raise JournalError(head_number, f"does not balance: {balance}")
    return postings
