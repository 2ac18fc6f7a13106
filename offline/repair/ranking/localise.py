"""Which statements are suspicious: those that failing tests execute and passing tests do not (Ochiai's measure).

Ochiai: failed(s) / sqrt(all failed * (failed(s) + passed(s))), see Abreu, Zoeteweij and van Gemund, 2007. What runs
at import (constants, tables) is run by every test; it counts as run by the tests that run a use of its names.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt

from ..reading.failures import Failure, quoted_in
from ..reading.project import protected_lines
from ..reading.shapes import cuts_off, function_of, never_meant, siblings
from ..reading.source import Source, header_lines

Line = tuple[str, int]
_NONE: frozenset[str] = frozenset()
UNSEEN = 0.5  # how suspicious a statement is of which nothing is known
CRASHED = 1.2  # times as suspicious: the line that raised
BROKE_OFF = 2.0  # the same where no test passes: all that ran is alike then, but for where it broke off
TRIED, BESIDE = 2.0, 1.5  # times as suspicious: what somebody has changed without success, and what stands beside it
NEAR = 2  # lines
ODD = 0.8  # how suspicious what nobody writes on purpose is, where failing tests run it
BRANCHED = 0.9  # times as suspicious as a way it sent the tests: a condition
LENT = 0.9  # times as suspicious: what is only used where failing tests run
REGISTERED = 0.3  # how suspicious a call at the top of a file is, which any test may need
SAID = 0.9  # the same where it has a string that a failure speaks of
ASSERTED = 0.3  # times as suspicious: an assertion, which says what must hold and is the last to be weakened
IMPORTED = 0.2  # times as suspicious: an import, unless a failure speaks of names


@dataclass
class Coverage:
    """What the first run saw. Lines are (path, 1-based line)."""

    imported: set[Line] = field(default_factory=set)  # executed while the tests were imported
    failing: dict[str, set[Line]] = field(default_factory=dict)  # test -> lines
    passing: dict[str, set[Line]] = field(default_factory=dict)


def rank_statements(
    sources: Mapping[str, Source], coverage: Coverage, failures: Iterable[Failure] = ()
) -> dict[ast.stmt, float]:
    """How suspicious each statement of the program is, 0 to 1; those that cannot matter are left out.

    `failures` say at which lines failing tests were ended by an error of the program, and how.
    """
    failures = list(failures)
    spectrum = Spectrum(coverage)
    crashes = {failure.crash for failure in failures if failure.crash}
    crashed, most = (CRASHED, 1.0) if coverage.passing else (BROKE_OFF, BROKE_OFF)
    ranks: dict[ast.stmt, float] = {}
    for source in sources.values():
        protected = protected_lines(source.tree)
        for statement in source.statements():
            if statement.lineno in protected:
                continue
            lines = [(source.path, line) for line in header_lines(statement)]
            rank = max(min(most, spectrum.rank([line]) * (crashed if line in crashes else 1.0)) for line in lines)
            rank = max(rank, BRANCHED * _rank_of_branches(statement, source.path, spectrum))
            rank *= ASSERTED if isinstance(statement, ast.Assert) else 1.0
            if rank > 0:
                ranks[statement] = max(rank, ODD) if _is_odd(statement) else rank
    _lend_to_definitions(sources, ranks, spectrum, failures)
    _lend_to_makers(sources, ranks, spectrum)
    return ranks or _everything(sources)


def begun_at(
    ranks: Mapping[ast.stmt, float], sources: Mapping[str, Source], first: Mapping[str, Iterable[int]]
) -> dict[ast.stmt, float]:
    """The same ranks, with the lines first that somebody has changed before, without success, and their neighbours: who
    has looked was most likely near, and a half-right change lacks what stands beside it."""
    lines = {path: set(numbers) for path, numbers in first.items()}
    tried: dict[ast.stmt, float] = {}
    for source in sources.values():
        near = lines.get(source.path)
        for statement in source.statements() if near else ():
            apart = min(abs(line - number) for line in header_lines(statement) for number in near or ())
            tried[statement] = TRIED if apart == 0 else BESIDE if apart <= NEAR else 1.0
    return {statement: rank * tried.get(statement, 1.0) for statement, rank in ranks.items()}


class Spectrum:
    """The tests that run each line."""

    def __init__(self, coverage: Coverage) -> None:
        self.coverage = coverage
        self.all_failed = len(coverage.failing)
        self.seen_nothing = all(not lines for lines in coverage.failing.values())
        self.failed, self.passed = _tests_of_lines(coverage.failing), _tests_of_lines(coverage.passing)

    def counts(self, lines: Iterable[Line]) -> tuple[int, int]:
        """How many failing and how many passing tests run any of some lines."""
        lines = list(lines)
        failed: set[str] = set().union(*(self.failed.get(line, ()) for line in lines))
        return len(failed), len(set().union(*(self.passed.get(line, ()) for line in lines)))

    def rank(self, lines: Iterable[Line]) -> float:
        """Ochiai's measure of some lines as if they were one."""
        return self._measure(*self.counts(lines))

    def rank_without(self, line: Line, other: Line) -> float:
        """The same of a line in those tests that never run the other."""
        every = self.failed, self.passed
        return self._measure(*(len(tests.get(line, _NONE) - tests.get(other, _NONE)) for tests in every))

    def _measure(self, failed: int, passed: int) -> float:
        return failed / sqrt(self.all_failed * (failed + passed)) if failed else 0.0


def reason(statement: ast.stmt, source: Source, spectrum: Spectrum, failures: Iterable[Failure]) -> str:
    """Why a statement is suspicious, in words for a person."""
    lines = {(source.path, line) for line in header_lines(statement)}
    for failure in failures:
        if failure.crash in lines:
            return f"it raised {failure.text[:120]}"
    failed, passed = spectrum.counts(lines)
    if not failed:
        return "what failing tests run uses it" if not spectrum.seen_nothing else "nothing is known of any line"
    all_passed = len(spectrum.coverage.passing)
    return f"run by {failed} of {spectrum.all_failed} failing tests and {passed} of {all_passed} passing ones"


def _tests_of_lines(tests: Mapping[str, set[Line]]) -> dict[Line, set[str]]:
    found: dict[Line, set[str]] = defaultdict(set)
    for name, lines in tests.items():
        for line in lines:
            found[line].add(name)
    return found


def _everything(sources: Mapping[str, Source]) -> dict[ast.stmt, float]:
    """Every statement alike: where the program runs in a process of its own, nothing of it is seen."""
    found = {}
    for source in sources.values():
        protected = protected_lines(source.tree)
        found |= {statement: UNSEEN for statement in source.statements() if statement.lineno not in protected}
    return found


def _lend_to_definitions(
    sources: Mapping[str, Source], ranks: dict[ast.stmt, float], spectrum: Spectrum, failures: list[Failure]
) -> None:
    """What ran at import is as suspicious as the code that uses its names: all of that code together."""
    names_matter = _speaks_of_names(failures)
    said = quoted_in((failure.text for failure in failures), 3)
    uses: dict[str, set[Line]] = defaultdict(set)
    best: dict[str, float] = defaultdict(float)
    for source in sources.values():
        for statement in source.statements():
            for name in _names_used(statement):
                uses[name].add((source.path, statement.lineno))
                best[name] = max(best[name], ranks.get(statement, 0.0))
    for source in sources.values():
        protected = protected_lines(source.tree)
        for statement in source.statements():
            ran = any((source.path, line) in spectrum.coverage.imported for line in header_lines(statement))
            if not ran or statement.lineno in protected:
                continue
            made = [name for name in _names_made(statement) if best.get(name)]
            rank = max((min(best[name], spectrum.rank(uses[name])) for name in made), default=0.0)
            if spectrum.seen_nothing:
                rank = UNSEEN  # the import itself failed
            elif isinstance(statement, ast.Import | ast.ImportFrom) and not names_matter:
                rank *= IMPORTED
            rank = max(rank * LENT, ranks.get(statement, 0.0), _rank_of_call(statement, said))
            if rank > 0:
                ranks[statement] = rank


def _lend_to_makers(sources: Mapping[str, Source], ranks: dict[ast.stmt, float], spectrum: Spectrum) -> None:
    """What a function does at import is as suspicious as the definitions that call it: `TABLE = build()`."""
    lent: dict[str, float] = defaultdict(float)
    for source in sources.values():
        for statement in source.tree.body:
            for name in _names_used(statement) if isinstance(statement, ast.Assign | ast.AnnAssign) else ():
                lent[name] = max(lent[name], LENT * ranks.get(statement, 0.0))
    for source in sources.values():
        for statement in source.statements():
            maker = function_of(statement)
            rank = lent.get(maker.name, 0.0) if maker else 0.0
            if rank > ranks.get(statement, 0.0) and (source.path, statement.lineno) in spectrum.coverage.imported:
                ranks[statement] = max(rank, ODD) if _is_odd(statement) else rank


def _is_odd(statement: ast.stmt) -> bool:
    """Whether a statement keeps others from ever running, or a loop from a second round; is a `pass` in a branch or in
    place of what an object begins with; asks `not (a < b)`; reckons `a * 1`; calls `isinstance(str, a)`."""
    if isinstance(statement, ast.If | ast.While) and isinstance(statement.test, ast.UnaryOp):
        return isinstance(statement.test.op, ast.Not) and isinstance(statement.test.operand, ast.Compare)
    if isinstance(statement, ast.Pass):
        parent: ast.AST = statement.parent  # type: ignore[attr-defined]
        begins = getattr(parent, "name", "") == "__init__" and len(parent.args.args) > 1  # type: ignore[attr-defined]
        return len(siblings(statement)) > 1 or isinstance(parent, ast.If) or begins
    return cuts_off(statement) or any(map(never_meant, own_nodes(statement)))


def _rank_of_branches(statement: ast.stmt, path: str, spectrum: Spectrum) -> float:
    """How suspicious it is that a condition came out true, or never did (every test runs the condition itself)."""
    if not isinstance(statement, ast.If | ast.While):
        return 0.0
    here, inside = (path, statement.test.lineno), (path, statement.body[0].lineno)
    return max(spectrum.rank([inside]), spectrum.rank_without(here, inside))


def _rank_of_call(statement: ast.stmt, said: Iterable[str]) -> float:
    """How suspicious a call is whose result nobody keeps: it tells others of the program, as `register("!date")`.
    `said` are words that failures name."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return 0.0
    strings = [one.value for one in ast.walk(statement) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return SAID if any(word in text or text in word for text in strings if text for word in said) else REGISTERED


def _speaks_of_names(failures: Iterable[Failure]) -> bool:
    """Whether a failure is one that a wrong import can cause."""
    signs = ("ImportError", "ModuleNotFoundError", "NameError", "AttributeError", "not callable")
    return any(sign in failure.text for failure in failures for sign in signs)


def _names_used(statement: ast.stmt) -> set[str]:
    names = set()
    for node in own_nodes(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
    return names


def own_nodes(statement: ast.stmt) -> list[ast.AST]:
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
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    made = {node.id for node in own_nodes(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    made |= {node.attr for node in own_nodes(statement) if isinstance(node, ast.Attribute)}
    if isinstance(statement, ast.Expr):
        made |= {node.id for node in own_nodes(statement) if isinstance(node, ast.Name)}
    return made
