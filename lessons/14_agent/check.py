"""Lesson 14: the learner's agent against scripted models, and then for real, with the built-in model over HTTP."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

NEEDS = ("openai", "offline.wire.server")
STARTS_PROGRAMS = True
TASK = "fix the bug"
MOST_LINES = 40
SHIPPED = Path(__file__).resolve().parents[2] / "cli" / "calculator_as_shipped"
AGENT = 'agent(ask, "fix the bug", root)'


def prepare(work: Path) -> None:
    shutil.copytree(SHIPPED, work / "calculator", ignore=shutil.ignore_patterns("__pycache__"))
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
    root = str(lesson.work / "calculator")
    with lesson.case(f"at most {MOST_LINES} lines of code"):
        lines = code_lines(Path(lesson.module.__file__))
        lesson.expect(lines <= MOST_LINES, f"at most {MOST_LINES} lines", "the parts do the work", f"{lines} lines")
    with lesson.case("a question: two files read at once, then an answer"):
        reads = [("get_file_content", {"file_path": "main.py"}), ("get_dir_info", {"directory": "pkg"})]
        model = Script(says(1, "I look.", *reads), says(2, "It is a calculator."))
        answer = lesson.call("agent", model, TASK, root, shown=AGENT)
        lesson.expect(answer == "It is a calculator.", "the model's answer: 'It is a calculator.'")
        names = [tool["function"]["name"] for tool in model.menus[0] or []]
        lesson.expect(
            "edit_file" in names,
            "the menu with every request: ask(messages, menu)",
            "a model without a menu cannot call anything",
            got=f"a menu of {names}",
        )
        second = model.sent[1]
        asked = [call["id"] for call in second[2]["tool_calls"]]
        lesson.expect(
            [message.get("tool_call_id") for message in second[3:]] == asked,
            "each call answered by a tool message with its own id, in call order",
            got=f"answers to {[message.get('tool_call_id') for message in second[3:]]}, and the calls were {asked}",
        )
        contents = second[3]["content"] + second[4]["content"]
        lesson.expect("Calculator" in contents and "- calculator.py" in contents, "what your tools returned as content")
    with lesson.case("done, says the model, without a test: pushed back twice, then let go"):
        note = ("edit_file", {"file_path": "pkg/render.py", "old_text": "for people.", "new_text": "for you."})
        model = Script(says(1, "", note), says(2, "Fixed, all tests pass."))
        lesson.call("agent", model, TASK, root, shown=AGENT)
        pushes = [message["content"] for message in model.sent[-1][2:] if message["role"] == "user"]
        lesson.expect(
            bool(pushes),
            "a message from you that says so: no test since the edit. may_finish(trajectory) knows, if the trajectory "
            "holds a step for each call",
            "the model claims what it has not seen",
            got=f"an answer was taken after {len(model.sent)} requests",
        )
        lesson.expect(
            len(pushes) == 2, "two messages from you, then the answer is taken", got=f"{len(pushes)} messages"
        )
    with lesson.case("a model that never stops", expected="an end after MAX_TURNS requests"):
        lines = (("get_file_content", {"file_path": "tests.py", "start_line": line}) for line in range(1, 65))
        model = Script(*(says(number, "", call) for number, call in enumerate(lines)))
        answer = lesson.call("agent", model, TASK, root, shown=AGENT)
        most = lesson.module.MAX_TURNS
        lesson.expect(len(model.sent) == most, f"MAX_TURNS requests: {most}", got=f"{len(model.sent)} requests")
        lesson.expect(isinstance(answer, str) and bool(answer), "a text that says that the limit was reached")
    if all(case["state"] == "ok" for case in lesson.cases):
        for_real(lesson)


def for_real(lesson: Any) -> None:
    root, before = lesson.work / "calculator", lesson.work / "before"
    shutil.rmtree(root)
    shutil.copytree(before, root)
    requests: list[list[dict[str, Any]]] = []

    def ask(messages: list[dict[str, Any]], menu: list[dict[str, Any]]) -> dict[str, Any]:
        requests.append(messages)
        return lesson.ask_walk("built_in", messages=messages, tools=menu)

    with lesson.case("for real: the built-in model, over HTTP, repairs the calculator"):
        answer = lesson.call("agent", ask, TASK, str(root), shown=AGENT)
        changed = changes(before, root)
        lesson.expect(
            [path for path, _ in changed] == ["pkg/calculator.py"],
            "a change in pkg/calculator.py, and in no other file",
            got=f"changed: {', '.join(path for path, _ in changed) or 'nothing'}. The answer: {answer}",
        )
        tested = [message["content"] for message in requests[-1] if message["role"] == "tool"][-1]
        lesson.expect(tested.startswith("All 9 tests passed"), "All 9 tests passed, after the change", got=tested)
        lesson.picture.append("\n".join(["What your agent did:", *story(requests[-1]), f"answer     {answer}"]))
        lesson.picture.append("\n".join(["What it changed:", *(line for _, lines in changed for line in lines)]))


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
