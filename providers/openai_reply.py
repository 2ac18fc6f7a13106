"""Reading a reply on the OpenAI wire: whatever a server streams becomes text, calls, usage and a finish reason."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent.run import Reply, Run, TokenUsage, ToolCall
from call_functions import parse_arguments


def read_reply(chunks: Iterable[Any], run: Run) -> Reply:
    """Read the chunks of one streamed chat completion, telling `run` of text as it comes.

    The deltas of a call carry an `index`; its id and name come once, its arguments in pieces, and the pieces of several
    calls may be interleaved. Ids that are missing or stand twice in the message are minted here, before the message
    enters the history.
    """
    text: list[str] = []
    calls: dict[int, dict[str, str]] = {}
    usage, finish_reason = TokenUsage(), ""
    for chunk in chunks:
        if chunk.usage is not None:
            usage = TokenUsage(chunk.usage.prompt_tokens, chunk.usage.completion_tokens)
        if not chunk.choices:
            continue
        choice = chunk.choices[0]
        finish_reason = choice.finish_reason or finish_reason
        delta = choice.delta
        if delta is None:
            continue
        if thought := getattr(delta, "reasoning_content", None):
            run.thought(thought)
        if delta.content:
            text.append(delta.content)
            run.text(delta.content)
        for piece in delta.tool_calls or ():
            call = calls.setdefault(piece.index or 0, {"id": "", "name": "", "arguments": ""})
            call["id"] = call["id"] or piece.id or ""
            if piece.function:
                call["name"] += piece.function.name or ""
                call["arguments"] += piece.function.arguments or ""
    return build_reply("".join(text), [calls[index] for index in sorted(calls)], usage, finish_reason, run.turns)


def build_reply(text: str, raw: list[dict[str, str]], usage: TokenUsage, finish_reason: str, turn: int) -> Reply:
    """Mint the ids that are missing or stand twice, and build the message that goes back into the history."""
    text = encodable(text)
    calls: list[ToolCall] = []
    for number, call in enumerate(raw, 1):
        taken = {other.id for other in calls}
        unique = call["id"] if call["id"] and call["id"] not in taken else f"call_{turn}_{number}"
        calls.append(ToolCall(unique, encodable(call["name"]), encodable(call["arguments"])))
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json_arguments(call)},
            }
            for call in calls
        ]
    return Reply(text, tuple(calls), usage, finish_reason, message)


def json_arguments(call: ToolCall) -> str:
    """Arguments as they go back: llama.cpp's server answers 500 when they are not a JSON object."""
    try:
        return str(call.arguments) if parse_arguments(call.arguments) else "{}"
    except ValueError:
        return "{}"


def encodable(text: str) -> str:
    """Replace lone surrogates, which JSON can spell and UTF-8 cannot carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def tool_message(call: ToolCall, content: str) -> dict[str, Any]:
    """Return the message that answers one call."""
    return {"role": "tool", "tool_call_id": call.id, "content": encodable(content)}
