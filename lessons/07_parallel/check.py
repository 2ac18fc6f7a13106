"""Lesson 7: slow tools that note when they began and ended."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

SLOW = 0.3  # seconds
TOOLS = ("read_file", "list_files", "write_file", "edit_file", "run_python", "run_tests")


class Clock:
    """The tools of this check, and when each call ran."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.spans: list[tuple[str, float, float]] = []
        self.lock = threading.Lock()

    def call_tool(self, name: str, raw_arguments: str) -> str:
        start = time.monotonic() - self.began
        label, _, seconds = raw_arguments.partition(":")
        time.sleep(float(seconds or SLOW))
        with self.lock:
            self.spans.append((label, start, time.monotonic() - self.began))
        if label == "broken":
            raise OSError("the disk is on fire")
        return f"result of {label}"

    def span(self, label: str) -> tuple[float, float]:
        return next((start, end) for name, start, end in self.spans if name == label)


def call(name: str, label: str, seconds: float = SLOW) -> dict[str, Any]:
    return {"id": f"call_{label}", "type": "function", "function": {"name": name, "arguments": f"{label}:{seconds}"}}


def check(lesson: Any) -> None:
    clock = Clock()
    lesson.stub("dispatch", call_tool=lambda *given: clock.call_tool(*given), TOOLS={}, ROOT=".")
    lesson.module  # noqa: B018 - loaded before the clock runs

    def play(title: str, calls: list[dict[str, Any]]) -> Any:
        nonlocal clock
        clock = Clock()
        return lesson.call("run_calls", calls, shown=f"run_calls([{title}])")

    three = [call("read_file", "a"), call("read_file", "b", 0.05), call("list_files", "c")]
    with lesson.case("three reads of up to 0.3 s at the same time"):
        began = time.monotonic()
        results = play("read a, read b, list c", three)
        took = time.monotonic() - began
        overlap = clock.span("c")[0] < clock.span("a")[1]
        lesson.expect(
            overlap and took < 0.6, "all three done in under 0.6 s", "they do not touch each other", f"{took:.2f} s"
        )
    with lesson.case("results in call order, also when b is ready first"):
        wanted = ["result of a", "result of b", "result of c"]
        lesson.expect(
            list(results) == wanted,
            f"{wanted}, in call order",
            "the first result goes back as the answer to the first call",
            got=lesson.show(results),
        )
    picture, recording = bars(clock), record(three, clock)
    with lesson.case("a write is a barrier"):
        calls = [call("read_file", "first", 0.1), call("write_file", "write", 0.1), call("read_file", "last", 0.05)]
        results = play("read first, write, read last", calls)
        write = clock.span("write")
        lesson.expect(
            clock.span("first")[1] <= write[0],
            "the write waits for all before it",
            "the model asked to read first: it must get the file as it was then",
            f"the write began at {write[0]:.2f} s, the read before it ended at {clock.span('first')[1]:.2f} s",
        )
        lesson.expect(
            clock.span("last")[0] >= write[1],
            "what comes after a write waits for it",
            "a program that is run while it is written may be the old one, or half of the new one",
            f"the next call began at {clock.span('last')[0]:.2f} s, the write ended at {write[1]:.2f} s",
        )
        wanted = ["result of first", "result of write", "result of last"]
        lesson.expect(list(results) == wanted, f"{wanted}, in call order", "each call has exactly one result")
    with lesson.case("two writes run one after the other"):
        play("write x, run y", [call("write_file", "x", 0.1), call("run_python", "y", 0.05)])
        lesson.expect(
            clock.span("y")[0] >= clock.span("x")[1], "y begins when x has ended: a write waits for all before it"
        )
    survives = "the other results, and for the broken call a text that begins with Error:"
    with lesson.case("one failure leaves the rest", "their tools ran, and nobody would know what they said", survives):
        results = play("read a, read broken, read c", [call("read_file", name, 0.05) for name in ("a", "broken", "c")])
        lesson.expect(
            len(results) == 3 and results[0] == "result of a" and results[2] == "result of c",
            "the other results in their places",
        )
        text = results[1]
        lesson.expect(
            isinstance(text, str) and text.startswith("Error: "), "for the broken call, text that begins with Error:"
        )
    with lesson.case("no calls, no results"):
        lesson.expect(list(play("", [])) == [], "[]")
    lesson.picture.append(picture)
    lesson.recording = recording


def bars(clock: Clock) -> str:
    """The first three calls on a timeline; a column is 0.02 seconds."""
    lines = ["Your three calls on a timeline (a column is 0.02 seconds):"]
    for label, start, end in sorted(clock.spans):
        lines.append(
            f"{label} {' ' * round(start / 0.02)}{'#' * max(1, round((end - start) / 0.02))}  {end - start:.2f} s"
        )
    total = max((end for _, _, end in clock.spans), default=0.0)
    return "\n".join(
        [*lines, f"together {total:.2f} s; one after the other {sum(e - s for _, s, e in clock.spans):.2f} s"]
    )


def record(calls: list[dict[str, Any]], clock: Clock) -> dict[str, Any]:
    """The first three calls for the trace player."""
    labels = {each["id"]: each["function"]["arguments"].partition(":")[0] for each in calls}
    spans = {label: (start, end) for label, start, end in clock.spans}
    ran = [(name, label, *spans[label]) for name, label in labels.items() if label in spans]
    results = [
        {"id": name, "start": start, "end": end, "ok": True, "content": f"result of {label}"}
        for name, label, start, end in ran
    ]
    task = {"role": "user", "content": "read a, read b, list c"}
    shown = [
        {**each, "function": {**each["function"], "arguments": json.dumps({"label": labels[each["id"]]})}}
        for each in calls
    ]
    reply = {"role": "assistant", "content": "", "tool_calls": shown}
    turn = {"at": 0.0, "replied_at": 0.0, "sent": [task], "reply": reply, "calls": results}
    return {"prompt": task["content"], "answer": "three results, in call order", "turns": [turn]}
