"""Runs a loop against the fault server, in this process and through the real SDK, and keeps what was seen."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agent.contracts import AgentResult
from agent.events import Event
from cli.arguments import EXIT_LIMIT
from cli.desk import EXIT_CODES
from config import Settings
from jobs import coder
from offline.script import GEMINI, OPENAI, Step
from offline.scripted import ScriptedServer, serving
from sandbox.files.root import Root

FILES = {
    "a.txt": "alpha\n",
    "b.txt": "beta\n",
    "run.py": "print('ran')\n",
    "long.txt": "".join(f"line {number} of the long file\n" for number in range(1, 301)),
}


@dataclass
class Seen:
    """A finished run, seen from outside."""

    wire: str
    root: Path
    result: AgentResult
    requests: list[dict[str, Any]]
    events: list[Event] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        return EXIT_CODES.get(self.result.stop_reason, EXIT_LIMIT)

    @property
    def told(self) -> str:
        """Every line that the person was told beside the answer."""
        return "\n".join(event.text for event in self.events if event.kind in ("notice", "error"))

    @property
    def outputs(self) -> list[str]:
        return [call["result"] for call in self.result.tool_calls]

    def history(self, request: int = -1) -> list[dict[str, Any]]:
        return self.requests[request]["messages" if self.wire == OPENAI else "contents"]

    def answers(self, request: int = -1) -> list[str]:
        """The contents of all tool results that a request sends back, in order."""
        if self.wire == OPENAI:
            return [each["content"] for each in self.history(request) if each["role"] == "tool"]
        parts = [part for content in self.history(request) for part in content["parts"]]
        return [next(iter(p["functionResponse"]["response"].values())) for p in parts if "functionResponse" in p]

    def last_said(self, request: int = -1) -> str:
        """The text of the last message in the person's role."""
        last = self.history(request)[-1]
        return last["content"] if self.wire == OPENAI else "".join(part.get("text", "") for part in last["parts"])

    def offers_tools(self, request: int = -1) -> bool:
        """Whether the model may call one; they stand in every request, so that a server's cache holds."""
        body = self.requests[request]
        assert body.get("tools")
        mode = body.get("toolConfig", {}).get("functionCallingConfig", {}).get("mode")
        return body.get("tool_choice", mode or "auto").lower() != "none"


def settings_for(wire: str, address: str, **changes: Any) -> Settings:
    base = Settings(lmstudio_base_url=f"{address}/v1", gemini_base_url=address, gemini_api_key="x")
    return replace(base, **changes)


def loop_of(wire: str) -> Callable[..., AgentResult]:
    if wire == GEMINI:
        from providers.gemini import run_agent
    else:
        from main import run_agent
    return run_agent


def run_against(server: ScriptedServer, wire: str, root: Path, *, prompt: str = "Do it.", **changes: Any) -> Seen:
    """Run one prompt with the server that is already there."""
    root.mkdir(exist_ok=True)
    for name, text in FILES.items():
        if not (root / name).exists():
            (root / name).write_text(text)
    events: list[Event] = []
    with Root(root) as held:
        settings = settings_for(wire, server.address, **changes)
        result = loop_of(wire)(prompt, settings, coder.JOB.begin(wire, held, settings, [events.append]))
    check_invariants(result, events)
    return Seen(wire, root, result, server.requests, events)


def run_script(script: list[Step], wire: str, root: Path, native: Any = None, **changes: Any) -> Seen:
    with serving(*script, native=native) as server:
        return run_against(server, wire, root, **changes)


def check_invariants(result: AgentResult, events: list[Event]) -> None:
    """What holds for every run, whatever the server did."""
    json.dumps(result.to_json(), ensure_ascii=False).encode("utf-8", "backslashreplace")
    assert [event.kind for event in events].count("finished") == 1
    assert events[-1].kind == "finished"
    assert "Traceback" not in " ".join(result.errors)
    if result.stop_reason == "provider_error":
        assert result.errors
