"""Tool: run a Python file, behind the sandbox."""

from __future__ import annotations

from pathlib import Path

from config import RUN_SECONDS
from functions import Result, ToolError
from functions.refused import refused
from functions.tool import Tool
from sandbox.files.root import Refusal, Root, hold
from sandbox.running.process import Outcome
from sandbox.running.reports import run_code, why_stopped

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


TOOL = Tool(
    name="run_python_file",
    function=run_python_file,
    schema=SCHEMA,
    reads_only=False,
    path="file_path",
    verifies=True,
)
