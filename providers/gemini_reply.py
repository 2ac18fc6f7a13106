"""Reading a reply on the Gemini wire: whatever a server streams becomes text, calls, usage and a finish reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agent.run import Reply, Run, TokenUsage, ToolCall, ToolResult
from providers.openai_reply import encodable


def read_reply(chunks: Iterable[Any], run: Run) -> Reply:
    """Read the chunks of one streamed reply, telling `run` of text as it comes.

    Parts go back into the history as they came, thought signatures included: a part that is rebuilt loses its
    signature, and the next request is refused (dify-official-plugins#2088). Only neighbouring pieces of plain text,
    which have none, are put together again. Calls without an id get one for this program's own use.
    """
    parts: list[dict[str, Any]] = []
    usage, finish_reason = TokenUsage(), ""
    for chunk in chunks:
        if chunk.usage_metadata is not None:
            counted = chunk.usage_metadata
            usage = TokenUsage(counted.prompt_token_count, counted.candidates_token_count)
        if not chunk.candidates:
            continue
        candidate = chunk.candidates[0]
        if candidate.finish_reason is not None:
            finish_reason = str(getattr(candidate.finish_reason, "value", candidate.finish_reason))
        for part in (candidate.content.parts if candidate.content else None) or ():
            add_part(parts, part.model_dump(mode="json", by_alias=True, exclude_none=True))
            if part.text:
                (run.thought if part.thought else run.text)(part.text)
    return build_reply(parts, usage, finish_reason, run.turns)


def add_part(parts: list[dict[str, Any]], part: dict[str, Any]) -> None:
    """Append a part, or lengthen the text part before it when both are plain pieces of the same text."""
    plain = {"text", "thought"}
    if parts and "text" in part and part.keys() <= plain and parts[-1].keys() == part.keys():
        parts[-1]["text"] += part["text"]
    elif part:
        parts.append(part)


def build_reply(parts: list[dict[str, Any]], usage: TokenUsage, finish_reason: str, turn: int) -> Reply:
    """Mint the ids that are missing or stand twice; what goes back into the history is left alone."""
    text = "".join(part["text"] for part in parts if "text" in part and not part.get("thought"))
    calls: list[ToolCall] = []
    for number, call in enumerate((part["functionCall"] for part in parts if "functionCall" in part), 1):
        taken = {other.id for other in calls}
        given = call.get("id")
        unique = given if given and given not in taken else f"call_{turn}_{number}"
        calls.append(ToolCall(unique, call.get("name", ""), call.get("args", {})))
    return Reply(encodable(text), tuple(calls), usage, finish_reason, {"role": "model", "parts": parts})


def tool_message(results: Sequence[ToolResult], reply: Reply) -> dict[str, Any]:
    """Return the one message that answers all calls of a turn: role `user`, a response for each call, in call order.

    A response carries an id only where the server gave the call one.
    """
    asked = [part["functionCall"] for part in reply.message["parts"] if "functionCall" in part]
    responses = []
    for call, result in zip(asked, results, strict=True):
        named = {"id": call["id"]} if call.get("id") else {}
        key = "result" if result.ok else "error"
        responses.append(
            {"functionResponse": {**named, "name": result.call.name, "response": {key: encodable(result.content)}}}
        )
    return {"role": "user", "parts": responses}
