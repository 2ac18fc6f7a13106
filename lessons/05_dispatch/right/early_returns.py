import json

ROOT = "."
TOOLS = {}


def call_tool(name, raw_arguments):
    if name not in TOOLS:
        return "Error: there is no tool " + str(name) + ". The tools are: " + ", ".join(TOOLS)
    if raw_arguments == "":
        raw_arguments = "{}"
    try:
        arguments = json.loads(raw_arguments)
    except Exception:
        return "Error: the arguments are not JSON"
    if type(arguments) != dict:
        return "Error: the arguments must be an object"
    if "root" in arguments:
        return "Error: root is not yours to choose"
    try:
        result = TOOLS[name](ROOT, **arguments)
    except TypeError as e:
        return "Error: wrong arguments: " + str(e)
    except Exception as e:
        return "Error: the tool failed: " + str(e)
    return result
