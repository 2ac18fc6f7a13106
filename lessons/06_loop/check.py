"""Lesson 6: scripted models that look at what the loop sends them."""

from __future__ import annotations

import copy
import itertools
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

TASK = "fix the bug"
RUN = 'run(model, "fix the bug", max_turns={})'


class Model:
    """Says what its script says, and keeps a copy of every list that it was sent."""

    def __init__(self, script: Iterator[dict[str, Any]]) -> None:
        self.script, self.requests = script, []
        self.replies: list[dict[str, Any]] = []
        self.times: list[float] = []

    def __call__(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        self.times.append(time.monotonic())
        self.requests.append(copy.deepcopy(messages))
        if len(self.requests) > 60:
            raise RuntimeError("asked for the 61st time: max_turns is not looked at")
        self.replies.append(next(self.script))
        return copy.deepcopy(self.replies[-1])


def says(text: str, *calls: tuple[str, str]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {"id": f"call_{next(numbers)}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for name, arguments in calls
        ]
    return message


numbers = itertools.count(1)


def check(lesson: Any) -> None:
    ran: list[tuple[str, str]] = []
    results: dict[str, Callable[[], str]] = {}

    def call_tool(name: str, raw_arguments: str) -> str:
        ran.append((name, raw_arguments))
        return results.get(name, lambda: f"result of {name}")()

    lesson.stub("dispatch", call_tool=call_tool, TOOLS={}, ROOT=".")

    def play(script: Iterator[dict[str, Any]], most: int = 10) -> tuple[Model, Any]:
        ran.clear()
        model = Model(script)
        return model, lesson.call("run", model, TASK, most, shown=RUN.format(most))

    no_key = 'a message without calls has no key "tool_calls" at all; reply.get("tool_calls") asks without raising'
    with lesson.case("a model that answers at once", no_key, "the model's text"):
        model, answer = play(iter([says("There is no bug.")]))
        lesson.expect(answer == "There is no bug.", "the model's text: 'There is no bug.'")
        roles = [message["role"] for message in model.requests[0]]
        lesson.expect(roles == ["system", "user"], "a first request with a system and a user message", got=str(roles))
    shape = 'a call looks like {"id": ..., "function": {"name": ..., "arguments": ...}}'
    with lesson.case("text and a call together: the loop goes on", shape, "'It is fixed.'"):
        model, answer = play(iter([says("I look first.", ("list_files", "{}")), says("It is fixed.")]))
        lesson.expect(
            answer == "It is fixed.",
            "'It is fixed.', which the model says after its call was answered. Look at the calls first, then at text",
            "most models explain what they do while they do it: text beside a call is not the answer",
        )
        lesson.expect(ran == [("list_files", "{}")], "the tool run once", got=lesson.show(ran))
        second = model.requests[1]
        roles = [message["role"] for message in second]
        lesson.expect(
            roles == ["system", "user", "assistant", "tool"],
            "a second request with system, user, assistant, tool: the message of the model itself belongs to the list",
            "a server refuses a result to which it finds no call",
            got=f"a second request with {', '.join(roles)}",
        )
        lesson.expect(
            "tool_calls" in second[2],
            "the model's message appended as it came, with its calls",
            "a server refuses a result to which it finds no call",
            got=json.dumps(second[2]),
        )
        call = second[2]["tool_calls"][0]
        wanted = {"role": "tool", "tool_call_id": call["id"], "content": "result of list_files"}
        got = {key: second[3].get(key) for key in wanted}
        lesson.expect(got == wanted, f"a tool message {json.dumps(wanted)}", got=json.dumps(second[3]))
    with lesson.case("two calls in one message: both are answered, in order"):
        model, _ = play(iter([says("", ("list_files", "{}"), ("read_file", '{"a": 1}')), says("Done.")]))
        answered = [message["tool_call_id"] for message in model.requests[1] if message["role"] == "tool"]
        asked = [call["id"] for call in model.requests[1][2]["tool_calls"]]
        lesson.expect(
            answered == asked,
            f"one tool message for each call, in call order: {asked}",
            "a server refuses a list in which a call has no answer",
            got=f"tool messages for {answered}",
        )
    with lesson.case("max_turns is a limit, and the answer says so", expected="an end after max_turns requests"):
        script = (says("", ("read_file", f'{{"line": {number}}}')) for number in itertools.count())
        results["read_file"] = (f"line {number}" for number in itertools.count()).__next__
        model, answer = play(script, 6)
        lesson.expect(
            len(model.requests) == 6,
            "6 requests to the model, then an end: max_turns is 6",
            "every turn costs money or minutes, and this model would never stop by itself",
            got=f"{len(model.requests)} requests",
        )
        lesson.expect(
            isinstance(answer, str) and bool(answer.strip()),
            "a text that says that the limit was reached",
            "the person must be able to tell an answer from a run that was cut off",
        )
    with lesson.case("the same call with a different result is no loop"):
        results["run_tests"] = iter(["2 failed", "1 failed", "1 failed in b", "all passed"]).__next__
        tests = ("run_tests", "{}")
        _, answer = play(iter([says("", tests), says("", tests), says("", tests), says("", tests), says("Fixed.")]))
        lesson.expect(
            answer == "Fixed.",
            "'Fixed.': the same call with a different result each time is work, not a loop",
            "running the tests after every change is exactly what a good agent does",
        )
    with lesson.case("the same call with the same result, again and again: stopped"):
        results["read_file"] = lambda: "print(3 + 5)"
        model, answer = play((says("", ("read_file", "{}")) for _ in itertools.count()), 30)
        lesson.expect(
            3 <= len(model.requests) <= 7,
            "an end at the third time that the same call got the same result. (The ids differ each time; the name, the "
            "arguments and the result are alike.)",
            "one such loop, left alone, is known to have used 4.5 million tokens (mistral-vibe#83)",
            got=f"{len(model.requests)} requests",
        )
        lesson.expect(isinstance(answer, str) and bool(answer.strip()), "a text that says why it stopped")
    if all(case["state"] != "failed" for case in lesson.cases):
        script = [says("I look first.", ("list_files", "{}")), says("", ("read_file", '{"file_path": "main.py"}'))]
        show(lesson, play(iter([*script, says("The bug is in line 1.")]))[0])


def show(lesson: Any, model: Model) -> None:
    """The conversation, a frame for each request."""
    for number, request in enumerate(model.requests, 1):
        lines = [f"Request {number}: the list that the model was sent"]
        for message in request:
            calls = "".join(
                f"  + {call['function']['name']} {call['function']['arguments']}"
                for call in message.get("tool_calls", ())
            )
            lines.append(f"{message['role']:10}{message.get('content') or ''}{calls}")
        lesson.picture.append("\n".join(lines))
    lesson.recording = {"prompt": TASK, "answer": model.replies[-1]["content"], "turns": list(turns(model))}


def turns(model: Model) -> Iterator[dict[str, Any]]:
    """For the trace player: each request, its reply, and what its calls gave, which stands in the next request."""
    began = model.times[0]
    for number, (sent, reply) in enumerate(zip(model.requests, model.replies, strict=True)):
        at = model.times[number] - began
        end = model.times[number + 1] - began if number + 1 < len(model.times) else at
        later = model.requests[number + 1] if number + 1 < len(model.requests) else []
        answers = {message.get("tool_call_id"): message["content"] for message in later if message["role"] == "tool"}
        ids = [call["id"] for call in reply.get("tool_calls", ()) if call["id"] in answers]
        calls = [{"id": name, "start": at, "end": end, "ok": True, "content": answers[name]} for name in ids]
        yield {"at": at, "replied_at": at, "sent": sent, "reply": reply, "calls": calls}
