"""A prompt that begins with the name of one of an MCP server's own: /issues:triage severity=high."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

from config import ConfigError
from functions.misfit import suggestion

if TYPE_CHECKING:
    from reach.mcp_prompts import RemotePrompt
    from reach.mcp_servers import Servers

NAMED = re.compile(r"/(?P<name>(?P<server>[\w.-]+):[\w./-]*)(?:\s+(?P<arguments>.*))?", re.DOTALL | re.ASCII)
MOST_SHOWN = 1_000  # characters of what a server wrote; the run's page has all of it


def names_one(text: str, servers: Servers) -> bool:
    """Whether a text begins as a prompt of one of the servers does, whether or not the server has it."""
    found = NAMED.fullmatch(text.strip())
    return bool(found) and any(name.startswith(f"{found['server']}:") for name in servers.prompts())


def prompted(text: str, servers: Servers) -> tuple[str, str]:
    """Return what the model is told in place of a text that names a server's prompt, and what the person is told of
    it; any other text as it is. Raises ConfigError for a prompt that is not there, for arguments that it does not
    take or needs, and where the server refuses."""
    if not names_one(text, servers):
        return text, ""
    found, prompts = NAMED.fullmatch(text.strip()), servers.prompts()
    assert found
    name = found["name"]
    if name not in prompts:
        raise ConfigError(f"there is no prompt /{name}{suggestion(name, prompts)}. {listed(prompts)}")
    server, prompt = prompts[name]
    answer = server.call(prompt, arguments_of(prompt, found["arguments"] or ""))
    if not answer.ok:
        raise ConfigError(f"the prompt /{name} cannot be used: {answer.text}.")
    from reach.mcp_prompts import bounded

    wrote = bounded(answer.text)
    part = f"{wrote[:MOST_SHOWN]}\n[and {len(wrote) - MOST_SHOWN:,} more]" if len(wrote) > MOST_SHOWN else wrote
    return wrote, f"What the MCP server {server.name} wrote for /{name}, and the model is told:\n{part}"


def arguments_of(prompt: RemotePrompt, text: str) -> dict[str, str]:
    """The values by name that were typed, quoted as in a shell. Raises ConfigError that shows how it is typed."""
    usage = f"Type {prompt.usage()}"
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ConfigError(f"the arguments of /{prompt.name} cannot be read ({error}). {usage}") from None
    values: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in prompt.arguments or name in values:
            takes = ", ".join(prompt.arguments) or "none"
            raise ConfigError(f"/{prompt.name} does not take {word!r}; its arguments are: {takes}. {usage}")
        values[name] = value
    missing = [name for name, needed in prompt.arguments.items() if needed and name not in values]
    if missing:
        raise ConfigError(f"/{prompt.name} needs {' and '.join(missing)}. {usage}")
    return values


def listed(prompts: Mapping[str, object]) -> str:
    return f"There are {', '.join(f'/{name}' for name in prompts)}"
