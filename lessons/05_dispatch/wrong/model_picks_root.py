# REASON: ROOT
import json

ROOT, TOOLS = ".", {}


def call_tool(name, raw_arguments):
    if name not in TOOLS:
        return f"Error: there is no tool {name!r}; the tools are {', '.join(TOOLS)}"
    try:
        arguments = {"root": ROOT, **json.loads(raw_arguments or "{}")}
        return TOOLS[name](**arguments)
    except Exception as error:
        return f"Error: {name} failed: {error}"
