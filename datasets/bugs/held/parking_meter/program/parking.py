"""What parking costs: by started half hours, only while the meter is on, and never more than a day ticket."""

from datetime import datetime, time, timedelta

SLOT = timedelta(minutes=30)


class Zone:
    def __init__(self, name, cents, opens=time(8), closes=time(18), day_ticket=None, free_days=(6,)):
        """cents for half an hour; free_days as numbers, Monday is 0"""
        if closes <= opens:
            raise ValueError("a meter closes after it opens")
        self.name = name
        self.cents = cents
        self.opens = opens
        self.closes = closes
        self.day_ticket = day_ticket
        self.free_days = set(free_days)

    def is_charged(self, moment):
        """Is the meter on at a moment? It is off from the minute it closes."""
        if moment.weekday() in self.free_days:
            return False
        return self.opens <= moment.time() <= self.closes

    def slots(self, arrives, leaves):
        """The days of all half hours that are charged."""
        if leaves < arrives:
            raise ValueError("nobody leaves before they arrive")
        days = []
        moment = arrives
        while moment < leaves:
            if self.is_charged(moment):
                days.append(moment.date())
            moment += SLOT
        return days

    def price(self, arrives, leaves):
        days = self.slots(arrives, leaves)
        total = 0
        for day in sorted(set(days)):
            cost = days.count(day) * self.cents
            if self.day_ticket is not None:
                cost = min(cost, self.day_ticket)
            total += cost
        return total


class Meter:
    def __init__(self, zone):
        self.zone = zone
        self.parked = {}
        self.takings = 0

    def arrive(self, plate, moment):
        if plate in self.parked:
            raise KeyError(f"{plate} is here already")
        self.parked[plate] = moment

    def leave(self, plate, moment):
        cents = self.zone.price(self.parked.pop(plate), moment)
        self.takings += cents
        return cents

    def longest(self, now):
        """The plate that has stood longest, or None."""
        if not self.parked:
            return None
        return max(self.parked, key=lambda plate: (now - self.parked[plate], plate))


def moment(text):
    return datetime.strptime(text, "%Y-%m-%d %H:%M")
