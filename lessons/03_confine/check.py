"""Lesson 3: nine attacks that must be refused, four honest paths that must not."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

ATTACKS = (
    ("../secret.txt", "climbs out with .."),
    ("pkg/../../secret.txt", "goes in first, then climbs out"),
    ("/etc/passwd", "an absolute path: the folder is not even looked at"),
    ("../calculator_evil/plan.txt", "a neighbour whose path begins with the same letters"),
    ("escape.txt", "is a symbolic link to a file outside"),
    ("way_out/secret.txt", "a folder on the way is a symbolic link"),
    ("C:\\Windows\\win.ini", "a drive letter: absolute on Windows"),
    ("..\\secret.txt", "climbs out where \\ stands between names"),
    ("pkg/\0/main.py", "no file name can hold this character: asking the system about it raises ValueError"),
)
LEGAL = (
    (".", "the folder itself: it must be possible to list it"),
    ("pkg/calculator.py", "an ordinary file"),
    ("a..b.py", "two dots inside a name do not climb anywhere"),
    ("pkg/new.py", "a new file must be allowed before it exists"),
)


def prepare(work: Path) -> None:
    root = work / "calculator"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "calculator.py").write_text("precedence = {'+': 3}\n")
    (root / "a..b.py").write_text("")
    (work / "calculator_evil").mkdir()
    (work / "calculator_evil" / "plan.txt").write_text("evil\n")
    (work / "secret.txt").write_text("secret\n")
    with suppress(OSError, NotImplementedError):  # Windows lets only some people make links
        (root / "escape.txt").symlink_to(work / "secret.txt")
        (root / "way_out").symlink_to(work, target_is_directory=True)


def check(lesson: Any) -> None:
    root = lesson.work / "calculator"
    rows = []
    for path, what in ATTACKS:
        if path in ("escape.txt", "way_out/secret.txt") and not root.joinpath(path.split("/")[0]).is_symlink():
            lesson.skip(shown(path), "this system lets you make no symbolic links")
            continue
        with lesson.case(f"attack  {shown(path)}", what, "False, and no exception"):
            answer = lesson.call("inside", str(root), path, shown=f"inside(root, {path!r})")
            lesson.expect(answer is False, "False", what)
            rows.append(f"  refused  {shown(path):30} {what}")
    for path, what in LEGAL:
        with lesson.case(f"honest  {shown(path)}", what, "True, and no exception"):
            answer = lesson.call("inside", str(root), path, shown=f"inside(root, {path!r})")
            lesson.expect(answer is True, "True", what)
            rows.append(f"  allowed  {shown(path):30} {what}")
    lesson.picture.append("\n".join(["What your function says now:", *rows]))


def shown(path: str) -> str:
    return path.replace("\0", "\\0")
