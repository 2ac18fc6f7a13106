"""Code as a tool runs it, and its report turned round: the verdict first, then the failing tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from config import RUN_SECONDS
from sandbox.files.root import Refusal, Root
from sandbox.running.levels import level
from sandbox.running.process import Limits, Outcome, run_python

# Where Python itself names a place, in tracebacks and warnings. What the program prints stays as it is.
PLACE = r'^(\s*(?:File ")?){}/(?=[^"\n]*", line \d+|[^\n:]*\.py:\d+: )'
PLAIN_PYTEST = ("-oaddopts=", "-orequired_plugins=")  # without the options and plugins that a project asks for
RULE = re.compile(r"^(={10,}|-{10,})$", re.MULTILINE)
FAILURE = re.compile(r"^(?:FAIL|ERROR|UNEXPECTED SUCCESS): .+|^_{3,} .+ _{3,}$", re.MULTILINE)


def run_code(root: Root, arguments: Sequence[str], *, readable: Sequence[Path] = ()) -> Outcome:
    """Run Python with these arguments, for as long as a tool may; tracebacks name files as the model knows them.
    `readable` are further folders that the code may read.

    Raises Refusal where nothing would confine the code, unless the person allowed that.
    """
    refuse_unconfined(root)
    outcome = run_python(root, arguments, limits=Limits(seconds=RUN_SECONDS), readable=readable)
    place = re.compile(PLACE.format(re.escape(str(root.path))), re.MULTILINE)
    return outcome._replace(stdout=place.sub(r"\1", outcome.stdout), stderr=place.sub(r"\1", outcome.stderr))


def refuse_unconfined(root: Root) -> None:
    """Raise Refusal where nothing would confine code that runs in this directory, unless the person allowed that."""
    if not root.allow_unconfined and not level().confined:
        raise Refusal(
            "Code is not run here, because this system has no wall to hold it in and the person has not allowed it "
            "(--allow-unconfined). You can still read and edit files; say in your answer that nothing was run",
            "unconfined",
        )


def why_stopped(outcome: Outcome) -> str:
    """Say which limit ended a run, and what to look for."""
    return {
        "time": f"was stopped after {RUN_SECONDS:g} seconds; look for an endless loop, or for input that it waits for",
        "memory": "was stopped because it used too much memory",
        "output": "was stopped because it printed too much",
        "processes": "was stopped because it started too many processes",
        "disk": "was stopped because it wrote too much",
        "cancelled": "was stopped by the person",
    }.get(outcome.stopped_for or "", f"was stopped ({outcome.stopped_for})")


def unittest_verdict(outcome: Outcome) -> str:
    """Turn unittest's report round: its last line first, then each failing test."""
    report = outcome.stderr
    counted = re.search(r"^Ran (\d+) tests? in ([\d.]+)s", report, re.MULTILINE)
    if not counted:
        return f"The tests could not be run:\n{report or outcome.stdout}"
    total = int(counted[1])
    blocks = [block.strip() for block in RULE.split(report[: counted.start()]) if not RULE.fullmatch(block)]
    titles = [index for index, block in enumerate(blocks) if re.match(r"(FAIL|ERROR|UNEXPECTED SUCCESS): ", block)]
    if not titles:
        verdict = "passed" if outcome.exit_code == 0 and total else "found" if not total else "ended with an error"
        return f"{'No' if not total else f'All {total}'} tests {verdict} (unittest, {counted[2]} s)"
    failing = [f"{blocks[index]}\n{blocks[index + 1] if index + 1 < len(blocks) else ''}" for index in titles]
    return "\n\n".join([f"{len(titles)} of {total} tests failed (unittest, {counted[2]} s)", *failing])


def pytest_verdict(outcome: Outcome) -> str:
    """pytest's closing line first, then its failures; all of its output when there is no such line."""
    lines = outcome.stdout.rstrip().split("\n")
    closing = lines[-1].strip("= ")
    if not re.search(r"\d+ (passed|failed|error|skipped|deselected|warning)|no tests ran", closing):
        return f"The tests could not be run:\n{outcome.stdout}{outcome.stderr}"
    if outcome.exit_code != 0 and "passed" in closing and not re.search(r"\d+ (failed|error)", closing):
        code = "was ended by a signal" if outcome.exit_code is None else f"ended with code {outcome.exit_code}"
        return f"The tests could not be run to their end: they say {closing!r}, and pytest {code}\n{outcome.stdout}"
    starts = [number for number, line in enumerate(lines) if re.match(r"=+ (FAILURES|ERRORS) =+", line)]
    if not starts:
        return f"{closing} (pytest)"
    return "\n".join([f"{closing} (pytest)", *lines[starts[0] + 1 : -1]])


def failing_tests(report: str) -> list[str]:
    """The failing tests of a report, each with the last line of its traceback."""
    starts = list(FAILURE.finditer(report))
    shown = []
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(report)
        last = [line for line in report[start.end() : end].splitlines() if line.strip()][-1:]
        name = re.sub(r" \(.*", "", start[0].strip("_ "))  # unittest says module and class behind the name
        shown.append(name + (f"  {last[0].strip()}" if last else ""))
    return shown
