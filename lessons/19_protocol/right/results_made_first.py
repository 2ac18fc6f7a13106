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
    number, method, given = message.get("id"), message.get("method"), message.get("params") or {}
    spoken = given.get("_meta", {}).get(SPOKEN)
    menu = [schema(tool) for tool in TOOLS.values()]
    if number is None:
        return
    if method not in ("server/discover", "tools/list", "tools/call"):
        return refused(number, -32601, f"unknown method {method!r}", known="server/discover, tools/list, tools/call")
    if spoken != VERSION:
        return refused(number, -32022, "another version", supported=[VERSION], requested=spoken)
    answers = {
        "server/discover": dict(supportedVersions=[VERSION], capabilities=dict(tools={}), **ASK_AGAIN),
        "tools/list": dict(
            tools=[dict(name=m["name"], description=m["description"], inputSchema=m["parameters"]) for m in menu],
            **ASK_AGAIN,
        ),
    }
    if method == "tools/call":
        text = call_tool(given["name"], json.dumps(given.get("arguments", {}), ensure_ascii=False))
        answers[method] = dict(content=[dict(type="text", text=text)], isError=text.startswith("Error:"))
    return dict(jsonrpc="2.0", id=number, result=dict(answers[method], resultType="complete"))
