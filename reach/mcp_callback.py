"""Where a browser comes back to from a login: an address of this machine alone, one answer, within a time.

RFC 8252 says how a program without a server of its own gets the code: by a port of 127.0.0.1 that is open for just so
long (https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import parse_qsl, urlsplit

from sandbox.files.unusual import shown

HOST, PATH = "127.0.0.1", "/callback"
LOGIN_SECONDS = 300.0  # that the person has
REQUEST_SECONDS = 10.0  # that one connection has to say what it wants
LONGEST_REQUEST = 2**14  # bytes
PAGE = (
    "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {size}\r\n"
    "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n{text}"
)


class NoLogin(Exception):
    """Nobody is logged in. The text says why, as the end of a sentence."""


class Callback:
    """The port, held from the start: the authorization server is told of it before the browser comes."""

    def __init__(self, port: int = 0) -> None:
        """`port` is taken where it is free: under it this program may be known there already."""
        self._socket = socket.socket()
        if sys.platform != "win32":  # there it would let two programs have the same port
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((HOST, port))
        except OSError:
            self._socket.bind((HOST, 0))

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}{PATH}"

    def close(self) -> None:
        self._socket.close()

    async def answer(self, state: str, show: Callable[[], Awaitable[None]]) -> Mapping[str, str]:
        """Listen, `show` the person where to log in, and return what the browser brings: `code`, and `iss` where the
        server has that. Raises NoLogin for a refusal, for an answer with another `state`, and when nobody comes."""
        arrived: asyncio.Future[Mapping[str, str]] = asyncio.get_running_loop().create_future()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                async with asyncio.timeout(REQUEST_SECONDS):
                    head = await reader.readuntil(b"\r\n\r\n")
                    status, text, brought = read(head, state)
                    writer.write(PAGE.format(status=status, size=len(text), text=text).encode())
                    await writer.drain()
                if brought and not arrived.done():
                    if isinstance(brought, NoLogin):
                        arrived.set_exception(brought)
                    else:
                        arrived.set_result(brought)
            writer.close()

        async with await asyncio.start_server(serve, sock=self._socket, limit=LONGEST_REQUEST):
            try:
                async with asyncio.timeout(LOGIN_SECONDS):
                    await show()
                    return await arrived
            except TimeoutError:
                raise NoLogin(f"nobody came back from it within {LOGIN_SECONDS / 60:g} minutes") from None


def read(head: bytes, state: str) -> tuple[str, str, Mapping[str, str] | NoLogin | None]:
    """What a request is answered with, status and text, and what it brings; None for one that is not the answer."""
    method, target, *_ = [*head.decode("latin-1").split("\r\n")[0].split(" "), "", ""]
    parts = urlsplit(target)
    if method != "GET" or parts.path != PATH:  # a browser also asks for a picture
        return "404 Not Found", "There is nothing here.\n", None
    brought = dict(parse_qsl(parts.query))
    if not secrets.compare_digest(brought.get("state", "").encode(), state.encode()):
        other = NoLogin("what came back was no answer to it (its state is another), and was not taken")
        return "400 Bad Request", "This is no answer to the login that was begun.\n", other
    if "code" not in brought:
        why = shown(" ".join([brought.get("error", "no code"), brought.get("error_description", "")]).strip())
        return "200 OK", "Nobody was logged in. You can close this page.\n", NoLogin(f"it was refused ({why})")
    return "200 OK", "You are logged in, and can close this page.\n", brought
