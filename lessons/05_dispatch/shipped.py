"""The real agent in place of the learner's call_tool(): its dispatcher, with the check's tools in its catalogue."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable
from typing import Any

from agent.contracts import ToolCall
from call_functions import run_call
from functions.tool import Catalogue, Tool

ROOT = ""
TOOLS: dict[str, Callable[..., str]] = {}
TYPES = {"str": "string", "int": "integer", "bool": "boolean"}


def tool_from(function: Callable[..., str]) -> Tool:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {each.name: {"type": TYPES[each.annotation]} for each in parameters},
        "required": [each.name for each in parameters if each.default is inspect.Parameter.empty],
    }
    inner = lambda root, **arguments: function(ROOT, **arguments)  # noqa: E731 - the real root is a folder
    return Tool(function.__name__, inner, {"parameters": schema}, reads_only=False)


def call_tool(name: str, raw_arguments: str) -> str:
    catalogue = Catalogue(map(tool_from, TOOLS.values()))
    with tempfile.TemporaryDirectory() as folder:
        return run_call(ToolCall("call_1", name, raw_arguments), catalogue, {"root": folder}).content
