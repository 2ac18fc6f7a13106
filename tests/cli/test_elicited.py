"""With --ask an MCP server's question stands at the terminal, and what is typed is read as what it must be."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.elicited import read, shape
from offline.wire.conversation import Call, Conversation, Decision
from offline.wire.server import serve

SERVER = """
import asyncio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import *

FORM = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "title": "City"},
        "nights": {"type": "integer", "minimum": 1, "maximum": 9},
        "room": {"type": "string", "enum": ["single", "double"], "default": "single"},
        "note": {"type": "string"},
    },
    "required": ["city", "nights"],
}

async def tools(context, params):
    return ListToolsResult(tools=[Tool(name="travel", input_schema={"type": "object"})])

async def call(context, params):
    if not params.input_responses:
        ask = ElicitRequest(params=ElicitRequestFormParams(message="Where \\x1b[31mto?", requested_schema=FORM))
        return InputRequiredResult(input_requests={"where": ask})
    given = params.input_responses["where"]
    return CallToolResult(content=[TextContent(text=f"{given.action}: {given.content}")])

async def main():
    server = Server("trips", on_list_tools=tools, on_call_tool=call)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

asyncio.run(main())
"""


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal")
@pytest.mark.parametrize("answers", [True, pytest.param(False, marks=pytest.mark.long)])
def test_the_person_is_asked_line_by_line_and_the_server_gets_the_values(answers: bool, tmp_path: Path):
    from pseudo_terminal import in_terminal

    (tmp_path / "trips.py").write_text(SERVER, encoding="utf-8")
    results: list[str] = []

    def decide(conversation: Conversation, *_: object) -> Decision:
        if not conversation.steps:
            return Decision("", (Call("trips__travel", {}),))
        results.append(conversation.steps[-1].result)
        return Decision("Booked.")

    says = [("say what to do instead: ", "y\n"), ("City (text; empty: refuse): ", "Ghent\n" if answers else "\n")]
    if answers:
        nights = "nights (a whole number; empty: refuse): "
        says += [(nights, "many\n"), ("It must be a whole number.", ""), (nights, "3\n")]
        says += [("room (one of single, double; empty: single): ", "\n"), ("note (text; empty: leave it out): ", "\n")]
    with serve(decide=decide) as address:
        arguments = ["go", "--job", "operator", "--ask", "--mcp", f"{sys.executable} {tmp_path / 'trips.py'}"]
        model = {"LLM_PROVIDER": "lmstudio", "LMSTUDIO_BASE_URL": f"{address}/v1"}
        written, code = in_terminal(arguments, columns=160, says=says, **model)
    assert code == 0, written
    assert "The MCP server trips asks you, and gets what you type" in written.replace("\x1b[1m", "").replace(
        "\x1b[0m", ""
    )
    assert "\\x1b[31mto?" in written
    values = {"city": "Ghent", "nights": 3, "room": "single"}
    assert results == [f"accept: {values}" if answers else "decline: None"]


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("7", {"type": "integer"}, 7),
        ("7.5", {"type": "number"}, 7.5),
        ("Yes", {"type": "boolean"}, True),
        ("n", {"type": "boolean"}, False),
        ("a", {"type": "string", "enum": ["a", "b"]}, "a"),
        ("a", {"type": "string", "oneOf": [{"const": "a", "title": "A"}]}, "a"),
        ("a, b", {"type": "array", "items": {"enum": ["a", "b", "c"]}}, ["a", "b"]),
        ("a", {"type": "array", "items": {"anyOf": [{"const": "a"}]}}, ["a"]),
        ("7", {"type": "string"}, "7"),
    ],
)
def test_a_line_becomes_the_value_that_the_form_asks_for(line: str, field: dict[str, Any], value: object):
    assert read(line, field) == value
    assert type(read(line, field)) is type(value)


@pytest.mark.parametrize(
    ("line", "field", "must"),
    [
        ("7.5", {"type": "integer"}, "a whole number"),
        ("0", {"type": "integer", "minimum": 1}, "a whole number"),
        ("10", {"type": "number", "maximum": 9}, "a number"),
        ("perhaps", {"type": "boolean"}, "y or n"),
        ("c", {"type": "string", "enum": ["a", "b"]}, "one of a, b"),
        ("a, d", {"type": "array", "items": {"enum": ["a", "b"]}}, "some, with commas, of a, b"),
    ],
)
def test_a_line_that_does_not_fit_is_none(line: str, field: dict[str, Any], must: str):
    with pytest.raises((ValueError, KeyError)):
        read(line, field)
    assert shape(field) == must
