"""Lesson 2: a listing that a model can read, and four ways to go wrong that end in text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

WHY_TEXT = "an exception ends the whole agent; a text tells the model what to do next"
ERROR = 'text that begins with "Error: "'


def prepare(work: Path) -> None:
    (work / "pkg").mkdir()
    (work / "empty").mkdir()
    (work / "locked").mkdir()
    (work / "main.py").write_text("print(3 + 5)\n")
    (work / "README.md").write_text("A calculator.\n")
    (work / "pkg" / "calculator.py").write_text("precedence = {'+': 3}\n")


def check(lesson: Any) -> None:
    root = str(lesson.work)
    whole = "os.path.getsize and os.path.isdir need the whole path: folder and name together"
    with lesson.case("a folder: one line for each entry, sorted", whole, "a line for each of five entries"):
        text = lesson.call("list_files", root, ".")
        lesson.expect(
            isinstance(text, str), "text: one string, with a line break between two entries", "a model reads text"
        )
        lines = text.strip().split("\n")
        lesson.expect(
            [line.split(":")[0] for line in lines] == ["- README.md", "- empty", "- locked", "- main.py", "- pkg"],
            "five lines that begin with - README.md, - empty, - locked, - main.py, - pkg, in this order",
            "sorted text is the same each time, so a model (and a test) can rely on it",
        )
    with lesson.case("a file with its size, a folder marked as one"):
        lines = str(lesson.call("list_files", root, ".")).split("\n")
        lesson.expect(
            "- main.py: file_size=13 bytes, is_dir=False" in lines, "- main.py: file_size=13 bytes, is_dir=False"
        )
        marked = [line for line in lines if line.startswith("- pkg: file_size=") and line.endswith("is_dir=True")]
        lesson.expect(bool(marked), "a line - pkg: file_size=... bytes, is_dir=True", "isdir() needs the whole path")
        inner = lesson.call("list_files", root, "pkg")
        lesson.expect(str(inner).startswith("- calculator.py: file_size="), "- calculator.py: file_size=...")
    with lesson.case("an empty folder: words, not silence", WHY_TEXT):
        text = lesson.call("list_files", root, "empty")
        lesson.expect(
            isinstance(text, str) and bool(text.strip()) and not text.startswith("Error"),
            "a sentence that says that it is empty",
            "to a model, empty text looks like a tool that broke",
        )
    for title, directory in (("a folder that does not exist", "src"), ("a file instead of a folder", "main.py")):
        with lesson.case(title, WHY_TEXT, ERROR):
            expect_error(lesson, lesson.call("list_files", root, directory), directory, root)
    with lesson.case("a folder that may not be read", WHY_TEXT, ERROR):
        with locked(lesson.work / "locked"):
            text = lesson.call("list_files", root, "locked")
        expect_error(lesson, text, "locked", root)
    with lesson.case("what the model reads"):
        lesson.picture.append(
            "The calculator's folder, as a model reads it:\n" + str(lesson.call("list_files", root, "."))
        )


def expect_error(lesson: Any, text: Any, directory: str, root: str) -> None:
    lesson.expect(isinstance(text, str) and text.startswith("Error: "), ERROR, WHY_TEXT)
    lesson.expect(directory in text, f"an error that names {directory!r}", "the model may have asked for several")
    lesson.expect(
        root not in text,
        "an error that names the path as the model gave it, not where the folder lies on your disk",
        "the model has no use for it, and it may be told to others",
    )


class locked:
    """While it lasts, a folder may not be read. Asking the system is no use: an administrator may read everything."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.real = folder, (os.listdir, os.scandir)

    def __enter__(self) -> None:
        def guard(real: Any) -> Any:
            def guarded(path: Any = ".") -> Any:
                if os.path.samestat(os.stat(path), self.folder.stat()):  # noqa: PTH116 - may be a descriptor
                    raise PermissionError(13, "Permission denied", str(path))
                return real(path)

            return guarded

        os.listdir, os.scandir = map(guard, self.real)

    def __exit__(self, *_: object) -> None:
        os.listdir, os.scandir = self.real
