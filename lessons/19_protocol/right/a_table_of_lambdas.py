import json

import dispatch
from menu import schema

VERSION = "2026-07-28"
RENAMED = {"name": "name", "description": "description", "parameters": "inputSchema"}


def called(given):
    text = dispatch.call_tool(given["name"], json.dumps(given.get("arguments", {}), ensure_ascii=False))
    return {"content": [{"type": "text", "text": text}], **({"isError": True} if text.startswith("Error: ") else {})}


def listed(_):
    return {
        "tools": [{new: schema(tool)[old] for old, new in RENAMED.items()} for tool in dispatch.TOOLS.values()],
        "ttlMs": 0,
        "cacheScope": "private",
    }


def hello(_):
    return {"supportedVersions": [VERSION], "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private"}


def refused(number, code, said, **data):
    return {
        "jsonrpc": "2.0",
        "id": number,
        "error": {"code": code, "message": said, **({"data": data} if data else {})},
    }


def answer(message):
    number = message.get("id")
    work = {"server/discover": hello, "tools/list": listed, "tools/call": called}.get(message["method"])
    if number is None:
        return None
    spoken = message["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion")
    if spoken != VERSION:
        return refused(number, -32022, "another version", supported=[VERSION], requested=spoken)
    if work is None:
        return refused(number, -32601, "no such method")
    return {"jsonrpc": "2.0", "id": number, "result": {**work(message["params"]), "resultType": "complete"}}
