"""Tool: read the instructions of a skill, or one of its files, in pages."""

from __future__ import annotations

from functions import ToolError
from functions.misfit import suggestion
from functions.tool import Tool
from reach.skills import Skills
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "read_skill",
    "description": "Read a skill's instructions, or one of its files.",
    "parameters": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "The skill's name"},
            "file": {"type": "string", "description": "A file of the skill (default: its instructions)"},
            "page": {"type": "integer", "description": "Page, from 1", "minimum": 1},
            "arguments": {"type": "string", "description": "What to use it on, in its $ARGUMENTS"},
        },
        "required": ["name"],
    },
}


def read_skill(skills: Skills, name: str, file: str = "", page: int = 1, arguments: str = "") -> str:
    """Return one page of the instructions, which name the skill's further files, or of such a file."""
    if refusal := unusable(skills, name):
        return refusal
    try:
        return skills.read(name, file, page, arguments)
    except Refusal as refusal:
        files = ", ".join(skills[name].files()) or "none beside its instructions"
        return ToolError(f"{refusal}; the files of the skill {name} are: {files}")
    except IndexError as error:
        return ToolError(f"there is no page {page}: it has {error.args[0]}")


def unusable(skills: Skills, name: str) -> ToolError | None:
    """Why a model may not use a skill of this name; None when it may."""
    if name not in skills:
        there = ", ".join(each for each in skills if skills.may(each)) or "none that you may start"
        return ToolError(f"there is no skill {name[:80]!r}{suggestion(name, skills)}; there are {there}")
    if not skills.may(name):
        return ToolError(f"the skill {name} is started by the person alone, who writes /{name}; go on without it")
    return None


TOOL = Tool(name="read_skill", function=read_skill, schema=SCHEMA, reads_only=True, resource="skills")
