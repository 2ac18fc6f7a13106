"""The checks see what is wrong: each solution, changed by program, is refused by its lesson's check."""

from __future__ import annotations

import pytest

from lessons.course import Lesson, all_lessons
from lessons.mutants import WANTED, alike, measure, mutants
from sandbox.running import levels

COURSE = all_lessons()
IDS = [lesson.key for lesson in COURSE]
SOON = ("01_messages", "04_menu")  # seconds each


@pytest.mark.parametrize(
    "lesson",
    [lesson if lesson.key in SOON else pytest.param(lesson, marks=pytest.mark.long) for lesson in COURSE],
    ids=IDS,
)
def test_a_check_refuses_nearly_every_change_of_its_solution(lesson: Lesson):
    if lesson.number in (10, 14) and not levels.level().can_fork:
        pytest.skip(f"lesson {lesson.number} starts programs, and here code can start none: {levels.level().line}")
    share = measure(lesson)
    assert share.part >= WANTED, share.accepted


@pytest.mark.sample(2)
@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_what_makes_no_difference_is_a_change_that_there_is_and_has_a_reason(lesson: Lesson):
    known = alike(lesson)
    assert not known.keys() - mutants(lesson.text("solution.py"), lesson.text("start.py")).keys()
    assert all(len(reason.split()) >= 2 for reason in known.values())
    assert len(known) <= 20


def test_a_solution_is_changed_in_every_way():
    source = (
        "WRITES = {'a', 'b'}\n\ndef f(items, limit):\n    found, seen = [], {}\n    for each in sorted(items):\n"
        "        try:\n            if each['id'] < limit and each['name'].startswith('x') or each['id'] in WRITES:\n"
        "                found.append({'id': each['id'], 'n': 1})\n        except ValueError:\n            seen = {}\n"
        "    return found\n"
    )
    found = mutants(source)
    for way in (
        "swaps the branches of",
        "drops found.append",
        "1 is 2",
        "another bound in",
        "looks at the first alone",
        "and for or in",
        "catches UnicodeDecodeError alone",
        "handles 3 of for each",
        "goes backwards for each",
        "takes the first each time",
        "takes each['id'] from elsewhere",
        "leaves 'n' out of",
        "leaves 'a' out of",
        "no order in sorted(items)",
        "anywhere for each",
        "f loses what is not ASCII",
        "f keeps found from call to call",
    ):
        assert any(what.startswith(way) for what in found), way
    for text in found.values():
        compile(text, "mutant", "exec")
    assert len(set(found.values())) == len(found)
    assert not mutants(source, source), "what the start gives is not the learner's"
