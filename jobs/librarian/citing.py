"""The source that an answer names: found in its text, and checked against the files and against what was read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from index.sections import sections_of
from jobs.librarian.tools.read_file import place_of, with_all_below
from sandbox.files.root import Refusal, Root

Seen = dict[str, list[tuple[int, int]]]  # by file, directory or endpoint: the lines of it that were shown
# A small model takes an example for the answer (seen with Qwen2.5-Coder 1.5B), so none stands here.
LOOK_FIRST = (
    "It is not from this project: you have read nothing of it yet. Call search_docs with the question, read_file the "
    "best place that it names (or query_api for data), and answer from that."
)
NAME_IT = (
    "It does not say where it is from. End it with a line that begins with Source: and names what you read: {seen}."
)
MOST_NAMED = 6
_LINE = re.compile(r"(?:^|(?<=[.!?`)] ))[ \t>*_-]*sources?[*_]*[ \t]*:[*_]*[ \t]*(.+)$", re.IGNORECASE | re.MULTILINE)
_ENDPOINT = re.compile(r"(?:API endpoint )?(?P<method>GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) (?P<path>/\S*)")
_MARKS = "`*_<>\"' \t."


@dataclass(frozen=True)
class Cited:
    answer: str  # without the lines that name the sources
    sources: tuple[str, ...]


def cited(text: str) -> Cited:
    """Split an answer from the sources that it names in lines such as `Source: wiki/git.md#undo`."""
    lines = _LINE.findall(text)
    parts = [_plain(part) for line in lines for part in re.split(r"[,;]\s+|\s+and\s+", line)]
    return Cited(_LINE.sub("", text).strip(), tuple(dict.fromkeys(filter(None, parts))))


def seen_in(shown: Iterable[tuple[str, list[tuple[int, int]]]]) -> Seen:
    """Put together what the tools say of themselves that they showed."""
    seen: Seen = {}
    for place, lines in shown:
        seen.setdefault(_key(place), []).extend(lines)
    return seen


def objection(sources: tuple[str, ...], seen: Seen, root: Root) -> str:
    """Return why these sources do not hold, as a sentence to the model; "" when they do."""
    if not seen:
        return LOOK_FIRST
    if not sources:
        return NAME_IT.format(seen=", ".join(list(seen)[:MOST_NAMED]))
    return " ".join(filter(None, (_problem(source, seen, root) for source in sources)))


def _problem(source: str, seen: Seen, root: Root) -> str:
    if _ENDPOINT.fullmatch(source):
        return "" if _key(source) in seen else f"{source} was not called in this run: call it with query_api first."
    file, anchor, line = place_of(source)
    try:
        if not root.is_file(file):
            known = root.exists(file) and any(place == file or place.startswith(f"{file}/") for place in seen)
            return "" if known else f"There is no file {source}, or it was not looked at: name one that you have read."
        text = root.read_text(file)
    except Refusal as refusal:
        return f"{source} is no source: {refusal}."
    lines = (line, line) if line else (1, text.count("\n") + 1)
    if anchor:
        section = with_all_below(sections_of(file, text), anchor)
        if section is None:
            return f"{file} has no section #{anchor}: read it, and name one that it has."
        lines = section
    was_read = any(first <= lines[1] and lines[0] <= last for first, last in seen.get(file, []))
    return "" if was_read else f"{source} was not read in this run: read it first, or name what you have read."


def _plain(part: str) -> str:
    """A source without the marks around it: `[text](place)`, backticks, bold."""
    linked = re.search(r"\]\(([^)\s]+)\)", part)
    return (linked[1] if linked else part).strip(_MARKS).rstrip(":").removeprefix("./")


def _key(place: str) -> str:
    """An endpoint without its parameters, a path without its first `./`."""
    endpoint = _ENDPOINT.fullmatch(place)
    if endpoint:
        return f"{endpoint['method']} {endpoint['path'].partition('?')[0].rstrip('/') or '/'}"
    return place.removeprefix("./").rstrip("/") or "."
