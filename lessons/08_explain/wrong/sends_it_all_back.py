# REASON: under 500 characters
import json


def explain(error, tool, arguments):
    takes = {name: kind["type"] for name, kind in tool["parameters"]["properties"].items()}
    needs = ", ".join(tool["parameters"]["required"])
    return f"Error: {tool['name']}: {error}. It takes {takes}, required: {needs}. You sent {json.dumps(arguments)}"
