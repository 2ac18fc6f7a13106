"""What is wrong with a line of an MCP server that means to be a message of the protocol and is none."""

from __future__ import annotations

import json
from typing import Any

from sandbox.files.unusual import without_controls

MARKS = {"jsonrpc", "result", "error"}  # of a message; any other line may be a stray print


class WrongShape(ValueError):
    """A server sent what no call can have as its answer. The text says what, after "it sent"."""


def wrong_shape(line: bytes) -> WrongShape | None:
    """Return what is wrong with a line that could not be read as a message, None for one that means to be none."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if isinstance(said, list) and any(isinstance(each, dict) and each.keys() & MARKS for each in said):
        return WrongShape("its messages in a list, which the protocol has no more")
    if not isinstance(said, dict) or not said.keys() & MARKS or "method" in said:  # a notification answers nothing
        return None
    return WrongShape(f"a message of the wrong shape: {fault_of(said)}")


def without_request(message: Any) -> WrongShape | None:
    """Return what an error says whose "id" is null, as of a request that could not be read; the SDK passes it over."""
    if getattr(message, "id", "") is not None:
        return None
    return WrongShape(f"an error for no request: {without_controls(str(message.error.message))[:500]}")


def fault_of(message: dict[str, Any]) -> str:
    """The first thing that is wrong, in words."""
    number, result, error = message.get("id"), message.get("result", {}), message.get("error", {})
    if message.get("jsonrpc") != "2.0":
        return 'it does not say "jsonrpc": "2.0"'
    if not isinstance(number, int | str) or isinstance(number, bool):
        return f'its "id" is {kind_of(number)}, and not that of the request'
    if not isinstance(result, dict):
        return f'its "result" is {kind_of(result)} and no object'
    if not isinstance(error, dict):
        return f'its "error" is {kind_of(error)} and no object'
    if "error" in message:
        return 'its "error" lacks a "code" that is a number or a "message" that is a text'
    return 'its "result" cannot be read' if result else 'it has neither a "result" nor an "error"'


def kind_of(value: Any) -> str:
    kinds = {list: "a list", dict: "an object", str: "a text", bool: "true or false", type(None): "missing or null"}
    return kinds.get(type(value), "a number")
