"""Two texts compared line by line, in a time that is bounded: a person and a clock wait for it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence

from records.undo.tree import Entry

MOST_STEPS = 300_000  # of the search for what is equal, less than a second; past them the rest counts as replaced
LARGEST_COUNTED = 4 * 2**20  # bytes of a file whose lines are compared only to be counted
Opcode = tuple[str, int, int, int, int]


def compared(old: Sequence[str], new: Sequence[str], steps: list[int] | None = None) -> list[Opcode]:
    """What turns one sequence into another, as difflib's opcodes. `steps` is what may be spent, and is spent from; so
    several comparisons can share it. The equal beginning and end are free."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old_end, new_end = len(old) - end, len(new) - end
    matcher = _Bounded(old[start:old_end], new[start:new_end], [MOST_STEPS] if steps is None else steps)
    middle = [(tag, *(number + start for number in numbers)) for tag, *numbers in matcher.get_opcodes()]
    codes = [("equal", 0, start, 0, start), *middle, ("equal", old_end, len(old), new_end, len(new))]
    return [code for code in codes if code[1] < code[2] or code[3] < code[4]]


def grouped(old: Sequence[str], new: Sequence[str], context: int) -> Iterator[list[Opcode]]:
    """The changes in groups, as difflib's, with so many equal lines around each."""
    whole = difflib.SequenceMatcher(None, (), ())
    whole.opcodes = compared(old, new)
    for group in whole.get_grouped_opcodes(context):
        if any(code[0] != "equal" for code in group):
            yield [code for code in group if code[1] < code[2] or code[3] < code[4]]


class _Bounded(difflib.SequenceMatcher[str]):
    """difflib finds the longest equal part, and then looks on both sides of it. Each look costs a step for every line
    and for every pair of equal lines; when they are used up, nothing more is found equal."""

    def __init__(self, old: Sequence[str], new: Sequence[str], steps: list[int]) -> None:
        self._steps = steps
        super().__init__(None, old, new, autojunk=False)

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> difflib.Match:
        pairs = self.b2j  # where each line stands in the other text
        self._steps[0] -= sum(1 + len(pairs.get(line, ())) for line in self.a[alo:ahi])
        return super().find_longest_match(alo, ahi, blo, bhi) if self._steps[0] >= 0 else difflib.Match(alo, blo, 0)


def counts(
    pairs: Sequence[tuple[str, Entry | None, Entry | None]], bytes_of: Callable[[str], bytes]
) -> list[tuple[str, int, int]]:
    """Of each path, with what it was and what it is, how many lines were added and removed; none of what is no text.
    All of them together take no more than one comparison may."""
    steps = [MOST_STEPS]
    return [(path, *_count(*(content_of(entry, bytes_of) for entry in pair), steps)) for path, *pair in pairs]


def _count(old: bytes, new: bytes, steps: list[int]) -> tuple[int, int]:
    if b"\0" in old[:8000] or b"\0" in new[:8000]:
        return 0, 0
    if max(len(old), len(new)) > LARGEST_COUNTED or steps[0] < 0:
        return new.count(b"\n"), old.count(b"\n")
    codes = compared(*([line.decode("latin-1") for line in lines_of(data)] for data in (old, new)), steps)
    changed = [code for code in codes if code[0] != "equal"]
    return sum(code[4] - code[3] for code in changed), sum(code[2] - code[1] for code in changed)


def content_of(entry: Entry | None, bytes_of: Callable[[str], bytes]) -> bytes:
    """The bytes of a file, the target of a link; of anything else, and of what was not kept, none."""
    if entry is None or not entry.kept or entry.kind == "directory":
        return b""
    return entry.digest.encode("utf-8", "surrogateescape") if entry.kind == "link" else bytes_of(entry.digest)


def lines_of(data: bytes) -> list[bytes]:
    """Split at line feeds alone, as git does."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
