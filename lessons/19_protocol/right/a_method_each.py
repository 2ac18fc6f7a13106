import json

import dispatch
import menu


def initialize(params):
    return {
        "protocolVersion": params.get("protocolVersion", "2025-06-18"),
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "mine", "version": "0.1"},
        "instructions": "A few tools.",
    }


def list_tools(params):
    tools = []
    for function in dispatch.TOOLS.values():
        described = dict(menu.schema(function))
        described["inputSchema"] = described.pop("parameters")
        tools.append(described)
    return {"tools": tools}


def call(params):
    said = dispatch.call_tool(params["name"], json.dumps(params.get("arguments", {})))
    failed = said.startswith("Error:")
    return {"content": [{"type": "text", "text": said.removeprefix("Error: ")}], "isError": failed}


METHODS = {"initialize": initialize, "tools/list": list_tools, "tools/call": call, "ping": lambda params: {}}


def answer(message):
    if "id" not in message:
        return None
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    work = METHODS.get(message["method"])
    if work:
        reply["result"] = work(message.get("params", {}))
    else:
        reply["error"] = {"code": -32601, "message": "Method not found", "data": message["method"]}
    return reply
