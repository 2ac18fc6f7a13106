"""The loop's parts at the edge of their limits: what still fits, what is shortened, when a turn is the last."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from catalogue import run_on

from agent import retries
from agent.budgets import Calls, Seconds, Tokens, budgets_of
from agent.context import Context, may_send, size_of
from agent.contracts import TokenUsage, ToolCall, ToolResult
from agent.errors import Passing, TooLong
from agent.events import Event
from agent.limits import LAST, Iterations, Repeating, after_turn, limit_reached, limits_of
from agent.run import Run
from agent.shorter import after_refusal, leave_out_old, shorten, shortened
from cli.fork import AS_THE_PARENT
from config import Settings, variable_of
from jobs.subagents import left_of
from providers import openai_wire
from sandbox.files.root import Root


@pytest.fixture
def told() -> list[Event]:
    return []


@pytest.fixture
def run(tmp_path: Path, told: list[Event]) -> Run:
    return run_on(Root(tmp_path), [told.append])


def holding(run: Run, *sizes: int, sent: int = 0, tool: str = "get_file_content") -> Context:
    """A conversation with an output of each size, the first `sent` of them sent in turn 1; a character is a token."""
    context = Context(run, openai_wire)
    context.characters_per_token = 1.0
    run.turns = 1
    for number, size in enumerate(sizes):
        call = ToolCall(str(number), tool, {"file_path": "a.txt"}, as_text=True)
        message = {"role": "tool", "tool_call_id": str(number), "content": "#" * size}
        context.append_results([message], [ToolResult(call, "#" * size, True, 0.0)])
        context.outputs[-1].sent = number < sent
    return context


def kept(context: Context) -> list[int]:
    """How much of each output is still there."""
    return [each["content"].count("#") for each in context.messages]


# Making room


def test_a_new_output_gives_what_is_too_much_and_the_longest_gives_first(run: Run):
    context = holding(run, 3_000, 8_000)
    base = context.tokens - 11_000
    assert shorten(context, base + 6_000) == 1
    assert kept(context) == [3_000, 8_000 - (5_000 + 200)]
    assert context.tokens <= base + 6_000


def test_no_new_output_becomes_shorter_than_a_quarter_where_another_can_give_more(run: Run):
    context = holding(run, 8_000, 8_000)
    target = context.tokens - 16_000 + 8_000
    assert shorten(context, target) == 2
    assert kept(context)[0] == target // 4
    assert kept(context)[1] > target // 4
    assert target - 300 < context.tokens <= target


def test_six_hundred_characters_of_a_new_output_are_always_kept(run: Run):
    context = holding(run, 8_000, 600)
    assert shorten(context, context.tokens - 8_500)
    assert kept(context) == [600, 600]


def test_a_conversation_that_just_fits_is_left_alone(run: Run, told: list[Event]):
    context = holding(run, 1_000, 1_000)
    assert shorten(context, context.tokens) == 0
    assert kept(context) == [1_000, 1_000]
    assert not told[2:]
    assert shorten(context, context.tokens - 1) == 1


@pytest.mark.parametrize(("size", "left_out"), [(299, 0), (300, 1)])
def test_an_old_output_of_three_hundred_characters_is_worth_leaving_out(run: Run, size: int, left_out: int):
    context = holding(run, size, sent=1)
    run.turns = 9
    assert leave_out_old(context, 0, 2) == left_out


@pytest.mark.parametrize(("turns", "left_out"), [(3, 0), (4, 1)])
def test_what_was_said_two_turns_ago_is_protected(run: Run, turns: int, left_out: int):
    context = holding(run, 1_000, sent=1)
    run.turns = turns
    assert leave_out_old(context, 0, 2) == left_out
    assert (f"output ({1_000:,} characters)" in context.messages[0]["content"]) == bool(left_out)


def test_old_outputs_go_down_to_three_quarters_oldest_reads_first_and_no_further(run: Run):
    context = holding(run, *[1_000] * 8, sent=8)
    run.turns = 9
    base, note = context.tokens - 8_000, 95
    target = context.tokens - 100
    gone = shorten(context, target)
    assert kept(context) == [0] * gone + [1_000] * (8 - gone)
    assert context.tokens <= int(target * 0.75) < context.tokens + 1_000 - note
    assert base < context.tokens


def test_what_a_program_printed_is_left_out_after_what_can_be_read_again(run: Run):
    context = holding(run, 1_000, sent=1, tool="run_tests")
    call = ToolCall("r", "get_file_content", {})
    message = {"role": "tool", "tool_call_id": "r", "content": "#" * 1_000}
    context.append_results([message], [ToolResult(call, "#" * 1_000, True, 0.0)])
    context.outputs[-1].sent = True
    run.turns = 9
    assert leave_out_old(context, context.tokens - 1, 2) == 1
    assert kept(context) == [1_000, 0]


def test_the_turn_before_gives_where_nothing_else_can(run: Run):
    context = holding(run, 5_000, 700, sent=1)
    run.turns = 2
    assert shorten(context, context.tokens - 4_000) == 1
    assert kept(context)[0] == 0


def test_how_much_was_left_out_is_told_in_tokens_of_this_server(run: Run, told: list[Event]):
    context = holding(run, 4_000, 9_000, sent=1)
    context.characters_per_token = 2.0
    run.turns, run.context_window = 9, 5_000
    before = context.characters
    shorten(context, context.tokens - 3_000)
    notice = next(event.text for event in told if event.kind == "notice")
    assert notice == (
        "To fit the model's context window of 5,000 tokens, the output of 1 earlier calls was left out"
        f"{' and 1 new outputs were cut' if kept(context)[1] < 9_000 else ''} "
        f"(about {(before - context.characters) // 2:,} tokens). The model can ask for them again."
    )


@pytest.mark.parametrize("tokens_each", [0.5, 1.5, 2.5])
def test_after_a_refusal_the_server_s_own_count_is_believed(run: Run, tokens_each: float):
    context = holding(run, 20_000, sent=1)
    run.turns = 9
    size = int(context.characters / tokens_each)
    after_refusal(context, TooLong(7_000, size), None)
    assert context.characters_per_token >= 1.0
    assert run.context_window == 7_000
    expected = max(1.0, tokens_each)
    assert abs(context.characters_per_token - expected) < 0.001


@pytest.mark.parametrize(("target", "share"), [(None, 0.6), (10**9, 0.9), (500, 0.0)])
def test_after_a_refusal_at_least_a_tenth_goes_and_without_a_window_two_fifths(run: Run, target: Any, share: float):
    context = holding(run, 40_000)
    size = context.tokens
    after_refusal(context, TooLong(None, None), target)
    assert context.tokens <= max(int(size * share), 5_000)
    if share:
        assert context.tokens > int(size * share) - 400


def test_where_nothing_can_be_shortened_the_refusal_stands_with_what_is_known(run: Run):
    for window, size in ((None, None), (5_000, 6_000)):
        context = holding(run)
        with pytest.raises(TooLong) as told:
            after_refusal(context, TooLong(window, size), None)
        assert (told.value.window, told.value.size) == (window, size or context.tokens)


@pytest.mark.parametrize(("ok", "as_text", "whole"), [(True, False, True), (False, False, False), (True, True, False)])
def test_a_file_is_cut_at_the_end_of_a_line_and_says_where_to_read_on(run: Run, ok: bool, as_text: bool, whole: bool):
    call = ToolCall("a", "get_file_content", {"file_path": "a.txt"}, as_text=as_text)
    text = "123456789\n" * 10
    cut = shortened(run, ToolResult(call, text, ok, 0.0), text, 25)
    if whole:
        assert cut.startswith("123456789\n" * 2 + "[...File")
        assert "start_line=3" in cut
    else:
        assert cut == f"{text[:25]}\n[...cut to fit the context window: 75 more characters. Ask for less.]"
    no_line = shortened(run, ToolResult(call, "x" * 100, ok, 0.0), "x" * 100, 25)
    assert no_line.startswith("x" * 25 + "\n[...cut")
    at_the_end = shortened(run, ToolResult(call, text, ok, 0.0), text, 20)
    assert at_the_end.startswith("123456789\n" * 2)


# What is sent


def test_five_sixths_of_a_window_may_be_sent():
    assert (may_send(6_000), may_send(6_005), may_send(1)) == (5_000, 5_005, 1)
    assert size_of({"a": "ä"}) == len('{"a": "ä"}')


@pytest.mark.parametrize(("used", "characters"), [(None, 3.5), (100, 3.5), (101, 6.0), (10**6, 1.5)])
def test_a_server_s_count_moves_the_estimate_within_bounds(run: Run, used: int | None, characters: float):
    context = holding(run, 10_000)
    context.characters_per_token = 3.5
    context.counted(TokenUsage(used))
    assert context.characters_per_token == characters
    assert context.outputs[0].sent
    context.counted(TokenUsage(context.characters // 2))
    assert abs(context.characters_per_token - 2.0) < 0.01
    assert abs(context.tokens - context.characters / 2) < 20


def test_a_window_that_is_just_full_is_not_shortened(run: Run):
    context = holding(run, 6_000, 6_000, sent=2)
    run.turns = 9
    run.context_window = 6 * context.tokens // 5
    assert may_send(run.context_window) == context.tokens
    context.fit()
    assert kept(context) == [6_000, 6_000]
    run.context_window -= 2
    context.fit()
    assert kept(context) == [0, 6_000]


def test_the_size_is_that_of_all_that_is_sent_also_after_one_is_put_in_place_of_another(run: Run):
    context = holding(run, 10, 2_000)
    context.put(1, {"role": "user", "content": "short"})
    context.put(0, {"role": "user", "content": "y" * 500})
    assert context.characters == size_of(openai_wire.beside(run)) + sum(map(size_of, context.messages))


# Limits


@pytest.mark.parametrize(("most", "turns", "last"), [(3, 1, False), (3, 2, True), (1, 0, True), (0, 99, False)])
def test_the_last_of_so_many_requests_is_the_last(run: Run, most: int, turns: int, last: bool):
    run.turns = turns
    assert Iterations(most).reached(run) is last


@pytest.mark.parametrize(("most", "calls", "last"), [(3, 2, False), (3, 3, True), (3, 4, True), (0, 99, False)])
def test_so_many_calls_are_the_last(run: Run, most: int, calls: int, last: bool):
    run.trajectory = [{}] * calls
    assert Calls(most).reached(run) is last


@pytest.mark.parametrize(("most", "last"), [(800, False), (799, True), (700, True), (0, False)])
def test_a_budget_of_tokens_holds_two_more_turns_of_the_last_size(run: Run, most: int, last: bool):
    limit = Tokens(most, "output")
    for turns, used in ((1, 100), (2, 400)):
        run.turns, run.tokens = turns, TokenUsage(None, used)
        assert limit.after_turn(run) == ""
    run.tokens = TokenUsage(None, 400)
    assert limit.reached(run) is (0 < most < 400 + 2 * 300)
    run.turns, run.tokens = 3, TokenUsage(None, 600)
    limit.after_turn(run)
    assert limit.reached(run) is (0 < most < 600 + 2 * 200)
    assert (most in (799, 800)) or last is (0 < most < 1_000)
    run.turns = 0
    assert not limit.reached(run), "before the first request nothing can be known"


def test_a_budget_without_a_count_is_told_only_where_there_is_one(run: Run, told: list[Event]):
    Tokens(0, "input").after_turn(run)
    assert not told
    assert Tokens(5, "input").setting == "GLASSBOX_MAX_INPUT_TOKENS"


def test_time_is_over_where_two_more_turns_of_the_longest_do_not_fit(monkeypatch: pytest.MonkeyPatch, run: Run):
    clock = [0.0]
    monkeypatch.setattr(Run, "seconds", property(lambda self: clock[-1]))
    limit = Seconds(100)
    for ended in (10.0, 40.0, 45.0):  # turns of 10, 30 and 5 seconds
        clock.append(ended)
        assert limit.after_turn(run) == ""
    for now, last in ((39.9, False), (40.0, True), (41.0, True)):
        clock.append(now)
        assert limit.reached(run) is last
    assert not Seconds(0).reached(run)


@pytest.mark.parametrize(("most", "said"), [(5, [3, 4, 5]), (4, [2, 3, 4, 5]), (2, [2, 3, 4, 5]), (0, [])])
def test_the_model_is_told_of_a_repetition_twice_before_the_last(run: Run, most: int, said: list[int]):
    limit, heard, stopped = Repeating(most), [], []
    for time in range(1, 6):
        run.trajectory.append({"name": "a", "arguments": {}, "result": "x", "status": "completed"})
        if remark := limit.after_turn(run):
            assert f"this same result {time} times" in remark
            heard.append(time)
        if limit.reached(run):
            stopped.append(time)
    assert heard == said
    assert stopped == ([time for time in range(1, 6) if time >= most] if most else [])


def test_results_that_differ_in_their_duration_alone_are_the_same_and_a_call_without_one_counts(run: Run):
    limit = Repeating(5)
    for result in ("ok in 0.12 s", "ok in 3.45s", None, None, ""):
        run.trajectory.append({"name": "a", "arguments": {}, "result": result, "status": "completed"})
        limit.after_turn(run)
    assert limit.times == 3


def test_every_limit_is_looked_at_in_its_order_and_told_with_the_setting_that_moves_it(run: Run, told: list[Event]):
    settings = Settings(max_iters=2, max_calls=3, max_input_tokens=4, max_output_tokens=5, max_seconds=6, max_repeats=7)
    limits = limits_of(settings)
    in_order = [(Iterations, 2), (Calls, 3), (Tokens, 4), (Tokens, 5), (Seconds, 6), (Repeating, 7)]
    these = [each for each in limits if type(each) in dict(in_order)]  # one that is new may stand between them
    assert [(type(each), each.most) for each in these] == in_order  # type: ignore[attr-defined]
    assert {each.setting for each in limits} <= {variable_of(name) for name in vars(settings)}
    run.limits = tuple(limits)
    assert limit_reached(run) is None
    run.trajectory = [{"name": "a", "arguments": {}, "result": ""}] * 3
    assert limit_reached(run) == "max_calls"
    assert "GLASSBOX_MAX_CALLS" in told[-1].text
    run.turns = 1
    assert limit_reached(run) == "max_iters", "the first that is reached"
    assert after_turn(run) == LAST


class Read:
    """Settings that remember what is asked of them."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __getattr__(self, name: str) -> int:
        self.names.add(name)
        return 100


NOT_USED_UP = {"max_repeats"}  # it counts what one agent repeats in a row, and no other goes on from there


def test_every_limit_that_a_person_sets_goes_with_a_fork_and_what_is_left_of_it_to_an_agent_below():
    settings: Any = Read()
    budgets_of(settings)
    limits_of(settings)
    assert settings.names <= AS_THE_PARENT.keys()
    run = SimpleNamespace(turns=1, trajectory=[{}], tokens=TokenUsage(1, 1), seconds=1.0)
    caller: Any = SimpleNamespace(run=run, below=[])
    run.resources = {"caller": caller}
    before = Settings(**dict.fromkeys(settings.names, 100))
    left = left_of(before, caller)
    assert {name for name in settings.names if getattr(left, name) == 99} == settings.names - NOT_USED_UP


def test_what_the_limits_say_of_a_turn_is_told_together_and_what_is_due_is_asked_for(run: Run):
    talking: Any = lambda text: SimpleNamespace(after_turn=lambda run: text, reached=lambda run: False)  # noqa: E731
    run.limits = (talking("One."), talking(""), talking("Two."))
    assert after_turn(run) == "One. Two."
    run.answer_due = "It is done."
    assert after_turn(run) == LAST


# Trying again


@pytest.mark.parametrize(("chance", "factor"), [(0.0, 0.75), (0.5, 1.0), (1.0, 1.25)])
@pytest.mark.parametrize(("failed", "seconds"), [(1, 1.0), (2, 2.0), (3, 4.0), (6, 32.0), (7, 60.0), (50, 60.0)])
def test_a_pause_doubles_up_to_a_minute_and_a_quarter_of_it_is_chance(
    monkeypatch: pytest.MonkeyPatch, chance: float, factor: float, failed: int, seconds: float
):
    monkeypatch.setattr(random, "random", lambda: chance)
    assert retries.pause(Passing("no"), failed) == seconds * factor
    assert retries.pause(Passing("no", wait=7.0), failed) == 7.0 + 0.25 * chance
    assert retries.pause(Passing("no", wait=0.0), failed) == 0.25 * chance


@pytest.mark.parametrize(
    ("attempts", "failed", "wait", "said"),
    [
        (4, 4, 1.0, "No. Tried 4 times. Look."),
        (4, 2, 61.0, "No. It asks to wait 61 s, which is longer than this program waits. Look."),
        (4, 2, 60.0, "No. Tried 2 times. Look."),
        (4, 4, 61.0, "No. Tried 4 times. Look."),
        (1, 1, 1.0, "No. Look."),
    ],
)
def test_what_was_given_up_says_how_often_it_was_tried(attempts: int, failed: int, wait: float, said: str):
    assert retries.final(Passing("No.", advice="Look.", attempts=attempts), failed, wait) == said
    assert "  " not in retries.final(Passing("No.", attempts=attempts), failed, wait)
