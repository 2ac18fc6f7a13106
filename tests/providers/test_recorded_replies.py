"""Replies of real shape go through the loop without a traceback; each ends in an answer, a retry or a clear line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from recorded_replies import REPLIES
from wire_cases import DONE, paired
from wire_run import run_script

from agent import retries
from offline.script import Step


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "FIRST_WAIT", 0.01)


PARAMETERS = [pytest.param(wire, events, id=f"{wire} {name}".replace(" ", "-")) for wire, name, events in REPLIES]


@pytest.mark.parametrize(("wire", "events"), PARAMETERS)
def test_a_recorded_reply_ends_in_an_answer_another_try_or_a_clear_line(wire: str, events: list[Any], tmp_path: Path):
    seen = run_script([Step({wire: events}), DONE], wire, tmp_path / "work")
    paired(seen)
    if seen.result.stop_reason == "answered":
        assert seen.result.answer in ("Done.", "Half an")
    else:
        assert seen.result.stop_reason == "provider_error"
        assert len(seen.result.errors) == 1
        assert "\n" not in seen.result.errors[0]
    assert all(call["status"] == "completed" for call in seen.result.tool_calls)


def test_there_are_at_least_forty_of_them_and_those_that_hold_a_call_run_it(tmp_path: Path):
    assert len(REPLIES) >= 40
    with_call = [
        (wire, events) for wire, _, events in REPLIES if "functionCall" in str(events) and "a.txt" in str(events)
    ]
    wire, events = with_call[0]
    seen = run_script([Step({wire: events}), DONE], wire, tmp_path / "work")
    assert seen.outputs == ["alpha\n"]
