from collections import ChainMap
import json

from dispatch import TOOLS, call_tool  # lesson 5
from menu import schema  # lesson 4

VERSION = "2026-07-28"  # of the protocol
SPOKEN = "io.modelcontextprotocol/protocolVersion"  # in the _meta of each request: the version that it speaks
ASK_AGAIN = {"ttlMs": 0, "cacheScope": "private"}  # how long a client may keep a list: not at all


def refused(number, code, said, **data):
    """An error of the protocol, for the client's program."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": said, "data": data}}


COMPLETE = {"resultType": "complete"}


def tools():
    for tool in TOOLS.values():
        match schema(tool):
            case {"name": name, "description": description, "parameters": parameters}:
                yield {"name": name, "description": description, "inputSchema": parameters}


def result(method, given):
    """What a method gives, None for one that there is not."""
    if method == "server/discover":
        return ChainMap({"supportedVersions": [VERSION], "capabilities": {"tools": {}}}, ASK_AGAIN, COMPLETE)
    if method == "tools/list":
        return ChainMap({"tools": list(tools())}, ASK_AGAIN, COMPLETE)
    if method == "tools/call":
        text = call_tool(given["name"], json.dumps(given.get("arguments") or {}))
        failed = text.startswith("Error: ")
        return ChainMap({"content": [{"type": "text", "text": text}], "isError": failed}, COMPLETE)
    return None


def answer(message):
    if "id" in message:
        given = message.get("params", {})
        requested = given.get("_meta", {}).get(SPOKEN)
        if requested != VERSION:
            sentence = "speak the version that I speak"
            return refused(message["id"], -32022, sentence, supported=[VERSION], requested=requested)
        found = result(message["method"], given)
        if found is None:
            return refused(message["id"], -32601, f"I do not know {message['method']}")
        return {"jsonrpc": "2.0", "id": message["id"], "result": dict(found)}
