"""What passes between the rooms: results, usage, calls that are the same, nesting, sources, other agents' messages."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.contracts import (
    AgentResult,
    TokenUsage,
    files_and_lines,
    is_cut,
    merged,
    readable_arguments,
    same_call,
    too_deep,
)
from agent.errors import TooLong
from agent.mechanisms import is_small
from agent.trajectory import fold_trajectory, total_of, usage_of


@pytest.mark.parametrize(
    ("left", "right", "both"),
    [((1, 2), (3, 4), (4, 6)), ((None, 2), (3, None), (3, 2)), ((None, None), (None, None), (None, None)), ((0, 0), (0, 5), (0, 5))],
)  # fmt: skip
def test_usage_is_added_where_it_was_told(left: Any, right: Any, both: Any):
    assert TokenUsage(*left) + TokenUsage(*right) == TokenUsage(*both)


def test_what_is_too_long_is_told_in_tokens_as_far_as_they_are_known():
    assert "(5,000 tokens) does not fit the model's context window (4,096 tokens)." in str(TooLong(4_096, 5_000))
    assert "The conversation does not fit the model's context window." in str(TooLong(None, None))


def test_a_job_s_own_word_on_the_answer_stands_at_the_top_only_where_it_is_whole():
    def shown(report: dict[str, Any] | None) -> dict[str, Any]:
        return AgentResult("a", "answered", 1, (), TokenUsage(1, 2), 1.23456, "p", "m", (), report=report).to_json()

    whole = {"answer": "b", "status": "unsure", "source": [], "warnings": ["w"], "more": 1}
    assert {name: shown(whole)[name] for name in ("answer", "status", "warnings")} == {
        "answer": "b", "status": "unsure", "warnings": ["w"],
    }  # fmt: skip
    assert "more" not in shown(whole)
    assert "status" not in shown({"answer": "b", "status": "unsure"})
    assert shown(None)["answer"] == "a"
    assert shown(None)["seconds"] == 1.235
    assert shown(None)["tokens"] == {"input": 1, "output": 2}


def test_two_names_tell_a_reply_that_was_cut():
    assert [name for name in ("length", "MAX_TOKENS", "stop", "STOP", "", "LENGTH") if is_cut(name)] == [
        "length",
        "MAX_TOKENS",
    ]


def nested(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize(("levels", "deep"), [(0, False), (98, False), (99, True), (100, True)])
def test_a_hundred_levels_are_too_deep(levels: int, deep: bool):
    assert too_deep([nested(levels)]) is deep
    assert too_deep({"a": nested(levels), "b": 1}) is deep
    assert too_deep(nested(3), 3)
    assert not too_deep(nested(3), 4)


@pytest.mark.parametrize(
    ("sent", "read"),
    [("", {}), ("{}", {}), ('{"a": 1}', {"a": 1}), ("[1]", "[1]"), ("{half", "{half"), ({"a": 1}, {"a": 1}),
     ("[" * 100_000, "[" * 100_000)],
)  # fmt: skip
def test_arguments_are_data_where_they_are_an_object(sent: Any, read: Any):
    assert readable_arguments(sent) == read
    deep = json.dumps({"a": nested(99)})
    assert readable_arguments(deep) == deep
    assert readable_arguments(json.dumps({"a": nested(98)})) == {"a": nested(98)}


def test_the_order_of_arguments_makes_no_other_call():
    assert same_call("a", {"x": 1, "y": 2}) == same_call("a", {"y": 2, "x": 1}) != same_call("b", {"x": 1, "y": 2})
    assert same_call("a", "{half") == ("a", "{half")


RANGES = st.lists(st.tuples(st.integers(1, 30), st.integers(0, 6)).map(lambda each: (each[0], each[0] + each[1])))


@given(RANGES)
def test_ranges_that_touch_are_one_and_no_line_is_lost_or_won(ranges: list[tuple[int, int]]):
    joined = merged(ranges)
    lines = {line for first, last in ranges for line in range(first, last + 1)}
    assert {line for first, last in joined for line in range(first, last + 1)} == lines
    assert all(right[0] > left[1] + 1 for left, right in zip(joined, joined[1:], strict=False))


def test_files_stand_in_the_order_in_which_they_came_up_and_once():
    drawn = [[("b.py", [(1, 2)]), ("./a.py", [])], [("b.py", [(3, 4), (9, 9)]), ("a.py", [(5, 6)])]]
    assert files_and_lines(drawn) == [
        {"path": "b.py", "lines": [[1, 4], [9, 9]]},
        {"path": "a.py", "lines": [[5, 6]]},
    ]


@pytest.mark.parametrize(
    ("source", "usage", "total"),
    [
        ({"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 7}, (1, 2), 7),
        ({"input_tokens": 1, "output_tokens": 2}, (1, 2), 3),
        ({"usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 4}}, (1, None), 4),
        ({"usage": {"prompt_eval_count": 1, "eval_count": 2}}, (1, 2), 3),
        (SimpleNamespace(usage_metadata=SimpleNamespace(prompt_token_count=1, candidates_token_count=0)), (1, 0), 1),
        ({"usage": 5, "input_tokens": True, "output_tokens": -1}, (None, None), None),
        ({"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}, (0, 0), 0),
        ({}, (None, None), None),
        (None, (None, None), None),
    ],
)
def test_usage_is_read_in_whatever_shape_it_came(source: Any, usage: Any, total: int | None):
    assert usage_of(source) == TokenUsage(*usage)
    assert total_of(source) == total


def test_a_conversation_of_another_agent_becomes_a_trajectory():
    call = {"id": "x", "function": {"name": "read", "arguments": '{"a": 1}'}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "tool_calls": [call, {"name": "list", "arguments": None}, {**call, "function": {}}]},
        {"role": "tool", "tool_call_id": "x", "content": [{"text": "one "}, {"text": "two"}, "three", {}]},
        {"role": "tool", "tool_call_id": "x", "content": "Error: no"},
        {"role": "tool", "tool_call_id": "x", "content": "too many"},
        {"role": "assistant", "tool_calls": None},
        {"role": "tool", "tool_call_id": "call_1_2", "content": "of an earlier turn"},
        {"role": "tool", "content": None},
        {"role": "assistant", "tool_calls": [{"id": "x", "function": {"name": "run", "arguments": "{half"}}]},
    ]
    folded = fold_trajectory(messages)
    short = [
        tuple(each[name] for name in ("id", "turn", "name", "arguments", "result", "status"))
        for each in folded.trajectory
    ]
    assert short == [
        ("x", 1, "read", {"a": 1}, "one two", "completed"),
        ("call_1_2", 1, "list", {}, None, "called"),
        ("x", 1, "", {}, "Error: no", "error"),
        ("x", 3, "run", "{half", None, "called"),
    ]
    assert [error.partition("(")[2] for error in folded.errors] == [
        "tool_call_id 'x').", "tool_call_id 'call_1_2').", "tool_call_id '').",
    ]  # fmt: skip
    answer = fold_trajectory(
        [{"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "x", "content": 5}]
    )
    assert answer.trajectory[0]["result"] == "5"


@pytest.mark.parametrize(
    ("choice", "provider", "model", "small"),
    [
        ("auto", "lmstudio", "qwen2.5-coder-1.5b", True),
        ("auto", "lmstudio", "qwen-32b", True),
        ("auto", "lmstudio", "qwen-32.1B", False),
        ("auto", "lmstudio", "mixtral-8x22b", True),
        ("auto", "lmstudio", "qwen3-30b-a3b", True),
        ("auto", "lmstudio", "llama-70b-draft-1b", False),
        ("auto", "lmstudio", "somebody's model", True),
        ("auto", "lmstudio", "gpt-5", False),
        ("auto", "lmstudio", "openai/gpt-oss-20b", True),
        ("auto", "gemini", "gemini-flash", False),
        ("auto", "gemini", "qwen 1.5b", True),
        ("auto", "lmstudio", "1.5bit", True),
        ("auto", "gemini", "1.5bit", False),
        ("small", "gemini", "gemini-flash", True),
        ("large", "lmstudio", "qwen-1.5b", False),
        ("auto", "offline", "tiny-1b", False),
        ("small", "offline", "x", True),
        ("small", "cli", "x", False),
    ],
)
def test_a_model_is_small_as_the_person_says_or_by_its_name_or_by_where_it_runs(
    choice: str, provider: str, model: str, small: bool
):
    assert is_small(choice, provider, model) is small
