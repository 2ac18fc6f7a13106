"""The real agent in place of the learner's to_gemini(): the messages that its Gemini loop appends, in its own words."""

from __future__ import annotations

import tempfile
from typing import Any

from agent.contracts import Reply, TokenUsage, ToolResult
from agent.run import Run
from agent.setup import Setup
from providers.gemini_wire import tool_messages, user_message
from providers.gemini_wire import build_reply
from sandbox.files.root import Root


def to_gemini(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder, Root(folder) as root:
        return converted(messages, Run(Setup("gemini", root)))


def converted(messages: list[dict[str, Any]], run: Run) -> list[dict[str, Any]]:
    contents: list[dict[str, Any]] = []
    reply: Reply | None = None
    results: list[ToolResult] = []
    for message in messages:
        if message["role"] == "user":
            contents.append(user_message(message["content"]))
        elif message["role"] == "assistant":
            run.turns += 1
            reply, results = build_reply(message["raw"]["parts"], TokenUsage(), "STOP", run), []
            contents.append(reply.message)
        elif message["role"] == "tool" and reply is not None:
            results.append(ToolResult(reply.calls[len(results)], message["content"], True, 0.0))
            if len(results) == len(reply.calls):
                contents += tool_messages(results, reply)
    return contents
