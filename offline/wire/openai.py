"""OpenAI chat completions, from the server's side: a request becomes a conversation, a decision becomes a reply."""

from __future__ import annotations

import json
import time
import uuid
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
    size_of,
)

MODEL = "glassbox-offline"
SYSTEM_ROLES = ("system", "developer")


def read_request(body: dict[str, Any]) -> Conversation:
    """Read the body of POST /v1/chat/completions. Raises ValueError when it is not one."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise ValueError("'messages' must be a list of objects")
    tools = [tool["function"] for tool in body.get("tools") or () if isinstance(tool.get("function"), dict)]
    if (named := chosen(body)[0]) is not None:
        refuse_missing("tool_choice", named, tools)
        tools = [tool for tool in tools if tool.get("name") in named]
    system = [text_of(message.get("content")) for message in messages if message.get("role") in SYSTEM_ROLES]
    return conversation_of(
        (read_message(messages, index) for index in range(len(messages))),
        tools,
        may_call=body.get("tool_choice") != "none",
        system="\n\n".join(system),
        body=body,
    )


def wanted(body: dict[str, Any]) -> Wanted:
    """What a request asks for beside an answer. Raises ValueError for what this model cannot give."""
    refuse_several("n", body.get("n"))
    if (body.get("response_format") or {}).get("type", "text") != "text":
        refuse_shape("response_format")
    name = "max_completion_tokens" if body.get("max_completion_tokens") is not None else "max_tokens"
    return Wanted(
        most=limit_in(name, body.get(name)),
        must_call=chosen(body)[1],
        counted=bool((body.get("stream_options") or {}).get("include_usage")),
    )


def chosen(body: dict[str, Any]) -> tuple[list[str] | None, bool]:
    """The names of the tools that may be called (None: all), and whether one must be. Raises ValueError."""
    choice = body.get("tool_choice")
    if isinstance(choice, dict) and choice.get("type") == "allowed_tools":
        allowed = choice.get("allowed_tools") or {}
        return [(tool.get("function") or {}).get("name", "") for tool in allowed["tools"]], allowed[
            "mode"
        ] == "required"
    if isinstance(choice, dict):
        return [(choice.get("function") or {}).get("name", "")], True
    if choice not in (None, "auto", "none", "required"):
        raise ValueError(f'tool_choice is {choice!r}, but it must be "auto", "none", "required" or name a function')
    return None, choice == "required"


def read_message(messages: list[dict[str, Any]], index: int) -> Message:
    """A message, with the results of its calls, which stand in the messages after it."""
    message = messages[index]
    text = text_of(message.get("content")) if message.get("role") in ("user", "assistant") else ""
    steps = (read_step(text, call, messages[index + 1 :]) for call in message.get("tool_calls") or ())
    return Message(message.get("role") == "user", text, tuple(steps))


def text_of(content: Any) -> str:
    """Content is a string, null, or a list of parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content or ""


def read_step(said: str, call: dict[str, Any], following: list[dict[str, Any]]) -> Step:
    function = call.get("function") or {}
    try:
        arguments = json.loads(function.get("arguments") or "{}")
    except ValueError:
        arguments = {}
    answers = (message for message in following if message.get("tool_call_id") == call.get("id"))
    result = text_of(next(answers, {}).get("content"))
    return Step(said, function.get("name", ""), arguments if isinstance(arguments, dict) else {}, result)


def models() -> dict[str, Any]:
    """The body of GET /v1/models."""
    return {"object": "list", "data": [model()]}


def model() -> dict[str, Any]:
    """The body of GET /v1/models/{id}."""
    return {"id": MODEL, "object": "model", "created": 0, "owned_by": "glassbox"}


def reply(decision: Decision, prompt_tokens: int) -> dict[str, Any]:
    """The body of a reply that is not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": decision.text or None}
    if decision.calls:
        message["tool_calls"] = tool_calls(decision)
    choice = {"index": 0, "message": message, "finish_reason": finish_reason(decision)}
    return {**header("chat.completion"), "choices": [choice], "usage": usage(decision, prompt_tokens)}


def chunks(decision: Decision, prompt_tokens: int, *, counted: bool = True) -> Iterator[dict[str, Any]]:
    """The chunks of a streamed reply, from the text on; the count comes to those alone who asked for it."""
    for word in decision.text.splitlines(keepends=True):
        yield chunk({"content": word})
    for index, call in enumerate(tool_calls(decision)):
        yield chunk({"tool_calls": [{"index": index, **call}]})
    yield chunk({}, finish_reason(decision))
    if counted:
        yield {**header("chat.completion.chunk"), "choices": [], "usage": usage(decision, prompt_tokens)}


def thought(line: str) -> dict[str, Any]:
    """A chunk of reasoning, in the field that LM Studio and llama.cpp use for it."""
    return chunk({"reasoning_content": f"{line}\n"})


def chunk(delta: dict[str, Any], finished: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": finished}
    return {**header("chat.completion.chunk"), "choices": [choice]}


def header(kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-offline", "object": kind, "created": int(time.time()), "model": MODEL}


def tool_calls(decision: Decision) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{uuid.uuid4().hex[:12]}",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
        }
        for call in decision.calls
    ]


def finish_reason(decision: Decision) -> str:
    return "length" if decision.cut else "tool_calls" if decision.calls else "stop"


def usage(decision: Decision, prompt_tokens: int) -> dict[str, int]:
    """Estimated at four characters a token, since nothing here counts in tokens."""
    written = size_of(decision) // 4 + 1
    total = prompt_tokens + written
    return {"prompt_tokens": prompt_tokens, "completion_tokens": written, "total_tokens": total}


def error(status: int, message: str) -> dict[str, Any]:
    """The body of an error."""
    return {"error": {"message": message, "type": "invalid_request_error", "code": status}}
