"""Lesson 7: slow tools that note when they began and ended."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

SLOW = 0.3  # seconds
MEETING = 0.7  # seconds that a call waits for those that should run at the same time
WATCHED = 0.06  # seconds that a call goes on, in which another that should wait for it would begin
WATCHED_OFTEN = 0.03  # the same where several calls may be caught
READS, WRITES = ("read_file", "list_files"), ("write_file", "edit_file", "run_python", "run_tests")


class Clock:
    """The tools of this check, and when each call ran. A call among `together` waits until all of those have begun."""

    def __init__(
        self,
        broken: str = "",
        error: Exception | None = None,
        together: tuple[set[str], ...] = (),
        counts: bool = False,
    ) -> None:
        self.began = time.monotonic()
        self.spans: list[tuple[str, float, float]] = []
        self.lock = threading.Lock()
        self.broken, self.error, self.counts = broken, error, counts
        self.met: dict[str, threading.Barrier] = {}
        for labels in together:
            self.met |= dict.fromkeys(labels, threading.Barrier(len(labels)))
        self.alone: set[str] = set()
        self.names: dict[str, str] = {}  # label -> the tool that was called

    def call_tool(self, name: str, raw_arguments: str) -> str:
        start = time.monotonic() - self.began
        label, _, seconds = raw_arguments.partition(":")
        if label in self.met:
            try:
                self.met[label].wait(MEETING)
            except threading.BrokenBarrierError:
                self.alone.add(label)
        else:
            time.sleep(float(seconds or SLOW))
        with self.lock:
            self.spans.append((label, start, time.monotonic() - self.began))
            self.names[label] = name
            times = sum(ran == label for ran, _, _ in self.spans)
        if label == self.broken and self.error:
            raise self.error
        return f"result of {label}" + f", time {times}" * self.counts

    def span(self, label: str) -> tuple[float, float]:
        return next((start, end) for name, start, end in self.spans if name == label)

    def labels(self) -> list[str]:
        return sorted(name for name, _, _ in self.spans)


Play = Callable[..., Any]


def call(name: str, label: str, seconds: float = SLOW) -> dict[str, Any]:
    return {"id": f"call_{label}", "type": "function", "function": {"name": name, "arguments": f"{label}:{seconds}"}}


def check(lesson: Any) -> None:
    clock = Clock()

    def call_tool(name: str, raw_arguments: str) -> str:
        return clock.call_tool(name, raw_arguments)

    lesson.stub("dispatch", call_tool=call_tool, TOOLS={}, ROOT=".")
    lesson.load()  # before the clock runs

    def play(title: str, calls: list[dict[str, Any]], with_clock: Clock | None = None) -> Any:
        nonlocal clock
        clock = with_clock or Clock()
        results = lesson.call("run_calls", calls, shown=f"run_calls([{title}])")
        wanted = sorted(label_of(each) for each in calls)
        lesson.expect(
            clock.labels() == wanted,
            f"each call run once: {', '.join(wanted)}",
            "the model asked for each of them, and waits for each result",
            got=f"what ran: {', '.join(clock.labels()) or 'nothing'}",
        )
        asked = {label_of(each): each["function"]["name"] for each in calls}
        lesson.expect(clock.names == asked, f"each by its own tool: {asked}", got=lesson.show(clock.names))
        return results

    three = [call("read_file", "a"), call("read_file", "b", 0.05), call("list_files", "c")]
    with lesson.case("three reads of up to 0.3 s at the same time", "they do not touch each other"):
        began = time.monotonic()
        results = play("read a, read b, list c", three)
        took = time.monotonic() - began
        overlap = clock.span("c")[0] < clock.span("a")[1]
        lesson.expect(
            overlap and took < 0.6, "all three done in under 0.6 s", "they do not touch each other", f"{took:.2f} s"
        )
    with lesson.case(
        "results in call order, also when b is ready first", "the first result is the answer to the first call"
    ):
        wanted = ["result of a", "result of b", "result of c"]
        lesson.expect(
            list(results) == wanted,
            f"{wanted}, in call order",
            "the first result goes back as the answer to the first call",
            got=lesson.show(results),
            called="run_calls([read a, read b, list c])",
        )
    reads = lesson.trail
    picture, recording = bars(clock), record(three, clock, lesson.file)
    with lesson.case("a write is a barrier", "what is read while it is written may be half of it"):
        barrier(lesson, play, "write_file")
    with lesson.case("two writes run one after the other", "the second may need what the first has written"):
        play("write x, run y", [call("write_file", "x", WATCHED), call("run_python", "y", 0)])
        lesson.expect(
            clock.span("y")[0] >= clock.span("x")[1], "y begins when x has ended: a write waits for all before it"
        )
    with lesson.case("reads before a write, and after it, still run together", "within a group nothing has to wait"):
        together(lesson, play)
    with lesson.case(
        "every tool, in an order that nobody has seen", "what a program changes, another call may be reading"
    ):
        any_order(lesson, play)
    with lesson.case("the same call before an edit and after it", "tests are run again because a file has changed"):
        tests, edit = lesson.fresh.words(2)
        calls = [call("run_tests", tests, 0), call("edit_file", edit, 0), call("run_tests", tests, 0)]
        for _ in range(2):
            results = play(f"run_tests {tests}, edit_file {edit}, run_tests {tests}", calls, Clock(counts=True))
            wanted = [f"result of {tests}, time 1", f"result of {edit}, time 1", f"result of {tests}, time 2"]
            lesson.expect(list(results) == wanted, str(wanted), "what it gave the first time and the second may differ")
    with lesson.case("many calls at once", "a message may hold any number"):
        labels = lesson.fresh.words(lesson.fresh.randint(16, 24))
        results = play(f"{len(labels)} reads", [call("read_file", label, 0) for label in labels])
        wanted = [f"result of {label}" for label in labels]
        lesson.expect(list(results) == wanted, f"{wanted}, in call order", "each call has exactly one result")
    failures(lesson, play)
    with lesson.case("no calls, no results", "a message may have none"):
        lesson.expect(list(play("", [])) == [], "[]")
    if lesson.holds:
        lesson.trail = reads  # the drawing shows the three reads
    lesson.picture.append(picture)
    lesson.recording = recording


def label_of(call: dict[str, Any]) -> str:
    return call["function"]["arguments"].partition(":")[0]


def barrier(lesson: Any, play: Play, tool: str) -> None:
    clock = Clock()
    calls = [call("read_file", "first", WATCHED), call(tool, "write", WATCHED), call("read_file", "last", 0)]
    results = play(f"read first, {tool} write, read last", calls, clock)
    write = clock.span("write")
    lesson.expect(
        clock.span("first")[1] <= write[0],
        f"{tool} waits for all before it",
        "the model asked to read first: it must get the file as it was then",
        f"{tool} began at {write[0]:.2f} s, the read before it ended at {clock.span('first')[1]:.2f} s",
    )
    lesson.expect(
        clock.span("last")[0] >= write[1],
        f"what comes after {tool} waits for it",
        "a program that is run while it is written may be the old one, or half of the new one",
        f"the next call began at {clock.span('last')[0]:.2f} s, {tool} ended at {write[1]:.2f} s",
    )
    wanted = ["result of first", "result of write", "result of last"]
    lesson.expect(list(results) == wanted, f"{wanted}, in call order", "each call has exactly one result")


def together(lesson: Any, play: Play) -> None:
    """Reads that wait for each other: they never meet where they run one after the other, however slow the machine."""
    before, after = set(lesson.fresh.words(5)), set(lesson.fresh.words(2))
    clock = Clock(together=(before, after))
    calls = [*(call("read_file", label) for label in before), call("write_file", "write", 0)]
    play(
        "read, read, read, read, read, write, list, list",
        [*calls, *(call("list_files", label) for label in after)],
        clock,
    )
    lesson.expect(
        not clock.alone,
        "the five reads before the write at the same time, and the two after it",
        "a write is a wall between two groups; within a group nothing has to wait",
        got=f"one after the other: {', '.join(f'read {label}' for label in sorted(clock.alone))}",
    )


def any_order(lesson: Any, play: Play) -> None:
    """Every tool, each write between two reads, in an order that is drawn; no write may touch another call."""
    fresh, clock = lesson.fresh, Clock()
    names = [READS[0]]
    for number, name in enumerate(fresh.sample(WRITES, len(WRITES)), 1):
        names += [name, READS[number % 2]]
    calls = [*(call(name, fresh.word(), WATCHED_OFTEN) for name in names[:-1]), call(names[-1], fresh.word(), 0)]
    results = play(", ".join(names), calls, clock)
    labels = [label_of(each) for each in calls]
    wanted = [f"result of {label}" for label in labels]
    lesson.expect(list(results) == wanted, f"{wanted}, in call order", "each call has exactly one result")
    for index, name in enumerate(names):
        for other in range(index):
            if name in WRITES or names[other] in WRITES:
                lesson.expect(
                    clock.span(labels[other])[1] <= clock.span(labels[index])[0],
                    f"{name} (call {index + 1}) after {names[other]} (call {other + 1}) has ended: WRITES names the tools "
                    f"that change something",
                    "what a program changes, another call may be reading",
                    got=f"{name} began at {clock.span(labels[index])[0]:.2f} s, {names[other]} ended at "
                    f"{clock.span(labels[other])[1]:.2f} s",
                )


def failures(lesson: Any, play: Play) -> None:
    survives = "the other results, and for the broken call a text that begins with Error:"
    lost = "their tools ran, and nobody would know what they said"
    kinds = lesson.fresh.sample((OSError, KeyError, ZeroDivisionError, TypeError), 2)
    titles = (("one failure leaves the rest", "read_file"), ("a write that fails does, too", "write_file"))
    for (title, tool), kind in zip(titles, kinds, strict=True):
        with lesson.case(title, lost, survives):
            labels = [f"{word}\u00fc" for word in lesson.fresh.words(3)]
            reason = lesson.fresh.word()
            clock = Clock(broken=labels[1], error=kind(reason))
            names = ("read_file", tool, "read_file")
            calls = [call(name, label, 0) for name, label in zip(names, labels, strict=True)]
            results = play(f"read_file, {tool} that raises {kind.__name__}, read_file", calls, clock)
            wanted = [f"result of {label}" for label in labels]
            lesson.expect(
                len(results) == 3 and results[0] == wanted[0] and results[2] == wanted[2],
                "the other results in their places",
            )
            lesson.expect(
                isinstance(results[1], str) and results[1].startswith("Error: ") and reason in results[1],
                f"for the broken call, text that begins with Error: and says what it raised: {reason}",
                "the model cannot mend what it is not told",
            )


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


def record(calls: list[dict[str, Any]], clock: Clock, file: str) -> dict[str, Any]:
    """The first three calls for the trace player, between what a model would say before them and after."""
    labels = {each["id"]: label_of(each) for each in calls}
    spans = {label: (start, end) for label, start, end in clock.spans}
    ran = [(name, label, *spans[label]) for name, label in labels.items() if label in spans]
    results = [
        {"id": name, "start": start, "end": end, "ok": True, "content": f"result of {label}"}
        for name, label, start, end in ran
    ]
    task = {"role": "user", "content": "read a, read b, list c"}
    argument = {"read_file": "file_path", "list_files": "directory"}
    shown = []
    for each in calls:
        name = each["function"]["name"]
        arguments = json.dumps({argument[name]: label_of(each)})
        shown.append({**each, "function": {"name": name, "arguments": arguments}})
    reply = {"role": "assistant", "content": "", "tool_calls": shown}
    given = [{"role": "tool", "tool_call_id": each["id"], "content": each["content"]} for each in results]
    answer = {"role": "assistant", "content": "Three results, in call order."}
    turns = [
        {"sent": [task], "reply": reply, "calls": results},
        {"sent": [task, reply, *given], "reply": answer, "calls": []},
    ]
    told = {
        "you": "The check wrote this: it asks no model, and calls run_calls itself.",
        "model": f"The check wrote this reply. run_calls in {file} gets its calls as one list.",
        "call": f"run_calls in {file} ran it in a thread. The tool is the check's, and takes its time.",
        "answer": "The check wrote this, too. Raw JSON shows the results that stand before it, in call order.",
    }
    return {
        "prompt": task["content"],
        "answer": answer["content"],
        "model": "a script of the check's",
        "turns": turns,
        "told": told,
    }
