"""The messages of generateContent: what the person and the tools say, and an earlier conversation.

A message that came over this wire goes back exactly as it came, thought signatures included; a foreign one is built
anew from what it says, without them: no other provider can check a signature. Google asks for signatures on the calls
of the current turn alone (ai.google.dev/gemini-api/docs/thought-signatures), and a prompt begins a new turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.contracts import TEXT_RESULTS, Reply, ToolResult, readable_arguments
from agent.run import Run
from list_functions import gemini_tools
from providers.common import Message, encodable, native, result_texts, text_results

NAME = "gemini"
# What Google takes in place of a signature on a call that its model did not write (Gemini 3 answers 400 without one).
UNSIGNED = "skip_thought_signature_validator"


def system_messages(text: str) -> list[Message]:
    """The system prompt does not stand among the messages here; each request has a place of its own for it."""
    return []


def user_message(text: str) -> Message:
    return {"role": "user", "parts": [{"text": text}]}


def tool_messages(results: Sequence[ToolResult], reply: Reply, remark: str = "") -> list[Message]:
    """Return the one message that answers all calls of a turn: role `user`, a response for each call, in call order. A
    remark follows the last result.

    A response carries an id only where the server gave the call one. Calls that stood in the text have no call part
    that a response could belong to; their results are told in words.
    """
    contents = result_texts(results, remark)
    if results[0].call.as_text:
        return [user_message(text_results(results, contents))]
    asked = [part["functionCall"] for part in reply.message["parts"] if "functionCall" in part]
    responses = []
    for call, result, content in zip(asked, results, contents, strict=True):
        named = {"id": call["id"]} if call.get("id") else {}
        response = {"result" if result.ok else "error": content}
        responses.append({"functionResponse": {**named, "name": call.get("name", ""), "response": response}})
    return [{"role": "user", "parts": responses}]


def outputs_in(message: Message) -> list[tuple[str | int, ...]]:
    """Where a message holds the text of tool results."""
    if message["parts"][0].get("text", "").startswith(TEXT_RESULTS):
        return [("parts", 0, "text")]
    return [
        ("parts", index, "functionResponse", "response", key)
        for index, part in enumerate(message["parts"])
        for key in part.get("functionResponse", {}).get("response", {})
    ]


def beside(run: Run) -> object:
    """What is sent beside the messages."""
    return [run.system_prompt, gemini_tools(run.catalogue)]


def history(entries: Sequence[Mapping[str, Any]]) -> list[Message]:
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
            messages.append(native(entry, NAME, function_calls) or gemini_message(entry))
            asked = function_calls(messages[-1])
    return messages


def gemini_message(entry: Mapping[str, Any]) -> Message:
    calls = [{"functionCall": {"name": call["name"], "args": call["arguments"]}} for call in entry["calls"]]
    text = [{"text": entry["text"]}] if entry["text"] or not calls else []
    return {"role": "model", "parts": [*text, *calls]}


def model_message(text: str, calls: Sequence[Mapping[str, Any]], number: int | str) -> Message:
    """What another than Google's model said, in the turn that is under way: there each first call bears a signature."""
    readable = [{**call, "arguments": mapping(call["arguments"])} for call in calls]
    message = gemini_message({"text": text, "calls": readable})
    for part in [part for part in message["parts"] if "functionCall" in part][:1]:
        part["thoughtSignature"] = UNSIGNED
    return message


def mapping(arguments: Any) -> Any:
    readable = readable_arguments(arguments)
    return readable if isinstance(readable, dict) else {}


def has_calls(message: Message) -> bool:
    return bool(function_calls(message))


def function_calls(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [part["functionCall"] for part in message["parts"] if "functionCall" in part]


def response(call: Mapping[str, Any], result: Mapping[str, Any]) -> Message:
    """A response carries an id only where the call had one."""
    named = {"id": call["id"]} if call.get("id") else {}
    key = "result" if result["ok"] else "error"
    return {
        "functionResponse": {**named, "name": result["name"], "response": {key: encodable(result["content"])}},
    }
