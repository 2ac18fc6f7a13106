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

from agent.context import Context
from agent.contracts import NOTE, Reply, ToolCall, ToolResult
from agent.errors import ProviderError
from agent.gates import Gate
from agent.mechanisms import Claims, Idle, InWords, Told, changed, parts_for
from agent.run import Run
from agent.setup import Help, Hook
from call_functions import run_calls
from config import Settings
from functions import apply_repair, run_tests, suggest_repair
from functions.suggestions import Suggestions
from jobs import take_back
from jobs.first_look import (
    MOST_FILES,
    MOST_READ,
    NAMED_FILE,
    Calls,
    files_in,
    is_order,
    is_there,
    make_calls,
    named_in,
    opens,
    program,
    related,
    speaks_of,
    text_of,
    what_it_defines,
    words_of,
)
from jobs.tested import TakenBack, Tests, offered, tested

PUSH_BACKS = 2
SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n")
JUDGES = re.compile(  # a sentence that says of a test how it ends names it as what judges, not as what is to be changed
    r"\b(?:fail\w*|pass\w*|break\w*|broken|green|red|run|runs|error\w*|crash\w*|say|says|show|shows|see|satisf\w+"
    r"|schl[aä]gt|schlagen|fehl\w*|besteh\w*|fall[ao]n?|pasa\w*|[ée]cho\w*)\b",
    re.IGNORECASE,
)
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
AS_BEFORE = "All tests pass, as before. When all that was asked for is done, answer; else make the next change."
NOTHING_YET = (
    "No file was changed yet. If something is to be changed, make the change now. If nothing is, say so and say why."
)
FROM_THIS = (
    f"{NOTE}You have read the whole program: {{files}}. Answer in plain text, from what you have read, and name the "
    "file: {prompt}"
)
ALL_PASS = (
    f"{NOTE}All tests pass as they are. If nothing has to be changed for this, answer so; else change it: {{prompt}}"
)
NO_ANSWER = "The model gave no answer. What it was shown stands in the trace of this run."
DONE_ANSWER = "All tests pass now. {line}"


def help_for(settings: Settings, run: Run) -> Help | None:
    """Return what this run's model is given, None for one that needs nothing."""
    names = parts_for(settings, run)
    if names is None:
        return None
    state = State(names, settings.assist)
    if "protect" in names and not is_order(run.prompt):
        run.catalogue.replace([tool for tool in run.catalogue.values() if tool.reads_only or tool.verifies])
    if "tests" in names and run_tests.test_files(run.root, "."):  # without any, a change is not verified by itself
        run.catalogue.replace([tested(tool, state.tests) for tool in run.catalogue.values()])
    idle = Idle(state.stands_still)
    gates: list[tuple[str, Gate]] = [
        ("idle", idle),
        ("protect", Protected()),
        ("nudge", Unsolved(state)),
        ("tests", TakenBack(state.tests)),
        ("done", InWords(lambda: state.order)),
        ("claims", Claims()),
        ("claims", Told(lambda: state.searched)),
    ]
    hooks: list[Hook] = [Watching(state), *([idle] if "idle" in names else [])]
    chosen = [gate for name, gate in gates if name in names]
    return Help(chosen, hooks, partial(look_first, state)) if "opening" in names else Help(chosen, hooks)


def look_first(state: State, context: Context, run: Run) -> None:
    """Make the calls of the opening, each batch as a turn of its own, in the words of the model's own wire."""
    for calls in state.opening(run, run.prompt) if opens(run) else ():
        make_calls(context, run, calls)
    # Said by the person: after a result a small model goes on with calls, whatever stands in that.
    if run.answer_due:
        context.append(context.wire.user_message(FROM_THIS.format(files=what_it_defines(run), prompt=run.prompt)))
    elif state.order and state.failing == []:
        context.append(context.wire.user_message(ALL_PASS.format(prompt=run.prompt)))


class State:
    """What is known of the tests and of changes that would make them pass."""

    def __init__(self, names: Sequence[str], assist: str) -> None:
        self.names, self.assist = names, assist
        self.tests = Tests()
        self.suggestions: Suggestions | None = None
        self.order = True  # something is to be done, rather than answered
        self.searched = False  # what made all tests pass is a change of the search's
        self._stood_still = 0  # times

    @property
    def failing(self) -> list[str] | None:
        """The tests that fail; None where none were run yet, or there are none."""
        return self.tests.failing

    def advice(self) -> str:
        """The call to go on with."""
        if self.failing and self.suggestions and self.suggestions.stale:
            return "Call suggest_repair: it looks for what your change still lacks."
        if self.failing and self.suggestions and self.suggestions.found:
            return "Call apply_repair with number=1: that change makes all tests pass."
        if self.failing:
            return "Read the line that the tests name, and change it."
        change = "If nothing has to be changed, answer so; else make the change."
        return change if self.order else "Answer from what you have seen."

    def stands_still(self, run: Run) -> str:
        """The model makes a call that it has made before. Where nothing fails, what it has changed is then all that it
        will change; where that is nothing, it may think once more."""
        self._stood_still += 1
        done = changed(run)
        if self.failing or "done" not in self.names or not (done or self._stood_still > 1):
            return self.advice()
        run.answer_due = "The change is made." if done else "Nothing was changed."
        return "Answer now: what you changed, or that nothing had to be changed."

    def opening(self, run: Run, prompt: str) -> Iterator[Calls]:
        """The calls that any careful agent begins with. They read, and run the tests; nothing else."""
        self.order = is_order(prompt)
        yield [("get_dir_info", {})]
        found = [path for path in NAMED_FILE.findall(prompt) if is_there(run, path)]
        if self.order and run_tests.test_files(run.root, "."):
            yield [("run_tests", {})]
            found += files_in(run.trajectory[-1]["result"] or "", run) if self.failing else []
        reading = self._reading(run, [*found, *related(run, prompt)] if not self.failing or not found else found)
        read = [arguments["file_path"] for _, arguments in reading]
        if (
            not self.order
            and "done" in self.names
            and set(read).issuperset(program(run))
            and speaks_of(run, read, prompt)
        ):
            run.answer_due = NO_ANSWER  # all that there is has been read, so nothing is left but to answer
        yield reading or [("search_files", {"query": word}) for word in words_of(prompt)[:2] if not self.order]
        if self.failing and "search" in self.names:
            self.suggestions = Suggestions(run.root)
            run.resources["suggestions"] = self.suggestions
            before = list(run.catalogue.values())
            offer_search(run)
            yield [("suggest_repair", {})]
            if not self.suggestions.files:  # a fork knew the result, and has no changes to apply yet
                suggest_repair.suggest_repair(self.suggestions)
            if not self.suggestions.found:  # so there is nothing to apply, and the tests are what says how it should be
                run.catalogue.replace(before)
                tests = run_tests.test_files(run.root, ".")
                yield self._reading(run, [path for path in tests if any(named_in(each, path) for each in self.failing)])

    def _reading(self, run: Run, paths: Sequence[str]) -> Calls:
        """Calls that read files, the first of them first, as many as there is room for."""
        calls: list[tuple[str, Mapping[str, Any]]] = []
        room = MOST_READ
        for path in dict.fromkeys(paths):
            size = len(text_of(run, path))
            if size <= room and len(calls) < MOST_FILES:
                room -= size
                calls.append(("get_file_content", {"file_path": path}))
        return calls


class Watching(Hook):
    """Keeps the state, and asks for the answer when all tests pass after a change."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._failed = False  # some test, at some time in this run

    def after_call(self, result: ToolResult, run: Run) -> ToolResult:
        tool = run.catalogue.get(result.call.name)
        if tool is None or not tool.verifies or result.verdict is None:
            return result
        failed = self._failed
        self._state.tests.say(result.verdict, of_all=not tool.path or tool.path_in(result.call.readable) in ("", "."))
        offered(self._state.tests, run)
        self._failed = failed or bool(result.verdict.failing)
        if tool.changes_files and result.verdict.failing and self._state.suggestions:
            offer_search(run)  # also where it found nothing before: it begins at this change now
        passes = not result.verdict.failing and re.search(r"\bpassed\b", result.verdict.line)
        if not tool.changes_files:
            return result
        back = tool.name == take_back.TOOL.name
        line = result.content.partition("\n")[0]
        run.told = f"{line}." if back else ""
        if not passes or "done" not in self._state.names:
            return result
        if not failed or back:  # so that they pass does not tell that all is done
            return replace(result, content=f"{result.content}\n\n{AS_BEFORE}")
        self._state.searched = tool.name == apply_repair.TOOL.name
        run.answer_due = run.told = DONE_ANSWER.format(line=line)
        return replace(result, content=f"{result.content}\n\n{DONE}")


class Protected(Gate):
    """Test files that were there are not changed, unless the person named them as what to change."""

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
        return None if is_to_change(name, run.prompt) else NOT_A_TEST.format(path=path)


def is_to_change(name: str, prompt: str) -> bool:
    """Whether a prompt names a test file as what to change: "add a case to test_a.py", but not "test_a.py fails"."""
    return any(name in each and not JUDGES.search(each) for each in SENTENCE.split(prompt))


class Unsolved(Gate):
    """An order is not done while tests fail. Where it was asked for, the search finishes what the model did not."""

    def __init__(self, state: State) -> None:
        self._state, self._told = state, 0

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        if (reply.calls and not last) or not self._state.order:
            return None
        failing = self._state.failing
        if not failing:
            if last or self._told or changed(run):
                return None
            self._told += 1
            run.notice("The model answers an order and has changed nothing; it is asked once more.")
            return NOTHING_YET
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


def offer_search(run: Run) -> None:
    tools = {suggest_repair.TOOL.name: suggest_repair.TOOL, apply_repair.TOOL.name: apply_repair.TOOL}
    run.catalogue.replace(({**run.catalogue} | tools).values())


def finished(run: Run) -> bool:
    """Make the search's own change, and say that it was not the model's; where the model has tried, the search begins
    at that. Whether all tests pass now."""
    suggestions = run.resources.get("suggestions")
    if suggestions is None:
        return False
    stale = suggestions.stale  # which reads every file
    if not (stale or suggestions.found):
        return False
    offer_search(run)
    calls = [ToolCall("search", "suggest_repair", {})] if stale else []
    for call in [*calls, ToolCall("finish", "apply_repair", {"number": 1})]:
        run.called(call)
        result = run_calls([call], run)[0]
    if not run.answer_due:
        return False
    run.partial_answer = run.told = f"The model did not finish; the search did. {result.content.partition(chr(10))[0]}"
    return True
