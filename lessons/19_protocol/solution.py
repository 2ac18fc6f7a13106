"""Lesson 19: MCP by hand."""

import json

from dispatch import TOOLS, call_tool  # lesson 5
from menu import schema  # lesson 4

VERSION = "2026-07-28"  # of the protocol
SPOKEN = "io.modelcontextprotocol/protocolVersion"  # in the _meta of each request: the version that it speaks
ASK_AGAIN = {"ttlMs": 0, "cacheScope": "private"}  # how long a client may keep a list: not at all


def refused(number, code, said, **data):
    """An error of the protocol, for the client's program."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": said, "data": data}}


def answer(message):
    """Answer one message of a client, as a dictionary; None for one that wants no answer."""
    number, method, given = message.get("id"), message.get("method"), message.get("params") or {}
    spoken = given.get("_meta", {}).get(SPOKEN)
    menu = [schema(tool) for tool in TOOLS.values()]
    if number is None:
        return None
    if spoken != VERSION:
        return refused(number, -32022, "another version", supported=[VERSION], requested=spoken)
    if method == "server/discover":
        result = {"supportedVersions": [VERSION], "capabilities": {"tools": {}}, **ASK_AGAIN}
    elif method == "tools/list":
        tools = [{"name": t["name"], "description": t["description"], "inputSchema": t["parameters"]} for t in menu]
        result = {"tools": tools, **ASK_AGAIN}
    elif method == "tools/call":
        text = call_tool(given["name"], json.dumps(given.get("arguments") or {}))
        result = {"content": [{"type": "text", "text": text}], "isError": text.startswith("Error: ")}
    else:
        return refused(number, -32601, f"no method {method}")
    return {"jsonrpc": "2.0", "id": number, "result": {"resultType": "complete", **result}}
