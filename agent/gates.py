"""What must be true before a call runs and before an answer is taken: small values of a run, as its limits are.

What a gate objects to is told to the model; where that does not help, the run fails with a clear line, or the answer is
taken and its summary says what is wrong with it. What only watches is a Hook (agent/setup.py).
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from agent.contracts import NOTE, Reply, ToolCall, is_cut
from agent.errors import ProviderError
from agent.run import Run
from functions.tool import Catalogue

DOCUMENTATION = frozenset((".md", ".rst", ".txt"))
OBJECT = re.compile(r"\s*(?:```\w*\s*)?(\{.*\})\s*(?:```)?\s*", re.DOTALL)  # alone, in a fence or without
PUSH_BACKS = 2

EMPTY = "Your reply was empty. Go on with a tool call, or give your answer in plain text."
EMPTY_AGAIN = (
    "The model replies with nothing, twice in a row. Try again, load another model, or raise its context length or "
    "LMSTUDIO_MAX_TOKENS: a model that thinks for long can use them up before it answers."
)
FAULTY_AGAIN = (
    "The model wrote a tool call that this program cannot read, twice in a row. Try again, or load a model with tool "
    "support (LM Studio marks them with a hammer)."
)
UNVERIFIED = (
    "You changed {files} and have not run anything since. Before you answer, run {tools}, and look at what comes out."
)
NOT_VERIFIED = "Not verified: {files} changed, and nothing was run or tested after that."
CUT = "The answer is cut: the reply hit the token limit."


class Gate:
    """Looks at a run at two places, and objects at neither of them unless it is made to."""

    def action(self, call: ToolCall, run: Run) -> str | None:
        """Why a call is not run, which becomes its result; None when it may be."""
        return None

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        """What the model is told instead of its reply being taken; None when it may be. On the last turn an
        objection costs a request more, so it comes once at most. Raises ProviderError when one has not helped."""
        return None


def objection(reply: Reply, run: Run, *, last: bool) -> str | None:
    """Return what the first gate that objects to a reply has to say, marked as this program's words; None when none
    does."""
    said = (gate.reply(reply, run, last=last) for gate in run.gates)
    return next((f"{NOTE}{words}" for words in said if words), None)


class Substance(Gate):
    """A reply says something, in text or in calls that can be read. An answer that was cut at the token limit is taken,
    and said to be cut."""

    def __init__(self) -> None:
        self._in_a_row = 0

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        if (last or not reply.calls) and reply.text.strip() and is_cut(reply.finish_reason):
            run.warn(CUT)
        if last:
            if run.answer_due:
                said = "" if reply.calls else unwrapped(reply.text, run.prompt)
                if not said or said != reply.text.strip():
                    run.partial_answer = said or run.answer_due  # a call is no answer, and nothing is none either
            return None
        if reply.calls:
            self._in_a_row = 0
            return None
        return self._once_more(reply) if reply.fault or not reply.text.strip() else None

    def _once_more(self, reply: Reply) -> str:
        self._in_a_row += 1
        if self._in_a_row > 1:
            raise ProviderError(FAULTY_AGAIN if reply.fault else EMPTY_AGAIN)
        return reply.fault or EMPTY


def unwrapped(text: str, prompt: str) -> str:
    """An answer without the JSON that a small model puts around it, `{"result": "..."}`, or "" where that is a call
    which says nothing. Whose prompt speaks of JSON gets what the model wrote."""
    whole = OBJECT.fullmatch(text)
    if not whole or "json" in prompt.lower():
        return text.strip()
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(whole[1])
        called = "name" in value and isinstance(value.get("arguments"), dict)
        inner = list((value["arguments"] if called else value).values())
        if len(inner) == 1 and isinstance(inner[0], str):
            return inner[0].strip()
        if called:
            return ""
    return text.strip()


class Verified(Gate):
    """What was changed has been run or tested since."""

    def __init__(self) -> None:
        self._push_backs = 0

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        files = "" if reply.calls and not last else ", ".join(unverified(run.trajectory, run.catalogue))
        if not files:
            return None
        if last or self._push_backs >= PUSH_BACKS:
            run.warn(NOT_VERIFIED.format(files=files))
            return None
        self._push_backs += 1
        run.notice(f"{files} changed and was not run or tested since; the model is told so.")
        tools = " or ".join(name for name, tool in run.catalogue.items() if tool.verifies)
        return UNVERIFIED.format(files=files, tools=tools)


def unverified(trajectory: Sequence[Mapping[str, Any]], catalogue: Catalogue) -> list[str]:
    """Return the paths that were changed and that nothing has run or tested since; documentation needs none."""
    changed: dict[str, None] = {}
    for entry in trajectory:
        tool = catalogue.ever.get(entry["name"])
        if tool is None or entry["status"] != "completed":
            continue
        if tool.verifies:
            changed.clear()
        elif tool.changes_files:
            changed[tool.path_in(entry["arguments"])] = None
    return [path for path in changed if path and PurePosixPath(path).suffix.lower() not in DOCUMENTATION]
