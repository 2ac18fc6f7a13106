"""Gemini generateContent, from the server's side: a request becomes a conversation, a decision becomes a reply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from offline.wire.conversation import (
    Conversation,
    Decision,
    Message,
    Step,
    Wanted,
    conversation_of,
    limit_in,
    refuse_missing,
    refuse_several,
    refuse_shape,
)
from offline.wire.openai import MODEL, usage

MODES = ("AUTO", "ANY", "NONE", "VALIDATED", "MODE_UNSPECIFIED")
STATUS = {404: "NOT_FOUND", 501: "UNIMPLEMENTED"}


def read_request(body: dict[str, Any]) -> Conversation:
    """Read the body of POST …:generateContent. Raises ValueError when it is not one."""
    contents = body.get("contents")
    if not isinstance(contents, list) or not all(isinstance(content, dict) for content in contents):
        raise ValueError("'contents' must be a list of objects")
    declared = (each for tool in body.get("tools") or () for each in tool.get("functionDeclarations") or ())
    tools = [{**each, "parameters": each.get("parameters") or each.get("parametersJsonSchema")} for each in declared]
    mode, named = chosen(body)
    if named:
        refuse_missing("allowedFunctionNames", named, tools)
        tools = [tool for tool in tools if tool.get("name") in named]
    return conversation_of(
        (read_message(contents, index) for index in range(len(contents))),
        tools,
        may_call=mode != "NONE",
        system=text_of(parts_of(body.get("systemInstruction") or {})),
        body=body,
    )


def wanted(body: dict[str, Any]) -> Wanted:
    """What a request asks for beside an answer. Raises ValueError for what this model cannot give."""
    config = body.get("generationConfig") or {}
    refuse_several("candidateCount", config.get("candidateCount"))
    shape = next((name for name in ("responseSchema", "responseJsonSchema") if name in config), "responseMimeType")
    if shape in config and config[shape] != "text/plain":
        refuse_shape(shape)
    return Wanted(most=limit_in("maxOutputTokens", config.get("maxOutputTokens")), must_call=chosen(body)[0] == "ANY")


def chosen(body: dict[str, Any]) -> tuple[str, list[str]]:
    """The mode of calling, and the names of the tools that may be called (none: all). Raises ValueError."""
    config = (body.get("toolConfig") or {}).get("functionCallingConfig") or {}
    mode = config.get("mode") or "AUTO"
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}, but it must be one of {', '.join(MODES)}")
    return mode, list(config.get("allowedFunctionNames") or ())


def read_message(contents: list[dict[str, Any]], index: int) -> Message:
    """A content, with the results of its calls, which stand in the content after it."""
    content, parts = contents[index], parts_of(contents[index])
    calls = [part["functionCall"] for part in parts if isinstance(part.get("functionCall"), dict)]
    answers = responses(contents[index + 1] if index + 1 < len(contents) else {})
    text = text_of(parts)
    steps = (
        Step(text, call.get("name", ""), call.get("args") or {}, answers[number] if number < len(answers) else "")
        for number, call in enumerate(calls)
    )
    return Message(content.get("role", "user") == "user", text, tuple(steps))


def parts_of(content: dict[str, Any]) -> list[dict[str, Any]]:
    return [part for part in content.get("parts") or () if isinstance(part, dict)]


def text_of(parts: list[dict[str, Any]]) -> str:
    """The text of a content without the model's thoughts."""
    return "".join(part.get("text") or "" for part in parts if not part.get("thought"))


def responses(content: dict[str, Any]) -> list[str]:
    """The texts of all function responses of one message, in order."""
    found = [part["functionResponse"] for part in content.get("parts") or () if "functionResponse" in part]
    return [str(next(iter((response.get("response") or {"": ""}).values()))) for response in found]


def models() -> dict[str, Any]:
    """The body of GET /v1beta/models."""
    return {"models": [model()]}


def model() -> dict[str, Any]:
    """The body of GET /v1beta/models/{id}."""
    methods = ["generateContent", "streamGenerateContent", "countTokens"]
    return {"name": f"models/{MODEL}", "displayName": "Glassbox, built in", "supportedGenerationMethods": methods}


def reply(decision: Decision, prompt_tokens: int) -> dict[str, Any]:
    """The body of a reply that is not streamed."""
    text = [{"text": decision.text}] if decision.text else []
    return body([*text, *call_parts(decision)], decision, prompt_tokens)


def chunks(decision: Decision, prompt_tokens: int, *, counted: bool = True) -> Iterator[dict[str, Any]]:
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
        "candidates": [{**candidate, "finishReason": "MAX_TOKENS" if decision.cut else "STOP"}],
        "usageMetadata": {
            "promptTokenCount": counted["prompt_tokens"],
            "candidatesTokenCount": counted["completion_tokens"],
            "totalTokenCount": counted["total_tokens"],
        },
        "modelVersion": MODEL,
    }


def error(status: int, message: str) -> dict[str, Any]:
    """The body of an error, as Google sends it."""
    return {"error": {"code": status, "message": message, "status": STATUS.get(status, "INVALID_ARGUMENT")}}
