"""A server on both wires that says what a test tells it to, and keeps every request."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[str, Sequence[tuple[str, dict[str, Any]]]]  # a text, and calls as name and arguments


class Scripted:
    """`address` is where it listens; `requests` are the bodies it got, in order."""

    def __init__(self, replies: Sequence[Reply], before_reply: Callable[[int], None] = lambda number: None) -> None:
        self.replies, self.before_reply = list(replies), before_reply
        self.requests: list[dict[str, Any]] = []
        self.address = ""

    def environment(self, provider: str) -> dict[str, str]:
        if provider == "gemini":
            return {
                "LLM_PROVIDER": "gemini",
                "GEMINI_API_KEY": "a-secret-key-of-google",
                "GEMINI_BASE_URL": self.address,
            }
        key = {"LMSTUDIO_API_KEY": "a-secret-key-of-mine"}
        return {"LLM_PROVIDER": "lmstudio", "LMSTUDIO_BASE_URL": f"{self.address}/v1", **key}

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        number = len(self.requests)
        self.requests.append(json.loads(json.dumps(body)))
        self.before_reply(number)
        text, calls = self.replies[min(number, len(self.replies) - 1)]
        return gemini_chunk(text, calls, number) if "contents" in body else openai_chunk(text, calls, number)


def openai_chunk(text: str, calls: Sequence[tuple[str, dict[str, Any]]], number: int) -> dict[str, Any]:
    delta: dict[str, Any] = {"role": "assistant", "content": text}
    delta["tool_calls"] = [
        {"index": i, "id": f"id-{number}-{i}", "type": "function", "function": {"name": n, "arguments": json.dumps(a)}}
        for i, (n, a) in enumerate(calls)
    ]
    choice = {"index": 0, "delta": delta, "finish_reason": "tool_calls" if calls else "stop"}
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
    head = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    return {**head, "choices": [choice], "usage": usage}


def gemini_chunk(text: str, calls: Sequence[tuple[str, dict[str, Any]]], number: int) -> dict[str, Any]:
    signed = [
        {"functionCall": {"name": n, "args": a}, "thoughtSignature": f"c2lnbmF0dXJl{number}{i}A="}
        for i, (n, a) in enumerate(calls)
    ]
    candidate = {"content": {"role": "model", "parts": [*([{"text": text}] if text else []), *signed]}, "index": 0}
    return {
        "candidates": [{**candidate, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 2, "totalTokenCount": 12},
    }


@contextlib.contextmanager
def scripted(*replies: Reply, before_reply: Callable[[int], None] = lambda number: None) -> Iterator[Scripted]:
    """Serve until the block ends; after the last reply it is repeated."""
    script = Scripted(replies, before_reply)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            self.send({"object": "list", "data": [{"id": "scripted", "object": "model"}]}, "application/json")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send(script.answer(body), "text/event-stream")

        def send(self, document: dict[str, Any], kind: str) -> None:
            data = json.dumps(document).encode()
            data = b"data: " + data + b"\n\n" if kind == "text/event-stream" else data
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    script.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
