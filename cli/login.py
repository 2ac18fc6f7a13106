"""Logins at MCP servers: what the person is shown of one, and --mcp-login and --mcp-logout."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cli.desktop import open_privately
from cli.screen.terminal import one_line
from config import ConfigError, Settings, need, variable
from reach.handed_on import plain_environment
from reach.mcp_logins import logins_of

if TYPE_CHECKING:
    from reach.mcp_settings import ServerSettings

WANTED = "The MCP server {name} wants you to log in at {host}. Open this address; Ctrl-C ends the wait (5 minutes):"


class Shown:
    """Called with a server's name and the address where one logs in: shows both, and opens a browser at a terminal."""

    def __init__(self, line: Callable[[str], object], folder: Path) -> None:
        self._line, self._folder = line, folder

    def __call__(self, server: str, address: str) -> None:
        host = urlsplit(address).hostname or ""
        self._line(WANTED.format(name=one_line(server), host=one_line(host)))
        say(one_line(address))  # past the screen, which would break it into lines
        if sys.stderr.isatty():
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            open_privately(address, self._folder)


def somebody_there(options: argparse.Namespace) -> bool:
    """Whether a run is at a terminal, where a person sees an address and can open it."""
    return not options.json and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def login(settings: Settings, options: argparse.Namespace) -> int:
    """Log in at a server, and keep that for the runs after it. Raises ConfigError where nobody is logged in then."""
    need("mcp", "mcp")
    from reach.mcp_logins import path_of
    from reach.mcp_server import McpServer, ServerError, Surroundings

    folder = logins_of(settings)
    shown = Shown(say, folder)
    named = server_named(settings, options.mcp_login)
    around = Surroundings(plain_environment(), threading.Event(), say, logins=folder, login=shown)
    try:
        server = McpServer(named, around)
    except ServerError as error:
        raise ConfigError(f"{error}.") from None
    server.close()
    kept = path_of(folder, named.url)
    if kept.exists():
        say(f"You are logged in at {named.url}, which has {len(server.tools)} tools. The login is kept in {kept}.")
    else:
        say(f"{named.url} has {len(server.tools)} tools, and asks nobody to log in.")
    return 0


def logout(settings: Settings, options: argparse.Namespace) -> int:
    """Delete what is kept of the login at a server. What it knows itself of that ends when its token does."""
    from reach.mcp_logins import path_of

    address = server_named(settings, options.mcp_logout).url
    try:
        path_of(logins_of(settings), address).unlink()
    except FileNotFoundError:
        raise ConfigError(f"no login at {address} is kept.") from None
    except OSError as error:
        raise ConfigError(f"the login at {address} cannot be deleted ({error.strerror}).") from None
    say(f"The login at {address} is not kept any more.")
    return 0


def server_named(settings: Settings, named: str) -> ServerSettings:
    """The server of an address, or the one of this name among those of --mcp. Raises ConfigError."""
    from reach.mcp_settings import ServerSettings, servers_from

    servers = [each for each in servers_from(settings.mcp, variable) if each.url]
    if urlsplit(named).scheme in ("http", "https"):
        servers = [each for each in servers if each.url == named] or [ServerSettings(named, url=named)]
    else:
        servers = [each for each in servers if each.name == named]
    if not servers:
        raise ConfigError(
            f"no MCP server {named!r} with an address is named with --mcp or GLASSBOX_MCP; one logs in at such alone. "
            "Give its address: --mcp-login https://..."
        )
    return servers[0]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
