"""The real agent in place of the learner's opening() and mended(): its own words for a call, its reader of texts."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

from agent.contracts import Reply, TokenUsage, ToolCall, ToolResult
from functions.tool import Catalogue, Tool
from providers import openai_wire
from providers.text_calls import text_calls

READS_OTHERWISE = ("no arguments", "arguments that are a text", "a list", "a tool that is not there")
NUMBERS = itertools.count(1)
ANYTHING = {"type": "object", "properties": {}}


def opening(
    messages: list[dict[str, Any]], looks: list[Any], call_tool: Callable[[str, str], str]
) -> list[dict[str, Any]]:
    """As look_first in jobs/small_models.py makes them."""
    entries = [{"name": name, "arguments": arguments} for name, arguments in looks]
    message = openai_wire.model_message("", entries, f"opening{next(NUMBERS)}")
    asked = [each["function"] for each in message["tool_calls"]]
    calls = [
        ToolCall(entry["id"], each["name"], each["arguments"])
        for entry, each in zip(message["tool_calls"], asked, strict=True)
    ]
    results = [ToolResult(call, call_tool(call.name, call.arguments), True, 0.0) for call in calls]
    reply = Reply("", tuple(calls), TokenUsage(), "", message)
    return [*messages, message, *openai_wire.tool_messages(results, reply)]


def mended(message: dict[str, Any], names: list[str]) -> dict[str, Any]:
    if message.get("tool_calls"):
        return message
    tools = (Tool(name, str, {"name": name, "description": name, "parameters": ANYTHING}, True) for name in names)
    found = text_calls(message.get("content") or "", Catalogue(tools))
    if not found.calls:
        return message
    entries = [{"name": name, "arguments": json.dumps(arguments)} for name, arguments in found.calls]
    return openai_wire.model_message(found.said, entries, next(NUMBERS))
