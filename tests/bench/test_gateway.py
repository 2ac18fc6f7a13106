"""The gateway: a provider's limits are held over all who ask, a pause is shared, and its key stays where it was."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from bench.many.gateway import gateway
from bench.many.pace import Pace
from config import ConfigError, Settings

CHUNKS = (
    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}]},
    {"choices": [], "usage": {"prompt_tokens": 290, "completion_tokens": 10, "total_tokens": 300}},
)
HEAD = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m"}
REPLY = b"".join(f"data: {json.dumps({**HEAD, **each})}\n\n".encode() for each in CHUNKS) + b"data: [DONE]\n\n"


class Provider(ThreadingHTTPServer):
    """Counts by its own clock how many requests came, and answers 429 to those past what it allows in a window, and to
    the first `refusals`."""

    daemon_threads = True

    def __init__(self, allowed: int, window: float, refusals: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.allowed, self.window, self.refusals = allowed, window, refusals
        self.came: list[float] = []
        self.keys: set[str] = set()
        self.refused = 0
        self.lock = threading.Lock()

    @property
    def most(self) -> int:
        """The most requests that came within any window."""
        return max((sum(began <= each < began + self.window for each in self.came) for began in self.came), default=0)


class Handler(BaseHTTPRequestHandler):
    server: Provider
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None: ...

    def do_GET(self) -> None:
        self.answer(200, json.dumps({"data": [{"id": "m"}]}).encode())

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(200, REPLY)

    def answer(self, status: int, body: bytes) -> None:
        with self.server.lock:
            now = time.monotonic()
            self.server.keys.add(self.headers["Authorization"])
            recent = sum(each > now - self.server.window for each in self.server.came)
            self.server.came.append(now)
            if recent >= self.server.allowed or self.server.refusals:
                self.server.refusals = max(0, self.server.refusals - 1)
                self.server.refused += 1
                status, body = 429, b"{}"
        self.send_response(status)
        self.send_header("Content-Type", "text/event-stream" if body is REPLY else "application/json")
        if status == 429:
            self.send_header("Retry-After", "0.4")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(params=[{"allowed": 1000, "window": 1.0}])
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    server = Provider(**request.param)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def settings(provider: Provider) -> Settings:
    return Settings(lmstudio_base_url=f"http://127.0.0.1:{provider.server_address[1]}/v1", lmstudio_api_key="the-key")


def ask(environment: dict[str, str], key: str = "", said: str = "") -> httpx2.Response:
    headers = {"Authorization": f"Bearer {key or environment['LMSTUDIO_API_KEY']}"}
    body = {"said": said} if said else {}
    return httpx2.post(f"{environment['LMSTUDIO_BASE_URL']}/chat/completions", json=body, headers=headers, timeout=60)


@pytest.mark.parametrize("provider", [{"allowed": 8, "window": 0.4}], indirect=True)
def test_a_provider_is_never_asked_more_often_than_it_allows_by_its_own_count(provider: Provider):
    with (
        gateway(settings(provider), "lmstudio", Pace(8, window=0.4)) as environment,
        ThreadPoolExecutor(8) as several,
    ):
        replies = list(several.map(lambda _: ask(environment), range(20)))
    assert [reply.status_code for reply in replies] == [200] * 20
    assert replies[0].content == REPLY
    assert (provider.refused, len(provider.came)) == (0, 20)
    assert provider.most <= 8
    assert provider.keys == {"Bearer the-key"}


@pytest.mark.parametrize("provider", [{"allowed": 100, "window": 1.0, "refusals": 1}], indirect=True)
def test_when_the_provider_asks_for_a_pause_all_pause_and_no_run_hears_of_it(provider: Provider):
    with gateway(settings(provider), "lmstudio", Pace(100)) as environment, ThreadPoolExecutor(4) as several:
        assert ask(environment).status_code == 200  # refused once, asked again after the pause
        provider.refusals = 1
        first = several.submit(ask, environment)
        while provider.refusals:
            time.sleep(0.005)
        others = [several.submit(ask, environment) for _ in range(3)]
        assert {each.result().status_code for each in (first, *others)} == {200}
    after = provider.came[-4:]
    refused = provider.came[-5]
    assert all(each - refused >= 0.35 for each in after)


def test_tokens_of_a_minute_are_those_that_the_replies_tell():
    pace, began = Pace(0, tokens=500, window=0.3), time.monotonic()
    for _ in range(3):
        with pace.turn(100) as turn:
            turn.tokens = 300
    assert time.monotonic() - began >= 0.25  # the second waits for the first to lie a window back


@pytest.mark.parametrize("provider", [{"allowed": 100, "window": 1.0}], indirect=True)
def test_whoever_does_not_belong_to_the_batch_is_not_served_and_lists_are_fetched_once(provider: Provider):
    with gateway(settings(provider), "lmstudio", Pace(100)) as environment:
        assert ask(environment, "somebody").status_code == 401
        assert not provider.came
        headers = {"Authorization": f"Bearer {environment['LMSTUDIO_API_KEY']}"}
        for _ in range(3):
            assert httpx2.get(f"{environment['LMSTUDIO_BASE_URL']}/models", headers=headers).json()["data"]
    assert len(provider.came) == 1


def raw(environment: dict[str, str], line: str) -> int:
    """Send a request line as it is; return the status."""
    base = urlsplit(environment["LMSTUDIO_BASE_URL"])
    with socket.create_connection((base.hostname, base.port), timeout=10) as connection:
        head = f"{line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {environment['LMSTUDIO_API_KEY']}\r\n"
        connection.sendall(f"{head}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
        return int(connection.makefile("rb").readline().split()[1])


def test_it_forwards_to_the_paths_of_a_run_alone_and_no_worker_gets_the_key_elsewhere(provider: Provider):
    other = Provider(1000, 1.0)
    threading.Thread(target=other.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    elsewhere = f"127.0.0.1:{other.server_address[1]}"
    try:
        with gateway(settings(provider), "lmstudio", Pace(100)) as environment:
            for path in (
                f"@{elsewhere}/stolen",
                f".{elsewhere}/v1/models",
                f"http://{elsewhere}/v1/models",
                f"//{elsewhere}/v1/models",
                f"/v1/../../{elsewhere}/v1/models",
                "/v1/files",
                "/v1/models/../admin",
                "/v1/chat/completions/",
            ):
                for method in ("GET", "POST"):
                    assert raw(environment, f"{method} {path}") == 404, path
            assert raw(environment, "POST /v1/models") == 404
            assert not provider.came
            assert not other.came
            assert raw(environment, "GET /v1/models") == 200
            assert raw(environment, "GET /api/v0/models") == 200
            assert raw(environment, "POST /v1/chat/completions") == 200
    finally:
        other.shutdown()
        other.server_close()


def test_the_paths_of_gemini_are_those_that_its_sdk_asks_for():
    from bench.many.gateway import Gateway

    server = Gateway("127.0.0.1", "https://example.com", "k", Pace(1), "gemini")
    try:
        assert server.paths["POST"].fullmatch("/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse")
        assert not server.paths["POST"].fullmatch("/v1beta/files")
        assert not server.paths["GET"].fullmatch("@evil.example/v1beta/models")
    finally:
        server.server_close()


def test_a_body_that_is_too_large_is_refused_unread(provider: Provider):
    with gateway(settings(provider), "lmstudio", Pace(100)) as environment:
        base = urlsplit(environment["LMSTUDIO_BASE_URL"])
        with socket.create_connection((base.hostname, base.port), timeout=10) as connection:
            head = f"POST /v1/chat/completions HTTP/1.1\r\nAuthorization: Bearer {environment['LMSTUDIO_API_KEY']}\r\n"
            connection.sendall(f"{head}Content-Length: 99999999999\r\n\r\n".encode())
            assert b" 413 " in connection.makefile("rb").readline()
    assert not provider.came


def test_the_same_request_gets_the_reply_that_it_got_before_where_replies_are_remembered(provider: Provider):
    with gateway(settings(provider), "lmstudio", Pace(0), remembers=True) as environment:
        replies = [ask(environment, said=each) for each in ("9 passed in 0.03 s", "9 passed in 0.1 s", "8 passed")]
    assert [reply.content for reply in replies] == [REPLY] * 3
    assert [reply.headers["content-type"] for reply in replies] == ["text/event-stream"] * 3
    assert len(provider.came) == 2  # the second differs by what a clock wrote


@pytest.mark.parametrize("provider", [{"allowed": 0, "window": 60.0}], indirect=True)
def test_a_failure_is_never_remembered(provider: Provider, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bench.many.gateway.TRIES", 1)
    with gateway(settings(provider), "lmstudio", Pace(0), remembers=True) as environment:
        replies = [ask(environment) for _ in range(2)]
    assert [reply.status_code for reply in replies] == [429, 429]
    assert len(provider.came) == 2


def test_without_remembering_each_request_is_asked(provider: Provider):
    with gateway(settings(provider), "lmstudio", Pace(0)) as environment:
        assert [ask(environment).status_code for _ in range(2)] == [200, 200]
    assert len(provider.came) == 2


def test_a_provider_without_limits_is_said(tmp_path: Path):
    with pytest.raises(ConfigError, match="offline has no limits"), gateway(Settings(), "offline", Pace(1)):
        pass
