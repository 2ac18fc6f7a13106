"""The real agent in place of the learner's delegate(): its tool and its loop, over real HTTP, with the check's tools.
Its agents have no limit of their own but what is left of the caller's: the lesson's eight turns are set here."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agent.contracts import ToolCall
from agent.run import Run
from call_functions import run_calls
from config import Settings
from functions.tool import Tool
from jobs.job import Job
from jobs.subagents import Caller, subagent, used_by
from lessons import fake_model
from lessons.fake_model import Say
from main import run_agent
from offline.script import Step, fail
from sandbox.files.root import Root

READS = {"list_files", "read_file", "search"}
MOST_TURNS = 8
Model = Callable[[list[dict[str, Any]], list[str]], dict[str, Any]]
Tools = dict[str, Callable[..., str]]


class Refused(Say):
    """What a server says that will not answer."""

    def step(self, turn: int) -> Step:
        return fail(400, self.text)


def made(name: str, function: Callable[..., str]) -> Tool:
    anything = {"type": "object", "properties": {"file_path": {"type": "string"}}, "required": []}
    schema = {"name": name, "parameters": anything}
    return Tool(name, lambda root, **given: function(**given), schema, name in READS)


@contextmanager
def calling(model: Model, tools: Tools, budget: dict[str, int], depth: int) -> Iterator[Run]:
    """A run that has called nothing yet; what its agents use is taken from the budget at the end."""

    def decide(body: dict[str, Any]) -> Say:
        try:
            said = model(body["messages"], [each["function"]["name"] for each in body["tools"]])
        except Exception as error:
            return Refused(str(error))
        calls = [(call["function"]["name"], call["function"]["arguments"]) for call in said.get("tool_calls", ())]
        return Say(said["content"], tuple(calls))

    offered = [made(*each) for each in tools.items()]
    job = Job("lesson", "helps", "", "You are in a lesson.", lambda resources: offered)
    offered.append(subagent(job, reads_only=True, name="ask"))
    with fake_model.serve(decide) as server, tempfile.TemporaryDirectory() as folder, Root(folder) as root:
        left = min(MOST_TURNS, budget["turns"]) or -1  # for which 0 is no limit
        settings = Settings(lmstudio_base_url=f"{server.address}/v1", max_iters=left)
        run = job.begin("lmstudio", root, settings)
        run.resources["caller"] = Caller(run_agent, settings, run, depth)
        yield run
        budget["turns"] -= used_by(run)[0]


def delegate(task: str, model: Model, tools: Tools, budget: dict[str, int], depth: int) -> str:
    return delegate_all([task], model, tools, budget, depth)[0]


def delegate_all(tasks: Sequence[str], model: Model, tools: Tools, budget: dict[str, int], depth: int) -> list[str]:
    calls = [ToolCall(f"c{number}", "ask", json.dumps({"task": task})) for number, task in enumerate(tasks)]
    with calling(model, tools, budget, depth) as run:
        return [result.content for result in run_calls(calls, run)]
