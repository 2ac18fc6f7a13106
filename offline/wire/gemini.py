"""Gemini generateContent, from the server's side: a request becomes a conversation, a decision becomes a reply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from offline.wire.conversation import Conversation, Decision, Step
from offline.wire.openai import MODEL, usage


def read_request(body: dict[str, Any]) -> Conversation:
    """Read the body of POST …:generateContent. Raises ValueError when it is not one."""
    contents = body.get("contents")
    if not isinstance(contents, list) or not all(isinstance(content, dict) for content in contents):
        raise ValueError("'contents' must be a list of objects")
    prompt, steps = "", []
    for index, content in enumerate(contents):
        parts = [part for part in content.get("parts") or () if isinstance(part, dict)]
        text = "".join(part.get("text", "") for part in parts if not part.get("thought"))
        if content.get("role", "user") == "user" and text:
            prompt, steps = text, []
        calls = [part["functionCall"] for part in parts if isinstance(part.get("functionCall"), dict)]
        answers = responses(contents[index + 1] if index + 1 < len(contents) else {})
        for number, call in enumerate(calls):
            result = answers[number] if number < len(answers) else ""
            steps.append(Step(text, call.get("name", ""), call.get("args") or {}, result))
    declared = [tool.get("functionDeclarations") or () for tool in body.get("tools") or ()]
    return Conversation(prompt, tuple(steps), frozenset(each["name"] for group in declared for each in group))


def responses(content: dict[str, Any]) -> list[str]:
    """The texts of all function responses of one message, in order."""
    found = [part["functionResponse"] for part in content.get("parts") or () if "functionResponse" in part]
    return [str(next(iter((response.get("response") or {"": ""}).values()))) for response in found]


def models() -> dict[str, Any]:
    """The body of GET /v1beta/models."""
    methods = ["generateContent", "streamGenerateContent"]
    return {"models": [{"name": f"models/{MODEL}", "supportedGenerationMethods": methods}]}


def reply(decision: Decision, prompt_tokens: int) -> dict[str, Any]:
    """The body of a reply that is not streamed."""
    text = [{"text": decision.text}] if decision.text else []
    return body([*text, *call_parts(decision)], decision, prompt_tokens)


def chunks(decision: Decision, prompt_tokens: int) -> Iterator[dict[str, Any]]:
    """The chunks of a streamed reply, from the text on."""
    for line in decision.text.splitlines(keepends=True):
        yield body([{"text": line}])
    yield body(call_parts(decision) or [{"text": ""}], decision, prompt_tokens)


def thought(line: str) -> dict[str, Any]:
    return body([{"text": f"{line}\n", "thought": True}])


def call_parts(decision: Decision) -> list[dict[str, Any]]:
    return [{"functionCall": {"name": call.name, "args": dict(call.arguments)}} for call in decision.calls]


def body(parts: list[dict[str, Any]], decision: Decision | None = None, prompt_tokens: int = 0) -> dict[str, Any]:
    """One response, or chunk of one; with a decision it is the last, with the finish reason and the usage."""
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if decision is None:
        return {"candidates": [candidate], "modelVersion": MODEL}
    counted = usage(decision, prompt_tokens)
    return {
        "candidates": [{**candidate, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": counted["prompt_tokens"],
            "candidatesTokenCount": counted["completion_tokens"],
            "totalTokenCount": counted["total_tokens"],
        },
        "modelVersion": MODEL,
    }


def error(status: int, message: str) -> dict[str, Any]:
    """The body of an error, as Google sends it."""
    return {"error": {"code": status, "message": message, "status": "INVALID_ARGUMENT"}}
