"""The real agent in place of the learner's explain(): what its dispatcher answers to the same arguments."""

from __future__ import annotations

import json
import tempfile
from typing import Any

import call_functions
from agent.contracts import ToolCall
from list_functions import Tool


def explain(error: str, tool: dict[str, Any], arguments: dict[str, Any]) -> str:
    call_functions.TOOLS.clear()
    call_functions.TOOLS[tool["name"]] = Tool(tool["name"], lambda *_, **__: "ran", tool, reads_only=True)
    with tempfile.TemporaryDirectory() as folder:
        return call_functions.run_call(ToolCall("call_1", tool["name"], json.dumps(arguments)), folder).content
