import json

import dispatch
import menu


VERSION = "2026-07-28"


def discover(params):
    return {
        "supportedVersions": [VERSION],
        "capabilities": {"tools": {"listChanged": False}},
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "mine", "version": "0.1"}},
        "instructions": "A few tools.",
        "ttlMs": 60_000,
        "cacheScope": "public",
    }


def list_tools(params):
    tools = []
    for function in dispatch.TOOLS.values():
        described = dict(menu.schema(function))
        described["inputSchema"] = described.pop("parameters")
        tools.append(described)
    return {"tools": tools, "ttlMs": 0, "cacheScope": "private"}


def call(params):
    said = dispatch.call_tool(params["name"], json.dumps(params.get("arguments", {})))
    failed = said.startswith("Error:")
    return {"content": [{"type": "text", "text": said.removeprefix("Error: ")}], "isError": failed}


METHODS = {"server/discover": discover, "tools/list": list_tools, "tools/call": call, "ping": lambda params: {}}


def answer(message):
    if "id" not in message:
        return None
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    work, params = METHODS.get(message["method"]), message.get("params", {})
    spoken = params.get("_meta", {}).get("io.modelcontextprotocol/protocolVersion")
    if spoken != VERSION:
        data = {"supported": [VERSION], "requested": spoken}
        reply["error"] = {"code": -32022, "message": "Unsupported protocol version", "data": data}
    elif work:
        reply["result"] = {**work(params), "resultType": "complete"}
    else:
        reply["error"] = {"code": -32601, "message": "Method not found", "data": message["method"]}
    return reply
