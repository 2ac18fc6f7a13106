"""What one request makes sure of, because the last reply failed in it: a call that can be read, or an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agent.errors import Passing
from agent.run import Run
from list_functions import gemini_schema

A_CALL, NO_THOUGHTS = "a call", "no thoughts"
UNREAD = (
    "Your reply held a tool call that cannot be read whole, so nothing of it was run. Make it again: one call, "
    '{"name": ..., "arguments": {...}} in plain JSON.'
)
UNREAD_AND_CUT = (
    "Your reply hit the token limit before its tool call was whole, so nothing of it was run. Write a short skeleton "
    "first, then fill it in, in several small calls."
)
TOO_MANY = "Your reply held {count} tool calls, and none of them was run: make at most {most} in one reply."


def openai(run: Run) -> dict[str, Any]:
    """What is sent beside a request. LM Studio and llama.cpp hold a model to a JSON schema while it writes, whatever
    its prompt template is, and the call then stands in the text; `enable_thinking` is what Qwen's, GLM's and others'
    templates call it (llama.cpp, vLLM), and who knows none of it leaves it aside."""
    if run.enforced == NO_THOUGHTS:
        return {"chat_template_kwargs": {"enable_thinking": False}}
    if run.enforced.startswith("{"):  # the schema of an answer
        return {"response_format": response_format("answer", json.loads(run.enforced))}
    calls = [
        {
            "type": "object",
            "properties": {"name": {"const": name}, "arguments": tool.parameters},
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
        for name, tool in run.catalogue.items()
    ]
    return {"response_format": response_format("call", {"anyOf": calls})}


def response_format(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema}}


def gemini(run: Run) -> dict[str, Any]:
    """The same for Gemini (ai.google.dev/api/caching#FunctionCallingConfig, ai.google.dev/gemini-api/docs/thinking)."""
    if run.enforced == NO_THOUGHTS:
        return {"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}}}
    if run.enforced.startswith("{"):
        schema = gemini_schema(json.loads(run.enforced))
        return {"generationConfig": {"responseMimeType": "application/json", "responseSchema": schema}}
    return {"toolConfig": {"functionCallingConfig": {"mode": "ANY"}}}


def thought_too_long(run: Run, most: int) -> Passing:
    """What is raised when a model has thought for more than `most` characters: once more, without."""
    again = run.enforced != NO_THOUGHTS
    run.enforced = NO_THOUGHTS
    return Passing(
        f"The model has thought for {most:,} characters and not answered.",
        advice="Raise GLASSBOX_MAX_THOUGHTS, or load a model that thinks less.",
        wait=0.0,
        attempts=2 if again else 1,
    )
