"""A job that another can call: a tool whose result is the answer of a run of its own.

The run stands in the caller's trace, works in the same directory behind the same walls, asks the same person, is
stopped with its caller, and has what is left of its caller's limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from agent.contracts import AgentResult
from agent.events import Event
from agent.run import Run
from config import Settings
from functions import ToolError
from functions.tool import Tool
from jobs.job import Job

DEEPEST = 3  # agents below one another
LEFT_OUT = frozenset(("text", "thought", "request"))  # pieces of what comes whole, and what repeats it
SPENT = "nothing of this run's limits is left for another agent; answer from what you have"


@dataclass
class Caller:
    """What such a tool holds: how a model is asked, the settings, the run that called, how deep that stands, and the
    runs of the agents that it asked, which end with it."""

    loop: Callable[[str, Settings, Run], AgentResult]
    settings: Settings
    run: Run
    depth: int = 0
    below: list[Run] = field(default_factory=list)

    @property
    def cancelled(self) -> Caller:
        return self

    def set(self) -> None:
        for run in self.below:
            run.stop()


class Below(NamedTuple):
    """Something that happened in the run of an agent below."""

    name: str
    job: str
    event: Mapping[str, Any]
    at: float = 0.0
    kind: str = "subagent"


def subagent(job: Job, *, reads_only: bool, name: str = "", description: str = "") -> Tool:
    """Return a tool that hands a task to an agent of another job. `reads_only`: of that job's tools it gets only those
    that change nothing, and then several may work at once."""
    name = name or f"ask_{job.name}"
    text = description or f"Hand a task to another agent, which {job.does}. It knows nothing but what you write to it."
    task = {"type": "string", "description": "The whole task, with all that is needed to know"}
    parameters = {"type": "object", "properties": {"task": task}, "required": ["task"]}

    def ask(caller: Caller, task: str) -> str:
        if not task.strip():
            return ToolError("the task is empty; write what is to be done")
        return delegated(caller, job, name, task, reads_only=reads_only)

    schema = {"name": name, "description": text, "parameters": parameters}
    return Tool(name=name, function=ask, schema=schema, reads_only=reads_only, resource="caller")


def delegated(caller: Caller, job: Job, name: str, task: str, *, reads_only: bool) -> str:
    """Run the task and return its answer."""
    parent = caller.run
    settings = left_of(caller.settings, caller)
    if settings is None or caller.depth >= DEEPEST:
        return ToolError(SPENT if settings is None else f"agents may stand {DEEPEST} below one another, and no deeper")

    def tell(event: Event) -> None:
        if event.kind not in LEFT_OUT:
            parent.emit(Below(name, job.name, {"kind": event.kind, **event._asdict()}))

    with job.opens(settings, parent.root, parent.notice) as resources:
        asks = parent.setup.approve
        run = job.begin(parent.provider, parent.root, settings, [tell], resources=resources, approve=asks)
        below = run.resources["caller"] = Caller(caller.loop, caller.settings, run, caller.depth + 1)
        if reads_only:
            run.catalogue.replace([tool for tool in run.catalogue.values() if tool.reads_only is True])
        caller.below.append(run)
        parent.stopped_by(run.stop)
        run.stopped_by(below.set)
        parent.go_on()  # it may have been stopped before it could be told
        result = caller.loop(task, settings, run)
    parent.tokens = parent.tokens + result.tokens
    if result.stop_reason in ("answered", "max_iters", "max_calls") and result.answer:
        return result.answer
    why = "; ".join(result.errors) or result.stop_reason
    return ToolError(f"the agent of {name} gave no answer ({why}). {result.answer}".strip())


def left_of(settings: Settings, caller: Caller) -> Settings | None:
    """What the limits still allow, None for nothing: those of the caller, less what it and its agents have used."""
    parent, turns, calls = caller.run, *used_by(caller.run)
    tokens = sum((run.tokens for run in caller.below if not run.over), parent.tokens)
    used: dict[str, int] = {
        "max_iters": turns,
        "max_calls": calls,
        "max_input_tokens": tokens.input or 0,
        "max_output_tokens": tokens.output or 0,
        "max_seconds": int(parent.seconds),
    }
    left: dict[str, Any] = {
        name: getattr(settings, name) - each for name, each in used.items() if getattr(settings, name)
    }
    return replace(settings, **left) if all(each > 0 for each in left.values()) else None


def used_by(run: Run) -> tuple[int, int]:
    """The turns and calls of a run and of those below it."""
    below = [used_by(each) for each in run.resources["caller"].below]
    return run.turns + sum(each[0] for each in below), len(run.trajectory) + sum(each[1] for each in below)
