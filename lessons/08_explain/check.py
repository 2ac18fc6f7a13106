"""Lesson 8: a model that recovers only when it is told how."""

from __future__ import annotations

import itertools
import re
from typing import Any

LIST = {
    "name": "list_files",
    "parameters": {"type": "object", "properties": {"directory": {"type": "string"}}, "required": []},
}
READ = {
    "name": "read_file",
    "parameters": {
        "type": "object",
        "properties": {"file_path": {"type": "string"}, "start_line": {"type": "integer"}},
        "required": ["file_path"],
    },
}
WRITE = {
    "name": "write_file",
    "parameters": {
        "type": "object",
        "properties": {"file_path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["file_path", "content"],
    },
}
GUESSES = ("dir", "path", "folder", "location", "where", "directory")
MOST = 500
TYPE_WORDS = {
    "string": ("string", "text", "str"),
    "integer": ("integer", "number", "int"),
    "boolean": ("boolean", "bool", "true or false"),
}


def check(lesson: Any) -> None:
    with lesson.case("a parameter that does not exist", "the model has nothing to go by but this text"):
        tool, wrong = new_tool(lesson.fresh, 1), f"{lesson.fresh.word()}\u00fc"
        error = f"it has no parameter '{wrong}'"
        text = ask(lesson, error, tool, {wrong: "pkg"})
        lesson.expect(isinstance(text, str) and text.startswith("Error: "), 'text that begins with "Error: "')
        lesson.expect(
            tool["name"] in text, f"the name of the tool in it: {tool['name']}", "a message may hold several calls"
        )
        lesson.expect(
            f"'{wrong}'" in text, f"the error itself in it: {error}", "what was wrong is the first thing to know"
        )
        every(lesson, text, tool)
    with lesson.case(
        "every parameter, with its type, also the one that may be left out",
        "a call with a text where a number belongs is the next wrong one",
    ):
        for tool in (READ, WRITE, new_tool(lesson.fresh, 3), new_tool(lesson.fresh, 4)):
            every(lesson, ask(lesson, "it has no parameter 'line'", tool, {"line": 3}), tool)
    with lesson.case(
        "which of them is required, and which may be left out",
        "a model that does not know makes up what it does not have",
    ):
        tells_required(lesson)
    with lesson.case("which of them has which type", "a number in quotes is the next wrong call"):
        tells_types(lesson)
    sent_back(lesson)
    with lesson.case("a model that guesses needs six turns, a model that is told needs two", "every turn is paid for"):
        turns, story = play(lesson)
        lesson.expect(turns <= 2, "the right call at the second turn", "it reads the error and takes the word from it",
                      got=f"the right call at turn {turns}")  # fmt: skip
    before, _ = play(None)
    lesson.picture.append("\n".join([f"{before} turns before, with 'Error: list_files failed'. Now:", *story]))


def ask(lesson: Any, error: str, tool: dict[str, Any], arguments: dict[str, Any], shown: str = "") -> Any:
    sent = shown or lesson.show(arguments)
    return lesson.call("explain", error, tool, arguments, shown=f'explain("{error}", {described(tool)}, {sent})')


def described(tool: dict[str, Any]) -> str:
    takes = tool["parameters"]
    parts = [
        f"{name}: {kind['type']}" + ("" if name in takes["required"] else " = ...")
        for name, kind in takes["properties"].items()
    ]
    return f"{tool['name']}({', '.join(parts)})"


def new_tool(fresh: Any, count: int) -> dict[str, Any]:
    """A tool with names, types and required parameters of its own."""
    names = fresh.words(count)
    types = itertools.cycle(fresh.sample(list(TYPE_WORDS), len(TYPE_WORDS)))
    properties = {name: {"type": kind} for name, kind in zip(names, types, strict=False)}
    required = names[1::2]  # the first may always be left out
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"name": fresh.word(), "parameters": parameters}


def every(lesson: Any, text: Any, tool: dict[str, Any]) -> None:
    lesson.expect(isinstance(text, str), "text")
    properties = tool["parameters"]["properties"]
    lesson.expect(
        all(name in text for name in properties),
        f"every parameter that there is: {', '.join(properties)}",
        "a model that is told the valid names picks one; a model that is not told guesses",
    )
    for name, kind in properties.items():
        lesson.expect(any(word in text for word in TYPE_WORDS[kind["type"]]), f"its type beside {name}: {kind['type']}")


def tells_required(lesson: Any) -> None:
    """The text must be another one when nothing but `required` is: no word can be found wrong in any language."""
    one, two = lesson.fresh.words(2)
    texts: dict[str, str] = {}
    name = lesson.fresh.word()
    for required in ([], [one], [two], [one, two]):
        properties = {one: {"type": "string"}, two: {"type": "string"}}
        tool = {"name": name, "parameters": {"type": "object", "properties": properties, "required": required}}
        text = ask(lesson, "it has no parameter 'line'", tool, {"line": 1})
        lesson.expect(
            text not in texts,
            f"another text than for {texts.get(text)}: here the required ones are {', '.join(required) or 'none'}",
            "a model that does not know sends everything, and makes up what it does not have",
        )
        texts[text] = described(tool)
        for each in (one, two):  # for whoever says it like this, in words that can be read
            for said in re.findall(rf"\b{each}\b[^,;.()]*\((required|optional)\)", text):
                right = (said == "required") is (each in required)
                lesson.expect(right, f"{each} told as it is: {described(tool)}", got=text)


def tells_types(lesson: Any) -> None:
    one, two, name = lesson.fresh.words(3)
    first, second = lesson.fresh.sample(list(TYPE_WORDS), 2)
    texts = []
    for types in ((first, second), (second, first)):
        properties = {one: {"type": types[0]}, two: {"type": types[1]}}
        tool = {"name": name, "parameters": {"type": "object", "properties": properties, "required": []}}
        texts.append(ask(lesson, "it has no parameter 'line'", tool, {"line": 1}))
    lesson.expect(
        texts[0] != texts[1],
        f"another text when {one} and {two} have changed their types",
        "which type belongs to which parameter: a number in quotes is the next wrong call",
    )


def sent_back(lesson: Any) -> None:
    word, other = lesson.fresh.words(2)
    whole_file = f"{word}(1)\n" * lesson.fresh.randint(3000, 6000)
    if lesson.real("LEAVES_OUT_WHAT_WAS_SENT"):
        lesson.skip("what was sent is shown", "the real agent leaves it out: its call stands just above in the list")
    else:
        with lesson.case("what was sent is shown"):
            why = "a model that sees what it wrote beside what is right sees the difference"
            text = ask(lesson, "it has no parameter 'folder'", LIST, {"folder": word, "deep": other})
            for each in (word, other):
                lesson.expect(each in text, f"what the model sent, {each!r}, in it", why)
            sent = {"file_path": f"{word}.py", "text": whole_file}
            shown = f"{{'file_path': '{word}.py', 'text': a whole file}}"
            text = ask(lesson, "it has no parameter 'text'", WRITE, sent, shown)
            lesson.expect(f"{word}.py" in text, f"the beginning of what the model sent, with '{word}.py'", why)
    with lesson.case("a whole file was sent, and is not sent back", "what you answer is sent again on every turn"):
        text = ask(
            lesson,
            "it has no parameter 'text'",
            WRITE,
            {"file_path": "a.py", "text": whole_file},
            shown="{'file_path': 'a.py', 'text': a whole file}",
        )
        lesson.expect(
            len(text) <= MOST,
            f"a text under {MOST} characters",
            "what you answer stays in the list and is sent again on every turn",
            got=f"{len(text)} characters",
        )
        every(lesson, text, WRITE)


def play(lesson: Any) -> tuple[int, list[str]]:
    """The scripted model: it takes the next guess, unless the last error holds the right word."""
    story, told = [], ""
    for turn, guess in enumerate(GUESSES, 1):
        name = "directory" if "directory" in told else guess
        story.append(f'assistant  + list_files {{"{name}": "pkg"}}')
        if name == "directory":
            return turn, [*story, "tool       - calculator.py: file_size=1917 bytes, is_dir=False"]
        problem = f"it has no parameter '{name}'"
        told = lesson.call("explain", problem, LIST, {name: "pkg"}) if lesson else "Error: list_files failed"
        story.append(f"tool       {told}")
    return len(GUESSES), story
