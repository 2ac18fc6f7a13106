import json

ROOT = "."
TOOLS = {}


def load(raw):
    try:
        return json.loads(raw or "{}")
    except (ValueError, RecursionError):
        return None


def call_tool(name, raw_arguments):
    match TOOLS.get(name), load(raw_arguments):
        case None, _:
            return "Error: choose one of these tools: " + json.dumps(list(TOOLS))
        case _, {"root": _}:
            return "Error: root is not yours to choose"
        case tool, dict(arguments):
            try:
                return str(tool(ROOT, **arguments))
            except Exception as error:
                return "Error: " + " ".join(map(str, error.args))
        case _:
            return "Error: the arguments must be a JSON object"
