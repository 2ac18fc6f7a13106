import json

from dispatch import TOOLS, call_tool
from menu import schema


def answer(message):
    match message:
        case {"id": number, "method": "initialize"}:
            return reply(
                number,
                protocolVersion="2025-06-18",
                capabilities={"tools": {}},
                serverInfo={"name": "m", "version": "2"},
            )
        case {"id": number, "method": "tools/list"}:
            return reply(number, tools=[tool(schema(each)) for each in TOOLS.values()])
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
    return {"jsonrpc": "2.0", "id": number, "result": result}
