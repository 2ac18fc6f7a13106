"""A server that answers at once, on both wires, from a script: what then takes time is the agent itself."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "zero-latency"
USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Script:
    """What the model does: `turns` messages of `calls` tool calls each, then the answer.

    `style` is what the agent's tools are called: "tools" (get_file_content, wait), "bash" (one tool that takes a
    command, and ends by one), "final_answer" (as "tools", and the answer is a tool call as well).
    """

    turns: int
    calls: int = 1
    style: str = "tools"
    waiting: bool = False  # each call takes 100 ms, instead of reading a small file

    def message(self, turn: int) -> tuple[str, list[Call]]:
        """The text and the calls of one message; `turn` counts from 0."""
        if turn < self.turns:
            return "", [self._call(turn * self.calls + number) for number in range(self.calls)]
        if self.style == "bash":
            return "", [("bash", {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"})]
        if self.style == "final_answer":
            return "", [("final_answer", {"answer": "Done."})]
        return "Done.", []

    def _call(self, number: int) -> Call:
        if self.style == "bash":
            return "bash", {"command": "sleep 0.1" if self.waiting else f"cat notes/{number}.txt"}
        if self.waiting:
            return "wait", {"number": number}
        return "get_file_content", {"file_path": f"notes/{number}.txt"}


@dataclass
class Seen:
    """What the server saw of each request to the model: when it came (monotonic clock), its length, when answered."""

    came: list[float] = field(default_factory=list)
    characters: list[int] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.seen = script, Seen()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is no news."""


@contextlib.contextmanager
def serve(script: Script) -> Iterator[tuple[str, Seen]]:
    """Yield the address and what is seen; one run of one agent per server."""
    with Server(script) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", server.seen
        finally:
            server.shutdown()


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        """What is of interest stands in `seen`."""

    def do_GET(self) -> None:
        known = self.path == "/v1/models"
        document = {"object": "list", "data": [{"id": MODEL, "object": "model"}]} if known else {"error": "not here"}
        self._send(200 if known else 404, "application/json", json.dumps(document).encode())

    def do_POST(self) -> None:
        seen = self.server.seen
        seen.came.append(time.monotonic())
        body = self.rfile.read(int(self.headers["Content-Length"]))
        seen.characters.append(len(body.decode()))
        turn = len(seen.came) - 1
        text, calls = self.server.script.message(turn)
        if "generateContent" in self.path or "streamGenerateContent" in self.path:
            streamed, document, end = "alt=sse" in self.path, gemini(text, calls), b""
        else:
            streamed = b'"stream":true' in body.replace(b" ", b"")
            document, end = openai(text, calls, turn, streamed=streamed), b"data: [DONE]\n\n"
        data = json.dumps(document).encode()
        if streamed:
            self._send(200, "text/event-stream", b"data: " + data + b"\n\n" + end)
        else:
            self._send(200, "application/json", data)
        seen.answered.append(time.monotonic())

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def openai(text: str, calls: list[Call], turn: int, *, streamed: bool) -> dict[str, Any]:
    """One chat completion, whole or as the one chunk of a stream."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {
                "index": index,
                "id": f"call_{turn}_{index}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for index, (name, arguments) in enumerate(calls)
        ]
    choice = {"index": 0, "delta" if streamed else "message": message, "finish_reason": "stop"}
    if calls:
        choice["finish_reason"] = "tool_calls"
    kind = "chat.completion.chunk" if streamed else "chat.completion"
    return {"id": f"reply-{turn}", "object": kind, "created": 1, "model": MODEL, "choices": [choice], "usage": USAGE}


def gemini(text: str, calls: list[Call]) -> dict[str, Any]:
    """One generateContent reply, which looks the same streamed."""
    parts: list[dict[str, Any]] = [{"text": text}] if text else []
    parts += [{"functionCall": {"name": name, "args": arguments}} for name, arguments in calls]
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    return {"candidates": [candidate], "usageMetadata": usage}
