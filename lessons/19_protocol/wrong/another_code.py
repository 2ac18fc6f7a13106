# REASON: by this number a client knows
"""Lesson 19: MCP by hand."""

import json

from dispatch import TOOLS, call_tool  # lesson 5
from menu import schema  # lesson 4

VERSION = "2025-06-18"  # of the protocol
INFO = {"name": "my_agent", "version": "1"}


def answer(message):
    """Answer one message of a client, as a dictionary; None for one that wants no answer."""
    number, method, given = message.get("id"), message.get("method"), message.get("params") or {}
    if number is None:
        return None
    if method == "initialize":
        result = {"protocolVersion": VERSION, "capabilities": {"tools": {}}, "serverInfo": INFO}
    elif method == "tools/list":
        menu = [schema(tool) for tool in TOOLS.values()]
        tools = [{"name": t["name"], "description": t["description"], "inputSchema": t["parameters"]} for t in menu]
        result = {"tools": tools}
    elif method == "tools/call":
        text = call_tool(given["name"], json.dumps(given.get("arguments") or {}))
        result = {"content": [{"type": "text", "text": text}], "isError": text.startswith("Error: ")}
    else:
        return {"jsonrpc": "2.0", "id": number, "error": {"code": 404, "message": f"no method {method}"}}
    return {"jsonrpc": "2.0", "id": number, "result": result}
