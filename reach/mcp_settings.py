"""Which MCP servers the person named: a file in the format that other clients use, a command, or an address."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from config import ConfigError

VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
UNKNOWN_VARIABLE = re.compile(r"\$\{[^}]*\}")
KEYS = frozenset(
    (
        *("command", "args", "env", "cwd", "url", "headers", "oauth", "trusted", "timeout", "type", "disabled"),
        *("include", "exclude"),
    )
)
OTHER_NAMES = {  # what other clients call the same: Gemini CLI and qwen-code, Windsurf, Cline
    "httpUrl": "url",
    "serverUrl": "url",
    "trust": "trusted",
    "includeTools": "include",
    "excludeTools": "exclude",
    "disabledTools": "exclude",
}
IGNORED = frozenset(  # what other clients ask or show a person by: Cline, Cursor, VS Code, Gemini CLI, Windsurf, Claude
    (
        *("autoApprove", "alwaysAllow", "envFile", "description", "name", "icon", "dev", "gallery", "version"),
        *("authProviderType", "disabledReason", "timeoutMs", "metadata", "note", "tags", "auth", "sandboxEnabled"),
    )
)
MILLISECONDS = 1000  # a timeout from here on is in these, as Gemini CLI, qwen-code and VS Code have it
SSE = (
    "{called} is of the type SSE, the older transport that the protocol has dropped. It is not spoken here: name the "
    "server's address for streamable HTTP, which often ends in /mcp."
)
BESIDE_JSON = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/|,(?=\s*[\]}])', re.DOTALL)  # a text, or what goes
SHORTEST_SECRET = 6  # characters; a shorter value stands in too many texts to be taken out of them
LARGEST_FILE = 2**20  # bytes


class Client(NamedTuple):
    """As whom this program logs in at a server that registers no client by itself: what its owner was given when they
    registered it, and the port of 127.0.0.1 that they named there, 0 for any."""

    id: str
    secret: str = ""
    port: int = 0


@dataclass(frozen=True)
class ServerSettings:
    """One server: a command to start (`command`, `args`, `env`, `cwd`) or an address (`url`, `headers`).

    `trusted`: the person vouches for what the server says of its tools. `timeout` is in seconds for one call, 0 for the
    session's default. `client` is as whom one logs in there (None: it registers us). `include` are the tools that are
    offered (none named: all), but for those in `exclude`. `ignored` are the words of its entry that have no meaning
    here. `secrets` are the values that were filled in for `${NAME}`, by name.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    client: Client | None = None
    trusted: bool = False
    timeout: float = 0.0
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict)


def servers_from(sources: Sequence[str], variable: Callable[[str], str | None]) -> list[ServerSettings]:
    """Read every `--mcp`: a JSON file, an address, or a command line. `variable` gives the value that `${NAME}` stands
    for, None where there is none. Raises ConfigError, naming the file and the server, for what cannot be used."""
    found: list[ServerSettings] = []
    for source in sources:
        found += _servers_of(source, variable, len(found))
    names = [server.name for server in found]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two MCP servers have the name {name!r}. Give one of them another name.")
    return found


def _servers_of(source: str, variable: Callable[[str], str | None], before: int) -> list[ServerSettings]:
    if urlsplit(source).scheme in ("http", "https"):
        return [ServerSettings(_name_of_address(source, before), url=source)]
    path = Path(source).expanduser()
    if path.is_file() and path.suffix == ".json":
        return _read_file(path, variable)
    try:
        words = shlex.split(source)
    except ValueError as error:
        raise ConfigError(f"--mcp {source!r} is no command line ({error}).") from None
    if len(words) == 1 and words[0].endswith(".json"):
        return _read_file(path, variable)
    if not words:
        raise ConfigError('--mcp needs a file such as mcp.json, an address, or a command such as "python server.py".')
    return [ServerSettings(_name_of_command(words, before), command=words[0], args=tuple(words[1:]))]


def _name_of_address(address: str, before: int) -> str:
    return (urlsplit(address).hostname or f"server{before + 1}").split(".")[0]


def _name_of_command(words: Sequence[str], before: int) -> str:
    """The first word that looks like the server: a script's or a package's name, without what stands around it."""
    wanted = [word for word in words if not word.startswith("-")]
    scripts = [word for word in wanted if word.endswith((".py", ".js", ".mjs", ".ts"))]
    last = Path(scripts[0] if scripts else wanted[-1] if wanted else "").stem
    return re.sub(r"[^A-Za-z0-9_-]+", "-", last).strip("-")[:24] or f"server{before + 1}"


def _read_file(path: Path, variable: Callable[[str], str | None]) -> list[ServerSettings]:
    shape = (
        'It must be {"mcpServers": {"name": {"command": "...", "args": [...]}}}, or have "url" in place of "command"'
    )
    try:
        data = path.read_bytes()
        if len(data) > LARGEST_FILE:
            raise ValueError("it is larger than a megabyte")
        whole = json.loads(without_comments(data.decode("utf-8-sig")))
        named_otherwise = isinstance(whole, dict) and not whole.get("mcpServers") and whole.get("servers")
        servers = named_otherwise or whole["mcpServers"]  # VS Code says "servers"
    except FileNotFoundError:
        raise ConfigError(f"--mcp {path}: there is no such file.") from None
    except OSError as error:
        raise ConfigError(f"--mcp {path} cannot be read ({error.strerror or error}).") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        why = "it has no mcpServers" if isinstance(error, (KeyError, TypeError)) else str(error)
        raise ConfigError(f"--mcp {path} cannot be used: {why}. {shape}.") from None
    if not isinstance(servers, dict) or not all(isinstance(each, dict) for each in servers.values()):
        raise ConfigError(f"--mcp {path} cannot be used: mcpServers must be an object of objects. {shape}.")
    used = {name: each for name, each in servers.items() if not each.get("disabled")}
    return [_Entry(f"--mcp {path}: the server {name!r}", variable).settings(name, each) for name, each in used.items()]


def without_comments(text: str) -> str:
    """JSON as people write it for VS Code and others: without comments, and without a comma after the last."""
    plain = BESIDE_JSON.sub(lambda found: found[1] or "", text)
    return BESIDE_JSON.sub(lambda found: found[1] or "", plain)  # a comma before a comment


class _Entry:
    """One entry of the file while it is read: it knows what it is called in a message, and what it filled in."""

    def __init__(self, called: str, variable: Callable[[str], str | None]) -> None:
        self.called, self.variable = called, variable
        self.secrets: dict[str, str] = {}

    def settings(self, name: str, entry: Mapping[str, Any]) -> ServerSettings:
        client, left = self._client(entry.get("oauth", {}))
        ignored = (*sorted(IGNORED & entry.keys()), *left)
        entry = {OTHER_NAMES.get(key, key): value for key, value in entry.items() if key not in IGNORED}
        if str(entry.get("type", "")).lower() == "sse":
            raise ConfigError(SSE.format(called=self.called))
        for key in entry:
            if key not in KEYS:
                raise ConfigError(f"{self.called} has {key!r}; it may have {', '.join(sorted(KEYS))}.")
        if bool(entry.get("command")) == bool(entry.get("url")):
            raise ConfigError(f"{self.called} needs a command or a url, and not both.")
        address = self._text(entry, "url")
        if address and urlsplit(address).scheme not in ("http", "https"):
            raise ConfigError(f"{self.called} has the url {address!r}, but it must begin with http:// or https://.")
        arguments = entry.get("args", [])
        if not isinstance(arguments, list) or not all(isinstance(each, str) for each in arguments):
            raise ConfigError(f"{self.called} has args that are no list of texts.")
        timeout = entry.get("timeout", 0)
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 <= timeout < 1e6:
            raise ConfigError(f"{self.called} has the timeout {timeout!r}, but it must be a number of seconds.")
        return ServerSettings(
            include=self._names(entry, "include"),
            exclude=self._names(entry, "exclude"),
            ignored=ignored,
            name=name,
            command=self._text(entry, "command"),
            args=tuple(self._filled(each) for each in arguments),
            env=self._texts(entry, "env"),
            cwd=self._text(entry, "cwd"),
            url=address,
            headers=self._texts(entry, "headers"),
            client=client,
            trusted=entry.get("trusted") is True,
            timeout=timeout / 1000 if timeout >= MILLISECONDS else float(timeout),
            secrets=self.secrets,
        )

    def _client(self, entry: Any) -> tuple[Client | None, list[str]]:
        """As whom one logs in, in the words of Claude Code and Gemini CLI, and which of them have no meaning here."""
        if not isinstance(entry, dict):
            raise ConfigError(f'{self.called} has an oauth that is no object such as {{"clientId": "..."}}.')
        port = entry.get("callbackPort", 0)
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < 2**16:
            raise ConfigError(f"{self.called} has the callbackPort {port!r}, but it must be a port, 0 to 65535.")
        known = {"clientId", "clientSecret", "callbackPort"}
        left = [f"oauth.{key}" for key in sorted(entry.keys() - known)]
        name = self._text(entry, "clientId")
        return (Client(name, self._text(entry, "clientSecret"), port) if name else None), left

    def _names(self, entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = entry.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise ConfigError(f"{self.called} has {key} that is no list of tools.")
        return tuple(value)

    def _text(self, entry: Mapping[str, Any], key: str) -> str:
        value = entry.get(key, "")
        if not isinstance(value, str) or "\0" in value:
            raise ConfigError(f"{self.called} has a {key} that is no text.")
        return self._filled(value)

    def _texts(self, entry: Mapping[str, Any], key: str) -> dict[str, str]:
        values = entry.get(key, {})
        if not isinstance(values, dict) or not all(isinstance(each, str) for each in values.values()):
            raise ConfigError(f"{self.called} has {key} that are no texts by name.")
        return {name: self._filled(value) for name, value in values.items()}

    def _filled(self, text: str) -> str:
        """Put the setting of that name in the place of each `${NAME}`, and remember it: it may be a secret. As other
        clients have it, `${NAME:-default}` has a default, and `${env:NAME}` is the same as `${NAME}`."""

        def value(match: re.Match[str]) -> str:
            found = self.variable(match[1]) or match[2]
            if found is None:
                raise ConfigError(f"{self.called} needs ${{{match[1]}}}, which is not set. Put it into .env.")
            if len(found) >= SHORTEST_SECRET:
                self.secrets[match[1]] = found
            return found

        for unknown in UNKNOWN_VARIABLE.findall(VARIABLE.sub("", text)):
            raise ConfigError(f"{self.called} has {unknown}, which only its own client knows. Write out what it means.")
        return VARIABLE.sub(value, text)
