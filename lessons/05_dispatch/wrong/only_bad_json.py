# REASON: a call can be wrong in more ways
import json

ROOT, TOOLS = ".", {}


def call_tool(name, raw_arguments):
    if name not in TOOLS:
        return f"Error: there is no tool {name!r}; the tools are {', '.join(TOOLS)}"
    try:
        arguments = json.loads(raw_arguments or "{}")
    except ValueError as error:
        return f"Error: {name} was not run: its arguments are not valid JSON ({error})"
    return TOOLS[name](ROOT, **arguments)
