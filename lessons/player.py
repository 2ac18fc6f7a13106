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

    `recording`: `prompt`, `answer`, and `turns`, each with `at` and `replied_at` (seconds), `sent` (the messages of
    the request), `reply` (the model's message) and `calls`: `id`, `start`, `end`, `ok`, `content`. `ended`: why, where
    there was no answer.
    """
    shutil.rmtree(folder, ignore_errors=True)
    run_folder = folder / FOLDER
    run_folder.mkdir(parents=True)
    trace = Trace(run_folder, {"prompt": recording["prompt"], "provider": "lessons", "working_directory": "my_agent"})
    with Root(run_folder) as root:
        run = Retold(Setup("lessons", root), [trace])
        run.started(recording["prompt"], "a scripted model")
        tell(run, recording)
        run.finish(recording.get("ended", "answered"), recording["answer"])
    trace.close()
    return write_page([run_folder])


def tell(run: Retold, recording: dict[str, Any]) -> None:
    known: dict[str, dict[str, Any]] = {}
    for turn in recording["turns"]:
        run.now = turn["at"]
        sent = list(told(run, known, turn["sent"]))
        run.asking()
        run.request("openai", {"messages": sent})
        run.now = turn["replied_at"]
        [message] = told(run, known, [turn["reply"]])
        calls = [
            ToolCall(call["id"], call["function"]["name"], call["function"]["arguments"])
            for call in message.get("tool_calls") or ()
        ]
        run.replied(Reply(message.get("content") or "", tuple(calls), TokenUsage(), "stop", message))
        by_id = {call.id: call for call in calls}
        moments = [(call["start"], 0, call) for call in turn["calls"]] + [
            (call["end"], 1, call) for call in turn["calls"]
        ]
        for at, ended, call in sorted(moments, key=lambda moment: moment[:2]):
            run.now = at
            if not ended:
                run.call_started(by_id[call["id"]])
                continue
            seconds = call["end"] - call["start"]
            run.call_finished(ToolResult(by_id[call["id"]], call["content"], call["ok"], seconds))


def told(run: Run, known: dict[str, dict[str, Any]], messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each message as the one object that it is in the run's record; a new one is told."""
    for message in messages:
        text = json.dumps(message, sort_keys=True)
        if text not in known:
            known[text] = message
            run.message(message)
        yield known[text]
