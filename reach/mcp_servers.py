"""The MCP servers of a session: opened together, each in its own thread, closed together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from config import ConfigError, need
from reach.mcp_server import McpServer, ServerError, Surroundings
from reach.mcp_settings import ServerSettings, servers_from
from reach.mcp_tools import tokens_of

if TYPE_CHECKING:
    from reach.mcp_prompts import RemotePrompt


MOST_LISTED = 2_000  # characters of a line that lists a server's prompts


class Servers:
    """The servers that the person named, in that order."""

    def __init__(self, sources: Sequence[str], around: Surroundings, variable: Callable[[str], str | None]) -> None:
        """Start all of them at the same time. Raises ConfigError for what cannot be read, and where none of them can be
        used; where some can, `broken` says what is wrong with the others."""
        need("mcp", "mcp")
        settings = servers_from(sources, variable)
        self.broken: list[str] = []
        self._wanted = around.wanted
        self._filled = [secret for each in settings for secret in each.secrets.values()]
        self._opened: dict[str, McpServer] = {}
        try:
            with ThreadPoolExecutor(max_workers=max(1, len(settings))) as executor:
                try:
                    list(executor.map(lambda each: self._open(each, around), settings))
                except BaseException:  # Ctrl-C: nobody waits for a server that is still starting
                    around.cancelled.set()
                    raise
        except BaseException:
            self._servers = list(self._opened.values())
            self.close()
            raise
        self._servers = [self._opened[each.name] for each in settings if each.name in self._opened]
        if settings and not self._servers:
            raise ConfigError(" ".join(self.broken))
        try:
            self._refuse_the_same_names()
        except ConfigError:
            self.close()
            raise

    def _refuse_the_same_names(self) -> None:
        offered: dict[str, str] = {}
        for name, server in ((tool.name, each.name) for each in self._servers for tool in each.tools):
            if name in offered:
                raise ConfigError(
                    f"the MCP servers {offered[name]!r} and {server!r} both have a tool that would be called {name!r}. "
                    "Give one of the servers another name."
                )
            offered[name] = server

    def _open(self, settings: ServerSettings, around: Surroundings) -> None:
        try:
            self._opened[settings.name] = McpServer(settings, around)
        except ServerError as error:
            self.broken.append(f"{str(error)[0].upper()}{str(error)[1:]}.")

    @property
    def secrets(self) -> list[str]:
        """What no trace may hold: what was filled into settings, and the tokens that there are now."""
        return [*self._filled, *(secret for server in self._servers for secret in server.secrets.values())]

    def __iter__(self) -> Iterator[McpServer]:
        return iter(self._servers)

    def prompts(self) -> dict[str, tuple[McpServer, RemotePrompt]]:
        """Every prompt by what the person types, with its server; the first where two would be typed alike."""
        found: dict[str, tuple[McpServer, RemotePrompt]] = {}
        for server in self._servers:
            for prompt in server.prompts:
                found.setdefault(prompt.name, (server, prompt))
        return found

    def close(self) -> None:
        if self._servers:
            with ThreadPoolExecutor(max_workers=len(self._servers)) as executor:
                list(executor.map(McpServer.close, self._servers))

    def about(self) -> list[str]:
        """Lines for the person: each server with what its tools cost, and what cannot be used."""
        lines = [*self.broken]
        offered = [tool.name for server in self._servers for tool in server.tools]
        for pattern in self._wanted:
            if not any(fnmatchcase(name, pattern) for name in offered):
                lines.append(f"--mcp-tools {pattern}: no server has such a tool (they are called SERVER__TOOL).")
        for server in self._servers:
            lines.append(f"{server.describe()}; about {tokens_of(server.tools):,} tokens in each request.")
            lines += server.left_out
            if server.prompts:
                lines.append(f"Its prompts: {', '.join(prompt.usage() for prompt in server.prompts)}."[:MOST_LISTED])
            if server.settings.ignored:
                lines.append(
                    f"MCP server {server.name}: left aside of its entry: {', '.join(server.settings.ignored)}."
                )
        return lines

    def describe(self) -> str:
        return "; ".join(server.describe() for server in self._servers)

    def follow(self, changed: Callable[[], None]) -> None:
        """Have `changed` called, from a server's thread, whenever a list of tools is another one."""
        for server in self._servers:
            server.follow(changed)

    def said(self) -> dict[str, list[str]]:
        """What each has written to standard error since this was last asked."""
        lines: dict[str, list[str]] = {}
        for server in self._servers:
            if server.session.said:
                lines[server.name] = [server.session.said.popleft() for _ in range(len(server.session.said))]
        return lines
