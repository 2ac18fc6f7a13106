"""The session with an MCP server, in the event loop where it lives.

The official SDK speaks the protocol; what it makes of a server's faults becomes one Answer a call here.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from reach import mcp_prompts, mcp_resources
from reach.mcp_oauth import Login
from reach.mcp_results import text_of
from reach.mcp_schema import restore
from reach.mcp_shapes import WrongShape
from reach.mcp_tools import MOST_TOOLS, RemoteTool, offered_name, read_tools
from reach.mcp_transport import TooLarge, http_transport, process_transport
from sandbox.files.unusual import without_controls

if TYPE_CHECKING:
    from reach.mcp_server import Surroundings
    from reach.mcp_settings import ServerSettings

PROGRESS_SECONDS = 0.5  # between two lines of progress that are shown
LINES_KEPT = 200  # of standard error
Called = RemoteTool | mcp_prompts.RemotePrompt
THE_PERSON = "an answer of the person"
MOST_ROUNDS = 5  # in which one call may ask the person


class Answer(NamedTuple):
    """What one call gave: the text for the model, and whether the tool did what it was asked."""

    text: str
    ok: bool


class Session:
    """One session, from the start of the server to its end. Its methods run in its event loop, but for `said`, `tools`,
    `prompts` and `left_out`, which anyone may read."""

    def __init__(self, settings: ServerSettings, around: Surroundings) -> None:
        self.settings, self.around = settings, around
        self.tools: tuple[RemoteTool, ...] = ()
        self.left_out: tuple[str, ...] = ()
        self.prompts: tuple[mcp_prompts.RemotePrompt, ...] = ()
        self.on_change: Callable[[], None] = lambda: None
        self.said: deque[str] = deque(maxlen=LINES_KEPT)
        self.group = 0  # of the server's processes
        self.why_gone = ""
        self.lost = False  # no call can reach the server any more
        self.protocol = ""
        self._trouble = ""  # the last thing that went wrong below the session
        self._listed = False
        self.asking = 0  # questions that wait for the person
        self.login: Login | None = None
        self._client: Any = None
        self._in_flight: set[asyncio.Future[str]] = set()
        self._refreshing: asyncio.Task[None] | None = None

    async def live(self, ready: Callable[[], None]) -> None:
        """Open the session, list the tools, and stay until closed. The whole session lives in this one task; `loop`,
        `stop` and `task` are how others reach it."""
        from mcp.client import Client

        self.loop, self.stop = asyncio.get_running_loop(), asyncio.Event()
        self.task: Any = asyncio.current_task()
        options: dict[str, Any] = {"message_handler": self._heard, "cache": None}
        if self.around.ask:  # or a server is told that it may ask
            options["elicitation_callback"] = self._elicited
        try:
            async with Client(self._transport(), **options) as self._client:
                await self._list()
                self.protocol = str(self._client.protocol_version)
                self._listed = True
                listening = asyncio.create_task(self._follow_changes())
                ready()
                await self.stop.wait()
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
            return http_transport(settings.url, settings.headers, seconds, self._note_trouble, self._login_at())
        command = [settings.command, *settings.args]
        environment = {**self.around.environment, **settings.env}
        return process_transport(command, environment, settings.cwd or None, self.said.append, self._note_group)

    def _login_at(self) -> Login | None:
        """The login at a server whose entry does not say who asks."""
        folder = self.around.logins
        if folder is None or any(name.lower() == "authorization" for name in self.settings.headers):
            return None
        self.login = Login(self.settings, folder, self.around.login, self._asked)
        return self.login

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """While the person thinks, the clocks of the start and of calls stand still."""
        self.asking += 1
        try:
            yield
        finally:
            self.asking -= 1

    def _note_trouble(self, why: str) -> None:
        self._trouble = f"it sent {why}" if not why.startswith("no ") else f"it gave {why}"

    def _note_group(self, group: int, mark: str) -> None:
        self.group, self.mark = group, mark

    async def _heard(self, message: Any) -> None:
        """Notifications, and what was no message: a line that is not JSON is a server's stray print, and no fault."""
        from mcp_types import ToolListChangedNotification

        if isinstance(message, TooLarge | WrongShape):
            self._note_trouble(str(message))
            if not self._listed:
                self.why_gone = self._trouble
                self.task.cancel()
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
            self.said.append(f"[its list of tools changed, and could not be read again: {reason(error)}]")
        if self.tools != before:
            self.on_change()

    async def _list(self) -> None:
        """Read the list of tools, page by page."""
        listed, cut_off = await mcp_resources.every(self._client.list_tools, "tools", MOST_TOOLS)
        wanted = [tool for tool in listed if self._is_wanted(tool.name)]
        tools, self.left_out = read_tools(self.settings.name, wanted, trusted=self.settings.trusted)
        if cut_off:
            self.left_out += (
                f"what the MCP server {self.settings.name} lists after its first {len(listed)} tools is"
                f" left out: its list had not ended after {mcp_resources.MOST_PAGES} pages.",
            )
        if self._is_wanted(mcp_resources.NAME):
            reads = await mcp_resources.tool_for(self._client, self.settings.name, trusted=self.settings.trusted)
            tools += tuple(each for each in reads if all(tool.name != each.name for tool in tools))
        self.prompts = await mcp_prompts.prompts_of(self._client, self.settings.name)
        self.tools = tools

    def _is_wanted(self, name: str) -> bool:
        """Whether the person's file, and what was asked for with --mcp-tools, let this tool be offered."""
        include, exclude = self.settings.include, self.settings.exclude
        if name in exclude or include and name not in include:
            return False
        patterns, offered = self.around.wanted, offered_name(self.settings.name, name)
        return not patterns or any(fnmatchcase(offered, pattern) for pattern in patterns)

    async def call(self, tool: Called, arguments: Mapping[str, Any]) -> Answer:
        """Ask, and wait for the answer or for what makes an answer impossible."""
        self._trouble = ""
        fault: asyncio.Future[str] = self.loop.create_future()
        self._in_flight.add(fault)
        progress = _Progress(f"{self.settings.name} {tool.remote}", self.around.tell)
        asked = asyncio.ensure_future(self._request(tool, arguments, progress))
        try:
            await asyncio.wait({asked, fault}, return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                return Answer(
                    f"{tool.remote} gave no answer: the server {self.settings.name} failed, {fault.result()}", False
                )
            answer = self._read(tool, asked)
            if self._refreshing and not self._refreshing.done():  # what is offered next must be the new list
                await asyncio.wait({self._refreshing}, timeout=5)
            return answer
        finally:
            asked.cancel()
            self._in_flight.discard(fault)

    async def _request(self, tool: Called, arguments: Mapping[str, Any], progress: _Progress) -> Any:
        """Send the call. The SDK's own call_tool would also check a structured result against the schema that the
        server gave for it: a pattern that backtracks in there holds this whole process, beyond every time limit."""
        from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult, InputRequiredResult
        from pydantic import TypeAdapter

        if isinstance(tool, mcp_prompts.RemotePrompt):
            return await mcp_prompts.get(self._client, tool, arguments)
        if tool.resources:
            return await mcp_resources.read(self._client, str(arguments.get("uri", "")))
        sent = {"name": tool.remote, "arguments": restore(arguments, tool.schema)}
        read: Any = TypeAdapter(CallToolResult | InputRequiredResult)
        more: dict[str, Any] = {}
        for _ in range(MOST_ROUNDS):
            request = CallToolRequest(params=CallToolRequestParams(**sent, **more))
            result = await self._client.session.send_request(request, read, progress_callback=progress)
            asked = getattr(result, "input_requests", None) or {}
            if not asked or not self.around.ask or any(asked_for(each) != THE_PERSON for each in asked.values()):
                return result
            answers = {name: await self._elicited(None, each.params) for name, each in asked.items()}
            more = {"input_responses": answers, "request_state": result.request_state}
        return result

    async def _elicited(self, context: Any, params: Any) -> Any:
        """What the person answers to a server's question. The clock of the call stands still meanwhile."""
        from mcp_types import ElicitResult

        form = getattr(params, "requested_schema", None)
        if form is None or not self.around.ask:
            self.around.tell(f"{self.settings.name}: it wants an address opened, which is not done from here")
            return ElicitResult(action="decline")
        with self._asked():
            given = [self.settings.name, str(params.message), form, self.around.cancelled]
            values = await asyncio.to_thread(self.around.ask, *given)
        return ElicitResult(action="decline") if values is None else ElicitResult(action="accept", content=values)

    def _read(self, tool: Called, asked: asyncio.Future[Any]) -> Answer:
        error = asked.exception()
        if error is not None:
            return Answer(self._explained(tool, error), False)
        result = asked.result()
        if not hasattr(result, "content"):
            asked = {asked_for(each) for each in (result.input_requests or {}).values()}
            wanted = " and ".join(sorted(asked)) or "to be asked again"
            self.around.tell(f"{self.settings.name} {tool.remote}: it asks for {wanted}, which no server is given here")
            return Answer(
                f"{tool.remote} was not done: the server {self.settings.name} asks for {wanted}, which no server is "
                "given here. Go on without it",
                False,
            )
        text = text_of(result)
        return Answer(f"{tool.remote} failed: {text}" if result.is_error else text, not result.is_error)

    def _explained(self, tool: Called, error: BaseException) -> str:
        """Say in a sentence what the SDK made of what the server did."""
        from mcp.shared.exceptions import MCPError
        from mcp_types import CONNECTION_CLOSED

        code, message = (error.code, error.message) if isinstance(error, MCPError) else (0, "")
        if message == "Session terminated":  # 404: it knows the session no more
            self.why_gone, self.lost = "it had forgotten the session", True
            return f"{tool.remote} was not done: {self.why_gone}. Make the call again: a new one is begun"
        closed = code == CONNECTION_CLOSED
        self.lost |= closed and (not self.settings.url or message == "Connection closed")
        if closed and not self.settings.url:
            self.why_gone = f"it ended{self.last_words()}"
            return f"{tool.remote} gave no answer: the server {self.settings.name} ended{self.last_words()}"
        why = self._trouble or without_controls(reason(error))[:500]
        return f"{tool.remote} failed: the server {self.settings.name} answered with an error: {why}"

    def last_words(self) -> str:
        last = next((line for line in reversed(self.said) if line.strip()), "")
        return f" (it said: {without_controls(last)[:200]})" if last else ""

    def ended(self, tool: Called) -> str:
        why = self.why_gone or self._trouble or "it ended"
        return f"{tool.remote} gave no answer: the server {self.settings.name} is gone, {why}{self.last_words()}"


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


def asked_for(request: Any) -> str:
    """What a server wants of its client before it answers, in words."""
    words = {"sampling/createMessage": "an answer of a model", "roots/list": "the person's folders"}
    return words.get(getattr(request, "method", ""), THE_PERSON)


def reason(error: BaseException) -> str:
    """The first plain reason in whatever was raised; groups are what task groups make of one."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError):
        return f"there is no program {error.filename!r}"
    if isinstance(error, asyncio.CancelledError):
        return "it was closed"
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
