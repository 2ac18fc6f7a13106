"""The search ends when the time is up, and tells the best that it has found by then."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from offline.repair import repair as repairer
from offline.repair.outcome import Outcome
from offline.repair.ranking.localise import Coverage, Spectrum, rank_statements, reason
from offline.repair.reading.facts import Facts
from offline.repair.reading.failures import Failure
from offline.repair.reading.source import Source
from offline.repair.repair import WORKER, repair
from offline.repair.running.judge import Judge
from offline.repair.running.selection import Selection
from offline.repair.worker import _keeper

HARD = """\
def first(n):
    return n + 1


def second(n):
    total = 0
    for i in range(n):
        total += i
    return total
"""
HARD_TESTS = """\
import hashlib
import unittest
from hard import first, second


class HardTest(unittest.TestCase):
    def test_first(self):
        self.assertEqual(first(3), 2)

    def test_first_again(self):
        self.assertEqual(first(9), 8)

    def test_second(self):
        self.assertEqual(hashlib.md5(str(second(4)).encode()).hexdigest(), "no such thing")
"""


@pytest.mark.long
def test_tests_that_are_known_to_fail_are_run_before_those_that_take_all_the_time() -> None:
    waits = "".join(f"def test_waits_{number}():\n    time.sleep(0.8)\n\n\n" for number in range(60))
    suite = f"import time\nfrom hard import first\n\n\n{waits}def test_first():\n    assert first(3) == 2\n"
    files = {"hard.py": "def first(n):\n    return n + 1\n", "test_hard.py": suite}
    assert repair(files, seconds=12).failing == 0
    finding = repair(files, seconds=12, failing=("test_first",))
    assert finding.failing == 1
    assert finding.suspicious[0] == ("hard.py", 2)


@pytest.mark.long
def test_what_makes_most_tests_pass_is_told_as_a_part_and_is_not_the_repair() -> None:
    finding = repair({"hard.py": HARD, "test_hard.py": HARD_TESTS}, seconds=12)
    assert (finding.status, finding.repair) == ("not_found", None)
    assert finding.partial is not None
    assert finding.partial.new_line in ("return n - 1", "return n + (-1)")  # whichever the time left came to first
    assert len(finding.partial.shown_by) == 2
    assert finding.failing == 3
    assert "2 of 3 failing tests" in finding.message
    assert "did not apply" in finding.message


def test_a_search_that_is_ended_from_outside_still_tells_its_best(monkeypatch: pytest.MonkeyPatch) -> None:
    def forge(directory: Path, seconds: float, seed: int, on_output: Any, cancelled: object) -> None:
        on_output(b'{"best": {"status": "not_found", "suspicious": [["hard.py", 2]], "reasons": ["it is wrong"]}}\n')

    monkeypatch.setattr(repairer, "launch", forge)
    finding = repair({"hard.py": HARD, "test_hard.py": HARD_TESTS})
    assert finding.suspicious == (("hard.py", 2),)
    assert "hard.py line 2 (it is wrong)" in finding.message


def test_a_search_that_is_ended_from_outside_tells_how_many_it_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def forge(directory: Path, seconds: float, seed: int, on_output: Any, cancelled: object) -> None:
        written: list[dict[str, Any]] = []
        keep = _keeper(written.append, {})
        keep(Outcome("not_found", suspicious=[("hard.py", 2)], reasons=["it is wrong"]))
        keep(Outcome("not_found", suspicious=[("hard.py", 2)], reasons=["it is wrong"], tried=26))
        assert written[1] == {"best": {"tried": 26}}
        on_output("".join(json.dumps(one) + "\n" for one in written).encode())

    monkeypatch.setattr(repairer, "launch", forge)
    finding = repair({"hard.py": HARD, "test_hard.py": HARD_TESTS})
    assert finding.tried == 26
    assert finding.message.startswith("None of the 26 changes"), finding.message
    assert finding.suspicious == (("hard.py", 2),)


def test_without_a_word_from_the_search_no_internals_reach_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repairer, "launch", lambda *told: None)
    finding = repair({"hard.py": HARD, "test_hard.py": HARD_TESTS})
    assert finding.status == "failed"
    assert "no change was found" in finding.message
    assert "last words" not in finding.message


@pytest.mark.parametrize("kept", [False, True])
def test_a_mistake_of_the_search_itself_is_told_and_what_was_found_stands(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "repair"
    shutil.copytree(WORKER.parent, place, ignore=shutil.ignore_patterns("__pycache__"))
    found = "keep(Outcome('not_found', suspicious=[('f.py', 1)]))" if kept else ""
    made = "from .outcome import Outcome\n\n\ndef search(files, hint, place, end, tell, keep, *_):\n"
    (place / "search.py").write_text(f"{made}    {found}\n    len(1)\n", encoding="utf-8")
    monkeypatch.setattr(repairer, "WORKER", place / "worker.py")
    finding = repair({"f.py": "x = 1\n"}, seconds=20)
    assert finding.message == "A mistake of its own ended the search: TypeError in search.py, line 6."
    assert (finding.status, finding.suspicious) == (("not_found", (("f.py", 1),)) if kept else ("failed", ()))


@pytest.mark.long
def test_a_test_that_hangs_in_sleep_does_not_outlast_the_limit() -> None:
    files = {
        "slow.py": "import time\n\n\ndef wait():\n    time.sleep(100)\n    return 1\n",
        "test_slow.py": "from slow import wait\n\n\ndef test_wait():\n    assert wait() == 2\n",
    }
    began = time.monotonic()
    finding = repair(files, seconds=6)
    took = time.monotonic() - began
    print(f"{took:.1f} s for a limit of 6")
    assert took < 30  # a hang guard: the test alone would sleep for 100
    assert finding.status in ("not_found", "failed")
    assert finding.message


def test_imports_do_not_drown_the_line_that_is_wrong() -> None:
    text = "import re\nimport json\nLIMIT = 3\nUNIT = 7\n\n\ndef good(x):\n    return re.sub('a', json.dumps(x), 'b' * UNIT)\n"
    text += "\n\ndef bad(x):\n    return re.sub('a', 'b', x)[:LIMIT]\n"
    source = Source("a.py", text)
    imported = {("a.py", line) for line in (1, 2, 3, 4, 7, 11)}
    coverage = Coverage(imported, {"bad": {("a.py", 12)}}, {f"good{i}": {("a.py", 8)} for i in range(5)})
    ranks = rank_statements({"a.py": source}, coverage, [Failure("AssertionError: 1 != 2")])
    order = [statement.lineno for statement in sorted(ranks, key=lambda one: -ranks[one])]
    assert order[0] == 12
    assert order[1] == 3  # a constant that only the failing test uses
    assert 2 not in order  # an import that only passing tests use
    by_line = {statement.lineno: rank for statement, rank in ranks.items()}
    assert by_line[1] < 0.2 < by_line[3]
    names = rank_statements({"a.py": source}, coverage, [Failure("NameError: name 're' is not defined")])
    assert max(rank for one, rank in names.items() if one.lineno == 1) > by_line[1]


def test_ochiai_puts_what_passing_tests_run_too_behind() -> None:
    source = Source("a.py", "def f(x):\n    y = x\n    return y + 1\n")
    coverage = Coverage(set(), {"one": {("a.py", 2), ("a.py", 3)}}, {"two": {("a.py", 2)}, "three": {("a.py", 2)}})
    ranks = {one.lineno: rank for one, rank in rank_statements({"a.py": source}, coverage).items()}
    assert ranks[3] == 1.0
    assert ranks[2] == pytest.approx(1 / 3**0.5)


def test_the_reason_for_a_line_is_told_in_words() -> None:
    source = Source("a.py", "def f(x):\n    y = x[0]\n    return y\n")
    coverage = Coverage(set(), {"one": {("a.py", 2), ("a.py", 3)}, "two": {("a.py", 2)}}, {"ok": {("a.py", 3)}})
    spectrum, failures = Spectrum(coverage), [Failure("IndexError: list index out of range", 3, ("a.py", 2))]
    first, second = source.tree.body[0].body  # type: ignore[attr-defined]
    assert reason(first, source, spectrum, failures) == "it raised IndexError: list index out of range"
    assert reason(second, source, spectrum, failures) == "run by 1 of 2 failing tests and 1 of 1 passing ones"


def test_only_tests_that_enter_the_changed_function_are_run() -> None:
    source = Source("a.py", "LIMIT = 3\n\n\ndef f(x):\n    return x\n\n\ndef g(x):\n    return x\n")
    coverage = Coverage(passing={"f": {("a.py", 5)}, "g": {("a.py", 9)}, "both": {("a.py", 5), ("a.py", 9)}})
    selection = Selection(coverage, ["f", "g", "both"])
    in_f, in_g, at_top = (source.replace(node, "1") for node in (
        source.tree.body[1].body[0].value, source.tree.body[2].body[0].value, source.tree.body[0].value))  # type: ignore[attr-defined]  # fmt: skip
    assert selection.tests_for([in_f], {"a.py": source}) == [0, 2]
    assert selection.tests_for([in_g], {"a.py": source}) == [1, 2]
    assert selection.tests_for([in_f, in_g], {"a.py": source}) == [0, 1, 2]
    assert selection.tests_for([at_top], {"a.py": source}) is None


def test_the_quick_failing_test_runs_before_the_slow_one_and_unneeded_ones_not_at_all() -> None:
    facts = Facts(failing=["slow", "quick"], passing=["needed", "other"], seconds={"slow": 2.0, "quick": 0.3})
    judge = Judge(facts, 1.0, lambda record: None, [0])
    assert judge.order(["other", "slow", "needed", "quick"]) == ["quick", "slow", "needed"]
    judge.done()  # disarms the limit


def test_tests_that_a_run_cut_short_never_saw_are_left_out() -> None:
    facts = Facts(failing=["bad"], passing=["good"], cut=True)
    judge = Judge(facts, 1.0, lambda record: None)
    assert judge.order(["good", "unknown", "bad"]) == ["bad", "good"]
    judge.done()


@pytest.mark.long
def test_a_program_that_needs_more_memory_gets_it() -> None:
    files = {
        "large.py": "TABLE = bytearray(200_000_000)\n\n\ndef parts(n):\n    return len(TABLE) // n + 1\n",
        "test_large.py": "from large import parts\n\n\ndef test_parts():\n    assert parts(4) == 50_000_000 and parts(8) == 25_000_000\n",
    }
    finding = repair(files, seconds=60)
    assert finding.repair is not None
    assert finding.repair.new_line == "return len(TABLE) // n"
