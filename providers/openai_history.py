"""An earlier conversation, and what a program says in a model's place, as the messages of chat completions.

A message that came over this wire goes back exactly as it came; a foreign one is built anew from what it says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from providers.common import Message, encodable, native

NAME = "openai"


def messages_of(entries: Sequence[Mapping[str, Any]]) -> list[Message]:
    """Return the messages of chat completions: a tool message for each call, directly after it."""
    messages: list[Message] = []
    ids: list[str] = []
    for number, entry in enumerate(entries):
        if entry["role"] == "user":
            messages.append({"role": "user", "content": entry["text"]})
        elif entry["role"] == "results":
            answers = zip(ids, entry["results"], strict=True)
            messages += [{"role": "tool", "tool_call_id": id, "content": encodable(r["content"])} for id, r in answers]
        else:
            message = native(entry, NAME, lambda message: message.get("tool_calls"))
            messages.append(message or model_message(entry["text"], entry["calls"], number))
            ids = [call["id"] for call in messages[-1].get("tool_calls") or ()]
    return messages


def model_message(text: str, calls: Sequence[Mapping[str, Any]], number: int | str) -> Message:
    message: Message = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {
                # An id of another wire may stand twice in the conversation, or be missing.
                "id": f"call_{number}_{index}",
                "type": "function",
                "function": {"name": call["name"], "arguments": as_text(call["arguments"])},
            }
            for index, call in enumerate(calls, 1)
        ]
    return message


def as_text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
