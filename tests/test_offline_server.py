"""The built-in model's server: nobody thinks on for a client that has left."""

from __future__ import annotations

import json
import socket
import threading

import pytest

from offline.wire import server

HANG = 30.0


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Event]:
    """A mind that thinks until it is told to stop: told when it has begun, and when it was."""
    began, stopped = threading.Event(), threading.Event()

    def decide(conversation: object, think: object, cancelled: threading.Event) -> server.Decision:
        began.set()
        if cancelled.wait(HANG):
            stopped.set()
        return server.Decision("")

    monkeypatch.setattr(server, "decide", decide)
    return began, stopped


def asked(address: str, path: str, body: dict[str, object]) -> socket.socket:
    """A connection on which a request is under way."""
    host, port = address.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), HANG)
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(data)}\r\n\r\n"
    connection.sendall(head.encode() + data)
    return connection


ASKED = {
    "chat completions, streamed": ("/v1/chat/completions", {"messages": [], "stream": True}),
    "chat completions": ("/v1/chat/completions", {"messages": []}),
    "generateContent, streamed": ("/v1beta/models/x:streamGenerateContent?alt=sse", {"contents": []}),
}


@pytest.mark.parametrize("request_", ASKED.values(), ids=ASKED)
def test_when_the_client_leaves_the_thinking_ends(thinking, request_: tuple[str, dict[str, object]]):
    began, stopped = thinking
    with server.serve() as address:
        connection = asked(address, *request_)
        assert began.wait(HANG)
        assert not stopped.is_set()
        connection.close()
        assert stopped.wait(HANG)


def test_when_the_server_closes_the_thinking_ends(thinking):
    began, stopped = thinking
    with server.serve() as address:
        connection = asked(address, *ASKED["chat completions, streamed"])
        assert began.wait(HANG)
    assert stopped.wait(HANG)
    connection.close()
