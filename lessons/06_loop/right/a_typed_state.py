from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dispatch import call_tool
from messages import start

Message = dict[str, Any]


@dataclass(frozen=True)
class Seen:
    name: str
    arguments: str
    result: str


@dataclass
class State:
    messages: list[Message]
    seen: list[Seen] = field(default_factory=list)
    stopped: str | None = None


def execute(state: State, call: Message) -> None:
    entry = Seen(
        **call["function"],
        result=call_tool(**{"name": call["function"]["name"], "raw_arguments": call["function"]["arguments"]}),
    )
    state.seen.append(entry)
    state.messages.append({"role": "tool", "tool_call_id": call["id"], "content": entry.result})
    if state.seen.count(entry) >= 3:
        state.stopped = f"Stopped: {entry.name} was called with the same arguments, and gave the same, three times."


def run(model: Callable[[list[Message]], Message], task: str, max_turns: int) -> str:
    state = State(start("You are a careful coding agent.", task))
    for _ in range(max_turns):
        reply = model(state.messages)
        state.messages.append(reply)
        calls: list[Message] = reply.get("tool_calls", []) or []
        if not calls:
            return str(reply["content"])
        for call in calls:
            execute(state, call)
        if state.stopped is not None:
            return state.stopped
    return f"Stopped: {max_turns} turns are over."
