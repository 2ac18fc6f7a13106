"""A server that wants to know something of the person: asked where somebody is there to be asked, its clock stopped."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reach.mcp_server import Ask, McpServer, Surroundings
from reach.mcp_settings import ServerSettings
from reach.mcp_tools import RemoteTool

SERVER = """
import asyncio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import *

FORM = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ASK = ElicitRequest(params=ElicitRequestFormParams(message="Where to?", requested_schema=FORM))
MODEL = CreateMessageRequest(params=CreateMessageRequestParams(messages=[], max_tokens=10))
OPEN = ElicitRequest(params=ElicitRequestURLParams(message="Log in", url="https://example.org/", elicitation_id="1"))

async def tools(context, params):
    names = ["travel", "for_ever", "both", "log_in"]
    return ListToolsResult(tools=[Tool(name=name, input_schema={"type": "object"}) for name in names])

async def call(context, params):
    if params.name == "both":
        return InputRequiredResult(input_requests={"where": ASK, "model": MODEL})
    if not params.input_responses or params.name == "for_ever":
        return InputRequiredResult(input_requests={"where": OPEN if params.name == "log_in" else ASK}, request_state="s")
    given = params.input_responses["where"]
    return CallToolResult(content=[TextContent(text=f"{given.action} {given.content} {params.request_state}")])

async def main():
    server = Server("asking", on_list_tools=tools, on_call_tool=call)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

asyncio.run(main())
"""


def called(tool: str, folder: Path, ask: Ask | None, seconds: float = 30.0) -> tuple[str, bool, list[str]]:
    """What a call of one of its tools gives, and what the person is told."""
    program, told = folder / "asking.py", []
    program.write_text(SERVER, encoding="utf-8")
    around = Surroundings({"PATH": os.defpath}, threading.Event(), told.append, call_seconds=seconds, ask=ask)
    server = McpServer(ServerSettings("trips", sys.executable, (str(program),)), around)
    try:
        text, ok = server.call(found(server, tool), {})
    finally:
        server.close()
    return text, ok, told


def found(server: McpServer, name: str) -> RemoteTool:
    return next(tool for tool in server.tools if tool.remote == name)


def test_what_the_person_answers_reaches_the_server_with_its_own_state(tmp_path: Path):
    asked: list[tuple[str, str, Mapping[str, Any]]] = []

    def ask(server: str, message: str, form: Mapping[str, Any], cancelled: threading.Event) -> dict[str, Any]:
        asked.append((server, message, form))
        return {"city": "Ghent"}

    assert called("travel", tmp_path, ask) == ("accept {'city': 'Ghent'} s", True, [])
    ((server, message, form),) = asked
    assert (server, message, list(form["properties"])) == ("trips", "Where to?", ["city"])


def test_a_person_who_answers_nothing_has_declined(tmp_path: Path):
    assert called("travel", tmp_path, lambda *_: None) == ("decline None s", True, [])


@pytest.mark.long
def test_the_clock_of_the_call_stands_still_while_the_person_thinks(tmp_path: Path):
    def slowly(*_: object) -> dict[str, Any]:
        time.sleep(2.5)  # the person's; the call may take one second
        return {"city": "Ghent"}

    assert called("travel", tmp_path, slowly, seconds=1.0)[1]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("tool", "asks", "said"),
    [
        ("travel", False, "asks for an answer of the person, which no server is given"),
        ("both", True, "asks for an answer of a model and an answer of the person, which no server is given"),
        ("for_ever", True, "asks for an answer of the person, which no server is given"),
    ],
)
def test_nobody_there_or_a_model_wanted_or_asked_for_ever_is_refused(tool: str, asks: bool, said: str, tmp_path: Path):
    times: list[str] = []

    def ask(server: str, *_: object) -> dict[str, Any]:
        times.append(server)
        return {"city": "Ghent"}

    text, ok, told = called(tool, tmp_path, ask if asks else None)
    assert not ok
    assert said in text
    assert len(told) == 1
    assert len(times) == (5 if tool == "for_ever" else 0)


def test_an_address_is_never_opened_for_a_server(tmp_path: Path):
    text, _, told = called("log_in", tmp_path, lambda *_: {})
    assert text.startswith("decline")
    assert told == ["trips: it wants an address opened, which is not done from here"]


def test_a_run_that_is_interrupted_waits_for_no_answer(tmp_path: Path):
    (tmp_path / "asking.py").write_text(SERVER, encoding="utf-8")
    asked, over = threading.Event(), threading.Event()

    def never(*_: object) -> None:
        asked.set()
        over.wait(60)

    around = Surroundings({"PATH": os.defpath}, threading.Event(), lambda line: None, ask=never)
    server = McpServer(ServerSettings("trips", sys.executable, (str(tmp_path / "asking.py"),)), around)
    threading.Thread(target=lambda: asked.wait(60) and around.cancelled.set(), daemon=True).start()
    try:
        assert server.call(found(server, "travel"), {}) == ("travel was interrupted", False)
    finally:
        over.set()
        server.close()
