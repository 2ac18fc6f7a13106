"""A server's JSON schema in the part of JSON Schema that every wire here takes, and a model's arguments back again.

What the part does not have is translated: `$ref` is followed, `allOf` merged, a choice of objects becomes one object
with what they share as required, a choice of constants an enum, null the word `nullable`. A value that may be of
several kinds, or a schema that holds itself, becomes a text that holds JSON (the value itself will do as well), and is
read again before the call. What only narrows (`format`, `pattern`, lengths) is said in the description: the server
checks it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

SIMPLE = ("string", "integer", "number", "boolean", "array", "object")
SAID = (
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "multipleOf",
    "prefixItems",
    "examples",
)
LONGEST_DESCRIPTION = 600  # characters of one parameter
DEEPEST = 12
MOST_NODES = 5_000  # schemas within the translated one: references within references multiply, and so do choices
LARGEST = 200_000  # characters of a schema as JSON
AS_JSON = "JSON text"


class Untranslatable(ValueError):
    """A schema that no wire can be given; the text says why."""


def translate(schema: Any) -> dict[str, Any]:
    """Return a tool's parameters for a model. Raises Untranslatable where they are no object, or too large."""
    if not isinstance(schema, Mapping):
        raise Untranslatable("its schema is no object")
    try:
        if len(json.dumps(schema)) > LARGEST:
            raise Untranslatable(f"its schema has more than {LARGEST:,} characters")
        parameters = _Translator(schema).node(schema, (), 0)
    except RecursionError:
        raise Untranslatable("its schema is nested too deeply") from None
    if parameters["type"] != "object":
        raise Untranslatable(f"its schema describes a {parameters['type']} where an object is needed")
    parameters.setdefault("properties", {})
    if len(json.dumps(parameters)) > LARGEST:
        raise Untranslatable("its schema grows too large when its references are followed")
    return parameters


def restore(arguments: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """Return a model's arguments as the server wants them: what it had to write as JSON text is read."""
    try:
        restored = _Translator(schema).back(dict(arguments), schema, (), 0)
    except (Untranslatable, RecursionError):
        return dict(arguments)
    return restored if isinstance(restored, dict) else dict(arguments)


class _Translator:
    """Walks one schema; `whole` is where its references lead."""

    def __init__(self, whole: Schema) -> None:
        self.whole = whole
        self._walked = 0

    def node(self, schema: Any, seen: tuple[str, ...], depth: int) -> dict[str, Any]:
        """Translate one schema; `seen` are the references on the way to it."""
        self._count(1)
        schema, seen = self.flat(schema, seen)
        said: dict[str, Any] = _description(schema)
        if _takes_null(schema):
            said["nullable"] = True
        kinds = self.kinds(schema)
        if depth > DEEPEST or len(kinds) != 1 or kinds == ["null"]:
            return _json_text(schema, kinds, said)
        kind = kinds[0]
        if kind == "object":
            return {**said, **self.object(schema, seen, depth)}
        if kind == "array":
            items = None if schema.get("prefixItems") else schema.get("items")
            return {"type": "array", **said, "items": self.node({} if items is None else items, seen, depth + 1)}
        choices = schema.get("enum")
        if isinstance(choices, list) and kind == "string":
            choices = list(dict.fromkeys(each for each in choices if isinstance(each, str)))
            return {"type": "string", **said, "enum": choices} if choices else {"type": "string", **said}
        bounds = {key: schema[key] for key in ("minimum", "maximum") if _is_number(schema.get(key))}
        return {"type": kind, **said, **(bounds if kind in ("integer", "number") else {})}

    def _count(self, nodes: int) -> None:
        self._walked += nodes
        if self._walked > MOST_NODES * 4:
            raise Untranslatable("its schema grows too large when its references and choices are followed")

    def object(self, schema: Schema, seen: tuple[str, ...], depth: int) -> dict[str, Any]:
        translated = {str(name): self.node(part, seen, depth + 1) for name, part in _properties(schema).items()}
        needed = [name for name in _required(schema) if name in translated]
        whole: dict[str, Any] = {"type": "object", "properties": translated, "required": list(dict.fromkeys(needed))}
        if depth == 0 and schema.get("additionalProperties") not in (None, False):
            whole["additionalProperties"] = True
        return whole

    def flat(self, schema: Any, seen: tuple[str, ...]) -> tuple[Schema, tuple[str, ...]]:
        """Return a schema with no `$ref`, `allOf`, `anyOf`, `oneOf` or `const` at its top, and the references so far.
        One that leads back to itself, or nowhere, is of every kind."""
        if not isinstance(schema, Mapping):
            return {}, seen  # true: anything
        self._count(1 + len(schema))
        reference = schema.get("$ref")
        if isinstance(reference, str):
            target = None if reference in seen else self.target(reference)
            if target is None:
                return {"description": schema.get("description", "")}, seen
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            return self.flat({**target, **rest}, (*seen, reference))
        if isinstance(parts := schema.get("allOf"), list):
            rest = {key: value for key, value in schema.items() if key != "allOf"}
            merged: Schema = rest
            for part in parts:
                flat, seen = self.flat(part, seen)
                self._count(len(_properties(merged)) + len(_properties(flat)))
                merged = _merged(merged, flat, need_both=True)
            return self.flat(merged, seen)
        choice = next((key for key in ("anyOf", "oneOf") if isinstance(schema.get(key), list)), None)
        if choice:
            return self.choice(schema, choice, seen)
        if "const" in schema:
            return {**{key: value for key, value in schema.items() if key != "const"}, "enum": [schema["const"]]}, seen
        return schema, seen

    def choice(self, schema: Schema, key: str, seen: tuple[str, ...]) -> tuple[Schema, tuple[str, ...]]:
        rest = {name: value for name, value in schema.items() if name != key}
        options = [self.flat(option, seen)[0] for option in schema[key]]
        if any(map(_takes_null, options)):
            rest["nullable"] = True
        options = [option for option in options if self.kinds(option) != ["null"]]
        if len(options) == 1:
            return self.flat(_merged(rest, options[0], need_both=True), seen)
        kinds = {kind for option in options for kind in (self.kinds(option) or SIMPLE)}
        if kinds == {"object"}:
            merged = options[0]
            for option in options[1:]:
                self._count(len(_properties(merged)) + len(_properties(option)))
                merged = _merged(merged, option, need_both=False)
            return _merged(rest, merged, need_both=True), seen
        if kinds == {"string"} and all(isinstance(option.get("enum"), list) for option in options):
            return {**rest, "type": "string", "enum": [each for option in options for each in option["enum"]]}, seen
        return {**rest, "type": sorted(kinds)}, seen

    def kinds(self, schema: Schema) -> list[str]:
        """The types that a flat schema allows, [] for every one."""
        kind = schema.get("type")
        if isinstance(kind, str):
            return [kind] if kind in SIMPLE or kind == "null" else []
        if isinstance(kind, list):
            kinds = [each for each in kind if each in SIMPLE]
            return ["number"] if set(kinds) == {"integer", "number"} else kinds or ["null"]
        if isinstance(schema.get("properties"), Mapping):
            return ["object"]
        if isinstance(choices := schema.get("enum"), list):
            return list(dict.fromkeys(kind for kind in map(_kind_of, choices) if kind != "null"))
        return ["array"] if "items" in schema else []

    def target(self, reference: str) -> Schema | None:
        """What a reference within the document leads to; no other document is ever fetched."""
        if not reference.startswith("#"):
            return None
        place: Any = self.whole
        for part in reference[1:].split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(place, Mapping) or part not in place:
                return None
            place = place[part]
        return place if isinstance(place, Mapping) else None

    def back(self, value: Any, schema: Any, seen: tuple[str, ...], depth: int) -> Any:
        schema, seen = self.flat(schema, seen)
        kinds = self.kinds(schema)
        if depth > DEEPEST or len(kinds) != 1 or kinds == ["null"]:
            return _read_json(value, kinds or SIMPLE)
        if isinstance(value, dict) and isinstance(parts := schema.get("properties"), Mapping):
            return {name: self.back(each, parts.get(name, {"type": kinds}), seen, depth + 1) if name in parts else each
                    for name, each in value.items()}  # fmt: skip
        if isinstance(value, list):
            first = schema.get("prefixItems")
            places = first if isinstance(first, list) else []
            parts = [*places[: len(value)], *[schema.get("items", {})] * (len(value) - len(places))]
            if places:  # what stands at a place of its own was shown as text that holds JSON, whatever its kind
                kinds_of = (self.kinds(self.flat(part, seen)[0]) or SIMPLE for part in parts)
                value = [_read_json(each, kinds) for each, kinds in zip(value, kinds_of, strict=True)]
            return [self.back(each, part, seen, depth + 1) for each, part in zip(value, parts, strict=True)]
        return value


def _properties(schema: Schema) -> Schema:
    properties = schema.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def _required(schema: Schema) -> list[str]:
    """The names that a schema requires; in the drafts before 4 it was `true`, beside the property itself."""
    required = schema.get("required")
    return [name for name in required if isinstance(name, str)] if isinstance(required, list) else []


def _takes_null(schema: Schema) -> bool:
    """Whether a flat schema allows null: as JSON Schema says it, or as OpenAPI does."""
    kind, choices = schema.get("type"), schema.get("enum")
    named = kind == "null" or isinstance(kind, list) and "null" in kind
    return named or schema.get("nullable") is True or isinstance(choices, list) and None in choices


def _json_text(schema: Schema, kinds: Sequence[str], said: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a value that a wire cannot describe: text that holds it."""
    words = " or ".join(kinds) or "any value"
    texts = " (a plain text needs no quotes)" if not kinds or "string" in kinds else ""
    text = f"{said.get('description', '')} [{AS_JSON}: {words}{texts}]".strip()
    may_be_null = {"nullable": True} if said.get("nullable") else {}
    return {"type": "string", "description": text, "contentMediaType": "application/json", **may_be_null}


def _read_json(value: Any, kinds: Sequence[str]) -> Any:
    """Read a text as JSON, where what it holds is of a kind that the server takes; else it is the text itself."""
    if not isinstance(value, str):
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    kind = _kind_of(parsed)
    fits = kind in kinds or (kind == "integer" and "number" in kinds)
    return parsed if fits and not (kind == "string" and not value.startswith('"')) else value


def _merged(left: Schema, right: Schema, *, need_both: bool) -> dict[str, Any]:
    """Two schemas as one: with `need_both` what either requires is required, else what both do."""
    merged = {**left, **right}
    if left.get("description") and need_both:
        merged["description"] = left["description"]
    if isinstance(left.get("properties"), Mapping) or isinstance(right.get("properties"), Mapping):
        both = [_properties(side) for side in (left, right)]
        properties = {**both[0], **both[1]}
        if not need_both:  # a discriminator: what either side has as a constant, or as its own schema
            shared = both[0].keys() & both[1].keys()
            properties |= {name: {"anyOf": [both[0][name], both[1][name]]} for name in shared
                           if both[0][name] != both[1][name]}  # fmt: skip
        needed = [set(_required(side)) for side in (left, right)]
        required = needed[0] | needed[1] if need_both else needed[0] & needed[1]
        merged |= {"type": "object", "properties": properties, "required": [n for n in properties if n in required]}
    return merged


def _description(schema: Schema) -> dict[str, str]:
    parts = [str(schema.get("description") or schema.get("title") or "")]
    choices = schema.get("enum")
    if isinstance(choices, list) and not all(isinstance(each, str) for each in choices):
        parts.append(f"one of {json.dumps(choices)[:200]}")
    if "default" in schema:
        parts.append(f"default: {json.dumps(schema['default'])[:80]}")
    parts += [f"{key}: {json.dumps(schema[key])[:80]}" for key in SAID if key in schema]
    text = "; ".join(part for part in parts if part)[:LONGEST_DESCRIPTION]
    return {"description": text} if text else {}


def _kind_of(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    kinds = {str: "string", int: "integer", float: "number", list: "array", dict: "object"}
    return kinds.get(type(value), "string")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
