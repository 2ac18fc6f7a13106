"""The gateway: every request of a batch to its provider goes through one place, so that the provider's limits are held
over all workers together, and when it asks for a pause, all of them pause. The provider's key stays here as well.

With `--remember` a request that was answered in this batch is answered in the same way again. So runs that differ in
one part are alike until that part acts: what is compared is the part, not the model's chance (common random numbers).
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import re
import secrets
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from bench.many.pace import Pace
from config import PROVIDERS, ConfigError, Settings, load_settings

TRIES = 6  # of one request, while the provider asks for pauses
STALLED_SECONDS = 600.0  # between two pieces of a reply
PAUSING = (429, 503)
PASSED_ON = ("content-type", "accept", "user-agent", "x-goog-api-client")  # of the headers, to the provider
LARGEST_BODY = 64 * 2**20  # bytes of a request
# What a run asks for, below the provider's address: nothing else is forwarded, whatever the path says of another host.
MODEL = r"[\w.-]+(?:/[\w.-]+)?"
PATHS = {
    ("lmstudio", "GET"): r"{base}/models|{above}/api/v[01]/models",
    ("lmstudio", "POST"): r"{base}/chat/completions",
    ("gemini", "GET"): rf"{{base}}/v1(?:alpha|beta)?/models(?:/{MODEL})?",
    ("gemini", "POST"): rf"{{base}}/v1(?:alpha|beta)?/{MODEL}:(?:streamGenerateContent|generateContent|countTokens)",
}
QUERY = r"(?:\?[\w=&.-]*)?"
TOKENS = re.compile(rb'"(?:total_tokens|totalTokenCount)"\s*:\s*(\d+)')
TAIL = 4096  # bytes of a reply in which its usage is looked for
CLOCK = re.compile(rb"\b\d+\.\d+ ?s\b")  # how long tests took: it differs each time, and makes no other request


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add what a batch that asks a provider can be told."""
    add = parser.add_argument_group("the provider's limits, over all workers together").add_argument
    add("--requests-a-minute", type=int, default=0, metavar="N", help="never ask more often (default 0: no limit)")
    add("--tokens-a-minute", type=int, default=0, metavar="N", help="never more tokens (default 0: no limit)")
    add("--remember", action="store_true", help="the same request gets the reply that it got before in this batch")


@contextlib.contextmanager
def limits_held(options: argparse.Namespace) -> Iterator[dict[str, str]]:
    """Yield the environment in which the runs of a batch are made: with limits, one that sends them through here."""
    if not options.requests_a_minute and not options.tokens_a_minute and not options.remember:
        yield {}
        return
    pace = Pace(options.requests_a_minute, options.tokens_a_minute)
    reach = options.cluster or ""
    with gateway(load_settings(), options.provider, pace, reach, remembers=options.remember) as environment:
        yield environment


@contextlib.contextmanager
def gateway(
    settings: Settings, provider: str, pace: Pace, reach: str = "", *, remembers: bool = False
) -> Iterator[dict[str, str]]:
    """Serve until the block ends; yield the environment that sends an agent here. `reach` is an address to which the
    workers have a way (a scheduler's), "" when they are on this machine. Raises ConfigError for a provider that is not
    asked over a wire."""
    if provider not in ("lmstudio", "gemini"):
        raise ConfigError(
            f"{provider} has no limits to hold and no replies to remember: --requests-a-minute and --remember are for "
            "lmstudio and gemini"
        )
    known = PROVIDERS[provider]
    key = getattr(settings, known.setting("api_key"))
    base = getattr(settings, known.setting("base_url")) or known.address
    server = Gateway(_own_address(reach), base, key, pace, provider)
    server.replies = {} if remembers else None
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    here = f"http://{server.server_address[0]}:{server.server_address[1]}{urlsplit(base).path}"
    try:
        name = known.settings.upper()
        yield {"LLM_PROVIDER": provider, f"{name}_BASE_URL": here, f"{name}_API_KEY": server.password}
    finally:
        server.shutdown()
        server.server_close()


class Gateway(ThreadingHTTPServer):
    """Listens at one address and forwards to one provider, for whoever knows the `password`."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, host: str, base: str, key: str, pace: Pace, provider: str) -> None:
        import httpx2

        super().__init__((host, 0), Handler)
        parts = urlsplit(base)
        self.origin, self.key, self.pace = f"{parts.scheme}://{parts.netloc}", key, pace
        path = parts.path.rstrip("/")
        places = {"base": re.escape(path), "above": re.escape(path.removesuffix("/v1"))}
        self.paths = {
            method: re.compile(f"(?:{shape.format(**places)}){QUERY}", re.ASCII)
            for (name, method), shape in PATHS.items()
            if name == provider
        }
        self.password = secrets.token_urlsafe(24)
        self.client = httpx2.Client(timeout=httpx2.Timeout(STALLED_SECONDS, connect=30.0))
        self.listed: dict[str, tuple[int, bytes]] = {}  # what GET gave, by path: every run asks which models there are
        self.replies: dict[bytes, tuple[str, bytes]] | None = None  # by request, where replies are remembered

    def server_close(self) -> None:
        super().server_close()
        self.client.close()

    def handle_error(self, *_: Any) -> None:
        """A run that was killed has left its request."""


class Handler(BaseHTTPRequestHandler):
    """One connection of one run."""

    server: Gateway
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    begun = False

    def log_message(self, *_: Any) -> None:
        """The records are the log."""

    def do_GET(self) -> None:
        if self.allowed():
            path = urlsplit(self.path).path
            if path not in self.server.listed:
                with self.server.pace.turn(0), self.forwarded(b"") as reply:
                    reply.read()
                    self.server.listed[path] = (reply.status_code, reply.content)
            self.answer(*self.server.listed[path])

    def do_POST(self) -> None:
        if not self.allowed():
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = hashlib.sha256(self.path.encode() + b"\0" + CLOCK.sub(b"", body)).digest()
        if self.server.replies is not None and asked in self.server.replies:
            self.answer(200, *reversed(self.server.replies[asked]))
            return
        for attempt in range(TRIES):
            with self.server.pace.turn(len(body) // 4) as turn, self.forwarded(body) as reply:
                if reply.status_code not in PAUSING or attempt == TRIES - 1:
                    turn.tokens = self.passed_back(reply, asked)
                    return
                self.server.pace.pause(_asked_for(reply.headers.get("retry-after", ""), attempt))

    def allowed(self) -> bool:
        """Whether it is one of the batch that asks, and for what a run asks for; else it has been told, unread."""
        given = self.headers.get("Authorization", "").removeprefix("Bearer ") or self.headers.get("x-goog-api-key", "")
        length = self.headers.get("Content-Length") or "0"
        refused = None
        if not secrets.compare_digest(given.encode(), self.server.password.encode()):
            refused = 401, "this gateway is for the runs of one batch"
        elif not self.server.paths[self.command].fullmatch(self.path):
            refused = 404, "this gateway forwards requests to the model and for the list of models, and nothing else"
        elif not (length.isascii() and length.isdigit() and int(length) <= LARGEST_BODY):
            refused = 413, f"a request may have {LARGEST_BODY:,} bytes"
        if refused is None:
            return True
        self.close_connection = True  # its body was not read
        self.answer(refused[0], json.dumps({"error": {"message": refused[1]}}).encode())
        return False

    @contextlib.contextmanager
    def forwarded(self, body: bytes) -> Iterator[Any]:
        """The provider's reply, its body still to come; 502 to the run when there is none."""
        import httpx2

        headers = {name: self.headers[name] for name in PASSED_ON if name in self.headers}
        headers |= {"Authorization": f"Bearer {self.server.key}", "x-goog-api-key": self.server.key}
        url = self.server.origin + self.path  # which begins with "/": see PATHS
        try:
            with self.server.client.stream(self.command, url, headers=headers, content=body) as reply:
                yield reply
        except httpx2.HTTPError as error:
            if self.begun:  # the run sees a reply that breaks off, as it came
                raise ConnectionError from None
            self.answer(502, f'{{"error": {{"message": "the provider: {type(error).__name__}"}}}}'.encode())
            raise ConnectionError from None

    def passed_back(self, reply: Any, asked: bytes) -> int:
        """Send the reply on as it comes; the tokens that it says it took. One that came whole may be remembered."""
        self.begun = True
        self.send_response(reply.status_code)
        for name in ("content-type", "retry-after"):
            if name in reply.headers:
                self.send_header(name, reply.headers[name])
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        kept, tail = [], b""
        for part in reply.iter_bytes():
            if part:
                self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                self.wfile.flush()
                tail = (tail + part)[-TAIL:]
                if self.server.replies is not None:
                    kept.append(part)
        self.wfile.write(b"0\r\n\r\n")
        self.begun = False
        if self.server.replies is not None and reply.status_code == 200:
            self.server.replies[asked] = (reply.headers.get("content-type", "application/json"), b"".join(kept))
        return int((TOKENS.findall(tail) or [b"0"])[-1])

    def answer(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _asked_for(header: str, attempt: int) -> float:
    """The seconds that a provider asks to wait, else one more power of two each time."""
    return float(header) if re.fullmatch(r"\d+(\.\d+)?", header) else 2.0**attempt


def _own_address(reach: str) -> str:
    """The address of this machine that another one sees. Nothing is sent."""
    if not reach or reach == "local":
        return "127.0.0.1"
    parts = urlsplit(reach)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((parts.hostname or "127.0.0.1", parts.port or 8786))
        return probe.getsockname()[0]
