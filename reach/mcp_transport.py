"""What runs under an MCP session: a process's pipes or HTTP, with a limit to what a server may send.

The SDK's own transports take any amount: a line of standard output is gathered until it ends, a JSON body until it is
whole. These hold at most LARGEST_MESSAGE of either. A server's process is started without this process's environment,
in a group of its own, and that group is ended with the session; what left the group is known by a mark in its
environment, and ended too.
"""

from __future__ import annotations

import asyncio
import contextlib
import glob
import json
import os
import re
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from reach.mcp_oauth import REFUSED, Login
from reach.mcp_results import Known
from reach.mcp_shapes import without_request, wrong_shape
from reach.mcp_status import BODY_SECONDS, LONGEST_BODY, meaning

LARGEST_MESSAGE = 8 * 2**20  # bytes
GRACE_SECONDS = 1.0  # after standard input is closed, and again after a polite signal
STDERR_LINE = 2_000  # bytes of one line that are kept
MARK = "GLASSBOX_MCP_SERVER"  # in the environment of a server, and so of whatever it starts
# An escaped backslash, both halves of a character, or one.
ESCAPED = re.compile(rb"\\\\|\\u[dD](?:[89abAB]..\\u[dD][c-fC-F]..|[89a-fA-F]..)")


class TooLarge(ValueError):
    """A server sent a message that is larger than LARGEST_MESSAGE; it was not kept."""

    def __init__(self) -> None:
        super().__init__(f"a message of more than {LARGEST_MESSAGE // 2**20} MB")


@contextlib.asynccontextmanager
async def process_transport(
    command: list[str],
    environment: Mapping[str, str],
    folder: str | None,
    heard: Callable[[str], None],
    started: Callable[[int, str], None],
) -> AsyncIterator[tuple[Any, Any]]:
    """Start a server and yield the streams that the SDK's Client takes. `heard` gets its lines of standard error,
    `started` its process group and its mark. Raises OSError when it cannot be started."""
    from anyio import create_memory_object_stream

    mark = secrets.token_hex(16)
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**environment, MARK: mark},
        cwd=folder,
        **({"start_new_session": True} if os.name == "posix" else {"creationflags": 0x200}),  # a new process group
    )
    started(process.pid, mark)
    incoming, received = create_memory_object_stream[Any](0)
    sent, outgoing = create_memory_object_stream[Any](0)
    pumps = [
        asyncio.create_task(_read_messages(process.stdout, incoming)),
        asyncio.create_task(_write_messages(process.stdin, outgoing, incoming)),
        asyncio.create_task(_read_lines(process.stderr, heard)),
    ]
    try:
        yield Known(received), sent
    finally:
        await asyncio.shield(_end(process, mark))
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        for stream in (incoming, received, sent, outgoing):
            stream.close()


async def _read_messages(source: asyncio.StreamReader, incoming: Any) -> None:
    """Hand each line on as a message. What is no message is handed on as an exception; the SDK goes on after one."""
    from anyio import BrokenResourceError, ClosedResourceError
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    with contextlib.suppress(BrokenResourceError, ClosedResourceError, ConnectionError):
        async with incoming:
            async for line in _lines(source):
                if isinstance(line, TooLarge):
                    await incoming.send(line)
                elif line.strip():
                    try:
                        whole = without_halves(line)
                        read: Any = jsonrpc_message_adapter.validate_json(whole, by_name=False)
                        message: Any = without_request(read) or SessionMessage(read)
                    except ValueError as problem:
                        message = wrong_shape(whole) or problem
                    await incoming.send(message)


def without_halves(message: bytes) -> bytes:
    """JSON in which half of a character is U+FFFD. Servers cut a text in the middle of an emoji (playwright-mcp#1410),
    and of a message that holds a half the SDK reads nothing."""
    return ESCAPED.sub(lambda found: rb"\ufffd" if len(found[0]) == 6 else found[0], message)


async def _lines(source: asyncio.StreamReader) -> AsyncIterator[bytes | TooLarge]:
    """Yield whole lines; of one that is too long nothing is kept, and TooLarge is yielded in its place."""
    held, skipping = bytearray(), False
    while chunk := await source.read(2**16):
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            if not skipping and len(held) + len(end) <= LARGEST_MESSAGE:
                yield bytes(held) + end
            elif not skipping:
                yield TooLarge()
            held.clear()
            skipping = False
        if not skipping:
            held += rest
        if len(held) > LARGEST_MESSAGE:
            held.clear()
            skipping = True
            yield TooLarge()


async def _write_messages(target: asyncio.StreamWriter, outgoing: Any, incoming: Any) -> None:
    from anyio import BrokenResourceError, ClosedResourceError

    try:
        async for message in outgoing:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            target.write(text.encode("utf-8") + b"\n")
            await target.drain()
    except (BrokenResourceError, ClosedResourceError, OSError):
        incoming.close()  # or the session would wait for ever for a server that reads no more


async def _read_lines(source: asyncio.StreamReader, heard: Callable[[str], None]) -> None:
    """Tell each line of standard error, the beginning of one that is too long."""
    held = bytearray()
    while chunk := await source.read(2**14):
        *ends, rest = (held + chunk).split(b"\n")
        for end in ends:
            heard(end[:STDERR_LINE].decode("utf-8", "replace").rstrip())
        held = bytearray(rest[:STDERR_LINE])
    if held:
        heard(held.decode("utf-8", "replace").rstrip())


async def _end(process: asyncio.subprocess.Process, mark: str) -> None:
    """Close the server's input, as the protocol has it; then ask its whole group to end, then end it and the rest."""
    with contextlib.suppress(OSError, RuntimeError):
        process.stdin.close()  # type: ignore[union-attr]
    if not await _gone(process):
        end_group(process.pid, signal.SIGTERM)
        await _gone(process)
    end_group(process.pid)  # what the server started may outlive it
    end_marked(mark)
    await _gone(process)
    # What escaped from the group may hold the pipes open, and then the transport is never closed; asyncio has no public
    # way to it, and the SDK does the same.
    process._transport.close()  # type: ignore[attr-defined]


async def _gone(process: asyncio.subprocess.Process) -> bool:
    """Wait for the process and not for its pipes: a child of it may hold them open."""
    for _ in range(int(GRACE_SECONDS / 0.01)):
        if process.returncode is not None:
            return True
        await asyncio.sleep(0.01)
    return False


def end_group(leader: int, number: int = getattr(signal, "SIGKILL", signal.SIGTERM)) -> None:
    """Signal a server's whole process group."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            os.kill(leader, signal.SIGTERM)
        else:
            os.killpg(leader, number)


def end_marked(mark: str) -> None:
    """End every process that has this mark in its environment, until none is left: a process that begins a session of
    its own (setsid) is in no group of ours. Only where there is /proc."""
    wanted = f"{MARK}={mark}".encode()
    for _ in range(10):  # what forks faster than this can look is ended the next time
        found = False
        for path in glob.glob("/proc/[0-9]*/environ"):
            with contextlib.suppress(OSError), open(path, "rb") as environ:
                if wanted in environ.read().split(b"\0"):
                    os.kill(int(path.split("/")[2]), signal.SIGKILL)
                    found = True
        if not found:
            return


def http_transport(
    address: str, headers: Mapping[str, str], seconds: float, trouble: Callable[[str], None], login: Login | None = None
) -> contextlib.AbstractAsyncContextManager[tuple[Any, Any]]:
    """Return the streams for a server that is reached by streamable HTTP. `trouble` is told why an exchange failed,
    `login` is None where who asks stands in the headers."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    @contextlib.asynccontextmanager
    async def opened() -> AsyncIterator[tuple[Any, Any]]:
        # No proxy and no certificate comes from the environment: what this reaches is what the person named.
        timeout = httpx2.Timeout(seconds, connect=10.0)
        transport = _capped(httpx2)(trouble, address if login else "")
        options: dict[str, Any] = {"timeout": timeout, "transport": transport, "trust_env": False}
        async with (
            httpx2.AsyncClient(headers=headers, auth=_auth(httpx2, login), **options) as client,
            streamable_http_client(address, http_client=client, max_sse_event_size=LARGEST_MESSAGE) as (received, sent),
        ):
            yield Known(received), sent

    return opened()


def _auth(httpx2: Any, login: Login | None) -> Any:
    """The login as httpx2 takes one."""

    class Auth(httpx2.Auth):
        def async_auth_flow(self, request: Any) -> Any:
            return login.flow(request) if login else None

    return Auth() if login else None


def _capped(httpx2: Any) -> Any:
    """Return the transport class; httpx2 is imported where it is used, as everything heavy is."""
    import anyio

    class Stream(httpx2.AsyncByteStream):
        """A body that ends early when it breaks off or grows too large: the SDK makes one error of it and goes on."""

        def __init__(self, inner: Any, trouble: Callable[[str], None], limit: int | None) -> None:
            self.inner, self.trouble, self.left = inner, trouble, limit

        async def __aiter__(self) -> AsyncIterator[bytes]:
            held = bytearray()  # the beginning of a line, which nobody reads before its end
            try:
                async for chunk in self.inner:
                    if self.left is not None:
                        self.left -= len(chunk)
                        if self.left < 0:
                            self.trouble(str(TooLarge()))
                            return
                    end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r")) + 1
                    if end or len(held) > LARGEST_MESSAGE:
                        yield without_halves(bytes(held) + chunk[:end])
                        held.clear()
                    held += chunk[end:]
            except httpx2.TransportError as error:
                self.trouble(f"an answer that breaks off ({str(error) or type(error).__name__})")
            yield without_halves(bytes(held))

        async def aclose(self) -> None:
            await self.inner.aclose()

    class Capped(httpx2.AsyncHTTPTransport):
        """A connection that fails is an answer of status 502: an exception would end the whole session. What a server
        refuses by its status alone becomes an error of the protocol that says so."""

        def __init__(self, trouble: Callable[[str], None], login_at: str) -> None:
            super().__init__(trust_env=False)
            self.trouble, self.login_at = trouble, login_at

        def failed(self, request: Any, why: str) -> Any:
            self.trouble(why)
            return self.error(request, 502, why)

        def error(self, request: Any, status: int, why: str, **more: str) -> Any:
            body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": why}}
            head = {"content-type": "application/json", **more}
            return httpx2.Response(status, headers=head, content=json.dumps(body).encode(), request=request)

        async def refused(self, request: Any, response: Any) -> Any:
            """The answer in place of one with a status that has a sentence of its own; None for any other."""
            known: Any = {"with_token": "authorization" in request.headers, "address": self.login_at}
            if request.method != "POST" or "text/event-stream" not in request.headers.get("accept", ""):
                return None  # the SDK asks for a token, or reads about one
            if not meaning(response.status_code, response.headers, **known):
                return None
            said = bytearray()
            with anyio.move_on_after(BODY_SECONDS):
                async for chunk in Stream(response.stream, lambda why: None, LONGEST_BODY):
                    said += chunk
            await response.aclose()
            why = meaning(response.status_code, response.headers, **known, body=bytes(said))
            who = {"www-authenticate": response.headers.get("www-authenticate", "")}  # where one logs in
            return self.error(request, response.status_code, why, **who)

        async def asked(self, request: Any) -> Any:
            """The server's answer. Many close a connection that they said they keep, and one may do so just when it is
            used again: what does nothing is asked once more then (RFC 9110, 9.2.2), a call of a tool never."""
            asks = request.method == "POST" and "text/event-stream" in request.headers.get("accept", "")
            try:
                return await super().handle_async_request(request)
            except httpx2.RemoteProtocolError:
                if not asks or b'"tools/call"' in request.content:
                    raise
            return await super().handle_async_request(request)

        async def handle_async_request(self, request: Any) -> Any:
            if why := request.extensions.get(REFUSED):
                return self.error(request, 401, why)
            request.headers["accept-encoding"] = "identity"
            try:
                response = await self.asked(request)
            except httpx2.TransportError as error:
                return self.failed(request, f"no answer ({str(error) or type(error).__name__})")
            if response.status_code == 404 and "mcp-session-id" in request.headers:
                # The session is forgotten, says the specification; the SDK knows that by an answer without a body.
                await response.aclose()
                return httpx2.Response(404, request=request)
            if response.headers.get("content-encoding", "identity") != "identity":  # a few bytes may be gigabytes
                await response.aclose()
                return self.failed(request, "a compressed answer, which was not asked for")
            if answer := await self.refused(request, response):
                return answer
            streamed = response.headers.get("content-type", "").startswith("text/event-stream")
            response.stream = Stream(response.stream, self.trouble, None if streamed else LARGEST_MESSAGE)
            return response

    return Capped
