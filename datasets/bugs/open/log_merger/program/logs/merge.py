"""Put the logs of several programs in one order."""

import heapq

from .entry import parse


def read(name, text):
    """Entries of one log; a line that is no entry continues the message before it."""
    entries = []
    for line in text.splitlines():
        entry = parse(line, name)
        if entry is not None:
            entries.append(entry)
        elif entries and line.strip():
            last = entries.pop()
            longer = f"{last.message} / {line.strip()}"
            entries.append(type(last)(last.time, last.level, last.source, longer))
    return entries


def merge(logs):
    """logs: name -> text. All entries by time; at the same time by name."""
    streams = [read(name, logs[name]) for name in sorted(logs)]
    return list(heapq.merge(*streams, key=lambda entry: entry.time))


def select(entries, level="DEBUG", start="", end="~"):
    return [e for e in entries if e.at_least(level) and start <= e.time < end]
