# REASON: looked up at each call
"""Lesson 5: from the model's words to your function."""

import json

ROOT = "."  # the folder that the agent works in
TOOLS = {}  # name -> function; the check puts its tools in here, and so does your agent in lesson 14


def call_tool(name, raw_arguments, root=ROOT):
    """Run the tool that a model asked for and return its text, whatever the model wrote."""
    if name not in TOOLS:
        return f"Error: there is no tool {name!r}; the tools are {', '.join(TOOLS)}"
    try:
        arguments = json.loads(raw_arguments or "{}")
    except ValueError as error:
        return f"Error: {name} was not run: its arguments are not valid JSON ({error})"
    if not isinstance(arguments, dict):
        return f"Error: {name} was not run: its arguments must be a JSON object"
    try:
        return TOOLS[name](root, **arguments)
    except Exception as error:
        return f"Error: {name} failed: {error}"
