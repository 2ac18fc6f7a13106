# REASON: the tool's own text
import json

ROOT, TOOLS = ".", {}


def call_tool(name, raw_arguments):
    if name not in TOOLS:
        return f"Error: there is no tool {name!r}; the tools are {', '.join(TOOLS)}"
    try:
        return TOOLS[name](ROOT, json.loads(raw_arguments or "{}"))
    except Exception as error:
        return f"Error: {name} failed: {error}"
