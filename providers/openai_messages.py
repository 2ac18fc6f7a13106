"""The messages of chat completions: what the person, the system and the tools say, and an earlier conversation.

A message that came over this wire goes back exactly as it came; a foreign one is built anew from what it says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agent.contracts import TEXT_RESULTS, Reply, ToolResult
from agent.run import Run
from list_functions import openai_tools
from providers.common import Message, encodable, native, result_texts, text_results

NAME = "openai"


def system_messages(text: str) -> list[Message]:
    """The system prompt stands first among the messages."""
    return [{"role": "system", "content": text}]


def user_message(text: str) -> Message:
    return {"role": "user", "content": text}


def tool_messages(results: Sequence[ToolResult], reply: Reply, remark: str = "") -> list[Message]:
    """Return the messages that answer a reply's calls: one for each, in call order. A remark follows the last result.

    Calls that stood in the text have no place where a tool message could follow; the person's role tells their results.
    """
    contents = result_texts(results, remark)
    if results[0].call.as_text:
        return [user_message(text_results(results, contents))]
    return [
        {"role": "tool", "tool_call_id": result.call.id, "content": content}
        for result, content in zip(results, contents, strict=True)
    ]


def outputs_in(message: Message) -> list[tuple[str | int, ...]]:
    """Where a message holds the text of tool results."""
    is_result = message["role"] == "tool" or message["role"] == "user" and message["content"].startswith(TEXT_RESULTS)
    return [("content",)] if is_result else []


def beside(run: Run) -> object:
    """What is sent beside the messages."""
    return openai_tools(run.catalogue)


def history(entries: Sequence[Mapping[str, Any]]) -> list[Message]:
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


def has_calls(message: Message) -> bool:
    return bool(message.get("tool_calls"))
