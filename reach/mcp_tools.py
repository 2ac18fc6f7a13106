"""A server's list of tools as it can be offered to a model: unique names, translated schemas, plain descriptions."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reach.mcp_schema import Untranslatable, translate
from sandbox.files.unusual import without_controls

MOST_TOOLS = 1_000  # of one server
LONGEST_NAME = 64  # characters, letters, digits, "_" and "-": what OpenAI's wire takes, and Gemini's takes it too
LONGEST_DESCRIPTION = 1_500  # characters
SEPARATOR = "__"


@dataclass(frozen=True)
class RemoteTool:
    """A tool of a server. `name` is what the model calls it, `remote` what the server does; `schema` is the server's
    own, `parameters` what a model is shown of it. `reads_only` is only ever true of a server that is trusted. With
    `resources` it is no tool of the server's, but reads its resources (mcp_resources.py)."""

    name: str
    remote: str
    description: str
    parameters: Mapping[str, Any]
    schema: Mapping[str, Any]
    reads_only: bool = False
    destructive: bool = True
    resources: bool = False


def read_tools(server: str, listed: Iterable[Any], *, trusted: bool) -> tuple[tuple[RemoteTool, ...], tuple[str, ...]]:
    """Return the tools that can be offered, in the server's order, and a sentence for each that cannot."""
    tools: dict[str, RemoteTool] = {}
    left_out: list[str] = []
    for each in listed:
        called = f"the tool {without_controls(each.name)[:80]!r} of the MCP server {server} is left out"
        name = offered_name(server, each.name)
        if len(tools) == MOST_TOOLS:
            left_out.append(f"{called}, as all others after the first {MOST_TOOLS}.")
            break
        if any(tool.remote == each.name for tool in tools.values()):
            left_out.append(f"{called}: it is listed twice, and the first counts.")
            continue
        if getattr(each.execution, "task_support", None) == "required":
            left_out.append(f"{called}: it runs only as a task, which the protocol has dropped again.")
            continue
        try:
            parameters = translate(each.input_schema)
        except Untranslatable as problem:
            left_out.append(f"{called}: {problem}.")
            continue
        hints = each.annotations
        tools[name] = RemoteTool(
            name=name,
            remote=each.name,
            description=_plain(each.description or each.title or each.name),
            parameters=parameters,
            schema=each.input_schema,
            reads_only=trusted and bool(hints and hints.read_only_hint),
            destructive=not (hints and hints.destructive_hint is False),
        )
    return tuple(tools.values()), tuple(left_out)


def offered_name(server: str, tool: str) -> str:
    """Return `server__tool` in the characters and the length that both wires take, and no other tool's name."""
    whole = f"{server}{SEPARATOR}{tool}"
    name = re.sub(r"[^A-Za-z0-9_-]", "_", whole)
    if not name[0].isalpha() and name[0] != "_":
        name = f"_{name}"
    if name == whole and len(name) <= LONGEST_NAME:
        return name
    mark = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{name[: LONGEST_NAME - 7]}_{mark}"


def _plain(text: str) -> str:
    text = "\n".join(without_controls(line) for line in text.splitlines()).strip()
    return text if len(text) <= LONGEST_DESCRIPTION else f"{text[:LONGEST_DESCRIPTION]} [cut]"


def tokens_of(tools: Sequence[RemoteTool]) -> int:
    """Roughly what the tools' descriptions and schemas cost with every request, at four characters a token."""
    return sum(len(tool.name) + len(tool.description) + len(str(tool.parameters)) for tool in tools) // 4
