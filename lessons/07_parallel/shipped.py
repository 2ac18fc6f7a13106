"""The real agent in place of the learner's run_calls(): its own, with the check's slow tools in its catalogue."""

from __future__ import annotations

import json
import sys
import tempfile
from typing import Any

import call_functions
from agent.contracts import ToolCall
from list_functions import Tool

SCHEMA = {"parameters": {"type": "object", "properties": {"raw": {"type": "string"}}, "required": []}}
READS = ("read_file", "list_files")


def tool(name: str) -> Tool:
    return Tool(name, lambda root, raw: sys.modules["dispatch"].call_tool(name, raw), SCHEMA, name in READS)


def run_calls(calls: list[dict[str, Any]]) -> list[str]:
    call_functions.TOOLS.clear()
    call_functions.TOOLS.update({name: tool(name) for name in (*READS, "write_file", "run_python")})
    asked = [
        ToolCall(call["id"], call["function"]["name"], json.dumps({"raw": call["function"]["arguments"]}))
        for call in calls
    ]
    with tempfile.TemporaryDirectory() as folder:
        return [result.content for result in call_functions.run_calls(asked, folder)]
