"""Replies of real shape go through the loop without a traceback; each ends in an answer, a retry or a clear line."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from recorded_replies import REPLIES
from wire_cases import DONE, paired
from wire_run import run_script

from agent import retries
from agent.contracts import TokenUsage
from offline.script import Step
from providers import gemini_wire, openai_wire


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


UNKNOWN = [None, -1, 10**15, True, 9.0, "9", [9], float("nan")]


@pytest.mark.parametrize("counted", [0, 1, 10**15 - 1, *UNKNOWN])
def test_only_what_can_be_a_number_of_tokens_is_one_on_either_wire(counted: Any):
    """It is added up, and limits go by it."""
    expected = None if any(counted is each for each in UNKNOWN) else counted
    assert openai_wire.read_usage({"usage": {"prompt_tokens": counted, "completion_tokens": 3}}) == TokenUsage(
        expected, 3
    )
    assert openai_wire.read_usage({"usage": {"prompt_tokens": 3, "completion_tokens": counted}}) == TokenUsage(
        3, expected
    )
    assert gemini_wire.read_usage(metadata(counted, 3, None)) == TokenUsage(expected, 3)
    assert gemini_wire.read_usage(metadata(3, counted, None)) == TokenUsage(3, expected)
    assert gemini_wire.read_usage(metadata(3, counted, 7)) == TokenUsage(3, (expected or 0) + 7), (
        "thoughts are paid for too"
    )
    assert gemini_wire.read_usage(metadata(3, 7, counted)) == TokenUsage(3, (expected or 0) + 7)


def metadata(prompt: Any, candidates: Any, thoughts: Any) -> SimpleNamespace:
    return SimpleNamespace(prompt_token_count=prompt, candidates_token_count=candidates, thoughts_token_count=thoughts)


@pytest.mark.parametrize("usage", [None, [], 5, "many"])
def test_usage_of_another_shape_is_none_and_keeps_what_came_before(usage: Any):
    assert openai_wire.read_usage({"usage": usage}) is None
    assert openai_wire.read_usage({}) is None
