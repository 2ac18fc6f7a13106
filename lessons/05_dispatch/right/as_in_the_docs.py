"""In the shape of a vendor's example."""

import json

ROOT = "."
TOOLS = {}


def call_tool(name, raw_arguments):
    function_to_call = TOOLS.get(name)
    if not function_to_call:
        return f"Error: function {name} not found. Available functions: {', '.join(TOOLS.keys())}"
    try:
        function_args = json.loads(raw_arguments) if raw_arguments.strip() else {}
        function_response = function_to_call(ROOT, **function_args)
    except json.JSONDecodeError as e:
        return f"Error: could not parse arguments: {e.msg}"
    except Exception as e:
        return f"Error: {e}"
    else:
        return function_response
