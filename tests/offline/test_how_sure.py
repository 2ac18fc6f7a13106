"""How sure the built-in model is of its repair: a number from what speaks for it, told, and too small a one not acted on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from asking import Person, changes
from hypothesis import given
from hypothesis import strategies as st

from offline.coder.fixing import UNSURE, how_sure
from offline.repair import repair as repairing
from offline.script import OPENAI

SUMS = "def total(left, right):\n    return left - right\n"
TESTS = """\
import unittest
from sums import total


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual([total(2, 3), total(0, 1)], [5, 1])
"""


@given(st.floats(-20, 20), st.integers(0, 400))
def test_it_is_a_probability_larger_for_what_is_more_plausible_and_has_fewer_rivals(more: float, others: int) -> None:
    told = repairing.how_sure([more, float(others)])
    assert told is not None
    assert 0 < told < 1
    assert told <= (repairing.how_sure([more + 1, float(others)]) or 0)
    assert told >= (repairing.how_sure([more, float(others + 1)]) or 1)


@pytest.mark.parametrize("evidence", [[], [1.0], [1.0, 2.0, 3.0]])
def test_nothing_is_said_where_nothing_is_known(evidence: list[float]) -> None:
    assert repairing.how_sure(evidence) is None
    assert how_sure(None) == ""


@pytest.mark.parametrize(("sure", "told"), [(0.34, "30"), (0.86, "90"), (0.999, "90"), (0.001, "10")])
def test_it_is_told_in_tens_and_never_as_certain(sure: float, told: str) -> None:
    assert how_sure(sure) == f" I am about {told} % sure of it."


def test_a_repair_is_searched_for_with_its_probability() -> None:
    finding = repairing.repair({"sums.py": SUMS, "test_sums.py": TESTS})
    assert finding.sure is not None
    assert finding.sure > 0.5


@pytest.fixture
def unsure(project: Callable[[dict[str, str]], Path], built_in_model: str, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Somebody with a bug whose repair nothing speaks for but that it passes."""
    monkeypatch.setattr(repairing, "SURE", (-9.0, 0.0, 0.0))
    return Person(OPENAI, built_in_model, project({"sums.py": SUMS, "test_sums.py": TESTS}))


@pytest.mark.sample(1)
@pytest.mark.parametrize("then", ["yes please", "fix it anyway"])
def test_a_change_that_it_is_not_sure_of_is_shown_and_made_only_when_asked_for_again(unsure: Person, then: str) -> None:
    result = unsure.ask("fix the bug")
    assert not changes(result)
    assert UNSURE in result.answer
    assert "it should be: return left + right" in result.answer
    assert unsure.files()["sums.py"] == SUMS
    assert changes(unsure.ask(then)) == ["sums.py"]
    assert unsure.files()["sums.py"] == SUMS.replace("left - right", "left + right")


def test_whoever_says_so_at_once_is_not_asked_again(unsure: Person) -> None:
    result = unsure.ask("fix the bug anyway")
    assert changes(result) == ["sums.py"]
    assert "I am about 10 % sure of it." in result.answer
