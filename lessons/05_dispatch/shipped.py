"""The real agent in place of the learner's call_tool(): its dispatcher, with the check's tools in its catalogue."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable
from typing import Any

import call_functions
from agent.contracts import ToolCall
from list_functions import Tool

ROOT = ""
TOOLS: dict[str, Callable[..., str]] = {}


def tool_from(function: Callable[..., str]) -> Tool:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    schema: dict[str, Any] = {
        "properties": {each.name: {"type": "string"} for each in parameters},
        "required": [each.name for each in parameters if each.default is inspect.Parameter.empty],
    }
    inner = lambda root, **arguments: function(ROOT, **arguments)  # noqa: E731 - the real root is a folder
    return Tool(function.__name__, inner, {"parameters": {"type": "object", **schema}}, reads_only=False)


def call_tool(name: str, raw_arguments: str) -> str:
    call_functions.TOOLS.clear()
    call_functions.TOOLS.update({each: tool_from(function) for each, function in TOOLS.items()})
    with tempfile.TemporaryDirectory() as folder:
        return call_functions.run_call(ToolCall("call_1", name, raw_arguments), folder).content
