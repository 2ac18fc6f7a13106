"""The real agent in place of the learner's trim(): its Context, with the budget as the window that it may fill."""

from __future__ import annotations

import copy
import json
import tempfile
from typing import Any

from agent.context import Context
from agent.contracts import TokenUsage, ToolCall, ToolResult
from agent.run import Run
from agent.setup import Setup
from providers import openai_wire
from sandbox.files.root import Root

LEAVES_OUT_OUTPUTS = True  # the oldest make room, and each call keeps a note in the place of its result


def trim(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder, Root(folder) as root:
        run = Run(Setup("lmstudio", root))
        run.context_window = budget * 6 // 5  # a sixth is kept for the reply
        context = Context(run, openai_wire)
        for message in copy.deepcopy(messages):
            if message["role"] == "tool":
                call = ToolCall(message["tool_call_id"], "get_file_content", "{}")
                context.append_results([message], [ToolResult(call, message["content"], True, 0.0)])
                continue
            run.turns += message["role"] == "assistant"
            context.append(message)
        run.turns += 1  # the turn that is about to be asked for
        context.counted(TokenUsage(len(json.dumps(messages)) // 4))  # as the lesson counts
        return context.fit()
