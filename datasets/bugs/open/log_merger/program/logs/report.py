"""Counts by source and level."""

from .entry import LEVELS
from .merge import merge, select


def counts(entries):
    table = {}
    for entry in entries:
        row = table.setdefault(entry.source, dict.fromkeys(LEVELS, 0))
        row[entry.level] += 1
    return table


def report(logs, level="WARN"):
    entries = select(merge(logs), level)
    lines = [str(entry) for entry in entries]
    for source, row in sorted(counts(entries).items()):
        shown = ", ".join(f"{name} {count}" for name, count in row.items() if count)
        lines.append(f"{source}: {shown}")
    return "\n".join(lines)
