"""Lesson 8: a model that recovers only when it is told how."""

from __future__ import annotations

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


def check(lesson: Any) -> None:
    with lesson.case("a parameter that does not exist"):
        text = lesson.call("explain", "it has no parameter 'dir'", LIST, {"dir": "pkg"})
        lesson.expect(isinstance(text, str) and text.startswith("Error: "), 'text that begins with "Error: "')
        lesson.expect("list_files" in text, "the name of the tool in it", "a message may hold several calls")
        lesson.expect("'dir'" in text, "the error itself in it: it has no parameter 'dir'")
        every(lesson, text, LIST)
    with lesson.case("every parameter, with its type, also the one that may be left out"):
        every(
            lesson, lesson.call("explain", "it has no parameter 'line'", READ, {"file_path": "a.py", "line": 3}), READ
        )
    with lesson.case("a required parameter is missing"):
        text = lesson.call("explain", "it needs 'content'", WRITE, {"file_path": "a.py"})
        every(lesson, text, WRITE)
    with lesson.case("a whole file was sent, and is not sent back"):
        text = lesson.call(
            "explain",
            "it has no parameter 'text'",
            WRITE,
            {"file_path": "a.py", "text": "print(1)\n" * 5000},
            shown="explain(\"it has no parameter 'text'\", write_file, {'text': 45,000 characters})",
        )
        lesson.expect(
            len(text) <= MOST,
            f"a text under {MOST} characters",
            "what you answer stays in the list and is sent again on every turn",
            got=f"{len(text)} characters",
        )
        every(lesson, text, WRITE)
    with lesson.case("a model that guesses needs six turns, a model that is told needs two"):
        turns, story = play(lesson)
        lesson.expect(turns <= 2, "the right call at the second turn", "it reads the error and takes the word from it",
                      got=f"the right call at turn {turns}")  # fmt: skip
    before, _ = play(None)
    lesson.picture.append("\n".join([f"{before} turns before, with 'Error: list_files failed'. Now:", *story]))


def every(lesson: Any, text: str, tool: dict[str, Any]) -> None:
    for name, kind in tool["parameters"]["properties"].items():
        lesson.expect(
            name in text,
            f"every parameter that there is: {', '.join(tool['parameters']['properties'])}",
            "a model that is told the valid names picks one; a model that is not told guesses",
        )
        words = {"string": ("string", "text", "str"), "integer": ("integer", "number", "int")}[kind["type"]]
        lesson.expect(any(word in text for word in words), f"its type beside {name}: {kind['type']}")
    required = [name for name in tool["parameters"]["properties"] if name in tool["parameters"]["required"]]
    optional = [name for name in tool["parameters"]["properties"] if name not in required]
    marked = any(word in text.lower() for word in ("optional", "required", "must", "may be left", "need"))
    lesson.expect(
        marked or not (required and optional),
        "a word for what is required and what is optional, as both occur here",
        "a model that does not know sends everything, and makes up what it does not have",
    )


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
