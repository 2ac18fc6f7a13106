"""Where a quoted piece of text stands in a file, when it was not quoted to the letter.

Each tolerance has a name, which the result of an edit says. There is no likeness score: a place fits, or it does not.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate, islice
from typing import NamedTuple

LONGEST_SPAN = 200  # characters that a place may be longer than twice what was quoted
MOST_LINES = 5_000  # of a file that are compared one by one
MOST_STEPS = 300_000  # lines of places that are alike but for their indentation; past them none is sure to be alone
MOST_LETTERS = 10_000_000  # of places that are alike but for their newlines
MOST_PLACES = 20  # that are named
NEAREST = 3
COMPARED = 200  # lines that are compared letter by letter
SHOWN_LINES = 8  # of the nearest place

LINE_ENDS = "white space at line ends"
INDENTATION = "the indentation of all lines; the replacement was moved along"
LITERAL = "\\n written as two characters"
NUMBERS = "line numbers copied along"
FENCES = "fences copied along"
DOTS = "... copied along"
_NUMBER = re.compile(r"^ *(?:line )?(?:[\w./-]+:)?(\d{1,9})(?:: ?| ?\| ?|\t)", re.IGNORECASE)
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
                for fit in islice(found(text, old_read, new_read, 2 * len(old) + LONGEST_SPAN), MOST_PLACES)
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


def any_newlines(text: str, part: str, most: int) -> list[tuple[int, int]]:
    """Return where `part` begins and ends in `text`, at most so many, where any newline in it stands for any there."""
    part = part.replace("\r\n", "\n")
    if "\r\n" not in text:
        return [(start, start + len(part)) for start in islice(_finds(text, part), most)]
    returns = [match.start() - before for before, match in enumerate(re.finditer("\r", text))]  # as if none were there
    likely = _finds(text.replace("\r", ""), part.replace("\r", "")) if "\n" in part else ()
    starts = (at + more for at in likely for more in range(bisect_left(returns, at), bisect_right(returns, at) + 1))
    whole = re.compile("\r?\n".join(map(re.escape, part.split("\n"))))
    places: list[tuple[int, int]] = []
    for tried, at in enumerate(starts):
        if tried * len(part) > MOST_LETTERS:
            return []
        if found := whole.match(text, at):
            places.append(found.span())
        if len(places) == most:
            break
    return places


def _finds(text: str, part: str) -> Iterator[int]:
    """Where a part begins in a text. A regular expression would try the whole of it at every letter."""
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + 1)


def _exact(text: str, old: str, new: str, longest: int) -> Iterator[Fit]:
    for start in _finds(text, old):
        yield Fit(start, start + len(old), new, ())


def _by_lines(text: str, old: str, new: str, longest: int) -> Iterator[Fit]:
    """Whole lines that are the same but for white space at their ends."""
    for start, end, lines in _places(text, old, longest, str.rstrip):
        yield Fit(start, end, new, _line_ends(lines))


def _line_ends(lines: list[tuple[str, str]]) -> tuple[str, ...]:
    return () if all(one[len(one.rstrip()) :] == other[len(other.rstrip()) :] for one, other in lines) else (LINE_ENDS,)


def _by_indentation(text: str, old: str, new: str, longest: int) -> list[Fit]:
    """Lines that have one indentation more, or less, than those that were quoted, throughout."""
    found: list[Fit] = []
    for number, (start, end, lines) in enumerate(_places(text, old, longest, str.strip)):
        if number * len(lines) > MOST_STEPS:  # a quotation that overlaps itself; what is left may fit as well
            return []
        pairs = ((one.rstrip(), other.rstrip()) for one, other in lines if one.strip())
        shift, adding = _shift(*next(pairs))
        fits_throughout = all(one == shift + other if adding else other == shift + one for one, other in pairs)
        moved = _moved(new, shift, adding=adding) if shift and fits_throughout else None
        if moved is not None:
            found.append(Fit(start, end, moved, (INDENTATION, *_line_ends(lines))))
        if len(found) == MOST_PLACES:
            break
    return found


def _shift(one: str, other: str) -> tuple[str, bool]:
    """The indentation that one line has more than the other, or less ("" where it has neither), and whether more."""
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    shift = longer.removesuffix(shorter) if longer.endswith(shorter) else ""
    return "" if shift.strip(" \t") else shift, longer is one


def _moved(text: str, shift: str, *, adding: bool) -> str | None:
    """The text with each line indented by `shift`, or without it; None where a line has it not."""
    lines = text.split("\n")
    if adding:
        return "\n".join(shift + line if line.strip() else line for line in lines)
    if any(line.strip() and not line.startswith(shift) for line in lines):
        return None
    return "\n".join(line.removeprefix(shift) for line in lines)


def _places(
    text: str, old: str, longest: int, plain: Callable[[str], str]
) -> Iterator[tuple[int, int, list[tuple[str, str]]]]:
    """Every run of whole lines, no longer than that, whose plain forms are those of `old`: where it begins and ends,
    and its lines beside those that were quoted. They are looked for all at once: line by line, a file that repeats
    itself takes as many steps as it has lines, times those that were quoted."""
    wanted, lines = old.removesuffix("\n").split("\n"), text.split("\n")
    if not old.strip() or len(lines) > MOST_LINES * 20:
        return
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    in_text, in_old = ("\n".join(["", *map(plain, each), ""]) for each in (lines, wanted))
    number = before = 0
    for found in _finds(in_text, in_old):
        number, before = number + in_text.count("\n", before, found), found
        start, end = starts[number], starts[number + len(wanted)] - 1
        end += old.endswith("\n") and end < len(text)
        if end - start <= longest:
            yield start, end, list(zip(lines[number : number + len(wanted)], wanted, strict=True))


def nearest(text: str, old: str) -> list[tuple[int, str]]:
    """The lines, with their numbers, that come nearest to the first line of what was looked for: by the words that they
    share, the rare ones counting most, then by how they begin. Of several lines that were quoted, as many behind the
    nearest one."""
    wanted = [line for line in old.split("\n") if line.strip()]
    lines = text.split("\n")[:MOST_LINES]
    if not wanted:
        return []
    first = wanted[0].strip()[:200]
    tokens = {number: set(_tokens(line[:200])) for number, line in enumerate(lines) if line.strip()}
    known = Counter(token for found in tokens.values() for token in found)
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
