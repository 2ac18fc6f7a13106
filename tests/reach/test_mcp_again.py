"""A server that ends, or forgets its session, in the middle of a run: it is begun again, and the model is told."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reach import mcp_server
from reach.mcp_server import McpServer, Surroundings
from reach.mcp_settings import ServerSettings

HOSTILE = Path(__file__).with_name("hostile_mcp_server.py")


@contextmanager
def server(fault: str, told: list[str], url: str = "") -> Iterator[McpServer]:
    around = Surroundings({"PATH": os.defpath}, threading.Event(), told.append, 20, 20)
    settings = ServerSettings("it", url=url) if url else ServerSettings("it", sys.executable, (str(HOSTILE), fault))
    opened = McpServer(settings, around)
    try:
        yield opened
    finally:
        opened.close()


def test_a_server_that_died_is_started_again_before_the_next_call_and_the_call_that_died_is_not_made_twice():
    told: list[str] = []
    with server("dies in its second call", told) as it:
        changed = threading.Event()
        it.follow(changed.set)
        [tool] = it.tools
        assert it.call(tool, {}).text == "done"
        died = it.call(tool, {})
        assert not died.ok
        assert "the server it ended" in died.text
        again = it.call(tool, {})
        assert again.ok
        assert again.text.startswith("[the server it was begun again before this call: ")
        assert again.text.endswith("What it held in memory is gone]\ndone")
        assert not changed.is_set(), "its list is the same"
        assert [line for line in told if line.startswith("MCP server it is begun again: ")] == told


def test_one_that_dies_again_and_again_is_left_and_one_that_was_closed_stays_closed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mcp_server, "MOST_RESTARTS", 1)
    with server("dies in a call", []) as it:
        [tool] = it.tools
        answers = [it.call(tool, {}) for _ in range(3)]
        assert not any(answer.ok for answer in answers)
        assert answers[1].text.startswith("[the server it was begun again")
        assert answers[2].text.startswith("the server it is not there any more: ")
    with server("", told := []) as it:
        [tool] = it.tools
        it.close()
        assert it.call(tool, {}).text == "the server it is not there any more: it was closed"
        assert told == []


def test_several_calls_at_once_start_a_server_that_died_once():
    with server("dies in its second call", told := []) as it:
        [tool] = it.tools
        it.call(tool, {})
        it.call(tool, {})
        threads = [threading.Thread(target=it.call, args=(tool, {})) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(told) == 1


@contextmanager
def listening(fault: str) -> Iterator[str]:
    """The address of a server over HTTP that misbehaves so."""
    command = [sys.executable, str(HOSTILE), fault, "--http"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout
            yield process.stdout.readline().decode().strip()
        finally:
            process.kill()


def test_a_session_that_a_server_has_forgotten_is_begun_anew():
    with listening("forgets its session") as url, server("", [], url) as it:
        [tool] = it.tools
        assert it.call(tool, {}).text == "done"
        forgotten = it.call(tool, {})
        assert (
            forgotten.text == "act was not done: it had forgotten the session. Make the call again: a new one is begun"
        )
        assert it.call(tool, {}).text.endswith("gone]\ndone")


def test_what_does_nothing_is_asked_again_where_a_kept_connection_was_closed_and_no_call_is_made_twice():
    with listening("hangs up on a kept connection") as url, server("", [], url) as it:
        [tool] = it.tools
        answers = {it.call(tool, {}).text for _ in range(4)}
        assert "done" in answers
        assert all(text == "done" or "no answer (Server disconnected" in text for text in answers)
