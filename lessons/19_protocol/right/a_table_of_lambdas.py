import json

import dispatch
from menu import schema

RENAMED = {"name": "name", "description": "description", "parameters": "inputSchema"}


def called(given):
    text = dispatch.call_tool(given["name"], json.dumps(given.get("arguments", {}), ensure_ascii=False))
    return {"content": [{"type": "text", "text": text}], **({"isError": True} if text.startswith("Error: ") else {})}


def listed(_):
    return {"tools": [{new: schema(tool)[old] for old, new in RENAMED.items()} for tool in dispatch.TOOLS.values()]}


def hello(_):
    return {"serverInfo": {"name": "t", "version": "0"}, "capabilities": {"tools": {}}, "protocolVersion": "2025-06-18"}


def answer(message):
    number = message.get("id")
    work = {"initialize": hello, "tools/list": listed, "tools/call": called}.get(message["method"])
    if number is None:
        return
    if work is None:
        return {"jsonrpc": "2.0", "id": number, "error": dict(code=-32601, message="no such method")}
    return {"jsonrpc": "2.0", "id": number, "result": work(message.get("params") or {})}
