"""Telephone plans: what a month of calls costs with each of them, and which one is cheapest."""

ZONES = ("local", "mobile", "abroad")


class Call:
    def __init__(self, day, zone, seconds):
        if zone not in ZONES:
            raise ValueError(f"no zone {zone}")
        self.day = day
        self.zone = zone
        self.seconds = seconds

    @property
    def minutes(self):
        """Every started minute counts."""
        return -(-self.seconds // 60)

    @classmethod
    def parse(cls, line):
        """'2024-05-03 mobile 2:05'"""
        day, zone, length = line.split()
        minutes, seconds = length.split(":")
        return cls(day, zone, int(minutes) * 60 + int(seconds))


class Plan:
    def __init__(self, name, monthly, prices, free_minutes=0, free_zones=("local", "mobile")):
        """monthly and prices (by zone, for a minute) in cents"""
        self.name = name
        self.monthly = monthly
        self.prices = prices
        self.free_minutes = free_minutes
        self.free_zones = set(free_zones)

    def cost(self, calls):
        """Cents for one month; free minutes go to calls in the order in which they were made."""
        left = self.free_minutes
        total = self.monthly
        for call in sorted(calls, key=lambda call: call.day):
            minutes = call.minutes
            if call.zone in self.free_zones:
                used = min(left, minutes)
                left -= used
                minutes -= used
            total += minutes * self.prices[call.zone]
        return total


def by_month(calls):
    months = {}
    for call in calls:
        months.setdefault(call.day[:7], []).append(call)
    return dict(sorted(months.items()))


def total_cost(plan, calls):
    return sum(plan.cost(month) for month in by_month(calls).values())


def cheapest(plans, calls):
    """(plan, cents) for all months together; of equals the one that is listed first."""
    best = None
    lowest = 0
    for plan in plans:
        cents = total_cost(plan, calls)
        if cents < lowest:
            best, lowest = plan, cents
    return best, lowest


def advice(plans, current, calls):
    best, cents = cheapest(plans, calls)
    saving = total_cost(current, calls) - cents
    if saving <= 0:
        return f"Stay with {current.name}."
    return f"{best.name} saves {saving / 100:.2f} euros."


def busiest_zone(calls):
    minutes = {zone: 0 for zone in ZONES}
    for call in calls:
        minutes[call.zone] += call.minutes
    return max(ZONES, key=minutes.get)
