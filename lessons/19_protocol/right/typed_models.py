from __future__ import annotations
from dataclasses import asdict, dataclass, field
from typing import Any
import json

from dispatch import TOOLS, call_tool  # lesson 5
from menu import schema  # lesson 4

VERSION = "2026-07-28"  # of the protocol
SPOKEN = "io.modelcontextprotocol/protocolVersion"  # in the _meta of each request: the version that it speaks
ASK_AGAIN = {"ttlMs": 0, "cacheScope": "private"}  # how long a client may keep a list: not at all


def refused(number, code, said, **data):
    """An error of the protocol, for the client's program."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": said, "data": data}}


@dataclass(frozen=True)
class Discovered:
    supportedVersions: list[str] = field(default_factory=lambda: [VERSION])
    capabilities: dict[str, Any] = field(default_factory=lambda: {"tools": {}})
    ttlMs: int = ASK_AGAIN["ttlMs"]
    cacheScope: str = ASK_AGAIN["cacheScope"]
    resultType: str = "complete"


@dataclass(frozen=True)
class Listed:
    tools: list[dict[str, Any]]
    ttlMs: int = ASK_AGAIN["ttlMs"]
    cacheScope: str = ASK_AGAIN["cacheScope"]
    resultType: str = "complete"


@dataclass(frozen=True)
class Called:
    content: list[dict[str, str]]
    isError: bool
    resultType: str = "complete"


def tool_of(function: Any) -> dict[str, Any]:
    menu: dict[str, Any] = schema(function)
    return {"name": menu["name"], "description": menu["description"], "inputSchema": menu["parameters"]}


def result_of(method: str, given: dict[str, Any]) -> Discovered | Listed | Called:
    if method == "server/discover":
        return Discovered()
    if method == "tools/list":
        return Listed([tool_of(tool) for tool in TOOLS.values()])
    if method == "tools/call":
        text: str = call_tool(given["name"], json.dumps(given.get("arguments", {})))
        return Called([{"type": "text", "text": text}], text.startswith("Error: "))
    raise NotImplementedError(method)


def answer(message: dict[str, Any]) -> dict[str, Any] | None:
    if "id" not in message:
        return None
    given: dict[str, Any] = message.get("params") or {}
    spoken: str | None = given.get("_meta", {}).get(SPOKEN)
    if spoken != VERSION:
        return refused(message["id"], -32022, f"no {spoken} here", supported=[VERSION], requested=spoken)
    try:
        result = result_of(message.get("method", ""), given)
    except NotImplementedError as error:
        return refused(message["id"], -32601, f"no method {error}")
    return {"jsonrpc": "2.0", "id": message["id"], "result": asdict(result)}
