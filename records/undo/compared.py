"""Two texts compared line by line, in a time that is bounded: a person and a clock wait for it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any

from records.undo.tree import changed_part

MOST_STEPS = 300_000  # of the search for what is equal, less than a second; past them the rest counts as replaced
Opcode = tuple[str, int, int, int, int]


def compared(old: Sequence[Any], new: Sequence[Any], steps: list[int] | None = None) -> list[Opcode]:
    """What turns one sequence into another, as difflib's opcodes. `steps` is what may be spent (empty: MOST_STEPS), and
    is spent from; so several comparisons can share it. The equal beginning and end are free."""
    steps = [] if steps is None else steps
    steps[:] = steps or [MOST_STEPS]
    start, old_end, new_end = changed_part(old, new)
    matcher = _Bounded(old[start:old_end], new[start:new_end], steps)
    middle = [(tag, a + start, b + start, c + start, d + start) for tag, a, b, c, d in matcher.get_opcodes()]
    codes: list[Opcode] = [("equal", 0, start, 0, start), *middle, ("equal", old_end, len(old), new_end, len(new))]
    return [code for code in codes if code[1] < code[2] or code[3] < code[4]]


def grouped(old: Sequence[Any], new: Sequence[Any], context: int) -> Iterator[list[Opcode]]:
    """The changes in groups, as difflib's, with so many equal lines around each."""
    whole = _Bounded((), (), [0])
    whole.opcodes = compared(old, new)
    for group in whole.get_grouped_opcodes(context):
        if any(code[0] != "equal" for code in group):
            yield [code for code in group if code[1] < code[2] or code[3] < code[4]]


class _Bounded(difflib.SequenceMatcher[Any]):
    """difflib finds the longest equal part, and then looks on both sides of it. Each look costs a step for every line
    and for every pair of equal lines; when they are used up, nothing more is found equal."""

    a: Sequence[Any]
    b2j: dict[Any, list[int]]  # where each line stands in the other text
    opcodes: list[Opcode]

    def __init__(self, old: Sequence[Any], new: Sequence[Any], steps: list[int]) -> None:
        self._steps = steps
        super().__init__(None, old, new, autojunk=False)

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> difflib.Match:
        self._steps[0] -= sum(1 + len(self.b2j.get(line, ())) for line in self.a[alo:ahi])
        return super().find_longest_match(alo, ahi, blo, bhi) if self._steps[0] >= 0 else difflib.Match(alo, blo, 0)
