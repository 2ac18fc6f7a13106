"""The real agent in place of the learner's to_gemini(): the messages that its Gemini loop appends, in its own words."""

from __future__ import annotations

from typing import Any

from agent.contracts import Reply, TokenUsage, ToolResult
from providers.gemini_reply import build_reply, tool_messages


def to_gemini(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    contents: list[dict[str, Any]] = []
    reply: Reply | None = None
    results: list[ToolResult] = []
    for message in messages:
        if message["role"] == "user":
            contents.append({"role": "user", "parts": [{"text": message["content"]}]})
        elif message["role"] == "assistant":
            reply, results = build_reply(message["raw"]["parts"], TokenUsage(), "STOP", len(contents)), []
            contents.append(reply.message)
        elif message["role"] == "tool" and reply is not None:
            results.append(ToolResult(reply.calls[len(results)], message["content"], True, 0.0))
            if len(results) == len(reply.calls):
                contents += tool_messages(results, reply)
    return contents
