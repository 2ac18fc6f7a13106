# REASON: the tools that there are
import json

ROOT, TOOLS = ".", {}


def call_tool(name, raw_arguments):
    try:
        return TOOLS[name](ROOT, **json.loads(raw_arguments or "{}"))
    except Exception as error:
        return f"Error: {error}"
