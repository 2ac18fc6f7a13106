"""The real agent in place of the learner's run_calls(): its own, with the check's slow tools in its catalogue."""

from __future__ import annotations

import json
import sys
import tempfile
from typing import Any

from agent.contracts import ToolCall
from agent.run import Run
from agent.setup import Setup
from call_functions import run_calls as run_all
from functions.tool import Catalogue, Tool
from sandbox.files.root import Root

SCHEMA = {"parameters": {"type": "object", "properties": {"raw": {"type": "string"}}, "required": []}}
READS = ("read_file", "list_files")


def tool(name: str) -> Tool:
    return Tool(name, lambda root, raw: sys.modules["dispatch"].call_tool(name, raw), SCHEMA, name in READS)


def run_calls(calls: list[dict[str, Any]]) -> list[str]:
    catalogue = Catalogue(tool(name) for name in (*READS, "write_file", "edit_file", "run_python", "run_tests"))
    asked = [
        ToolCall(call["id"], call["function"]["name"], json.dumps({"raw": call["function"]["arguments"]}))
        for call in calls
    ]
    with tempfile.TemporaryDirectory() as folder, Root(folder) as root:
        return [result.content for result in run_all(asked, Run(Setup("lmstudio", root, catalogue=catalogue)))]
