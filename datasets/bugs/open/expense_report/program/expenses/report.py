"""Expenses of a journey by category and day, with daily limits."""

from dataclasses import dataclass

from .rates import to_home

LIMITS = {"meals": 4000, "hotel": 15000}


@dataclass(frozen=True)
class Item:
    day: str
    category: str
    amount: int
    currency: str = "EUR"

    @property
    def home(self):
        return to_home(self.amount, self.currency)


def parse_items(text):
    """Lines of 'day category amount [currency]', amounts with a decimal point."""
    items = []
    for line in text.strip().splitlines():
        day, category, amount, *currency = line.split()
        whole, _, part = amount.partition(".")
        cents = int(whole) * 100 + int((part + "00")[:2])
        items.append(Item(day, category, cents, *currency))
    return items


def by_category(items):
    totals = {}
    for item in items:
        totals[item.category] = totals.get(item.category, 0) + item.home
    return totals


def by_day(items):
    days = {}
    for item in items:
        day = days.setdefault(item.day, {})
        day.setdefault(item.category, 0)
        day[item.category] = item.home
    return days


def refunded(items):
    """What the firm pays: limited categories up to the limit of each day."""
    total = 0
    for day in by_day(items).values():
        for category, amount in day.items():
            limit = LIMITS.get(category)
            total += amount if limit is None else min(amount, limit)
    return total


def render(items):
    lines = [f"{name:<10}{amount / 100:>10.2f}" for name, amount in sorted(by_category(items).items())]
    lines.append(f"{'refunded':<10}{refunded(items) / 100:>10.2f}")
    return "\n".join(lines)
