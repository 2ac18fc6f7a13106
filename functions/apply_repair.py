"""Tool: make a change that suggest_repair found, by its number, so that nothing needs quoting."""

from __future__ import annotations

from functions import Result, ToolError
from functions.run_tests import run_tests
from functions.suggest_repair import all_of, in_words
from functions.suggestions import Suggestions
from functions.tool import Arguments, Tool
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "apply_repair",
    "description": "Make a change that suggest_repair found, and run the tests.",
    "parameters": {
        "type": "object",
        "properties": {"number": {"type": "integer", "minimum": 1, "description": "Its number"}},
        "required": ["number"],
    },
}


class Moved(Exception):
    """A file is not as it was when the change was found."""


def apply_repair(suggestions: Suggestions, number: int) -> str:
    """Return what was changed, and what the tests say now. A file that changed since the search is left alone."""
    try:
        if not suggestions.found:  # it was not asked for in this session: a search of the same files finds the same
            suggestions.search()
        found = suggestions.found
        if not found:
            return ToolError("there is no change to make: call suggest_repair, which says where to look")
        if number > len(found):
            return ToolError(f"there is no change {number}; the numbers go from 1 to {len(found)}")
        for path, new in texts_with(suggestions, number).items():
            put(suggestions, path, new)
        report = run_tests(suggestions.root)
    except Moved as path:
        return ToolError(f'"{path}" has changed since the search; call suggest_repair again')
    except Refusal as refusal:
        return ToolError(refusal)
    verdict = report.verdict if isinstance(report, Result) else None
    return Result(f"Changed {in_words(found[number - 1])}\n{report}", verdict=verdict)


def texts_with(suggestions: Suggestions, number: int) -> dict[str, str]:
    """The files that a change is about, with it. Raises Moved where one is no more as it was searched."""
    change = suggestions.found[number - 1]
    for part in all_of(change):
        if suggestions.root.read_text(part.path) != suggestions.files[part.path]:
            raise Moved(part.path)
    return change.made(suggestions.files)


def put(suggestions: Suggestions, path: str, new: str) -> None:
    """Write a file whose text is still the one that was searched. Raises Moved."""
    if suggestions.root.read_text(path) != suggestions.files[path]:
        raise Moved(path)
    suggestions.root.write_text(path, new)


def change(suggestions: Suggestions, arguments: Arguments) -> tuple[str, str]:
    """The texts of the files as they are, and as they would be; nothing where no change was found yet."""
    if not 1 <= arguments["number"] <= len(suggestions.found):
        return "", ""
    texts = texts_with(suggestions, arguments["number"])
    return "\n".join(suggestions.files[path] for path in texts), "\n".join(texts.values())


TOOL = Tool(
    name="apply_repair",
    function=apply_repair,
    schema=SCHEMA,
    reads_only=False,
    changes_files=True,
    verifies=True,
    resource="suggestions",
    change=change,
)
