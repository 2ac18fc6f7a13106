"""What a tool takes: the part of JSON Schema that every wire and every model here understands, and its validator.

Known are the types string, integer, number, boolean, array and object, `enum`, `minimum`, `maximum`, `default`,
`required`, nested schemas, `nullable` (OpenAPI's) and `contentMediaType` (a text that holds JSON). A schema with
anything else is refused when the catalogue is made, and not in the middle of a run. jsonschema and pydantic were
weighed: they add 390 and 80 ms to every start.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from config import ConfigError
from functions.misfit import Schema, describe, describe_type, shown, suggestion

SAID = frozenset(("description", "title"))  # they constrain nothing
CHOICE = frozenset(("type", "enum", "default", "nullable"))
KNOWN: dict[str, frozenset[str]] = {
    "string": CHOICE | {"contentMediaType"},
    "boolean": CHOICE,
    "integer": CHOICE | {"minimum", "maximum"},
    "number": CHOICE | {"minimum", "maximum"},
    "array": CHOICE | {"items"},
    "object": CHOICE | {"properties", "required", "additionalProperties"},
}


class SchemaError(ConfigError, ValueError):
    """A tool's schema holds something that the validator does not know; the text names the tool and the keyword."""


def check_schema(schema: Any, tool: str, where: str = "parameters") -> None:
    """Raise SchemaError for what `check_arguments` would not understand. A tool's parameters must be an object."""
    kind = schema.get("type") if isinstance(schema, Mapping) else schema
    if not isinstance(kind, str) or kind not in KNOWN:
        raise SchemaError(f"the tool {tool}: {where} has the type {kind!r}; it may be {', '.join(KNOWN)}")
    if where == "parameters" and kind != "object":
        raise SchemaError(f"the tool {tool}: its parameters must be an object, not {kind}")
    for keyword in schema.keys() - SAID - KNOWN[kind]:
        raise SchemaError(f"the tool {tool}: {where} has {keyword!r}, which is not known for {kind}")
    if not isinstance(schema.get("enum", []), list) or not schema.get("enum", [None]):
        raise SchemaError(f"the tool {tool}: the enum of {where} is no list of choices")
    for name, part in (schema.get("properties") or {}).items():
        check_schema(part, tool, name)
    for name in schema.get("required") or ():
        if name not in (schema.get("properties") or {}):
            raise SchemaError(f"the tool {tool}: {where} requires {name!r}, which is not among its properties")
    if isinstance(extra := schema.get("additionalProperties"), Mapping):
        check_schema(extra, tool, f"{where}, additional properties")
    if "items" in schema:
        check_schema(schema["items"], tool, f"{where}, items")


def check_arguments(arguments: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """Return the arguments as the tool gets them: whole numbers as such, defaults filled in. The schema is a tool's
    parameters. Raises ValueError, naming the parameter and what it may be, for the first that does not fit."""
    properties = schema.get("properties") or {}
    extra = schema.get("additionalProperties", False)
    for name in arguments:
        if name not in properties and extra is False:
            raise ValueError(f"it has no parameter {name!r}{suggestion(name, properties)}")
    for name in schema.get("required") or ():
        if name not in arguments:
            raise ValueError(f"it needs {name!r}")
    taken = {name: part["default"] for name, part in properties.items() if "default" in part}
    for name, value in arguments.items():
        part = properties.get(name, extra)
        taken[name] = _taken(value, part, repr(name)) if isinstance(part, Mapping) else value
    return taken


def _taken(value: Any, schema: Schema, name: str) -> Any:
    """Return a value as its schema has it. Raises ValueError with `name` in it."""
    kind = schema["type"]
    if value is None and schema.get("nullable"):
        return None
    if "contentMediaType" in schema and not isinstance(value, str):
        value = json.dumps(value)  # it was sent as what it is, rather than as the text that a wire can describe
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)  # JSON has one kind of number, and Gemini's wire makes it 3.0
    if not _is(value, kind):
        raise ValueError(f"{name} is {describe(value)} where {describe_type(schema)} is needed")
    if "enum" in schema and not any(_same(value, choice) for choice in schema["enum"]):
        near = suggestion(value, [str(choice) for choice in schema["enum"]]) if isinstance(value, str) else ""
        raise ValueError(f"{name} is {shown(value)} where {describe_type(schema)} is needed{near}")
    if _out_of_range(value, schema):
        raise ValueError(f"{name} is {value} where {describe_type(schema)} is needed")
    if kind == "array" and "items" in schema:
        return _items(value, schema, name)
    if kind == "object":
        return _object(value, schema, name)
    return value


def _items(value: list[Any], schema: Schema, name: str) -> list[Any]:
    return [_taken(item, schema["items"], f"{name}, item {number}") for number, item in enumerate(value, 1)]


def _object(value: Mapping[str, Any], schema: Schema, name: str) -> dict[str, Any]:
    """A nested object may hold further names unless its schema says no, as JSON Schema has it."""
    try:
        return check_arguments(value, {"additionalProperties": True, **schema})
    except ValueError as problem:
        raise ValueError(f"in {name}, {problem}") from None


def _is(value: Any, kind: str) -> bool:
    if kind == "boolean" or isinstance(value, bool):
        return kind == "boolean" and isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int) or isinstance(value, float) and math.isfinite(value)
    return isinstance(value, {"string": str, "integer": int, "array": list, "object": Mapping}[kind])


def _same(value: Any, choice: Any) -> bool:
    """Whether two values are one in JSON, where true is no number."""
    return value == choice and isinstance(value, bool) == isinstance(choice, bool)


def _out_of_range(value: Any, schema: Schema) -> bool:
    least, most = schema.get("minimum"), schema.get("maximum")
    return least is not None and value < least or most is not None and value > most
