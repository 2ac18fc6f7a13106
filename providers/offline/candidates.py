"""From suspicious statements to candidates in the order in which they are tried: likeliest first, none twice."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .mutations import OPERATORS, Operator
from .source import Edit, Source, apply_edits, statement_of
from .vocabulary import Vocabulary


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
    """Every single change of every suspicious statement, likeliest first; ties in the order of the text."""
    found: dict[tuple[str, tuple[Edit, ...]], Candidate] = {}
    for source in sources.values():
        for node in ast.walk(source.tree):
            statement = statement_of(node)
            if statement is None or statement not in ranks:
                continue
            for candidate in _changes_at(node, source, words, ranks[statement]):
                key = (candidate.path, _trim(candidate.edits, source.text))
                if key not in found or found[key].likelihood < candidate.likelihood:
                    found[key] = candidate
    ordered = sorted(found.values(), key=lambda one: (-one.likelihood, one.path, one.edits))
    return [one for one in ordered if _parses(one, sources[one.path])]


def _changes_at(node: ast.AST, source: Source, words: Vocabulary, rank: float) -> Iterator[Candidate]:
    for operator in OPERATORS:
        if not isinstance(node, operator.nodes):
            continue
        for position, made in enumerate(operator.make(node, source, words)):
            edits = made if isinstance(made, tuple) else (made,)
            likelihood = rank**2 * operator.weight / (position + 1)
            line = source.text.count("\n", 0, edits[0].start) + 1
            yield Candidate(source.path, edits, operator, line, likelihood)


def _trim(edits: tuple[Edit, ...], text: str) -> tuple[Edit, ...]:
    """Edits without the text that they leave as it was, so that equal changes look equal."""
    trimmed = []
    for edit in edits:
        start, end, new = edit.start, edit.end, edit.text
        while start < end and new and text[start] == new[0]:
            start, new = start + 1, new[1:]
        while start < end and new and text[end - 1] == new[-1]:
            end, new = end - 1, new[:-1]
        trimmed.append(Edit(edit.path, start, end, new))
    return tuple(sorted(trimmed))


def _parses(candidate: Candidate, source: Source) -> bool:
    try:
        ast.parse(apply_edits(source.text, candidate.edits))
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
