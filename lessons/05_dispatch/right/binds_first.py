import inspect
import json

ROOT = "."
TOOLS = {}


class Refused(Exception):
    pass


def parsed(raw):
    try:
        found = json.loads(raw) if raw else {}
    except ValueError as error:
        raise Refused(f"not JSON: {error.args[0]}")
    if isinstance(found, dict):
        return found
    raise Refused("write an object: {...}")


def prepared(name, raw):
    if name not in TOOLS:
        raise Refused(f"{name} is not one of: {' '.join(TOOLS)}")
    arguments = parsed(raw)
    try:
        inspect.signature(TOOLS[name]).bind(ROOT, **arguments)
    except TypeError as error:
        raise Refused(str(error))
    return TOOLS[name], arguments


def call_tool(name, raw_arguments):
    try:
        tool, arguments = prepared(name, raw_arguments)
        return tool(ROOT, **arguments)
    except Refused as why:
        return f"Error: it was not run. {why}"
    except Exception as error:
        return f"Error: {name}: {error}"
