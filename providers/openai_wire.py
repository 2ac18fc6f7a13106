"""The wire of chat completions: what the person, the system and the tools say, an earlier conversation, and reading a
reply, so that whatever a server sends becomes text, calls, usage and a finish reason.

A message that came over this wire goes back as its text and its calls, made valid; a foreign one is built anew from
what it says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.contracts import REPEATS, TEXT_RESULTS, Reply, TokenUsage, ToolCall, ToolResult, is_cut
from agent.errors import Passing, ProviderError
from agent.run import Run
from call_functions import parse_arguments
from list_functions import openai_tools
from providers.common import (
    EMPTY,
    LONGEST_NAME,
    Message,
    Thoughts,
    encodable,
    minted,
    reply_of,
    result_texts,
    said_once,
    text_results,
    tokens,
    too_many,
)
from providers.failures import ANOTHER_SERVER, BLOCKED, DROPPED, NOTHING, framed

if TYPE_CHECKING:
    from openai import Stream
    from openai.types.chat import ChatCompletionChunk

NAME = "openai"
Chunk = dict[str, Any]
MOST_PIECES = 1_000  # of a call whose name comes with each of them


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
    """The messages of an earlier conversation, or of one over another wire."""
    if not entries:
        return []
    from providers.openai_history import messages_of

    return messages_of(entries)


def model_message(text: str, calls: Sequence[Mapping[str, Any]], number: int | str) -> Message:
    from providers.openai_history import model_message

    return model_message(text, calls, number)


def has_calls(message: Message) -> bool:
    return bool(message.get("tool_calls"))


def read_reply(stream: Stream[ChatCompletionChunk], run: Run, most_thoughts: int) -> Reply:
    """Read one streamed chat completion to its end, telling `run` of text as it comes.

    Nothing of a reply is used before it is whole. Raises Passing when it broke off, held nothing, or thought for more
    than `most_thoughts` characters.
    """
    text: list[str] = []
    calls, thoughts = Calls(), Thoughts(most_thoughts, run)
    usage, finish_reason, anything = TokenUsage(), "", False
    for chunk in chunks_of(stream):
        usage = read_usage(chunk) or usage
        for choice in dicts(chunk.get("choices"))[:1]:
            finish_reason = str(choice.get("finish_reason") or finish_reason)
            delta = choice.get("delta") or choice.get("message") or {}
            anything = anything or bool(delta or finish_reason)
            if thought := text_of(delta.get("reasoning_content") or delta.get("reasoning")):
                thoughts.add(thought)
                run.thought(thought)
            if piece := text_of(delta.get("content")):
                thoughts.add_text(piece)
                text.append(piece)
                run.text(piece)
            for call in dicts(delta.get("tool_calls")):
                calls.add(call)
        if thoughts.repeats:
            text, finish_reason = [said_once("".join(text), run)], REPEATS
            break
    if not anything:
        raise Passing(NOTHING, advice=ANOTHER_SERVER, attempts=2)
    if not finish_reason and not framed(stream.response.headers):
        raise Passing(DROPPED)
    if finish_reason == "content_filter":
        raise ProviderError(BLOCKED.format(reason=finish_reason))
    return build_reply("".join(text), calls.whole(), usage, finish_reason, run)


def chunks_of(stream: Stream[ChatCompletionChunk]) -> Iterator[Chunk]:
    """The chunks as plain data: in the SDK's objects, what a server left out is not even an attribute."""
    if "application/json" in stream.response.headers.get("content-type", ""):  # a server that does not stream
        document = json.loads(stream.response.read())
        if isinstance(document, dict):
            yield document
        return
    for chunk in stream:
        if hasattr(chunk, "to_dict"):
            yield chunk.to_dict(warnings=False)


class Calls:
    """Puts calls together from their pieces. Pieces of several calls may be interleaved; an index tells them apart."""

    def __init__(self) -> None:
        self._raw: list[tuple[dict[str, str], list[str]]] = []  # id and name, and the pieces of the arguments
        self._places: list[int] = []  # their indexes; for a call without one, that of the call before it
        self._at: dict[Any, tuple[dict[str, str], list[str]]] = {}

    def add(self, piece: dict[str, Any]) -> None:
        sent = piece.get("function")
        function = sent if isinstance(sent, dict) else {}
        id, name, arguments = piece.get("id") or "", function.get("name") or "", function.get("arguments")
        index = piece.get("index") if isinstance(piece.get("index"), int) else None
        call = self._at.get(index)
        if call is None or self._begins_another(*call, id, name):
            call = self._at[index] = ({"id": "", "name": ""}, [])
            self._raw.append(call)
            self._places.append(index if index is not None else max(self._places, default=0))
        call[0]["id"] = call[0]["id"] or str(id)
        call[0]["name"] = call[0]["name"] or str(name)
        # Some servers send the arguments as an object instead of as a text that holds one.
        call[1].append(arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else "")

    @staticmethod
    def _begins_another(named: dict[str, str], pieces: list[str], id: str, name: str) -> bool:
        """A server that gives every call the same index, or none: a name comes once, at the beginning of a call."""
        if not name or not named["name"]:
            return False
        return id != named["id"] or len(pieces) < MOST_PIECES and is_whole("".join(pieces))

    def whole(self) -> list[dict[str, str]]:
        """The calls, whatever they are, in the order of their indexes, and of those alike as they came."""
        in_order = sorted(zip(self._places, self._raw, strict=True), key=lambda each: each[0])
        return [{**named, "arguments": "".join(pieces)} for _, (named, pieces) in in_order]


def is_whole(arguments: str) -> bool:
    try:
        return bool(arguments) and isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


def build_reply(text: str, raw: list[dict[str, str]], usage: TokenUsage, finish_reason: str, run: Run) -> Reply:
    """Mint the ids that are missing or stand twice, and build the message that goes back into the history."""
    text, fault = encodable(text), too_many(raw)
    raw = [] if fault else raw
    calls = [
        ToolCall(
            id,
            encodable(call["name"])[:LONGEST_NAME],
            encodable(call["arguments"]),
            cut=is_cut(finish_reason) and call is raw[-1],
        )
        for id, call in zip(minted([call["id"] for call in raw], run.turns), raw, strict=True)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": text if text or calls else EMPTY}
    if calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": valid_name(call.name), "arguments": json_arguments(call)},
            }
            for call in calls
        ]
    return reply_of(text, calls, usage, finish_reason, message, run, fault)


def json_arguments(call: ToolCall) -> str:
    """Arguments as they go back: llama.cpp's server answers 500 when they are not a JSON object."""
    try:
        return str(call.arguments) if parse_arguments(call.arguments) else "{}"
    except ValueError:
        return "{}"


def valid_name(name: str) -> str:
    """A name as it goes back: servers refuse a history that holds any that could not be a tool's."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] or "unknown"


def read_usage(chunk: Chunk) -> TokenUsage | None:
    """Usage stands in the last chunk, in every chunk so far, or nowhere."""
    counted = chunk.get("usage")
    if not isinstance(counted, dict):
        return None
    return TokenUsage(*(tokens(counted.get(f"{kind}_tokens")) for kind in ("prompt", "completion")))


def dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def text_of(content: Any) -> str:
    """Content is a text, null, or a list of parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in dicts(content) if isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""
