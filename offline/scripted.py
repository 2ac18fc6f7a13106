"""A scripted model behind real HTTP on the loopback interface, on both wires, with every request recorded. It says what
its script says, and misbehaves where the script says so. The lessons, the bench and the tests are its users.

A script is a list of steps, one for each request, of which the last is repeated; or a function that is given the wire
and the request's body.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from offline.background import in_background
from offline.script import GEMINI, MODEL, OPENAI, Script, Step, document, whole


class ScriptedServer(ThreadingHTTPServer):
    """`requests` are the bodies that came, `paths` where to, `came` and `answered` when (seconds of the monotonic
    clock), `sizes` their lengths in characters. `native` holds further documents by path."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128  # many clients may come at once

    def __init__(self, script: Script, native: dict[str, Any] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.native = script, native or {}
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.came: list[float] = []
        self.answered: list[float] = []
        self.sizes: list[int] = []
        self.arrived = threading.Condition()
        self.closing = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next_step(self, path: str, wire: str, body: dict[str, Any]) -> Step:
        with self.arrived:
            number = len(self.requests)
            self.requests.append(body)
            self.paths.append(path)
            self.arrived.notify_all()
        return self.script(wire, body) if callable(self.script) else self.script[min(number, len(self.script) - 1)]

    def wait_for_requests(self, number: int, seconds: float = 60.0) -> None:
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.requests) >= number, seconds), "no such request came"

    def handle_error(self, *_: Any) -> None:
        """A client that goes away is what some scripts are about."""


@contextlib.contextmanager
def serving(*steps: Step, script: Script = (), native: dict[str, Any] | None = None) -> Iterator[ScriptedServer]:
    """Serve these steps, or a script, until the block ends."""
    server = ScriptedServer(steps or script, native)
    with in_background(server):
        yield server


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: ScriptedServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        """The record of requests is the log."""

    def do_GET(self) -> None:
        body = {"/v1/models": {"object": "list", "data": [{"id": MODEL}]}, **self.server.native}.get(self.path)
        self.send_document(
            document(body if body is not None else {"error": "nothing here"}, status=200 if body else 404)
        )

    def do_POST(self) -> None:
        self.server.came.append(time.monotonic())
        data = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.sizes.append(len(data.decode()))
        body = json.loads(data)
        wire = OPENAI if self.path.startswith("/v1/chat") else GEMINI
        step = self.server.next_step(self.path, wire, body)
        streamed = body.get("stream") if wire == OPENAI else "streamGenerateContent" in self.path
        if step.document is None and not streamed:
            step = whole(step, wire)
        self.send(step, wire, counts="stream_options" in body)
        self.server.answered.append(time.monotonic())

    def send(self, step: Step, wire: str, *, counts: bool) -> None:
        if step.document is not None:
            return self.send_document(step)
        self.send_response(step.status)
        self.send_header("Content-Type", "text/event-stream")
        framed = step.ending != "close"
        self.send_header(*(("Transfer-Encoding", "chunked") if framed else ("Connection", "close")))
        self.end_headers()
        # A chunk without choices comes to those alone who asked for the usage: others read choices[0] of every one.
        sent = [event for event in step.events.get(wire, []) if counts or event_is_for_all(event)]
        texts = (event if isinstance(event, str) else json.dumps(event) for event in sent)
        self.wfile.write(b"".join(framed_event(text, framed) for text in texts))
        self.wfile.flush()
        return self.finish_as(step.ending)

    def finish_as(self, ending: str) -> None:
        if ending == "whole":
            self.wfile.write(b"0\r\n\r\n")
            return
        if ending == "stall":
            self.server.closing.wait()
        if ending == "drop":  # a reset, not a polite end
            self.wfile.flush()
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        self.close_connection = True

    def send_document(self, step: Step) -> None:
        body = step.document if isinstance(step.document, bytes) else json.dumps(step.document).encode()
        self.send_response(step.status)
        for name, value in step.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def event_is_for_all(event: Any) -> bool:
    return not isinstance(event, dict) or event.get("choices") != []


def framed_event(text: str, framed: bool) -> bytes:
    event = f"data: {text}\n\n".encode("utf-8", "surrogatepass")
    return f"{len(event):x}\r\n".encode() + event + b"\r\n" if framed else event
