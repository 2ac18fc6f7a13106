"""From suspicious statements to candidates in the order in which they are tried: likeliest first, none twice."""

from __future__ import annotations

import ast
import heapq
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from ..changes.edits import Edit, apply_edits, difference
from ..changes.mutations import OPERATORS, Operator
from ..reading.source import Source, first_line, statement_of
from ..reading.vocabulary import Vocabulary
from .localise import own_nodes

MOST = 20_000  # candidates kept; nobody waits for more
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

    `factors` make operators likelier than their weight says, by name. A statement is looked at when nothing likelier
    can come of those before it, so that in a large program the first candidates are there at once.
    """
    home = {id(source.tree): source for source in sources.values()}
    ranks = {one: rank * min(1.0, WIDE / len(own_nodes(one))) ** 0.5 for one, rank in ranks.items()}
    most = max(operator.weight for operator in OPERATORS) * max([1.0, *factors.values()])
    waiting = _Merged()
    for statement, rank in sorted(ranks.items(), key=lambda pair: -pair[1]):
        while waiting.likeliest > rank**2 * most:
            yield waiting.take()
        source = home[id(_module_of(statement))]
        for node in own_nodes(statement):
            for changes in _changes_at(node, source, words, ranks, factors):
                waiting.add(changes)
    while waiting.likeliest > 0:
        yield waiting.take()


class _Merged:
    """Many series of candidates, each with the likeliest first, as one. Of each only the first is made until taken."""

    def __init__(self) -> None:
        self._heads: list[tuple[float, str, tuple[Edit, ...], int, Candidate, Iterator[Candidate]]] = []
        self._count = 0

    @property
    def likeliest(self) -> float:
        """How likely the next one is; 0 when there is none."""
        return -self._heads[0][0] if self._heads else 0.0

    def add(self, series: Iterator[Candidate]) -> None:
        one = next(series, None)
        if one is not None:
            self._count += 1
            heapq.heappush(self._heads, (-one.likelihood, one.path, one.edits, self._count, one, series))

    def take(self) -> Candidate:
        *_, one, series = heapq.heappop(self._heads)
        self.add(series)
        return one


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


def _changes_at(
    node: ast.AST, source: Source, words: Vocabulary, ranks: Mapping[ast.stmt, float], factors: Mapping[str, float]
) -> Iterator[Iterator[Candidate]]:
    """The changes of a node, one series for each operator."""
    statement = statement_of(node)
    if statement is None or statement not in ranks or not hasattr(node, "lineno"):
        return
    for operator in OPERATORS:
        if not isinstance(node, operator.nodes):
            continue
        weight = ranks[statement] ** 2 * (operator.weight * factors.get(operator.name, 1.0))
        yield _series(operator, operator.make(node, source, words), statement.lineno, weight)


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
    try:
        return ast.dump(ast.parse(textwrap.dedent(text) if text[:1] in " \t" else text))
    except (SyntaxError, ValueError, RecursionError):
        return None
