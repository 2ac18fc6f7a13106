"""Lesson 19: MCP by hand."""

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
    """Answer one message of a client, as a dictionary; None for one that wants no answer."""
    number, method, given = message.get("id"), message.get("method"), message.get("params") or {}
    spoken = given.get("_meta", {}).get(SPOKEN)
    menu = [schema(tool) for tool in TOOLS.values()]
    raise NotImplementedError("server/discover, tools/list, tools/call; an error for any other method or version")
