"""The built-in model's server: HTTP on the loopback interface, in both dialects that the agent speaks.

The agent meets it as it meets LM Studio and Google: through their SDKs, over real HTTP.
"""

from __future__ import annotations

import contextlib
import json
import queue
import re
import select
import socket
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from offline import minds
from offline.background import in_background
from offline.wire import gemini as wire_gemini
from offline.wire import openai as wire_openai
from offline.wire.conversation import Conversation, Decision

LARGEST_BODY = 64 * 2**20  # bytes
MODELS = re.compile(r"(?:/v1(?:beta|alpha)?)?/models/?(?P<name>.*)")
LOOK_SECONDS = 0.1  # between two looks whether the client is still there


class Server(ThreadingHTTPServer):
    """Serves until it is closed; closing it ends the thinking that is under way."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int = 0, decide: minds.Decide = minds.decide) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.decide = decide
        self.closing = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away in the middle is no news."""


@contextlib.contextmanager
def serve(port: int = 0, decide: minds.Decide = minds.decide) -> Iterator[str]:
    """Serve in the background (port 0: any free one) and yield the address. `decide` says what comes next: the minds,
    or a script. Raises OSError when the port is taken."""
    server = Server(port, decide)
    with in_background(server):
        yield server.address


def wire_of(path: str, headers: Mapping[str, str]) -> ModuleType:
    """Whose words an answer at this address is in. google-genai's own version is v1 by now, which OpenAI's is too: then
    the headers tell."""
    is_gemini = path.startswith(("/v1beta/", "/v1alpha/")) or ":" in path
    return wire_gemini if is_gemini or any(name.lower().startswith("x-goog-") for name in headers) else wire_openai


def tokens_in(body: dict[str, Any]) -> int:
    """Estimated at four characters a token."""
    return len(json.dumps(body, ensure_ascii=False)) // 4


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        """The agent's own record is the log."""

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        wire, asked = wire_of(path, self.headers), MODELS.fullmatch(path)
        if asked and not asked["name"]:
            self.send_json(200, wire.models())
        elif asked and asked["name"] == wire_openai.MODEL:
            self.send_json(200, wire.model())
        else:
            self.send_error(404, f"there is nothing at {path}. The model is {wire_openai.MODEL}.")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """An error in the words of the wire, whatever it is about."""
        wire = wire_of(getattr(self, "path", ""), getattr(self, "headers", None) or {})
        self.send_json(code, wire.error(code, message or self.responses[code][0]))

    def do_POST(self) -> None:
        url = urlsplit(self.path)
        body = self.read_body()
        if url.path == "/v1/chat/completions":
            self.answer(wire_openai, body, streamed=isinstance(body, dict) and bool(body.get("stream")))
        elif url.path.endswith((":generateContent", ":streamGenerateContent")):
            streamed = parse_qs(url.query).get("alt") == ["sse"] and url.path.endswith(":streamGenerateContent")
            self.answer(wire_gemini, body, streamed=streamed)
        elif url.path.endswith(":countTokens") and isinstance(body, dict):
            self.send_json(200, {"totalTokens": tokens_in(body)})
        elif url.path.endswith(":countTokens"):
            self.send_error(400, "the body must be a JSON object")
        else:
            self.send_error(404, f"there is nothing at {url.path}; chat completions and generateContent are served")

    def read_body(self) -> Any:
        """Return the request's JSON, or None when it is none (or too large to be one)."""
        length = self.headers.get("Content-Length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            self.close_connection = True
            return None
        try:
            return json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            return None

    def answer(self, wire: ModuleType, body: Any, *, streamed: bool) -> None:
        """Read the conversation, think, send the decision."""
        try:
            if not isinstance(body, dict):
                raise ValueError("the body must be a JSON object")
            wanted, conversation = wire.wanted(body), wire.read_request(body)
        except (ValueError, TypeError, KeyError, AttributeError) as problem:
            return self.send_json(400, wire.error(400, str(problem)))
        prompt_tokens, thoughts = tokens_in(body), self.think(conversation)
        if wanted.must_call or not streamed:
            try:
                decision = wanted.of(next(step for step in thoughts if isinstance(step, Decision)))
            except ValueError as problem:
                return self.send_json(400, wire.error(400, str(problem)))
            if not streamed:
                return self.send_json(200, wire.reply(decision, prompt_tokens))
            thoughts = iter([decision])
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for step in thoughts:
            decided = isinstance(step, Decision) and wire.chunks(wanted.of(step), prompt_tokens, counted=wanted.counted)
            pieces = decided or [wire.thought(step)]
            for piece in pieces:
                self.send_event(json.dumps(piece, ensure_ascii=False))
        if wire is wire_openai:
            self.send_event("[DONE]")
        self.wfile.write(b"0\r\n\r\n")
        return None

    def think(self, conversation: Conversation) -> Iterator[str | Decision]:
        """Yield lines of thought and at last the decision. Ends the thinking when the client or the server goes."""
        steps: queue.Queue[str | Decision | Exception] = queue.Queue()
        cancelled = threading.Event()

        def think() -> None:
            try:
                steps.put(self.server.decide(conversation, steps.put, cancelled))
            except Exception as error:  # a defect here must reach the client as one, not as a silence
                steps.put(error)

        threading.Thread(target=think, daemon=True).start()
        try:
            while True:
                try:
                    step = steps.get(timeout=LOOK_SECONDS)
                except queue.Empty:
                    if self.server.closing.is_set() or self.client_left():
                        raise ConnectionAbortedError from None
                    continue
                if isinstance(step, Exception):
                    raise step
                yield step
                if isinstance(step, Decision):
                    return
        finally:
            cancelled.set()

    def client_left(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and self.connection.recv(1, socket.MSG_PEEK) == b""

    def send_event(self, data: str) -> None:
        event = f"data: {data}\n\n".encode("utf-8", "replace")
        self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        self.wfile.flush()

    def send_json(self, status: int, document: dict[str, Any]) -> None:
        data = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
