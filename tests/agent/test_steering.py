"""A person at the page steers a run through what a run has already: a limit that waits, a gate, lines, an approval."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted, scripted
from wire_run import loop_of, settings_for

from agent.contracts import AgentResult
from jobs import coder
from live import steer
from live.steer import Steering
from sandbox.files.root import Root

HANG = 30.0
READ = ("get_file_content", {"file_path": "a.txt"})
REPLIES = [("I look.", [READ, ("get_dir_info", {})]), ("Done.", [])]


class Steered:
    """A run in a thread of its own, and the hands at its page."""

    def __init__(self, model: Scripted, directory: Path, *, step: bool, pages: int = 1) -> None:
        self.told: list[str] = []
        self.pages = pages
        self.steering = Steering(self.told.append, lambda: self.pages, step=step)
        self.result: AgentResult | None = None
        self._model, self._directory = model, directory
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        settings = settings_for("openai", self._model.address)
        with Root(self._directory) as root:
            run = coder.JOB.begin("openai", root, settings, typed=self.steering.said, hooks=[self.steering])
            self.steering.take(run)
            self.result = loop_of("openai")("go", settings, run)

    def until(self, what: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        deadline = time.monotonic() + HANG
        while time.monotonic() < deadline:
            if what(state := self.steering.state()):
                return state
            time.sleep(0.005)
        raise AssertionError(self.steering.state())

    def over(self) -> AgentResult:
        self.thread.join(HANG)
        assert self.result is not None
        return self.result


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.txt").write_text("alpha\n", encoding="utf-8")
    return tmp_path / "work"


def test_it_waits_before_each_request_and_each_call_and_goes_one_step_on(directory: Path):
    with scripted(*REPLIES) as model:
        run = Steered(model, directory, step=True)
        for place in ("request 1", "the call get_file_content a.txt", "the call get_dir_info", "request 2"):
            run.until(lambda state, place=place: state["waits"] == place)
            assert run.steering.act({"do": "step"}) == ""
        result = run.over()
    assert result.stop_reason == "answered"
    assert len(model.requests) == 2


def test_a_pause_comes_at_the_next_place_and_going_on_ends_it(directory: Path):
    with scripted(
        *REPLIES, before_reply=lambda number: run.steering.act({"do": "pause"}) if number == 0 else None
    ) as model:
        run = Steered(model, directory, step=False)
        run.until(lambda state: state["waits"].startswith("the call"))
        assert not model.requests[1:]
        run.steering.act({"do": "go"})
        assert run.over().stop_reason == "answered"


def test_what_is_said_meanwhile_stands_before_the_model_in_its_next_request(directory: Path):
    with scripted(*REPLIES) as model:
        run = Steered(model, directory, step=True)
        run.until(lambda state: state["waits"])
        assert run.steering.act({"do": "say", "text": "  mind the gap "}) == ""
        run.steering.act({"do": "go"})
        run.over()
    assert model.requests[1]["messages"][-1] == {"role": "user", "content": "mind the gap"}


def test_the_first_answer_counts_whoever_gives_it():
    told: list[str] = []
    lines: list[str | None] = [None, "not like that", "y"]

    def typed(woken: object, seconds: float) -> str | None:
        return lines.pop(0)

    steering = Steering(told.append, lambda: 1, typed)
    assert steering.ask({"tool": "t"}) == "not like that"
    assert lines == ["y"]

    def at_the_page(woken: object, seconds: float) -> None:
        number = steering.state()["question"]["number"]
        steering._over = False
        assert steering.act({"do": "answer", "number": "0", "answer": "yes"}) == "this cannot be done now"
        assert steering.act({"do": "answer", "number": number, "answer": "no", "text": "as I say"}) == ""

    steering = Steering(told.append, lambda: 1, at_the_page)
    assert steering.ask({"tool": "t"}) == "as I say"
    assert steering.state()["question"] is None


def test_where_nobody_is_left_a_pause_ends_and_says_so(directory: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(steer, "ALONE_SECONDS", 0.2)
    monkeypatch.setattr(steer, "LOOK_SECONDS", 0.05)
    with scripted(*REPLIES) as model:
        run = Steered(model, directory, step=True, pages=0)
        assert run.over().stop_reason == "answered"
    assert "The run waited for a page, and none is open." in run.told


def test_a_paused_run_whose_page_is_gone_says_so_and_goes_on_at_the_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(steer, "GONE_SECONDS", 0.1)
    told: list[str] = []

    def typed(woken: object, seconds: float) -> str | None:
        time.sleep(0.01)
        return "" if told[1:] else None

    steering = Steering(told.append, lambda: 0, typed, step=True)
    steering.wait("request 1")
    assert "no page is open: answer here" in told[1]
    assert steering.state()["paused"] is False


def test_a_line_at_the_terminal_ends_a_pause_and_is_the_persons_next_message(directory: Path):
    lines = ["mind the gap", "", ""]
    steering = Steering(print, lambda: 1, lambda woken, seconds: lines.pop(0), step=True)

    def pausing(number: int) -> None:
        steering._pause = True

    with scripted(*REPLIES, before_reply=pausing) as model, Root(directory) as root:
        settings = settings_for("openai", model.address)
        run = coder.JOB.begin("openai", root, settings, typed=steering.said, hooks=[steering])
        steering.take(run)
        assert loop_of("openai")("go", settings, run).stop_reason == "answered"
    said = [message["content"] for message in model.requests[-1]["messages"] if message["role"] == "user"]
    assert said == ["go", "mind the gap"], "and Enter alone says nothing"


@pytest.mark.parametrize("what", [{}, {"do": "rm"}, {"do": "say", "text": 5}, {"do": "say", "text": " "}, {"do": "say", "text": "x" * 30_000}, {"do": "answer"}])  # fmt: skip
def test_what_cannot_be_done_is_said_and_not_done(what: dict[str, Any]):
    steering = Steering(print, lambda: 1)
    steering._over = False
    assert steering.act(what)
    assert steering.said() == []


def test_when_the_run_is_over_nothing_is_steered(directory: Path):
    with scripted(("Done.", [])) as model:
        run = Steered(model, directory, step=False)
        run.over()
    assert run.steering.act({"do": "say", "text": "jump"}) == "the run is over"
    assert run.steering.act({"do": "stop"}) == "", "it may end as one says stop; nobody is interrupted then"
