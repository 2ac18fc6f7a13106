"""The real agent in place of the learner's problem() and answer(): its Answer, a gate that looks at each reply, and what
is sent beside the request after one that did not fit. The requests between them are the lesson's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, make_dataclass
from types import SimpleNamespace
from typing import Any, Literal

from agent.contracts import Reply, TokenUsage
from doors.answers import Answer
from providers import enforced

FIRST_IN_WORDS = True  # the first request says in words what is wanted, the second is held to it
KINDS = {"string": str, "integer": int, "boolean": bool, "array": list[str]}

Message = dict[str, Any]
Ask = Callable[[list[Message], Any], dict[str, Any]]


def kind_of(schema: dict[str, Any], wrong: Callable[[Any], str]) -> type:
    """A dataclass of the schema's fields; as one does that knows more than types, it raises ValueError by itself."""

    def look(self: Any) -> None:
        if said := wrong(asdict(self)):
            raise ValueError(said)

    fields = [
        (name, Literal[tuple(field["enum"])] if "enum" in field else KINDS[field["type"]])
        for name, field in schema["properties"].items()
    ]
    return make_dataclass("Wanted", fields, namespace={"__post_init__": look})


def problem(text: str, schema: dict[str, Any]) -> str:
    try:
        Answer(kind_of(schema, lambda data: "")).read(text)
    except ValueError as error:
        return str(error)
    return ""


def answer(ask: Ask, messages: list[Message], schema: dict[str, Any], wrong: Callable[[Any], str]) -> Any:
    warnings: list[str] = []
    gate, run = Answer(kind_of(schema, wrong)), SimpleNamespace(enforced="", warn=warnings.append)
    said: str | None = ""
    while said is not None:
        held = enforced.openai(run)["response_format"] if run.enforced else None  # type: ignore[arg-type]
        reply = ask(messages, held)
        message = {"role": "assistant", "content": reply["text"]}
        told = Reply(reply["text"], (), TokenUsage(), reply["finish_reason"], message)
        said = gate.reply(told, run, last=False)  # type: ignore[arg-type]
        messages = [*messages, message, {"role": "user", "content": said}]
    if gate.value is None:
        raise ValueError(warnings[-1])
    return asdict(gate.value)
