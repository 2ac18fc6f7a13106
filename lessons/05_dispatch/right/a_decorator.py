import functools
import inspect
import json

ROOT = "."
TOOLS = {}


def survives(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception as e:
            return "Error: " + (str(e) or type(e).__name__)

    return wrapper


@survives
def call_tool(name, raw_arguments):
    tool = TOOLS.get(name, None)
    assert tool is not None, f"unknown tool; there are: {' '.join(TOOLS)}"
    arguments = {} if not raw_arguments else json.loads(raw_arguments)
    assert isinstance(arguments, dict), "arguments must be a JSON object"
    allowed = list(inspect.signature(tool).parameters)[1:]
    for key in arguments:
        assert key in allowed, f"{key} is none of {allowed}"
    return tool(ROOT, **arguments)
