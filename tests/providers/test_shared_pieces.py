"""What both wires share, piece by piece and at the edge of each limit: repeating texts, thoughts, ids, counts."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest
from catalogue import CATALOGUE
from hypothesis import given
from hypothesis import strategies as st

from agent.contracts import TokenUsage, ToolCall, ToolResult
from agent.errors import Passing
from config import PROJECT
from providers import common
from providers.enforced import NO_THOUGHTS, UNREAD, UNREAD_AND_CUT


def a_run(**fields: Any) -> Any:
    """Of a run, what these pieces look at; what it was told is in `notices`."""
    notices: list[str] = []
    return SimpleNamespace(catalogue=CATALOGUE, turns=3, enforced="", notices=notices, notice=notices.append, **fields)


def unlike(count: int) -> str:
    """A text in which nothing comes twice."""
    return "".join(f"{number:04}," for number in range(count // 5 + 1))[:count]


@pytest.mark.parametrize("size", [1, 7, 59, 60, 61, 250, 499, 500])
@pytest.mark.parametrize("before", ["", "Something else first. "])
def test_a_text_that_says_a_piece_four_times_over_is_known_by_how_long_the_piece_is(size: int, before: str):
    piece = unlike(size)
    text = before + (piece * (2_000 // size + 2))[:2_001]
    found = common.period(text)
    assert found
    end = text[-2_000:]
    assert end[found:] == end[:-found]
    if size > 5:
        assert found == size


@pytest.mark.parametrize("text", [unlike(3_000), (unlike(501) * 5)[:2_000], "x" * 60 + unlike(1_880) + "x" * 60])
def test_a_text_that_says_a_long_piece_twice_does_not_repeat(text: str):
    assert common.period(text) == 0


def test_what_stands_before_the_last_two_thousand_characters_is_not_looked_at():
    assert common.period("y" * 500 + "x" * 2_000) == 1
    assert common.period("y" + "x" * 1_999) == 0


def test_a_repeating_text_is_kept_up_to_its_first_time():
    run = a_run()
    assert common.said_once("First:" + "Again and again. " * 200, run) == "First:" + "Again and again. "
    assert common.said_once("x" * 2_000, run) == "x"
    assert len(run.notices) == 2


@pytest.mark.parametrize(
    ("ids", "made"),
    [
        (["a", "b"], ["a", "b"]),
        (["", "b"], ["call_3_1", "b"]),
        (["a", "a", "a"], ["a", "call_3_2", "call_3_3"]),
        (["", "call_3_1"], ["call_3_1_", "call_3_1"]),
        (["call_3_2", ""], ["call_3_2", "call_3_2_"]),
        ([], []),
    ],
)
def test_ids_that_are_missing_or_stand_twice_are_made_and_are_like_no_other(ids: list[str], made: list[str]):
    assert common.minted(ids, 3) == made


@given(st.lists(st.sampled_from(["", "a", "call_1_1", "call_1_2", "call_1_2_", "call_1_3_"]), max_size=8))
def test_made_ids_are_never_alike_and_those_that_were_alone_stay(ids: list[str]):
    made = common.minted(ids, 1)
    assert len(set(made)) == len(made) == len(ids)
    assert all(made)
    assert all(made[at] == id for at, id in enumerate(ids) if id and id not in ids[:at])


@pytest.mark.parametrize(
    ("counted", "tokens"),
    [
        (0, 0),
        (10**15 - 1, 10**15 - 1),
        (10**15, None),
        (-1, None),
        (True, None),
        ("7", None),
        (1.0, None),
        (None, None),
    ],
)
def test_a_count_of_tokens_is_a_whole_number_that_can_be(counted: Any, tokens: int | None):
    assert common.tokens(counted) is tokens or common.tokens(counted) == tokens


def test_128_calls_are_a_plan_and_129_are_none():
    assert common.too_many([0] * 128) == ""
    assert "129" in common.too_many([0] * 129)
    assert "128" in common.too_many([0] * 129)


@pytest.mark.parametrize("most", [0, 10])
def test_thoughts_end_at_the_character_that_is_too_many_and_without_a_limit_never(most: int):
    run = a_run()
    thoughts = common.Thoughts(most, run)
    thoughts.add("x" * 5)
    thoughts.add("y" * 5)
    if not most:
        thoughts.add(unlike(50_000))
        return
    with pytest.raises(Passing, match="thought for 10 characters") as told:
        thoughts.add("z")
    assert (told.value.attempts, told.value.wait, run.enforced) == (2, 0.0, NO_THOUGHTS)
    with pytest.raises(Passing) as again:
        common.Thoughts(10, run).add("x" * 11)
    assert again.value.attempts == 1


@pytest.mark.parametrize("piece", [1, 5, 100])
def test_a_thought_that_says_the_same_again_and_again_is_stopped_though_none_is_too_long(piece: int):
    said = "I think it is here. " * 300
    thoughts = common.Thoughts(0, a_run())
    pieces = iter([said[at : at + piece] for at in range(0, len(said), piece)])
    with pytest.raises(Passing, match=r"thought for [\d,]+ characters"):
        all(thoughts.add(each) is None for each in pieces)
    left = sum(map(len, pieces))
    assert 2_000 <= len(said) - left < 2_500 + piece


def test_a_repetition_is_found_within_five_hundred_characters():
    thoughts, text = common.Thoughts(10, a_run()), unlike(600) + "Again and again. " * 300
    found = next(at for at, character in enumerate(text, 1) if thoughts.add_text(character) or thoughts.repeats)
    assert 2_600 <= found <= 3_100


def test_a_text_that_says_the_same_with_another_word_each_time_is_known():
    """As Qwen2.5-Coder 1.5B did, asked for a safe copy of a database, for more than five minutes."""
    things = random.Random(1).choices(
        ["lab", "task", "item", "learner", "score", "interaction", "group", "course", "topic"], k=60
    )
    step = 'This lists all {0}s. Use this list to make the copy:\n\n```json\n{{"path": "/items/?type={0}"}}\n```\n\n'
    thoughts, text = common.Thoughts(10, a_run()), "".join(map(step.format, things))
    assert common.period(text) == 0
    found = next(at for at, character in enumerate(text, 1) if thoughts.add_text(character) or thoughts.repeats)
    assert 6_000 <= found <= 6_500
    run = a_run()
    assert common.said_once(text[:found], run) == text[:found]
    assert len(run.notices) == 1


def test_no_document_source_or_data_of_this_repository_is_taken_for_a_loop():
    files = [path for kind in ("docs/*.md", "*/*.py", "datasets/*.*", "samples/*/*.*") for path in PROJECT.glob(kind)]
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        assert not any(common.nothing_new(text[:end]) for end in range(6_000, len(text), 2_000)), path


def test_a_text_that_repeats_is_told_and_stays_told():
    thoughts = common.Thoughts(10, a_run())
    for _ in range(120):
        thoughts.add_text("Understood. I do it. ")
    assert thoughts.repeats
    thoughts.add_text(unlike(3_000))
    assert thoughts.repeats


def test_texts_that_are_all_different_are_never_stopped():
    thoughts = common.Thoughts(10, a_run())
    for at in range(0, 20_000, 50):
        thoughts.add_text(unlike(20_000)[at : at + 50])
    assert not thoughts.repeats


@pytest.mark.parametrize("beginning", ["<think>", "  \n<thi|nk>", "<|t|h|i|n|k|>"])
def test_a_block_of_thoughts_that_the_text_begins_with_counts_until_it_ends(beginning: str):
    thoughts = common.Thoughts(40, a_run())
    for piece in (*beginning.split("|"), "one thought", "</thi", "nk>", unlike(500)):
        thoughts.add_text(piece)
    late = common.Thoughts(40, a_run())
    for piece in ("The answer: ", "<think>", unlike(500)):
        late.add_text(piece)  # a text about thoughts
    endless = common.Thoughts(40, a_run())
    endless.add_text("<think>")
    with pytest.raises(Passing):
        endless.add_text(unlike(40))


def reply(text: str, calls: list[ToolCall] | None = None, finish: str = "stop", fault: str = "") -> Any:
    return common.reply_of(text, calls or [], TokenUsage(1, 2), finish, {"role": "x"}, a_run(), fault)


def test_calls_in_a_text_get_ids_of_their_turn_and_the_last_one_is_cut_where_the_reply_was():
    text = "run_tests()\nget_file_content(file_path='a')"
    assert [(call.id, call.name, call.as_text, call.cut) for call in reply(text).calls] == [
        ("text_3_1", "run_tests", True, False),
        ("text_3_2", "get_file_content", True, False),
    ]
    assert [call.cut for call in reply(text, finish="length").calls] == [False, True]


def test_calls_that_came_as_calls_go_before_those_of_the_text():
    call = ToolCall("a", "run_tests", {})
    assert reply("get_file_content(file_path='a')", [call]).calls == (call,)


def test_a_fault_is_told_only_where_there_is_no_call():
    unread = '<tool_call>{"name": "run_tests", "argu'
    assert reply(unread).fault == UNREAD
    assert reply(unread, finish="MAX_TOKENS").fault == UNREAD_AND_CUT
    assert reply(" plain ", fault="why").fault == "why"
    assert reply(" plain ").text == "plain"
    assert reply("plain", [ToolCall("a", "run_tests", {})], fault="why").fault == ""
    assert reply("<tools>", [ToolCall("a", "run_tests", {})], fault="why").fault == ""


def test_results_are_told_in_order_and_a_remark_follows_the_last():
    results = [ToolResult(ToolCall(id, id, {}), f"of {id}\ud800", True, 0.0) for id in "ab"]
    assert common.result_texts(results, "") == ["of a?", "of b?"]
    contents = common.result_texts(results, "Mind.")
    assert contents == ["of a?", "of b?\n\nMind."]
    assert common.text_results(results, contents).endswith("\n\na:\nof a?\n\nb:\nof b?\n\nMind.")


def test_a_message_goes_back_as_it_came_where_it_is_of_this_wire_and_holds_the_same_calls():
    message = {"role": "assistant", "tool_calls": [1]}
    entry = {"native": {"wire": "openai", "message": message}, "calls": [{}]}
    calls_in = lambda each: each.get("tool_calls")  # noqa: E731
    assert common.native(entry, "openai", calls_in) is message
    assert common.native(entry, "gemini", calls_in) is None
    assert common.native({**entry, "calls": []}, "openai", calls_in) is None
    assert common.native({**entry, "calls": [{}, {}]}, "openai", calls_in) is None
    assert common.native({"calls": []}, "openai", calls_in) is None
