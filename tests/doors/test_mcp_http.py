"""Our MCP server over HTTP: who may speak to it, in both of the protocol's ways, and what a client that goes ends."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from config import PROJECT
from reach.mcp_server import McpServer, ServerError, Surroundings
from reach.mcp_settings import ServerSettings, servers_from

HANG = 60.0  # seconds
TOKEN = "a-token-of-the-tests-0123456789"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


class Served(NamedTuple):
    """A server in a process of its own: where it listens, and what it wants."""

    process: subprocess.Popen[str]
    port: int
    token: str


@contextlib.contextmanager
def served(folder: Path, token: str = TOKEN) -> Iterator[Served]:
    command = [sys.executable, str(PROJECT / "doors/mcp_server.py"), "--workdir", str(folder), "--http", "0"]
    environment = {**os.environ, "GLASSBOX_MCP_TOKEN": token}
    with subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8", env=environment) as process:
        try:
            port = int(re.search(r"http://127\.0\.0\.1:(\d+)/mcp", process.stderr.readline())[1])
            made = "" if token else process.stderr.readline().rpartition(": ")[2].strip()
            wait_until(lambda: socket.create_connection(("127.0.0.1", port), 1).close() is None)
            yield Served(process, port, token or made)
        finally:
            process.kill()


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + HANG
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            if true():
                return
        time.sleep(0.05)
    pytest.fail("it did not come true")


def talk(server: Served, what: Callable[[Client], Awaitable[Any]], mode: str = "auto") -> Any:
    async def session() -> Any:
        headers = {"Authorization": f"Bearer {server.token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=HANG, trust_env=False) as under:
            transport = streamable_http_client(f"http://127.0.0.1:{server.port}/mcp", http_client=under)
            async with Client(transport, mode=mode, read_timeout_seconds=HANG) as client:
                return await what(client)

    return asyncio.run(session())


def post(server: Served, body: Any = INITIALIZE, **headers: str) -> tuple[int, str]:
    """Status and text of one request that nothing of the SDK has seen."""
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG)
    with contextlib.closing(connection):
        connection.request("POST", "/mcp", json.dumps(body), {**usual, **given})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_only_who_has_the_token_and_comes_from_this_machine_is_answered(calculator: Path):
    with served(calculator) as server:
        right = {"Authorization": f"Bearer {server.token}"}
        here = f"127.0.0.1:{server.port}"
        assert post(server, **right)[0] == 200
        assert post(server, **right, Origin=f"http://{here}")[0] == 200
        for wrong in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": server.token}, {"X_Token": TOKEN}):
            status, said = post(server, **wrong)
            assert (status, said.startswith("The token is missing or wrong.")) == (401, True)
            assert server.token not in said
        assert post(server, **right, Host="attacker.example")[0] == 421
        assert post(server, **right, Host=f"127.0.0.1:{server.port + 1}")[0] == 421
        assert post(server, **right, Origin="http://attacker.example")[0] == 403
        assert post(server, **right, Origin="null")[0] == 403
        modern = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/list"}
        assert post(server, **right, **modern, Host="attacker.example")[0] == 421
        assert post(server, **right, **modern, Origin="http://attacker.example")[0] == 403
        with pytest.raises(OSError):  # noqa: PT011 - refused, or unreachable: as the system has it
            socket.create_connection(("127.0.0.2", server.port), 1)


def test_a_token_that_nobody_set_is_made_and_told(calculator: Path):
    async def read(client: Client) -> Any:
        return (await client.call_tool("get_file_content", {"file_path": "main.py"})).content[0].text

    with served(calculator, token="") as server:
        assert len(server.token) >= 40
        assert "def main" in talk(server, read)


def test_our_own_client_takes_its_address_and_token_from_a_file(calculator: Path, tmp_path: Path):
    around = Surroundings({"PATH": os.defpath}, threading.Event(), lambda line: None)
    with served(calculator) as server:
        entry = {
            "url": f"http://127.0.0.1:{server.port}/mcp",
            "headers": {"Authorization": "Bearer ${GLASSBOX_MCP_TOKEN}"},
        }
        (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"glassbox": entry}}))
        (settings,) = servers_from([str(tmp_path / "mcp.json")], {"GLASSBOX_MCP_TOKEN": server.token}.get)
        client = McpServer(settings, around)
        try:
            (read,) = [tool for tool in client.tools if tool.remote == "get_file_content"]
            assert "def main" in client.call(read, {"file_path": "main.py"}).text
        finally:
            client.close()
        with pytest.raises(ServerError, match="HTTP 401, it wants to know who asks.*it says: The token is missing"):
            McpServer(ServerSettings("glassbox", url=entry["url"]), around)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_long_call_tells_its_progress_and_a_cancelled_one_ends_its_script(mode: str, calculator: Path):
    (calculator / "slow.py").write_text(
        "import pathlib, time\npathlib.Path('begun').touch()\ntime.sleep(25)\npathlib.Path('ended').touch()\n"
    )
    told: list[tuple[float, str | None]] = []

    async def cancelled(client: Client) -> tuple[float, Any]:
        at_work = asyncio.Event()

        async def progress(value: float, total: float | None, message: str | None) -> None:
            told.append((value, message))
            if len(told) == 2:
                at_work.set()

        slow = asyncio.ensure_future(
            client.call_tool("run_python_file", {"file_path": "slow.py"}, progress_callback=progress)
        )
        await asyncio.wait_for(at_work.wait(), HANG)
        assert (calculator / "begun").exists()
        slow.cancel()
        began = time.monotonic()
        after = await client.call_tool("run_python_file", {"file_path": "tests.py"})
        return time.monotonic() - began, after

    with served(calculator) as server:
        seconds, after = talk(server, cancelled, mode)
    assert seconds < 15
    assert not after.is_error
    assert not (calculator / "ended").exists()
    assert told[0][0] < told[1][0]
    assert "run_python_file is at work" in told[0][1]


def running(program: str) -> bool:
    """Whether any process has this name among its arguments."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found.append(path.read_bytes())
    return any(program.encode() in arguments for arguments in found)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
@pytest.mark.parametrize("how", ["Ctrl-C", "DELETE"])
def test_a_server_or_a_session_that_ends_ends_the_script_that_it_runs(how: str, calculator: Path):
    program = f"slow_{os.getpid()}_{how}.py"
    (calculator / program).write_text("import pathlib, time\npathlib.Path('begun').touch()\ntime.sleep(300)\n")
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
    call["params"] = {"name": "run_python_file", "arguments": {"file_path": program}}
    with served(calculator) as server, httpx2.Client(timeout=HANG, trust_env=False) as client:
        address = f"http://127.0.0.1:{server.port}/mcp"
        client.headers |= {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {server.token}"}
        begun = client.post(address, json=INITIALIZE)
        client.headers |= {"Mcp-Session-Id": begun.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25"}
        client.post(address, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        with client.stream("POST", address, json=call) as answer:
            assert answer.status_code == 200
            wait_until((calculator / "begun").exists)
            assert running(program)
            if how == "DELETE":
                assert client.delete(address).status_code == 200
                wait_until(lambda: not running(program))
                assert server.process.poll() is None
                return
            server.process.send_signal(signal.SIGINT)
            _, said = server.process.communicate(timeout=HANG)
    assert server.process.returncode == 130
    assert "Traceback" not in said
    wait_until(lambda: not running(program))


@pytest.mark.long
def test_what_cannot_be_served_is_one_sentence(calculator: Path):
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        taken = str(held.getsockname()[1])
        for port, token, said in (
            (taken, TOKEN, f"Error: the port {taken} cannot be had (another program has it)."),
            ("0", "short", "Error: GLASSBOX_MCP_TOKEN must have 16 plain characters or more"),
            ("70000", TOKEN, "'70000' is no port"),
        ):
            command = [sys.executable, str(PROJECT / "doors/mcp_server.py"), "--workdir", str(calculator)]
            environment = {**os.environ, "GLASSBOX_MCP_TOKEN": token}
            ran = subprocess.run(
                [*command, "--http", port],
                capture_output=True,
                encoding="utf-8",
                timeout=HANG,
                check=False,
                env=environment,
            )
            assert ran.returncode in (1, 2)
            assert said in ran.stderr
            assert "Traceback" not in ran.stderr
