"""What goes to and fro in a run of the learner's agent: told as it happens, and kept for the trace player.

A step is one arrow of the drawing (lessons/diagram.py): `from`, `to`, what was `called`, and what it `got`, which is ""
while that is awaited; under an `id`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

Ask = Callable[..., dict[str, Any]]
Step = dict[str, str]
LONGEST = 4000  # characters of what a step shows


class Recorded:
    """A model, asked by the agent whose part is `name`. `hear` is given each step, begun and again with what it got,
    `replied` each reply under its number."""

    def __init__(
        self,
        name: str,
        prompt: str,
        ask: Ask,
        hear: Callable[[Step], object],
        replied: Callable[[int, dict[str, Any]], object],
    ) -> None:
        self.name, self.prompt, self._ask, self._hear, self._replied = name, prompt, ask, hear, replied
        self._began, self._steps, self._turns = time.monotonic(), 0, list[dict[str, Any]]()
        self._task = self._step({"from": "person", "to": name, "called": prompt, "got": ""})

    def __call__(self, messages: list[dict[str, Any]], menu: list[dict[str, Any]], *more: Any) -> dict[str, Any]:
        self._results(messages)
        turn: dict[str, Any] = {"at": self._now(), "sent": messages, "tools": menu, "calls": []}
        number, last = len(self._turns) + 1, messages[-1]
        said = f"Request {number}: {len(messages)} messages, {len(menu)} tools. The last message, {last['role']}:\n"
        step = self._step({"from": self.name, "to": "model", "called": said + told(last), "got": ""})
        reply = self._ask(messages, menu, *more)
        turn.update(replied_at=self._now(), reply={key: reply[key] for key in reply if key != "raw"})
        self._turns.append(turn)
        self._hear({**step, "got": told(reply)[:LONGEST] or "(nothing)"})
        self._replied(number, reply)
        return reply

    def _results(self, messages: list[dict[str, Any]]) -> None:
        """What the calls of the last reply gave stands at the end of the next request."""
        calls = {call["id"]: call for call in self._turns[-1]["reply"].get("tool_calls") or ()} if self._turns else {}
        asked = [place for place, message in enumerate(messages) if message["role"] == "assistant"]
        for message in messages[asked[-1] + 1 :] if asked else ():
            if message["role"] != "tool" or message.get("tool_call_id") not in calls:
                continue
            call, content = calls.pop(message["tool_call_id"]), str(message.get("content"))
            times = {"start": self._turns[-1]["replied_at"], "end": self._now()}
            ok = not content.startswith("Error")
            self._turns[-1]["calls"].append({"id": call["id"], "ok": ok, "content": content, **times})
            step = {"from": self.name, "to": "dispatch", "called": called(call), "got": content or "(nothing)"}
            self._step(step)

    def _step(self, step: Step) -> Step:
        self._steps += 1
        step = {"id": str(self._steps), **{key: text[:LONGEST] for key, text in step.items()}}
        self._hear(step)
        return step

    def answered(self, answer: str) -> None:
        self._hear({**self._task, "got": answer[:LONGEST]})

    def recording(self, answer: str, ended: str = "answered") -> dict[str, Any]:
        """For lessons/player.py, with `done_by` beside it; `ended` as agent/contracts.py names it."""
        return {"prompt": self.prompt, "answer": answer, "ended": ended, "turns": self._turns}

    def _now(self) -> float:
        return time.monotonic() - self._began


def done_by(file: str, model: str, tools: str = "") -> dict[str, Any]:
    """Of a run of the learner's agent, for the trace player: its model, and of each kind of step who did it. `tools` is
    a sentence, where there is more to say of them."""
    told = {
        "you": f"{file} put this message into its list.",
        "model": f"{file} sent its list, and appended the reply as it came: that of {model}.",
        "call": f"{file} had the call run, and put the result where the model looks for it. {tools}".strip(),
        "answer": f"The reply asks for no call: {file} ended here, and returned the text as its answer.",
    }
    return {"model": model, "told": told}


def told(message: dict[str, Any]) -> str:
    """A message in a few lines: its text, and each call."""
    calls = [f"+ {called(call)}" for call in message.get("tool_calls") or ()]
    return "\n".join([*filter(None, [str(message.get("content") or "")]), *calls])


def called(call: dict[str, Any]) -> str:
    """A call as one would write it in Python, where its arguments are what they should be."""
    name, raw = call["function"]["name"], call["function"]["arguments"]
    try:
        arguments = json.loads(raw or "{}")
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
    except (ValueError, AttributeError, TypeError):
        return f"{name} {raw}"
