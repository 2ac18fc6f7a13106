"""A server that misbehaves by script: real HTTP on loopback, both wires, every request recorded.

A script is a list of steps, one for each request; the last one is repeated. `say`, `call`, `fail` and the others make a
step that means the same on both wires; `events` sends what one wire alone can say.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

OPENAI, GEMINI = "openai", "gemini"
MODEL = "scripted-model"
ABSENT = object()


@dataclass(frozen=True)
class Call:
    """A call that the scripted model makes. Arguments may be data, or text that goes over the wire as it is."""

    name: str
    arguments: Any = field(default_factory=dict)
    id: Any = ABSENT

    def openai(self, index: int, minted: str) -> dict[str, Any]:
        arguments = self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)
        given = {"id": minted} if self.id is ABSENT else {} if self.id == "missing" else {"id": self.id}
        return {
            "index": index,
            **given,
            "type": "function",
            "function": {"name": self.name, "arguments": arguments},
        }

    def gemini(self) -> dict[str, Any]:
        given = {} if self.id in (ABSENT, "missing") else {"id": self.id}
        return {"functionCall": {**given, "name": self.name, "args": self.arguments}}


@dataclass(frozen=True)
class Step:
    """What one request gets: events of a stream for each wire, or one document with a status."""

    events: dict[str, list[Any]] = field(default_factory=dict)
    document: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    ending: str = "whole"  # or "drop", "stall", "close" (no framing, the connection just ends), "hold" (until told)


def say(text: str, *, thought: str = "", finish: str = "stop", usage: Any = (100, 10)) -> Step:
    return call(text=text, thought=thought, finish=finish, usage=usage)


def call(*calls: Call, text: str = "", thought: str = "", finish: str | None = None, usage: Any = (100, 10)) -> Step:
    """A reply with text, thoughts and calls; `finish` in OpenAI's words."""
    finish = finish if finish is not None else "tool_calls" if calls else "stop"
    return Step({OPENAI: openai_events(calls, text, thought, finish, usage),
                 GEMINI: gemini_events(calls, text, thought, finish, usage)})  # fmt: skip


def openai_events(calls: Sequence[Call], text: str, thought: str, finish: str, usage: Any) -> list[Any]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": thought}] if thought else []
    deltas += [{"content": piece} for piece in text.splitlines(keepends=True)]
    deltas += [{"tool_calls": [each.openai(index, f"id_{index}")]} for index, each in enumerate(calls)]
    chunks = [chunk(delta) for delta in deltas] + [chunk({}, finish)]
    if usage:
        counted = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        chunks.append({**chunk({}), "choices": [], "usage": counted})
    return [*chunks, "[DONE]"]


def chunk(delta: Any, finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": MODEL, "choices": [choice]}


def gemini_events(calls: Sequence[Call], text: str, thought: str, finish: str, usage: Any) -> list[Any]:
    parts: list[dict[str, Any]] = [{"text": thought, "thought": True}] if thought else []
    parts += [{"text": piece} for piece in text.splitlines(keepends=True)]
    parts += [each.gemini() for each in calls]
    last = {"length": "MAX_TOKENS"}.get(finish, "STOP")
    chunks = [candidate([part]) for part in parts] or [candidate([])]
    if finish:
        chunks[-1]["candidates"][0]["finishReason"] = last
    if usage:
        chunks[-1]["usageMetadata"] = {
            "promptTokenCount": usage[0],
            "candidatesTokenCount": usage[1],
            "totalTokenCount": sum(usage),
        }
    return chunks


def candidate(parts: list[Any], finish: str | None = None) -> dict[str, Any]:
    reason = {"finishReason": finish} if finish else {}
    return {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0, **reason}]}


def events(**by_wire: list[Any]) -> Step:
    """A stream in one wire's own words; an event that is a text is sent as it is."""
    return Step(dict(by_wire))


def document(body: Any, content_type: str = "application/json", status: int = 200, **headers: str) -> Step:
    return Step(document=body, status=status, headers={"Content-Type": content_type, **headers})


def fail(status: int, message: str, details: Sequence[Any] = (), **headers: str) -> Step:
    """An error in the shape that both wires share: `{"error": {"code", "message", "status", "details"}}`."""
    error = {"code": status, "message": message, "status": "FAILED", "details": list(details)}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return document({"error": error}, status=status, **named)


def ends(step: Step, ending: str, keep: int | None = None) -> Step:
    """The same step, which ends another way, after its first `keep` events."""
    kept = {wire: sent[:keep] if keep is not None else sent for wire, sent in step.events.items()}
    return replace(step, events=kept, ending=ending)


class FaultServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, script: Sequence[Step], native: dict[str, Any] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.native = list(script), native or {}
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.arrived = threading.Condition()
        self.closing = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next_step(self, path: str, body: dict[str, Any]) -> Step:
        with self.arrived:
            step = self.script[min(len(self.requests), len(self.script) - 1)]
            self.requests.append(body)
            self.paths.append(path)
            self.arrived.notify_all()
            return step

    def wait_for_requests(self, number: int, seconds: float = 60.0) -> None:
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.requests) >= number, seconds), "no such request came"

    def handle_error(self, *_: Any) -> None:
        """A client that goes away is what some scripts are about."""


@contextlib.contextmanager
def serving(*script: Step, native: dict[str, Any] | None = None) -> Iterator[FaultServer]:
    server = FaultServer(script, native)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()


class Handler(BaseHTTPRequestHandler):
    server: FaultServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None: ...

    def do_GET(self) -> None:
        body = {"/v1/models": {"object": "list", "data": [{"id": MODEL}]}, **self.server.native}.get(self.path)
        self.send_document(
            document(body if body is not None else {"error": "nothing here"}, status=200 if body else 404)
        )

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        wire = OPENAI if self.path.startswith("/v1/chat") else GEMINI
        step = self.server.next_step(self.path, body)
        if step.document is not None:
            return self.send_document(step)
        self.send_response(step.status)
        self.send_header("Content-Type", "text/event-stream")
        framed = step.ending != "close"
        self.send_header(*(("Transfer-Encoding", "chunked") if framed else ("Connection", "close")))
        self.end_headers()
        for event in step.events.get(wire, []):
            self.send_event(event if isinstance(event, str) else json.dumps(event), framed)
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

    def send_event(self, text: str, framed: bool) -> None:
        event = f"data: {text}\n\n".encode("utf-8", "surrogatepass")
        self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n" if framed else event)
        self.wfile.flush()

    def send_document(self, step: Step) -> None:
        body = step.document if isinstance(step.document, bytes) else json.dumps(step.document).encode()
        self.send_response(step.status)
        for name, value in step.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
