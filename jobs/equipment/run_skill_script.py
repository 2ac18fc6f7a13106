"""Tool: run a Python script of a skill in the working directory, behind the sandbox, which lets it read its folder."""

from __future__ import annotations

from functools import partial

from functions import ToolError
from functions.run_python_file import printed
from functions.tool import Tool
from jobs.equipment.read_skill import unusable
from reach.skills import Skills
from sandbox.files.root import Refusal, Root
from sandbox.running.reports import run_code, why_stopped

SCHEMA = {
    "name": "run_skill_script",
    "description": "Run a skill's Python script in the working directory and return its output.",
    "parameters": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "The skill's name"},
            "file": {"type": "string", "description": "The script, a file of the skill"},
            "args": {"type": "array", "items": {"type": "string"}, "description": "Command-line arguments"},
        },
        "required": ["name", "file"],
    },
}


def run_skill_script(skills: Skills, root: Root, name: str, file: str, args: list[str] | None = None) -> str:
    """Run the script as run_python_file runs a file of the project; its own folder is readable and nothing more of it
    is."""
    if refusal := unusable(skills, name):
        return refusal
    skill = skills[name]
    try:
        if not file.endswith(".py") or not skill.root.is_file(file, verb="execute"):
            scripts = ", ".join(skill.scripts()) or "none"
            return ToolError(f"{file[:80]!r} is no Python script of the skill {name}; its scripts are: {scripts}")
        outcome = run_code(root, [str(skill.root.path / file), *(args or [])], readable=[skill.root.path])
    except Refusal as refused:
        return ToolError(f"{refused}")
    output = printed(outcome)
    return ToolError(f"{file} {why_stopped(outcome)}\n{output}") if outcome.stopped_for else output


def tool_for(skills: Skills) -> Tool:
    """The tool, which holds these skills beside the working directory."""
    return Tool(name="run_skill_script", function=partial(run_skill_script, skills), schema=SCHEMA, reads_only=False)
