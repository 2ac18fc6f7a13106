"""The real agent in place of the learner's fit() and to_send(): the auditor's own, with the lesson's state in place of
the summary of an audit."""

from __future__ import annotations

import copy
import csv
import tempfile
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

from agent.contracts import TokenUsage, ToolCall, ToolResult
from agent.run import Run
from agent.setup import Setup
from jobs.auditor import summary
from jobs.auditor.audit import Audit
from jobs.auditor import memory
from jobs.auditor.store import Store
from providers import openai_wire
from sandbox.files.root import Root
from reach.database import open_database

HELD_OPEN = ExitStack()


def fit(lines: list[str], room: int) -> list[str]:
    return summary.fit(lines, room, "earlier")


def to_send(messages: list[dict[str, Any]], state: str) -> list[dict[str, Any]]:
    memory.summary = lambda *_: state  # type: ignore[assignment]
    root, resources = opened()
    return sent(copy.deepcopy(messages), Run(Setup("lmstudio", root, resources=dict(resources))))


@cache
def opened() -> tuple[Root, dict[str, Any]]:
    """A table of one row, and an audit of it; both end with this process."""
    folder = Path(tempfile.mkdtemp(dir=Path.cwd()))
    with (folder / "visits.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "age"), (1, 40)])
    database = HELD_OPEN.enter_context(open_database(str(folder / "visits.csv"), lambda line: None))
    audit = Audit(database, database.collections()[0])
    return Root(folder), {"database": database, "audit": audit, "store": Store(str(folder / "audits.sqlite"))}


def sent(messages: list[dict[str, Any]], run: Run) -> list[dict[str, Any]]:
    """Let the memory live through the run, with a request before each message of the model, and return the last."""
    kept = memory.StateMemory(run, openai_wire)
    run.started(messages[1]["content"], "a scripted model")
    for message in messages:
        if message["role"] == "assistant":
            kept.fit()
            run.turns += 1
            kept.append(message)
            kept.counted(TokenUsage(1, 1))
        elif message["role"] == "tool":
            call = ToolCall(message["tool_call_id"], "get_stats", "{}")
            kept.append_results([message], [ToolResult(call, message["content"], True, 0.0)])
        else:
            kept.append(message)
    return kept.fit()
