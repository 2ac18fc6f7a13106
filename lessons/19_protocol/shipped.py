"""The real agent in place of the learner's answer(): its MCP server, over two pipes, with the check's tools."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import threading
from typing import Any

from doors import mcp_server
from agent.run import Run
from agent.setup import Setup
from functions import ToolError
from functions.tool import Catalogue, Tool
from jobs.job import job_named
from sandbox.files.root import Root

STREAMS: list[Any] = []


class Session:
    """The server in a thread, as it runs for a client: messages go in at `write`, answers come out at `read`."""

    def __init__(self) -> None:
        (server_reads, ours), (mine, server_writes) = os.pipe(), os.pipe()
        self.write, self.read = os.fdopen(ours, "w", encoding="utf-8"), os.fdopen(mine, encoding="utf-8")
        sys.stdin = os.fdopen(server_reads, encoding="utf-8")
        sys.stdout = os.fdopen(server_writes, "w", encoding="utf-8")
        STREAMS.extend((sys.stdin, sys.stdout))  # one that is collected would be closed, and wait for its reader
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        dispatch, menu = sys.modules["dispatch"], sys.modules["menu"]
        with tempfile.TemporaryDirectory() as folder, Root(folder) as root:
            catalogue = Catalogue(tool(name, menu.schema(given)) for name, given in dispatch.TOOLS.items())
            run = Run(Setup("mcp", root, catalogue=catalogue))
            asyncio.run(mcp_server.speak(mcp_server.server_of(run, job_named("coder"))))

    def send(self, message: dict[str, Any]) -> Any:
        print(json.dumps(message), file=self.write, flush=True)
        return json.loads(self.read.readline()) if "id" in message else None


def tool(name: str, schema: dict[str, Any]) -> Tool:
    def run(root: Root, **given: Any) -> str:
        text = sys.modules["dispatch"].call_tool(name, json.dumps(given))
        return ToolError(text.removeprefix("Error: ")) if text.startswith("Error: ") else text

    return Tool(name, run, schema, True)


session: Session | None = None


def answer(message: dict[str, Any]) -> Any:
    global session
    session = session or Session()
    return session.send(message)
