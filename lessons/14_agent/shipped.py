"""The real agent in place of the learner's: run_agent of main.py, with the check's ask() as its server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from config import Settings
from jobs import coder
from lessons import fake_model
from lessons.fake_model import Say
from main import run_agent
from sandbox.files.root import Root

MAX_TURNS = 20


def agent(ask: Callable[..., dict[str, Any]], task: str, root: str) -> str:
    def decide(body: dict[str, Any]) -> Say:
        said = ask(body["messages"], body.get("tools", []))
        calls = said.get("tool_calls") or ()
        given = [(call["function"]["name"], call["function"]["arguments"]) for call in calls]
        return Say(said.get("content") or "", tuple(given))

    with fake_model.serve(decide) as server, Root(root) as held:
        settings = Settings(lmstudio_base_url=f"{server.address}/v1", max_iters=MAX_TURNS)
        result = run_agent(task, settings, coder.JOB.begin("lmstudio", held, settings))
    return result.answer or f"stopped: {result.stop_reason}"
