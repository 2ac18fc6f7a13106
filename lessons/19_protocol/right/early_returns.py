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
    if "id" not in message:
        return None
    number = message["id"]
    params = message.get("params") or {}
    version = params.get("_meta", {}).get(SPOKEN)
    if version != VERSION:
        return refused(number, -32022, f"this server speaks {VERSION} alone", supported=[VERSION], requested=version)
    method = message.get("method")
    if method == "server/discover":
        result = {"supportedVersions": [VERSION], "capabilities": {"tools": {}}, **ASK_AGAIN}
    elif method == "tools/list":
        tools = []
        for function in TOOLS.values():
            described = schema(function)
            tools.append(
                {
                    "name": described["name"],
                    "description": described["description"],
                    "inputSchema": described["parameters"],
                }
            )
        result = {"tools": tools, **ASK_AGAIN}
    elif method == "tools/call":
        text = call_tool(params["name"], json.dumps(params.get("arguments") or {}))
        result = {"content": [{"type": "text", "text": text}], "isError": text.startswith("Error: ")}
    else:
        return refused(number, -32601, f"there is no method {method}")
    result["resultType"] = "complete"
    return {"jsonrpc": "2.0", "id": number, "result": result}
