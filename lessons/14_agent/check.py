"""Lesson 14: the learner's agent against scripted models, and then for real, with the built-in model over HTTP."""

from __future__ import annotations

import copy
import json
import os
import shutil
import threading
import time
from pathlib import Path
from typing import Any

from lessons.recorded import done_by

NEEDS = ("openai", "offline.wire.server")
STARTS_PROGRAMS = True
OWN_PARTS = True  # done only when no part that it uses is lent
SECONDS = 20.0  # the tests of the calculator run several times
TASK = "fix the bug"
REASONS = "reasoning_content"  # a key that some servers add to a message
FOR_REAL = "for real: the built-in model, over HTTP, repairs the calculator"
MEETING = 0.7  # seconds that a call waits for the one that should run at the same time
MOST_LINES = 40
LIMIT = ("stop", "turn", "limit", "no answer")  # one of them is in every sentence that says so
SLOW = """
import functools, toolbox
toolbox.real = toolbox.TOOLS["get_file_content"]
@functools.wraps(toolbox.real)
def slow(*given, **named):
    meet(str(named))
    return toolbox.real(*given, **named)
toolbox.TOOLS["get_file_content"] = slow
"""
AGENT = 'agent(ask, "fix the bug", root)'


def prepare(work: Path) -> None:
    from cli.reset import put_calculator

    put_calculator(work / "calculator")
    # Python knows what it has compiled by the second and the length of a file: an edit in this second would not be seen.
    for path in (work / "calculator").rglob("*.py"):
        os.utime(path, (time.time() - 3600, time.time() - 3600))
    shutil.copytree(work / "calculator", work / "before")


def says(number: int, text: str, *calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}_{index}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for index, (name, arguments) in enumerate(calls)
        ]
    return message


class Script:
    """A model that says what it is told to, the last thing again and again, and keeps what it was sent."""

    def __init__(self, *replies: dict[str, Any]) -> None:
        self.replies, self.sent, self.menus = replies, [], []

    def __call__(self, messages: list[dict[str, Any]], menu: list[dict[str, Any]]) -> dict[str, Any]:
        self.sent.append(copy.deepcopy(messages))
        self.menus.append(menu)
        if len(self.sent) > 60:
            raise RuntimeError("asked for the 61st time: nothing counts to MAX_TURNS")
        return copy.deepcopy(self.replies[min(len(self.sent), len(self.replies)) - 1])


def check(lesson: Any) -> None:
    root, fresh = str(lesson.work / "calculator"), lesson.fresh
    with lesson.case(f"at most {MOST_LINES} lines of code", "the parts do the work"):
        lines = code_lines(Path(lesson.shipped.__file__) if lesson.shipped else lesson.path)
        lesson.expect(lines <= MOST_LINES, f"at most {MOST_LINES} lines", "the parts do the work", f"{lines} lines")
    with lesson.case("a question: two files read at once, then an answer", "it is the loop of lesson 6"):
        reads = [("get_file_content", {"file_path": "main.py"}), ("get_dir_info", {"directory": "pkg"})]
        task, text = fresh.sentence(), fresh.sentence()
        model = Script(says(1, "I look.", *reads) | {REASONS: fresh.sentence()}, says(2, text))
        answer = lesson.call("agent", model, task, root, shown=f'agent(ask, "{task}", root)')
        lesson.expect(answer == text, f"the model's answer: {text!r}")
        first = [message["content"] for message in model.sent[0] if message["role"] == "user"]
        lesson.expect(
            first == [task],
            f"the task as the user's message of the first request: {task!r}",
            "start(SYSTEM, task) makes the list; a model that is told no task guesses one",
            got=f"a first request in which the user says {first}",
        )
        kinds = {tool.get("type") for tool in model.menus[0] or []}
        lesson.expect(kinds <= {"function"}, 'each tool as {"type": "function", "function": ...}', got=str(kinds))
        names = [tool["function"]["name"] for tool in model.menus[0] or []]
        lesson.expect(
            "edit_file" in names,
            "the menu with every request: ask(messages, menu)",
            "a model without a menu cannot call anything",
            got=f"a menu of {names}",
        )
        second = model.sent[1]
        lesson.expect(
            bool(lesson.shipped) or second[2] == model.replies[0],
            f"the model's message as it came, with its {REASONS}",
            "what a server has signed there, it wants back: rebuilt from parts, a message loses it (lesson 9)",
            got=f"a second request with {lesson.show(second[2])}",
        )
        asked = [call["id"] for call in second[2]["tool_calls"]]
        lesson.expect(
            [message.get("tool_call_id") for message in second[3:]] == asked,
            "each call answered by a tool message with its own id, in call order",
            got=f"answers to {[message.get('tool_call_id') for message in second[3:]]}, and the calls were {asked}",
        )
        contents = second[3]["content"] + second[4]["content"]
        lesson.expect("Calculator" in contents and "- calculator.py" in contents, "what your tools returned as content")
    at_the_same_time(lesson, root)
    within_the_budget(lesson, root)
    pushed_back(lesson, root)
    never_stops(lesson, root)
    if lesson.holds:
        for_real(lesson)
    else:
        with lesson.case(FOR_REAL):
            lesson.expect(False, "all of the above first", "it takes longer than they do", got="not tried yet")


def pushed_back(lesson: Any, root: str) -> None:
    """Two runs: the second knows nothing of the first."""
    claim = "Fixed, all tests pass."
    with lesson.case(
        "done, says the model, without a test: pushed back twice, then let go", "the model claims what it has not seen"
    ):
        texts, taken = ["for people.", *(f"for {word}." for word in lesson.fresh.words(2))], []
        for old, new in zip(texts, texts[1:], strict=False):
            note = ("edit_file", {"file_path": "pkg/render.py", "old_text": old, "new_text": new})
            model = Script(says(1, "", note), says(2, claim))
            lesson.call("agent", model, TASK, root, shown=f"{AGENT}, the second run" if taken else AGENT)
            last = model.sent[-1][2:]
            pushes = [index for index, message in enumerate(last) if message["role"] == "user"]
            got = f"an answer was taken after {len(model.sent)} requests"
            taken.append(len(pushes))
            lesson.expect(
                taken[0] == 0 or len(pushes) > 0,
                "two messages from you, as in the first run: messages and trajectory begin anew in each",
                "a run that counts the push-backs of the one before takes any answer",
                got=f"{got}; in the first run there were {taken[0]} messages from you",
            )
            lesson.expect(
                len(pushes) > 0,
                "a message from you that says so: no test since the edit. may_finish(trajectory) knows, if the "
                "trajectory holds a step for each call",
                "the model claims what it has not seen",
                got=got,
            )
            lesson.expect(
                len(pushes) == 2, "two messages from you, then the answer is taken", got=f"{len(pushes)} messages"
            )
            lesson.expect(
                all(
                    (last[index - 1]["role"], last[index - 1].get("content")) == ("assistant", claim)
                    for index in pushes
                ),
                "the model's own message before each of yours",
                "it would not know what was wrong with an answer that is not there",
                got=f"a request with {', '.join(message['role'] for message in last)}",
            )


def at_the_same_time(lesson: Any, root: str) -> None:
    """Two reads that wait for each other: they meet only in run_calls."""
    if lesson.shipped:
        lesson.skip("two slow reads at the same time", "the real agent brings its own tools; lesson 7 looks at them")
        return
    meeting, alone = threading.Barrier(2), []

    def meet(which: str) -> None:
        try:
            meeting.wait(MEETING)
        except threading.BrokenBarrierError:
            alone.append(which)

    with lesson.case("two slow reads at the same time", "every turn would take as long as all its calls together"):
        lesson.run(SLOW, meet=meet)
        reads = [("get_file_content", {"file_path": name}) for name in ("main.py", "tests.py")]
        lesson.call("agent", Script(says(1, "", *reads), says(2, "Read.")), TASK, root, shown=AGENT)
        lesson.run("import toolbox\ntoolbox.TOOLS['get_file_content'] = toolbox.real")
        lesson.expect(
            not alone,
            "both reads of one message under way at the same time: run_calls(calls) does that",
            "one after the other, every turn takes as long as all its calls together",
            got="the second read began when the first had ended",
        )


def within_the_budget(lesson: Any, root: str) -> None:
    if lesson.shipped:
        lesson.skip(
            "a long conversation stays within BUDGET", "the real agent asks its server for the window; lesson 11"
        )
        return
    with lesson.case(
        "a long conversation stays within BUDGET",
        "beyond its window, the server answers 400",
        expected="requests of at most BUDGET tokens",
    ):
        files = [f"{word}.txt" for word in lesson.fresh.words(10)]
        for file in files:
            Path(root, file).write_text(f"{file} ".ljust(4000, "x"))
        turns = zip(files[::2], files[1::2], strict=True)
        replies = [
            says(number, "", *(("get_file_content", {"file_path": file}) for file in pair))
            for number, pair in enumerate(turns)
        ]
        budget = lesson.fresh.randint(5000, 6500)
        lesson.put(BUDGET=budget)
        model = Script(*replies, says(9, "Read."))
        lesson.call("agent", model, TASK, root, shown=f"{AGENT}, with BUDGET = {budget:,}")
        largest = max(len(json.dumps(sent)) // 4 for sent in model.sent)
        lesson.expect(
            largest <= budget,
            f"no request of more than {budget:,} tokens: trim(messages, BUDGET), at every turn",
            "a model has a window; beyond it the server answers 400, and the run is over",
            got=f"a request of {largest:,} tokens, after {len(model.sent)} turns",
        )
        lesson.expect(files[-1] in json.dumps(model.sent[-1]), "the newest turn in the last request")
        for file in files:
            Path(root, file).unlink()


def never_stops(lesson: Any, root: str) -> None:
    with lesson.case("a model that never stops", "no limit, no end", expected="an end after MAX_TURNS requests"):
        most = lesson.fresh.randint(4, 15)
        lesson.put(MAX_TURNS=most)
        lines = (("get_file_content", {"file_path": "tests.py", "start_line": line}) for line in range(1, 65))
        words = "" if lesson.shipped else "I have fixed the bug."  # the real agent has no tools in the last request
        model = Script(*(says(number, words, call) for number, call in enumerate(lines)))
        answer = lesson.call("agent", model, TASK, root, shown=f"{AGENT}, with MAX_TURNS = {most}")
        lesson.expect(
            len(model.sent) == most,
            f"MAX_TURNS requests: {most}",
            "no limit, no end",
            got=f"{len(model.sent)} requests",
        )
        said = answer.lower() if isinstance(answer, str) else ""
        lesson.expect(
            any(word in said for word in LIMIT),
            "a text that says that the limit was reached, such as 'Stopped: no answer.'",
            "the person must be able to tell an answer from a run that was cut off",
        )


def for_real(lesson: Any) -> None:
    root, before = lesson.work / "calculator", lesson.work / "before"
    shutil.rmtree(root)
    shutil.copytree(before, root)
    lesson.put(MAX_TURNS=20, **({} if lesson.shipped else {"BUDGET": 30_000}))
    asked: list[dict[str, Any]] = []

    def ask(messages: list[dict[str, Any]], menu: list[dict[str, Any]]) -> dict[str, Any]:
        asked.append({"at": time.monotonic(), "sent": copy.deepcopy(messages), "tools": menu})
        reply = lesson.ask_walk("built_in", messages=messages, tools=menu)
        asked[-1].update(replied_at=time.monotonic(), reply=copy.deepcopy(reply))
        return reply

    with lesson.case(FOR_REAL, "it is what you have built it for"):
        answer = lesson.call("agent", ask, TASK, str(root), shown=AGENT)
        changed, last = changes(before, root), asked[-1]["sent"]
        lesson.expect(
            [path for path, _ in changed] == ["pkg/calculator.py"],
            "a change in pkg/calculator.py, and in no other file",
            got=f"changed: {', '.join(path for path, _ in changed) or 'nothing'}. The answer: {answer}",
        )
        tested = [message["content"] for message in last if message["role"] == "tool"][-1]
        lesson.expect(tested.startswith("All 9 tests passed"), "All 9 tests passed, after the change", got=tested)
        lesson.picture.append("\n".join(["What your agent did:", *story(last), f"answer     {answer}"]))
        lesson.picture.append("\n".join(["What it changed:", *(line for _, lines in changed for line in lines)]))
        who = done_by(lesson.file, "the built-in model")
        lesson.recording = {"prompt": TASK, "answer": str(answer), "turns": turns_of(asked), **who}


def turns_of(asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For the trace player: each request with its reply, and what its calls gave, which stands in the next request."""
    began, turns = asked[0]["at"], []
    for turn, following in zip(asked, [*asked[1:], None], strict=True):
        at, replied = turn["at"] - began, turn["replied_at"] - began
        later = following["sent"] if following else []
        answers = {message.get("tool_call_id"): message["content"] for message in later if message["role"] == "tool"}
        end = following["at"] - began if following else replied
        ids = [call["id"] for call in turn["reply"].get("tool_calls") or () if call["id"] in answers]
        calls = [
            {
                "id": name,
                "start": replied,
                "end": end,
                "ok": not answers[name].startswith("Error"),
                "content": answers[name],
            }
            for name in ids
        ]
        turns.append({**turn, "at": at, "replied_at": replied, "calls": calls})
    return turns


def story(messages: list[dict[str, Any]]) -> list[str]:
    lines = []
    for message in messages[1:]:
        first = str(message.get("content") or "").split("\n")[0][:70]
        calls = [
            f"{call['function']['name']} {call['function']['arguments'][:50]}" for call in message.get("tool_calls", ())
        ]
        lines.append(f"{message['role']:10} {first}")
        lines += [f"           + {call}" for call in calls]
    return lines


def changes(before: Path, after: Path) -> list[tuple[str, list[str]]]:
    """Each file that differs, with its changed lines."""
    files = {path.relative_to(top).as_posix() for top in (before, after) for path in top.rglob("*") if path.is_file()}
    found = []
    for name in sorted(name for name in files if "__pycache__" not in name):
        old, new = ((top / name).read_text().split("\n") if (top / name).exists() else [] for top in (before, after))
        if old != new:
            lines = [f"- {line}" for line in old if line not in new] + [f"+ {line}" for line in new if line not in old]
            found.append((name, [name, *lines]))
    return found


def code_lines(path: Path) -> int:
    lines = [line.strip() for line in path.read_text(encoding="utf-8").split("\n")]
    return sum(bool(line) and not line.startswith(("#", '"""')) for line in lines)
