"""A conversation folded into its trajectory, and usage of every shape."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from agent.contracts import TokenUsage
from agent.trajectory import fold_trajectory, total_of, usage_of


def asked(*calls: tuple[str, str, str]) -> dict:
    made = [{"id": id, "type": "function", "function": {"name": name, "arguments": given}} for id, name, given in calls]
    return {"role": "assistant", "content": None, "tool_calls": made}


def answered(id: str, content: object) -> dict:
    return {"role": "tool", "tool_call_id": id, "content": content}


def test_a_call_is_paired_with_its_result_by_its_id():
    folded = fold_trajectory(
        [
            {"role": "user", "content": "go"},
            asked(("a", "read", '{"n": 1}'), ("b", "list", "{}")),
            answered("b", "B"),
            answered("a", "A"),
        ]
    )
    assert [(e["name"], e["arguments"], e["result"], e["status"], e["turn"]) for e in folded.trajectory] == [
        ("read", {"n": 1}, "A", "completed", 1),
        ("list", {}, "B", "completed", 1),
    ]
    assert folded.errors == ()


def test_an_id_that_comes_again_in_a_later_turn_is_another_call():
    folded = fold_trajectory(
        [asked(("a", "read", "{}")), answered("a", "one"), asked(("a", "write", "{}")), answered("a", "two")]
    )
    assert [(e["turn"], e["result"]) for e in folded.trajectory] == [(1, "one"), (2, "two")]


def test_the_same_id_twice_in_a_turn_loses_no_call():
    folded = fold_trajectory(
        [asked(("a", "read", "{}"), ("a", "list", "{}")), answered("a", "one"), answered("a", "two")]
    )
    assert [(e["name"], e["result"]) for e in folded.trajectory] == [("read", "one"), ("list", "two")]


def test_a_call_without_a_result_stays_called():
    assert fold_trajectory([asked(("a", "read", "{}"))]).trajectory[0]["status"] == "called"


def test_a_result_that_says_error_is_one():
    folded = fold_trajectory([asked(("a", "read", "{}")), answered("a", "Error: no such file")])
    assert folded.trajectory[0]["status"] == "error"


def test_a_result_without_a_call_is_dropped_and_said():
    folded = fold_trajectory(
        [answered("ghost", "boo"), asked(("a", "read", "{}")), answered("a", "A"), answered("a", "again")]
    )
    assert len(folded.trajectory) == 1
    assert [error.split("(")[0] for error in folded.errors] == ["A result without a call was dropped "] * 2


@pytest.mark.parametrize("arguments", ["{", "[1]", None, "", "null", 5])
def test_arguments_that_are_no_object_are_kept_as_they_came(arguments: object):
    folded = fold_trajectory([asked(("a", "read", arguments))])  # type: ignore[arg-type]
    assert folded.trajectory[0]["name"] == "read"


def test_text_alone_and_odd_messages_are_no_trajectory():
    assert fold_trajectory([{"role": "assistant", "content": "hi"}, {}, {"role": "system"}]).trajectory == ()


def test_content_in_parts_is_their_text():
    folded = fold_trajectory(
        [asked(("a", "read", "{}")), answered("a", [{"type": "text", "text": "A"}, {"type": "image"}])]
    )
    assert folded.trajectory[0]["result"] == "A"


SHAPES = {
    "OpenAI": {"usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}},
    "Anthropic": {"usage": {"input_tokens": 7, "output_tokens": 3}},
    "Gemini, JSON": {"usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 3, "totalTokenCount": 10}},
    "Gemini, SDK": SimpleNamespace(
        usage_metadata=SimpleNamespace(prompt_token_count=7, candidates_token_count=3, total_token_count=10)
    ),
    "Ollama": {"prompt_eval_count": 7, "eval_count": 3},
    "Ollama, OpenAI's copy": SimpleNamespace(usage=SimpleNamespace(prompt_tokens=7, completion_tokens=3)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_usage_of_every_shape_is_read_and_has_a_total(shape: str):
    assert usage_of(SHAPES[shape]) == TokenUsage(7, 3)
    assert total_of(SHAPES[shape]) == 10


@pytest.mark.parametrize(
    "nothing", [None, {}, {"usage": None}, {"usage": {}}, SimpleNamespace(usage=None), {"usage": 5}]
)
def test_what_is_not_told_is_unknown_and_not_nought(nothing: object):
    assert usage_of(nothing) == TokenUsage()
    assert total_of(nothing) is None


def test_a_half_that_is_told_is_kept():
    assert usage_of({"usage": {"prompt_tokens": 7, "completion_tokens": None}}) == TokenUsage(7, None)
    assert total_of({"usage": {"input_tokens": 7}}) == 7
