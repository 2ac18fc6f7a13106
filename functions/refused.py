"""A refusal as a tool's answer: where what is wanted is not there, what may be meant."""

from __future__ import annotations

from itertools import islice
from pathlib import Path, PurePosixPath

from functions import ToolError
from sandbox.files.root import Refusal, Root, hold

NOT_THERE = frozenset(("missing", "not_directory", "is_directory", "not_file"))
MOST_LOOKED_AT = 1000  # files
MOST_NAMED = 20


def refused(refusal: Refusal, working_directory: str | Path | Root, path: str, *kinds: str) -> ToolError:
    """Return a refusal as a tool's answer; where what is wanted is not there, with what may be meant.

    `kinds` is what the tool can use: "file", "directory", or both. A small model guesses a path and then repeats it
    until the run ends, unless the error names those that there are (seen with Qwen2.5-Coder 1.5B:
    `run_tests(path="tests")` five times over, with "tests.py" lying there).
    """
    if refusal.reason not in NOT_THERE:
        return ToolError(refusal)
    try:
        with hold(working_directory) as root:
            return ToolError(f"{refusal}. {what_is_there(root, path, kinds)}")
    except Refusal:
        return ToolError(refusal)


def what_is_there(root: Root, path: str, kinds: tuple[str, ...]) -> str:
    """Return one sentence with the paths nearest to `path`, or with all there are when none is near."""
    files = [found for found, _ in islice(root.walk(), MOST_LOOKED_AT)]
    folders = sorted({str(folder) for found in files for folder in PurePosixPath(found).parents} - {"."})
    usable = [*(files if "file" in kinds else ()), *(folders if "directory" in kinds else ())]
    name = PurePosixPath(path).name
    inside = [found for found in usable if name and found.startswith(f"{path.rstrip('/')}/")]
    if inside:
        return f"It is a directory, with {named(inside)}"
    from difflib import get_close_matches  # seldom needed, and slow to load

    near = [found for found in usable if PurePosixPath(found).name == name] or get_close_matches(path, usable)
    if near:
        return f"Did you mean {' or '.join(near[:3])}?"
    what = "files" if "file" in kinds else "directories"
    return f"The {what} here: {named(usable)}" if usable else f"There are no {what} here"


def named(paths: list[str], most: int = MOST_NAMED) -> str:
    """The first of these names, and how many more there are."""
    more = len(paths) - most
    return ", ".join(paths[:most]) + (f" and {more} more" if more > 0 else "")
