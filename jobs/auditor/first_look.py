"""How the auditor helps a small model: the fields are looked at before it is asked, what is suspect in them is tested
with a query each, and what those found is written down by its number.

Measured with Qwen2.5-Coder 1.5B: shown the sample of the collection it made one call with quotation marks around its
query, and that call again until the run was ended.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.contracts import NOTE, Reply, ToolCall, ToolResult
from agent.gates import Gate
from agent.mechanisms import Idle, parts_for
from agent.run import Run
from agent.setup import Help, Hook
from call_functions import run_calls
from config import Settings
from functions import ToolError
from functions.tool import Tool
from jobs.auditor.audit import SEVERITIES, TURN_CHARACTERS, Audit
from jobs.auditor.settings import AuditorSettings
from jobs.auditor.summary import summary
from jobs.auditor.tools import write_finding
from jobs.first_look import made_for, opens

MECHANISMS = ("opening", "idle", "nudge", "search")
MOST_TURNS = 8  # of looking, before the model is asked
MOST_SUGGESTED = 40
ONE_WORD = "Answer with one word: done."  # asked for more, it went on for five minutes, and made most of it up
SCHEMA = {
    "name": "accept_finding",
    "description": "Write down findings that were suggested, by their numbers.",
    "parameters": {
        "type": "object",
        "properties": {
            "numbers": {"type": "array", "items": {"type": "integer", "minimum": 1}, "description": "Which of them"}
        },
        "required": ["numbers"],
    },
}
SUGGESTED = (
    NOTE + "Queries found these, and each can be proven:\n\n{claims}\n\nCall accept_finding with the numbers of those "
    "that are faults in the data."
)
NOTHING = (
    NOTE + "Every field was looked at, and no query found anything. Say so in plain text, or test what you suspect."
)
LEFT = "Nothing is written down yet. Call accept_finding with the numbers of those that are faults: {claims}"


class Suggested:
    """Findings that queries have proven and that nobody has judged, as the arguments of write_finding."""

    def __init__(self) -> None:
        self.findings: list[Mapping[str, Any]] = []
        self.left_out = 0

    def add(self, findings: Iterable[Mapping[str, Any]]) -> None:
        """Keep the gravest, and of those the surest."""
        every = [*self.findings, *findings]
        every.sort(key=lambda each: (-SEVERITIES.index(each["severity"]), -each["confidence"]))
        self.findings = every[:MOST_SUGGESTED]
        self.left_out += len(every) - len(self.findings)

    def claims(self) -> str:
        return "\n".join(f"{number}. {each['claim']}" for number, each in enumerate(self.findings, 1))

    def accept(self, audit: Audit, numbers: Sequence[int]) -> str:
        odd = [number for number in numbers if number > len(self.findings)]
        if odd or not numbers:
            return ToolError(f"there is no suggestion {odd or 'without a number'}; they are:\n{self.claims()}")
        written = {finding.query for finding in audit.findings}
        chosen = [self.findings[number - 1] for number in dict.fromkeys(numbers)]
        new = [each for each in chosen if each["query"] not in written]
        said = [write_finding.write_finding(audit, **each) for each in new]
        failed = [each for each in said if isinstance(each, ToolError)]
        if failed and len(failed) == len(said):
            return failed[0]
        told = f"{len(said) - len(failed)} findings are written down." if said else "They are written down already."
        return "\n".join([told, *failed])


def help_for(settings: Settings, run: Run) -> Help | None:
    """Return what this run's model is given, None for one that needs nothing."""
    names = parts_for(settings, run, MECHANISMS)
    if names is None:
        return None
    idle, suggested = Idle(), Suggested()
    # Where a model judges each call, a hundred of them would be a hundred requests.
    suggests = {"opening", "search"} <= {*names} and settings.of(AuditorSettings).action_gate in ("rules", "off")

    def opening(context: Any, run: Run) -> None:
        if not opens(run):
            return
        look(context, run, suggested if suggests else None)
        if suggests:
            if suggested.left_out:
                run.warn(f"{suggested.left_out} more could be proven, and are not suggested: these are the gravest.")
            words = SUGGESTED.format(claims=suggested.claims()) if suggested.findings else NOTHING
            context.append(context.wire.user_message(words))

    gates: list[Idle | WrittenDown] = [idle] if "idle" in names else []
    if suggests and opens(run):
        tool = Tool("accept_finding", suggested.accept, SCHEMA, reads_only=False, resource="audit")
        run.catalogue.replace([*run.catalogue.values(), tool])
        gates += [WrittenDown(suggested, settings.assist)] if "nudge" in names else []
    return Help(gates, gates, opening if "opening" in names else None)


def look(context: Any, run: Run, suggested: Suggested | None) -> None:
    """Make the calls of the built-in auditor that look, in its order; keep what it would write down. Without a place
    for that only the collection's fields are looked at."""
    from offline.wire.conversation import Step

    steps: tuple[Step, ...] = ()
    for _ in range(MOST_TURNS if suggested else 1):
        run.resources["audit"].asked.clear()
        run.resources["audit"].room = TURN_CHARACTERS
        calls = decided(run, steps)
        if suggested:
            suggested.add(each.arguments for each in calls if each.name == "write_finding")
        looks = [(each.name, each.arguments) for each in calls if each.name != "write_finding"]
        if not looks:
            return
        results = made_for(context, run, looks)
        steps = tuple(Step("", each.call.name, each.call.readable, each.content) for each in results)
    if suggested:
        run.notice(
            f"Looked at first were {len(run.resources['audit'].investigated)} fields; the others are the model's."
        )


def decided(run: Run, steps: Any) -> Sequence[Any]:
    """The calls that the built-in auditor makes next."""
    from offline.auditor.mind import decide
    from offline.wire.conversation import Conversation

    prompt = f"{run.prompt}\n\n{summary(run.resources['audit'], run.turns, 0, (0, 0))}"
    talk = Conversation(prompt, steps, tools=frozenset(run.catalogue))
    return decide(talk, lambda thought: None, threading.Event()).calls


class WrittenDown(Gate, Hook):
    """Once what is suggested is judged, the answer is due. An audit does not end with nothing written down while
    something is suggested: that is said once. Where it was asked for, the program then writes it all down, and says so.
    """

    def __init__(self, suggested: Suggested, assist: str) -> None:
        self._suggested, self._assist, self._told = suggested, assist, False

    def after_call(self, result: ToolResult, run: Run) -> ToolResult:
        if result.call.name == SCHEMA["name"] and result.ok:
            claims = "\n".join(f"- {finding.claim}" for finding in run.resources["audit"].findings)
            run.answer_due = f"What is written down, each with a query that proves it:\n{claims}"
            return replace(result, content=f"{result.content}\n\n{ONE_WORD}")
        return result

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        if last and run.answer_due:
            run.partial_answer = run.answer_due
        if (reply.calls and not last) or run.resources["audit"].findings or not self._suggested.findings:
            return None
        if not last and not self._told:
            self._told = True
            run.notice("The model answers, and has written nothing down; it is asked once more.")
            return LEFT.format(claims=self._suggested.claims())
        if self._assist == "finish":
            numbers = list(range(1, len(self._suggested.findings) + 1))
            call = ToolCall(f"finish_{run.turns}", "accept_finding", {"numbers": numbers})
            run.called(call)
            run_calls([call], run)
            run.warn("The model wrote nothing down; the program did, all that it found.")
        return None
