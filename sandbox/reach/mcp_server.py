"""An MCP server as a value that is held: opened once, its tools listed, closed with the run.

The session lives in a thread with an event loop of its own, on the official SDK; the tools call in from theirs.
Whatever a server does, a call ends in one Answer, at the latest when its time is over or the run is interrupted.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from config import need
from sandbox.files.refusal import without_controls
from sandbox.reach.mcp_results import text_of
from sandbox.reach.mcp_schema import restore
from sandbox.reach.mcp_tools import MOST_TOOLS, RemoteTool, read_tools
from sandbox.reach.mcp_transport import TooLarge, end_group, http_transport, process_transport

if TYPE_CHECKING:
    from sandbox.reach.mcp_settings import ServerSettings

CONNECT_SECONDS = 30.0  # to start, to shake hands and to list its tools; npx may fetch a package first
CALL_SECONDS = 60.0
CLOSE_SECONDS = 4.0
LOOK_SECONDS = 0.1  # between two looks whether the run was interrupted
PROGRESS_SECONDS = 0.5  # between two lines of progress that are shown
LINES_KEPT = 200  # of standard error


class ServerError(Exception):
    """A server cannot be used. The text is a sentence for the person that names the server."""


class Answer(NamedTuple):
    """What one call gave: the text for the model, and whether the tool did what it was asked."""

    text: str
    ok: bool


@dataclass(frozen=True)
class Surroundings:
    """What a server is started with: the environment of its process, the event that ends calls, where lines for the
    person go, and the seconds that a call may take."""

    environment: Mapping[str, str]
    cancelled: threading.Event
    tell: Callable[[str], None]
    call_seconds: float = CALL_SECONDS
    connect_seconds: float = CONNECT_SECONDS


class McpServer:
    """One server that the person named. Safe for use from several threads at once."""

    def __init__(self, settings: ServerSettings, around: Surroundings) -> None:
        """Start the server and list its tools. Raises ServerError, and leaves nothing running, where that fails."""
        need("mcp", "mcp")
        for logger in ("mcp", "client"):  # the SDK logs a server's faults with a traceback; ours are sentences
            logging.getLogger(logger).addHandler(logging.NullHandler())
        self.settings, self.around = settings, around
        self.name = settings.name
        self.tools: tuple[RemoteTool, ...] = ()
        self.left_out: tuple[str, ...] = ()  # a sentence for each tool that cannot be offered
        self.on_change: Callable[[], None] = lambda: None  # told, from the server's thread, that `tools` are others
        self.said: deque[str] = deque(maxlen=LINES_KEPT)  # its standard error
        self._group = 0
        self._trouble = ""  # the last thing that went wrong below the session
        self._why_gone = ""
        self._client: Any = None
        self._in_flight: set[asyncio.Future[str]] = set()
        self._refreshing: asyncio.Task[None] | None = None
        self._ready, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"mcp {self.name}", daemon=True)
        self._thread.start()
        self._wait_until_ready()

    def call(self, tool: RemoteTool, arguments: Mapping[str, Any]) -> Answer:
        """Call one of its tools and wait for the answer, for the time that a call may take, or until interrupted."""
        if self._over.is_set():
            return Answer(f"the server {self.name} is not there any more: {self._why_gone}", False)
        seconds = self.settings.timeout or self.around.call_seconds
        try:
            future = asyncio.run_coroutine_threadsafe(self._call(tool, arguments), self._loop)
        except RuntimeError:  # the loop was closed in this moment
            return Answer(f"the server {self.name} is not there any more: {self._why_gone}", False)
        answer = self._answer_of(future, tool, seconds)
        text = answer.text
        for name, secret in self.settings.secrets.items():
            text = text.replace(secret, f"${{{name}}}")
        return Answer(text, answer.ok)

    def _answer_of(self, future: Future[Answer], tool: RemoteTool, seconds: float) -> Answer:
        deadline = time.monotonic() + seconds
        while not wait([future], timeout=LOOK_SECONDS).done:
            if self._over.is_set():
                return Answer(self._ended(tool), False)
            if self.around.cancelled.is_set():
                future.cancel()
                return Answer(f"{tool.remote} was interrupted", False)
            if time.monotonic() > deadline:
                future.cancel()
                advice = "Whether it did anything is not known: look before you try again"
                return Answer(f"{tool.remote} gave no answer within {seconds:g} seconds. {advice}", False)
        if future.cancelled():
            return Answer(self._ended(tool), False)
        return future.result()

    def close(self) -> None:
        """End the session and the server's processes. Closing twice is fine."""
        self._why_gone = self._why_gone or "it was closed"
        if self._ready.is_set():
            self._signal(lambda: self._stop.set())
            self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            self._signal(lambda: self._task.cancel())
            self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive() and self._group:
            end_group(self._group)
        self._over.set()

    def describe(self) -> str:
        """Say what this reaches, in a line."""
        settings = self.settings
        where = settings.url or " ".join(word.rsplit("/", 1)[-1] for word in (settings.command, *settings.args))
        trust = "trusted: its read-only tools run together" if settings.trusted else "its calls run one at a time"
        return f"MCP server {self.name}: {len(self.tools)} tools, {trust} ({where})"

    def _signal(self, what: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(what)
        except (AttributeError, RuntimeError):  # it never began, or it is over
            return

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + self.around.connect_seconds
        while not self._ready.wait(LOOK_SECONDS):
            if self._over.is_set():
                break
            if time.monotonic() > deadline or self.around.cancelled.is_set():
                self._why_gone = f"it did not answer within {self.around.connect_seconds:g} seconds"
                break
        if not self._ready.is_set():
            self.close()
            raise ServerError(f"the MCP server {self.name} cannot be used: {self._why_gone}{self._last_words()}")

    def _last_words(self) -> str:
        last = next((line for line in reversed(self.said) if line.strip()), "")
        return f" (it said: {without_controls(last)[:200]})" if last else ""

    def _ended(self, tool: RemoteTool) -> str:
        why = self._why_gone or self._trouble or "it ended"
        return f"{tool.remote} gave no answer: the server {self.name} is gone, {why}{self._last_words()}"

    # What follows runs in the server's own thread.

    def _run(self) -> None:
        try:
            asyncio.run(self._live())
        except BaseException as error:
            self._why_gone = self._why_gone or _reason(error)
        finally:
            self._over.set()

    async def _live(self) -> None:
        """Open the session, list the tools, and stay until closed. The whole session lives in this one task."""
        from mcp.client import Client

        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._task: Any = asyncio.current_task()
        options = {"message_handler": self._heard, "cache": None}
        try:
            async with Client(self._transport(), **options) as self._client:
                await self._list()
                listening = asyncio.create_task(self._follow_changes())
                self._ready.set()
                await self._stop.wait()
                listening.cancel()
        finally:
            for waiting in self._in_flight:
                if not waiting.done():
                    waiting.set_result("the session ended")

    def _transport(self) -> Any:
        settings = self.settings
        if settings.url:
            # The deadlines of a call and of the start come first; this one is for what nobody waits for any more.
            seconds = max(settings.timeout, self.around.call_seconds, self.around.connect_seconds) + 5
            return http_transport(settings.url, settings.headers, seconds, self._note_trouble)
        command = [settings.command, *settings.args]
        environment = {**self.around.environment, **settings.env}
        return process_transport(command, environment, settings.cwd or None, self.said.append, self._note_group)

    def _note_trouble(self, why: str) -> None:
        self._trouble = f"it sent {why}" if not why.startswith("no ") else f"it gave {why}"

    def _note_group(self, group: int) -> None:
        self._group = group

    async def _heard(self, message: Any) -> None:
        """Notifications, and what was no message: a line that is not JSON is a server's stray print, and no fault."""
        from mcp_types import ToolListChangedNotification

        if isinstance(message, TooLarge):
            self._note_trouble(str(message))
            if not self._ready.is_set():
                self._why_gone = self._trouble
                self._task.cancel()
            for waiting in self._in_flight:
                if not waiting.done():
                    waiting.set_result(f"it sent {message}")
        elif isinstance(message, ToolListChangedNotification):
            self._refresh()

    async def _follow_changes(self) -> None:
        """From the protocol of 2026-07-28 on, a change of the list is told to those who listen."""
        from mcp.client.subscriptions import ListenNotSupportedError
        from mcp.shared.exceptions import MCPError

        tools = self._client.server_capabilities.tools
        if not (tools and tools.list_changed):
            return
        try:
            async with self._client.listen(tools_list_changed=True) as changes:
                async for _ in changes:
                    self._refresh()
        except (ListenNotSupportedError, MCPError, TimeoutError, RuntimeError):
            return  # an older server: it sends notifications, which _heard takes

    def _refresh(self) -> None:
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.create_task(self._list_again())

    async def _list_again(self) -> None:
        before = self.tools
        try:
            await asyncio.wait_for(self._list(), self.around.connect_seconds)
        except Exception as error:  # the list as it was stays in force
            self.said.append(f"[its list of tools changed, and could not be read again: {_reason(error)}]")
        if self.tools != before:
            self.on_change()

    async def _list(self) -> None:
        """Read the list of tools, page by page; a paginator that never ends is cut off."""
        listed: list[Any] = []
        cursor, pages = None, 0
        while pages == 0 or cursor and len(listed) < MOST_TOOLS and pages < MOST_TOOLS:
            page = await self._client.list_tools(cursor=cursor)
            listed += page.tools
            cursor, pages = page.next_cursor, pages + 1
        self.tools, self.left_out = read_tools(self.name, listed, trusted=self.settings.trusted)

    async def _call(self, tool: RemoteTool, arguments: Mapping[str, Any]) -> Answer:
        """Ask, and wait for the answer or for what makes an answer impossible."""
        self._trouble = ""
        fault: asyncio.Future[str] = self._loop.create_future()
        self._in_flight.add(fault)
        progress = _Progress(f"{self.name} {tool.remote}", self.around.tell)
        asked = asyncio.ensure_future(self._request(tool, arguments, progress))
        try:
            await asyncio.wait({asked, fault}, return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                return Answer(f"{tool.remote} gave no answer: the server {self.name} failed, {fault.result()}", False)
            answer = self._read(tool, asked)
            if self._refreshing and not self._refreshing.done():  # what is offered next must be the new list
                await asyncio.wait({self._refreshing}, timeout=5)
            return answer
        finally:
            asked.cancel()
            self._in_flight.discard(fault)

    async def _request(self, tool: RemoteTool, arguments: Mapping[str, Any], progress: _Progress) -> Any:
        """Send the call. The SDK's own call_tool would also check a structured result against the schema that the
        server gave for it: a pattern that backtracks in there holds this whole process, beyond every time limit."""
        from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult, InputRequiredResult
        from pydantic import TypeAdapter

        params = CallToolRequestParams(name=tool.remote, arguments=restore(arguments, tool.schema))
        read: Any = TypeAdapter(CallToolResult | InputRequiredResult)
        return await self._client.session.send_request(CallToolRequest(params=params), read, progress_callback=progress)

    def _read(self, tool: RemoteTool, asked: asyncio.Future[Any]) -> Answer:
        error = asked.exception()
        if error is not None:
            return Answer(self._explained(tool, error), False)
        result = asked.result()
        if not hasattr(result, "content"):
            wanted = "an answer of a model or a person, which no server is given here"
            return Answer(f"{tool.remote} was not done: the server {self.name} asks for {wanted}", False)
        text = text_of(result)
        return Answer(f"{tool.remote} failed: {text}" if result.is_error else text, not result.is_error)

    def _explained(self, tool: RemoteTool, error: BaseException) -> str:
        """Say in a sentence what the SDK made of what the server did."""
        from mcp.shared.exceptions import MCPError
        from mcp_types import CONNECTION_CLOSED

        closed = isinstance(error, MCPError) and error.code == CONNECTION_CLOSED
        if closed and not self.settings.url:
            return f"{tool.remote} gave no answer: the server {self.name} ended{self._last_words()}"
        why = self._trouble or without_controls(_reason(error))[:500]
        return f"{tool.remote} failed: the server {self.name} answered with an error: {why}"


class _Progress:
    """Turns a server's progress into lines for the person, a few of many."""

    def __init__(self, called: str, tell: Callable[[str], None]) -> None:
        self.called, self.tell, self.last = called, tell, 0.0

    async def __call__(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        now = time.monotonic()
        if now - self.last < PROGRESS_SECONDS:
            return
        self.last = now
        of = f"{progress:g} of {total:g}" if total else f"{progress:g}"
        text = without_controls(message or "")[:200]
        self.tell(f"{self.called}: {of}{f', {text}' if text else ''}")


def _reason(error: BaseException) -> str:
    """The first plain reason in whatever was raised; groups are what task groups make of one."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError):
        return f"there is no program {error.filename!r}"
    if isinstance(error, asyncio.CancelledError):
        return "it was closed"
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
