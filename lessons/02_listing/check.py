"""Lesson 2: a listing that a model can read, and the ways to go wrong that end in text."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

WHY_TEXT = "an exception ends the whole agent; a text tells the model what to do next"
# While it lasts, a folder may not be read. Asking the system is no use: an administrator may read everything.
LOCK = """
import os
kept = (os.listdir, os.scandir)
def guard(real):
    def guarded(path="."):
        if os.path.samestat(os.stat(path), os.stat(folder)):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)
    return guarded
os.locked = {real: guard(real) for real in kept}
for place in (os, module):  # whoever says "from os import listdir" has a name of their own for it
    for name, value in list(vars(place).items()):
        if any(value is real for real in kept):
            setattr(place, name, os.locked[value])
"""
UNLOCK = """
import os
for place in (os, module):
    for name, value in list(vars(place).items()):
        for real, locked in os.locked.items():
            if value is locked:
                setattr(place, name, real)
"""
ERROR = 'text that begins with "Error: "'


def prepare(work: Path) -> None:
    """The calculator, for the picture; and a link that leads nowhere, which the sandbox lets no code make."""
    from cli.reset import put_calculator
    from lessons.fresh import Fresh

    fresh, folder = Fresh(), work / "links"
    folder.mkdir()
    (folder / fresh.word()).write_text("here")
    with suppress(OSError, NotImplementedError):  # Windows lets only some people make links
        (folder / fresh.word()).symlink_to(work / fresh.word())
    put_calculator(work / "calculator")


def check(lesson: Any) -> None:
    root, fresh = str(lesson.work), lesson.fresh
    folder, inner, empty, hidden = fresh.word(), fresh.word(), fresh.word(), f".{fresh.word()}"
    sizes = {f"{word}.py": fresh.randint(100, 3000) for word in fresh.words(fresh.randint(5, 8))} | {hidden: 7}
    sizes[f"{fresh.word()}\u00fc.py"] = 12
    lay_out(lesson.work / folder, sizes, inner, empty)
    names = sorted([*sizes, inner, empty])
    whole = "os.path.getsize and os.path.isdir need the whole path: folder and name together"
    text = None
    with lesson.case("a folder: one line for each entry, sorted", whole, f"a line for each of {len(names)} entries"):
        text = lesson.call("list_files", root, folder)
        lesson.expect(
            isinstance(text, str), "text: one string, with a line break between two entries", "a model reads text"
        )
        listed = [line.split(":")[0] for line in text.strip().split("\n")]
        lesson.expect(
            sorted(listed) == [f"- {name}" for name in names],
            f"{len(names)} lines that begin with {', '.join(f'- {name}' for name in names)}",
            "what is not listed does not exist for the model; a name with a dot in front is an entry like any other",
        )
        lesson.expect(
            listed == [f"- {name}" for name in names],
            f"the lines sorted by name: {', '.join(names)}",
            "sorted text is the same each time, so a model (and a test) can rely on it",
        )
    with lesson.case('"." is root itself', whole, f"a line for each of {len(names)} entries"):
        top = lesson.call("list_files", str(lesson.work / folder), ".")
        lesson.expect(top == text, "the same lines as before: here root is that folder", "it is where a model begins")
    with lesson.case(
        "a file with its size, a folder marked as one",
        "the model decides by it what to open: a folder, or a file of that size",
    ):
        lines = str(lesson.call("list_files", root, folder)).strip().split("\n")
        for name, size in sizes.items():
            wanted = f"- {name}: file_size={size} bytes, is_dir=False"
            lesson.expect(wanted in lines, wanted, "the size is that of the file on the disk, in bytes")
        marked = [line for line in lines if line.startswith(f"- {inner}: file_size=") and line.endswith("is_dir=True")]
        lesson.expect(bool(marked), f"a line - {inner}: file_size=... bytes, is_dir=True", whole)
    with lesson.case("a folder in a folder", whole):
        deep = lesson.call("list_files", root, f"{folder}/{inner}")
        wanted = "- plan.txt: file_size=15 bytes, is_dir=False"
        lesson.expect(
            str(deep).strip() == wanted,
            wanted,
            "the size in bytes, which is not the number of letters; asked of the whole path",
        )
    many_entries(lesson, root)
    with lesson.case("an empty folder: words, not silence", WHY_TEXT):
        text = lesson.call("list_files", root, f"{folder}/{empty}")
        said = isinstance(text, str) and re.search(r"[^\W\d_]{3}", text) and text.strip() not in ("None", "null")
        lesson.expect(
            bool(said) and not text.startswith(("Error", "- ")),
            "a sentence that says that it is empty, such as: the folder is empty",
            "to a model, empty text or a bare 0 looks like a tool that broke",
        )
        lesson.expect(
            root not in text, "a text without the place of the folder on your disk", "a model has no use for it"
        )
    file, missing = f"{folder}/{next(iter(sizes))}", f"{folder}/{fresh.word()}"
    for title, directory in (("a folder that does not exist", missing), ("a file instead of a folder", file)):
        with lesson.case(title, WHY_TEXT, ERROR):
            expect_error(lesson, lesson.call("list_files", root, directory), directory, root)
    with lesson.case("a folder that may not be read", WHY_TEXT, ERROR):
        lesson.run(LOCK, folder=str(lesson.work / folder / inner))
        text = lesson.call("list_files", root, f"{folder}/{inner}")
        lesson.run(UNLOCK)
        expect_error(lesson, text, inner, root)
    links(lesson, root)
    if lesson.holds:
        seen = lesson.call("list_files", str(lesson.work / "calculator"), ".")
        lesson.picture.append(f"The calculator's folder, as a model reads it:\n{seen}")


def lay_out(folder: Path, sizes: dict[str, int], inner: str, empty: str) -> None:
    (folder / inner).mkdir(parents=True)
    (folder / empty).mkdir()
    (folder / inner / "plan.txt").write_text("day\U0001f680\U0001f680\U0001f680", encoding="utf-8")
    for name, size in sizes.items():
        (folder / name).write_bytes(b"x" * size)


def many_entries(lesson: Any, root: str) -> None:
    """Names that say nothing of what they stand for, files with nothing in them, and more of them than fit on a screen."""
    fresh = lesson.fresh
    folder, bare = lesson.work / fresh.word(), fresh.words(120)
    folder.mkdir()
    for name in bare:
        (folder / name).touch()
    folders = ["__pycache__", f"{fresh.word()}.py"]
    for name in folders:
        (folder / name).mkdir()
    why = "what is not listed does not exist for the model, however many there are"
    with lesson.case("a folder of many entries, and of odd ones", why):
        lines = str(lesson.call("list_files", root, folder.name)).strip().split("\n")
        listed = {line.split(":")[0].removeprefix("- ") for line in lines}
        lost = sorted({*bare, *folders} - listed)
        got = f"{len(lines)} lines; not among them: {', '.join(lost)}"
        lesson.expect(
            len(lines) == len(bare) + len(folders) and not lost, f"{len(bare) + len(folders)} lines", why, got
        )
        wanted = f"- {bare[0]}: file_size=0 bytes, is_dir=False"
        lesson.expect(wanted in lines, wanted, "a file may have no ending, and nothing in it")
        for name in folders:
            line = next(line for line in lines if line.startswith(f"- {name}:"))
            lesson.expect(line.endswith("is_dir=True"), f"- {name}: ..., is_dir=True", "it is a folder", line)


def links(lesson: Any, root: str) -> None:
    entries = sorted((lesson.work / "links").iterdir(), key=Path.is_symlink)
    if not entries[-1].is_symlink():
        lesson.skip("a link that leads nowhere", "this system lets you make no symbolic links")
        return
    text_all_the_same = 'a listing that names the other entries, or text that begins with "Error: "'
    with lesson.case("a link that leads nowhere", WHY_TEXT, text_all_the_same):
        text = lesson.call("list_files", root, "links")
        lesson.expect(
            isinstance(text, str) and (text.startswith("Error: ") or f"- {entries[0].name}: file_size=4 bytes" in text),
            text_all_the_same,
            "what a link leads to may be gone: asking for its size raises FileNotFoundError",
        )
        lesson.expect(root not in text, "a text without the place of the folder on your disk")


def expect_error(lesson: Any, text: Any, directory: str, root: str) -> None:
    lesson.expect(isinstance(text, str) and text.startswith("Error: "), ERROR, WHY_TEXT)
    lesson.expect(directory in text, f"an error that names {directory!r}", "the model may have asked for several")
    lesson.expect(
        root not in text,
        "an error that names the path as the model gave it, not where the folder lies on your disk",
        "the model has no use for it, and it may be told to others",
    )
