"""Lesson 19: MCP by hand."""

import json

from dispatch import TOOLS, call_tool  # lesson 5
from menu import schema  # lesson 4

VERSION = "2025-06-18"  # of the protocol
INFO = {"name": "my_agent", "version": "1"}


def answer(message):
    """Answer one message of a client, as a dictionary; None for one that wants no answer."""
    number, method, given = message.get("id"), message.get("method"), message.get("params") or {}
    raise NotImplementedError("initialize, tools/list, tools/call; an error for any other method")
