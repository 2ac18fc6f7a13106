"""The tools of MCP servers as tools of a run: the same value as our own, made when a server has said what it offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from functions import ToolError
from functions.tool import Tool
from reach.mcp_server import McpServer
from reach.mcp_tools import RemoteTool
from reach.pages import Pages


def tools_of(servers: Iterable[McpServer], pages: Pages) -> list[Tool]:
    """Return a tool for each that the servers offer now. A call of one that may change something runs alone, and is
    asked for with --ask; what only reads is known of a server alone that the person trusts."""
    return [
        Tool(
            name=tool.name,
            function=_function(server, tool, pages),
            schema={"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
            reads_only=tool.reads_only,
            resource="",
        )
        for server in servers
        for tool in server.tools
    ]


def _function(server: McpServer, tool: RemoteTool, pages: Pages) -> Callable[..., str]:
    def call(**arguments: object) -> str:
        answer = server.call(tool, arguments)
        text = pages.first(answer.text)
        return text if answer.ok else ToolError(text)

    return call
