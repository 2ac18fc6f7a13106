"""How the coder helps a small model: what agent/mechanisms.py names, made of the coder's own tools.

Measured with Qwen2.5-Coder 1.5B: alone it answers "fix the bug" without one call; with the listing, the tests and the
file as calls in its history it edits at once, but cannot quote; with a tested change by its number it repairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from agent.contracts import ProviderError, Reply, TokenUsage, ToolCall, ToolResult
from agent.gates import Gate
from agent.mechanisms import NAMES, Claims, Idle, changed, is_small
from agent.run import Help, Hook, Run
from call_functions import run_calls
from config import Settings
from functions import Result, ToolError, apply_repair, run_tests, suggest_repair
from functions.tool import Tool
from sandbox.files.root import Refusal

Calls = Sequence[tuple[str, Mapping[str, Any]]]  # names and arguments

MOST_FILES = 2  # that are read before the model is asked
LARGEST_FILE = 12_000  # characters of one of them: a larger one is left to the model
PUSH_BACKS = 2
QUESTION = re.compile(r"^\s*(?:where|what|why|how|which|who|when|does|is|are|explain|describe)\b|\?\s*$", re.IGNORECASE)
NAMED_FILE = re.compile(r"[\w./-]+\.\w+")
IN_TRACEBACK = re.compile(r'File "([^"\n]+)", line \d+|^([\w./-]+\.py):\d+', re.MULTILINE)
A_WORD = re.compile(r"[A-Za-z_]\w{4,}")
STILL = "{count} still fail: {first}. The work is not done. {advice}"
NOTHING_DONE = (
    "The model answered without doing what was asked, and tests still fail. Load a larger model, give it a smaller "
    "step, or let the search finish: --assist finish."
)
NOT_A_TEST = (
    "{path} holds tests, and they say what is right: they are not changed in this run. Change the program instead; if "
    "the test itself is wrong, say so in your answer"
)
DONE = "All tests pass now. Answer in plain text: what was wrong, and what you changed."
DONE_ANSWER = "All tests pass now. {line}"


def help_for(settings: Settings, run: Run) -> Help | None:
    """Return what this run's model is given, None for one that needs nothing."""
    if not is_small(settings.model_size, run.provider, run.model):
        return None
    names = [name for name in NAMES if name not in settings.without]
    if settings.assist == "off" and "search" in names:
        names.remove("search")
    run.notice(f"{run.model} is taken for a small model and helped: {', '.join(names)} (--model-size large: none).")
    state = State(names, settings.assist)
    if "tests" in names and run_tests.test_files(run.root, "."):  # without any, a change is not verified by itself
        run.catalogue.replace([tested(tool, state) for tool in run.catalogue.values()])
    gates: dict[str, Gate] = {
        "idle": Idle(state.advice),
        "protect": Protected(),
        "nudge": Unsolved(state),
        "claims": Claims(),
    }
    hooks: list[Hook] = [Watching(state)]
    chosen = [gate for name, gate in gates.items() if name in names]
    return Help(chosen, hooks, partial(look_first, state)) if "opening" in names else Help(chosen, hooks)


def look_first(state: State, context: Any, run: Run) -> None:
    """Make the calls of the opening, each batch as a turn of its own, in the words of the model's own wire. A fork
    knows them already, and a conversation that goes on has seen what there is."""
    for calls in () if run.known or run.history else state.opening(run, run.prompt):
        if not calls:
            continue
        run.asking()
        entries = [{"name": name, "arguments": arguments} for name, arguments in calls]
        message = context.wire.model_message("", entries, f"opening{run.turns}")
        ids = [call["id"] for call in message.get("tool_calls") or ()]
        asked = tuple(
            ToolCall(ids[number] if ids else f"opening{run.turns}_{number}", name, arguments)
            for number, (name, arguments) in enumerate(calls)
        )
        reply = Reply("", asked, TokenUsage(), "", message)
        context.append(message)
        run.replied(reply)
        results = run_calls(asked, run)
        context.append_results(context.wire.tool_messages(results, reply), results)


class State:
    """What is known of the tests and of changes that would make them pass."""

    def __init__(self, names: Sequence[str], assist: str) -> None:
        self.names, self.assist = names, assist
        self.failing: list[str] | None = None  # None: no tests were run yet, or there are none
        self.suggestions: suggest_repair.Suggestions | None = None
        self.order = True  # something is to be done, rather than answered

    def advice(self) -> str:
        """The call to go on with."""
        if self.failing and self.suggestions and self.suggestions.found:
            return "Call apply_repair with number=1: that change makes all tests pass."
        if self.failing:
            return "Read the line that the tests name, and change it with edit_file."
        return "Use what you have seen, or answer."

    def opening(self, run: Run, prompt: str) -> Iterator[Calls]:
        """The calls that any careful agent begins with. They read, and run the tests; nothing else."""
        self.order = QUESTION.search(prompt) is None
        yield [("get_dir_info", {})]
        named = [path for path in NAMED_FILE.findall(prompt) if is_there(run, path)][:MOST_FILES]
        if not self.order:
            yield self._reading(run, named) or [("search_files", {"pattern": word}) for word in words_of(prompt)]
            return
        if not run_tests.test_files(run.root, "."):
            yield self._reading(run, named)
            return
        yield [("run_tests", {})]
        report = run.trajectory[-1]["result"] or ""
        found = [*named, *files_in(report, run)] if self.failing else named
        yield self._reading(run, list(dict.fromkeys(found))[:MOST_FILES])
        if self.failing and "search" in self.names:
            self.suggestions = suggest_repair.Suggestions(run.root)
            run.resources["suggestions"] = self.suggestions
            run.catalogue.replace([*run.catalogue.values(), suggest_repair.TOOL, apply_repair.TOOL])
            yield [("suggest_repair", {})]

    def _reading(self, run: Run, paths: Sequence[str]) -> Calls:
        return [("get_file_content", {"file_path": path}) for path in paths if len(text_of(run, path)) <= LARGEST_FILE]


class Watching(Hook):
    """Keeps the state, and asks for the answer when all tests pass after a change."""

    def __init__(self, state: State) -> None:
        self._state = state

    def after_call(self, result: ToolResult, run: Run) -> ToolResult:
        tool = run.catalogue.get(result.call.name)
        if tool is None or not tool.verifies or result.verdict is None:
            return result
        self._state.failing = result.verdict.failing
        passes = not result.verdict.failing and re.search(r"\bpassed\b", result.verdict.line)
        if not passes or not tool.changes_files or "done" not in self._state.names:
            return result
        run.answer_due = DONE_ANSWER.format(line=result.content.partition("\n")[0])
        return replace(result, content=f"{result.content}\n\n{DONE}")


class Protected(Gate):
    """Test files that were there are not changed, unless the person named them."""

    def __init__(self) -> None:
        self._own: set[str] = set()  # made in this run

    def action(self, call: ToolCall, run: Run) -> str | None:
        tool = run.catalogue.get(call.name)
        arguments = call.readable
        path = str(arguments.get("file_path", "")) if isinstance(arguments, dict) else ""
        name = PurePosixPath(path).name
        if tool is None or not tool.changes_files or not run_tests.TEST_FILE.fullmatch(name) or path in self._own:
            return None
        if not is_there(run, path):
            self._own.add(path)
            return None
        return None if name in run.prompt else NOT_A_TEST.format(path=path)


class Unsolved(Gate):
    """An order is not done while tests fail. Where it was asked for, the search finishes what the model did not."""

    def __init__(self, state: State) -> None:
        self._state, self._told = state, 0

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        failing = self._state.failing
        if (reply.calls and not last) or not failing or not self._state.order:
            return None
        if not last and self._told < PUSH_BACKS:
            self._told += 1
            run.notice("Tests fail, and the model answers; it is told to go on.")
            return STILL.format(count=f"{len(failing)} tests", first=failing[0], advice=self._state.advice())
        if self._state.assist == "finish" and finished(run):
            return None
        if not changed(run) and not last:
            raise ProviderError(NOTHING_DONE)
        run.warn(f"{len(failing)} tests still fail: {failing[0]}.")
        return None


def finished(run: Run) -> bool:
    """Make the search's own change, and say that it was not the model's. Whether all tests pass now."""
    if "apply_repair" not in run.catalogue:
        return False
    call = ToolCall("finish", "apply_repair", {"number": 1})
    run.called(call)
    result = run_calls([call], run)[0]
    if not run.answer_due:
        return False
    run.partial_answer = f"The model did not finish; the search did. {result.content.partition(chr(10))[0]}"
    return True


def tested(tool: Tool, state: State) -> Tool:
    """A tool that changes files, followed by the tests; any other as it is. Since it runs code, undo looks at all."""
    if not tool.changes_files or tool.resource != "root":
        return tool

    def function(root: Any, **arguments: Any) -> str:
        before, said = state.failing, tool.function(root, **arguments)
        if isinstance(said, ToolError) or not run_tests.test_files(root, "."):
            return said
        report = run_tests.run_tests(root)
        sources = said.sources if isinstance(said, Result) else ()
        if not isinstance(report, Result) or report.verdict is None:
            return Result(f"{said}\n{TESTS}{report}", sources)
        words = compared(before, report.verdict.failing)
        return Result(f"{said}\n{TESTS}{words}\n{report}", sources, report.verdict)

    return replace(tool, function=function, path="", verifies=True)


TESTS = "The tests after this change: "


def compared(before: list[str] | None, now: list[str]) -> str:
    """Better, worse or the same, in words."""
    if before is None:
        return f"{len(now)} fail." if now else "none fails."
    word = "the same" if len(now) == len(before) else "better" if len(now) < len(before) else "worse"
    return f"{word} ({len(before)} failed before, {len(now)} now)."


def files_in(report: str, run: Run) -> list[str]:
    """The program's files that a report of failing tests names, the nearest to the failure first; no test files."""
    named = [one or other for one, other in IN_TRACEBACK.findall(report)]
    suspects = re.findall(r"^suspect: ([\w./-]+\.py):", report, re.MULTILINE)
    paths = [*suspects, *(relative(path, run) for path in reversed(named))]
    tests = [path for path in paths if run_tests.TEST_FILE.fullmatch(PurePosixPath(path).name)]
    return [path for path in dict.fromkeys(paths) if path and path not in tests and is_there(run, path)]


def relative(path: str, run: Run) -> str:
    return path.removeprefix(f"{run.root.path}/") if path.startswith(f"{run.root.path}/") else path


def is_there(run: Run, path: str) -> bool:
    try:
        return run.root.is_file(path)
    except Refusal:
        return False


def text_of(run: Run, path: str) -> str:
    try:
        return run.root.read_text(path)
    except Refusal:
        return ""


def words_of(prompt: str) -> list[str]:
    """The words of a question that may stand in a program, the longest first."""
    words = [word for word in A_WORD.findall(prompt) if word.lower() not in COMMON]
    return sorted(dict.fromkeys(words), key=len, reverse=True)[:2]


COMMON = frozenset(
    ("where", "which", "what", "there", "these", "those", "does", "defined", "about", "explain", "program")
)
