import functools
import json

ROOT = "."
TOOLS = {}


def call_tool(name, raw_arguments):
    found = {known: functools.partial(tool, ROOT) for known, tool in TOOLS.items()}
    if name not in found:
        return "Error: " + name + " does not exist. There are:\n" + "\n".join(found)
    result = None
    try:
        arguments = {} if raw_arguments.strip() == "" else json.loads(raw_arguments)
        assert isinstance(arguments, dict), "an object is wanted"
        result = found[name](**arguments)
    except BaseException as error:
        result = f"Error: {error or type(error).__name__}"
    return result
