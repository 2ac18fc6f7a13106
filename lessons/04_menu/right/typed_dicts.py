from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Literal, TypedDict


class Parameters(TypedDict):
    type: Literal["object"]
    properties: dict[str, dict[str, Any]]
    required: list[str]


class ToolSchema(TypedDict):
    name: str
    description: str
    parameters: Parameters


TYPES: dict[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "bool": {"type": "boolean"},
    "list[str]": {"type": "array", "items": {"type": "string"}},
}


def schema(function: Callable[..., str]) -> ToolSchema:
    parameters = [*inspect.signature(function).parameters.values()]
    properties: dict[str, dict[str, Any]] = {}
    for parameter in parameters[1:]:
        properties[parameter.name] = TYPES[inspect.formatannotation(parameter.annotation)]
    required = [p.name for p in filter(lambda p: p.default is inspect.Parameter.empty, parameters[1:])]
    return ToolSchema(
        name=function.__name__,
        description=inspect.cleandoc(function.__doc__ or ""),
        parameters=Parameters(type="object", properties=properties, required=required),
    )
