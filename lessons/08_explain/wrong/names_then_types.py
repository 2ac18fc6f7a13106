# REASON: have changed their types
import json


def explain(error, tool, arguments):
    properties = tool["parameters"]["properties"]
    types = sorted({kind["type"] for kind in properties.values()})
    takes = f"{', '.join(properties)} of the types {', '.join(types)}; required: {tool['parameters']['required']}"
    return f"Error: {tool['name']}: {error}. It takes {takes}. You sent {json.dumps(arguments)[:100]}"
