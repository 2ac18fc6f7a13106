import json

import dispatch
import menu


class Problem(Exception):
    pass


FRESH = {"resultType": "complete", "ttlMs": 1000, "cacheScope": "private"}


def result_of(method, params):
    spoken = params["_meta"].get("io.modelcontextprotocol/protocolVersion")
    if spoken != "2026-07-28":
        raise Problem(-32022, f"I do not speak {spoken}", {"supported": ["2026-07-28"], "requested": spoken})
    if method == "server/discover":
        return dict(FRESH, supportedVersions=["2026-07-28"], capabilities=dict(tools={}))
    if method == "tools/list":
        schemas = map(menu.schema, dispatch.TOOLS.values())
        return {"tools": [{"inputSchema" if k == "parameters" else k: s[k] for k in s} for s in schemas], **FRESH}
    if method == "tools/call":
        text = dispatch.call_tool(name=params["name"], raw_arguments=json.dumps(params.get("arguments") or {}))
        return {"isError": text[:7] == "Error: ", "content": [{"text": text, "type": "text"}], "resultType": "complete"}
    raise Problem(-32601, f"there is no {method}")


def answer(message):
    if message.get("id") is None:
        return None
    reply = {"id": message["id"], "jsonrpc": "2.0"}
    try:
        return reply | {"result": result_of(message["method"], message.get("params") or {})}
    except Problem as error:
        code, said, *data = error.args
        return reply | {"error": {"code": code, "message": said} | ({"data": data[0]} if data else {})}
