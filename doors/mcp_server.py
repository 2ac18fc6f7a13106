"""Our tools as an MCP server: python -m doors.mcp_server --workdir DIR [--job NAME], over standard input and output.

Any client (an editor, a desktop program, the protocol's inspector) can use Glassbox's tools with it: the same checks,
the same walls, the same working directory held open. What may change something is annotated as destructive, so that a
client asks before it calls.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":  # started by its path, as other programs start a server
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from config import VERSION, ConfigError, load_settings, need

if TYPE_CHECKING:
    from agent.contracts import ToolResult
    from agent.run import Run

ALONE = threading.Lock()  # held by a call that may change something: a client may send several at once
AT_WORK = threading.Lock()  # held while it is looked at, or changed, which one that is


def main(arguments: list[str]) -> int:
    """Serve until the client closes the connection; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m doors.mcp_server", description=__doc__.splitlines()[0])
    parser.add_argument("--workdir", required=True, metavar="DIR", help="the directory that the tools work in")
    parser.add_argument("--job", default="coder", metavar="NAME", help="whose tools are offered (default: the coder's)")
    parser.add_argument("--allow-unconfined", action="store_true", help="run code also where no wall can hold it in")
    options = parser.parse_args(arguments)
    try:
        need("mcp", "mcp")
        serve(options)
    except ConfigError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def serve(options: argparse.Namespace) -> None:
    from jobs import job_named
    from session import opened

    settings = load_settings({"working_directory": options.workdir, "llm_provider": "lmstudio"})
    with opened(
        settings,
        job_named(options.job),
        tell=lambda line: print(line, file=sys.stderr),
        unconfined=lambda provider: options.allow_unconfined,
    ) as session:
        asyncio.run(speak(session.begin()))


async def speak(run: Run) -> None:
    """Answer what the client asks: the list of tools, and calls of them, each in a thread of its own."""
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server
    from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

    async def list_tools(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(
            tools=[
                Tool(
                    name=tool.name,
                    description=tool.schema["description"],
                    input_schema=tool.parameters,
                    annotations=ToolAnnotations(
                        read_only_hint=tool.reads_only is True, destructive_hint=tool.reads_only is not True
                    ),
                )
                for tool in run.catalogue.values()
            ]
        )

    async def call_tool(context: Any, params: Any) -> CallToolResult:
        gone = threading.Event()
        try:
            content, ok = await asyncio.to_thread(called, run, params.name, params.arguments or {}, gone)
        except asyncio.CancelledError:  # the client wants no answer any more
            end(run, gone)
            raise
        return CallToolResult(content=[TextContent(text=content)], is_error=not ok)

    server = Server("glassbox", version=VERSION, on_list_tools=list_tools, on_call_tool=call_tool)
    # What a tool or a library prints must not stand between two messages of the protocol.
    async with stdio_server() as (read, write):
        with contextlib.redirect_stdout(sys.stderr):
            await server.run(read, write, server.create_initialization_options())


def called(run: Run, name: str, arguments: Mapping[str, Any], gone: threading.Event) -> tuple[str, bool]:
    """Run one call as the agent's loops do; return its text and whether it went well. Where the client is `gone`
    before its turn, nothing is done."""
    from agent.contracts import ToolCall
    from call_functions import run_calls

    call = ToolCall("call", name, arguments)
    if run.catalogue.reads_only(call):
        return read(run_calls([call], run)[0])
    with ALONE:
        with AT_WORK:
            if gone.is_set():
                return "it was cancelled", False
            run.root.cancelled.clear()
            run.resources["at work"] = gone
        try:
            return read(run_calls([call], run)[0])
        finally:
            with AT_WORK:
                run.resources.pop("at work")


def read(result: ToolResult) -> tuple[str, bool]:
    return result.content.removeprefix("Error: ") if not result.ok else result.content, result.ok


def end(run: Run, gone: threading.Event) -> None:
    """End the call whose client has gone: code that it runs is stopped, and where it waits for its turn it has none."""
    from call_functions import cancel

    with AT_WORK:
        gone.set()
        if run.resources.get("at work") is gone:
            cancel(run.resources)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
