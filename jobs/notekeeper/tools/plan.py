"""Tool: the list of what is to be done, which the person sees move."""

from __future__ import annotations

from functions import Result, ToolError, Verdict
from functions.tool import Tool

MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]"}
MOST = 20
SCHEMA = {
    "name": "plan",
    "description": "Keep a list of steps for a task of several; send the whole list whenever a step changes.",
    "parameters": {
        "type": "object",
        "properties": {
            "steps": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "step": {"type": "string", "description": "What is to be done"},
                        "state": {"type": "string", "enum": ["open", "doing", "done"], "default": "open"},
                    },
                    "required": ["step"],
                },
                "description": "All steps, in order",
            }
        },
        "required": ["steps"],
    },
}


def plan(steps: list[dict[str, str]]) -> str:
    """Return the list as it is shown: `[x] step` a line, and how many are done."""
    if not steps or len(steps) > MOST:
        return ToolError(f"a plan has 1 to {MOST} steps, and this one has {len(steps)}")
    if sum(each.get("state") == "doing" for each in steps) > 1:
        return ToolError("only one step is being done at a time; mark the others open or done")
    done = sum(each.get("state") == "done" for each in steps)
    lines = [f"{MARKS[each.get('state', 'open')]} {' '.join(each['step'].split())}" for each in steps]
    count = f"{done} of {len(steps)} done"
    return Result("\n".join([*lines, count]), verdict=Verdict(f"{count}: {'  '.join(lines)}", []))


TOOL = Tool(
    name="plan",
    function=plan,
    schema=SCHEMA,
    reads_only=True,  # it changes nothing but what is shown
    resource="",
)
