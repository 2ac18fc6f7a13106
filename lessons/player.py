"""The learner's own run in the project's trace player: what a check recorded, told again as the events of a run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agent.contracts import Reply, TokenUsage, ToolCall, ToolResult
from agent.run import Run
from agent.setup import Setup
from records.page import write_page
from records.trace import Trace
from sandbox.files.root import Root

FOLDER = "20000101-000000"  # the name of a run, which the page's readers expect


class Retold(Run):
    """A run whose clock is set by hand, since it has happened already."""

    now = 0.0

    @property
    def seconds(self) -> float:
        return self.now


def write_player(folder: Path, recording: dict[str, Any]) -> Path:
    """Write the page for a recording into a folder, which is made anew; return its path. Raises OSError.

    `recording`: `prompt`, `answer`, `model` (who replied), `told` (kind of step -> who did it, as in
    lessons/recorded.py), and `turns`, each with `sent` (the messages of the request), maybe `tools`, `reply` (the
    model's message) and `calls`: `id`, `ok`, `content`. Where they were measured: a turn's `at` and `replied_at`, a
    call's `start` and `end`, in seconds. `ended`: why, where there was no answer.
    """
    shutil.rmtree(folder, ignore_errors=True)
    run_folder = folder / FOLDER
    run_folder.mkdir(parents=True)
    trace = Trace(run_folder, {"prompt": recording["prompt"], "provider": "lessons", "working_directory": "my_agent"})
    with Root(run_folder) as root:
        run = Retold(Setup("lessons", root), [trace])
        run.started(recording["prompt"], recording["model"])
        tell(run, recording)
        run.finish(recording.get("ended", "answered"), recording["answer"])
    trace.close()
    told = recording["told"]
    kinds = {"answer": told["model"], "failed": told["call"], **told}
    return write_page([run_folder], explained={kind: {"did": did} for kind, did in kinds.items()})


def tell(run: Retold, recording: dict[str, Any]) -> None:
    known: dict[str, dict[str, Any]] = {}
    for turn in recording["turns"]:
        run.now = turn.get("at", run.now)
        sent = list(told(run, known, turn["sent"]))
        run.asking()
        run.request("openai", {"messages": sent, **({"tools": turn["tools"]} if turn.get("tools") else {})})
        run.now = turn.get("replied_at", run.now)
        [message] = told(run, known, [turn["reply"]])
        calls = [
            ToolCall(call["id"], call["function"]["name"], call["function"]["arguments"])
            for call in message.get("tool_calls") or ()
        ]
        run.replied(Reply(message.get("content") or "", tuple(calls), TokenUsage(), "stop", message))
        by_id = {call.id: call for call in calls}
        spans = {call["id"]: (call.get("start", run.now), call.get("end", run.now)) for call in turn["calls"]}
        # Of calls that share a span, only when all of them were done was measured: none has a time of its own.
        own = len(set(spans.values())) == len(spans)
        moments = [(spans[call["id"]][ended], ended, call) for call in turn["calls"] for ended in (0, 1)]
        for at, ended, call in sorted(moments, key=lambda moment: moment[:2]):
            run.now = at
            if not ended:
                run.call_started(by_id[call["id"]])
                continue
            start, end = spans[call["id"]]
            run.call_finished(ToolResult(by_id[call["id"]], call["content"], call["ok"], end - start if own else 0.0))


def told(run: Run, known: dict[str, dict[str, Any]], messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each message as the one object that it is in the run's record; a new one is told."""
    for message in messages:
        text = json.dumps(message, sort_keys=True)
        if text not in known:
            known[text] = message
            run.message(message)
        yield known[text]
