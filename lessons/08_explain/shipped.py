"""The real agent in place of the learner's explain(): what its dispatcher answers to the same arguments."""

from __future__ import annotations

import json
import tempfile
from typing import Any

from agent.contracts import ToolCall
from call_functions import run_call
from functions.tool import Catalogue, Tool


LEAVES_OUT_WHAT_WAS_SENT = True  # its call stands just above in the list


def explain(error: str, tool: dict[str, Any], arguments: dict[str, Any]) -> str:
    catalogue = Catalogue([Tool(tool["name"], lambda *_, **__: "ran", tool, True)])
    with tempfile.TemporaryDirectory() as folder:
        call = ToolCall("call_1", tool["name"], json.dumps(arguments))
        return run_call(call, catalogue, {"root": folder}).content
