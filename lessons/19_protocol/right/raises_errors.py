import json

import dispatch
import menu


class Problem(Exception):
    pass


def result_of(method, params):
    if method == "initialize":
        return dict(protocolVersion="2025-06-18", capabilities=dict(tools={}), serverInfo=dict(name="s", version="1"))
    if method == "tools/list":
        schemas = map(menu.schema, dispatch.TOOLS.values())
        return {"tools": [{"inputSchema" if k == "parameters" else k: s[k] for k in s} for s in schemas]}
    if method == "tools/call":
        text = dispatch.call_tool(name=params["name"], raw_arguments=json.dumps(params.get("arguments") or {}))
        return {"isError": text[:7] == "Error: ", "content": [{"text": text, "type": "text"}]}
    raise Problem(f"there is no {method}")


def answer(message):
    if message.get("id") is None:
        return None
    reply = {"id": message["id"], "jsonrpc": "2.0"}
    try:
        return reply | {"result": result_of(message["method"], message.get("params") or {})}
    except Problem as error:
        return reply | {"error": {"code": -32601, "message": str(error)}}
