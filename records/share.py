"""What is taken out of a run before it is shown to others: what looks like a key (records/keys.py), and where the
person's home is.

The keys that the program itself was given never stand in a trace (records/trace.py). A file or a command's output may
hold others.
"""

from __future__ import annotations

import re
import urllib.parse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from records.keys import Span, keys_in

REMOVED = "[key removed]"
HOME = "your home directory"
STREAMED = ("text", "thought")  # events that are pieces of one text


def to_share(value: Any, found: Counter[str] | None = None) -> Any:
    """Text, or data with texts in it, without what is nobody else's; `found` counts what that was, by name."""
    if isinstance(value, str):
        return without([value], found)[0]
    if isinstance(value, (list, tuple)):
        return [to_share(item, found) for item in value]
    if isinstance(value, dict):
        return {to_share(name, found): to_share(item, found) for name, item in value.items()}
    return value


def events_to_share(events: Sequence[Mapping[str, Any]], found: Counter[str] | None = None) -> list[dict[str, Any]]:
    """The events of a run without what is nobody else's, also where it came in pieces: the model's text is streamed,
    and a page puts it together again."""
    shared: list[dict[str, Any]] = [{} for _ in events]
    streams: dict[tuple[int, str], list[int]] = {}
    turn = 0
    for number, event in enumerate(events):
        turn += event["kind"] == "asking"
        if event["kind"] in STREAMED and isinstance(event.get("text"), str):
            streams.setdefault((turn, event["kind"]), []).append(number)
        else:
            shared[number] = to_share(dict(event), found)
    for numbers in streams.values():
        # Not counted: the whole text stands in the reply as well.
        for number, text in zip(numbers, without([events[each]["text"] for each in numbers]), strict=True):
            shared[number] = {**events[number], "text": text}
    return shared


def told(found: Mapping[str, int]) -> str:
    """What was taken out, as a sentence."""
    if not found:
        return "Nothing in it looks like a key, and your home directory is not named. Look through it all the same."
    some = ", ".join(f"{name} ({count})" if count > 1 else name for name, count in sorted(found.items()))
    return f"Taken out, because it looks like a key or says where you are: {some}. Look through the rest."


def without(pieces: Sequence[str], found: Counter[str] | None = None) -> list[str]:
    """Pieces of one text, each without its part of what is taken out; what is put there instead stands where it
    began."""
    text = "".join(pieces)
    spans = [*keys_in(text), *_homes_in(text)]
    if found is not None:
        found.update(name for _, _, name in spans)
    kept, at = [], 0
    for piece in pieces:
        kept.append(_piece(text, at, at + len(piece), spans))
        at += len(piece)
    return kept


def _piece(text: str, start: int, end: int, spans: Iterable[Span]) -> str:
    parts, at = [], start
    for begins, ends, name in sorted(spans):
        if ends <= at or begins >= end:
            continue
        if begins >= start:
            parts += [text[at : max(at, begins)], "~" if name == HOME else REMOVED]
        at = max(at, min(ends, end))
    return "".join([*parts, text[at:end]])


def _homes_in(text: str) -> list[Span]:
    home = _home()
    return [(*each.span(), HOME) for each in home.finditer(text)] if home else []


@cache
def _home() -> re.Pattern[str] | None:
    """The home as it is written in a path, in an address, and in a name made of a path."""
    try:
        home = str(Path.home())
    except RuntimeError:  # an account without one
        return None
    if len(home) < 2:
        return None
    encoded = urllib.parse.quote(home, safe="")
    ways = {re.escape(way) for way in (home, encoded, urllib.parse.quote(home), json_of(home))}
    dashed = re.sub(r"[/\\:]+", "-", home)
    named = f"|(?<![A-Za-z0-9_]){re.escape(dashed)}(?=-)" if dashed.count("-") > 1 else ""  # "-root" is an option, too
    return re.compile(f"(?:{'|'.join(sorted(ways))})(?![A-Za-z0-9_]){named}")


def json_of(text: str) -> str:
    """As it stands within a JSON string: a backslash is doubled."""
    return text.replace("\\", "\\\\")
