"""Half-open spans of minutes within a day: a slot ends before the next begins."""

from dataclasses import dataclass


def minutes(clock):
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def clock(value):
    return f"{value // 60:02d}:{value % 60:02d}"


@dataclass(frozen=True, order=True)
class Slot:
    start: int
    end: int

    @classmethod
    def parse(cls, text):
        start, end = (minutes(part.strip()) for part in text.split("-"))
        if end <= start:
            raise ValueError(f"empty slot: {text}")
        return cls(start, end)

    @property
    def length(self):
        return self.end - self.start

    def overlaps(self, other):
        return self.start <= other.end and other.start < self.end

    def __str__(self):
        return f"{clock(self.start)}-{clock(self.end)}"
