"""An answer as a value: a dataclass or a pydantic model is what the model must fill in, and an instance comes back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from agent.contracts import Reply
from agent.gates import Gate
from agent.run import Run
from config import ConfigError
from doors.tools import instance, schema_of
from functions.schema import check_arguments

FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
TOLD = "When the work is done, answer with one JSON object and nothing else, as this schema has it:\n{schema}"
AGAIN = (
    "Your answer is not what was asked for: {problem}. Answer with that one JSON object alone, as the schema has it."
)


class Answer(Gate):
    """Takes the answer when it is of the type; asks for it once more when it is not, and where the server can hold a
    model to a schema, that request does. `value` is the instance, None without one."""

    def __init__(self, kind: Any) -> None:
        """Raises ConfigError for a type that is no object in JSON."""
        self.kind, self.value = kind, None
        self.schema = schema_of(kind, f"the answer {getattr(kind, '__name__', kind)}")
        if self.schema["type"] != "object" or isinstance(kind, dict):
            raise ConfigError("an answer is a dataclass, a TypedDict or a pydantic model: put what you want into one.")
        self._told = False

    @property
    def prompt(self) -> str:
        """What the model is told of it."""
        return TOLD.format(schema=json.dumps(self.schema, ensure_ascii=False))

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        if reply.calls and not last:
            return None
        try:
            self.value = self.read(reply.text)
        except (ValueError, TypeError, RecursionError) as error:
            problem = str(error).strip().replace("\n", " ")[:500]
            if last or self._told:
                run.warn(f"The answer is no {getattr(self.kind, '__name__', self.kind)}: {problem}.")
                return None
            self._told = True
            run.enforced = json.dumps(self.schema)
            return AGAIN.format(problem=problem)
        return None

    def read(self, text: str) -> Any:
        """Return the instance that a text holds. Raises ValueError that says what is wrong with it."""
        fenced = FENCED.findall(text)
        begin, end = text.find("{"), text.rfind("}")
        whole = fenced[-1] if fenced else text[begin : end + 1]
        if not whole:
            raise ValueError("it holds no JSON object")
        try:
            data = json.loads(whole)
        except json.JSONDecodeError as error:
            raise ValueError(f"it is no JSON ({error.msg} at line {error.lineno} column {error.colno})") from None
        if not isinstance(data, dict):
            raise ValueError("it is no JSON object")
        if hasattr(self.kind, "model_validate"):
            return self.kind.model_validate(data)
        return instance(self.kind, check_arguments(without_nulls(data, self.schema), self.schema))


def without_nulls(data: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what may be left out and is null: many a model writes every name."""
    required = schema.get("required") or ()
    return {name: value for name, value in data.items() if value is not None or name in required}
