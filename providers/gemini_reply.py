"""Reading a reply on the Gemini wire: whatever a server sends becomes text, calls, usage and a finish reason."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

from agent.contracts import Passing, ProviderError, Reply, TokenUsage, ToolCall, is_cut
from agent.run import Run
from providers.common import EMPTY, LONGEST_NAME, Thoughts, encodable, minted, reply_of, tokens, too_many
from providers.failures import ANOTHER_SERVER, BLOCKED, DROPPED, NOTHING, framed

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
