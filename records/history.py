"""The conversation of a run in a form that belongs to no provider, read back from its trace.

A list of entries, in order: `{"role": "user", "text", "by"}`, where `by` is "person" or "glassbox" (a gate that
objects), `{"role": "model", "text", "calls": [{id, name, arguments}], "native": {wire, message}}` and
`{"role": "results", "results": [{name, content, ok}]}`, one result for each call of the entry before, in call order.
`native` is the model's message as its own wire had it, thought signatures included.
providers/openai_wire.py and gemini_wire.py turn entries into a wire's messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.contracts import NOTE, TEXT_RESULTS, readable_arguments
from records.folders import read_events
from records.steps import text_of

if TYPE_CHECKING:
    from records.fork import Fork

NO_RESULT = "Error: the run was stopped before this call had a result; look before you rely on what it did"
NO_ANSWER = "(I was stopped before I could answer.)"

Entry = dict[str, Any]


def history_of(folder: Path) -> list[Entry]:
    """Return the whole conversation of a run, with the runs that it went on from, such that another prompt can follow:
    every call has its result, and the model had the last word."""
    reader = Reader()
    for event in read_events(folder):
        reader.read(event)
    return reader.settled()


def last_prompt(entries: list[Entry]) -> str:
    """The last thing that the person said; a gate speaks in the person's role, and is none."""
    return next((entry["text"] for entry in reversed(entries) if _is_the_persons(entry)), "")


def _is_the_persons(entry: Entry) -> bool:
    return entry["role"] == "user" and entry.get("by") != "glassbox"


class Reader:
    """Takes a run's trace line by line."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._native: dict[int, Any] = {}
        self._wire = ""
        self._open: dict[str, dict[str, Any]] = {}  # calls of the last reply, by id, each with its result
        self._before: list[Entry] | None = None  # what was said before the first of several tries
        self._tries: dict[int, list[Entry]] = {}

    def read(self, event: dict[str, Any]) -> None:
        kind = event["kind"]
        if kind == "continued":
            self.entries = list(event["conversation"])
        elif kind == "request":
            self._wire = event["wire"]
        elif kind == "message" and not event.get("only_sent"):
            self._message(event)
        elif kind == "replied":
            self._replied(event)
        elif kind == "try":  # each begins anew: it knows nothing of the one before
            self._before = list(self.entries) if self._before is None else self._before
            self.entries = self._tries[event["number"]] = list(self._before)
        elif kind == "kept" and self._before is not None:
            self.entries = self._tries.get(event["number"], self.entries[: len(self._before) + 1])
        elif kind == "call_finished" and event["id"] in self._open:
            self._open[event["id"]].update(content=event["content"], ok=event["ok"])

    def _message(self, event: dict[str, Any]) -> None:
        message = event["message"]
        self._native[event["number"]] = message
        text = text_of(message)
        if message.get("role") != "user" or not text or text.startswith(TEXT_RESULTS):
            return  # the results of calls stand where their calls do, also of those that were written as text
        self.entries.append({"role": "user", "text": text, "by": "glassbox" if text.startswith(NOTE) else "person"})

    def _replied(self, event: dict[str, Any]) -> None:
        calls = [{**call, "arguments": _mapping(call["arguments"])} for call in event["calls"]]
        entry: Entry = {"role": "model", "text": event["text"], "calls": calls}
        message = self._native.get(event.get("message", -1))
        if message is not None:
            entry["native"] = {"wire": self._wire, "message": message}
        self.entries.append(entry)
        results = [{"name": call["name"], "content": NO_RESULT, "ok": False} for call in calls]
        self._open = {call["id"]: result for call, result in zip(calls, results, strict=True)}
        if results:
            self.entries.append({"role": "results", "results": results})
        self._native = {}

    def settled(self) -> list[Entry]:
        if self.entries and self.entries[-1]["role"] != "model":
            self.entries.append({"role": "model", "text": NO_ANSWER, "calls": []})
        return self.entries


def _mapping(arguments: Any) -> dict[str, Any]:
    """Arguments that were no JSON object have been answered with an error; what goes back must be one."""
    readable = readable_arguments(arguments)
    return readable if isinstance(readable, dict) else {}


def earlier(continues: Path | Mapping[str, Any] | None, forks: Fork | None) -> Mapping[str, Any] | None:
    """The run that this one goes on from: its name and its conversation."""
    if forks:
        return forks.continued
    if continues is None or isinstance(continues, Mapping):
        return continues
    return {"from": continues.name, "conversation": history_of(continues)}
