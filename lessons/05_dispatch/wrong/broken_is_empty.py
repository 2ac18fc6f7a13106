# REASON: the tool does not run
import json

ROOT, TOOLS = ".", {}


def call_tool(name, raw_arguments):
    if name not in TOOLS:
        return f"Error: there is no tool {name!r}; the tools are {', '.join(TOOLS)}"
    try:
        arguments = json.loads(raw_arguments)
    except ValueError:
        arguments = {}
    try:
        return TOOLS[name](ROOT, **arguments)
    except Exception as error:
        return f"Error: {name} failed: {error}"
