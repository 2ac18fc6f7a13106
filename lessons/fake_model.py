"""The scripted model as the lessons need it: it says what its script says, records what it was sent, and refuses what
the real servers refuse.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from offline.script import GEMINI, MODEL, Call, Step, call, fail
from offline.scripted import serving

__all__ = ["MODEL", "FakeModel", "Say", "serve"]


@dataclass(frozen=True)
class Say:
    """One scripted reply: a text, and the calls that go with it as (tool, arguments)."""

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()

    def step(self, turn: int) -> Step:
        """The reply on either wire; on Gemini's the first call carries a thought signature, as Google's do."""
        calls = [
            Call(name, arguments, f"call_{turn}_{number}") for number, (name, arguments) in enumerate(self.calls, 1)
        ]
        return call(*calls, text=self.text, usage=(1, 1))

    def gemini_step(self, turn: int) -> Step:
        signed = [f"signature of turn {turn}", *[""] * len(self.calls)]
        calls = [Call(*each, "missing", signature) for each, signature in zip(self.calls, signed, strict=False)]
        return call(*calls, text=self.text, usage=(1, 1))


Script = Sequence[Say] | Callable[[dict[str, Any]], Say]


@dataclass
class FakeModel:
    """What the model has heard so far: the body of each request, in order."""

    script: Script
    address: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)

    def step(self, wire: str, body: dict[str, Any]) -> Step:
        self.requests.append(body)
        if problem := (gemini_problem if wire == GEMINI else openai_problem)(body):
            return fail(400, problem)
        turn = len(self.requests)
        if callable(self.script):
            said = self.script(body)
        else:
            said = self.script[turn - 1] if turn <= len(self.script) else Say("I have nothing more to say.")
        return said.gemini_step(turn) if wire == GEMINI else said.step(turn)


@contextlib.contextmanager
def serve(script: Script) -> Iterator[FakeModel]:
    """Serve a script in the background until the block ends."""
    model = FakeModel(script)
    with serving(script=model.step) as server:
        model.address = server.address
        yield model


def openai_problem(body: dict[str, Any]) -> str:
    """What a chat completions server would refuse about the messages, or "". Rule: each call is answered directly."""
    waiting: list[str] = []
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        return "'messages' must be a list of objects"
    for message in messages:
        if message.get("role") == "tool":
            if message.get("tool_call_id") not in waiting:
                return "a message with role 'tool' must answer a call of the message before it"
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            break
        waiting = [call["id"] for call in message.get("tool_calls") or ()]
    if waiting:
        return f"the calls {', '.join(waiting)} have no message with role 'tool' that answers them"
    return "" if messages else "there are no messages"


def gemini_problem(body: dict[str, Any]) -> str:
    """What Google's server would refuse about the contents, or "". The texts are shaped after its own."""
    waiting = 0
    for content in body.get("contents") or []:
        parts = content.get("parts") or []
        calls = [part for part in parts if "functionCall" in part]
        responses = sum("functionResponse" in part for part in parts)
        if content.get("role") not in ("user", "model"):
            return f"Please use a valid role: user, model. (it was {content.get('role')!r})"
        if responses != waiting:
            return (
                "Please ensure that the number of function response parts is equal to the number of function call "
                f"parts of the function call turn. (calls: {waiting}, responses in the next content: {responses})"
            )
        if calls and not any(part.get("thoughtSignature") for part in calls):
            return f"Function call {calls[0]['functionCall'].get('name')!r} is missing a thought_signature."
        waiting = len(calls)
    return "" if body.get("contents") else "contents is not specified"
