"""A line of a log: '2024-05-01 10:00:00 WARN disk nearly full'."""

from dataclasses import dataclass

LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"]


@dataclass(frozen=True)
class Entry:
    time: str
    level: str
    message: str
    source: str

    def at_least(self, level):
        return LEVELS.index(self.level) >= LEVELS.index(level)

    def __str__(self):
        return f"{self.time} [{self.source}] {self.level} {self.message}"


def parse(line, source):
    parts = line.split(" ", 3)
    if len(parts) < 4 or parts[2] not in LEVELS:
        return None
    day, clock, level, message = parts
    return Entry(f"{day} {clock}", level, message, source)
