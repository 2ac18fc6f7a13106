# REASON: never run
import inspect
import json

ROOT, TOOLS = ".", {}


def call_tool(name, raw_arguments):
    if name not in TOOLS:
        return f"Error: there is no tool {name!r}; the tools are {', '.join(TOOLS)}"
    try:
        arguments = json.loads(raw_arguments or "{}")
    except ValueError as error:
        return f"Error: {name} was not run: its arguments are not valid JSON ({error})"
    if not isinstance(arguments, dict):
        return f"Error: {name} was not run: its arguments must be a JSON object"
    known = list(inspect.signature(TOOLS[name]).parameters)[1:]
    try:
        return TOOLS[name](ROOT, **{key: value for key, value in arguments.items() if key in known})
    except Exception as error:
        return f"Error: {name} failed: {error}"
