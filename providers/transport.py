"""The way to a server, for the HTTP client of either SDK: to this machine through no proxy, after no redirect, with a
limit on what a server sends, and closed at once when the run is stopped."""

from __future__ import annotations

import contextlib
import gc
import ipaddress
import socket
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from agent.errors import ProviderError
from agent.run import Run

if TYPE_CHECKING:
    from ssl import SSLContext

LARGEST_REPLY = 32 * 2**20  # bytes
COMPRESSED = "The server's reply is compressed, which was not asked for and hides how large it is. Ask another server."
TOO_LARGE = "The server's reply is larger than {size} MiB, which no answer is. Try again, or another model."
BAD_PROXY = (
    "The proxy that the environment names cannot be used ({error}). Set HTTP_PROXY, HTTPS_PROXY and ALL_PROXY to an "
    "address that begins with http://, or unset them."
)


@contextlib.contextmanager
def loading(package: str) -> Iterator[None]:
    """While an SDK is loaded: nothing of it is garbage, so none is looked for in it, now or at a later collection."""
    first = gc.isenabled() and package not in sys.modules
    if first:
        gc.disable()
    try:
        yield
    finally:
        if first:
            gc.freeze()
            gc.enable()


def client_arguments(address: str, run: Run) -> dict[str, Any]:
    """What the HTTP client for an address is made with."""
    streams: list[Any] = []

    def noted(event: str, info: dict[str, Any]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            streams.append(info["return_value"])

    def close() -> None:
        """Wake a thread that waits for the server: its socket has come to an end."""
        for stream in streams:
            with contextlib.suppress(OSError, AttributeError):
                socket.socket.shutdown(stream.get_extra_info("socket"), socket.SHUT_RDWR)

    run.stopped_by(close)
    arguments: dict[str, Any] = {
        "follow_redirects": False,  # a key goes where the person sent it, and nowhere else
        "trust_env": not is_here(address),
        "headers": {"Accept-Encoding": "identity"},  # of what is compressed, 32 kB may be 32 MB
        "event_hooks": {
            "request": [lambda request: request.extensions.update(trace=noted)],
            "response": [bound],
        },
    }
    return arguments | ({"verify": trusting_nobody()} if address.startswith("http://") else {})


@contextlib.contextmanager
def proxy_checked() -> Iterator[None]:
    """Raise ProviderError where no client can be made in the block, because of what the environment says of proxies."""
    try:
        yield
    except (ImportError, ValueError) as error:
        raise ProviderError(BAD_PROXY.format(error=error)) from error


def is_here(address: str) -> bool:
    """Whether an address is on this machine."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def trusting_nobody() -> SSLContext:
    """TLS settings with no certificates, for a connection that needs none: loading those of the machine costs 17 ms."""
    from ssl import PROTOCOL_TLS_CLIENT, SSLContext

    return SSLContext(PROTOCOL_TLS_CLIENT)


def bound(response: Any) -> None:
    """Let a response end where it is larger than any reply, or compressed: whoever reads it gets a ProviderError, and
    what `heard` raises. They get whole lines, or a document as a whole."""
    compressed = response.headers.get("content-encoding", "identity").lower() != "identity"
    whole, base = response.stream, type(response.stream).__mro__[1]

    # Of httpx or of httpx2, whichever the SDK uses: no type checker can know.
    class Bounded(base):  # type: ignore[misc,valid-type]
        def __iter__(self) -> Iterator[bytes]:
            held: list[bytes] = []
            size, document = 0, False
            if compressed:
                raise ProviderError(COMPRESSED)
            for piece in whole:
                document = document or not size and piece.lstrip()[:1] in (b"{", b"[")
                size += len(piece)
                if size > LARGEST_REPLY:
                    raise ProviderError(TOO_LARGE.format(size=LARGEST_REPLY // 2**20))
                lines, end, rest = (b"", b"", piece) if document else piece.rpartition(b"\n")
                if end:
                    yield heard(b"".join((*held, lines, end)), response)
                    held = []
                held.append(rest)
            yield heard(b"".join(held), response)

        def close(self) -> None:
            whole.close()

    response.stream = Bounded()


def heard(text: bytes, response: Any) -> bytes:
    """Return what a server sent. Raises ServerFailed where it says there that it failed, though its status is a good
    one: either SDK loses its words in some of the shapes that servers send."""
    if b'"error"' in text and response.is_success:
        from providers.failed_replies import look_for_failure

        look_for_failure(text)
    return text
