"""A fork beside its parent, told one after the other: the parent's run, the way back to the step where something was
changed, what was changed there, and how it went on from there."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from agent.contracts import NOTE
from records.steps import first_line, forked_from, said

Event = Mapping[str, Any]

LOOKS_BACK, GOES_BACK = 1.2, 1.6  # seconds that the end of the parent stays, and that the way back takes
TOLD = ("replied", "call_finished", "notice", "error")
MOST_LINES, LONGEST = 3, 66  # of what was taken away and of what was put in its place


@dataclass(frozen=True)
class Parting:
    """Where a fork leaves its parent: `before` and `after` are the fork's events up to there and from there on, and
    `changes` the lines that were taken away ("-") and put in their place ("+")."""

    step: int
    before: Sequence[Event]
    after: Sequence[Event]
    changes: Sequence[tuple[str, str]]


def parting_of(parent: Mapping[str, Any], fork: Mapping[str, Any]) -> Parting | None:
    """Where a fork leaves its parent, as records/page.py's `run_data` has them; None where it is no fork of it, or both
    tell the same."""
    if forked_from(fork) != parent["name"]:
        return None
    ours, theirs = _told(fork["events"]), _told(parent["events"])
    pairs = enumerate(zip_longest(ours, theirs))
    place = next((number for number, (one, other) in pairs if _content(one) != _content(other)), None)
    if place is None or place >= len(ours):
        return None
    before = _content(theirs[place]) if place < len(theirs) else ""
    gone, new = before.splitlines(), _content(ours[place]).splitlines()
    lines = [(line[0], line[2:]) for line in difflib.ndiff(gone, new) if line[0] in "+-" and line[2:].strip()]
    changes = [(sign, text[:LONGEST]) for sign in "-+" for text in [t for s, t in lines if s == sign][:MOST_LINES]]
    return Parting(int(first_line(fork["events"])["forked"]["step"]), ours[:place], ours[place + 1 :], changes)


def _told(events: Sequence[Event]) -> list[Event]:
    """What a reader sees of a run."""
    return [event for event in events if event["kind"] in TOLD or _noted(event)]


def _noted(event: Event) -> bool:
    return event["kind"] == "message" and (said(event["message"]) or "").startswith(NOTE)


def _content(event: Event | None) -> str:
    """What an event says, without what is another in every run."""
    if event is None:
        return ""
    if event["kind"] == "replied":
        return "\n".join([str(event["text"]), *(f"{call['name']} {call['arguments']}" for call in event["calls"])])
    if event["kind"] == "message":
        return said(event["message"]) or ""
    return str(event.get("content", event.get("text", "")))
