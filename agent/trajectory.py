"""A conversation folded into its trajectory, and usage in whatever shape it came: for agents that are not ours.

Our own runs keep their trajectory while they go (agent/run.py). Another agent, a recorded conversation or a benchmark
has messages; what it did is read from them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from agent.contracts import TokenUsage

# Where each provider's usage stands: input, output, total; in capitals or not, as its JSON or its SDK has it.
USAGE_SHAPES = (
    ("prompt_tokens", "completion_tokens", "total_tokens"),  # OpenAI's chat completions, and Ollama's copy of them
    ("input_tokens", "output_tokens", "total_tokens"),  # Anthropic, which sends no total; OpenAI's responses
    ("prompt_token_count", "candidates_token_count", "total_token_count"),  # Gemini's SDK
    ("promptTokenCount", "candidatesTokenCount", "totalTokenCount"),  # Gemini's JSON
    ("prompt_eval_count", "eval_count", ""),  # Ollama's own interface
)
WHERE_USAGE_STANDS = ("usage", "usage_metadata", "usageMetadata")


class Folded(NamedTuple):
    """A trajectory, and a sentence for each result that belongs to no call and was dropped."""

    trajectory: tuple[dict[str, Any], ...]
    errors: tuple[str, ...]


def fold_trajectory(messages: Iterable[Mapping[str, Any]]) -> Folded:
    """Fold messages of the chat completions' shape: an assistant's `tool_calls`, and `role: tool` messages that answer
    them by `tool_call_id`. A call is paired within its turn, so that an id may come again in a later one; a call
    without a result keeps the status "called", a result that begins with "Error: " has the status "error"."""
    trajectory: list[dict[str, Any]] = []
    errors: list[str] = []
    waiting: dict[str, list[dict[str, Any]]] = {}
    turn = 0
    for message in messages:
        if message.get("role") == "assistant":
            turn, waiting = turn + 1, {}
            for entry in _calls(message, turn):
                trajectory.append(entry)
                waiting.setdefault(entry["id"], []).append(entry)
        elif message.get("role") == "tool":
            number = str(message.get("tool_call_id") or "")
            if waiting.get(number):
                _answer(waiting[number].pop(0), message.get("content"))
            else:
                errors.append(f"A result without a call was dropped (tool_call_id {number[:80]!r}).")
    return Folded(tuple(trajectory), tuple(errors))


def usage_of(source: Any) -> TokenUsage:
    """Return the tokens that a usage object or mapping tells, or a reply that holds one; what is not told is None."""
    for name in WHERE_USAGE_STANDS:
        inner = _value(source, name)
        if inner is not None and not isinstance(inner, int):
            return usage_of(inner)
    for read, written, _ in USAGE_SHAPES:
        usage = TokenUsage(_count(_value(source, read)), _count(_value(source, written)))
        if usage != TokenUsage():
            return usage
    return TokenUsage()


def total_of(source: Any) -> int | None:
    """Return the total that was told, else the sum of what was; None where nothing was."""
    for name in WHERE_USAGE_STANDS:
        inner = _value(source, name)
        if inner is not None and not isinstance(inner, int):
            return total_of(inner)
    told = next((count for *_, name in USAGE_SHAPES if name and (count := _count(_value(source, name)))), None)
    usage = usage_of(source)
    known = [count for count in (usage.input, usage.output) if count is not None]
    return told or (sum(known) if known else None)


def _calls(message: Mapping[str, Any], turn: int) -> Iterable[dict[str, Any]]:
    calls: Sequence[Any] = message.get("tool_calls") or ()
    for position, call in enumerate(calls):
        function = call.get("function") or call
        yield {
            "id": str(call.get("id") or f"call_{turn}_{position + 1}"),
            "turn": turn,
            "name": str(function.get("name", "")),
            "arguments": _arguments(function.get("arguments")),
            "result": None,
            "status": "called",
            "seconds": None,
        }


def _arguments(arguments: Any) -> Any:
    """The arguments as an object where they are one; else as they came: nothing is repaired."""
    if not isinstance(arguments, str):
        return {} if arguments is None else arguments
    try:
        return json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return arguments


def _answer(entry: dict[str, Any], content: Any) -> None:
    if isinstance(content, list):
        content = "".join(part.get("text", "") for part in content if isinstance(part, dict))
    text = str(content if content is not None else "")
    entry.update(result=text, status="error" if text.startswith("Error: ") else "completed")


def _value(source: Any, name: str) -> Any:
    return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
