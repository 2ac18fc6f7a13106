"""An MCP server that refuses by an HTTP status: each is a sentence of its own with the next step, and the run goes on."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from reach.mcp_server import McpServer, ServerError, Surroundings
from reach.mcp_settings import ServerSettings
from reach.mcp_status import LONGEST_BODY, meaning

AROUND = Surroundings(
    {"PATH": os.defpath}, threading.Event(), lambda line: None, call_seconds=20.0, connect_seconds=20.0
)
SCHEMA = {"type": "object", "properties": {}}
TOKEN = {"Authorization": "Bearer of-the-tests"}

# status, headers and body of an answer; whether a token is sent; what the person or the model reads of it
REFUSALS = [
    (401, {"WWW-Authenticate": "Bearer"}, b"", {}, "HTTP 401, it wants to know who asks. Give its entry"),
    (401, {}, b"", TOKEN, "HTTP 401, it does not take the token in its headers. Put a new one into .env"),
    (403, {}, b"", TOKEN, "HTTP 403, who asks may not do this. Ask whoever runs it"),
    (429, {"Retry-After": "7"}, b"", {}, "HTTP 429, it is asked too often. Wait 7 seconds before the next call"),
    (429, {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"}, b"", {}, "Wait a minute before the next call"),
    (500, {"Content-Type": "text/plain"}, b"disk \x1b[31mfull\n", {}, "HTTP 500, it failed itself."),
    (503, {"Retry-After": "30"}, b"", {}, "HTTP 503, it failed itself. Whether anything was done is not known"),
]


class Refusing(BaseHTTPRequestHandler):
    """Speaks the protocol, of 2025-11-25, for as long as `server.refusal` is None; then answers just that."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.refusal:
            status, headers, said = self.server.refusal
            return self.answer(status, headers, said)
        if "id" not in body:
            return self.answer(202, {}, b"")
        about = {"protocolVersion": "2025-11-25", "serverInfo": {"name": "r", "version": "1"}}
        results = {
            "initialize": {**about, "capabilities": {"tools": {}}},
            "tools/list": {"tools": [{"name": "act", "inputSchema": SCHEMA}]},
            "tools/call": {"content": [{"type": "text", "text": "done"}]},
        }
        result = results.get(body["method"])
        reply = {"result": result} if result else {"error": {"code": -32601, "message": "unknown"}}
        said = json.dumps({"jsonrpc": "2.0", "id": body["id"], **reply}).encode()
        return self.answer(200, {"Content-Type": "application/json"}, said)

    def do_GET(self) -> None:
        self.answer(405, {}, b"")

    def do_DELETE(self) -> None:
        self.answer(405, {}, b"")

    def answer(self, status: int, headers: dict[str, str], said: bytes) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(said)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(said)
        if "Content-Length" in headers:  # more than is sent: the rest never comes
            self.server.over.wait(20)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def refusing(refusal: tuple[int, dict[str, str], bytes] | None = None) -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        server.refusal, server.over = refusal, threading.Event()
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.over.set()
        server.shutdown()


def settings(server: ThreadingHTTPServer, headers: dict[str, str]) -> ServerSettings:
    return ServerSettings("issues", url=f"http://127.0.0.1:{server.server_address[1]}/mcp", headers=headers)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("status", "headers", "body", "sent", "said"), REFUSALS)
def test_at_the_start_the_person_is_told_what_to_do(
    status: int, headers: dict[str, str], body: bytes, sent: dict[str, str], said: str
):
    with refusing((status, headers, body)) as server, pytest.raises(ServerError) as raised:
        McpServer(settings(server, sent), AROUND)
    assert str(raised.value).startswith("the MCP server issues cannot be used: HTTP")
    assert said in str(raised.value)
    assert "of-the-tests" not in str(raised.value)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("status", "headers", "body", "sent", "said"), REFUSALS)
def test_in_a_call_the_model_is_told_and_the_next_call_works(
    status: int, headers: dict[str, str], body: bytes, sent: dict[str, str], said: str
):
    with refusing() as server:
        opened = McpServer(settings(server, sent), AROUND)
        try:
            server.refusal = (status, headers, body)
            refused = opened.call(opened.tools[0], {})
            server.refusal = None
            after = opened.call(opened.tools[0], {})
        finally:
            opened.close()
    assert not refused.ok
    assert said in refused.text
    assert "\x1b" not in refused.text
    assert after == ("done", True)


def test_the_servers_own_words_stand_beside_the_sentence_where_they_are_short_and_plain():
    def told(kind: str, body: bytes) -> str:
        return meaning(500, {"content-type": kind}, with_token=False, body=body)

    assert told("text/plain; charset=utf-8", b"disk\n full").endswith("(it says: disk full)")
    error = json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "database is locked"}}).encode()
    assert told("application/json", error).endswith("(it says: database is locked)")
    assert told("application/json", b'{"error": "quota"}').endswith("(it says: quota)")
    for kind, body in (
        ("text/html", b"<h1>no</h1>"),
        ("application/json", b"[" * 100_000),
        ("application/json", b"{}"),
    ):
        assert "it says" not in told(kind, body)
    assert len(told("text/plain", b"x" * LONGEST_BODY * 2)) < 400


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("more", "body"),
    [({}, b"x" * 4 * LONGEST_BODY), ({"Content-Length": "1000"}, b"disk ")],
    ids=["larger than is read", "never whole"],
)
def test_a_body_that_is_too_large_or_never_comes_is_not_waited_for(more: dict[str, str], body: bytes):
    refusal = (500, {"Content-Type": "text/plain", **more}, body)
    with refusing(refusal) as server, pytest.raises(ServerError) as raised:
        McpServer(settings(server, {}), AROUND)
    assert "HTTP 500" in str(raised.value)
    assert len(str(raised.value)) < 500


def test_other_statuses_are_left_to_the_protocol():
    assert [status for status in range(200, 600) if meaning(status, {}, with_token=False)] == [
        401,
        403,
        429,
        *range(500, 600),
    ]
