"""Tool calls that a model wrote into its text, because its prompt template or its server does not fit it.

The shapes are those of lmstudio-bug-tracker#2115 and #1979, qwen-code#176 and of Qwen2.5-Coder with its stock template.
What stands here finds them; call_functions.py decides what may be done with them.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from functions.tool import Catalogue

TextCall = tuple[str, str | dict[str, Any]]  # name, arguments

THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
NAME = re.compile(r'"name"\s*:\s*"([\w.-]+)"')
PARAMETER = re.compile(r"<parameter=([\w-]+)>\n?(.*?)\n?(?:</parameter>|(?=<parameter=)|\Z)", re.DOTALL)
FUNCTION = re.compile(r"<function=([\w.-]+)>(.*?)(?:</function>|\Z)", re.DOTALL)
LARGEST_CALL_LINE = 10_000  # characters of name(arg="...") that are given to Python's parser


def spoken(text: str) -> str:
    """Return a text without its thoughts. Some templates open the block themselves, so that only its end arrives."""
    return THOUGHT.sub("", text).rpartition("</think>")[2].strip()


def text_calls(text: str, catalogue: Catalogue) -> tuple[str, list[TextCall]]:
    """Return the text without the calls that it holds outside of thoughts, and the calls in order."""
    text, found = spoken(text), []
    for pattern, read in SHAPES:
        for match in reversed(list(pattern.finditer(text))):
            if calls := read(match[1], catalogue):
                found.append((match.start(), calls))
                text = f"{text[: match.start()].rstrip()}\n{text[match.end() :].lstrip()}".strip()
    return text, [call for _, calls in sorted(found, key=lambda item: item[0]) for call in calls]


def tagged(body: str, catalogue: Catalogue) -> list[TextCall]:
    """What stands between tags that mean a call: JSON, or a function with its parameters. Never taken for prose."""
    calls = list(functions(body, catalogue)) or list(objects(body, catalogue, sure=True))
    return calls or list(unreadable(body, catalogue))


def fenced(body: str, catalogue: Catalogue) -> list[TextCall]:
    """What stands in a block of code, or alone: a call only where it has a call's shape."""
    return (
        list(functions(body, catalogue)) or list(objects(body, catalogue, sure=False)) or python_calls(body, catalogue)
    )


def functions(body: str, catalogue: Catalogue) -> Iterator[TextCall]:
    """`<function=name><parameter=key>value</parameter></function>`; values are text, typed by the tool's schema."""
    for match in FUNCTION.finditer(body):
        types = properties_of(match[1], catalogue)
        yield match[1], {key: typed(value, types.get(key, {})) for key, value in PARAMETER.findall(match[2])}


def properties_of(name: str, catalogue: Catalogue) -> dict[str, Any]:
    """The parameters of a tool, none for one that does not exist."""
    return catalogue[name].parameters.get("properties") or {} if name in catalogue else {}


def typed(value: str, schema: dict[str, Any]) -> Any:
    if schema.get("type", "string") == "string":
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def objects(body: str, catalogue: Catalogue, *, sure: bool) -> Iterator[TextCall]:
    """One or several JSON objects with a name and arguments; not `sure` means that the name must be a tool's."""
    decoder, position = json.JSONDecoder(), 0
    while match := re.compile(r"[\s,]*(?=[\[{])").match(body, position):
        try:
            value, position = decoder.raw_decode(body, match.end())
        except (ValueError, RecursionError):
            if NAME.search(body[:200]):
                yield from unreadable(body[match.end() :], catalogue)
            return
        for call in value if isinstance(value, list) else [value]:
            call = call.get("function", call) if isinstance(call, dict) else None
            if not isinstance(call, dict) or not isinstance(call.get("name"), str):
                continue
            arguments = call.get("arguments", call.get("parameters"))
            if sure or call["name"] in catalogue and isinstance(arguments, dict | str):
                yield call["name"], arguments if isinstance(arguments, dict | str) else {}


def unreadable(body: str, catalogue: Catalogue) -> Iterator[TextCall]:
    """A call that is not JSON goes on as it is: the dispatcher answers it with what is wrong."""
    match = NAME.search(body)
    if match and match[1] in catalogue:
        yield match[1], body


def python_calls(body: str, catalogue: Catalogue) -> list[TextCall]:
    """`name(arg="...")`, one or several, and nothing else."""
    if not 0 < len(body) <= LARGEST_CALL_LINE or body.lstrip().split("(")[0] not in catalogue:
        return []
    try:
        statements = ast.parse(body.strip()).body
        return [read_call(statement.value, catalogue) for statement in statements]  # type: ignore[attr-defined]
    except (SyntaxError, ValueError, AttributeError, KeyError, IndexError, RecursionError, MemoryError):
        return []


def read_call(call: Any, catalogue: Catalogue) -> TextCall:
    names = list(catalogue[call.func.id].parameters.get("properties") or {})
    arguments = {names[index]: ast.literal_eval(value) for index, value in enumerate(call.args)}
    arguments |= {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    return call.func.id, arguments


SHAPES: list[tuple[re.Pattern[str], Callable[[str, Catalogue], list[TextCall]]]] = [
    (re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL), tagged),
    (re.compile(r"\[TOOL_REQUEST\](.*?)(?:\[END_TOOL_REQUEST\]|\Z)", re.DOTALL), tagged),
    (re.compile(r"\[TOOL_CALLS\](.*)\Z", re.DOTALL), tagged),
    (re.compile(r"(<function=[\w.-]+>.*?(?:</function>|\Z))", re.DOTALL), tagged),
    (re.compile(r"```(?:json|tool_call|tool_code|python|xml)?[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL), fenced),
    (re.compile(r"\A\s*([\[{].*)\Z", re.DOTALL), fenced),
    (re.compile(r"(?:\A|\n)[ \t]*(\w+\([^\n]*\))\s*\Z"), fenced),
]
