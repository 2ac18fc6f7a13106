import json

from dispatch import TOOLS, call_tool
from menu import schema

SPOKEN = "io.modelcontextprotocol/protocolVersion"
FRESH = {"ttlMs": 0, "cacheScope": "private"}


def answer(message):
    match message:
        case {"id": number, "params": {"_meta": about}} if (spoken := about.get(SPOKEN)) != "2026-07-28":
            data = {"supported": ["2026-07-28"], "requested": spoken}
            return {"jsonrpc": "2.0", "id": number, "error": {"code": -32022, "message": "no", "data": data}}
        case {"id": number, "method": "server/discover"}:
            return reply(number, supportedVersions=["2026-07-28"], capabilities={"tools": {}}, **FRESH)
        case {"id": number, "method": "tools/list"}:
            return reply(number, tools=[tool(schema(each)) for each in TOOLS.values()], **FRESH)
        case {"id": number, "method": "tools/call", "params": {"name": name, **rest}}:
            text = call_tool(name, json.dumps(rest.get("arguments", {})))
            content = [{"type": "text", "text": text}]
            if text.startswith("Error: "):
                return reply(number, content=content, isError=True)
            return reply(number, content=content)
        case {"id": number, **rest}:
            error = {"code": -32601, "message": f"{rest.get('method')} is not known here"}
            return {"jsonrpc": "2.0", "id": number, "error": error}


def tool(menu):
    return {"name": menu["name"], "description": menu["description"], "inputSchema": menu["parameters"]}


def reply(number, **result):
    return {"jsonrpc": "2.0", "id": number, "result": {**result, "resultType": "complete"}}
