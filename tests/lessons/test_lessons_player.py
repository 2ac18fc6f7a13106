"""The page on which a learner sees a run that a check recorded: it names who did what, and tells nothing that is not so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Browser, untroubled

from lessons.checker import run_check
from lessons.course import all_lessons
from lessons.player import write_player
from lessons.recorded import done_by
from records.page import page_of, run_data
from records.steps import steps_of

COURSE = all_lessons()
PLAYED = [pytest.param(each.number, marks=[pytest.mark.long] if each.number in (14, 20) else [], id=each.key)
          for each in COURSE if each.part in ("loop", "parallel", "context", "agent", "search")]  # fmt: skip
CALLS = [{"id": f"call_{n}", "function": {"name": "read_file", "arguments": json.dumps({"file_path": f"{n}.py"})}}
         for n in (1, 2)]  # fmt: skip
REPLY = {"role": "assistant", "content": "", "tool_calls": CALLS}
SENT = [{"role": "system", "content": "You read."}, {"role": "user", "content": "read both"}]
ANSWER = {"role": "assistant", "content": "Both are read."}
SHOWN = "document.body.innerText"


def page_of_check(number: int, folder: Path) -> Path:
    lesson = COURSE[number - 1]
    recording = run_check(lesson, lesson.folder / "solution.py").recording
    assert recording
    return write_player(folder / "run", recording)


def data_of(page: Path) -> dict[str, Any]:
    """What stands in a page for its script."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found
    return json.loads(found[1])


def of_kind(data: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in data["runs"][0]["events"] if event["kind"] == kind]


def recording(**times: float) -> dict[str, Any]:
    """Two calls in one turn; `times` are those of both."""
    calls = [{"id": call["id"], "ok": True, "content": "text", **times} for call in CALLS]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "text"} for call in CALLS]
    turns = [
        {"sent": SENT, "reply": REPLY, "calls": calls},
        {"sent": [*SENT, REPLY, *results], "reply": ANSWER, "calls": []},
    ]
    return {
        "prompt": "read both",
        "answer": ANSWER["content"],
        "turns": turns,
        **done_by("my_agent/loop.py", "a script"),
    }


@pytest.mark.parametrize("number", PLAYED)
def test_a_run_of_a_lesson_tells_of_each_step_what_it_is_and_who_did_it(number: int, tmp_path: Path):
    data, file = data_of(page_of_check(number, tmp_path)), COURSE[number - 1].file
    steps = steps_of(data["runs"][0]["events"])
    assert [step for step in steps if not step.text and step.kind != "model"] == []
    assert steps[-1].text, "the last is what the model answers"
    told = data["explained"]
    assert set(told) == {"you", "model", "call", "failed", "answer"}
    assert any(file in lines["did"] for lines in told.values()), "what the learner's file did bears its name"
    assert not [lines for lines in told.values() if re.search(r"main\.py|call_functions|fork|then g \d", str(lines))]
    for event in of_kind(data, "replied"):
        for call in event["calls"]:
            assert call["id"] not in call["arguments"], "no file is called like a call"
    assert data["runs"][0]["result"]["stop_reason"] == "answered"


def test_no_time_is_told_where_none_was_measured(tmp_path: Path):
    twenty, three = (data_of(page_of_check(number, tmp_path / str(number))) for number in (11, 7))
    assert {event.get("at", 0.0) for event in twenty["runs"][0]["events"]} == {0.0}
    assert {event["seconds"] for event in of_kind(twenty, "call_finished")} == {0.0}
    assert twenty["runs"][0]["result"]["seconds"] == 0.0
    assert all(event["seconds"] > 0.04 for event in of_kind(three, "call_finished")), "these were"


def test_of_calls_that_end_together_none_has_a_time_of_its_own(tmp_path: Path):
    together = data_of(write_player(tmp_path / "run", recording(start=0.1, end=0.4)))
    assert [event["seconds"] for event in of_kind(together, "call_finished")] == [0.0, 0.0]
    assert together["runs"][0]["result"]["seconds"] == 0.4, "but all of them took so long"


def test_a_request_of_a_lesson_holds_the_tools_that_the_model_was_given(tmp_path: Path):
    told = recording()
    told["turns"][0]["tools"] = [{"type": "function", "function": {"name": "read_file"}}]
    first, second = of_kind(data_of(write_player(tmp_path / "run", told)), "request")
    assert first["set"]["tools"] == told["turns"][0]["tools"]
    assert second["unset"] == ["tools"]


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_the_page_of_an_untimed_run_offers_nothing_that_it_cannot_keep(chromium: Browser, tmp_path: Path):
    chromium.open(write_player(tmp_path / "run", recording()))
    said = []
    for _ in range(5):
        said.append(chromium.run("document.getElementById('spoken').textContent"))
        shown = chromium.run(SHOWN)
        assert not re.search(r"\d m?s\b|<1 ms|\? tokens|[Ff]ork|main\.py|call_functions|undefined|null", shown), shown
        chromium.press("j")
    assert said[0] == "Step 1 of 5: you, read both. The task, behind the model's instructions."
    assert (
        said[2]
        == "Step 3 of 5: call, read_file 1.py. It reads 1.py: 1 line, which the model reads before its next step."
    )
    assert said[4] == "Step 5 of 5: model, Both are read. It answers, and the run is over."
    chromium.press("k", "k")
    assert "my_agent/loop.py had the call run" in chromium.run(SHOWN)
    assert chromium.run("[...document.getElementById('tabs').children].map((tab) => tab.textContent).join()") == (
        "Step,Context,Tokens"
    )
    assert chromium.run("document.getElementById('timeline').hidden")
    chromium.press("2")
    assert "4 messages" in chromium.run(SHOWN) or "2 messages" in chromium.run(SHOWN)
    untroubled(chromium)


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_message_without_a_word_is_called_so(chromium: Browser, tmp_path: Path):
    told = recording()
    for turn in told["turns"]:
        turn["sent"] = [SENT[0], {"role": "user", "content": ""}, *turn["sent"][2:]]
    chromium.open(write_player(tmp_path / "run", told))
    assert chromium.run("document.querySelector('[aria-current]').textContent") == "(no text)"
    assert chromium.run("document.querySelector('.said').textContent") == "(no text)"


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_fork_is_spoken_of_only_where_one_can_begin(chromium: Browser, tmp_path: Path):
    runs = [{**run_data(write_player(tmp_path / "run", recording()).parent), "name": "20000101-000000"}]
    page = tmp_path / "page.html"
    for forks in (False, True):
        page.write_text(page_of(runs, live={"forks": forks}), encoding="utf-8")
        chromium.open(page)
        assert ("Fork here with another prompt" in chromium.run(SHOWN)) is forks
        assert "Lesson 1 of the course builds it" in chromium.run(SHOWN)
