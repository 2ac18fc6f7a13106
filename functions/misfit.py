"""What a model is told of an argument that does not fit: what it sent, what is needed, which choice is nearest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

IN_WORDS = {"string": "a string", "integer": "a whole number", "number": "a number", "boolean": "true or false"}


def describe(value: Any) -> str:
    """What kind of value a model sent, in words."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    names = {str: "text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


def shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def describe_type(schema: Schema) -> str:
    """What a parameter may be, in words."""
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    if schema["type"] == "array":
        items = schema.get("items") or {}
        return "a list of strings" if items.get("type") == "string" and "enum" not in items else "a list"
    if schema["type"] == "object":
        return expected(schema) if schema.get("properties") else "an object"
    least, most = schema.get("minimum"), schema.get("maximum")
    bounds = [f"from {least}" if least is not None else "", f"to {most}" if most is not None else ""]
    return " ".join(part for part in (IN_WORDS[schema["type"]], *bounds) if part)


def expected(schema: Schema) -> str:
    """Show the shape that a tool's arguments must have."""
    required = schema.get("required") or ()
    parts = [
        f'"{name}": {describe_type(part)}{"" if name in required else " (optional)"}'
        for name, part in (schema.get("properties") or {}).items()
    ]
    return "{" + ", ".join(parts) + "}"


def suggestion(name: str, valid: Any) -> str:
    """Name the valid choice that comes closest, if one is close."""
    from difflib import get_close_matches  # only what is wrong needs it

    near = get_close_matches(name.lower().replace(".", "_")[:80], list(valid), n=1, cutoff=0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""
