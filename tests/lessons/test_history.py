"""What is remembered of each check, and how the time that a lesson took is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from learners import BY_PART, COURSE, learner_of, solve

from lessons.__main__ import main
from lessons.history import LONGEST, MOST, PAUSE, entries_of, remember, spend
from lessons.learner import Learner
from lessons.progress import Progress, read
from lessons.sitting import Sitting

FIRST, SECOND = COURSE[:2]


def test_each_check_leaves_when_it_was_and_what_it_found(tmp_path: Path):
    sitting = Sitting(Learner(tmp_path, COURSE))
    sitting.open(FIRST)
    sitting.check()
    solve(tmp_path, "messages")
    sitting.check()
    sitting.progress.save()
    record = read(tmp_path / "progress.json")["lessons"][FIRST.key]
    (before, failed), (after, passed) = entries_of(record)
    assert failed
    assert passed == ""
    assert before <= after
    assert len(before) == len("2026-11-25 03:40:11")
    assert (record["saves"], record["failed_saves"]) == (2, 1)


@pytest.mark.parametrize("arguments", [["check", "1"], ["check"]], ids=" ".join)
def test_a_check_of_a_script_is_remembered_too(arguments: list[str], tmp_path: Path):
    assert main(["--my-agent", str(tmp_path), "reset", "1"]) == 0
    assert main(["--my-agent", str(tmp_path), *arguments]) == 1
    solve(tmp_path, "messages")
    assert main(["--my-agent", str(tmp_path), *arguments]) == 0
    found = [what for _, what in entries_of(read(tmp_path / "progress.json")["lessons"][FIRST.key])]
    assert [bool(what) for what in found] == [True, False]


def test_of_very_many_checks_the_first_and_the_last_are_kept():
    record = {"history": []}
    for number in range(3 * MOST):
        remember(record, f"case {number}" + LONGEST * "." + "\nmore")
    found = [what for _, what in entries_of(record)]
    assert len(found) == MOST
    assert found[0].startswith("case 0.")
    assert found[-1].startswith(f"case {3 * MOST - 1}.")
    assert max(map(len, found)) == LONGEST


def test_time_counts_for_the_lesson_where_it_was_spent_and_a_pause_for_none():
    data = {"lessons": {"a": {}, "b": {}}}
    for key, now in (("a", 1000), ("a", 1100), ("b", 1150), ("b", 1150 + PAUSE), ("b", 9000), ("a", 9001), ("a", 10)):
        spend(data, key, now)
    assert data["lessons"] == {"a": {"seconds": 150}, "b": {"seconds": PAUSE + 1}}


def test_opening_a_hint_a_solution_and_a_check_are_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    seen = []
    monkeypatch.setattr("lessons.progress.spend", lambda data, key: seen.append(key))
    sitting = Sitting(Learner(tmp_path, COURSE))
    sitting.open(FIRST)
    sitting.hint()
    sitting.predict("x")
    sitting.check()
    sitting.open(SECOND)
    sitting.solution()
    assert seen == [FIRST.key] * 4 + [SECOND.key] * 2


@pytest.mark.parametrize("odd", [["a"], ["a", "b"], 3, {}, ["gone", 5]], ids=str)
def test_an_odd_last_event_is_none(odd: object):
    data = {"lessons": {"a": {}}, "last_event": odd}
    spend(data, "a", 20)
    assert data == {"lessons": {"a": {}}, "last_event": ["a", 20]}


def test_the_progress_of_an_older_course_is_read_on(tmp_path: Path):
    old = {"version": 1, "current": FIRST.key, "lessons": {FIRST.key: {"passed": "2026-01-02 03:04", "saves": 4}}}
    (tmp_path / "progress.json").write_text(json.dumps(old))
    learner = Learner(tmp_path, COURSE)
    assert not learner.notice
    learner.progress.checked(FIRST, "two messages", "x")
    learner.progress.save()
    record = read(tmp_path / "progress.json")["lessons"][FIRST.key]
    assert (record["passed"], record["saves"], len(record["history"])) == ("2026-01-02 03:04", 5, 1)
    assert Progress(tmp_path / "progress.json").of(SECOND)["history"] == []


def test_two_lessons_do_not_share_a_history(tmp_path: Path):
    progress = learner_of(tmp_path, "messages").progress
    progress.checked(FIRST, "no", "x")
    assert progress.of(BY_PART["listing"])["history"] == []


def test_a_restart_forgets_the_way_and_not_that_the_solution_was_seen(tmp_path: Path):
    learner = learner_of(tmp_path, "messages")
    learner.progress.of(FIRST).update(hints=2, solution_seen=True)
    learner.progress.checked(FIRST, "no", "x")
    learner.progress.save()
    assert main(["--my-agent", str(tmp_path), "restart", "1"]) == 0
    record = read(tmp_path / "progress.json")["lessons"][FIRST.key]
    assert (record["hints"], record["saves"], record["history"], record["passed"]) == (0, 0, [], "")
    assert record["solution_seen"]
