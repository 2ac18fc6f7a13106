"""Reports of unittest and pytest, turned round: the verdict first, then the failing tests."""

from __future__ import annotations

import re

from sandbox.running.process import Outcome

RULE = re.compile(r"^(={10,}|-{10,})$", re.MULTILINE)
FAILURE = re.compile(r"^(?:FAIL|ERROR|UNEXPECTED SUCCESS): .+|^_{3,} .+ _{3,}$", re.MULTILINE)


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
