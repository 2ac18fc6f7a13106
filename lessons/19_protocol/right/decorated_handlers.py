import json

from dispatch import TOOLS, call_tool  # lesson 5
from menu import schema  # lesson 4

VERSION = "2026-07-28"  # of the protocol
SPOKEN = "io.modelcontextprotocol/protocolVersion"  # in the _meta of each request: the version that it speaks
ASK_AGAIN = {"ttlMs": 0, "cacheScope": "private"}  # how long a client may keep a list: not at all


def refused(number, code, said, **data):
    """An error of the protocol, for the client's program."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": said, "data": data}}


METHODS = {}


def method(name):
    def keep(function):
        METHODS[name] = function
        return function

    return keep


@method("server/discover")
def discover(_):
    return ASK_AGAIN | {"supportedVersions": [VERSION], "capabilities": {"tools": {}}}


@method("tools/list")
def listed(_):
    menu = [schema(tool) for tool in TOOLS.values()]
    for dish in menu:
        dish["inputSchema"] = dish.pop("parameters")
    return ASK_AGAIN | {"tools": menu}


@method("tools/call")
def called(given):
    said = call_tool(given.get("name"), json.dumps(given.get("arguments", {})))
    return {"content": [{"type": "text", "text": said}], "isError": said[:7] == "Error: "}


def answer(message):
    if message.get("id") is None:
        return None
    given = message.get("params") or {}
    spoken = (given.get("_meta") or {}).get(SPOKEN)
    if message["method"] not in METHODS:
        return refused(message["id"], -32601, "Method not found")
    if spoken != VERSION:
        return refused(message["id"], -32022, "Unsupported protocol version", supported=[VERSION], requested=spoken)
    result = METHODS[message["method"]](given)
    return {"jsonrpc": "2.0", "id": message["id"], "result": {"resultType": "complete", **result}}
