"""What helps a small model, each a small value that a run has or has not: `--without NAME` leaves one out.

What a program can decide is not left to the model: what to look at first, when to test, when to stop. Which of them a
job uses, and how, is the job's affair (jobs/small_models.py is the coder's); here is what does not hang on a job.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from agent.contracts import REPEATS, Reply, ToolCall, same_call
from agent.gates import Gate
from agent.run import Run
from agent.setup import Hook
from config import ConfigError, Settings
from functions.tool import Tool

NAMES: Mapping[str, str] = {
    "opening": "what any careful agent looks at first is looked at before the model is asked",
    "tests": "a change is followed by the tests, and their verdict stands in its result",
    "done": "when all tests pass after a change, the next turn asks for the answer",
    "idle": "the same call with nothing changed in between is answered in one line",
    "nudge": "an order that is answered while tests fail is asked again, with a call to go on with",
    "claims": "an answer that claims a change is objected to in a run that changed nothing",
    "protect": "test files that were there are not changed, unless the prompt names them as what to change",
    "search": "suggest_repair and apply_repair: the search for a repair as two tools",
}
SMALL = 32.0  # billions of parameters; above it a model needs none of this
SIZE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*b(?![a-z])", re.IGNORECASE)
HOSTED = re.compile(r"(?:[\w-]+/)?(?:gpt-|claude|gemini|grok|o\d|glassbox-)")  # large, though no size is in the name
CLAIM = re.compile(
    r"\bI(?:'ve| have)?(?: also| now)? (?:fixed|changed|edited|updated|replaced|corrected|modified|added|removed)\b"
    r"|\bha(?:s|ve) been (?:fixed|changed|edited|updated|replaced|corrected|modified)\b|\bbug is (?:now )?fixed\b"
    r"|\b(?:bug|error|fault|issue|problem) was (?:now )?(?:corrected|fixed|resolved)\b",
    re.IGNORECASE,
)
AGAIN = "nothing has changed since this same call was made in turn {turn}; its result stands above.{advice}"
UNTRUE = (
    "You say that something was changed, but no file was changed in this run. Make the change with a tool call, or say "
    "plainly that you changed nothing."
)
IN_WORDS = "No call runs any more. Write a sentence, in plain words, that answers this: {prompt}"
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
LEFT_OUT = "What the model says of a change that is not its own, or does not stand, is left out; it is in the trace."
OF_A_CHANGE = re.compile(  # a word with which a sentence tells of a change, or of how it should be
    r"\b(?:adjust|chang|decreas|edit|fix|improv|increas|modif|repair|replac|resol|revert|rewr|solution|solv|suggest|swap"
    r"|updat|remov|ensur|(?:been|was) added|(?:appl|rais|lower|mov|giv|correct)(?:ed|en|ied|ing|ying|ion|s)\b|i\b|we\b"
    r"|instead\b|must\b|new\b|now\b|set(?:s|ting)?\b|should\b)",
    re.IGNORECASE,
)
STILL_UNTRUE = "The model claims a change, but no file was changed in this run."
UNCHANGED = "Nothing was changed."


def refuse_unknown(names: Iterable[str]) -> None:
    """Raise ConfigError, with those that there are, for a mechanism that cannot be left out."""
    if unknown := [name for name in names if name not in NAMES]:
        raise ConfigError(f"--without {unknown[0]}: there is no such part of the help. It may be {', '.join(NAMES)}.")


def is_small(choice: str, provider: str, model: str) -> bool:
    """Whether a model is taken for a small one: as the person says ("small", "large"), else by the size in its name,
    else by where it runs. The built-in model needs no help."""
    if provider in ("offline", "cli") or choice != "auto":
        return choice == "small" and provider != "cli"
    sizes = [float(size) for size in SIZE.findall(model)]
    return max(sizes) <= SMALL if sizes else provider == "lmstudio" and HOSTED.match(model) is None


def parts_for(settings: Settings, run: Run, among: Iterable[str] = NAMES) -> list[str] | None:
    """Return which of these parts of the help this run's model is given, and tell the person; None for a model that
    needs none."""
    if not is_small(settings.model_size, run.provider, run.model):
        return None
    left_out = {*settings.without, *(["search"] if settings.assist == "off" else [])}
    names = [name for name in among if name not in left_out]
    if names:
        run.notice(f"{run.model} is taken for a small model and helped: {', '.join(names)} (--model-size large: none).")
    return names


class Idle(Gate, Hook):
    """The same call is not run again while nothing has changed: its result would be the same. Where it is made a third
    time the model is not offered that tool for a turn: it would go on for ever."""

    def __init__(self, stands_still: Callable[[Run], str] = lambda run: "") -> None:
        """`stands_still` hears that the model does nothing new, and returns what it is to do instead, or ""."""
        self._stands_still = stands_still
        self._withheld: list[Tool] = []
        self._turn = 0  # the one without them

    def before_request(self, run: Run) -> None:
        if self._withheld and run.turns >= self._turn:
            run.catalogue.replace([*run.catalogue.values(), *self._withheld])
            self._withheld = []

    def action(self, call: ToolCall, run: Run) -> str | None:
        before: list[int] = []  # the turns of the same call since something has changed
        for entry in reversed(run.trajectory):
            if entry["status"] == "called":
                continue
            tool = run.catalogue.ever.get(entry["name"])
            if same_call(entry["name"], entry["arguments"]) == same_call(call.name, call.readable):
                before.append(entry["turn"])
            elif tool is not None and entry["status"] == "completed" and may_change(tool):
                break
        tool = run.catalogue.get(call.name)
        if len(before) > 1 and tool is not None:
            run.catalogue.replace([each for each in run.catalogue.values() if each is not tool])
            self._withheld, self._turn = [*self._withheld, tool], run.turns + 1
            run.notice(f"{call.name} is withheld for a turn: the same call was made three times.")
        if not before:
            return None
        advice = self._stands_still(run)
        return AGAIN.format(turn=before[0], advice=f" {advice}" if advice else "")


class Claims(Gate):
    """An answer does not claim a change in a run that changed nothing. Where it stays with that, Told says so."""

    def __init__(self) -> None:
        self._told = False

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        if (reply.calls and not last) or not CLAIM.search(reply.text) or changed(run):
            return None
        if last or self._told:
            run.warn(STILL_UNTRUE)
            run.told = f"{UNCHANGED}\n\n{run.told}".strip()
            return None
        self._told = True
        run.notice("The answer claims a change that was not made; the model is told so.")
        return UNTRUE


class Told(Gate):
    """An answer ends with what was done, where the run knows. A small model often tells wrong of a change that it did
    not write, and of one that was taken back as though it stood, so only what was wrong before is left of its words
    (docs/small-models.md has the figures)."""

    def __init__(self, not_its_own: Callable[[], bool]) -> None:
        self._not_its_own = not_its_own

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        if (last or not reply.calls) and run.told not in run.partial_answer:
            left_out = self._not_its_own() or not changed(run)
            words = what_was_wrong(run.partial_answer) if left_out else run.partial_answer.strip()
            if words != run.partial_answer.strip():
                run.notice(LEFT_OUT)
            run.partial_answer = f"{words}\n\n{run.told}".strip()
        return None


def what_was_wrong(answer: str) -> str:
    """The sentences of an answer before the first that tells of a change; "" for one that is no prose."""
    prose = "" if (prose := answer.strip()).startswith(("```", "{", "[")) else prose
    at = OF_A_CHANGE.search(prose)
    if at is None:
        return prose
    ends = [found.end() for found in SENTENCE_END.finditer(prose, 0, at.start())]
    return prose[: ends[-1]].strip() if ends else ""


class InWords(Gate):
    """A question is answered in words. A small model that has seen calls goes on with them, though it is told that none
    runs any more; it is told once more."""

    def __init__(self, is_order: Callable[[], bool] = lambda: False) -> None:
        self._is_order, self._told = is_order, False

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        if not last or self._is_order() or self._told or not (reply.calls or not reply.text.strip()):
            return None
        if reply.finish_reason == REPEATS:
            return None  # asked once more it does so once more
        self._told = True
        return IN_WORDS.format(prompt=run.prompt)


def may_change(tool: Any) -> bool:
    """Whether a tool may change files; a run of the tests counts as a look."""
    return bool(tool.changes_files or not (tool.reads_only or tool.verifies))


def changed(run: Run) -> bool:
    """Whether a call of this run has changed a file, and not all is as it was again."""
    broken = run.resources.get("broken")  # what was taken back, or may be (jobs/take_back.py)
    undone = {"broken", "root"} if broken is not None and broken.all_back() else {"broken"}
    names = {name for name, tool in run.catalogue.ever.items() if may_change(tool) and tool.resource not in undone}
    return any(entry["name"] in names and entry["status"] == "completed" for entry in run.trajectory)
