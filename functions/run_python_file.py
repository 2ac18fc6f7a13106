"""Tool: run a Python file, behind the sandbox."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from config import RUN_SECONDS
from functions import Result, ToolError, refused
from functions.tool import Tool
from sandbox.files.root import Refusal, Root, hold
from sandbox.running.levels import level
from sandbox.running.process import Limits, Outcome, run_python

SCHEMA = {
    "name": "run_python_file",
    "description": f"Run a Python file and return its output. Stopped after {RUN_SECONDS:g} s; no network.",
    "parameters": {
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "Relative path"},
            "args": {"type": "array", "items": {"type": "string"}, "description": "Command-line arguments"},
        },
        "required": ["file_path"],
    },
}

# Where Python itself names a place, in tracebacks and warnings. What the program prints stays as it is.
PLACE = r'^(\s*(?:File ")?){}/(?=[^"\n]*", line \d+|[^\n:]*\.py:\d+: )'


def run_python_file(working_directory: str | Path | Root, file_path: str, args: list[str] | None = None) -> str:
    """Run the file with this Python, in the working directory, without input, for at most 30 seconds.

    Returns what it printed and, unless it is 0, the exit code. A run that had to be stopped is an error that says why.
    """
    try:
        with hold(working_directory) as root:
            if not root.is_file(file_path, verb="execute"):
                raise Refusal(f'"{file_path}" does not exist or is not a regular file', "missing")
            if not file_path.endswith(".py"):
                return ToolError(f'"{file_path}" is not a Python file')
            outcome = run_code(root, [f"./{file_path}", *(args or [])])
    except Refusal as refusal:
        return refused(refusal, working_directory, file_path, "file")
    output = printed(outcome)
    if outcome.stopped_for:
        return ToolError(f'"{file_path}" {why_stopped(outcome)}\n{output}')
    return Result(output, [(file_path, [])])  # it ran, and no line of it was read


def run_code(root: Root, arguments: Sequence[str]) -> Outcome:
    """Run Python with these arguments, for as long as a tool may; tracebacks name files as the model knows them.

    Raises Refusal where nothing would confine the code, unless the person allowed that.
    """
    refuse_unconfined(root)
    outcome = run_python(root, arguments, limits=Limits(seconds=RUN_SECONDS))
    place = re.compile(PLACE.format(re.escape(str(root.path))), re.MULTILINE)
    return replace(outcome, stdout=place.sub(r"\1", outcome.stdout), stderr=place.sub(r"\1", outcome.stderr))


def refuse_unconfined(root: Root) -> None:
    """Raise Refusal where nothing would confine code that runs in this directory, unless the person allowed that."""
    if not root.allow_unconfined and not level().confined:
        raise Refusal(
            "Code is not run here, because this system has no wall to hold it in and the person has not allowed it "
            "(--allow-unconfined). You can still read and edit files; say in your answer that nothing was run",
            "unconfined",
        )


def printed(outcome: Outcome) -> str:
    """Return what a run printed and how it ended, in the words that the tools share. What the sandbox has to say of it
    comes first: a program could bury it."""
    parts = []
    if outcome.stdout:
        parts.append(f"STDOUT:\n{outcome.stdout.rstrip()}")
    if outcome.stderr:
        parts.append(f"STDERR:\n{outcome.stderr.rstrip()}")
    if not parts:
        parts.append("No output produced")
    if outcome.exit_code:
        parts.append(f"Process exited with code {outcome.exit_code}")
    elif outcome.signal and not outcome.stopped_for:
        parts.append(f"Process ended by signal {outcome.signal}")
    return "\n".join([*outcome.notes, *parts])


def why_stopped(outcome: Outcome) -> str:
    """Say which limit ended a run, and what to look for."""
    return {
        "time": f"was stopped after {RUN_SECONDS:g} seconds; look for an endless loop, or for input that it waits for",
        "memory": "was stopped because it used too much memory",
        "output": "was stopped because it printed too much",
        "processes": "was stopped because it started too many processes",
        "disk": "was stopped because it wrote too much",
        "cancelled": "was stopped by the person",
    }.get(outcome.stopped_for or "", f"was stopped ({outcome.stopped_for})")


TOOL = Tool(
    name="run_python_file",
    function=run_python_file,
    schema=SCHEMA,
    reads_only=False,
    path="file_path",
    verifies=True,
)
