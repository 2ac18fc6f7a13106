"""What a scripted model says: steps that mean the same on both wires, and some that only one of them can say.

`say`, `call`, `fail` and the others make a step; `events` sends what one wire alone can say.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

OPENAI, GEMINI = "openai", "gemini"
MODEL = "glassbox-scripted"
ABSENT = object()


@dataclass(frozen=True)
class Call:
    """A call that the scripted model makes. Arguments may be data, or text that goes over the wire as it is; an `id`
    may be given, be None, or "missing". A `signature` is Gemini's alone."""

    name: str
    arguments: Any = field(default_factory=dict)
    id: Any = ABSENT
    signature: str = ""

    def openai(self, index: int, minted: str) -> dict[str, Any]:
        arguments = self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)
        given = {"id": minted} if self.id is ABSENT else {} if self.id == "missing" else {"id": self.id}
        return {
            "index": index,
            **given,
            "type": "function",
            "function": {"name": self.name, "arguments": arguments},
        }

    def gemini(self) -> dict[str, Any]:
        given = {} if self.id in (ABSENT, "missing") else {"id": self.id}
        signed = {"thoughtSignature": base64.b64encode(self.signature.encode()).decode()} if self.signature else {}
        return {"functionCall": {**given, "name": self.name, "args": self.arguments}, **signed}


@dataclass(frozen=True)
class Step:
    """What one request gets: the events of a stream for each wire (put together where nobody asked for a stream), or
    one document with a status. `ending` is "whole", "drop" (a reset), "stall" or "close" (no framing, it just ends).
    """

    events: dict[str, list[Any]] = field(default_factory=dict)
    document: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    ending: str = "whole"


Script = Sequence[Step] | Callable[[str, dict[str, Any]], Step]


def say(text: str, *, thought: str = "", finish: str = "stop", usage: Any = (100, 10)) -> Step:
    return call(text=text, thought=thought, finish=finish, usage=usage)


def call(*calls: Call, text: str = "", thought: str = "", finish: str | None = None, usage: Any = (100, 10)) -> Step:
    """A reply with text, thoughts and calls; `finish` in OpenAI's words, `usage` as tokens in and out."""
    finish = finish if finish is not None else "tool_calls" if calls else "stop"
    return Step({OPENAI: openai_events(calls, text, thought, finish, usage),
                 GEMINI: gemini_events(calls, text, thought, finish, usage)})  # fmt: skip


def openai_events(calls: Sequence[Call], text: str, thought: str, finish: str, usage: Any) -> list[Any]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": thought}] if thought else []
    deltas += [{"content": piece} for piece in text.splitlines(keepends=True)]
    deltas += [{"tool_calls": [each.openai(index, f"id_{index}")]} for index, each in enumerate(calls)]
    chunks = [chunk(delta) for delta in deltas] + [chunk({}, finish)]
    if usage:
        counted = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        chunks.append({**chunk({}), "choices": [], "usage": counted})
    return [*chunks, "[DONE]"]


def chunk(delta: Any, finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": MODEL, "choices": [choice]}


def gemini_events(calls: Sequence[Call], text: str, thought: str, finish: str, usage: Any) -> list[Any]:
    parts: list[dict[str, Any]] = [{"text": thought, "thought": True}] if thought else []
    parts += [{"text": piece} for piece in text.splitlines(keepends=True)]
    parts += [each.gemini() for each in calls]
    last = {"length": "MAX_TOKENS"}.get(finish, "STOP")
    chunks = [candidate([part]) for part in parts] or [candidate([])]
    if finish:
        chunks[-1]["candidates"][0]["finishReason"] = last
    if usage:
        chunks[-1]["usageMetadata"] = {
            "promptTokenCount": usage[0],
            "candidatesTokenCount": usage[1],
            "totalTokenCount": sum(usage),
        }
    return chunks


def candidate(parts: list[Any], finish: str | None = None) -> dict[str, Any]:
    reason = {"finishReason": finish} if finish else {}
    return {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0, **reason}]}


def events(**by_wire: list[Any]) -> Step:
    """A stream in one wire's own words; an event that is a text is sent as it is."""
    return Step(dict(by_wire))


def document(body: Any, content_type: str = "application/json", status: int = 200, **headers: str) -> Step:
    return Step(document=body, status=status, headers={"Content-Type": content_type, **headers})


def fail(status: int, message: str, details: Sequence[Any] = (), **headers: str) -> Step:
    """An error in the shape that both wires share: `{"error": {"code", "message", "status", "details"}}`."""
    error = {"code": status, "message": message, "status": "FAILED", "details": list(details)}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return document({"error": error}, status=status, **named)


def ends(step: Step, ending: str, keep: int | None = None) -> Step:
    """The same step, which ends another way, after its first `keep` events."""
    kept = {wire: sent[:keep] if keep is not None else sent for wire, sent in step.events.items()}
    return replace(step, events=kept, ending=ending)


def whole(step: Step, wire: str) -> Step:
    """The same reply as one document, for a request that asked for no stream."""
    sent = [event for event in step.events.get(wire, []) if isinstance(event, dict)]
    if wire == GEMINI:
        parts = [part for event in sent for part in event["candidates"][0]["content"]["parts"]]
        one = {**candidate(parts), **last_of(sent, "usageMetadata")}
        one["candidates"][0]["finishReason"] = sent[-1]["candidates"][0].get("finishReason", "STOP")
        return document(one)
    choices = [choice for event in sent for choice in event["choices"]]
    calls = [each for choice in choices for each in choice["delta"].get("tool_calls", ())]
    text = "".join(choice["delta"].get("content") or "" for choice in choices)
    message = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
    finish = next((choice["finish_reason"] for choice in choices if choice["finish_reason"]), "stop")
    one = {**chunk({}), "object": "chat.completion", **last_of(sent, "usage")}
    return document({**one, "choices": [{"index": 0, "message": message, "finish_reason": finish}]})


def last_of(sent: Sequence[dict[str, Any]], key: str) -> dict[str, Any]:
    """The last event's value under a key, where one has it."""
    return next(({key: event[key]} for event in reversed(sent) if key in event), {})
