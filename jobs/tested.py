"""A small model's change is followed by the tests, and what they say stands in its own result. What breaks tests that
passed can be taken back by one call; where it ends with tests that cannot even be loaded any more, it is taken back.

Measured with Qwen2.5-Coder 1.5B: of 24 open tasks it ended three with a program that no test could import.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent.contracts import Reply, ToolCall
from agent.gates import Gate
from agent.run import Run
from call_functions import run_calls
from functions import Result, ToolError, Verdict, run_tests
from functions.tool import Tool
from jobs import take_back
from sandbox.files.root import Root

TESTS = "The tests after this change: "
BROKEN = "It broke what passed: mend it, or call take_back, which puts {files} back as before."
TAKEN_BACK = (
    "After the last changes the tests could not be loaded any more, so they are taken back: {files} is as it was while "
    "the tests ran."
)
ANSWER_AGAIN = f"{TAKEN_BACK} Make another change, a smaller one, or say in your answer that nothing is changed there."
STAYS = "After the last changes the tests cannot be loaded any more: {files}. python main.py --undo takes all back."


class Tests:
    """What the tests say of the files, from change to change. `failing` is None while none were run."""

    def __init__(self) -> None:
        self.failing: list[str] | None = None
        self.broken: take_back.Broken | None = None  # once something was changed
        self._sound: Verdict | None = None  # the last before a change broke something
        self._last: Verdict | None = None

    def say(self, verdict: Verdict, *, of_all: bool = True) -> None:
        """The tests were run, all of them or some."""
        self.failing = verdict.failing
        if not of_all:
            return
        self._last = verdict
        if self._sound is None or not broke(self._sound, verdict):
            self._sound = verdict
            if self.broken:
                self.broken.files = {}

    @property
    def unloadable(self) -> bool:
        """Whether fewer tests run, and fewer pass, than before the last changes."""
        if self._sound is None or self._last is None:
            return False
        (passed, ran), (passes, runs) = self._sound.counted, self._last.counted
        return passes < passed and runs < ran

    @property
    def changed(self) -> str:
        """The files that the last changes broke, in words, "" where none did."""
        return ", ".join(self.broken.files) if self.broken else ""


def broke(before: Verdict, now: Verdict) -> bool:
    """Whether something fails that did not, or is not run any more."""
    return bool(now.names - before.names) or now.counted[1] < before.counted[1]


def tested(tool: Tool, tests: Tests) -> Tool:
    """A tool that changes files, followed by the tests; any other as it is. Since it runs code, undo looks at all."""
    if not tool.changes_files or tool.resource != "root":
        return tool

    def function(root: Root, **arguments: Any) -> str:
        before, path = tests.failing, tool.path_in(arguments)
        start = take_back.state_of(root, path)
        said = tool.function(root, **arguments)
        if isinstance(said, ToolError) or not run_tests.test_files(root, "."):
            return said
        tests.broken = tests.broken or take_back.Broken(root)
        tests.broken.add(path, start)
        report = run_tests.run_tests(root)
        sources = said.sources if isinstance(said, Result) else ()
        if not isinstance(report, Result) or report.verdict is None:
            return Result(f"{said}\n{TESTS}{report}", sources)
        tests.say(report.verdict)
        words = compared(before, report.verdict.failing)
        advice = f" {BROKEN.format(files=tests.changed)}" if tests.changed else ""
        return Result(f"{said}\n{TESTS}{words}{advice}\n{report}", sources, report.verdict)

    return replace(tool, function=function, path="", verifies=True)


def compared(before: list[str] | None, now: list[str]) -> str:
    """Better, worse or the same, in words."""
    if before is None:
        return f"{len(now)} fail." if now else "none fails."
    word = "the same" if len(now) == len(before) else "better" if len(now) < len(before) else "worse"
    return f"{word} ({len(before)} failed before, {len(now)} now)."


def offered(tests: Tests, run: Run) -> None:
    """Offer take_back while there is something to take back."""
    others = [tool for tool in run.catalogue.values() if tool.name != take_back.TOOL.name]
    if tests.changed:
        run.resources["broken"] = tests.broken
        run.catalogue.replace([*others, take_back.TOOL])
    elif len(others) < len(run.catalogue):
        run.catalogue.replace(others)


class TakenBack(Gate):
    """A run does not end with tests that cannot be loaded any more, where they could before. Other tests that fail may
    have been meant: they stay, and are told."""

    def __init__(self, tests: Tests) -> None:
        self._tests, self._told = tests, False

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        files = self._tests.changed
        if (reply.calls and not last) or not files or not self._tests.unloadable:
            return None
        offered(self._tests, run)
        call = ToolCall(f"take_back_{run.turns}", take_back.TOOL.name, {})
        run.called(call)
        if not run_calls([call], run)[0].ok:
            run.warn(STAYS.format(files=files))
        elif last or self._told:
            run.warn(TAKEN_BACK.format(files=files))
        else:
            self._told = True
            run.notice(TAKEN_BACK.format(files=files))
            return ANSWER_AGAIN.format(files=files)
        return None
