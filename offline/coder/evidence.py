"""What tells right from wrong: tests that fail, what the person says, a traceback, examples, a script that ends with
an error. And what a line does with the values that one of these gives it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from offline.coder.bounds import definitions, is_test, without_tests
from offline.coder.closure import Failing, count_failing, failing_tests, stand_ins
from offline.coder.gathering import is_large, tests_say_something, top_names
from offline.coder.oracles import SCRIPT_NAME, crash_in, examples_told, script_test
from offline.coder.reading import listing
from offline.coder.wish import Wish
from offline.repair.reading.claims import claims
from offline.repair.reading.hints import HINT_NAME, with_hint
from offline.repair.reading.project import read_project
from offline.repair.repair import Finding, Repair, repair
from offline.values.values import Seen, values_at
from offline.wire.conversation import Conversation, Think

REPAIR_SECONDS = 60.0
ALL_PASS = re.compile(r"All \d+ tests passed|\d+ passed(?!.*\b(?:failed|errors?)\b)")
TOOK = re.compile(r"\bin ([\d.]+)s\b|, ([\d.]+) s\)")  # of pytest, of unittest
LONG = 3.0  # seconds; of tests that take longer the search follows only some
ERROR_LINE = re.compile(r"^(?:E\s+)?([A-Za-z_][\w.]*(?:Error|Exception|Iteration|Exit|Interrupt)\b.*|assert .*)$", re.M)
EXAMPLES_NAME = "test_what_the_examples_say"  # of the test file that the search makes of doctests
MOST_VALUES = 4
MOST_LOOKS = 3  # suspicious lines that are watched where the line itself is never run


@dataclass(frozen=True)
class Evidence:
    """The files to search, the tests that were made of other evidence among them, and the words of the person."""

    files: dict[str, str]
    hint: str = ""
    said: str = "what you said"  # what the hint is, for an answer
    failing: tuple[str, ...] = ()  # what the tests are called that fail, where all of them take long
    known: tuple[str, ...] = ()  # the same, where the result of the run names each that fails
    lacking: bool = False  # whether the project has files that were not read

    def search(
        self,
        think: Think,
        cancelled: threading.Event,
        only: Mapping[str, tuple[int, int]] | None,
        seconds: float = REPAIR_SECONDS,
    ) -> Finding:
        """Look for a change; where a person set bounds, within these lines of these files alone."""
        return repair(
            self.files,
            hint=self.hint,
            seconds=seconds,
            on_progress=think,
            cancelled=cancelled,
            only=only,
            failing=self.failing,
            known=self.known,
        )

    def values(self, change: Repair, finding: Finding, cancelled: threading.Event) -> str:
        """What the line that a change is about does in the first test that shows the bug, as a sentence; where no test
        runs it (a constant), what the most suspicious line does. "" when nothing is seen."""
        if not change.shown_by:
            return ""
        files = (with_hint(self.files, self.hint, read_project(self.files)) if self.hint else None) or self.files
        lines = change.line, change.line + change.old_line.strip("\n").count("\n")
        if seen := in_words(values_at(files, change.shown_by[0], change.path, lines, cancelled)):
            return seen
        for path, line in finding.suspicious[:MOST_LOOKS]:
            if seen := in_words(values_at(files, change.shown_by[0], path, (line, line), cancelled)):
                code = files[path].split("\n")[line - 1].strip()
                return f"The failing test comes through line {line}: {code}\n{seen}"
        return ""


def evidence_for(wish: Wish, conversation: Conversation, files: dict[str, str]) -> Evidence:
    """The first of: what the person says, tests that fail, a pasted traceback, examples, a script that failed."""
    if is_large(conversation):
        missing = {
            str(step.arguments["file_path"])
            for step in conversation.steps
            if step.failed and "file_path" in step.arguments
        }
        files = {**stand_ins(files, missing, top_names(conversation)), **files}
    if claims(conversation.prompt):
        return Evidence(files, hint=conversation.prompt)
    failing = failing_of(conversation)
    if failing:
        names = tuple(one.name for one in failing)
        result = conversation.results_of("run_tests")[0].result
        took = TOOK.search(result)
        slow = took is not None and float(took[1] or took[2]) > LONG
        each = len(names) == count_failing(result)
        known = names if each and not any(name.endswith(".py") for name in names) else ()
        listed = [one for step in conversation.results_of("get_dir_info") for one in listing(step)]
        lacking = any(one.path not in files for one in listed if not one.is_directory)
        return Evidence(focused(wish, files, names), failing=names if slow else (), known=known, lacking=lacking)
    pasted = crash_in(conversation.prompt, list(files))
    crashed = [(pasted, ())] if pasted else crashes(conversation, list(files))
    for crash, words in crashed:
        if crash.script in files:
            return Evidence({**files, **script_test(crash.script, files[crash.script], words)})
    return Evidence(files, examples_told(files), "the examples in the docstrings")


def crashes(conversation: Conversation, paths: Sequence[str]) -> list[tuple]:
    """The scripts that ended with an error when they were run, with their arguments."""
    found = []
    for step in conversation.results_of("run_python_file"):
        crash = crash_in(step.result, paths)
        if crash and not step.failed:
            found.append((crash, step.arguments.get("args") or ()))
    return found


def failing_of(conversation: Conversation) -> list[Failing]:
    """The tests that failed in the first run."""
    tested = conversation.results_of("run_tests")
    if not tests_say_something(conversation) or ALL_PASS.match(tested[0].result):
        return []
    return failing_tests(tested[0].result, top_names(conversation)) or [Failing("the tests", "", "")]


def focused(wish: Wish, files: dict[str, str], failing: Sequence[str]) -> dict[str, str]:
    """The files without the failing tests that the person did not name, where one was named."""
    named = wish.name.rpartition(".")[2]
    if not is_test(named) or named not in failing:
        return files
    others = {name for name in failing if name != named}
    return {path: without_tests(text, others) if path.endswith(".py") else text for path, text in files.items()}


def in_words(seen: Seen | None) -> str:
    """ "With prices = [100, 200] and RATE = 7 it returns 279." """
    if seen is None:
        return ""
    given = [f"{name} = {text}" for name, text in seen.values.items()][:MOST_VALUES]
    made = [f"{name} = {text}" for name, text in seen.after.items()][:MOST_VALUES]
    does = f"it {seen.outcome}" if seen.outcome else f"it makes {joined(made)}" if made else ""
    if not does:
        return ""
    return f"With {joined(given)} {does}." if given else f"{does[0].upper()}{does[1:]}."


def joined(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


def shown_by(tests: Sequence[str], said: str = "what you said") -> str:
    """What shows it, in words: tests that were made of something else are called by that."""
    if not tests:
        return ""
    if any(SCRIPT_NAME in test for test in tests):
        return "Shown by running the program."
    if any(EXAMPLES_NAME in test for test in tests):
        return "Shown by the examples in the documentation."
    tests = [test for test in tests if HINT_NAME not in test]
    if not tests:
        return f"Shown by {said}."
    names = [re.split(r"::|\.(?!py$|[^\[]*\])", test)[-1] for test in tests[:3]]
    return f"Shown by {', '.join(names)}{' and others' if len(tests) > 3 else ''}."


def told_by(failing: Sequence[Failing], test: str) -> tuple[str, str]:
    """The line of a failing test that did not hold, and the error that it ended with; both "" when not told."""
    name = re.split(r"::|\.", test.partition("[")[0])[-1]
    one = next((each for each in failing if each.name == name), None)
    if one is None:
        return "", ""
    errors = ERROR_LINE.findall(one.told)
    frames = re.findall(
        r"^\s*(?:File \"[^\"]+\", line \d+, in (\w+)|[\w./-]+\.py:\d+: in (\w+))\n\s+(.+)$", one.told, re.M
    )
    lines = [line for long, short, line in frames if name in (long, short)]
    return (lines[-1].strip() if lines else ""), (errors[-1].strip() if errors else "")


def function_at(text: str, line: int) -> str:
    """The innermost function or class in which a line stands, "" for none; a method as Class.method."""
    names = [
        f"{inside}.{node.name}" if inside else node.name
        for inside, node in definitions(text)
        if node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return names[-1] if names else ""
