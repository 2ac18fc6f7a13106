"""From suspicious statements to candidates in the order in which they are tried: likeliest first, none twice."""

from __future__ import annotations

import ast
import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import exp

from ..changes.edits import Edit, apply_edits, difference
from ..changes.mutations import OPERATORS, Operator
from ..reading.source import Source, first_line
from ..reading.vocabulary import Vocabulary
from .localise import own_nodes
from .naturalness import USUAL, surprises

MOST = 20_000  # candidates kept; nobody waits for more
STRANGE, STRANGEST = 0.1, 8.0  # what a node's strangeness weighs; more of it than this counts no more
SAID = 0.02  # how much less a change is worth in what only says of what kind a value is
WIDE = 100  # parts of a statement; one that has more (a table) is as suspicious as it is, but each part of it less


@dataclass(frozen=True)
class Candidate:
    """One changed program: the edits, the kind of change, and how likely it is (only the order matters)."""

    edits: tuple[Edit, ...]
    operator: Operator
    line: int
    likelihood: float

    @property
    def path(self) -> str:
        """The file of the (first) change."""
        return self.edits[0].path

    def texts(self, sources: Mapping[str, Source]) -> dict[str, str]:
        """The changed files."""
        paths = dict.fromkeys(edit.path for edit in self.edits)
        return {path: apply_edits(sources[path].text, tuple(e for e in self.edits if e.path == path)) for path in paths}

    def followed_by(self, second: Candidate, sources: Mapping[str, Source], above: Mapping[str, Source]) -> Candidate:
        """This change and one that was made on top of it, as one change of the original."""
        texts = {**self.texts(sources), **second.texts(above)}
        edits = [edit for path, text in texts.items() for edit in difference(path, sources[path].text, text)]
        words = f"{self.operator.words}, and {second.operator.words}"
        both = replace(self.operator, words=words)
        return Candidate(tuple(edits), both, self.line, min(self.likelihood, second.likelihood))


def make_candidates(
    sources: Mapping[str, Source],
    ranks: Mapping[ast.stmt, float],
    words: Vocabulary,
    factors: Mapping[str, float],
) -> Iterator[Candidate]:
    """The likeliest single changes of suspicious statements, in order; ties in the order of the text.

    `factors` make operators likelier than their weight says, by name. What stands strangely (`naturalness.cost`) comes
    before what is as suspicious: of 166 bugs in packages 86 are among the first 100 so, 78 without. A statement is
    looked at when nothing likelier can come of those before it: in a large program the first candidates come at once.
    """
    home = {id(source.tree): source for source in sources.values()}
    ranks = {one: rank * min(1.0, WIDE / len(own_nodes(one))) ** 0.5 for one, rank in ranks.items()}
    surprise = cache(lambda source: surprises(source.tree))
    most = max(operator.weight for operator in OPERATORS) * max([1.0, *factors.values()]) * _strange(STRANGEST)
    waiting = _Merged()
    for statement, rank in sorted(ranks.items(), key=lambda pair: -pair[1]):
        yield from waiting.taken_above(rank**2 * most)
        source, said = home[id(_module_of(statement))], _annotations(statement)
        for node in own_nodes(statement):
            strange = _strange(surprise(source).get(node, USUAL)) * (SAID if node in said else 1.0)
            for operator in _operators_of(type(node)) if hasattr(node, "lineno") else ():
                weight = rank**2 * operator.weight * factors.get(operator.name, 1.0) * strange
                made = operator.make(node, source, words)
                place = source.path, node.lineno, node.col_offset  # type: ignore[attr-defined]
                waiting.add(weight, place, _series(operator, made, statement.lineno, weight))
    yield from waiting.taken_above(0.0)


def _annotations(statement: ast.stmt) -> set[ast.AST]:
    """The parts of a statement that say of what kind a value is. Few programs do anything by them."""
    hints = (getattr(node, name, None) for node in own_nodes(statement) for name in ("annotation", "returns"))
    return {part for hint in hints if isinstance(hint, ast.AST) for part in ast.walk(hint)}


def _strange(surprise: float) -> float:
    """How many times as likely a change is of what a reader of much Python wonders at."""
    return exp(STRANGE * (min(surprise, STRANGEST) - USUAL))


@cache
def _operators_of(kind: type[ast.AST]) -> tuple[Operator, ...]:
    return tuple(operator for operator in OPERATORS if issubclass(kind, operator.nodes))


class _Merged:
    """Many series of candidates, each with the likeliest first, as one. Nothing of a series is made before its turn:
    how likely its first one is, is known without it."""

    def __init__(self) -> None:
        self._heads: list[tuple[float, tuple[str, int, int], int, Candidate | None, Iterator[Candidate]]] = []
        self._count = 0

    def add(self, likelihood: float, place: tuple[str, int, int], series: Iterator[Candidate]) -> None:
        """One more series; its first candidate, if it has one, is as likely as said. `place` is the order of equals."""
        self._put(likelihood, place, None, series)

    def taken_above(self, least: float) -> Iterator[Candidate]:
        """The candidates that are likelier than this, in order; equals in the order of their places."""
        while self._heads and -self._heads[0][0] > least:
            _, place, _, one, series = heapq.heappop(self._heads)
            if one is not None:
                yield one
            following = next(series, None)
            if following is not None:
                self._put(following.likelihood, place, following, series)

    def _put(
        self, likelihood: float, place: tuple[str, int, int], one: Candidate | None, series: Iterator[Candidate]
    ) -> None:
        self._count += 1
        heapq.heappush(self._heads, (-likelihood, place, self._count, one, series))


def _module_of(node: ast.AST) -> ast.AST:
    while not isinstance(node, ast.Module):
        node = node.parent  # type: ignore[attr-defined]
    return node


def worth_trying(candidates: Iterable[Candidate], sources: Mapping[str, Source]) -> Iterator[Candidate]:
    """The candidates that are valid Python and differ, as programs, from the original and from those before them."""
    seen = set()
    for candidate in candidates:
        meaning = _meaning(candidate, sources[candidate.path])
        if meaning is not None and meaning not in seen:
            seen.add(meaning)
            yield candidate


def _series(
    operator: Operator, made: Iterable[Edit | tuple[Edit, ...]], line: int, weight: float
) -> Iterator[Candidate]:
    for position, edits in enumerate(made):
        yield Candidate(
            tuple(sorted(edits)) if isinstance(edits, tuple) else (edits,), operator, line, weight / (position + 1)
        )


def _meaning(candidate: Candidate, source: Source) -> tuple[str, int, str] | None:
    """The changed piece of the program without its looks; None when it is not valid or nothing changed."""
    start, end, line = _piece(candidate, source)
    edits = tuple(Edit(one.path, one.start - start, one.end - start, one.text) for one in candidate.edits)
    before = _dump_once(source.text[start:end])
    after = _dump(apply_edits(source.text[start:end], edits))
    return None if after is None or after == before else (candidate.path, line, after)


def _piece(candidate: Candidate, source: Source) -> tuple[int, int, int]:
    """The smallest definition, or statement of the top, that holds all edits of a candidate: start, end, first line."""
    first, last = candidate.edits[0].start, max(edit.end for edit in candidate.edits)
    block: list[ast.stmt] = source.tree.body
    piece = (0, len(source.text), 0)
    while True:
        for node in block:
            start, end = source.line_start(first_line(node)), source.line_end(node.end_lineno or node.lineno)
            if start <= first and last <= end:
                break
        else:
            return piece
        piece = (start, end, node.lineno)
        if not isinstance(node, ast.ClassDef):
            return piece
        block = node.body


@lru_cache(100)
def _dump_once(text: str) -> str | None:
    return _dump(text)


def _dump(text: str) -> str | None:
    try:  # indented: not dedented, as a comment or a string in it may begin at the margin
        return ast.dump(ast.parse(f"if 1:\n{text}" if text[:1] in " \t" else text))
    except (SyntaxError, ValueError, RecursionError):
        return None
