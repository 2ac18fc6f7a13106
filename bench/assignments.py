"""Homework: many wrong submissions of some assignments, repaired one by one; a table, and a page for the teacher.

A folder holds a folder for each assignment: `tests/` beside `submissions/`, in which each file (or folder) is what one
student handed in, and perhaps `hidden/` with tests that judge a repair and are never shown to the search. A file is put
in the place that the tests import from.
"""

from __future__ import annotations

import ast
import html
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench.verdict import changed_files, passes, read_files
from offline.repair.repair import Finding, repair


@dataclass(frozen=True)
class Submission:
    """What one student handed in: the files of the program, beside the tests."""

    assignment: str
    student: str
    program: dict[str, str]
    tests: dict[str, str]
    hidden: dict[str, str]
    solution: dict[str, str]  # a correct one of the same assignment; empty when none was given


@dataclass(frozen=True)
class Row:
    """How one submission went. `true` is None without held-back tests."""

    submission: Submission
    finding: Finding
    true: bool | None


def main(tasks: Path, solutions: Path | None, page: Path | None, jobs: int, seconds: float, only: str) -> int:
    """Repair all submissions, print a table and write the page; the exit code."""
    submissions = [one for one in read_submissions(tasks, solutions) if only in f"{one.assignment}/{one.student}"]
    if not submissions:
        print(f"no submissions found: {tasks} needs a folder with tests/ and submissions/ for each", file=sys.stderr)
        return 1
    cancelled, rows = threading.Event(), []
    try:
        with ThreadPoolExecutor(jobs) as pool:
            for row in pool.map(lambda one: measure(one, seconds, cancelled), submissions):
                rows.append(row)
                print(line_of(row), flush=True)
    except KeyboardInterrupt:
        cancelled.set()
        print("interrupted: what follows is what was finished", file=sys.stderr)
    print(totals(rows))
    if page is not None:
        page.write_text(page_of(rows), encoding="utf-8")
        print(f"the page is {page}")
    return 130 if cancelled.is_set() else 0


def read_submissions(tasks: Path, solutions: Path | None) -> Iterator[Submission]:
    """Every submission below a folder of assignments; solutions are looked for in a folder of the same names."""
    for folder in sorted(path for path in tasks.iterdir() if (path / "submissions").is_dir()):
        tests = read_files(folder / "tests")
        module = _wanted_module(tests)
        hidden = read_files(folder / "hidden") if (folder / "hidden").is_dir() else {}
        known = [] if solutions is None else [solutions / folder.name / "solution", solutions / folder.name]
        solution = next((read_files(path) for path in known if path.is_dir()), {})
        for path in sorted((folder / "submissions").iterdir()):
            program = read_files(path) if path.is_dir() else {module: path.read_text(encoding="utf-8")}
            yield Submission(folder.name, path.stem, program, tests, hidden, solution)


def measure(one: Submission, seconds: float, cancelled: threading.Event) -> Row:
    """Repair one submission and judge the repair by the held-back tests."""
    files = {**one.tests, **one.program}
    finding = repair(files, seconds=seconds, cancelled=cancelled, solution=one.solution)
    true = None
    if one.hidden:
        true = finding.repair is not None and passes({**changed_files(files, finding), **one.hidden}, set(one.hidden))
    return Row(one, finding, true)


def line_of(row: Row) -> str:
    """One line of the table."""
    one, finding = row.submission, row.finding
    verdict = {True: "true", False: "only the shown tests" if finding.repair else "", None: ""}[row.true]
    name = f"{one.assignment}/{one.student}"
    return f"{name:24}{finding.status:13}{verdict:21}{finding.seconds:5.1f} s  {change_of(finding)}"


def totals(rows: list[Row]) -> str:
    """The last line: how many, and how many truly."""
    repaired, true = sum(row.finding.repair is not None for row in rows), sum(bool(row.true) for row in rows)
    times = sorted(row.finding.seconds for row in rows) or [0.0]
    return f"{len(rows)} submissions, {repaired} repaired, {true} truly; median {times[len(times) // 2]:.1f} s"


def change_of(finding: Finding) -> str:
    """The change in one line, or what was found instead."""
    if finding.repair is None:
        return finding.message
    parts = (finding.repair, *finding.repair.also)
    changes = (f"line {part.line}: {part.old_line} -> {part.new_line} ({part.operator})" for part in parts)
    return " ".join("; ".join(changes).split())


def hint_of(finding: Finding) -> str:
    """What a teacher may say without giving the answer away."""
    if finding.repair is not None:
        tests = ", ".join(name.rpartition(".")[2] for name in finding.repair.shown_by[:2])
        return f"{tests}: look at line {finding.repair.line} again; {finding.repair.operator} may help."
    if not finding.suspicious:
        return "Nothing points at a line."
    return (
        f"Look at line {finding.suspicious[0][1]} first: {finding.why[0] if finding.why else 'failing tests run it'}."
    )


def page_of(rows: list[Row]) -> str:
    """A page of HTML with a row for each submission."""
    head = "<tr><th>assignment<th>student<th>repaired<th>change<th>hint<th>seconds</tr>"
    body = "\n".join("<tr>" + "".join(f"<td>{html.escape(cell)}" for cell in _cells(row)) + "</tr>" for row in rows)
    style = "body{font:16px sans-serif;margin:2em}td,th{padding:.3em .6em;text-align:left;vertical-align:top}"
    style += "td{border-top:1px solid #ccc;white-space:pre-wrap}"
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Homework</title><style>{style}</style>"
        f"<h1>Homework</h1><p>{html.escape(totals(rows))}</p><table>{head}\n{body}\n</table></html>\n"
    )


def _cells(row: Row) -> list[str]:
    one, finding = row.submission, row.finding
    verdict = {True: "yes", False: "only for the shown tests" if finding.repair else "no", None: finding.status}[
        row.true
    ]
    parts = (finding.repair, *finding.repair.also) if finding.repair else ()
    change = "\n".join(f"line {part.line}\n- {part.old_line}\n+ {part.new_line}" for part in parts)
    return [one.assignment, one.student, verdict, change, hint_of(finding), f"{finding.seconds:.1f}"]


def _wanted_module(tests: dict[str, str]) -> str:
    """The file that tests import and that is not among them: "leap.py"."""
    for text in tests.values():
        for node in ast.walk(ast.parse(text)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                top = name.split(".")[0]
                if top and top not in sys.stdlib_module_names and top != "pytest" and f"{top}.py" not in tests:
                    return f"{name.replace('.', '/')}.py"
    return "program.py"
