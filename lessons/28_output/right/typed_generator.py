from __future__ import annotations
from collections.abc import Callable, Iterator
from typing import Any
import json

ATTEMPTS = 2
KINDS = {"string": str, "integer": int, "boolean": bool, "array": list}
CUT = "it was cut off by the token limit; say it in fewer words"
AGAIN = "Your answer does not fit: {problem}. Answer again, with the whole JSON object and nothing else."
GIVEN_UP = "No answer in {count} attempts: {problem}. Ask for less at a time, or take a larger model."


def response_format(schema):
    """What goes beside the messages, on OpenAI's wire."""
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def may_be(field):
    """What a field may be, in words."""
    return f"one of {', '.join(map(str, field['enum']))}" if "enum" in field else f"of the type {field['type']}"


def more(text, sentence):
    """The messages that say what was answered, and what is wrong with it."""
    return [{"role": "assistant", "content": text}, {"role": "user", "content": sentence}]


def fits(value: Any, field: dict[str, Any]) -> bool:
    kind: type | None = KINDS.get(field.get("type", ""))
    if kind is int and type(value) is bool:
        return False
    if kind is not None and not isinstance(value, kind):
        return False
    return "enum" not in field or value in field["enum"]


def problems(data: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    for name, field in schema["properties"].items():
        if name not in data:
            yield f"{name!r} is missing; it should be {may_be(field)}"
        elif not fits(data[name], field):
            yield f"{name!r} is {json.dumps(data[name])}; it should be {may_be(field)}"


def problem(text: str, schema: dict[str, Any]) -> str:
    try:
        data: Any = json.loads(text)
    except ValueError as error:
        return f"it is no JSON: {error}"
    if not isinstance(data, dict):
        return "it is no JSON object"
    return next(problems(data, schema), "")


def judged(reply: dict[str, Any], schema: dict[str, Any], wrong: Callable[[dict[str, Any]], str]) -> str:
    if reply.get("refusal"):
        raise ValueError(reply["refusal"])
    if reply["finish_reason"] == "length":
        return CUT
    return problem(reply["text"], schema) or wrong(json.loads(reply["text"]))


def answer(
    ask: Callable[..., dict[str, Any]],
    messages: list[dict[str, Any]],
    schema: dict[str, Any],
    wrong: Callable[[dict[str, Any]], str],
) -> dict[str, Any]:
    sent: list[dict[str, Any]] = [*messages]
    found: str = ""
    for _ in range(ATTEMPTS):
        reply: dict[str, Any] = ask(sent, response_format(schema))
        found = judged(reply, schema, wrong)
        if not found:
            return dict(json.loads(reply["text"]))
        sent = [*sent, *more(reply["text"], AGAIN.format(problem=found))]
    raise ValueError(GIVEN_UP.format(count=ATTEMPTS, problem=found))
