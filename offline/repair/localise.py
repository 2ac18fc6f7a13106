"""Which statements are suspicious: those that failing tests execute and passing tests do not (Ochiai's measure).

Ochiai: failed(s) / sqrt(all failed * (failed(s) + passed(s))), see Abreu, Zoeteweij and van Gemund, 2007.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt

from .project import protected_lines
from .source import Source, header_lines

Line = tuple[str, int]
UNSEEN = 0.5  # how suspicious a statement is of which nothing is known
CRASHED = 1.2  # times as suspicious: the line that raised


@dataclass
class Coverage:
    """What the first run saw. Lines are (path, 1-based line)."""

    imported: set[Line] = field(default_factory=set)  # executed while the tests were imported
    failing: dict[str, set[Line]] = field(default_factory=dict)  # test -> lines
    passing: dict[str, set[Line]] = field(default_factory=dict)


def rank_statements(
    sources: Mapping[str, Source], coverage: Coverage, crashes: Iterable[Line] = ()
) -> dict[ast.stmt, float]:
    """How suspicious each statement of the program is, 0 to 1; those that cannot matter are left out.

    `crashes` are the lines at which failing tests were ended by an error of the program.
    """
    lines = _rank_lines(coverage)
    for line in crashes:
        lines[line] = min(1.0, CRASHED * lines.get(line, 0.0))
    ranks: dict[ast.stmt, float] = {}
    for source in sources.values():
        protected = protected_lines(source.tree)
        for statement in source.statements():
            if statement.lineno in protected:
                continue
            rank = max(lines.get((source.path, line), 0.0) for line in header_lines(statement))
            if rank > 0:
                ranks[statement] = rank
    _lend_to_definitions(sources, ranks, coverage)
    return ranks or _everything(sources)


def _everything(sources: Mapping[str, Source]) -> dict[ast.stmt, float]:
    """Every statement alike: where the program runs in a process of its own, nothing of it is seen."""
    found = {}
    for source in sources.values():
        protected = protected_lines(source.tree)
        found |= {statement: UNSEEN for statement in source.statements() if statement.lineno not in protected}
    return found


def _rank_lines(coverage: Coverage) -> dict[Line, float]:
    failed: dict[Line, int] = defaultdict(int)
    passed: dict[Line, int] = defaultdict(int)
    for counts, tests in ((failed, coverage.failing), (passed, coverage.passing)):
        for lines in tests.values():
            for line in lines:
                counts[line] += 1
    all_failed = len(coverage.failing)
    return {line: count / sqrt(all_failed * (count + passed[line])) for line, count in failed.items()}


def _lend_to_definitions(sources: Mapping[str, Source], ranks: dict[ast.stmt, float], coverage: Coverage) -> None:
    """What ran at import (constants, tables, defaults) is as suspicious as the code that uses its names."""
    uses: dict[str, float] = defaultdict(float)
    for statement, rank in list(ranks.items()):
        for name in _names_used(statement):
            uses[name] = max(uses[name], rank)
    for source in sources.values():
        protected = protected_lines(source.tree)
        for statement in source.statements():
            ran = any((source.path, line) in coverage.imported for line in header_lines(statement))
            if not ran or statement.lineno in protected:
                continue
            rank = max((uses[name] for name in _names_made(statement) if name in uses), default=0.0)
            if not coverage.failing or all(not lines for lines in coverage.failing.values()):
                rank = UNSEEN  # the import itself failed
            rank = max(rank * 0.9, ranks.get(statement, 0.0))
            if rank > 0:
                ranks[statement] = rank


def _names_used(statement: ast.stmt) -> set[str]:
    names = set()
    for node in _own_nodes(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
    return names


def _own_nodes(statement: ast.stmt) -> list[ast.AST]:
    """The nodes of a statement without the statements inside it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt))
    return found


def _names_made(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    made = {node.id for node in _own_nodes(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    made |= {node.attr for node in _own_nodes(statement) if isinstance(node, ast.Attribute)}
    if isinstance(statement, ast.Expr):
        made |= {node.id for node in _own_nodes(statement) if isinstance(node, ast.Name)}
    return made
