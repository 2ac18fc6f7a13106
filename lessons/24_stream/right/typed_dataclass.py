from __future__ import annotations
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
# A chunk: {"choices": [{"delta": {"content": "...", "tool_calls": [...]}, "finish_reason": None}]}
# The last of all may be about tokens alone: {"choices": [], "usage": {...}}


def new_call():
    """A call of which nothing has come yet."""
    return {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}


@dataclass
class Growing:
    id: str = ""
    name: str = ""
    arguments: str = ""

    def add(self, part: dict[str, Any]) -> None:
        function: dict[str, Any] = part.get("function") or {}
        self.id = part.get("id") or self.id
        self.name = function.get("name") or self.name
        self.arguments += function.get("arguments") or ""

    def whole(self) -> dict[str, Any]:
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments}}


def read_reply(chunks: Iterable[dict[str, Any]], show: Callable[[str], object]) -> dict[str, Any]:
    pieces: list[str] = []
    calls: defaultdict[int, Growing] = defaultdict(Growing)
    reason: str | None = None
    for chunk in chunks:
        for choice in chunk.get("choices") or []:
            delta: dict[str, Any] = choice.get("delta") or {}
            if content := delta.get("content"):
                show(content)
                pieces.append(content)
            for part in delta.get("tool_calls") or []:
                calls[part["index"]].add(part)
            reason = choice.get("finish_reason") or reason
    if reason is None:
        raise ConnectionError("no finish_reason came")
    message: dict[str, Any] = {"role": "assistant", "content": "".join(pieces)}
    if calls:
        message["tool_calls"] = [calls[index].whole() for index in sorted(calls)]
    return message
