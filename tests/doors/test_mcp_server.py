"""Our tools as an MCP server, driven by the SDK's own client."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from catalogue import CATALOGUE
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from repositories import notes

from config import PROJECT

__all__ = ["notes"]  # a fixture


def talk(folder: Path, what: Callable[[Client], Awaitable[Any]], *more: str) -> Any:
    async def session() -> Any:
        arguments = [str(PROJECT / "doors/mcp_server.py"), "--workdir", str(folder), *more]
        async with Client(
            StdioServerParameters(command=sys.executable, args=arguments), read_timeout_seconds=60
        ) as client:
            return await what(client)

    return asyncio.run(session())


@pytest.mark.long
def test_the_coders_tools_are_offered_and_those_that_change_something_are_marked(calculator: Path):
    async def list_them(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in talk(calculator, list_them)}
    assert list(tools) == list(CATALOGUE)
    changing = {name for name, tool in tools.items() if tool.annotations.destructive_hint}
    assert changing == {name for name, tool in CATALOGUE.items() if tool.reads_only is not True}
    assert changing >= {"edit_file", "write_file", "run_python_file", "run_tests"}, "whatever they say of themselves"
    assert all(tools[name].annotations.read_only_hint is (name not in changing) for name in tools)


def test_calls_work_behind_the_same_walls(calculator: Path):
    async def several(client: Client) -> list[Any]:
        calls = (
            ("get_file_content", {"file_path": "main.py"}),
            ("get_file_content", {"file_path": "../secret.txt"}),
            ("get_file_content", {"file_path": 5}),
            ("no_such_tool", {}),
            ("write_file", {"file_path": "new.py", "content": "print(open('/etc/passwd').read())\n"}),
            ("run_python_file", {"file_path": "new.py"}),
        )
        return [await client.call_tool(name, arguments) for name, arguments in calls]

    (calculator.parent / "secret.txt").write_text("secret", encoding="utf-8")
    results = [(result.content[0].text, result.is_error) for result in talk(calculator, several)]
    assert "def main" in results[0][0]
    assert [error for _, error in results] == [False, True, True, True, False, False]
    assert "no tool 'no_such_tool'" in results[3][0]
    assert "root:" not in results[5][0]
    assert "PermissionError" in results[5][0]


@pytest.mark.long
def test_several_calls_at_once_each_get_their_own_result(calculator: Path):
    async def at_once(client: Client) -> list[Any]:
        names = [f"f{n}.txt" for n in range(8)]
        await asyncio.gather(*(client.call_tool("write_file", {"file_path": n, "content": n}) for n in names))
        return await asyncio.gather(*(client.call_tool("get_file_content", {"file_path": n}) for n in names))

    assert [result.content[0].text for result in talk(calculator, at_once)] == [f"f{n}.txt" for n in range(8)]


def test_a_call_that_the_client_cancels_ends_its_script_and_the_next_one_runs(calculator: Path):
    (calculator / "slow.py").write_text(
        "import pathlib, time\npathlib.Path('begun').touch()\ntime.sleep(25)\npathlib.Path('ended').touch()\n"
    )

    async def cancelled(client: Client) -> tuple[float, Any]:
        slow = asyncio.ensure_future(client.call_tool("run_python_file", {"file_path": "slow.py"}))
        while not (calculator / "begun").exists():
            await asyncio.sleep(0.05)
        # Not before: which of two calls that are sent at once has the directory first is nobody's promise.
        waiting = asyncio.ensure_future(client.call_tool("write_file", {"file_path": "never.md", "content": "x"}))
        await client.list_tools()  # sent after it, and answered beside the script: so it waits by now
        waiting.cancel()
        slow.cancel()
        began = time.monotonic()
        after = await client.call_tool("run_python_file", {"file_path": "tests.py"})
        return time.monotonic() - began, after

    seconds, after = talk(calculator, cancelled)
    assert seconds < 15  # it was 21.8, until the script had ended by itself
    assert not after.is_error
    assert not (calculator / "ended").exists()
    assert not (calculator / "never.md").exists()


def test_a_call_that_the_client_cancels_stops_no_later_one_that_only_reads(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """As in a large repository git takes its time, in which it looks whether it was cancelled."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text(f'#!/bin/sh\nsleep 0.2\nexec {shutil.which("git")} "$@"\n')
    (tmp_path / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    (notes / "slow.py").write_text("import pathlib, time\npathlib.Path('begun').touch()\ntime.sleep(25)\n")

    async def cancelled(client: Client) -> Any:
        slow = asyncio.ensure_future(client.call_tool("run_python_file", {"file_path": "slow.py"}))
        while not (notes / "begun").exists():
            await asyncio.sleep(0.05)
        slow.cancel()
        until = time.monotonic() + 20  # the script that is being ended; it was for ever
        while (after := await client.call_tool("git_status", {})).is_error and time.monotonic() < until:
            await asyncio.sleep(0.05)
        return after

    after = talk(notes, cancelled)
    assert not after.is_error, after.content[0].text


def test_a_directory_that_is_not_there_is_one_sentence():
    command = [sys.executable, str(PROJECT / "doors/mcp_server.py"), "--workdir", "/gone"]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert ran.returncode == 1
    assert ran.stderr.startswith("Error: ")
    assert "Traceback" not in ran.stderr
