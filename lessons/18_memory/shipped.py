"""The real agent in place of the learner's fit() and to_send(): the auditor's own, with the lesson's state in place of
the summary of an audit."""

from __future__ import annotations

import copy
import csv
import tempfile
from pathlib import Path
from typing import Any

from agent.contracts import TokenUsage, ToolCall, ToolResult
from agent.run import Run
from functions.auditor import summary
from functions.auditor.audit import Audit
from jobs.auditing import memory
from jobs.auditing.store import Store
from providers import openai_messages
from sandbox.files.root import Root
from sandbox.reach.database import open_database


def fit(lines: list[str], room: int) -> list[str]:
    return summary.fit(lines, room, "earlier")


def to_send(messages: list[dict[str, Any]], state: str) -> list[dict[str, Any]]:
    memory.summary = lambda *_: state  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as folder:
        with (Path(folder) / "visits.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("id", "age"), (1, 40)])
        with Root(folder) as root, open_database(f"{folder}/visits.csv", lambda line: None) as database:
            audit = Audit(database, database.collections()[0])
            held = {"database": database, "audit": audit, "store": Store(f"{folder}/audits.sqlite")}
            return sent(copy.deepcopy(messages), Run("lmstudio", root, held=held))


def sent(messages: list[dict[str, Any]], run: Run) -> list[dict[str, Any]]:
    """Let the memory live through the run, with a request before each message of the model, and return the last."""
    kept = memory.StateMemory(run, openai_messages)
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
