"""A server's resources reach the model as one tool; what a server asks of its client is refused, and said."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config import PROJECT
from reach import mcp_resources
from reach.mcp_server import McpServer, Surroundings
from reach.mcp_settings import ServerSettings

ASKING = """
import asyncio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import *

REQUESTS = {
    "model": CreateMessageRequest(params=CreateMessageRequestParams(messages=[], max_tokens=10)),
    "person": ElicitRequest(
        params=ElicitRequestFormParams(message="Password?", requested_schema={"type": "object", "properties": {}})
    ),
    "folders": ListRootsRequest(),
}

async def tools(context, params):
    return ListToolsResult(tools=[Tool(name=name, input_schema={"type": "object"}) for name in [*REQUESTS, "again"]])

async def call(context, params):
    if params.name == "again":
        return InputRequiredResult(request_state="s")
    return InputRequiredResult(input_requests={"it": REQUESTS[params.name]})

async def many(context, params):
    begin = int((params and params.cursor) or 0)
    found = [Resource(name=f"n{n}", uri=f"x:///{n}", description="a\\x1b[31mb") for n in range(begin, begin + 100)]
    return ListResourcesResult(resources=found, next_cursor=str(begin + 100))

async def main():
    server = Server("asking", on_list_tools=tools, on_call_tool=call, on_list_resources=many)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

asyncio.run(main())
"""


@contextmanager
def server_at(program: Path, *arguments: str, told: list[str] | None = None, **more: object) -> Iterator[McpServer]:
    lines = told if told is not None else []
    around = Surroundings({"PATH": os.defpath}, threading.Event(), lines.append, call_seconds=30.0)
    server = McpServer(ServerSettings("files", sys.executable, (str(program), *arguments), **more), around)
    yield server
    server.close()


@contextmanager
def ours(folder: Path, **more: object) -> Iterator[McpServer]:
    with server_at(PROJECT / "doors/mcp_server.py", "--workdir", str(folder), **more) as server:
        yield server


def test_the_model_lists_resources_and_reads_one(project: Callable[[dict[str, str]], Path]):
    folder = project({"a b.txt": "words\n", "sub/c.py": "x = 1\n"})
    (folder / "p.png").write_bytes(b"\x89PNG\0")
    with ours(folder) as server:
        (tool,) = [tool for tool in server.tools if tool.remote == "read_resource"]
        assert tool.name == "files__read_resource"
        assert not tool.reads_only
        listed = server.call(tool, {})
        assert listed.ok
        assert [line.split(": ")[0] for line in listed.text.splitlines()] == [
            "workdir:///a%20b.txt",
            "workdir:///p.png",
            "workdir:///sub/c.py",
            "workdir:///{+path}",
        ]
        assert server.call(tool, {"uri": "workdir:///a%20b.txt"}) == ("[resource workdir:///a%20b.txt]\nwords\n", True)
        assert "image/png, 6 bytes: left out" in server.call(tool, {"uri": "workdir:///p.png"}).text
        refused = server.call(tool, {"uri": "workdir:///../secret"})
        assert not refused.ok
        assert "outside" in refused.text


@pytest.mark.long
def test_a_person_who_names_the_tools_names_this_one_too(calculator: Path):
    with ours(calculator, include=("run_tests",)) as server:
        assert [tool.remote for tool in server.tools] == ["run_tests"]
    with ours(calculator, exclude=("read_resource",)) as server:
        assert "read_resource" not in [tool.remote for tool in server.tools]
    with ours(calculator, trusted=True) as server:
        assert [tool.reads_only for tool in server.tools if tool.resources] == [True]


@pytest.fixture
def asking(tmp_path: Path) -> Path:
    program = tmp_path / "asking.py"
    program.write_text(ASKING, encoding="utf-8")
    return program


def test_a_list_of_resources_that_never_ends_is_cut_off(asking: Path):
    with server_at(asking) as server:
        (tool,) = [tool for tool in server.tools if tool.resources]
        listed = server.call(tool, {})
    assert listed.ok
    assert len(listed.text.splitlines()) == 501
    assert "only the first 500" in listed.text
    assert "\x1b" not in listed.text


def test_a_server_that_does_not_answer_what_resources_it_has_keeps_its_tools(
    asking: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(mcp_resources, "LOOK_SECONDS", 0.3)
    text = asking.read_text(encoding="utf-8").replace(
        "    begin = int(", "    await asyncio.sleep(300)\n    begin = int("
    )
    asking.write_text(text, encoding="utf-8")
    with server_at(asking) as server:
        assert [tool.remote for tool in server.tools] == ["model", "person", "folders", "again"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("tool", "wanted"),
    [
        ("model", "an answer of a model"),
        ("person", "an answer of the person"),
        ("folders", "the person's folders"),
        ("again", "to be asked again"),
    ],
)
def test_what_a_server_asks_of_its_client_is_refused_and_said_to_model_and_person(tool: str, wanted: str, asking: Path):
    told: list[str] = []
    with server_at(asking, told=told) as server:
        (remote,) = [each for each in server.tools if each.remote == tool]
        answer = server.call(remote, {})
    assert not answer.ok
    assert f"{tool} was not done: the server files asks for {wanted}" in answer.text
    assert told == [f"files {tool}: it asks for {wanted}, which no server is given here"]
