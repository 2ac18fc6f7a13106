"""Lesson 6: scripted models that look at what the loop sends them."""

from __future__ import annotations

import copy
import itertools
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from lessons.recorded import done_by

TASK = "fix the bug in gr\u00f6\u00dfe.py"
RUN = "run(model, task, max_turns={})"
STOPPED = (
    "stop",
    "no answer",
    "gave up",
    "give up",
)  # one of them, or of those below, is in every sentence that says so
LIMIT = ("turn", "limit", "max", "too many", "requests")
OF_THE_LIMIT = re.compile(r"\b(turns?|limit|max_turns|maximum)\b")
REPEATS = (
    "same",
    "again",
    "repeat",
    "identical",
    "equal",
    "twice",
    "times",
    "circle",
    "loop",
    "alike",
    "third",
    "three",
    "3 times",
)


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


numbers = itertools.count(random.randrange(100, 900), random.randrange(2, 9))


Play = Callable[..., tuple[Model, Any]]
Results = dict[str, Callable[[], str]]


def check(lesson: Any) -> None:
    ran: list[tuple[str, str]] = []
    results: dict[str, Callable[[], str]] = {}
    fresh = lesson.fresh

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
        text = fresh.sentence()
        for said in (text if lesson.shipped else f"    {text}\n", text):
            model, answer = play(iter([says(said)]))
            lesson.expect(answer == said, f"the model's text: {said!r}", "its text as it is: it may be code")
        roles = [message["role"] for message in model.requests[0]]
        lesson.expect(roles == ["system", "user"], "a first request with a system and a user message", got=str(roles))
        lesson.expect(model.requests[0][1]["content"] == TASK, f"the task as the user's message: {TASK!r}")
    shape = 'a call looks like {"id": ..., "function": {"name": ..., "arguments": ...}}'
    with lesson.case("text and a call together: the loop goes on", shape, "the text that has no call beside it"):
        text, tool, said = fresh.sentence(), "list_files", fresh.sentence()
        results[tool] = lambda: said
        own = {fresh.word(): fresh.word()}  # a server's own, such as a signature
        model, answer = play(iter([says(fresh.sentence(), (tool, "{}")) | own, says(text)]))
        lesson.expect(
            answer == text,
            f"{text!r}, which the model says after its call was answered. Look at the calls first, then at text",
            "most models explain what they do while they do it: text beside a call is not the answer",
        )
        lesson.expect(ran == [(tool, "{}")], "the tool run once", got=lesson.show(ran))
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
        lesson.expect(
            bool(lesson.shipped) or second[2] == model.replies[0],
            f"the model's message as it came: {json.dumps(model.replies[0])}",
            "a server may have put something into it that it wants back, such as a signature",
            got=json.dumps(second[2]),
        )
        call = second[2]["tool_calls"][0]
        wanted = {"role": "tool", "tool_call_id": call["id"], "content": said}
        got = {key: second[3].get(key) for key in wanted}
        lesson.expect(got == wanted, f"a tool message {json.dumps(wanted)}", got=json.dumps(second[3]))
    many = fresh.randint(4, 6)
    with lesson.case(
        "several calls in one message: all are answered, in order",
        "a server refuses a list in which a call has no answer",
    ):
        calls = [("read_file", json.dumps({"a": number})) for number in range(many)]
        results["read_file"] = fresh.sentence
        model, _ = play(iter([says("", *calls), says("Done.")]))
        asked = [call["id"] for call in model.requests[1][2]["tool_calls"]]
        answered = [message["tool_call_id"] for message in model.requests[1] if message["role"] == "tool"]
        lesson.expect(
            answered == asked,
            f"one tool message for each call, in call order: {asked}",
            "a server refuses a list in which a call has no answer",
            got=f"tool messages for {answered}",
        )
        lesson.expect(ran == calls, f"each tool run once, in call order: {lesson.show(calls)}", got=lesson.show(ran))
    with lesson.case("whatever a tool says goes to the model", "an error is a result like any other"):
        for said in (f"Error: {fresh.sentence()}", "\n".join(fresh.sentence() for _ in range(60))):
            results["read_file"], text = (lambda said=said: said), fresh.sentence()
            model, answer = play(iter([says("", ("read_file", "{}")), says(text)]))
            why = "whatever a tool says, the model must hear it: it may mend what went wrong"
            lesson.expect(answer == text, f"the model's answer after it: {text!r}", why)
            heard = str(model.requests[1][-1]["content"])
            wanted = f"a tool message with all {len(said):,} characters of the result"
            lesson.expect(heard == said, wanted, why, got=f"{len(heard):,} characters")
    limit(lesson, play, results)
    repeats(lesson, play, results)
    if lesson.holds:
        results.clear()
        script = [says("I look first.", ("list_files", "{}")), says("", ("read_file", '{"file_path": "main.py"}'))]
        show(lesson, play(iter([*script, says("The bug is in line 1.")]))[0])


def limit(lesson: Any, play: Play, results: Results) -> None:
    with lesson.case(
        "max_turns is a limit, and the answer says so",
        "every turn costs money or minutes",
        expected="an end after max_turns requests",
    ):
        words = "I go on."
        for most in (*lesson.fresh.sample(range(3, 9), 2), 20):
            script = (says(words, ("read_file", f'{{"line": {number}}}')) for number in itertools.count())
            results["read_file"] = (f"line {number}" for number in itertools.count()).__next__
            model, answer = play(script, most)
            lesson.expect(
                len(model.requests) == most,
                f"{most} requests to the model, then an end: max_turns is {most}",
                "every turn costs money or minutes, and this model would never stop by itself",
                got=f"{len(model.requests)} requests",
            )
            for before, after in itertools.pairwise(model.requests):
                got = f"a request with {len(after)} messages, after one with {len(before)}"
                why = "nothing of it is lost: what the model does not see, it does again"
                lesson.expect(after[: len(before)] == before, "each request begins with the one before it", why, got)
            lesson.expect(
                says_why(answer, LIMIT),
                "a text of yours that says that the limit was reached, such as 'Stopped: no answer.'",
                "the person must be able to tell an answer from a run that was cut off",
            )


def repeats(lesson: Any, play: Play, results: Results) -> None:
    fresh = lesson.fresh
    with lesson.case(
        "the same call with a different result is no loop",
        "running the tests after every change is what a good agent does",
    ):
        results["run_tests"] = iter(["3 failed", "2 failed", "1 failed", "all passed"]).__next__
        text, tests = fresh.sentence(), ("run_tests", "{}")
        _, answer = play(iter([says("", tests), says("", tests), says("", tests), says("", tests), says(text)]))
        lesson.expect(
            answer == text,
            f"{text!r}: the same call with a different result each time is work, not a loop",
            "running the tests after every change is exactly what a good agent does",
        )
    with lesson.case("different calls with the same result are no loop", "many files look the same"):
        results["read_file"] = lambda: "(the file is empty)"
        text = fresh.sentence()
        reads = [says("", ("read_file", json.dumps({"file_path": f"{word}.py"}))) for word in fresh.words(4)]
        _, answer = play(iter([*reads, says(text)]))
        lesson.expect(
            answer == text,
            f"{text!r}: four different files, all of them empty. What is alike is the result, not the call",
            "whoever reads a project meets many files that look the same",
        )
    with lesson.case("the same call twice is not yet the third time", "a model may look again"):
        call, text = ("read_file", json.dumps({"file_path": f"{fresh.word()}.py"})), fresh.sentence()
        for _ in range(2):
            _, answer = play(iter([says("", call), says("", call), says(text)]))
            why = "a model may look again, and a run knows nothing of the one before it"
            lesson.expect(answer == text, f"{text!r}: it had asked twice, and then knew enough", why)
    with lesson.case("other tools with the same arguments and the same result are no loop", "the tools differ"):
        for tool in ("list_files", "read_file", "run_tests"):
            results[tool] = lambda: "nothing"
        text = fresh.sentence()
        _, answer = play(iter([*(says("", (tool, "{}")) for tool in results), says(text)]))
        lesson.expect(answer == text, f"{text!r}: three different tools", "what is alike is not the call")
    with lesson.case("the same call with the same result, again and again: stopped", "it would go on for ever"):
        same = fresh.sentence()
        results["read_file"] = lambda: same
        raw = json.dumps({"file_path": f"{fresh.word()}.py"})
        other = says("", ("list_files", "{}"))
        model, answer = play(itertools.chain([other], (says("", ("read_file", raw)) for _ in itertools.count())), 30)
        lesson.expect(
            4 <= len(model.requests) <= (8 if lesson.shipped else 4),
            "an end at the third time that the same call got the same result. (The ids differ each time; the name, the "
            "arguments and the result are alike.)",
            "one such loop, left alone, is known to have used 4.5 million tokens (mistral-vibe#83)",
            got=f"{len(model.requests)} requests",
        )
        wanted = "a text of yours that says why it stopped, such as 'Stopped: the same call again.'"
        why = "the person must be able to tell an answer from a run that was cut off"
        lesson.expect(says_why(answer, REPEATS), wanted, why)
        other_reason = OF_THE_LIMIT.search(answer.lower()) and not any(word in answer.lower() for word in REPEATS)
        lesson.expect(bool(lesson.shipped) or not other_reason, wanted, "no limit was reached: 26 turns were left")
    if lesson.shipped:
        return  # the real one counts anew after a call that is new
    with lesson.case("the third time counts wherever it stands", "two calls in turn, for ever, are a loop, too"):
        results["read_file"] = lambda: "nothing new"
        again = says("", ("read_file", json.dumps({"file_path": f"{fresh.word()}.py"})))
        others = [says("", ("list_files", json.dumps({"directory": word}))) for word in fresh.words(3)]
        script = [again, others[0], again, others[1], others[2], again]
        model, _ = play(itertools.chain(script, (says(fresh.sentence()) for _ in itertools.count())), 30)
        why = "it is the third of the whole run, whatever stands between: two calls in turn, for ever, are a loop, too"
        got = f"{len(model.requests)} requests"
        lesson.expect(len(model.requests) == len(script), f"an end after {len(script)} requests", why, got)
        pairs = [says("", *(("read_file", "{}"), ("list_files", json.dumps([word])))) for word in fresh.words(3)]
        beside, _ = play(itertools.chain(pairs, (says(fresh.sentence()) for _ in itertools.count())), 30)
        got = f"{len(beside.requests)} requests"
        lesson.expect(len(beside.requests) == 3, "an end after 3 requests", "it counts also beside other calls", got)


def says_why(answer: Any, words: tuple[str, ...]) -> bool:
    return isinstance(answer, str) and any(word in answer.lower() for word in STOPPED + words)


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
    who = done_by(lesson.file, "a script of the check's", "Here the check stands in for the tools.")
    lesson.recording = {"prompt": TASK, "answer": model.replies[-1]["content"], "turns": list(turns(model)), **who}


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
        yield {"at": at, "sent": sent, "reply": reply, "calls": calls}
