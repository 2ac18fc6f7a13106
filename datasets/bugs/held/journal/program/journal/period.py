"""A span of days: the first day belongs to it, the day after the last one does not."""

import re
from datetime import date

MONTH = re.compile(r"(\d{4})-(\d\d)$")
YEAR = re.compile(r"(\d{4})$")


class Period:
    def __init__(self, start, end):
        if end < start:
            raise ValueError("a period ends after it starts")
        self.start = start
        self.end = end

    @classmethod
    def parse(cls, text):
        """'2024', '2024-03' or '2024-03-01..2024-03-15' (without the 15th)"""
        first, dots, last = text.partition("..")
        if dots:
            return cls(date.fromisoformat(first), date.fromisoformat(last))
        match = MONTH.match(text)
        if match:
            year, month = int(match.group(1)), int(match.group(2))
            return cls(date(year, month, 1), first_of_next_month(year, month))
        match = YEAR.match(text)
        if match:
            year = int(match.group(1))
            return cls(date(year, 1, 1), date(year + 1, 1, 1))
        raise ValueError(f"not a period: {text}")

    def __contains__(self, day):
        return self.start < day <= self.end

    def months(self):
        """The months that begin in the period, each a period of its own."""
        found = []
        year, month = self.start.year, self.start.month
        if self.start.day > 1:
            year, month = next_month(year, month)
        while date(year, month, 1) < self.end:
            found.append(Period(date(year, month, 1), first_of_next_month(year, month)))
            year, month = next_month(year, month)
        return found


def next_month(year, month):
    return (year + 1, 1) if month == 12 else (year, month + 1)


def first_of_next_month(year, month):
    return date(*next_month(year, month), 1)
