"""An HTTP API as a value that you hold: one base address, and no way to another.

What a model sends is a method, a path and a body. What comes back may be anything: it is cut, timed, never followed.
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import SimpleNamespace
from urllib.parse import quote, urlsplit

from reach.paths import ApiRefusal, request_path
from reach.secrets import covered

READS = ("GET", "HEAD", "OPTIONS")
WRITES = ("POST", "PUT", "PATCH", "DELETE")
LARGEST = 1 << 20  # bytes of an answer that are read
LARGEST_BODY = 100_000  # characters of a request


@dataclass(frozen=True)
class Patience:
    """Seconds to wait."""

    connect: float = 5.0
    first_byte: float = 20.0
    whole: float = 30.0  # from the call to the last byte that is read


@dataclass(frozen=True)
class Answer:
    """What the server said, with the key covered."""

    status: int
    kind: str  # the content type, without parameters
    location: str  # where a redirect wants to lead: not followed
    text: str
    cut: bool  # whether more than LARGEST bytes came


class Api:
    """Safe for use from several threads. Every failure that a call, the server or the network can cause is an
    ApiRefusal, whose text is a whole sentence without the key."""

    def __init__(self, base: str, key: str = "", *, writes: bool = False, patience: Patience | None = None) -> None:
        """`base` is an address that the person gave; `writes` whether methods that change something are sent."""
        parts = urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise ApiRefusal("The API's address must be such as http://localhost:42002, without a name or a password")
        self.base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self.writes = writes
        self._key = key
        self._patience = patience or Patience()
        self._host, self._prefix = parts.hostname, quote(parts.path.rstrip("/"), safe="/%")
        self._port = parts.port or (443 if parts.scheme == "https" else 80)
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._lock = threading.Lock()
        self._addresses: list[tuple[str, int]] = []
        self._open: set[socket.socket] = set()
        self.cancelled = SimpleNamespace(set=self._hang_up_all)  # set it, and what is under way ends
        self._closed = False

    def request(self, method: str, path: str, body: str = "", *, auth: bool = True) -> Answer:
        """Send one request and read one answer. `auth` false leaves the key out. A redirect is an answer."""
        method = method.upper()
        self._check(method, body)
        target = self._prefix + request_path(path)
        headers = {"Host": self._authority(), "Accept": "application/json", "Accept-Encoding": "identity"}
        headers["Connection"] = "close"
        if body:
            headers["Content-Type"] = "application/json"
        if auth and self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        started = time.monotonic()
        with self._sentences(method, path), self._connected(started) as connection:
            connection.request(method, target, body.encode() if body else None, headers)
            response = connection.getresponse()
            data = self._read(response, connection, method)
        return self._answer(response, data)

    def describe(self) -> str:
        """One line for a person: what can be reached, and how."""
        methods = ", ".join((*READS, *WRITES) if self.writes else READS)
        return f"API {self.base}: {methods}; no redirect followed, no other host; {LARGEST // 2**20} MiB an answer"

    def cover(self, text: str) -> str:
        """The text without the key."""
        return covered(text, self._key)

    def close(self) -> None:
        """End the requests under way; later ones are refused."""
        with self._lock:
            self._closed = True
        self._hang_up_all()

    def __enter__(self) -> Api:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _hang_up_all(self) -> None:
        with self._lock:
            waiting = list(self._open)
        for each in waiting:
            _hang_up(each)

    def _check(self, method: str, body: str) -> None:
        if method not in READS + WRITES:
            raise ApiRefusal(f"There is no method {method[:20]!r} here: use one of {', '.join(READS + WRITES)}")
        if method in WRITES and not self.writes:
            raise ApiRefusal(
                f"{method} may change something, and this API is only read here. Use {', '.join(READS)}; the person "
                "can allow more with API_WRITES=on, or with --ask"
            )
        if len(body) > LARGEST_BODY:
            raise ApiRefusal(f"The body is longer than {LARGEST_BODY:,} characters: send less")
        if body:
            try:
                json.loads(body)
            except (ValueError, RecursionError) as error:
                raise ApiRefusal(f'The body must be JSON, such as {{"name": "value"}}: {error}') from None

    def _read(self, response: http.client.HTTPResponse, connection: http.client.HTTPConnection, method: str) -> bytes:
        """At most LARGEST bytes and one more. Raises IncompleteRead for less than the server promised."""
        encoding = response.getheader("Content-Encoding", "identity").strip().lower()
        if encoding not in ("", "identity"):
            raise ApiRefusal(f"The server compressed its answer ({encoding[:20]}) though it was asked not to: not read")
        if method == "HEAD":
            return b""
        data, promised = bytearray(), response.length or 0
        while len(data) <= LARGEST and (piece := response.read1(min(65_536, LARGEST + 1 - len(data)))):
            data += piece
        if len(data) < min(promised, LARGEST):  # unlike read(), read1() calls this a whole answer
            raise http.client.IncompleteRead(bytes(data), promised - len(data))
        return bytes(data)

    def _answer(self, response: http.client.HTTPResponse, data: bytes) -> Answer:
        kind = response.getheader("Content-Type", "").partition(";")[0].strip().lower()
        text = self.cover(data[:LARGEST].decode("utf-8", errors="replace"))
        location = self.cover(response.getheader("Location", ""))[:500]
        return Answer(response.status, self.cover(kind)[:100], location, text, len(data) > LARGEST)

    def _authority(self) -> str:
        host = f"[{self._host}]" if ":" in self._host else self._host
        return host if self._port == (443 if self._tls else 80) else f"{host}:{self._port}"

    @contextmanager
    def _connected(self, started: float) -> Iterator[http.client.HTTPConnection]:
        """A connection that is hung up when the whole takes too long, whatever the server drips."""
        wire = self._connect()
        if self._tls:  # the handshake is timed as well: it comes after the timer is set
            wire = self._tls.wrap_socket(wire, server_hostname=self._host, do_handshake_on_connect=False)
        ends = started + self._patience.whole
        timer = threading.Timer(max(0.0, ends - time.monotonic()), _hang_up, (wire,))
        timer.daemon = True
        connection = http.client.HTTPConnection(self._host, self._port)
        try:
            with self._lock:
                if self._closed:
                    raise ApiRefusal("The API is closed: the run has ended")
                self._open.add(wire)
            timer.start()
            wire.settimeout(self._patience.first_byte)
            if isinstance(wire, ssl.SSLSocket):
                wire.do_handshake()
            connection.sock = wire
            yield connection
            if time.monotonic() >= ends:
                raise TimeoutError
        except (OSError, http.client.HTTPException, ValueError) as error:
            if time.monotonic() >= ends:
                raise TimeoutError from error
            raise
        finally:
            timer.cancel()
            with self._lock:
                self._open.discard(wire)
            connection.close()
            wire.close()

    def _connect(self) -> socket.socket:
        """Connect to an address that the name had at first: a name that later leads elsewhere is not followed."""
        with self._lock:
            if not self._addresses:
                found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
                self._addresses = list(dict.fromkeys(each[4][:2] for each in found))
        for place, address in enumerate(self._addresses):
            try:
                return socket.create_connection(address, timeout=self._patience.connect)
            except OSError:
                if place + 1 == len(self._addresses):
                    raise
        raise OSError("the name has no address")

    @contextmanager
    def _sentences(self, method: str, path: str) -> Iterator[None]:
        """Whatever goes wrong on the wire, as a sentence."""
        call = self.cover(f"{method} {path[:200]}")
        try:
            yield
        except TimeoutError:
            raise ApiRefusal(
                f"{call} was not answered in time: ask for less, or look with another call whether the API is well"
            ) from None
        except ConnectionRefusedError:
            raise ApiRefusal(f"Nothing answers at {self.base}: the API is not running there") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = self.cover(" ".join(str(error).split()))[:200] or type(error).__name__
            raise ApiRefusal(f"{call} got no answer that can be read: {why}") from None


def _hang_up(wire: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(wire, socket.SHUT_RDWR)  # of an SSLSocket too: its own would wait for the peer
