import json
from functools import reduce

ROOT = "."
TOOLS = {}


def parse(call):
    return {**call, "arguments": json.loads(call["raw"] or "{}")}


def find(call):
    if call["name"] in TOOLS.keys():
        return call | {"tool": TOOLS[call["name"]]}
    raise ValueError("unknown tool %s, known are %s" % (call["name"], list(TOOLS)))


def run(call):
    return call["tool"](ROOT, **call["arguments"])


def call_tool(name, raw_arguments):
    try:
        return reduce(lambda call, step: step(call), (find, parse, run), {"name": name, "raw": raw_arguments})
    except BaseException as e:
        return f"Error: {e!r}"
