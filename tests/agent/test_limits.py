"""Limits: each a small object; the turn in which one is reached is the last, in which none may be called; 0 is off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from catalogue import run_on
from wire_run import run_script

from agent.budgets import Calls, Seconds, Tokens
from agent.contracts import TokenUsage
from agent.events import Event
from agent.limits import LAST, Iterations, Repeating, after_turn, limit_reached
from agent.run import Run
from offline.script import Call, call, say
from sandbox.files.root import Root

READ = call(Call("get_file_content", {"file_path": "a.txt"}))
COUNT = [call(Call("get_file_content", {"file_path": "long.txt", "start_line": n})) for n in range(1, 30)]


@pytest.fixture
def told() -> list[Event]:
    return []


@pytest.fixture
def run(tmp_path: Path, told: list[Event]) -> Run:
    return run_on(Root(tmp_path), [told.append])


@pytest.mark.parametrize("wire", ["openai", "gemini"])
@pytest.mark.parametrize(
    ("setting", "stop", "requests"),
    [
        ({"max_iters": 3}, "max_iters", 3),
        ({"max_input_tokens": 500}, "token_budget", 5),
        ({"max_output_tokens": 30}, "token_budget", 3),
    ],
)
def test_no_tool_may_be_called_on_the_last_allowed_turn_and_its_answer_is_returned(
    setting: dict[str, int], stop: str, requests: int, wire: str, tmp_path: Path
):
    seen = run_script([*COUNT[: requests - 1], say("As far as I got.")], wire, tmp_path / "work", **setting)
    assert seen.result.stop_reason == stop
    assert seen.exit_code == 3
    assert seen.result.answer == "As far as I got."
    assert len(seen.requests) == requests
    assert [seen.offers_tools(number) for number in range(requests)] == [True] * (requests - 1) + [False]
    assert next(iter(setting)).upper() in seen.told
    assert [json.dumps(body).count(LAST) for body in seen.requests] == [0] * (requests - 1) + [1]


@pytest.mark.parametrize("wire", ["openai", "gemini"])
def test_a_call_that_comes_on_the_last_turn_all_the_same_is_not_run(wire: str, tmp_path: Path):
    seen = run_script([*COUNT[:3]], wire, tmp_path / "work", max_iters=3)
    assert seen.result.stop_reason == "max_iters"
    assert [call["status"] for call in seen.result.tool_calls] == ["completed", "completed", "called"]


def test_a_run_that_takes_too_long_is_asked_for_its_answer(run: Run):
    assert not Seconds(60).reached(run)
    run._began -= 61
    assert Seconds(60).reached(run)
    assert not Seconds(0).reached(run)


def test_zero_is_off(run: Run):
    run.turns, run.tokens = 1_000_000, TokenUsage(10**9, 10**9)
    limits = [Iterations(0), Tokens(0, "input"), Tokens(0, "output"), Seconds(0), Repeating(0)]
    assert not any(limit.reached(run) for limit in limits)


def test_a_budget_of_tokens_leaves_room_for_the_last_turn(run: Run):
    limit = Tokens(1000, "input")
    assert not limit.reached(run)
    run.turns, run.tokens = 1, TokenUsage(300, 1)
    limit.after_turn(run)
    assert not limit.reached(run)
    run.turns, run.tokens = 2, TokenUsage(600, 1)
    limit.after_turn(run)
    assert limit.reached(run)


def test_a_server_that_does_not_count_is_told_once(run: Run, told: list[Event]):
    limit = Tokens(1000, "output")
    run.turns = 1
    limit.after_turn(run)
    limit.after_turn(run)
    assert not limit.reached(run)
    assert len(told) == 1
    assert "MAX_OUTPUT_TOKENS cannot be held" in told[0].text


def entry(name: str, result: str, turn: int = 0, **arguments: object) -> dict[str, object]:
    return {"name": name, "arguments": arguments, "result": result, "turn": turn, "status": "completed"}


def times(run: Run, *turns: list[dict[str, object]]) -> list[int]:
    repeating, counted = Repeating(5), []
    for entries in turns:
        run.trajectory += entries
        repeating.after_turn(run)
        counted.append(repeating.times)
    return counted


def test_the_same_call_with_the_same_result_is_counted(run: Run):
    assert times(run, *[[entry("a", "x")]] * 5) == [1, 2, 3, 4, 5]


def test_another_result_or_another_argument_begins_anew(run: Run):
    assert times(run, [entry("a", "x")], [entry("a", "x")], [entry("a", "y")], [entry("a", "y", n=1)]) == [1, 2, 1, 1]


def test_after_something_new_a_call_that_was_counted_begins_anew(run: Run):
    a, new = [entry("a", "x")], [entry("b", "new")]
    assert times(run, a, a, new, a, a) == [1, 2, 1, 1, 2]


def test_a_cycle_of_two_calls_is_a_loop(run: Run):
    a, b = [entry("a", "x")], [entry("b", "x")]
    assert times(run, a, b, a, b, a, b)[-1] == 3


def test_the_same_call_nine_times_in_one_message_counts_once(run: Run):
    assert times(run, [entry("a", "x")] * 9, [entry("a", "x")] * 9) == [1, 2]


def test_a_different_duration_is_the_same_result(run: Run):
    assert times(run, [entry("t", "9 passed (0.004 s)")], [entry("t", "9 passed (0.011 s)")])[-1] == 2


def test_the_model_is_nudged_at_the_third_and_stopped_at_the_fifth(run: Run):
    repeating, remarks, last = Repeating(5), [], []
    for _ in range(5):
        run.trajectory.append(entry("a", "x"))
        remarks.append(bool(repeating.after_turn(run)))
        last.append(repeating.reached(run))
    assert remarks == [False, False, True, True, True]
    assert last == [False, False, False, False, True]


def test_the_turn_that_reaches_a_number_is_the_last(run: Run):
    run.turns, run.trajectory = 1, [{}]
    assert not Iterations(3).reached(run)
    assert not Calls(2).reached(run)
    assert not Calls(0).reached(run)
    run.turns, run.trajectory = 2, [{}, {}]
    assert Iterations(3).reached(run)
    assert Calls(2).reached(run)


def test_a_budget_may_be_used_to_its_last_token(run: Run):
    limit, lower = Tokens(900, "input"), Tokens(899, "input")
    run.turns, run.tokens = 1, TokenUsage(300, 1)
    for each in (limit, lower):
        each.after_turn(run)
    assert not limit.reached(run), "two more such turns are just within it"
    assert not limit.reached(run), "and asking twice changes nothing"
    assert lower.reached(run)


def test_the_longest_turn_so_far_is_what_another_may_take(run: Run):
    limit = Seconds(100)
    for turns, seconds, last in ((1, 30, False), (2, 35, False), (3, 39, False), (4, 41, True)):
        run.turns, run._began = turns, run._began - (seconds - run.seconds)
        limit.after_turn(run)
        assert limit.reached(run) is last, turns
    slow, run._began = Seconds(100), run._began + run.seconds
    for _ in range(10):
        run._began -= 5
        slow.after_turn(run)
    assert not slow.reached(run), "ten turns of five seconds each"


def test_repeating_is_told_only_where_it_is_limited_and_never_before_the_second_time(run: Run):
    for most, said in ((0, []), (2, [2, 3, 4]), (3, [2, 3, 4]), (4, [2, 3, 4]), (5, [3, 4])):
        repeating = Repeating(most)
        run.trajectory.clear()
        told = []
        for number in range(1, 5):
            run.trajectory.append(entry("a", "x"))
            if words := repeating.after_turn(run):
                assert f"{number} times" in words
                told.append(number)
        assert told == said, most


def test_the_first_limit_that_is_reached_is_named_and_the_model_is_told_that_it_is_the_last_turn(
    run: Run, told: list[Event]
):
    run.limits = (Iterations(10), Calls(2), Seconds(1))
    run.turns, run.trajectory = 1, []
    assert limit_reached(run) is None
    assert after_turn(run) == ""
    run.trajectory += [entry("a", "x"), entry("b", "x")]
    run._began -= 5
    assert limit_reached(run) == "max_calls"
    assert "GLASSBOX_MAX_CALLS" in told[-1].text
    assert after_turn(run) == LAST
