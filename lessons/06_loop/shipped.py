"""The real agent in place of the learner's run(): run_agent of main.py, over real HTTP, with the check's tools."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from config import Settings
from functions.tool import Tool
from jobs.job import Job
from lessons import fake_model
from lessons.fake_model import Say
from main import run_agent
from sandbox.files.root import Root

ANYTHING = {name: {"type": "string"} for name in ("line", "a", "file_path")} | {
    "line": {"type": "integer"},
    "a": {"type": "integer"},
}


def tool(name: str) -> Tool:
    schema = {"name": name, "parameters": {"type": "object", "properties": ANYTHING, "required": []}}
    return Tool(name, lambda root, **given: sys.modules["dispatch"].call_tool(name, json.dumps(given)), schema, False)


def run(model: Callable[[list[dict[str, Any]]], dict[str, Any]], task: str, max_turns: int) -> str:
    tools = [tool(name) for name in ("list_files", "read_file", "run_tests")]
    job = Job("lesson", "", "", "You are in a lesson.", lambda resources: tools)

    def decide(body: dict[str, Any]) -> Say:
        said = model(body["messages"])
        calls = [(call["function"]["name"], call["function"]["arguments"]) for call in said.get("tool_calls", ())]
        return Say(said["content"], tuple(calls))

    with fake_model.serve(decide) as server, tempfile.TemporaryDirectory() as folder, Root(folder) as root:
        settings = Settings(lmstudio_base_url=f"{server.address}/v1", max_iters=max_turns)
        result = run_agent(task, settings, job.begin("lmstudio", root, settings))
    return result.answer if result.stop_reason == "answered" else f"stopped: {result.stop_reason}"
