"""Tool: find text, or a regular expression, in the files below a directory."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from config import SEARCH_MATCHES, SEARCH_SECONDS
from functions import Result, ToolError
from functions.refused import refused
from functions.tool import Tool
from sandbox.files.pattern import Lines, Pattern, choices, fits
from sandbox.files.root import Entry, Refusal, Root, hold

LARGEST_FILE = 4 * 2**20  # bytes
LONGEST_LINE = 200  # characters of a matching line that are shown
LONGEST_QUERY = 1_000  # characters
TOO_MANY = f"Stopped at {SEARCH_MATCHES} matches; narrow the query, directory or glob."
TOO_SLOW = f"Stopped after {SEARCH_SECONDS:g} seconds; make the query simpler or narrow the glob."

Match = tuple[str, int, str]  # path, number and text of a line

SCHEMA = {
    "name": "search_files",
    "description": "Find text in files below a directory. Returns path:line: text.",
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Text to find, case-sensitive"},
            "directory": {"type": "string", "description": "Where to look"},
            "regex": {"type": "boolean", "description": "query is a regular expression"},
            "glob": {"type": "string", "description": 'Only files that match, such as "*.py"'},
        },
        "required": ["query"],
    },
}


def search_files(
    working_directory: str | Path | Root, query: str, directory: str = ".", regex: bool = False, glob: str = "*"
) -> str:
    """Return `path:line: text` for each matching line: at most 100 matches, at most 5 seconds.

    Binary files, files over 4 MiB, symbolic links and folders such as `.git` or `__pycache__` are passed over.
    """
    if not query or "\n" in query or "\0" in query:
        return ToolError("query must be one line of text that is not empty")
    if len(query) > LONGEST_QUERY or len(glob) > LONGEST_QUERY:
        return ToolError(f"query and glob may have {LONGEST_QUERY:,} characters at most")
    try:
        globs = choices(glob) if glob != "*" else ["*"]
        with (
            hold(working_directory) as root,
            Pattern(query, SEARCH_SECONDS) if regex else nullcontext(Text(query)) as pattern,
        ):
            return report(query, *search(root, pattern, directory, globs))
    except re.error as error:
        return ToolError(f"query is no valid regular expression: {error}")
    except Refusal as refusal:
        return refused(refusal, working_directory, directory, "directory")


class Text(NamedTuple):
    """A query that is looked for as it stands; sandbox/files/pattern.py is the same for a regular expression."""

    query: str
    expired: bool = False

    def search(self, files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, Lines]]:
        for path, data in files:
            there = self.query.encode("utf-8", "surrogatepass") in data
            lines = enumerate(data.decode("utf-8", "replace").split("\n"), 1) if there else ()
            yield path, [(number, line.rstrip("\r")) for number, line in lines if self.query in line]


def search(root: Root, pattern: Pattern | Text, directory: str, globs: Sequence[str]) -> tuple[list[Match], int, str]:
    """Return the matching lines, how many files were looked at, and why the search ended early ("" when it did not)."""
    matches: list[Match] = []
    looked_at = 0
    deadline = time.monotonic() + SEARCH_SECONDS
    for path, lines in pattern.search(files(root, directory, globs)):
        looked_at += 1
        for number, line in lines:
            matches.append((path, number, line[:LONGEST_LINE] + ("[...]" if len(line) > LONGEST_LINE else "")))
            if len(matches) == SEARCH_MATCHES:
                return matches, looked_at, TOO_MANY
        if time.monotonic() > deadline:
            return matches, looked_at, TOO_SLOW
    return matches, looked_at, TOO_SLOW if pattern.expired else ""


def files(root: Root, directory: str, globs: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each text file that one of `globs` fits: its name, or its path from here or there."""
    above = len([part for part in directory.split("/") if part not in ("", ".")])

    def wanted(path: str, entry: Entry) -> bool:
        if entry.size > LARGEST_FILE:
            return False
        parts = path.split("/")
        return "*" in globs or any(fits(parts, glob) or fits(parts[above:], glob) for glob in globs)

    for path, data in root.contents(directory, wanted=wanted, limit=LARGEST_FILE):
        if b"\0" not in data[:8192]:
            yield path, data


def report(query: str, matches: list[Match], looked_at: int, stopped: str) -> str:
    if not matches:
        return stopped and f"No match so far. {stopped}" or f'No match for "{query}" in {looked_at} files'
    lines = [f"{path}:{number}: {line}" for path, number, line in matches] + ([f"[{stopped}]"] if stopped else [])
    return Result("\n".join(lines), [(path, [(number, number)]) for path, number, _ in matches])


TOOL = Tool(name="search_files", function=search_files, schema=SCHEMA, reads_only=True, path="directory")
