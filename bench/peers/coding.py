"""What the bare coding loops share: four tools for one folder, and a report of what was done, written after each turn.

A script of this kind is started as `python <file> FOLDER ASKED`; ASKED is JSON with the address and the name of the
model, its key, the prompt, how many turns there may be, and where the report goes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from sandbox.files.root import Refusal, Root
from sandbox.running.process import run_python

FOLDER, ASKED = Path(sys.argv[1]), json.loads(sys.argv[2])
SYSTEM = "You are a coding agent. Work on the files of the current directory with your tools, then answer in text."
LONGEST = 10_000
ROOT = Root(FOLDER)


def list_files() -> str:
    """List the files."""
    return "\n".join(name for name, entry in ROOT.walk("."))


def read_file(path: str) -> str:
    """Read a file."""
    return ROOT.read_text(path)


def edit_file(path: str, old_text: str, new_text: str) -> str:
    """Replace old_text by new_text in a file. An empty old_text writes the whole file."""
    if not old_text:
        ROOT.write_text(path, new_text)
        return "written"
    text = ROOT.read_text(path)
    if text.count(old_text) != 1:
        raise ValueError(f"old_text was found {text.count(old_text)} times, and it must be once")
    ROOT.write_text(path, text.replace(old_text, new_text))
    return "edited"


def run_tests() -> str:
    """Run the tests with pytest."""
    outcome = run_python(ROOT, ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", *tests()])
    return f"exit code {outcome.exit_code}\n{outcome.stdout}{outcome.stderr}"


def tests() -> list[str]:
    """Named one by one: by itself pytest finds no tests.py."""
    return [name for name, entry in ROOT.walk(".") if entry.name.startswith("test") and entry.name.endswith(".py")]


FUNCTIONS = {"list_files": list_files, "read_file": read_file, "edit_file": edit_file, "run_tests": run_tests}
NEEDS = {"read_file": ("path",), "edit_file": ("path", "old_text", "new_text")}


def parameters(name: str) -> dict[str, Any]:
    """The schema of a tool's arguments: all of them are texts."""
    needed = NEEDS.get(name, ())
    return {"type": "object", "properties": {each: {"type": "string"} for each in needed}, "required": list(needed)}


class Report:
    """What the bench is told. Tokens are added up as the server tells them."""

    def __init__(self) -> None:
        self.told: dict[str, Any] = {"stop_reason": "", "answer": "", "turns": 0, "calls": []}
        self.told["tokens"] = {"input": 0, "output": 0}

    def turn(self, read: int | None, written: int | None) -> None:
        self.told["turns"] += 1
        self.told["tokens"]["input"] += read or 0
        self.told["tokens"]["output"] += written or 0
        self.write()

    def more(self) -> bool:
        """Whether there may be another turn."""
        return not ASKED["turns"] or self.told["turns"] < ASKED["turns"]

    def call(self, name: str, arguments: Any) -> str:
        """Make a call as the model asked for it; whatever goes wrong is told to it."""
        try:
            if not isinstance(arguments, Mapping):
                arguments = json.loads(arguments or "{}")
            result, status = FUNCTIONS[name](**arguments)[:LONGEST], "completed"
        except (KeyError, TypeError, ValueError, OSError, Refusal) as error:
            result, status = f"Error: {type(error).__name__}: {error}", "error"
        self.told["calls"].append({"name": name, "arguments": arguments, "status": status, "result": result})
        return result

    def end(self, answer: str, stop_reason: str = "answered") -> None:
        self.told.update(answer=answer, stop_reason=stop_reason)
        self.write()

    def write(self) -> None:
        Path(ASKED["report"]).write_text(json.dumps(self.told), encoding="utf-8")
