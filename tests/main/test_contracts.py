"""What passes between the rooms: arguments as data, tokens that add up, a result as plain data."""

from __future__ import annotations

import json

import pytest

from agent.contracts import STOP_REASONS, AgentResult, TokenUsage, ToolCall, is_cut, too_deep
from agent.limits import limits_of
from config import PROJECT, Settings
from jobs.job import job_named, names


@pytest.mark.parametrize(
    ("arguments", "data"),
    [
        ('{"a": 1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ("", {}),
        ("[1]", "[1]"),
        ("{cut", "{cut"),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_arguments_are_data_where_they_are_an_object_and_else_the_text_as_it_came(arguments: object, data: object):
    assert ToolCall("id", "name", arguments).readable == data  # type: ignore[arg-type]


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value] if levels % 2 else {"a": value}
    return value


@pytest.mark.parametrize(("containers", "deep"), [(0, False), (3, False), (99, False), (100, True), (500, True)])
def test_data_may_be_a_hundred_levels_deep_with_what_stands_in_the_innermost(containers: int, deep: bool):
    assert too_deep(nested(containers)) is deep


def test_tokens_add_up_and_what_is_not_known_is_not_nought():
    assert TokenUsage(1, None) + TokenUsage(2, 3) == TokenUsage(3, 3)
    assert TokenUsage(None, 0) + TokenUsage(None, 4) == TokenUsage(None, 4)
    assert TokenUsage(5, 1) + TokenUsage() == TokenUsage(5, 1)


def test_a_result_is_plain_data_to_the_millisecond():
    call = {"id": "a", "name": "run_tests"}
    result = AgentResult("Done.", "answered", 2, (call,), TokenUsage(7, None), 1.23456, "lmstudio", "m", ("warned",))
    assert result.to_json() == {
        "answer": "Done.",
        "stop_reason": "answered",
        "turns": 2,
        "tool_calls": [call],
        "tokens": {"input": 7, "output": None},
        "seconds": 1.235,
        "provider": "lmstudio",
        "model": "m",
        "errors": ["warned"],
        "sandbox": "",
        "sources": [],
        "job": "",
        "report": None,
    }


def test_both_wires_words_for_a_reply_that_was_cut_are_known():
    assert [is_cut(word) for word in ("length", "MAX_TOKENS", "stop", "")] == [True, True, False, False]


def test_every_limit_ends_a_run_for_a_reason_that_is_known_and_the_schema_names_them_all():
    """The sentence for the person is compared in tests/cli/test_terminal.py; the pages are sent this table."""
    schema = json.loads((PROJECT / "docs" / "result.schema.json").read_text(encoding="utf-8"))
    assert schema["properties"]["stop_reason"]["enum"] == list(STOP_REASONS)
    settings = Settings(max_calls=1)
    of_jobs = [limit for name in names() for each in (settings, Settings()) for limit in job_named(name).limits(each)]
    assert of_jobs, "the librarian has one"
    assert {limit.stop_reason for limit in [*limits_of(settings), *of_jobs]} <= STOP_REASONS.keys()
