"""The built-in model's server: nobody thinks on for a client that has left."""

from __future__ import annotations

import json
import socket
import threading

import pytest

from offline.wire.conversation import Decision
from offline.wire.server import serve

HANG = 30.0


class Mind:
    """Thinks until it is told to stop; tells when it has begun, and that it was stopped."""

    def __init__(self) -> None:
        self.began, self.stopped = threading.Event(), threading.Event()

    def __call__(self, conversation: object, think: object, cancelled: threading.Event) -> Decision:
        self.began.set()
        if cancelled.wait(HANG):
            self.stopped.set()
        return Decision("")


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
def test_when_the_client_leaves_the_thinking_ends(request_: tuple[str, dict[str, object]]):
    mind = Mind()
    with serve(decide=mind) as address:
        connection = asked(address, *request_)
        assert mind.began.wait(HANG)
        assert not mind.stopped.is_set()
        connection.close()
        assert mind.stopped.wait(HANG)


def test_when_the_server_closes_the_thinking_ends():
    mind = Mind()
    with serve(decide=mind) as address:
        connection = asked(address, *ASKED["chat completions, streamed"])
        assert mind.began.wait(HANG)
    assert mind.stopped.wait(HANG)
    connection.close()
