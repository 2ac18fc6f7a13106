"""An earlier conversation, in either wire's messages.

A message that came over the same wire goes back exactly as it came, thought signatures included; a foreign one is
built anew from what it says, without them: no other provider can check a signature. Google asks for signatures on the
calls of the current turn alone (ai.google.dev/gemini-api/docs/thought-signatures), and a prompt begins a new turn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from providers.openai_reply import encodable

Message = dict[str, Any]


def openai_history(entries: Sequence[Mapping[str, Any]]) -> list[Message]:
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
            message = native(entry, "openai", lambda message: message.get("tool_calls"))
            messages.append(message or openai_message(entry, number))
            ids = [call["id"] for call in messages[-1].get("tool_calls") or ()]
    return messages


def openai_message(entry: Mapping[str, Any], number: int) -> Message:
    message: Message = {"role": "assistant", "content": entry["text"]}
    if entry["calls"]:
        message["tool_calls"] = [
            {
                # An id of another wire may stand twice in the conversation, or be missing.
                "id": f"call_{number}_{index}",
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["arguments"], ensure_ascii=False)},
            }
            for index, call in enumerate(entry["calls"], 1)
        ]
    return message


def gemini_history(entries: Sequence[Mapping[str, Any]]) -> list[Message]:
    """Return the contents of generateContent: all responses of a turn in one content of the role `user`."""
    messages: list[Message] = []
    asked: list[Mapping[str, Any]] = []
    for entry in entries:
        if entry["role"] == "user":
            messages.append({"role": "user", "parts": [{"text": entry["text"]}]})
        elif entry["role"] == "results":
            parts = [response(call, result) for call, result in zip(asked, entry["results"], strict=True)]
            messages.append({"role": "user", "parts": parts})
        else:
            messages.append(native(entry, "gemini", function_calls) or gemini_message(entry))
            asked = function_calls(messages[-1])
    return messages


def gemini_message(entry: Mapping[str, Any]) -> Message:
    calls = [{"functionCall": {"name": call["name"], "args": call["arguments"]}} for call in entry["calls"]]
    text = [{"text": entry["text"]}] if entry["text"] or not calls else []
    return {"role": "model", "parts": [*text, *calls]}


def function_calls(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [part["functionCall"] for part in message["parts"] if "functionCall" in part]


def response(call: Mapping[str, Any], result: Mapping[str, Any]) -> Message:
    """A response carries an id only where the call had one."""
    named = {"id": call["id"]} if call.get("id") else {}
    key = "result" if result["ok"] else "error"
    return {
        "functionResponse": {**named, "name": result["name"], "response": {key: encodable(result["content"])}},
    }


def native(entry: Mapping[str, Any], wire: str, calls_in: Any) -> Message | None:
    """The message as it came over this wire; None when it came over another, or holds other calls than were made."""
    kept = entry.get("native") or {}
    if kept.get("wire") != wire or len(calls_in(kept["message"]) or ()) != len(entry["calls"]):
        return None
    return kept["message"]
