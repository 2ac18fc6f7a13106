"""Tool: put the files back that the last changes broke, so that what passed passes again."""

from __future__ import annotations

from functions import Result, ToolError, lines_of
from functions.run_tests import run_tests
from functions.tool import Arguments, Tool
from sandbox.files.root import Refusal, Root

SCHEMA = {
    "name": "take_back",
    "description": "Undo the last changes, after which tests fail that passed before, and run the tests.",
    "parameters": {"type": "object", "properties": {}, "required": []},
}


State = tuple[bool, str]  # whether a file is there, and its text


class Broken:
    """The files that were changed since the tests last passed as well as before, each as it was then and as the last
    change left it. A job that offers the tool holds one as the resource "broken"."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.files: dict[str, tuple[State, State]] = {}
        self._first: dict[str, State | None] = {}  # before any change of this run

    def add(self, path: str, start: State | None) -> None:
        """Note that a file was changed that was in a state before. One that was no text could not be put back."""
        self._first.setdefault(path, start)
        if start and (now := state_of(self.root, path)):
            self.files[path] = (self.files[path][0] if path in self.files else start, now)

    def all_back(self) -> bool:
        """Whether every file that was changed is as it was before the run's first change."""
        return all(start and state_of(self.root, path) == start for path, start in self._first.items())


def state_of(root: Root, path: str) -> State | None:
    try:
        there = root.is_file(path)
        return there, root.read_text(path) if there else ""
    except Refusal:
        return None


def take_back(broken: Broken) -> str:
    """Return which files are as before, and what the tests say. Where somebody else has changed one of them since, all
    stay as they are: half of a change is no use."""
    root, files = broken.root, broken.files
    if not files:
        return ToolError("there is nothing to take back: no change made a test fail that passed. Go on with an edit")
    if other := [path for path, (_, now) in files.items() if state_of(root, path) != now]:
        return ToolError(f'"{other[0]}" was changed by somebody else since; read it, and edit it as it is now')
    try:
        for path, ((there, text), _) in files.items():
            if there:
                root.write_text(path, text)
            else:
                root.remove(path)
    except Refusal as refusal:
        return ToolError(refusal)
    sources = [(path, lines_of(text)) for path, ((there, text), _) in files.items() if there]
    said = f"As before the changes again: {', '.join(files)}"
    broken.files = {}
    report = run_tests(root)
    return Result(f"{said}\n{report}", sources, report.verdict if isinstance(report, Result) else None)


def change(broken: Broken, arguments: Arguments) -> tuple[str, str]:
    """The texts of the files as they are, and as they would be."""
    return "\n".join(now for _, (_, now) in broken.files.values()), "\n".join(
        text for (_, text), _ in broken.files.values()
    )


TOOL = Tool(
    name="take_back",
    function=take_back,
    schema=SCHEMA,
    reads_only=False,
    changes_files=True,
    verifies=True,
    resource="broken",
    change=change,
)
