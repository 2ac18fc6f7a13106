import json

ROOT = "."
TOOLS = {}


def call_tool(name, raw_arguments):
    try:
        tool = TOOLS[name]
    except KeyError:
        return "Error: unknown tool. Known: " + ", ".join(sorted(TOOLS))
    try:
        arguments = json.loads(raw_arguments.strip() or "{}")
        if type(arguments) is not dict:
            raise ValueError("an object is needed")
        return tool(ROOT, **arguments)
    except Exception as problem:
        return f"Error: {type(problem).__name__}: {problem}"
