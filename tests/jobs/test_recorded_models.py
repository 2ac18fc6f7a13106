"""What the real Qwen2.5-Coder 1.5B did wrong, played again on both wires: with a part of the help the run ends well,
without it it does not, or differs as docs/small-models.md says.

The words are the model's own: each script is the calls and the answer of attempts in datasets/models/records, at tasks
of datasets/models/open, so that CI needs no model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from wire_run import Seen, run_script

from agent.mechanisms import NAMES, STILL_UNTRUE
from bench.many.task import unpack
from bench.models.tasks import SETS, ModelTask, tasks_of
from jobs.tested import TESTS
from offline.script import GEMINI, OPENAI, Call, Step, call, say

pytestmark = pytest.mark.usefixtures("the_same_search_is_made_once")
BEFORE, HELP, LATER, ABLATION = (
    f"{name}-qwen1.5b.jsonl" for name in ("baseline-76b1aa6", "help-3b6e27d", "help-9302b0c", "ablation-begun-54f62db")
)


@cache
def task(name: str) -> ModelTask:
    return next(each for each in tasks_of("open") if each.name == name)


@cache
def attempt(record: str, name: str) -> dict[str, Any]:
    lines = (json.loads(line) for line in (SETS / "records" / record).read_text(encoding="utf-8").splitlines())
    return next(line for line in lines if line.get("task") == name)


def replies(record: str, name: str, first: int = 0) -> list[Step]:
    """What the model replied in an attempt: its calls, from the first that the program had not made for it, and its
    answer."""
    told = attempt(record, name)
    calls = [call(Call(tool, arguments)) for tool, arguments, _ in told["calls"][first:]]
    return [*calls, *([say(told["answer"])] if told["answer"] else [])]


@dataclass(frozen=True)
class Case:
    """A part of the help and a task; what the model replied with it and without it, and what a good end is."""

    part: str
    task: str
    having: Callable[[], list[Step]]
    lacking: Callable[[], list[Step]]
    well: Callable[[Seen], bool]
    assist: str = "off"


def text(seen: Seen, path: str) -> str:
    return (seen.root / path).read_text(encoding="utf-8")


def repaired(seen: Seen) -> bool:
    return (
        seen.result.stop_reason == "answered" and re.search(r"All \d+ tests passed", str(seen.outputs[-2:])) is not None
    )


def both(steps: Callable[[], list[Step]]) -> dict[str, Callable[[], list[Step]]]:
    return {"having": steps, "lacking": steps}


def refusal_then_repair() -> list[Step]:
    """Asked to fix the bug it said that it could not know; asked again, with the call to make, it made that."""
    return [say(attempt(BEFORE, "glassbox: calculator")["answer"]), *replies(HELP, "glassbox: calculator", 4)]


CASES = [
    Case(  # with the calls in its history it went on with them; alone it searched, and edited the test
        "opening",
        "ferry_queue",
        lambda: replies(ABLATION, "glassbox: ferry_queue", 6),
        lambda: replies(ABLATION, "glassbox without opening: ferry_queue"),
        lambda seen: seen.result.stop_reason == "answered" and "length += 4" in text(seen, "vehicles.py"),
        "suggest",
    ),
    Case(  # it cannot quote, and wrote the class anew, with the bug in it
        "search",
        "calculator",
        lambda: replies(ABLATION, "glassbox: calculator", 4),
        lambda: replies(ABLATION, "glassbox without search: calculator", 3),
        repaired,
        "suggest",
    ),
    Case(  # when all tests passed it went on with calls until it had no turn left
        "done",
        "calculator",
        **both(lambda: replies(ABLATION, "glassbox without done: calculator", 4)),
        well=repaired,
        assist="suggest",
    ),
    Case("nudge", "calculator", **both(refusal_then_repair), well=repaired, assist="suggest"),
    Case(  # it ran the tests, that all pass, again, and wrote the program anew
        "idle",
        "nothing_broken",
        **both(lambda: replies(HELP, "glassbox: nothing_broken", 4)),
        well=lambda seen: text(seen, "stack.py") == task("nothing_broken").files["stack.py"],
    ),
    Case(  # "I changed the code to include ...", and no file was changed
        "claims",
        "empty_basket_test",
        **both(lambda: replies(LATER, "glassbox: empty_basket_test", 4)),
        well=lambda seen: STILL_UNTRUE in seen.result.errors,
    ),
    Case(  # assert ferry.free() == 11, then 12, 13, 14, 15, and 16, which is what came
        "protect",
        "ferry_queue",
        **both(lambda: replies(ABLATION, "glassbox without search: ferry_queue", 3)),
        well=lambda seen: text(seen, "test_ferry.py") == task("ferry_queue").files["test_ferry.py"],
    ),
    Case(  # it changed the age, and learned of what it broke with a call of its own alone
        "tests",
        "birthday_card",
        **both(lambda: replies(HELP, "glassbox: birthday_card", 3)),
        well=lambda seen: TESTS in edits(seen)[0] and "worse" in edits(seen)[0],
    ),
]


def edits(seen: Seen) -> list[str]:
    return [each["result"] for each in seen.result.tool_calls if each["name"] == "edit_file"]


def played(case: Case, steps: list[Step], wire: str, folder: Path, *without: str) -> Seen:
    unpack(task(case.task).packed(), folder)
    prompt = task(case.task).prompt
    given = {"prompt": prompt, "model_size": "small", "assist": case.assist, "without": without, "max_iters": 12}
    return run_script(steps, wire, folder, **given)


def cases() -> Iterator[Any]:
    for case in CASES:
        for wire in (OPENAI, GEMINI):
            yield pytest.param(case, wire, id=f"{case.part}, {wire}")


@pytest.mark.long
@pytest.mark.parametrize(("case", "wire"), list(cases()))
def test_with_a_part_of_the_help_the_recorded_run_ends_well_and_without_it_it_does_not(
    case: Case, wire: str, tmp_path: Path
):
    having = played(case, case.having(), wire, tmp_path / "having")
    lacking = played(case, case.lacking(), wire, tmp_path / "lacking", case.part)
    assert case.well(having), having.result.to_json()
    assert not case.well(lacking), lacking.result.to_json()


def test_every_part_of_the_help_has_a_recorded_run():
    assert [case.part for case in CASES if case.part not in NAMES] == []
    assert {case.part for case in CASES} == NAMES.keys()
