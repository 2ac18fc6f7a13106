"""An MCP server as a value that is held: opened once, its tools listed, closed with the run.

The session lives in a thread with an event loop of its own (mcp_session.py); the tools call in from theirs. Whatever a
server does, a call ends in one Answer, at the latest when its time is over or the run is interrupted.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from config import need
from reach.mcp_session import Answer, Session, reason
from reach.mcp_transport import end_group, end_marked

if TYPE_CHECKING:
    from reach.mcp_oauth import Show
    from reach.mcp_prompts import RemotePrompt
    from reach.mcp_session import Called
    from reach.mcp_settings import ServerSettings
    from reach.mcp_tools import RemoteTool

CONNECT_SECONDS = 30.0  # to start, to shake hands and to list its tools; npx may fetch a package first
CALL_SECONDS = 60.0
CLOSE_SECONDS = 4.0
MOST_RESTARTS = 3  # of one server: what dies again and again is not worth the wait
LOOK_SECONDS = 0.1  # between two looks whether the run was interrupted


Ask = Callable[[str, str, Mapping[str, Any], threading.Event], "dict[str, Any] | None"]


class ServerError(Exception):
    """A server cannot be used. The text is a sentence for the person that names the server."""


@dataclass(frozen=True)
class Surroundings:
    """What a server is started with: the environment of its process, the event that ends calls, where lines for the
    person go, the seconds that a call may take, patterns of the tools that are wanted (none: all), and how the person
    is asked for what it wants to know: the server's name, its message, the form and the event; None where nobody is.
    `logins` is the folder of logins (None: there are none), `login` shows the person where to log in, as `ask`."""

    environment: Mapping[str, str]
    cancelled: threading.Event
    tell: Callable[[str], None]
    call_seconds: float = CALL_SECONDS
    connect_seconds: float = CONNECT_SECONDS
    wanted: tuple[str, ...] = ()
    ask: Ask | None = None
    logins: Path | None = None
    login: Show | None = None


class McpServer:
    """One server that the person named. Safe for use from several threads at once."""

    def __init__(self, settings: ServerSettings, around: Surroundings) -> None:
        """Start the server and list its tools. Raises ServerError, and leaves nothing running, where that fails."""
        need("mcp", "mcp")
        for logger in ("mcp", "client"):  # the SDK logs a server's faults with a traceback; ours are sentences
            logging.getLogger(logger).addHandler(logging.NullHandler())
        self.settings, self.around = settings, around
        self.name = settings.name
        self._restarts, self._closed, self._starting = 0, False, threading.Lock()
        self._begin(Session(settings, around))

    def _begin(self, session: Session) -> None:
        self.session = session
        self._ready, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"mcp {self.name}", daemon=True)
        self._thread.start()
        self._wait_until_ready()

    def _begin_again(self) -> str:
        """Start a server that has ended, or open a session anew that it has forgotten; return what the model is to know
        of that, "" where nothing had to be done. Raises ServerError where it does not come back."""
        with self._starting:
            if not (self._over.is_set() or self.session.lost):
                return ""
            if self._closed or self._restarts == MOST_RESTARTS:
                raise ServerError(f"the server {self.name} is not there any more: {self.session.why_gone}")
            self._restarts += 1
            self._end()
            why, followed, before = self.session.why_gone or "it ended", self.session.on_change, self.tools
            self._begin(Session(self.settings, self.around))
            self.session.on_change = followed
            if self.tools != before:
                followed()
        self.around.tell(f"MCP server {self.name} is begun again: {why}.")
        return f"[the server {self.name} was begun again before this call: {why}. What it held in memory is gone]\n"

    @property
    def tools(self) -> tuple[RemoteTool, ...]:
        """What it offers now."""
        return self.session.tools

    @property
    def prompts(self) -> tuple[RemotePrompt, ...]:
        """The prompts that it has now."""
        return self.session.prompts

    @property
    def left_out(self) -> tuple[str, ...]:
        """A sentence for each tool that cannot be offered."""
        return self.session.left_out

    def follow(self, changed: Callable[[], None]) -> None:
        """Have `changed` called, from the server's thread, whenever `tools` are others."""
        self.session.on_change = changed

    def call(self, tool: Called, arguments: Mapping[str, object]) -> Answer:
        """Call one of its tools, or get one of its prompts; wait for the answer, for the time that a call may take, or
        until interrupted."""
        try:
            told = self._begin_again()
        except ServerError as error:
            return Answer(str(error), False)
        seconds = self.settings.timeout or self.around.call_seconds
        calling = self.session.call(tool, arguments)
        try:
            future = asyncio.run_coroutine_threadsafe(calling, self.session.loop)
        except RuntimeError:  # the loop was closed in this moment
            calling.close()
            return self._gone()
        answer = self._answer_of(future, tool, seconds)
        return Answer(told + self._covered(answer.text), answer.ok)

    @property
    def secrets(self) -> dict[str, str]:
        """What was filled into its settings, and the tokens of the login at it, by name."""
        login = self.session.login
        return {**self.settings.secrets, **(login.secrets() if login else {})}

    def _covered(self, text: str) -> str:
        for name, secret in self.secrets.items():
            text = text.replace(secret, f"${{{name}}}")
        return text

    def close(self) -> None:
        """End the session and the server's processes. Closing twice is fine."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        session = self.session
        session.why_gone = session.why_gone or "it was closed"
        if self._ready.is_set():
            self._signal(lambda: session.stop.set())
            self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            self._signal(lambda: session.task.cancel())
            self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive() and session.group:
            end_group(session.group)
            end_marked(session.mark)
        self._over.set()

    def describe(self) -> str:
        """Say what this reaches, in a line."""
        settings = self.settings
        where = settings.url or " ".join(word.rsplit("/", 1)[-1] for word in (settings.command, *settings.args))
        trust = "trusted: its read-only tools run together" if settings.trusted else "its calls run one at a time"
        return f"MCP server {self.name}: {len(self.tools)} tools, {trust} ({where})"

    def _run(self) -> None:
        try:
            asyncio.run(self.session.live(self._ready.set))
        except BaseException as error:
            self.session.why_gone = self.session.why_gone or reason(error)
        finally:
            self._over.set()

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + self.around.connect_seconds
        while not self._ready.wait(LOOK_SECONDS):
            if self._over.is_set():
                break
            if self.session.asking:
                deadline = time.monotonic() + self.around.connect_seconds
            if time.monotonic() > deadline or self.around.cancelled.is_set():
                self.session.why_gone = f"it did not answer within {self.around.connect_seconds:g} seconds"
                break
        if not self._ready.is_set():
            self._end()
            why = f"{self.session.why_gone}{self.session.last_words()}"
            if self.settings.url.rstrip("/").endswith("/sse"):
                why += ". An address that ends in /sse is often of the older transport, which is not spoken here"
            raise ServerError(self._covered(f"the MCP server {self.name} cannot be used: {why}"))

    def _answer_of(self, future: Future[Answer], tool: Called, seconds: float) -> Answer:
        deadline = time.monotonic() + seconds
        while not wait([future], timeout=LOOK_SECONDS).done:
            if self._over.is_set():
                return Answer(self.session.ended(tool), False)
            if self.around.cancelled.is_set():
                future.cancel()
                return Answer(f"{tool.remote} was interrupted", False)
            if self.session.asking:
                deadline = time.monotonic() + seconds
            if time.monotonic() > deadline:
                future.cancel()
                advice = "Whether it did anything is not known: look before you try again"
                return Answer(f"{tool.remote} gave no answer within {seconds:g} seconds. {advice}", False)
        return Answer(self.session.ended(tool), False) if future.cancelled() else future.result()

    def _gone(self) -> Answer:
        return Answer(f"the server {self.name} is not there any more: {self.session.why_gone}", False)

    def _signal(self, what: Callable[[], object]) -> None:
        try:
            self.session.loop.call_soon_threadsafe(what)
        except (AttributeError, RuntimeError):  # it never began, or it is over
            return
