"""What lessons 15 and 19 ask of the walk: a small API over real HTTP, and the real agent as a client of MCP."""

from __future__ import annotations

import json
import runpy
import shlex
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lessons.course import LESSONS

WIRE = LESSONS / "15_api" / "given_wire.py"
NO_MCP = "the package mcp is not installed; it comes with: uv sync --extra mcp"
CALL_SECONDS = 10


def api(method: str, path: str, headers: dict[str, str], key: str, rows: list[Any]) -> dict[str, Any]:
    """Send one request, as the lesson's wire.py does, to a server that gives `rows` to whoever has the key. Returns
    status and text, and what was heard on either side."""
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            allowed = self.headers.get("Authorization") == f"Bearer {key}"
            status, said = (200, rows) if allowed else (401, {"detail": "a key is needed"})
            shown = [f"> {name}: {value}" for name, value in self.headers.items() if name == "Authorization"]
            heard.extend([f"> {self.requestline}", *shown, f"< {status} {json.dumps(said)}"])
            data = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        send = runpy.run_path(str(WIRE))["send"]
        status, text = send(method, f"http://127.0.0.1:{server.server_port}/{path.lstrip('/')}", headers)
        server.shutdown()
    return {"status": status, "text": text, "heard": heard}


def operator(bridge: str, task: str) -> dict[str, Any]:
    """Let the real agent do a task with the learner's MCP server, which answers through the folder `bridge`, and with
    the built-in model. Returns its answer and its calls, or what is missing here."""
    folder = Path(bridge)
    scratch = folder.resolve().parent.parent
    if folder.resolve() != folder or not scratch.name.startswith("lesson-") or folder.parent.name != "work":
        raise ValueError("the bridge must be a folder of the lesson's own")
    if not find_spec("mcp"):
        return {"missing": NO_MCP}
    from doors.api import Agent, AgentConfig

    server = shlex.join([sys.executable, "-I", str(LESSONS / "bridge.py"), str(folder)])
    with tempfile.TemporaryDirectory() as empty:
        settings = {"mcp_seconds": CALL_SECONDS}
        result = Agent(AgentConfig(job="operator", mcp=(server,), working_directory=empty, settings=settings)).run(task)
    story = [f"call       {call['name']} {json.dumps(call['arguments'])}" for call in result.tool_calls]
    return {"answer": result.answer or f"stopped: {result.stop_reason}", "story": story}
