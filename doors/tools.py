"""A person's own tools: a typed function becomes a Tool, and everything about it is checked where it is defined.

The schema comes from the hints, the words from the docstring. The same reading of hints makes the shape of an answer
(doors/answers.py): a type goes in, a JSON schema comes out, and JSON becomes an instance of the type again.
"""

from __future__ import annotations

import asyncio
import dataclasses
import enum
import inspect
import json
import re
import types
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from config import ConfigError
from functions.schema import SchemaError, check_schema
from functions.tool import Tool
from sandbox.files.root import Root

PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
KNOWN = "str, int, float, bool, list[...], dict[str, ...], Literal, an Enum, a dataclass, a TypedDict, a pydantic model"
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
ARGUMENT = re.compile(r"^\s+(\w+)(?: \(.*?\))?:[ ]*(.+(?:\n\s{6,}\S.*)*)", re.MULTILINE)  # as Google's style has it


def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    reads_only: bool | None = None,
    name: str = "",
    changes_files: bool = False,
    verifies: bool = False,
) -> Any:
    """Make a Tool of a typed function: `@tool(reads_only=True)` above it.

    Every parameter has a hint; one in `Annotated[..., "text"]`, or under "Args:" in the docstring, is described. A
    first parameter of the type Root gets the working directory, and the model never sees it. What is returned becomes
    the result: a text as it is, other data as JSON, a ToolError as a failure that says what to do instead. Calls of a
    tool that only reads run together and unasked. Raises ConfigError, naming the function, for what cannot be a tool.
    """
    if function is None:
        return partial(tool, reads_only=reads_only, name=name, changes_files=changes_files, verifies=verifies)
    called = f"the tool {getattr(function, '__name__', function)!r}"
    if not inspect.isfunction(function):
        raise ConfigError(f"{called} is no function. Put @tool(reads_only=...) above a def.")
    if not isinstance(reads_only, bool):
        raise ConfigError(
            f"{called} does not say whether it changes anything. Write @tool(reads_only=True) above it where it only "
            "looks, or @tool(reads_only=False) where a call may change something: such a call is asked about"
        )
    name = name or function.__name__
    if not NAME.fullmatch(name):
        raise ConfigError(f"{called} cannot be named {name!r}: letters, digits, _ and - are taken, at most 64 of them.")
    text = inspect.getdoc(function) or ""
    description = re.split(r"\n\s*(?:Args|Arguments|Parameters|Returns|Raises):", f"\n{text}")[0].strip()
    if not description:
        raise ConfigError(f"{called} has no docstring. Its first lines tell the model what the tool is for.")
    kinds, schema = parameters_of(function, called, dict(ARGUMENT.findall(text)))
    holds = bool(kinds) and next(iter(kinds.values())) is Root
    taken = dict(list(kinds.items())[holds:])

    def call(*held: Any, **arguments: Any) -> str:
        said = function(*held, **{name: instance(taken[name], value) for name, value in arguments.items()})
        return as_text(asyncio.run(said) if inspect.isawaitable(said) else said)

    return Tool(
        name=name,
        function=call,
        schema={"name": name, "description": description, "parameters": schema},
        reads_only=reads_only,
        changes_files=changes_files,
        verifies=verifies,
        resource="root" if holds else "",
    )


def parameters_of(
    function: Callable[..., Any], called: str, described: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a function's hints by parameter, and the schema of what a model sends."""
    try:
        hints = get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError) as error:
        raise ConfigError(f"{called} has a hint that cannot be read ({error}). Import the type at the top.") from None
    kinds: dict[str, Any] = {}
    properties: dict[str, Any] = {}
    required: list[str] = []
    for place, parameter in enumerate(inspect.signature(function).parameters.values()):
        which = f"the parameter {parameter.name!r} of {called}"
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise ConfigError(f"{which} cannot be sent by name: a model sends each argument with its name.")
        if parameter.name not in hints:
            raise ConfigError(f"{which} has no hint. It may be {KNOWN}.")
        kinds[parameter.name] = kind = hints[parameter.name]
        if kind is Root:
            if place:
                raise ConfigError(f"{which} is the working directory, which is the first parameter or none.")
            continue
        part = described_as(schema_of(kind, which), " ".join(described.get(parameter.name, "").split()))
        if parameter.default is parameter.empty:
            required.append(parameter.name)
        elif isinstance(parameter.default, (str, int, float, bool)) and not isinstance(parameter.default, enum.Enum):
            part["default"] = parameter.default
        properties[parameter.name] = part
    schema = {"type": "object", "properties": properties, "required": required}
    try:
        check_schema(schema, called)
    except SchemaError as error:  # an own pydantic schema may hold anything
        raise ConfigError(str(error)) from None
    return kinds, schema


def described_as(schema: Mapping[str, Any], text: str) -> dict[str, Any]:
    return {**schema, "description": text} if text and "description" not in schema else dict(schema)


def schema_of(kind: Any, which: str, seen: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Return the JSON schema of a type, in the part of it that every wire takes. Raises ConfigError, with `which`, for
    a type that no JSON value stands for."""
    if get_origin(kind) is Annotated:
        text = next((each for each in kind.__metadata__ if isinstance(each, str)), "")
        return described_as(schema_of(kind.__origin__, which, seen), text)
    if kind in PLAIN:
        return {"type": PLAIN[kind]}
    origin, parts = get_origin(kind), get_args(kind)
    choices = parts if origin is Literal else [each.value for each in kind] if is_enum(kind) else ()
    if choices and type(choices[0]) in PLAIN and all(type(each) is type(choices[0]) for each in choices):
        return {"type": PLAIN[type(choices[0])], "enum": list(choices)}
    if origin in (list, set, tuple, Sequence) and parts and (origin is not tuple or parts[1:] == (...,)):
        return {"type": "array", "items": schema_of(parts[0], which, seen)}
    if origin in (dict, Mapping) and parts[:1] == (str,):
        values = True if parts[1] is Any else schema_of(parts[1], which, seen)
        return {"type": "object", "properties": {}, "additionalProperties": values}
    if origin in (Union, types.UnionType) and len(rest := [each for each in parts if each is not type(None)]) == 1:
        return {**schema_of(rest[0], which, seen), "nullable": True}
    if kind in seen:
        raise ConfigError(f"{which} holds itself ({kind.__name__}), which no model can be told of.")
    if hasattr(kind, "model_json_schema"):
        from reach.mcp_schema import translate

        return translate(kind.model_json_schema())
    if fields := fields_of(kind):
        properties = {name: schema_of(each, f"{which}, {name}", (*seen, kind)) for name, (each, _) in fields.items()}
        return {"type": "object", "properties": properties, "required": [name for name in fields if fields[name][1]]}
    raise ConfigError(f"{which} has the type {getattr(kind, '__name__', kind)}. It may be {KNOWN}; or ... | None.")


def is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, enum.Enum)


def fields_of(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The fields of a dataclass or a TypedDict: the type of each, and whether it must be there. {} for another type."""
    if is_typeddict(kind):
        return {name: (each, name in kind.__required_keys__) for name, each in get_type_hints(kind).items()}
    if not dataclasses.is_dataclass(kind):
        return {}
    hints = get_type_hints(kind, include_extras=True)
    nothing = dataclasses.MISSING
    return {
        field.name: (hints[field.name], field.default is nothing and field.default_factory is nothing)
        for field in dataclasses.fields(kind)
        if field.init
    }


def instance(kind: Any, value: Any) -> Any:
    """Return checked JSON data as a value of the type. Raises ValueError where a pydantic model, or a dataclass of its
    own accord, does not take it."""
    if get_origin(kind) is Annotated:
        return instance(kind.__origin__, value)
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if value is None else instance(next(each for each in parts if each is not type(None)), value)
    if hasattr(kind, "model_validate"):
        return kind.model_validate(value)
    if is_enum(kind):
        return kind(value)
    if origin in (list, set, tuple, Sequence):
        return (list if origin is Sequence else origin)(instance(parts[0], each) for each in value)
    if origin in (dict, Mapping) and parts[1] is not Any:
        return {name: instance(parts[1], each) for name, each in value.items()}
    if fields := fields_of(kind):
        return kind(**{name: instance(fields[name][0], each) for name, each in value.items() if name in fields})
    return float(value) if kind is float else value


def as_text(said: Any) -> str:
    """What a tool returned as the text of its result."""
    if isinstance(said, str):
        return said
    return "Done." if said is None else json.dumps(said, default=plain, ensure_ascii=False)


def plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return (
        value.value if isinstance(value, enum.Enum) else list(value) if isinstance(value, (set, tuple)) else str(value)
    )
