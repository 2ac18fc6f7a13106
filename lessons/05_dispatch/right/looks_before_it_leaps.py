import inspect
import json

ROOT = "."
TOOLS = {}


def call_tool(name, raw_arguments):
    tool = TOOLS.get(name)
    if tool is None:
        return f"Error: no {name!r} here, only {list(TOOLS)}"
    arguments = {}
    if raw_arguments:
        try:
            arguments = json.loads(raw_arguments)
        except json.JSONDecodeError:
            return "Error: that is no JSON"
    if not isinstance(arguments, dict):
        return "Error: an object, please"
    known = set(list(inspect.signature(tool).parameters)[1:])
    if set(arguments) - known:
        return f"Error: {name} takes {known}, and not {set(arguments) - known}"
    try:
        return tool(ROOT, **arguments)
    except Exception as problem:
        return f"Error: {problem!r}"
