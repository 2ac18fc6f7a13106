"""The search where a correct solution is given: it judges what passes, and gives parts when nothing small is right.

Of several (what classmates handed in) the one that most of them agree with is taken.

With the whole of the solution in place of every function that both have, the tests must pass; then each function is
given back to the student as far as they still do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .changes.edits import difference
from .changes.mutations import Operator
from .changes.solution import changed_lines_of, variants, whole_functions
from .ranking.candidates import Candidate
from .reading.project import Project
from .reading.source import Source
from .running.trials import Laboratory

FURTHER = 4  # changes looked at after one that passes: it may not do what the solution does
BORROWED = Operator("borrowed", "a part of the solution", 20, (), lambda *_: iter(()))


def most_agreed(solutions: Sequence[Mapping[str, str]], laboratory: Laboratory, project: Project) -> Mapping[str, str]:
    """The program that does on varied tests what most of the others do; nothing where none was given."""
    if len(solutions) < 2:
        return solutions[0] if solutions else {}
    behaviours = laboratory.observe(project, [dict(one) for one in solutions])
    agreement = [sum(one == other for other in behaviours) for one in behaviours]
    return solutions[agreement.index(max(agreement))]


def agreeing(
    passing: list[Candidate],
    sources: Mapping[str, Source],
    solution: Mapping[str, str],
    laboratory: Laboratory,
    project: Project,
) -> list[Candidate]:
    """Those of the passing changes that do on varied tests what the solution does."""
    if not passing or not set(solution) <= set(sources):
        return passing
    right, *others = laboratory.observe(project, [dict(solution), *(one.texts(sources) for one in passing)])
    return [one for one, other in zip(passing, others, strict=True) if other == right]


def borrow(
    path: str, sources: dict[str, Source], solution: Mapping[str, str], laboratory: Laboratory, project: Project
) -> Candidate | None:
    """The smallest change of a file towards the solution that passes all tests and does what the solution does.

    None without one.
    """
    student = sources[path]

    def first_right(texts: list[str]) -> str | None:
        right = agreeing(_passing(texts, student, laboratory), sources, solution, laboratory, project)
        return next((one.texts(sources)[path] for one in right), None)

    theirs = whole_functions(student, solution)
    text = student.text
    for name, function in theirs.items():
        *_, text = [text, *variants(Source(path, text), name, function)]
    whole = _passing([text], student, laboratory)
    if not whole:
        return None
    best = text
    for name in theirs:
        source = Source(path, best)
        own = _with_function_of(source, student, name)
        fewer = [_with_function_of(source, Source(path, one), name) for one in variants(student, name, theirs[name])]
        smaller = first_right([own, *fewer])
        best = smaller if smaller is not None else best
    return _candidate(best, student)


def _passing(texts: list[str], student: Source, laboratory: Laboratory) -> list[Candidate]:
    """The texts with which all tests pass, as changes, the smallest first; not many after the first."""
    by_path = {student.path: student}
    smallest_first = sorted(set(texts), key=lambda one: changed_lines_of(student, one))
    candidates = [one for one in (_candidate(text, student) for text in smallest_first) if one.edits]
    trials = laboratory.try_in_order(iter(candidates), by_path, lambda one: one.texts(by_path), further=FURTHER)
    return [trial.candidate for trial in trials if trial.passed]


def _candidate(text: str, student: Source) -> Candidate:
    edits = tuple(difference(student.path, student.text, text))
    line = student.line_of(edits[0].start) if edits else 0
    return Candidate(edits, replace(BORROWED), line, 1.0)


def _with_function_of(source: Source, other: Source, name: str) -> str:
    """A file with one function taken from another version of it."""
    mine, theirs = (next(one for one in each.tree.body if getattr(one, "name", "") == name) for each in (source, other))
    start, end = source.line_start(mine.lineno), source.line_end(mine.end_lineno or mine.lineno)
    other_start, other_end = other.line_start(theirs.lineno), other.line_end(theirs.end_lineno or theirs.lineno)
    text = other.text[other_start:other_end]
    return source.text[:start] + (text if text.endswith("\n") else text + "\n") + source.text[end:]
