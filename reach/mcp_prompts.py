"""A server's prompts: texts that the person starts a run with, as /server:prompt argument=value.

What a server writes there is the person's message to the model, so that a person must be able to see all of it: it is
bounded, and every character that no screen shows is spelt out.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from reach.mcp_resources import LOOK_SECONDS, every

MOST = 200  # prompts of one server
LONGEST = 20_000  # characters of one; about 5,000 tokens
UNTYPED = re.compile(r"[^\w./-]", re.ASCII)  # what no name has that the person types


@dataclass(frozen=True)
class RemotePrompt:
    """A prompt of a server. `name` is what the person types after "/", `remote` what the server calls it; `arguments`
    are by name whether they are needed."""

    name: str
    remote: str
    arguments: Mapping[str, bool]

    def usage(self) -> str:
        """What the person types, arguments that may be left out in brackets."""
        words = [f"{name}=..." if needed else f"[{name}=...]" for name, needed in self.arguments.items()]
        return " ".join([f"/{self.name}", *words])


async def prompts_of(client: Any, server: str) -> tuple[RemotePrompt, ...]:
    """The prompts that a server has now, the first where two would be typed alike; none of one that does not answer."""
    if not client.server_capabilities.prompts:
        return ()
    found: dict[str, RemotePrompt] = {}
    with suppress(Exception):  # whatever it is: the server's tools are there all the same
        listed, _ = await asyncio.wait_for(every(client.list_prompts, "prompts", MOST), LOOK_SECONDS)
        for each in listed[:MOST]:
            name = f"{UNTYPED.sub('_', server)}:{UNTYPED.sub('_', each.name)[:64]}"
            arguments = {UNTYPED.sub("_", one.name)[:64]: bool(one.required) for one in each.arguments or ()}
            found.setdefault(name, RemotePrompt(name, each.name, arguments))
    return tuple(found.values())


async def get(client: Any, prompt: RemotePrompt, arguments: Mapping[str, Any]) -> Any:
    """Return what the server makes of a prompt as the result of a call. Raises the SDK's error where it refuses."""
    from mcp_types import CallToolResult, GetPromptRequest, GetPromptResult, InputRequiredResult, TextContent
    from mcp_types import GetPromptRequestParams as Params
    from pydantic import TypeAdapter

    answer: Any = TypeAdapter(GetPromptResult | InputRequiredResult)
    request = GetPromptRequest(params=Params(name=prompt.remote, arguments=dict(arguments)))
    result = await client.session.send_request(request, answer)
    if not hasattr(result, "messages"):
        return result
    blocks: list[Any] = []
    for message in result.messages:
        blocks += [TextContent(text="[as the agent:]")] if message.role == "assistant" else []
        blocks.append(message.content)
    return CallToolResult(content=blocks or [TextContent(text="it wrote nothing")], is_error=not blocks)


def bounded(text: str) -> str:
    """The text as a person can see it, the first LONGEST characters."""
    seen = "".join(c if c in "\n\t" or c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return seen if len(seen) <= LONGEST else f"{seen[:LONGEST]}\n[cut here, after {LONGEST:,} characters]"
