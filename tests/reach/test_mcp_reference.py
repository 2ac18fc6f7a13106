"""The protocol's reference servers, from npm, over both wires of the model; and what a call costs beside the bare SDK."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from config import PROJECT
from offline.wire.conversation import Call, Conversation, Decision
from offline.wire.server import serve
from reach.mcp_server import McpServer, Surroundings
from reach.mcp_settings import ServerSettings

pytestmark = pytest.mark.long
PACKAGES = {
    "everything": "@modelcontextprotocol/server-everything@2026.8.31",
    "filesystem": "@modelcontextprotocol/server-filesystem@2026.8.31",
    "memory": "@modelcontextprotocol/server-memory@2026.8.31",
}
# What is called on each, and what its result must say.
CALLS: dict[str, list[tuple[str, dict[str, Any], str]]] = {
    "everything": [
        ("echo", {"message": "hello"}, "Echo: hello"),
        ("get-sum", {"a": 2, "b": 40}, "42"),
        ("get-tiny-image", {}, "[image, image/png, 4,035 bytes: left out, only text can be shown]"),
        (
            "get-resource-reference",
            {"resourceType": "Text", "resourceId": 1},
            "[resource demo://resource/dynamic/text/1]",
        ),
        ("get-resource-links", {"count": 2}, "[link to the resource demo://"),
        ("get-structured-content", {"location": "Chicago"}, '"temperature"'),
        ("trigger-long-running-operation", {"duration": 1, "steps": 2}, "completed"),
    ],
    "filesystem": [
        ("write_file", {"path": "FOLDER/a.txt", "content": "written"}, "Successfully"),
        ("read_text_file", {"path": "FOLDER/a.txt"}, "written"),
        ("edit_file", {"path": "FOLDER/a.txt", "edits": [{"oldText": "written", "newText": "edited"}]}, "+edited"),
        ("read_text_file", {"path": "/etc/passwd"}, "Access denied"),
    ],
    "memory": [
        ("create_entities", {"entities": [{"name": "Ada", "entityType": "person", "observations": ["writes"]}]}, "Ada"),
        ("search_nodes", {"query": "Ada"}, "writes"),
    ],
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the servers' programs."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not there")
    place = tmp_path_factory.mktemp("npm")
    ran = subprocess.run(
        ["npm", "install", "--silent", "--prefix", str(place), *PACKAGES.values()], timeout=300, check=False
    )
    assert ran.returncode == 0
    return place / "node_modules" / ".bin"


@pytest.mark.parametrize("wire", ["openai", "gemini"])
@pytest.mark.parametrize("name", PACKAGES)
def test_a_reference_server_works_over_both_wires(
    name: str, wire: str, installed: Path, run_main: Callable[..., Any], tmp_path: Path
):
    folder = tmp_path / "folder"
    folder.mkdir()
    calls = json.loads(json.dumps(CALLS[name]).replace("FOLDER", str(folder)))

    def decide(conversation: Conversation, *_: object) -> Decision:
        made = len(conversation.steps)
        if made >= len(calls):
            return Decision("done")
        tool, arguments, _said = calls[made]
        return Decision("", (Call(f"{name}__{tool}", arguments),))

    entry = {"command": str(installed / f"mcp-server-{name}"), "args": [str(folder)] if name == "filesystem" else []}
    entry["env"] = {"MEMORY_FILE_PATH": str(tmp_path / "memory.json")}
    settings = tmp_path / "mcp.json"
    settings.write_text(json.dumps({"mcpServers": {name: entry}}), encoding="utf-8")
    with serve(decide=decide) as address:
        model = {
            "openai": {"LLM_PROVIDER": "lmstudio", "LMSTUDIO_BASE_URL": f"{address}/v1"},
            "gemini": {"LLM_PROVIDER": "gemini", "GEMINI_API_KEY": "x", "GEMINI_BASE_URL": address},
        }[wire]
        asked = "/everything:args-prompt city=Ghent" if name == "everything" else "go"
        ran = run_main(asked, "--job", "operator", "--mcp", str(settings), "--json", **model)
    result = json.loads(ran.stdout)
    print(ran.stderr)
    assert result["stop_reason"] == "answered", ran.stderr
    for call, (tool, _, said) in zip(result["tool_calls"], calls, strict=True):
        assert call["name"] == f"{name}__{tool}"
        assert said in call["result"]
        assert call["status"] == ("error" if "denied" in said else "completed")
    if name == "everything":
        assert "trigger-long-running-operation: 1 of 2" in ran.stderr
        assert "wrote for /everything:args-prompt, and the model is told:\nWhat's weather in Ghent?" in ran.stderr


def test_what_a_call_costs_beside_the_bare_sdk_is_printed():
    """At most 3 ms more was asked for; the figure is printed, since another program may be at work here."""
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters

    program, calls = str(PROJECT / "samples" / "operator" / "fleet.py"), 200

    async def bare() -> list[float]:
        seconds = []
        async with Client(StdioServerParameters(command=sys.executable, args=[program])) as client:
            for _ in range(calls):
                began = time.perf_counter()
                await client.call_tool("get_service", {"name": "search"})
                seconds.append(time.perf_counter() - began)
        return seconds

    around = Surroundings({"PATH": os.defpath}, threading.Event(), lambda line: None)
    server = McpServer(ServerSettings("fleet", sys.executable, (program,)), around)
    (tool,) = [tool for tool in server.tools if tool.remote == "get_service"]
    ours = []
    for _ in range(calls):
        began = time.perf_counter()
        assert server.call(tool, {"name": "search"}).ok
        ours.append(time.perf_counter() - began)
    server.close()
    middle = [1000 * statistics.median(each) for each in (asyncio.run(bare()), ours)]
    print(f"a call: bare SDK client {middle[0]:.2f} ms, ours {middle[1]:.2f} ms, {middle[1] - middle[0]:+.2f} ms")
    assert middle[1] < 1000
