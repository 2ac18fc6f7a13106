"""Lesson 5: two good calls, six bad ones; each is answered in text, and only the good ones run."""

from __future__ import annotations

from typing import Any

ERROR = 'text that begins with "Error: "'


def check(lesson: Any) -> None:
    ran: list[tuple[str, ...]] = []

    def list_files(root: str, directory: str = ".") -> str:
        ran.append(("list_files", root, directory))
        return f"- main.py in {directory}"

    def write_file(root: str, file_path: str, content: str = "") -> str:
        ran.append(("write_file", root, file_path, content))
        return f'Successfully wrote to "{file_path}"'

    def clean_up(root: str, folder: str = ".") -> str:
        ran.append(("clean_up", root, folder))
        return f"deleted everything in {folder}"

    def run_python(root: str, file_path: str) -> str:
        raise RuntimeError(f"the disk is on fire while reading {file_path}")

    tools = {tool.__name__: tool for tool in (list_files, write_file, clean_up, run_python)}
    for tool in tools.values():
        tool.__qualname__ = tool.__name__
    lesson.member("TOOLS", dict).clear()
    lesson.module.TOOLS.update(tools)
    lesson.module.ROOT = "calculator"

    with lesson.case("a good call runs the tool and returns its text"):
        text = lesson.call("call_tool", "list_files", '{"directory": "pkg"}')
        lesson.expect(text == "- main.py in pkg", "the tool's own text: '- main.py in pkg'")
        lesson.expect(
            ran == [("list_files", "calculator", "pkg")],
            "the tool called once, with ROOT first and the model's arguments after it",
            got=lesson.show(ran),
        )
    sends_none = "some servers send empty text when there are no arguments"
    with lesson.case("empty arguments mean {}", sends_none, "'- main.py in .'"):
        text = lesson.call("call_tool", "list_files", "")
        lesson.expect(text == "- main.py in .", "'- main.py in .'", "some servers send empty text when there are none")

    bad = [
        (
            "a tool that does not exist",
            ("delete_file", "{}"),
            "an answer that names the model's next step: the tools that there are",
            "list_files",
        ),
        (
            "arguments that break off",
            ("clean_up", '{"folder": "tmp'),
            "an error, and the tool does not run",
            "",
        ),
        ("a list where an object belongs", ("list_files", '["pkg"]'), "an error that says so", ""),
        ("a parameter that does not exist", ("list_files", '{"dir": "pkg"}'), "an error", "dir"),
        ("the model sends root itself", ("list_files", '{"root": "/"}'), "an error: ROOT is yours alone to choose", ""),
        ("a tool that raises", ("run_python", '{"file_path": "a.py"}'), "what the tool ran into", "disk is on fire"),
    ]
    survived = []
    for title, (name, raw), expected, must_say in bad:
        with lesson.case(title, "a call can be wrong in more ways than one; each must end in text", ERROR):
            ran.clear()
            text = lesson.call("call_tool", name, raw)
            lesson.expect(
                not ran,
                expected,
                "a call that is not understood is never run: nobody asked for what it would do",
                got=f"{lesson.show(text)}, and the tool ran: {lesson.show(ran)}",
            )
            lesson.expect(isinstance(text, str) and text.startswith("Error: "), ERROR)
            lesson.expect(must_say in text, expected, "an error is the only thing the model has to go by")
            survived.append(f"  {name} {raw}\n    -> {lesson.show(text)}")
    lesson.picture.append("\n".join(["Six bad calls, and what the model reads instead of a crash:", *survived]))
