"""Our server as the suite meets it: python -m bench.conformance.server DIR, which prints its address.

All of it is what `--http` serves, but for the token, which the suite has no way to send. The suite calls tools by names
of its own: those that our server can have at all, as any tool of a person's own, stand here.
"""

from __future__ import annotations

import asyncio
import sys
import time

from config import load_settings
from doors.api import Job, tool
from doors.mcp_http import HOST, PATH, application, bound, run
from doors.mcp_server import PROGRESS_SECONDS, server_of
from session import opened


@tool(reads_only=True)
def test_simple_text() -> str:
    """Return a text."""
    return "This is a simple text response for testing."


@tool(reads_only=True)
def test_error_handling() -> str:
    """Fail."""
    raise RuntimeError("this tool fails on purpose")


@tool(reads_only=True)
def test_tool_with_progress() -> str:
    """Work for as long as three notifications of progress take."""
    time.sleep(3.5 * PROGRESS_SECONDS)
    return "done"


JOB = Job(
    name="conformance",
    does="has the tools that the conformance suite calls",
    example="python -m bench conformance --suite DIR",
    prompt="You are tested.",
    tools=lambda resources: [test_simple_text, test_error_handling, test_tool_with_progress],
)


def main(folder: str) -> None:
    settings = load_settings({"working_directory": folder, "llm_provider": "lmstudio"})
    with opened(settings, JOB) as session, bound(0) as listening:
        port = listening.getsockname()[1]
        listening.listen()  # before it is told: who comes now waits, and is not refused
        print(f"http://{HOST}:{port}{PATH}", flush=True)
        asyncio.run(run(application(server_of(session.begin(), JOB), port), listening))


if __name__ == "__main__":
    main(sys.argv[1])
