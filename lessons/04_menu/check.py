"""Lesson 4: the menu, compared with the signature of each tool."""

import inspect
import json
import types
import typing
from typing import Any

KINDS = {str: "string", int: "integer", bool: "boolean", list: "array"}


def list_files(root: str, directory: str = ".") -> str:
    """List a folder."""
    return root + directory


def read_file(root: str, file_path: str, start_line: int = 1) -> str:
    """Read a text file from a line on."""
    return f"{root}{file_path}{start_line}"


def search_files(root: str, query: str, regex: bool = False) -> str:
    """Find a text in all files."""
    return f"{root}{query}{regex}"


def run_python(root: str, file_path: str, args: list[str] = []) -> str:  # noqa: B006 - a signature to read
    """Run a Python file with arguments."""
    return f"{root}{file_path}{args}"


TOOLS = (list_files, read_file, search_files, run_python)


ANNOTATIONS = ("str", "int", "bool", "list[str]")
DEFAULTS = {"str": "'.'", "int": "0", "bool": "False", "list[str]": "None"}


def check(lesson: Any) -> None:
    written_by_hand = lesson.real("WRITTEN_BY_HAND")  # the real agent's tools
    tools = written_by_hand or TOOLS
    dishes = []
    for tool in tools:
        with lesson.case(
            f"{tool.__name__}{inspect.signature(tool)}",
            "the model knows of a tool what stands on the menu, and no more",
        ):
            dish = lesson.call("schema", lesson.shape(tool))
            judge(lesson, tool, dish)
            dishes.append(dish)
    if not written_by_hand:
        with lesson.case(
            "tools that nobody has seen before", "a menu made by hand is right for the tools of yesterday"
        ):
            for number in range(6):
                tool = new_tool(lesson.fresh, number)
                shown = f"schema({tool.__name__})  # {tool.__name__}{inspect.signature(tool)}"
                judge(lesson, tool, lesson.call("schema", lesson.shape(tool), shown=shown))
    with lesson.case("the menu can travel: it is JSON", "it is sent with each request, as text"):
        json.dumps([lesson.call("schema", lesson.shape(tool)) for tool in tools])
    if dishes:
        lesson.picture.append(
            "One dish, for OpenAI's wire (LM Studio speaks it too):\n" + json.dumps(openai(dishes[-1]))
        )
        lesson.picture.append("The same dish, for Gemini's wire:\n" + json.dumps(gemini(dishes[-1])))


def new_tool(fresh: Any, number: int) -> Any:
    """A function with a name, parameters, types, defaults and a docstring of its own; each kind of type occurs."""
    kinds = fresh.sample(ANNOTATIONS, 4) + fresh.choices(ANNOTATIONS, k=2) if number < 3 else [ANNOTATIONS[number % 4]]
    needed = (5, 0, 6, 0)[number % 4]  # those with a default come after those without
    takes = [f"{('root', 'folder', 'place')[number % 3]}: str"]
    for index, kind in enumerate(kinds):
        named = "root" if (number, index) == (1, 0) else fresh.word()
        takes.append(f"{named}: {kind}" + (f" = {DEFAULTS[kind]}" if index >= needed else ""))
    name = "_".join(fresh.words(2))
    made: dict[str, Any] = {}
    more = "".join(f"\n\n    {fresh.sentence()} {fresh.sentence()}" for _ in range(number))
    exec(f'def {name}({", ".join(takes)}) -> str:\n    """{fresh.sentence()}{more}"""\n    return ""\n', made)
    return made[name]


def judge(lesson: Any, tool: Any, dish: Any) -> None:
    hints = typing.get_type_hints(tool)
    parameters = [each for each in inspect.signature(tool).parameters.values() if each.kind is not each.KEYWORD_ONLY]
    hidden, wanted = parameters[0].name, parameters[1:]
    lesson.expect(isinstance(dish, dict), "a dictionary with name, description and parameters")
    lesson.expect(dish.get("name") == tool.__name__, f'"name": "{tool.__name__}"')
    lesson.expect(
        isinstance(dish.get("description"), str) and bool(dish["description"].strip()),
        "a description: the docstring",
        "it is all the model knows about what the tool does",
    )
    said, meant = dish["description"].split(), (tool.__doc__ or "").split()
    own_words = lesson.real("WRITTEN_BY_HAND")
    lesson.expect(
        said == meant or bool(own_words), f'"description": "{tool.__doc__}"', "it tells one tool from the next"
    )
    schema = dish.get("parameters") or {}
    lesson.expect(schema.get("type") == "object", '"parameters": {"type": "object", ...}')
    properties = schema.get("properties")
    lesson.expect(isinstance(properties, dict), '"properties": a dictionary in "parameters"')
    lesson.expect(
        hidden not in properties,
        f"no {hidden}: the first parameter stays off the menu",
        "your program fills it in; a model that could would choose the folder that it works in",
    )
    names = [each.name for each in wanted]
    lesson.expect(list(properties) == names, f"the properties {names}")
    for each in wanted:
        kind = KINDS[plain(hints[each.name])]
        lesson.expect(
            isinstance(properties[each.name], dict) and properties[each.name].get("type") == kind,
            f'for {each.name}: "type": "{kind}"',
            "the model sends what the menu says: a wrong type on the menu is a wrong type in the call",
        )
        if kind == "array":
            items = properties[each.name].get("items")
            lesson.expect(items == {"type": "string"}, f'for {each.name}: "items": {{"type": "string"}}')
        else:
            lesson.expect("items" not in properties[each.name], f'for {each.name}: no "items"', "it is no list")
    required = schema.get("required")
    lesson.expect(isinstance(required, list), '"required": a list in "parameters"')
    for each in wanted:
        optional = each.default is not inspect.Parameter.empty
        lesson.expect(
            optional or each.name in required,
            f'"required" with {each.name} in it: it has no default, so it must be sent',
            "a model leaves out what it may leave out",
        )
        lesson.expect(
            not optional or each.name not in required,
            f'"required" without {each.name}: it has a default ({each.default!r})',
            "a model that must send a value makes one up",
        )
    lesson.expect(set(required) <= set(names), f'"required" with no name but these: {names}', "no other can be sent")


def plain(annotation: Any) -> Any:
    """`list[str] | None` is a list."""
    if isinstance(annotation, types.UnionType):
        annotation = next(each for each in typing.get_args(annotation) if each is not type(None))
    return typing.get_origin(annotation) or annotation


def openai(dish: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": dish}


def gemini(dish: dict[str, Any]) -> dict[str, Any]:
    def capitals(schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        return {key: value.upper() if key == "type" else capitals(value) for key, value in schema.items()}

    return {"functionDeclarations": [capitals(dish)]}
