"""Where a quoted piece of text stands in a file, when it was not quoted to the letter.

Each tolerance has a name, which the result of an edit says. There is no likeness score: a place fits, or it does not.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

LONGEST_SPAN = 200  # characters that a place may be longer than twice what was quoted
MOST_LINES = 5_000  # of a file that are compared one by one
NEAREST = 3
COMPARED = 200  # lines that are compared letter by letter
SHOWN_LINES = 8  # of the nearest place

LINE_ENDS = "white space at line ends"
INDENTATION = "the indentation of all lines; the replacement was moved along"
LITERAL = "\\n written as two characters"
NUMBERS = "line numbers copied along"
FENCES = "fences copied along"
DOTS = "... copied along"
_NUMBER = re.compile(r"^ *(?:line )?(?:[\w./-]+:)?(\d+)(?:: ?| ?\| ?|\t)", re.IGNORECASE)
_FENCE = re.compile(r"\A```[\w+-]*\n(.*?)\n```\s*\Z", re.DOTALL)
_DOTS = re.compile(r"\A(?:[ \t]*\.\.\.[ \t]*\n)|(?:\n[ \t]*\.\.\.[ \t]*)\Z")


class Fit(NamedTuple):
    """A place in a text, what is to stand there, and which tolerances that took."""

    start: int
    end: int
    new: str
    forgiven: tuple[str, ...]


def fits(text: str, old: str, new: str) -> list[Fit]:
    """Return the places where `old`, which is not there to the letter, stands, with the least tolerance that finds any.

    Without what was copied along, only whole lines fit: the rest of a line is no sign of what was meant.
    """
    for old_read, new_read, forgiven in _readings(old, new):
        looks = (_exact, _by_lines, _by_indentation) if forgiven == (LITERAL,) else (_by_lines, _by_indentation)
        for found in looks:
            places = [
                fit._replace(forgiven=(*forgiven, *fit.forgiven) or (LINE_ENDS,))
                for fit in found(text, old_read, new_read)
                if fit.end - fit.start <= 2 * len(old) + LONGEST_SPAN
            ]
            if places:
                return places
    return []


def _readings(old: str, new: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """What was quoted, as it came and without what was copied along with it, one thing after another."""
    yield old, new, ()
    forgiven: tuple[str, ...] = ()
    steps = ((_newlines, LITERAL), (_no_fences, FENCES), (_no_numbers, NUMBERS), (_no_dots, DOTS))
    for without, name in steps:
        plain = without(old)
        if plain != old and plain.strip():
            old, new, forgiven = plain, without(new), (*forgiven, name)
            yield old, new, forgiven


def _newlines(text: str) -> str:
    return text.replace("\\n", "\n") if "\n" not in text.strip("\n") else text


def _no_fences(text: str) -> str:
    fenced = _FENCE.match(text)
    return fenced[1] if fenced else text


def _no_numbers(text: str) -> str:
    """Without the numbers that all lines begin with, counting up by one."""
    lines = text.split("\n")
    found = [_NUMBER.match(line) for line in lines if line.strip()]
    numbers = [int(each[1]) for each in found if each]
    if not found or len(numbers) < len(found) or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return text
    return "\n".join(_NUMBER.sub("", line) for line in lines)


def _no_dots(text: str) -> str:
    return _DOTS.sub("", text)


def _exact(text: str, old: str, new: str) -> Iterator[Fit]:
    for found in re.finditer(f"(?=({re.escape(old)}))", text):
        yield Fit(*found.span(1), new, ())


def _by_lines(text: str, old: str, new: str) -> Iterator[Fit]:
    """Whole lines that are the same but for white space at their ends."""
    for start, end, lines in _places(text, old):
        if all(one.rstrip() == other.rstrip() for one, other in lines):
            yield Fit(start, end, new, _line_ends(lines))


def _line_ends(lines: list[tuple[str, str]]) -> tuple[str, ...]:
    return () if all(one[len(one.rstrip()) :] == other[len(other.rstrip()) :] for one, other in lines) else (LINE_ENDS,)


def _by_indentation(text: str, old: str, new: str) -> Iterator[Fit]:
    """Lines that have one indentation more, or less, than those that were quoted, throughout."""
    for start, end, lines in _places(text, old):
        pairs = [(one.rstrip(), other.rstrip()) for one, other in lines if one.strip() or other.strip()]
        more = {one.removesuffix(other) for one, other in pairs if one.endswith(other)}
        less = {other.removesuffix(one) for one, other in pairs if other.endswith(one)}
        for shifts, adding, side in ((more, True, 0), (less, False, 1)):
            shift = next(iter(shifts), "")
            whole = all(pair[side].endswith(pair[1 - side]) for pair in pairs)
            if not whole or len(shifts) != 1 or not shift or shift.strip(" \t"):
                continue
            moved = _moved(new, shift, adding=adding)
            if moved is not None:
                yield Fit(start, end, moved, (INDENTATION, *_line_ends(lines)))


def _moved(text: str, shift: str, *, adding: bool) -> str | None:
    """The text with each line indented by `shift`, or without it; None where a line has it not."""
    lines = text.split("\n")
    if adding:
        return "\n".join(shift + line if line.strip() else line for line in lines)
    if any(line.strip() and not line.startswith(shift) for line in lines):
        return None
    return "\n".join(line.removeprefix(shift) for line in lines)


def _places(text: str, old: str) -> Iterator[tuple[int, int, list[tuple[str, str]]]]:
    """Every run of whole lines as long as `old`, where the first line that says something is alike: where it begins and
    ends, and its lines beside those that were quoted."""
    ends_line = old.endswith("\n")
    wanted = old.removesuffix("\n").split("\n")
    lines = text.split("\n")
    anchor = next((number for number, line in enumerate(wanted) if line.strip()), None)
    if anchor is None or len(lines) > MOST_LINES * 20:
        return
    sign, start = wanted[anchor].strip(), 0
    for number in range(len(lines) - len(wanted) + 1):
        if lines[number + anchor].strip() == sign:
            taken = lines[number : number + len(wanted)]
            end = start + len("\n".join(taken))
            more = ends_line and end < len(text)
            yield start, end + more, list(zip(taken, wanted, strict=True))
        start += len(lines[number]) + 1


def nearest(text: str, old: str) -> list[tuple[int, str]]:
    """The lines, with their numbers, that come nearest to the first line of what was looked for: by the words that they
    share, the rare ones counting most, then by how they begin. Of several lines that were quoted, as many behind the
    nearest one."""
    wanted = [line for line in old.split("\n") if line.strip()]
    lines = text.split("\n")[:MOST_LINES]
    if not wanted:
        return []
    first = wanted[0].strip()[:200]
    tokens = {number: _tokens(line[:200]) for number, line in enumerate(lines) if line.strip()}
    known = Counter(token for found in tokens.values() for token in set(found))
    own = {token: 1 / max(1, known[token]) for token in _tokens(first)}

    def likeness(number: int) -> float:
        shared = sum(weight for token, weight in own.items() if token in tokens[number]) / sum(own.values())
        return shared + len(_common_beginning(lines[number].strip(), first)) / len(first)

    def letters(number: int) -> float:
        """What tells apart lines that share no word, such as a name with a slip in it."""
        return likeness(number) + difflib.SequenceMatcher(None, lines[number].strip()[:200], first).ratio()

    alike = sorted(tokens, key=likeness, reverse=True)[:COMPARED]
    ranked = sorted(alike, key=letters, reverse=True)[:NEAREST]
    block = range(ranked[0], min(len(lines), ranked[0] + min(len(wanted), SHOWN_LINES))) if ranked else ()
    return [(number + 1, lines[number]) for number in sorted({*ranked, *block})]


def _tokens(line: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", line)


def _common_beginning(one: str, other: str) -> str:
    length = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), None)
    return one[: min(len(one), len(other)) if length is None else length]
