"""What is heard of the learner's code: by a check, and in a run of their own agent."""

from __future__ import annotations

import io
import threading
from pathlib import Path
from typing import Any

import pytest
from learners import BY_PART, learner_of, solve

from cli.reset import shipped
from lessons.checker import run_check
from lessons.checking import MOST_STEPS
from lessons.course import CourseError
from lessons.player import write_player
from lessons.real import MODELS, Aloud, in_words, work
from lessons.recorded import Recorded, called, done_by
from lessons.screen import Screen

CALL = {"id": "call_1", "function": {"name": "read_file", "arguments": '{"path": "a.py"}'}}
QUESTION = [{"role": "system", "content": "s"}, {"role": "user", "content": "t"}]


class Heard:
    """A listener that keeps what it hears."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.steps: dict[str, dict[str, str]] = {}
        self.end: tuple[str, list[str], Path | None] | None = None

    def said(self, sentence: str, look: str = "") -> None:
        self.sentences.append(sentence)

    def step(self, step: dict[str, str]) -> None:
        self.steps[step["id"]] = step

    def replied(self, number: int, reply: dict[str, Any]) -> None:
        pass

    def ended(self, answer: str, changed: list[str], player: Path | None) -> None:
        self.end = (answer, changed, player)


def test_a_model_that_is_asked_through_a_recorder_is_asked_the_same_and_each_step_is_told_twice(tmp_path: Path):
    replies = [
        {"role": "assistant", "content": "I look.", "tool_calls": [CALL]},
        {"role": "assistant", "content": "It is so."},
    ]
    asked, steps, replied = [], list[dict[str, str]](), []
    recorded = Recorded(
        "loop",
        "fix it",
        lambda *question: asked.append(question) or replies[len(asked) - 1],
        steps.append,
        lambda number, reply: replied.append((number, reply)),
    )
    result = {"role": "tool", "tool_call_id": "call_1", "content": "Error: there is no a.py"}
    assert recorded(QUESTION, ["menu"]) == replies[0]
    assert recorded([*QUESTION, replies[0], result], ["menu"], "more") == replies[1]
    recorded.answered("It is so.")
    assert asked == [(QUESTION, ["menu"]), ([*QUESTION, replies[0], result], ["menu"], "more")]
    assert replied == [(1, replies[0]), (2, replies[1])]
    told = {step["id"]: (step["from"], step["to"], step["got"]) for step in steps}
    assert list(told.values()) == [
        ("person", "loop", "It is so."),
        ("loop", "model", "I look.\n+ read_file(path='a.py')"),
        ("loop", "dispatch", "Error: there is no a.py"),
        ("loop", "model", "It is so."),
    ]
    assert [step["got"] for step in steps if step["id"] == "2"][0] == "", "it is told when it begins"
    [first, second] = recorded.recording("It is so.")["turns"]
    assert [(call["id"], call["ok"]) for call in first["calls"]] == [("call_1", False)]
    assert second["calls"] == []
    told = recorded.recording("", "interrupted") | done_by("my_agent/loop.py", "a model")
    assert "fix it" in write_player(tmp_path / "player", told).read_text(encoding="utf-8")


def test_an_id_that_a_server_uses_twice_belongs_to_the_last_reply():
    reply = {"role": "assistant", "content": "", "tool_calls": [CALL]}
    results = [{"role": "tool", "tool_call_id": "call_1", "content": text} for text in ("first", "second")]
    steps: list[dict[str, str]] = []
    recorded = Recorded("loop", "t", lambda *_: reply, steps.append, lambda *_: None)
    recorded(QUESTION, [])
    recorded([*QUESTION, reply, results[0]], [])
    recorded([*QUESTION, reply, results[0], reply, results[1]], [])
    assert [step["got"] for step in steps if step["to"] == "dispatch"] == ["first", "second"]


def test_no_terminal_obeys_what_a_model_says_in_a_run_of_the_learners_agent():
    shown = io.StringIO()
    aloud = Aloud(Screen(shown))
    aloud.replied(1, {"content": "I look.\x1b]0;owned\x07"})
    aloud.said("It was stopped: \x1b[2J")
    aloud.ended("It is so.\x9b2K", ["+a = 1\r"], None)
    for said in (r"I look.\x1b]0;owned\x07", r"stopped: \x1b[2J", r"It is so.\x9b2K", r"+a = 1"):
        assert said in shown.getvalue()
    assert all(line.isprintable() for line in shown.getvalue().split("\n"))


@pytest.mark.parametrize("raw", ["{", "[1]", "7", ""])
def test_a_call_whose_arguments_are_none_is_told_as_it_came(raw: str):
    assert called({"function": {"name": "read_file", "arguments": raw}}).startswith("read_file")


def test_of_a_check_the_first_case_that_fails_is_heard_with_the_parts_that_it_plays(tmp_path: Path):
    source = (BY_PART["loop"].folder / "solution.py").read_text().replace("== 3", "== 5")
    (tmp_path / "loop.py").write_text(source)
    verdict = run_check(BY_PART["loop"], tmp_path / "loop.py", {})
    assert verdict.trail[0]["called"] == verdict.failed[0].called
    assert verdict.trail[0]["from"] == "check"
    assert {(step["from"], step["to"]) for step in verdict.trail[1:]} == {("loop", "model"), ("loop", "dispatch")}
    assert all(step["got"] for step in verdict.trail)
    assert len(verdict.trail) <= MOST_STEPS


def test_what_the_learners_code_raises_is_what_came_back(tmp_path: Path):
    (tmp_path / "messages.py").write_text("def start(system, task):\n    return 1 / 0\n")
    [step] = run_check(BY_PART["messages"], tmp_path / "messages.py", {}).trail
    assert "ZeroDivisionError" in step["got"]


def test_an_agent_that_passed_once_and_does_so_no_more_is_not_replaced_by_the_loop(tmp_path: Path):
    learner = learner_of(tmp_path, "messages", "dispatch", "loop", "agent")
    (tmp_path / "agent.py").write_text("def agent(ask, task, root):\n    return 1\n")
    with pytest.raises(CourseError, match="Lesson 14 builds it"):
        work("fix the bug", "offline", learner, Heard())


@pytest.mark.long
@pytest.mark.usefixtures("can_fork")
def test_the_loop_of_lesson_six_repairs_the_calculator_with_what_the_learner_has_and_lent_parts(tmp_path: Path):
    learner, heard = learner_of(tmp_path, "messages", "dispatch", "loop"), Heard()
    solve(tmp_path, "confine")  # not passed: it is not used
    work("fix the bug", "offline", learner, heard)
    assert heard.end
    answer, changed, player = heard.end
    assert answer.startswith("Fixed. ")
    assert any('"+": 1' in line for line in changed)
    assert player == tmp_path / "runs" / "real" / "20000101-000000" / "trace.html"
    page = player.read_text(encoding="utf-8")
    assert '"the built-in model"' in page
    assert "my_agent/loop.py sent its list" in page
    assert "of your earlier parts this uses: messages, dispatch." in heard.sentences
    assert next(iter(heard.steps.values()))["got"] == answer


def test_a_run_that_is_stopped_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    learner, heard, stop = learner_of(tmp_path, "messages", "dispatch", "loop"), Heard(), threading.Event()

    def ask(*_: object) -> dict[str, Any]:
        stop.set()
        threading.Event().wait(30)
        return {}

    monkeypatch.setitem(MODELS, "offline", lambda _: ("one that waits", ask))
    with pytest.raises(CourseError, match="Stopped, as you wished"):
        work("fix the bug", "offline", learner, heard, stop=stop)
    assert heard.end == ("", [], None)


@pytest.mark.parametrize("where", ["run/notes.md", "run/calculator/main.py", "run"])
def test_what_no_run_left_in_its_folder_is_put_aside_and_said(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
):
    learner, silent = learner_of(tmp_path, "messages", "dispatch", "loop"), Heard()
    monkeypatch.setitem(MODELS, "offline", lambda _: ("one that is done", lambda *_: {"content": "done"}))
    if where != "run":
        for _ in range(2):  # what a run left, the next may take
            work("fix the bug", "offline", learner, silent)
    assert not (tmp_path / "old").exists()
    (tmp_path / where).write_text("my own\n", encoding="utf-8")
    heard = Heard()
    work("fix the bug", "offline", learner, heard)
    kept = tmp_path / "old" / where.replace("run", "run-1", 1)
    assert kept.read_text(encoding="utf-8") == "my own\n"
    assert [said for said in heard.sentences if "my_agent/old/run-1" in said]
    assert not [said for said in silent.sentences if "my_agent/old" in said]
    assert (tmp_path / "run" / "calculator" / "main.py").read_bytes() == shipped()["main.py"]


def test_what_a_server_refuses_is_told_with_what_to_do():
    class Refused(Exception):
        code = 400
        details = {
            "error": {"message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}
        }

    with pytest.raises(RuntimeError, match="API key not valid.*Check the key in .env"), in_words():
        raise Refused
    with pytest.raises(KeyError), in_words():
        raise KeyError("of our own")
