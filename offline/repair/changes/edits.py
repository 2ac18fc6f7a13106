"""Changes of a text: one edit, many at once, and as exact replacements, as `edit_file` wants them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate


@dataclass(frozen=True, order=True)
class Edit:
    """Replace text[start:end] of one file by new text. Offsets count characters."""

    path: str
    start: int
    end: int
    text: str


Bounds = Mapping[str, Sequence[int]] | None  # path -> first and last line that may change; None: all


def lies_within(edits: Iterable[Edit], texts: Mapping[str, str], bounds: Bounds) -> bool:
    """Whether all edits (of the texts) stay in the lines that may change."""
    return bounds is None or all(
        one.path in bounds
        and bounds[one.path][0] <= texts[one.path].count("\n", 0, one.start) + 1
        and texts[one.path].count("\n", 0, one.end) < bounds[one.path][1] + one.text.endswith("\n")
        for one in edits
    )


def apply_edits(text: str, edits: tuple[Edit, ...]) -> str:
    """The text after all edits (of one file), which may not overlap. Equal places keep their order."""
    for edit in sorted(edits, key=lambda one: (one.start, one.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def difference(path: str, old: str, new: str) -> list[Edit]:
    """Edits that turn one text into another, line by line, each trimmed to what differs."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, before))]
    edits = []
    for kind, first, last, new_first, new_last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            edits.append(trimmed(Edit(path, starts[first], starts[last], "".join(after[new_first:new_last])), old))
    return edits


def lines_that_differ(old: str, new: str) -> list[int]:
    """The lines of a new text, from 1, that are not as they were; where some were taken out, those around the place."""
    before, after = old.splitlines(), new.splitlines()
    found: list[int] = []
    for kind, _, _, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            found += range(first + 1, last + 1) if last > first else (max(1, first), first + 1)
    return found


def trimmed(edit: Edit, text: str) -> Edit:
    """An edit without what it leaves as it was."""
    start, end, new = edit.start, edit.end, edit.text
    while start < end and new and text[start] == new[0]:
        start, new = start + 1, new[1:]
    while start < end and new and text[end - 1] == new[-1]:
        end, new = end - 1, new[:-1]
    return Edit(edit.path, start, end, new)


def exact_replacements(text: str, edits: tuple[Edit, ...]) -> tuple[tuple[str, str], ...]:
    """(old, new) pairs that, applied one after another, make all edits. Each old occurs once when its turn comes.

    An old text is whole lines without the first indentation, and grows by neighbouring lines until it is unique.
    """
    pairs = []
    for group in reversed(_by_lines(text, edits)):  # from the bottom, so that offsets above stay true
        pair = _unique_pair(text, group)
        pairs.append(pair)
        text = text.replace(*pair, 1)
    return tuple(pairs)


def changed_lines(text: str, edits: tuple[Edit, ...]) -> tuple[int, str, str]:
    """The first changed line (1-based), the old lines and the new lines, stripped of their common indentation."""
    after = apply_edits(text, edits)
    start = common_prefix(text, after)
    start = text.rfind("\n", 0, start) + 1
    ending = common_suffix(text[start:], after[start:])
    old_end, new_end = len(text) - ending, len(after) - ending
    tail = text.find("\n", max(old_end - 1, start)) if old_end > start else start
    tail = len(text) if tail < 0 else tail
    old, new = text[start:tail], after[start : new_end + (tail - old_end)]
    return text.count("\n", 0, start) + 1, old.strip(), new.strip()


def _by_lines(text: str, edits: tuple[Edit, ...]) -> list[tuple[Edit, ...]]:
    """Edits grouped so that those within three lines of each other become one replacement."""
    groups: list[list[Edit]] = []
    for edit in sorted(edits):
        if groups and text.count("\n", groups[-1][-1].end, max(edit.start, groups[-1][-1].end)) <= 3:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return [tuple(group) for group in groups]


def _unique_pair(text: str, edits: tuple[Edit, ...]) -> tuple[str, str]:
    start = text.rfind("\n", 0, edits[0].start) + 1
    end = max(_line_end(text, edits[-1].end), edits[-1].end)
    if start == end:  # an insertion at the very end or on an empty line: take the line before it
        start = text.rfind("\n", 0, max(start - 1, 0)) + 1
    while True:
        indent = len(text[start:end]) - len(text[start:end].lstrip(" \t"))
        first = min(start + indent, edits[0].start)
        old = text[first:end]
        if old and text.count(old) == 1:
            break
        if start == 0 and end == len(text):
            break
        start = text.rfind("\n", 0, max(start - 1, 0)) + 1
        end = _line_end(text, end + 1) if start == 0 else end
    shifted = tuple(Edit(edit.path, edit.start - first, edit.end - first, edit.text) for edit in edits)
    return old, apply_edits(old, shifted)


def _line_end(text: str, position: int) -> int:
    """The end of the line at a position, without its newline."""
    if position > 0 and text[position - 1 : position] == "\n":
        position -= 1
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def common_prefix(one: Sequence[str], other: Sequence[str]) -> int:
    """How many first letters of two texts, or lines of two lists, are the same."""
    length = min(len(one), len(other))
    return next((index for index in range(length) if one[index] != other[index]), length)


def common_suffix(one: Sequence[str], other: Sequence[str]) -> int:
    """The same of the last ones."""
    length = min(len(one), len(other))
    return next((index for index in range(length) if one[-1 - index] != other[-1 - index]), length)
