"""Which tests a change can matter to: those that enter a function that it changes. For anything else, all of them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

from ..changes.edits import Edit
from ..ranking.localise import Coverage
from ..reading.shapes import FUNCTION_STATEMENTS
from ..reading.source import Source


class Selection:
    """Made from the first run; a test is told by its place among the passing ones."""

    def __init__(self, coverage: Coverage, passing: list[str]) -> None:
        self._entering: dict[tuple[str, int], set[int]] = defaultdict(set)
        for place, name in enumerate(passing):
            for line in coverage.passing.get(name, ()):
                self._entering[line].add(place)
        self._places = cache(self._places_of)
        self._spans = cache(_spans)

    def tests_for(self, edits: Iterable[Edit], sources: Mapping[str, Source]) -> list[int] | None:
        """The places of the tests that some edits can matter to; None for all."""
        found: set[int] = set()
        for edit in edits:
            source = sources[edit.path]
            functions = [self._around(source, line) for line in _lines(edit, source)]
            functions = [function for function in functions if function is not None]
            if not functions:
                return None
            for function in functions:
                found |= self._places(source.path, *function)
        return sorted(found)

    def _around(self, source: Source, line: int) -> tuple[int, int] | None:
        """The body of the innermost function around a line: its first and last line."""
        return max((span for span in self._spans(source) if span[0] <= line <= span[1]), default=None)

    def _places_of(self, path: str, first: int, last: int) -> set[int]:
        return set().union(*(self._entering.get((path, line), ()) for line in range(first, last + 1)))


def _lines(edit: Edit, source: Source) -> list[int]:
    """The lines that an edit touches; for new lines between two others, both of them."""
    first = source.line_of(edit.start)
    if edit.start == edit.end and edit.start == source.line_start(first):
        return [max(1, first - 1), first]
    return [first, source.line_of(max(edit.start, edit.end - 1))]


def _spans(source: Source) -> list[tuple[int, int]]:
    functions = (node for node in ast.walk(source.tree) if isinstance(node, FUNCTION_STATEMENTS))
    return [(node.body[0].lineno, node.end_lineno or node.lineno) for node in functions]
