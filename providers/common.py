"""What both wires share beside their loops: results and calls that stand in text, and texts that no wire can carry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.contracts import TEXT_RESULTS, ToolCall, ToolResult, is_cut

if TYPE_CHECKING:
    from ssl import SSLContext

EMPTY = "(empty)"  # a model's message without anything is refused by some prompt templates

Message = dict[str, Any]


def calls_in_text(found: Sequence[tuple[str, Any]], finish_reason: str, turn: int) -> list[ToolCall]:
    """Return calls that were written as text; they stay text in the history."""
    last = len(found) if is_cut(finish_reason) else 0
    return [
        ToolCall(f"text_{turn}_{number}", name, arguments, as_text=True, cut=number == last)
        for number, (name, arguments) in enumerate(found, 1)
    ]


def result_texts(results: Sequence[ToolResult], remark: str) -> list[str]:
    """The contents of a turn's results as they can be sent; a remark follows the last."""
    contents = [encodable(result.content) for result in results]
    if remark:
        contents[-1] = f"{contents[-1]}\n\n{remark}"
    return contents


def text_results(results: Sequence[ToolResult], contents: Sequence[str]) -> str:
    named = [f"{result.call.name}:\n{content}" for result, content in zip(results, contents, strict=True)]
    return "\n\n".join([TEXT_RESULTS, *named])


def encodable(text: str) -> str:
    """Replace lone surrogates, which JSON can spell and UTF-8 cannot carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def trusting_nobody() -> SSLContext:
    """TLS settings with no certificates, for a connection that needs none: loading those of the machine costs 17 ms.

    Should such a connection meet TLS after all, by a redirect, it ends: no server's certificate is believed.
    """
    from ssl import PROTOCOL_TLS_CLIENT, SSLContext

    return SSLContext(PROTOCOL_TLS_CLIENT)


def native(entry: Mapping[str, Any], wire: str, calls_in: Callable[[Message], Any]) -> Message | None:
    """The message as it came over this wire; None when it came over another, or holds other calls than were made."""
    kept = entry.get("native") or {}
    if kept.get("wire") != wire or len(calls_in(kept["message"]) or ()) != len(entry["calls"]):
        return None
    return kept["message"]
