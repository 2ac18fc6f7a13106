"""Read and write the fixed-width member list of a club.

A record is one line: number (6), name (20), joined as YYYYMMDD (8), fee in cents (7), status (1).
"""

from dataclasses import dataclass

LAYOUT = [("number", 6), ("name", 20), ("joined", 8), ("fee", 7), ("status", 1)]
LENGTH = sum(width for _, width in LAYOUT)
STATUS = {"A": "active", "P": "passive", "H": "honorary"}


@dataclass
class Member:
    number: int
    name: str
    joined: str
    fee: int
    status: str


class RecordError(ValueError):
    pass


def cut(line):
    if len(line) != LENGTH:
        raise RecordError(f"expected {LENGTH} characters, found {len(line)}")
    fields = {}
    position = 0
    for name, width in LAYOUT:
        fields[name] = line[position : position + width]
        position += width
    return fields


def parse_line(line):
    fields = cut(line)
    joined = fields["joined"]
    if fields["status"] not in STATUS:
        raise RecordError(f"unknown status {fields['status']!r}")
    return Member(
        number=int(fields["number"]),
        name=fields["name"].rstrip(),
        joined=f"{joined[:4]}-{joined[4:5]}-{joined[6:]}",
        fee=int(fields["fee"]),
        status=STATUS[fields["status"]],
    )


def format_line(member):
    code = next(code for code, status in STATUS.items() if status == member.status)
    return f"{member.number:06d}{member.name[:20]:<20}{member.joined.replace('-', '')}{member.fee:07d}{code}"


def read(text):
    members = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            members.append(parse_line(line))
        except ValueError as error:
            raise RecordError(f"line {number}: {error}") from error
    return members


def fees_by_year(members):
    years = {}
    for member in members:
        year = int(member.joined[:4])
        years[year] = years.get(year, 0) + member.fee
    return dict(sorted(years.items()))
