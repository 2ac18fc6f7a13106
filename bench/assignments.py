"""Homework: many wrong submissions of some assignments, repaired one by one; a table, and a page for the teacher.

A folder holds a folder for each assignment: `tests/` beside `submissions/`, in which each file (or folder) is what one
student handed in, and perhaps `hidden/` with tests that judge a repair and are never shown to the search. A file is put
in the place that the tests import from.
"""

from __future__ import annotations

import argparse
import ast
import html
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.many.command import chosen, make
from bench.many.progress_line import Tell
from bench.many.table import interval, made
from bench.many.task import Task
from bench.record import Line
from bench.verdict import changed_files, passes, read_files, replaced
from config import ConfigError
from offline.repair.repair import Finding, Repair, repair

JUDGE_SECONDS = 60.0
ENOUGH = 3  # repaired submissions whose agreement says more than one of them
MOST_LENDERS = 8


@dataclass(frozen=True)
class Submission:
    """What one student handed in: the files of the program, beside the tests."""

    assignment: str
    student: str
    program: dict[str, str]
    tests: dict[str, str]
    hidden: dict[str, str]
    solution: dict[str, str]  # a correct one of the same assignment; empty when none was given

    def after(self, line: Line) -> dict[str, str]:
        """The program with the changes of a repair that was recorded."""
        return replaced(self.program, ((part["path"], part["edits"]) for part in line["changes"]))


def measure(options: argparse.Namespace) -> int:
    """Repair all submissions, print a line of each as it ends, and write the page; the exit code."""
    every = {name_of(one): one for one in read_submissions(options.tasks, options.solutions)}
    if not every:
        raise ConfigError(f"no submissions found: {options.tasks} needs a folder with tests/ and submissions/ for each")
    if options.slice and not options.solutions:
        raise ConfigError(
            "a slice has not all classmates' repairs to lend from: give --solutions, or leave out --slice"
        )
    names = chosen([*every], options.only, "submission")
    with_solutions = str(options.solutions or "")
    about = {"bench": "homework", "tasks": str(options.tasks), "solutions": with_solutions, "limit": options.seconds}
    tasks = (_task(every[name], options.seconds, [one] if (one := every[name].solution) else []) for name in names)

    def tell(line: Line, put: Tell) -> None:
        put(json.dumps(line) if options.json else line_of(line))

    name = f"homework-{options.tasks.resolve().name}"
    batch = make(options, tasks, len(names), about, name, tell)
    rows = {line["task"]: line for line in batch.lines}
    again = [] if options.solutions or batch.code else lent_to(rows, every, options.seconds)
    if again:
        print(f"{len(again)} again, with parts of what classmates' repairs came to", file=sys.stderr)
        options.fresh = False  # the record holds the first round
        batch = make(options, again, len(again), about, name, tell)
        rows |= {line["task"]: line for line in batch.lines if line.get("repaired")}
    rows = sorted(rows.values(), key=lambda line: line["task"])
    print(totals(rows))
    if options.page is not None:
        options.page.write_text(page_of(rows), encoding="utf-8")
        print(f"the page is {options.page}")
    return batch.code


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


def lent_to(lines: Mapping[str, Line], every: Mapping[str, Submission], seconds: float) -> list[Task]:
    """A second round where no solution was given: what passes now lends to classmates, as a solution would.

    The submissions that could not be repaired, and those that could where there are enough to outvote a wrong one.
    """
    lenders: dict[str, list[dict[str, str]]] = defaultdict(list)
    for name, line in lines.items():
        if made(line) and (line["repaired"] or line["status"] == "nothing_to_fix"):
            lenders[every[name].assignment].append(every[name].after(line))
    again = []
    for name, line in lines.items():
        lent = lenders[every[name].assignment][:MOST_LENDERS]
        if made(line) and line["status"] != "nothing_to_fix" and len(lent) >= (ENOUGH if line["repaired"] else 1):
            again.append(_task(every[name], seconds, lent, 1))
    return again


def attempt(data: Line) -> Line:
    """Repair one submission and judge the repair by the held-back tests: the work of one task."""
    files, hidden = {**data["tests"], **data["program"]}, data["hidden"]
    finding = repair(files, seconds=data["seconds"], seed=data["seed"], solutions=data["solutions"])
    true = None
    if hidden:
        true = finding.repair is not None and passes({**changed_files(files, finding), **hidden}, set(hidden))
    repaired = finding.repair is not None
    return {
        "status": finding.status,
        "repaired": repaired,
        "true": true,
        "seconds": finding.seconds,
        "change": change_of(finding),
        "changes": [asdict(part) for part in parts_of(finding)],
        "hint": hint_of(finding),
        "solved": repaired if true is None else true,
        "cause": "" if repaired else finding.status,
    }


def name_of(one: Submission) -> str:
    return f"{one.assignment}/{one.student}"


def line_of(line: Line) -> str:
    """One line of the table."""
    if not made(line):
        return f"{line['task']:24}{line['outcome']:13}{line['cause']}"
    verdict = {True: "true", False: "only the shown tests" if line["repaired"] else "", None: ""}[line["true"]]
    return f"{line['task']:24}{line['status']:13}{verdict:21}{line['seconds']:5.1f} s  {line['change']}"


def totals(lines: Sequence[Line]) -> str:
    """The last line: how many, and how many truly, with the interval."""
    ended = [line for line in lines if made(line)]
    repaired, true = sum(line["repaired"] for line in ended), sum(bool(line["true"]) for line in ended)
    times = sorted(line["seconds"] for line in ended) or [0.0]
    truly = f"{true} truly ({interval(true, len(ended))} % with 95 % confidence)"
    return f"{len(lines)} submissions, {repaired} repaired, {truly}; median {times[len(times) // 2]:.1f} s"


def parts_of(finding: Finding) -> tuple[Repair, ...]:
    return (finding.repair, *finding.repair.also) if finding.repair else ()


def change_of(finding: Finding) -> str:
    """The change in one line, or what was found instead."""
    if finding.repair is None:
        return finding.message
    changes = (f"line {part.line}: {part.old_line} -> {part.new_line} ({part.operator})" for part in parts_of(finding))
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


def page_of(lines: Sequence[Line]) -> str:
    """A page of HTML with a row for each submission."""
    head = "<tr><th>assignment<th>student<th>repaired<th>change<th>hint<th>seconds</tr>"
    body = "\n".join("<tr>" + "".join(f"<td>{html.escape(cell)}" for cell in _cells(line)) + "</tr>" for line in lines)
    style = "body{font:16px sans-serif;margin:2em}td,th{padding:.3em .6em;text-align:left;vertical-align:top}"
    style += "td{border-top:1px solid #ccc;white-space:pre-wrap}"
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Homework</title><style>{style}</style>"
        f"<h1>Homework</h1><p>{html.escape(totals(lines))}</p><table>{head}\n{body}\n</table></html>\n"
    )


def _cells(line: Line) -> list[str]:
    assignment, _, student = line["task"].partition("/")
    if not made(line):
        return [assignment, student, f"not tried: {line['cause']}", "", "", ""]
    only = "only for the shown tests" if line["repaired"] else "no"
    verdict = {True: "yes", False: only, None: line["status"]}[line["true"]]
    change = "\n".join(f"line {part['line']}\n- {part['old_line']}\n+ {part['new_line']}" for part in line["changes"])
    return [assignment, student, verdict, change, line["hint"], f"{line['seconds']:.1f}"]


def _task(one: Submission, seconds: float, solutions: list[dict[str, str]], round_: int = 0) -> Task:
    data = {"program": one.program, "tests": one.tests, "hidden": one.hidden, "solutions": solutions}
    limit = seconds + JUDGE_SECONDS + 60
    return Task(name_of(one), round_, "bench.assignments:attempt", {**data, "seconds": seconds}, limit)


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
