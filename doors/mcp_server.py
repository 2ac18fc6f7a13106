"""Our tools as an MCP server: python -m doors.mcp_server --workdir DIR [--job NAME], over standard input and output, or
over HTTP with --http PORT (mcp_http.py). The files of the directory are its resources, the job is its prompt
(mcp_offers.py).

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
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":  # started by its path, as other programs start a server
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from config import VERSION, ConfigError, load_settings, need
from doors.mcp_offers import Files, Prompts

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from agent.contracts import ToolResult
    from agent.run import Run
    from jobs.job import Job

ALONE = threading.Lock()  # held by a call that may change something: a client may send several at once
AT_WORK = threading.Lock()  # held while it is looked at, or changed, which one that is
PROGRESS_SECONDS = 1.0  # between two notifications that a call is still at work, to a client that asked for them


def main(arguments: list[str]) -> int:
    """Serve until the client closes the connection; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m doors.mcp_server", description=__doc__.splitlines()[0])
    parser.add_argument("--workdir", required=True, metavar="DIR", help="the directory that the tools work in")
    parser.add_argument("--job", default="coder", metavar="NAME", help="whose tools are offered (default: the coder's)")
    parser.add_argument("--allow-unconfined", action="store_true", help="run code also where no wall can hold it in")
    parser.add_argument("--http", type=port, metavar="PORT", help="over HTTP, on this machine alone; 0: a free port")
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


def port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 2**16):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: it must be a number from 0 to 65535")
    return int(text)


def serve(options: argparse.Namespace) -> None:
    from jobs.job import job_named
    from session import opened, read_instructions

    settings = load_settings({"working_directory": options.workdir, "llm_provider": "lmstudio"})
    with opened(
        settings,
        job_named(options.job),
        tell=lambda line: print(line, file=sys.stderr),
        unconfined=lambda provider: options.allow_unconfined,
    ) as session:
        run = session.begin(instructions=read_instructions(session.root)[0])
        server = server_of(run, session.job)
        if options.http is None:
            asyncio.run(speak(server))
            return
        from doors.mcp_http import listen

        asyncio.run(listen(server, options.http, settings.mcp_token))


async def speak(server: Server) -> None:
    """Answer the one client at standard input and output until it has gone."""
    from mcp.server.stdio import stdio_server

    # What a tool or a library prints must not stand between two messages of the protocol.
    async with stdio_server() as (read, write):
        with contextlib.redirect_stdout(sys.stderr):
            await server.run(read, write, server.create_initialization_options())


def server_of(run: Run, job: Job) -> Server:
    """Return the SDK's server that answers what a client asks; each call of a tool works in a thread of its own."""
    from mcp.server.lowlevel import Server
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
        gone, began = threading.Event(), time.monotonic()
        working = asyncio.create_task(
            asyncio.to_thread(called, run, params.name, params.arguments or {}, gone), name=f"call {params.name[:80]}"
        )
        try:
            while not (await asyncio.wait({working}, timeout=PROGRESS_SECONDS))[0]:
                seconds = round(time.monotonic() - began, 1)
                await context.session.report_progress(seconds, message=f"{params.name} is at work for {seconds:.0f} s")
        finally:
            if not working.done():  # the client wants no answer any more, or is not there to get one
                end(run, gone)
        content, ok = working.result()
        return CallToolResult(content=[TextContent(text=content)], is_error=not ok)

    files, prompts = Files(run.root), Prompts(job, run)
    return Server(
        "glassbox",
        version=VERSION,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=files.listed,
        on_list_resource_templates=files.templates,
        on_read_resource=files.read,
        on_list_prompts=prompts.listed,
        on_get_prompt=prompts.got,
    )


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
            run.resources["at work"] = gone
        try:
            return read(run_calls([call], run)[0])
        finally:
            with AT_WORK:
                run.resources.pop("at work")
                for held in run.resources.values():  # this call alone was cancelled, and git and databases heed it too
                    if isinstance(cancelled := getattr(held, "cancelled", None), threading.Event):
                        cancelled.clear()


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
