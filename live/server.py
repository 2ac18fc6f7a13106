"""A small server for a browser on this machine: it listens on the loopback interface, and answers who has its address.

Its user gives the routes; what lies here is what every route has in common, since a browser opens pages of strangers,
too, and any of them may send requests here. So the address holds a token that cannot be guessed, the Host header must
be ours (a name of a stranger's can be made to lead here: DNS rebinding), what comes from another origin is refused, no
page of ours may stand in a frame, connections are counted, and who reads or writes too slowly is left.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import secrets
import socket
import socketserver
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

MOST_CONNECTIONS = 64  # at once
LARGEST_BODY = 2**20  # bytes
SECONDS = 10.0  # that one read or one write may take
NOTHING_MORE = "default-src 'none'"
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Connection": "close",
}


@dataclass(frozen=True)
class Request:
    """What a route is asked: the rest of its path, the query, the body as JSON, the last event received."""

    rest: str
    query: Mapping[str, str]
    body: Any
    last_event: str


@dataclass(frozen=True)
class Response:
    """`body` is whole, or the pieces of a stream of events, which is closed when the reader goes. Whether the reader is
    still there is looked at before each piece, so that a stream which has nothing to say yields empty ones."""

    body: bytes | Generator[bytes]
    type: str = "application/json"
    status: int = 200
    policy: str = NOTHING_MORE


class Refused(Exception):
    """The request is not answered: a status, and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


Route = Callable[[Request], Response]


def as_json(document: Any, status: int = 200) -> Response:
    return Response(json.dumps(document).encode(), status=status)


def leading_to(address: str) -> Response:
    """A page that leads on to ours: to the browser that is the way from a page of our own."""
    text = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={address}">'
    return Response(text.encode(), "text/html; charset=utf-8")


class Server(ThreadingHTTPServer):
    """`routes` are functions by method and path ("GET /", "POST /act"); one that ends in "/" takes what is below.
    With the `token` of an earlier server a page of that one goes on here, once this one has proved to know it."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    allow_reuse_address = os.name == "posix"  # on Windows that would let two programs have one port
    allow_reuse_port = False

    def __init__(self, routes: Mapping[str, Route], port: int = 0, token: str = "") -> None:
        self.routes, self.token, self.proves = routes, token or secrets.token_urlsafe(32), bool(token)
        self._tickets: set[str] = set()
        self.closing = threading.Event()
        self._room = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._strangers: dict[Any, None] = {}  # connections that have not shown the token, the oldest first
        super().__init__(("127.0.0.1", port), Handler)

    def server_bind(self) -> None:
        socketserver.TCPServer.server_bind(self)  # HTTPServer's own would ask a name server who we are
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"

    def ticket(self) -> str:
        """An address that leads a browser to the page, once: for a file that only the person can read, since everybody
        on the machine can read with what a browser was started."""
        self._tickets.add(ticket := secrets.token_urlsafe(32))
        return f"http://127.0.0.1:{self.server_port}/{ticket}/"

    def torn(self, ticket: str) -> bool:
        """Whether this is a ticket that was not used before; now it was."""
        known = [each for each in self._tickets if hmac.compare_digest(each.encode(), ticket.encode())]
        self._tickets -= {*known}
        return bool(known)

    def proof(self, question: str) -> str:
        """What only who knows the token can say, of this port and this question: a page that was left alone asks it of
        whoever answers here now, before it says the token again."""
        text = f"{self.server_port} {question}".encode()
        return hmac.new(self.token.encode(), text, "sha256").hexdigest()

    @property
    def hosts(self) -> tuple[str, str]:
        return f"127.0.0.1:{self.server_port}", f"localhost:{self.server_port}"

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._room.acquire(blocking=False) and not self._made_room():
            with contextlib.suppress(OSError):
                request.sendall(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return self.shutdown_request(request)
        self._strangers[request] = None
        return super().process_request(request, client_address)

    def _made_room(self) -> bool:
        """Send away who has waited longest without the token: whoever holds connections open keeps no owner out."""
        strangers = list(self._strangers)
        if not strangers:
            return False
        with contextlib.suppress(OSError):  # it left by itself
            strangers[0].shutdown(socket.SHUT_RDWR)
        return self._room.acquire(timeout=1.0)

    def no_stranger(self, request: Any) -> None:
        """This connection has shown the token: it stays."""
        self._strangers.pop(request, None)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.no_stranger(request)
            self._room.release()

    def serve_until_closed(self) -> None:
        """Sleep until somebody comes, where serve_forever would look every so often whether it is to end."""
        while not self.closing.is_set():
            self.handle_request()

    def stay(self) -> None:
        """Until it closes, or Ctrl-C, which is raised here, at most a second late where another thread took it."""
        while not self.closing.wait(1.0):
            pass

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle is no news."""


def at_first_free(routes: Mapping[str, Route], ports: Sequence[int], token: str) -> Server:
    """A server at the first of these ports that can be had. Raises OSError when none can."""
    for port in ports[:-1]:
        with contextlib.suppress(OSError):
            return Server(routes, port, token)
    return Server(routes, ports[-1], token)


@contextlib.contextmanager
def serving(routes: Mapping[str, Route], ports: Sequence[int] = (0,), token: str = "") -> Iterator[Server]:
    """Serve in the background until the block ends. Raises OSError when none of the ports can be had; 0 is any."""
    server = at_first_free(routes, ports, token)
    thread = threading.Thread(target=server.serve_until_closed, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        with contextlib.suppress(OSError):  # a visitor of our own wakes it
            socket.create_connection(("127.0.0.1", server.server_port), SECONDS).close()
        thread.join()
        server.server_close()


class Handler(BaseHTTPRequestHandler):
    """One request: one connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = SECONDS

    def log_message(self, *_: Any) -> None:
        """Who asks is no news."""

    def version_string(self) -> str:
        return "glassbox"

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def answer(self) -> None:
        self.close_connection = True
        try:
            route, request = self.looked_at()
            response = route(request)
        except Refused as refused:
            response = as_json({"error": str(refused)}, refused.status)
        if isinstance(response.body, bytes):
            self.send_head(response, len(response.body))
            self.wfile.write(response.body)
        else:
            self.send_events(response)

    def looked_at(self) -> tuple[Route, Request]:
        """Return who answers, and what is asked. Raises Refused; what is said is the same for any path of no use."""
        host = self.headers.get("Host", "")
        if host not in self.server.hosts:
            raise Refused(421, "this is not the host that was asked for")
        url = urlsplit(self.path)
        token, _, below = url.path.removeprefix("/").partition("/")
        if below == "" and self.command == "GET" and self.server.torn(token):
            return lambda request: leading_to(self.server.address), Request("", {}, None, "")
        if token == "proof" and self.server.proves and self.command == "GET":
            self.refuse_strangers(host)
            return lambda request: as_json({"proof": self.server.proof(below)}), Request("", {}, None, "")
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            raise Refused(404, "there is nothing here")
        self.server.no_stranger(self.connection)
        self.refuse_strangers(host)
        route, rest = self.route(f"/{below}")
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        body = self.read_body() if self.command == "POST" else None
        return route, Request(rest, query, body, self.headers.get("Last-Event-ID", ""))

    def refuse_strangers(self, host: str) -> None:
        """Browsers say where a request comes from (https://www.w3.org/TR/fetch-metadata/): it must be our own page, or
        the person, who followed a link of ours or typed the address."""
        origin, said = self.headers.get("Origin"), self.headers.get
        if origin != f"http://{host}" and (origin is not None or self.command == "POST"):
            raise Refused(403, "this comes from another origin")
        opened = said("Sec-Fetch-Mode") == "navigate" and said("Sec-Fetch-Dest") == "document"
        allowed = ("same-origin", "none", "same-site") if opened else ("same-origin", "none")
        if said("Sec-Fetch-Site", "none") not in allowed:
            raise Refused(403, "this comes from another site")
        if said("Sec-Fetch-Dest", "empty") in ("iframe", "frame", "embed", "object", "fencedframe"):
            raise Refused(403, "this page stands in no frame")

    def route(self, path: str) -> tuple[Route, str]:
        routes = self.server.routes
        if route := routes.get(f"{self.command} {path}"):
            return route, ""
        folder, _, rest = path.removeprefix("/").partition("/")
        if route := routes.get(f"{self.command} /{folder}/"):
            return route, rest
        raise Refused(404, "there is nothing here")

    def read_body(self) -> Any:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > LARGEST_BODY:
            raise Refused(413, f"the body may have {LARGEST_BODY:,} bytes")
        if self.headers.get_content_type() != "application/json":
            raise Refused(415, "the body must be application/json")
        try:
            return json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise Refused(400, "the body is no JSON") from None

    def send_head(self, response: Response, length: int | None) -> None:
        self.send_response(response.status)
        policy = f"{response.policy}; frame-ancestors 'none'"
        for name, value in {"Content-Type": response.type, "Content-Security-Policy": policy, **ALWAYS}.items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def send_events(self, response: Response) -> None:
        """Send pieces until there are no more, or the reader is gone or does not keep up (the socket's timeout)."""
        assert not isinstance(response.body, bytes)
        # A small buffer: what a slow reader has not taken lies with us, and is not sent twice when it comes back.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 256 * 1024)
        with contextlib.closing(response.body) as pieces:
            self.send_head(response, None)
            for piece in pieces:
                if self.left() or self.server.closing.is_set():
                    return
                self.wfile.write(piece)

    def left(self) -> bool:
        """Whether the reader of a stream has closed the connection. Nothing follows a request, so that what there is to
        read is the end; a write would tell only at the second try."""
        self.connection.setblocking(False)
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        finally:
            self.connection.settimeout(self.timeout)
