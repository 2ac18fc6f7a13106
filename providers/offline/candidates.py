"""From suspicious statements to candidates in the order in which they are tried: likeliest first, none twice."""

from __future__ import annotations

import ast
import heapq
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .mutations import OPERATORS, Operator
from .source import Edit, Source, apply_edits, first_line, statement_of
from .vocabulary import Vocabulary

MOST = 20_000  # candidates kept; nobody waits for more


@dataclass(frozen=True)
class Candidate:
    """One changed program: edits of one file, the kind of change, and how likely it is (only the order matters)."""

    path: str
    edits: tuple[Edit, ...]
    operator: Operator
    line: int
    likelihood: float


def make_candidates(
    sources: Mapping[str, Source], ranks: Mapping[ast.stmt, float], words: Vocabulary
) -> list[Candidate]:
    """The likeliest single changes of suspicious statements, in order; ties in the order of the text."""
    every = (
        candidate
        for source in sources.values()
        for node in ast.walk(source.tree)
        for candidate in _changes_at(node, source, words, ranks)
    )
    return heapq.nsmallest(MOST, every, key=lambda one: (-one.likelihood, one.path, one.edits))


def worth_trying(candidates: Iterable[Candidate], sources: Mapping[str, Source]) -> Iterator[Candidate]:
    """The candidates that are valid Python and differ, as programs, from the original and from those before them."""
    seen = set()
    for candidate in candidates:
        meaning = _meaning(candidate, sources[candidate.path])
        if meaning is not None and meaning not in seen:
            seen.add(meaning)
            yield candidate


def _changes_at(
    node: ast.AST, source: Source, words: Vocabulary, ranks: Mapping[ast.stmt, float]
) -> Iterator[Candidate]:
    statement = statement_of(node)
    if statement is None or statement not in ranks or not hasattr(node, "lineno"):
        return
    for operator in OPERATORS:
        if not isinstance(node, operator.nodes):
            continue
        for position, made in enumerate(operator.make(node, source, words)):
            edits = tuple(sorted(made)) if isinstance(made, tuple) else (made,)
            likelihood = ranks[statement] ** 2 * operator.weight / (position + 1)
            yield Candidate(source.path, edits, operator, statement.lineno, likelihood)


def _meaning(candidate: Candidate, source: Source) -> tuple[str, int, str] | None:
    """The changed piece of the program without its looks; None when it is not valid or nothing changed."""
    start, end, line = _piece(candidate, source)
    edits = tuple(Edit(one.path, one.start - start, one.end - start, one.text) for one in candidate.edits)
    before = _dump(source.text[start:end])
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


def _dump(text: str) -> str | None:
    try:
        return ast.dump(ast.parse(textwrap.dedent(text) if text[:1] in " \t" else text))
    except (SyntaxError, ValueError, RecursionError):
        return None
