"""What a learner's progress remembers of the way: a line for each check, and the time in which something happened.

An entry is [when, what]: "" for a pass, else the first case that did not hold, or why there was no verdict.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

PAUSE = 300  # seconds without a check, a hint or a step to another lesson: more is no time spent on the lesson
MOST = 50  # checks a lesson; of more, those in the middle are forgotten
LONGEST = 100  # characters of what was found


def remember(record: dict[str, Any], found: str) -> None:
    """One check more in a lesson's record. The list is made anew: two sittings may hold the old one."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
    entries = [*record["history"], [now, found.partition("\n")[0][:LONGEST]]]
    if len(entries) > MOST:
        del entries[MOST // 2]
    record["history"] = entries


def spend(data: dict[str, Any], key: str, now: float | None = None) -> None:
    """Something happens in a lesson now. The time since the last such event was spent on the lesson where that was,
    unless it was a pause."""
    seconds = int(datetime.now(UTC).timestamp() if now is None else now)
    before = data.get("last_event")
    if isinstance(before, list) and len(before) == 2 and isinstance(before[1], int):
        record = data["lessons"].get(before[0])
        gap = seconds - before[1]
        if record is not None and 0 < gap <= PAUSE:
            record["seconds"] = record.get("seconds", 0) + gap
    data["last_event"] = [key, seconds]


def entries_of(record: dict[str, Any]) -> list[tuple[str, str]]:
    """The checks of a record, in their order; what another hand put there and is no entry is passed over."""
    found = record.get("history") or []
    return [(str(each[0]), str(each[1])) for each in found if isinstance(each, list) and len(each) == 2]
