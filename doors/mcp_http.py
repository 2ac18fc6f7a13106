"""Our MCP server over HTTP: on this machine's loopback interface alone, with a token, Host and Origin checked.

The `mcp` SDK's streamable HTTP does the protocol. Any page in a browser and any user of this machine can reach a port
of the loopback interface: the first is what Host and Origin are checked for (DNS rebinding), the second what the token
is for. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports asks for all three.
"""

from __future__ import annotations

import errno
import hmac
import logging
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from config import ConfigError

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

HOST, PATH = "127.0.0.1", "/mcp"
SHORTEST_TOKEN = 16  # characters
END_SECONDS = 2  # that requests under way have after Ctrl-C; then they are cancelled, and with them what they run

App = Callable[[Any, Any, Any], Awaitable[None]]  # what ASGI calls an application


async def listen(server: Server, port: int, token: str = "") -> None:
    """Serve until Ctrl-C; the address, and a token that was made now, are told on standard error. Raises ConfigError
    where the port cannot be had, and for a token that can be guessed."""
    if token and (len(token) < SHORTEST_TOKEN or not (token.isascii() and token.isprintable())):
        raise ConfigError(
            f"GLASSBOX_MCP_TOKEN must have {SHORTEST_TOKEN} plain characters or more, such as {secrets.token_urlsafe()}"
        )
    with bound(port) as listening:
        port = listening.getsockname()[1]
        print(f"MCP server at http://{HOST}:{port}{PATH}", file=sys.stderr)
        if not token:
            token = secrets.token_urlsafe()
            print(f"Its token, made for this start (GLASSBOX_MCP_TOKEN sets one that stays): {token}", file=sys.stderr)
        await run(Guarded(application(server, port), token), listening)


def bound(port: int) -> socket.socket:
    listening = socket.socket()
    try:
        if sys.platform != "win32":  # there it would let two programs have the same port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        why = "another program has it" if error.errno == errno.EADDRINUSE else error.strerror
        raise ConfigError(f"the port {port} cannot be had ({why}). Name another one, or --http 0 for any.") from None
    return listening


async def run(app: App, listening: socket.socket) -> None:
    """Serve an application on a socket until the process is told to end."""
    import uvicorn

    logging.getLogger("mcp").addHandler(logging.NullHandler())  # what was refused is told to who asked
    # Not even errors: each request that Ctrl-C cancels would be one, with a traceback.
    options: dict[str, Any] = {"log_level": "critical", "access_log": False, "lifespan": "on", "ws": "none"}
    config = uvicorn.Config(app, timeout_graceful_shutdown=END_SECONDS, **options)
    await uvicorn.Server(config).serve(sockets=[listening])


def application(server: Server, port: int) -> App:
    """Return the server as an application that takes requests to this machine by its own names alone, and from no page
    of another origin. It asks for no token: Guarded does."""
    from mcp.server.transport_security import TransportSecuritySettings

    names = [f"{HOST}:{port}", f"localhost:{port}"]
    checked = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
    return server.streamable_http_app(streamable_http_path=PATH, transport_security=checked)


class Guarded:
    """An application behind a token: a request without it is answered with 401 before anything of it is read."""

    def __init__(self, app: App, token: str) -> None:
        self.app, self.expected = app, f"Bearer {token}".encode("ascii")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not self.has_token(scope["headers"]):
            from starlette.responses import PlainTextResponse

            why = "The token is missing or wrong. Send the header: Authorization: Bearer, and the server's token.\n"
            refusal = PlainTextResponse(why, 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def has_token(self, headers: list[tuple[bytes, bytes]]) -> bool:
        given = [value for name, value in headers if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self.expected)
