"""Tides at a harbour: when the water is high, how deep it is in between, and when a boat may leave."""

DAY = 24 * 60
TIDE = 12 * 60 + 50
TWELFTHS = (1, 2, 3, 3, 2, 1)


def show(minutes):
    day, rest = divmod(minutes, DAY)
    text = f"{rest // 60:02d}:{rest % 60:02d}"
    return f"{text}+{day}" if day else text


def parse(text):
    clock, _, day = text.partition("+")
    hours, minutes = clock.split(":")
    return int(day or 0) * DAY + int(hours) * 60 + int(minutes)


class Harbour:
    """All high waters are alike, one every twelve hours and twenty-five minutes."""

    def __init__(self, first_high, high, low):
        """first_high: a time such as '03:10'; high and low: depths in centimetres"""
        if high <= low:
            raise ValueError("high water is higher than low water")
        self.first_high = parse(first_high)
        self.high = high
        self.low = low

    def high_waters(self, days=1):
        times = []
        moment = self.first_high
        while moment < days * DAY:
            times.append(moment)
            moment += TIDE
        return times

    def low_waters(self, days=1):
        """Half a tide after each high water, rounded down to the minute."""
        return [high + TIDE // 2 for high in self.high_waters(days) if high + TIDE // 2 < days * DAY]

    def depth(self, moment):
        """By the rule of twelfths: of six equal parts of a rise or a fall the middle ones are the quickest."""
        since_high = (moment - self.first_high) % TIDE
        half = TIDE / 2
        falling = since_high < half
        parts = (since_high if falling else since_high - half) / half * 6
        whole = int(parts)
        twelfths = sum(TWELFTHS[:whole]) + TWELFTHS[whole] * (parts - whole)
        change = (self.high - self.low) * twelfths / 12
        return self.high - change if falling else self.low + change

    def windows(self, draught, days=1, step=5):
        """(first, last) minutes at which it is deep enough, looked at every few minutes."""
        found = []
        for moment in range(0, days * DAY, step):
            if self.depth(moment) < draught:
                continue
            if found and found[-1][1] == moment - step:
                found[-1] = (found[-1][0], moment)
            else:
                found.append((moment, moment))
        return found

    def table(self, days=1):
        events = [(moment, f"{show(moment)} high {self.high}") for moment in self.high_waters(days)]
        events += [(moment, f"{show(moment)} low {self.low}") for moment in self.low_waters(days)]
        return [line for _, line in sorted(events)]
