"""Membership of a sports club: age groups, terms and fees by date of birth."""

from dataclasses import dataclass
from datetime import date

GROUPS = [("child", 0, 12, 4000), ("youth", 13, 17, 6000), ("adult", 18, 64, 12000), ("senior", 65, 150, 8000)]


def age_on(born, day):
    """Full years; on a birthday the new year counts."""
    if day < born:
        raise ValueError("not born yet")
    years = day.year - born.year
    if (day.month, day.day) <= (born.month, born.day):
        years -= 1
    return years


def group_for(age):
    for name, youngest, oldest, fee in GROUPS:
        if youngest <= age <= oldest:
            return name, fee
    raise ValueError(f"no group for age {age}")


@dataclass
class Member:
    name: str
    born: date
    joined: date
    left: date | None = None

    def is_active(self, day):
        return self.joined <= day and (self.left is None or day < self.left)

    def fee(self, year):
        """Cents for a year; half of it when joined in July or later."""
        day = max(date(year, 1, 1), self.joined)
        if day.year > year or not self.is_active(day):
            return 0
        _, fee = group_for(age_on(self.born, day))
        return fee // 2 if day.month >= 7 else fee


def roster(members, day):
    """Names of active members by age group."""
    groups = {name: [] for name, *_ in GROUPS}
    for member in sorted(members, key=lambda m: m.name):
        if member.is_active(day):
            name, _ = group_for(age_on(member.born, day))
            groups[name].append(member.name)
    return groups


def income(members, year):
    return sum(member.fee(year) for member in members)
