"""The wire of generateContent: what the person and the tools say, an earlier conversation, and reading a reply, so that
whatever a server sends becomes text, calls, usage and a finish reason.

A message that came over this wire goes back exactly as it came, thought signatures included; a foreign one is built
anew from what it says, without them: no other provider can check a signature. Google asks for signatures on the calls
of the current turn alone (ai.google.dev/gemini-api/docs/thought-signatures), and a prompt begins a new turn.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.contracts import REPEATS, TEXT_RESULTS, Reply, TokenUsage, ToolCall, ToolResult, is_cut, readable_arguments
from agent.errors import Passing, ProviderError
from agent.run import Run
from config import Settings
from list_functions import gemini_tools
from providers.common import (
    EMPTY,
    LONGEST_NAME,
    Message,
    Thoughts,
    encodable,
    minted,
    native,
    reply_of,
    result_texts,
    said_once,
    text_results,
    tokens,
    too_many,
)
from providers.failures import ANOTHER_SERVER, BLOCKED, DROPPED, NOTHING, framed

NAME = "gemini"
# What Google takes in place of a signature on a call that its model did not write (Gemini 3 answers 400 without one).
UNSIGNED = "skip_thought_signature_validator"
# ai.google.dev/api/generate-content#FinishReason
BLOCKED_FOR = frozenset(
    ("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "MODEL_ARMOR")
)
FAULTS = {
    "MALFORMED_FUNCTION_CALL": "Your last function call was malformed and could not be read. Make it again: one "
    "function call with a plain JSON object of arguments, no code.",
    "UNEXPECTED_TOOL_CALL": "You called a tool that was not offered. Use only the tools that you were given, or answer "
    "in plain text.",
}


def system_messages(text: str) -> list[Message]:
    """The system prompt does not stand among the messages here; each request has a place of its own for it."""
    return []


def drawn_by(settings: Settings) -> dict[str, dict[str, Any]]:
    """The seed and the temperature of a reply, as the field of a request; nothing where neither is set."""
    told = {"seed": settings.llm_seed, "temperature": settings.gemini_temperature}
    config = {name: value for name, value in told.items() if value is not None}
    return {"generationConfig": config} if config else {}


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


def read_reply(chunks: Iterable[Any], run: Run, most_thoughts: int) -> Reply:
    """Read one streamed reply to its end, telling `run` of text as it comes.

    Parts go back into the history as they came, thought signatures included: a part that is rebuilt loses its
    signature, and the next request is refused (dify-official-plugins#2088). Only neighbouring pieces of plain text,
    which have none, are put together again. Nothing of a reply is used before it is whole. Raises Passing when it broke
    off, held nothing or thought for more than `most_thoughts` characters, ProviderError when it was blocked.
    """
    parts: list[dict[str, Any]] = []
    usage, finish_reason = TokenUsage(), ""
    headers: Mapping[str, str] = {}
    thoughts = Thoughts(most_thoughts, run)
    for chunk in chunks:
        headers = (chunk.sdk_http_response.headers if chunk.sdk_http_response else None) or headers
        if chunk.usage_metadata is not None:
            usage = read_usage(chunk.usage_metadata)
        if chunk.prompt_feedback is not None and chunk.prompt_feedback.block_reason is not None:
            raise ProviderError(BLOCKED.format(reason=plain(chunk.prompt_feedback.block_reason)))
        if not chunk.candidates:
            continue
        candidate = chunk.candidates[0]
        finish_reason = plain(candidate.finish_reason) or finish_reason
        for part in (candidate.content.parts if candidate.content else None) or ():
            add_part(parts, as_it_came(part))
            if part.text:
                (thoughts.add if part.thought else thoughts.add_text)(part.text)
                (run.thought if part.thought else run.text)(part.text)
        if thoughts.repeats:
            said = next(part for part in reversed(parts) if "text" in part)
            said["text"], finish_reason = said_once(said["text"], run), REPEATS
            break
    if finish_reason in BLOCKED_FOR:
        raise ProviderError(BLOCKED.format(reason=finish_reason))
    if not parts and not finish_reason:
        raise Passing(NOTHING, advice=ANOTHER_SERVER, attempts=2)
    if not finish_reason and not framed({name.lower(): value for name, value in headers.items()}):
        raise Passing(DROPPED)
    return build_reply(parts, usage, finish_reason, run)


def as_it_came(part: Any) -> dict[str, Any]:
    """Return a part in the words of the wire. The SDK would write bytes in the alphabet for addresses; Google uses the
    plain one, and what it gets back should be what it sent."""
    wire: dict[str, Any] = part.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"thought_signature"})
    if part.thought_signature is not None:
        wire["thoughtSignature"] = base64.b64encode(part.thought_signature).decode()
    return wire


def add_part(parts: list[dict[str, Any]], part: dict[str, Any]) -> None:
    """Append a part, or lengthen the text part before it when both are plain pieces of the same text."""
    plain = {"text", "thought"}
    if parts and "text" in part and part.keys() <= plain and parts[-1].keys() == part.keys():
        parts[-1]["text"] += part["text"]
    elif part:
        parts.append(part)


def build_reply(parts: list[dict[str, Any]], usage: TokenUsage, finish_reason: str, run: Run) -> Reply:
    """Mint the ids that are missing or stand twice; what goes back into the history is left alone."""
    text = encodable("".join(part["text"] for part in parts if "text" in part and not part.get("thought")))
    asked = [part["functionCall"] for part in parts if "functionCall" in part]
    fault = too_many(asked) or FAULTS.get(finish_reason, "")
    if too_many(asked):
        parts, asked = [part for part in parts if "functionCall" not in part], []
    calls = [
        ToolCall(
            id,
            encodable(call.get("name", ""))[:LONGEST_NAME],
            call.get("args", {}),
            cut=is_cut(finish_reason) and call is asked[-1],
        )
        for id, call in zip(minted([call.get("id") or "" for call in asked], run.turns), asked, strict=True)
    ]
    message = {"role": "model", "parts": parts or [{"text": EMPTY}]}
    return reply_of(text, calls, usage, finish_reason, message, run, fault)


def read_usage(counted: Any) -> TokenUsage:
    """Thoughts are written by the model too, and paid for."""
    each = (tokens(counted.candidates_token_count), tokens(counted.thoughts_token_count))
    written = [count for count in each if count is not None]
    return TokenUsage(tokens(counted.prompt_token_count), sum(written) if written else None)


def plain(reason: Any) -> str:
    return "" if reason is None else str(getattr(reason, "value", reason))
