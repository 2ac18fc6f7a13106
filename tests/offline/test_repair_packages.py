"""What published packages need of the repairer: mixed suites, tests that cannot run here, large files, quick loops."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config import PROJECT
from offline.repair.changes.edits import Edit
from offline.repair.changes.ideas import failing_here_alone, missing_modules, nothing_to_mend
from offline.repair.changes.mutations import OPERATORS
from offline.repair.changes.operators.logic import off_by_one
from offline.repair.changes.synthesis import synthesise
from offline.repair.ranking.candidates import WIDE, Candidate, _Merged, make_candidates
from offline.repair.ranking.localise import Coverage, rank_statements
from offline.repair.reading.facts import Facts
from offline.repair.reading.failures import Failure
from offline.repair.reading.hints import HINT_NAME
from offline.repair.reading.project import read_project
from offline.repair.reading.source import Source
from offline.repair.reading.vocabulary import Vocabulary
from offline.repair.repair import repair, suspicious_lines
from offline.repair.running import baseline as first_run
from offline.repair.running.baseline import Baseline, put_aside
from offline.repair.running.judge import Judge
from offline.repair.running.pieces import Pieces
from offline.repair.running.slots import Slot
from offline.repair.running.tracer import STALE, Tracer, part_of

PRICES = "def total(prices, fee):\n    return sum(prices) - fee\n"


@pytest.mark.long
@pytest.mark.parametrize("part", ["", "with self.subTest(fee=3): "])
def test_a_failing_test_case_is_seen_where_pytest_runs_the_others(part: str) -> None:
    """A subtest, too, whose failure pytest tells apart from its test, which it says has passed."""
    tests = f"""
        import unittest
        from prices import total

        def test_nothing():
            assert total([], 0) == 0

        class TotalTest(unittest.TestCase):
            def test_fee(self):
                {part}self.assertEqual(total([1, 2], 3), 6)
        """
    finding = repair({"prices.py": PRICES, "test_prices.py": _text(tests)})
    assert finding.repair is not None
    assert finding.repair.new_line.strip() == "return sum(prices) + fee"


NEEDY = """
    import nowhere_to_be_found
    import unittest
    from prices import total

    class NeedyTest(unittest.TestCase):
        def test_fee(self):
            self.assertEqual(total([], 1), nowhere_to_be_found.one())
    """
PLAIN = """
    import unittest
    from prices import total

    class TotalTest(unittest.TestCase):
        def test_fee(self):
            self.assertEqual(total([1, 2], 3), 6)

        def test_nothing(self):
            self.assertEqual(total([], 0), 0)
    """


def test_a_test_file_that_needs_what_is_not_here_does_not_stand_in_the_way() -> None:
    told: list[str] = []
    files = {"prices.py": PRICES, "test_needy.py": _text(NEEDY), "test_prices.py": _text(PLAIN)}
    finding = repair(files, on_progress=told.append)
    assert finding.repair is not None
    assert finding.repair.new_line.strip() == "return sum(prices) + fee"
    assert any("test_needy.py" in line and "cannot be imported" in line for line in told)


def test_where_only_that_file_fails_it_is_named_and_what_passes_is_counted() -> None:
    right = PRICES.replace("-", "+")
    finding = repair({"prices.py": right, "test_needy.py": _text(NEEDY), "test_prices.py": _text(PLAIN)})
    assert finding.status == "cannot_import"
    assert "'nowhere_to_be_found'" in finding.message
    assert "The other 2 tests pass" in finding.message


def test_tests_that_no_runner_collects_by_their_name_are_not_run_beside_those_that_are() -> None:
    plain, by_hand = _text(PLAIN), _text(PLAIN).replace("6", "7")
    files = {"prices.py": PRICES, "tests/test_prices.py": plain, "tests/every_price.py": by_hand}
    assert read_project(files).test_paths == ("tests/test_prices.py",)
    assert read_project(files).program_paths == ("prices.py",)
    del files["tests/test_prices.py"]
    assert read_project(files).test_paths == ("tests/every_price.py",)


def test_a_module_that_the_program_itself_asks_for_is_not_put_aside() -> None:
    project = read_project({"prices.py": "import nowhere\n" + PRICES, "test_prices.py": _text(PLAIN)})
    failures = {"test_prices.py": Failure("ModuleNotFoundError: No module named 'nowhere'")}
    assert missing_modules(project, failures) == {}


def test_a_test_that_fails_here_alone_is_told_by_the_names_of_all_that_fail_elsewhere() -> None:
    failing = ["test_a.py::ATest::test_one[1.5]", "test_a.py::test_two", f"{HINT_NAME}.py::test_said"]
    assert failing_here_alone(failing, ["test_one", "test_other"]) == ["test_a.py::test_two"]
    assert failing_here_alone(failing, []) == []
    assert failing_here_alone(failing[1:2], ["test_one"]) == []  # then nothing would be left to mend


def test_what_was_put_aside_is_not_judged() -> None:
    known = Baseline(coverage=Coverage(failing={"bad": set(), "needy": set()}), failures={})
    known.failures = {"bad": Failure("AssertionError"), "needy": Failure("No module named 'x'")}
    known.facts.failing = ["bad", "needy"]
    put_aside(known, {"needy": "x"})
    assert known.facts.failing == ["bad"]
    records: list[dict[str, object]] = []
    judge = Judge(known.facts, 1.0, records.append)
    judge.finished("needy", Failure("No module named 'x'"))
    assert judge.order(["needy", "bad"]) == ["bad"]
    judge.finished("bad", None)
    judge.done()
    assert records[-1]["passed"]


def test_quick_failing_tests_that_still_fail_are_enough_to_know() -> None:
    facts = Facts(failing=["slow", "quick", "quick too"], seconds={"slow": 2.0, "quick": 0.01, "quick too": 0.02})
    judge = Judge(facts, 1.0, lambda record: None)
    for name in judge.order(["slow", "quick", "quick too"])[:2]:
        assert not judge.stop
        judge.finished(name, Failure("AssertionError"))
    assert judge.stop
    judge = Judge(facts, 1.0, lambda record: None)
    first, second, _ = judge.order(["slow", "quick", "quick too"])
    judge.finished(first, Failure("AssertionError"))
    judge.finished(second, None)
    assert not judge.stop, "one that helps is seen to its end"
    judge.done()


def test_no_test_failed_is_not_said_of_tests_that_never_ran() -> None:
    outcome = nothing_to_mend(Facts(passing=["a", "b"], cut=True))
    assert outcome.status == "not_found"
    assert "None of the 2 tests that ended in time failed" in outcome.message


def test_what_a_test_keeps_in_itself_is_gone_for_the_next_candidate() -> None:
    tests = """
        import unittest
        from prices import total

        class TotalTest(unittest.TestCase):
            count = 0

            def test_fee(self):
                self.count += 1
                self.assertEqual(total([1, 2], 3) * self.count, 6)
        """
    finding = repair({"prices.py": PRICES, "test_prices.py": _text(tests)})
    assert finding.repair is not None
    assert finding.repair.new_line.strip() == "return sum(prices) + fee"


@pytest.mark.long
def test_tests_that_start_a_program_from_the_disk_are_left_to_a_run_that_writes_it() -> None:
    disk = """
        import subprocess, sys

        def test_printed():
            code = "from prices import total; print(total([1], 2))"
            told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
            assert told.stdout == "3\\n"
        """
    plain = "from prices import total\n\n\ndef test_fee():\n    assert total([1, 2], 3) == 6\n"
    files = {"prices.py": PRICES, "test_disk.py": _text(disk), "test_plain.py": plain}
    finding = repair(files)
    assert finding.repair is not None
    assert finding.repair.new_line.strip() == "return sum(prices) + fee"
    assert len(finding.repair.shown_by) == 2


def test_a_condition_is_as_suspicious_as_the_way_it_sent_the_failing_tests() -> None:
    text = "def f(x):\n    if x > 3:\n        y = 1\n        return y\n    return 0\n"
    every, taken, left = {("a.py", 2)}, {("a.py", 2), ("a.py", 3), ("a.py", 4)}, {("a.py", 2), ("a.py", 5)}
    condition = lambda coverage: {  # noqa: E731
        one.lineno: rank for one, rank in rank_statements({"a.py": Source("a.py", text)}, coverage).items()
    }[2]
    others = {f"ok{number}": left for number in range(8)}
    assert condition(Coverage(set(), {"bad": taken}, others)) == pytest.approx(0.9)
    others = {f"ok{number}": taken for number in range(8)}
    assert condition(Coverage(set(), {"bad": left}, others)) == pytest.approx(0.9)
    assert condition(Coverage(set(), {"bad": every}, {f"ok{number}": every for number in range(8)})) < 0.5


@pytest.mark.parametrize(
    ("text", "counted"),
    [("len(x) == 3", True), ("x == 'no'", False), ("x > n", True), ("names == x", False), ("x is not None", False)],
)
def test_one_more_or_less_is_only_tried_of_what_may_be_a_number(text: str, counted: bool) -> None:
    source = Source("a.py", f"def f(x, n):\n    names = [x]\n    return {text}\n")
    compared = source.tree.body[0].body[1].value  # type: ignore[attr-defined]
    made = [edit.text for edit in off_by_one(compared.left, source, Vocabulary({"a.py": source}))]
    assert bool(made) is counted


def test_one_slow_test_does_not_give_every_failing_one_its_time() -> None:
    known = Baseline(coverage=Coverage(failing={"bad": set(), "hung": set()}))
    known.coverage.passing = {f"ok{number}": set() for number in range(20)}
    known.facts.limits = dict.fromkeys(known.coverage.passing, 0.01) | {"ok3": 1.5}
    known.facts.seconds = {"bad": 0.4, "hung": first_run.HANG_SECONDS}
    first_run._learn_limits(known)
    assert known.facts.default_limit == first_run.AMPLE_LIMIT
    assert known.facts.limits["bad"] == pytest.approx(1.23)
    assert known.facts.limits["ok3"] > 15
    assert "hung" not in known.facts.limits


def test_tests_that_nobody_could_import_are_given_time() -> None:
    known = Baseline(coverage=Coverage(failing={"tests/test_a.py": set()}))
    first_run._learn_limits(known)
    assert known.facts.limit_of("tests.test_a.ATest.test_slow") == first_run.AMPLE_LIMIT


def test_those_that_nobody_could_import_are_given_time_beside_quick_ones_too() -> None:
    known = Baseline(coverage=Coverage(failing={"tests/test_a.py": set()}, passing={"quick": set()}))
    known.facts.limits = {"quick": 0.001}
    first_run._learn_limits(known)
    assert known.facts.limit_of("tests/test_a.py::test_slow") == first_run.AMPLE_LIMIT
    assert known.facts.limit_of("quick") < first_run.AMPLE_LIMIT


@pytest.mark.parametrize(
    ("tests", "files"),
    [
        (["tests/test_a.py::ATest::test_x[b.c]"], ["tests/test_a.py"]),
        (["tests.test_b.BTest.test_x", "test_c.CTest.test_y"], ["tests/test_b.py", "test_c.py"]),
        (["tests/test_a.py"], ["tests/test_a.py"]),
        (["tests/test_a.py", "conftest.py"], []),
        (["setUpClass (tests.test_a.ATest)"], []),
        (["tests/test_a.py", "tests.test_b.BTest.test_x", "test_c.py::test_y"], []),  # that is every file
    ],
)
def test_the_files_of_tests_are_known_by_their_names(tests: list[str], files: list[str]) -> None:
    texts = dict.fromkeys(("tests/test_a.py", "tests/test_b.py", "test_c.py"), "def test_x():\n    pass\n")
    assert sorted(read_project({**texts, "tests/__init__.py": ""}).files_of(tests)) == sorted(files)
    twins = {**texts, "more/test_a.py": texts["test_c.py"], "tests/__init__.py": "", "more/tests/test_c.py": ""}
    assert read_project({**twins, "more/test_c.py": texts["test_c.py"]}).files_of(tests) == []


def _judged(slot: Slot, path: str, text: str) -> dict[str, Any]:
    slot.send([({path: text}, None)], 1.0)
    while (verdicts := slot.receive()) is None:
        pass
    return verdicts[0]


@pytest.mark.parametrize("framework", ["pytest", "unittest"])
@pytest.mark.usefixtures("can_fork")
def test_a_change_that_helps_no_failing_test_is_judged_without_the_other_files(framework: str, tmp_path: Path) -> None:
    """What is done at import (`FEE`) can only be judged by importing everything anew."""
    seen = tmp_path / "seen"
    other = f"""
        import unittest
        from prices import total

        with open({str(seen)!r}, "a") as file:
            file.write("x")

        class OtherTest(unittest.TestCase):
            def test_nothing(self):
                self.assertLess(total([], 0), 9)
        """
    program = "FEE = 0\n\n\ndef total(prices, fee):\n    return sum(prices) + fee + FEE * (fee + 1)\n"
    tests = _text(PLAIN).replace("6)", "10)") + ("\nimport pytest\n" if framework == "pytest" else "")
    project = read_project({"prices.py": program, "test_other.py": _text(other), "test_prices.py": tests})
    assert project.framework == framework
    slot = Slot(project, tmp_path / "slot", time.monotonic() + 120)
    learnt = first_run.take_baseline([slot], time.monotonic() + 120)
    assert len(learnt.facts.failing) == 1
    slot.restart(project, learnt.facts, patched=False)
    before = len(seen.read_text())
    assert not _judged(slot, "prices.py", program.replace("FEE = 0", "FEE = 2"))["passed"]
    assert len(seen.read_text()) == before
    cures = _judged(slot, "prices.py", program.replace("FEE = 0", "FEE = 1"))
    assert cures["fixed"] == learnt.facts.failing
    assert cures["broken"], "test_nothing: 1 is not 0"
    assert len(seen.read_text()) > before
    slot.close()


@pytest.mark.usefixtures("can_fork")
def test_a_module_that_only_tests_import_is_there_before_a_change_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = """
        def test_total():
            from prices import total
            assert total([1, 2], 3) == 6

        def test_nothing():
            from prices import total
            assert total([], 0) == 0
        """
    program = PRICES + "\n\ndef made():\n    return 1\n\n\nONE = made()\n"
    project = read_project({"prices.py": program, "test_prices.py": _text(tests)})
    slot = Slot(project, tmp_path / "slot", time.monotonic() + 120)
    learnt = first_run.take_baseline([slot], time.monotonic() + 120)
    assert learnt.facts.late == ["prices"]
    slot.restart(project, learnt.facts)
    asked: list[object] = []
    monkeypatch.setattr(slot._thorough, "send", lambda job, send=slot._thorough.send: (asked.append(job), send(job)))
    assert not _judged(slot, "prices.py", program.replace("-", "*"))["passed"]
    assert asked == [], "the imported function was given the code of the change"
    assert not _judged(slot, "prices.py", program.replace("return 1", "return 2"))["passed"]
    assert asked, "what ran while it was imported is not changed so"
    slot.close()


def test_what_fails_only_after_other_tests_is_not_what_every_change_seems_to_cure() -> None:
    tests = """
        import os

        class TestOrder:
            def test_first(self):
                os.mkdir("made")

            def test_second(self):
                assert not os.path.exists("made")
        """
    told: list[str] = []
    files = {"prices.py": PRICES, "test_order.py": _text(tests), "test_prices.py": _text(PLAIN)}
    finding = repair(files, on_progress=told.append)
    assert finding.repair is not None
    assert finding.repair.new_line.strip() == "return sum(prices) + fee"
    assert "not counting test_order.py::TestOrder::test_second: they fail only after others" in told
    assert not any("cannot be imported" in line for line in told)


def test_a_function_that_shows_nothing_new_is_no_longer_followed_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def hot() -> int:
        return 1

    monkeypatch.setattr(sys, "addaudithook", lambda hook: None)  # nobody could take it out of this process again
    before = sys.gettrace()
    tracer = Tracer({__file__: "hot.py"}, [], (0, 0), lambda record: None)
    try:
        tracer.order([])
        tracer.started("test")
        for _ in range(3 * STALE):
            hot()
        assert tracer.stale[hot.__code__] == STALE
        assert ("hot.py", hot.__code__.co_firstlineno + 1) in tracer.hits
        tracer.started("another test")
        assert tracer.stale == {}
    finally:
        sys.settrace(before)


def test_no_change_is_computed_once_time_for_it_is_up() -> None:
    source = Source("prices.py", PRICES)
    words = Vocabulary({"prices.py": source})
    ranks = {source.tree.body[0].body[0]: 1.0}  # type: ignore[attr-defined]
    assert list(synthesise(ranks, words, {}, until=time.monotonic() - 1)) == []


@given(st.lists(st.lists(st.floats(0.001, 100), max_size=6), max_size=6))
def test_merged_series_come_in_order_and_nothing_of_one_is_made_before_its_turn(weights: list[list[float]]) -> None:
    begun, made = list[float](), list[float]()

    def series(number: int, values: list[float]) -> Iterator[Candidate]:
        begun.extend(values[:1])
        for value in values:
            made.append(value)
            yield Candidate((Edit("a.py", number, number, ""),), OPERATORS[0], 1, value)

    merged = _Merged()
    for number, values in enumerate(weights):
        values.sort(reverse=True)
        merged.add(max(values, default=50.0), ("a.py", number, 0), series(number, values))
    assert not begun
    taken = []
    for one in merged.taken_above(10.0):
        taken.append(one.likelihood)
        assert min(begun) >= one.likelihood
        assert len(made) <= len(begun) + len(taken)  # of each only what is needed
    assert all(value > 10 for value in taken)
    taken += [one.likelihood for one in merged.taken_above(0.0)]
    assert taken == sorted((value for values in weights for value in values), reverse=True)


def test_the_expressions_of_a_large_file_are_collected_once() -> None:
    lines = "".join(f"    a{n} = x.field{n} + y.other{n} * 3 - len('text{n}')\n" for n in range(40))
    source = Source("large.py", f"def f(x, y):\n{lines}    return a1\n")
    ranks = dict.fromkeys(source.tree.body[0].body, 1.0)  # type: ignore[attr-defined]
    words = Vocabulary({"large.py": source})
    assert len(list(islice(make_candidates({"large.py": source}, ranks, words, {}), 2000))) == 2000
    asked = words.expressions.cache_info()
    assert asked.misses == 1
    assert asked.hits > 40


def _text(indented: str) -> str:
    return textwrap.dedent(indented).lstrip("\n")


LARGE = '''\
"""Text."""
from __future__ import annotations

LIMIT = 3


@staticmethod
def f(x):
    def inner(y):
        return y + x
    # the end of it

    return inner(1)


class A:
    size = LIMIT

    def g(self):
        return self.size

    # a comment


if LIMIT:

    def h(x):
        return x
'''


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("y + x", "y - x", (7, 15)),
        ("return inner(1)", "if x:\n        return inner(1)\n    return 0", (7, 15)),
        ("        return self.size\n", "        return self.size\n        # more\n", (16, 24)),
        ("LIMIT = 3", "LIMIT = 4", None),
        ("        return x\n", "        return -x\n", None),
    ],
)
def test_only_the_definition_that_changed_is_compiled(old: str, new: str, lines: tuple[int, int] | None) -> None:
    code = compile(LARGE, "large.py", "exec", dont_inherit=True)
    changed = LARGE.replace(old, new)
    piece = Pieces("large.py", LARGE, code).changed(changed)
    if lines is None:
        assert piece is None
        return
    assert piece is not None
    assert (piece.first, piece.last) == lines
    whole = {one.co_name: one for one in _codes(compile(changed, "large.py", "exec", dont_inherit=True))}
    for one in _codes(piece.new):
        assert whole[one.co_name].co_code == one.co_code
        assert list(whole[one.co_name].co_lines()) == list(one.co_lines())


def _codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)


SIZES = "\n".join(f"SIZE_{n} = {n} * len(str({n})) + {n + 1}" for n in range(200))
TABLE = f"""{SIZES}
NAMES = ("small", "large")


class Shelf:
    places = {{name: NAMES[place + 1] for place, name in enumerate(NAMES)}}
"""
ASKS_FOR_A_SHELF = {
    "pytest": "from shelf import Shelf\n\n\ndef test_shelf():\n    assert Shelf.places == {'small': 'small', 'large': 'large'}\n",
    "unittest": "import unittest\nfrom shelf import Shelf\n\n\nclass ShelfTest(unittest.TestCase):\n    def test_shelf(self):\n"
    "        self.assertEqual(Shelf.places, {'small': 'small', 'large': 'large'})\n",
}


@pytest.mark.long
@pytest.mark.parametrize("framework", ASKS_FOR_A_SHELF)
def test_what_keeps_every_test_from_being_imported_is_looked_for_where_that_broke_off(framework: str) -> None:
    files = {"shelf.py": TABLE, "test_shelf.py": ASKS_FOR_A_SHELF[framework]}
    found = suspicious_lines(files, seconds=120)  # it ends as soon as they are known
    assert found[0] == ("shelf.py", TABLE.count("\n"))


@pytest.mark.long
def test_a_conftest_that_the_bug_keeps_from_being_imported_is_a_test_that_fails_and_the_bug_is_repaired() -> None:
    places = 'NAMES = ("small", "large")\n\nPLACES = {name: NAMES[place + 1] for place, name in enumerate(NAMES)}\n'
    fixture = "import pytest\nfrom shelf import PLACES\n\n\n@pytest.fixture\ndef places():\n    return PLACES\n"
    test = "def test_places(places):\n    assert places == {'small': 'small', 'large': 'large'}\n"
    files = {"shelf.py": places, "tests/conftest.py": fixture, "tests/test_shelf.py": test}
    finding = repair(files, seconds=60)
    assert finding.status == "repaired", finding
    assert finding.repair.path == "shelf.py"
    assert "NAMES[place]" in finding.repair.new_line


LAZY = """
import time

until = time.process_time() + {seconds}
while time.process_time() < until:
    pass
"""


@pytest.mark.long
def test_an_import_that_takes_longer_than_a_test_may_is_waited_for() -> None:
    files = {
        "slow_start.py": LAZY.format(seconds=first_run.HANG_SECONDS * 1.25),
        "prices.py": "import slow_start\n\n\ndef total(prices, fee):\n    return sum(prices) - fee\n",
        "conftest.py": "import prices\n",
        "test_prices.py": "from prices import total\n\n\ndef test_total():\n    assert total([1, 2], 3) == 6\n",
    }
    finding = repair(files, seconds=120)
    assert (finding.status, finding.failing) == ("repaired", 1), finding


def _traced(files: dict[str, str], place: Path) -> dict[str, dict[str, Any]]:
    """What the first run tells of each test, by its name."""
    until = time.monotonic() + 120
    slot = Slot(read_project(files), place, until)
    slot.trace([], (60.0, 60.0), until)
    records = slot.traced()
    slot.close()
    return {record["test"].rpartition("::")[2]: record for record in records if "test" in record}


@pytest.mark.usefixtures("can_fork")
def test_only_a_test_that_meets_the_program_outside_of_memory_is_left_to_the_slow_way(tmp_path: Path) -> None:
    program = """
        import pathlib

        DATA = pathlib.Path(__file__).parent / "data.txt"

        def total(prices):
            return sum(prices) + len(DATA.read_text())
        """
    tests = """
        import importlib, inspect, runpy, subprocess, sys
        import prices

        def test_data():
            assert prices.total([]) == 1

        def test_process():
            subprocess.run([sys.executable, "-c", ""])

        def test_text():
            open(prices.__file__).close()

        def test_source():
            inspect.getsource(prices)

        def test_script():
            runpy.run_path(prices.__file__)

        def test_again():
            importlib.reload(prices)
        """
    seen = _traced({"prices.py": _text(program), "data.txt": "1", "test_prices.py": _text(tests)}, tmp_path)
    looked = {name: record["looked"] for name, record in seen.items()}
    assert looked.pop("test_data") is False
    assert len(looked) == 5
    assert all(looked.values()), looked


@pytest.mark.long
@pytest.mark.usefixtures("can_fork")
def test_a_property_draws_the_same_in_every_run_and_looks_for_no_smaller_example(tmp_path: Path) -> None:
    tests = """
        from hypothesis import given, strategies
        from prices import total

        @given(strategies.integers(0, 10**9))
        def test_total(n):
            assert total([n], 0) < 1000, n
        """
    files = {"prices.py": PRICES, "test_prices.py": _text(tests)}
    code = (
        "import sys; sys.path[:0] = sys.argv[2:]; from pathlib import Path; import test_repair_packages as here; "
        "from offline.repair.running.running import draw_alike; place = Path(sys.argv[1]); "
        f"files = {files!r}; draw_alike(here.read_project(files), place); "
        "print(here._traced(files, place / 'slot')['test_total']['failure']['text'].splitlines()[0])"
    )
    told = []
    for name in ("one", "two"):
        command = [sys.executable, "-c", code, str(tmp_path / name), str(Path(__file__).parent), str(PROJECT)]
        told.append(subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=True).stdout)
    assert told[0] == told[1]
    assert told[0].startswith("AssertionError: ")
    assert told[0] != "AssertionError: 1000\n"  # the smallest


@pytest.mark.long
def test_a_property_of_a_class_with_settings_of_its_own_may_run_for_each_parameter_and_each_change() -> None:
    """Hypothesis would say that it was called from multiple executors, and every change would leave it failing."""
    tests = """
        import pytest
        from hypothesis import HealthCheck, given, settings, strategies
        from prices import total

        class TestTotal:
            @pytest.mark.parametrize("fee", [1, 2])
            @settings(suppress_health_check=[HealthCheck.too_slow])
            @given(strategies.integers(0, 9))
            def test_fee(self, fee, price):
                assert total([price], fee) == price + fee
        """
    finding = repair({"prices.py": PRICES, "test_prices.py": _text(tests)})
    assert finding.repair is not None
    assert finding.repair.new_line == "return sum(prices) + fee"


@pytest.mark.long
@pytest.mark.usefixtures("can_fork")
def test_a_test_that_needs_what_another_leaves_refuses_no_change_to_which_that_other_does_not_matter() -> None:
    """What the repaired test leaves is put away by one that no change can matter to, before the next would meet it."""
    program = f"seen = []\n\n\n{PRICES}"
    tests = """
        import prices

        def test_total():
            assert prices.total([3], 1) == 4
            prices.seen.append(4)

        def test_nothing_is_seen_any_more():
            prices.seen.clear()

        def test_nothing():
            assert prices.total([], 0) == 0
            assert prices.seen == []
        """
    finding = repair({"prices.py": program, "test_prices.py": _text(tests)})
    assert finding.repair is not None
    assert finding.repair.new_line == "return sum(prices) + fee"


@pytest.mark.long
@pytest.mark.usefixtures("can_fork")
def test_a_test_that_needs_memory_only_once_it_passes_is_given_more_before_the_change_is_refused() -> None:
    program = "def block(size):\n    return bytearray(size - 1)\n"
    tests = """
        from blocks import block

        def test_small():
            assert len(block(5)) == 5

        def test_large():
            assert len(block(7)) == 7
            assert len(block(300 * 2**20)) == 300 * 2**20
        """
    finding = repair({"blocks.py": program, "test_blocks.py": _text(tests)})
    assert finding.repair is not None
    assert finding.repair.new_line == "return bytearray(size)"


def test_a_property_that_fails_at_its_first_example_may_take_as_long_as_a_hundred() -> None:
    @settings(database=None)
    @given(st.integers())
    def never(number: int) -> None:
        assert number is None

    with pytest.raises(AssertionError) as raised:
        never()
    learnt = Baseline(failures={"never": Failure.of(raised.value, lambda name: None), "usual": Failure("")})
    learnt.coverage.failing.update({"never": set(), "usual": set()})
    learnt.facts.seconds.update({"never": 0.01, "usual": 0.01})
    first_run._learn_limits(learnt)
    assert learnt.facts.limit_of("never") >= first_run.AMPLE_LIMIT > learnt.facts.limit_of("usual")


def test_a_test_that_is_only_slow_under_tracing_is_no_failing_one() -> None:
    def told(name: str, failure: str | None, lines: dict[str, list[int]]) -> dict[str, Any]:
        failed = failure and {"text": failure, "depth": 0, "crash": None}
        return {
            "test": name,
            "failure": failed,
            "lines": lines,
            "seconds": 0.5,
            "clock": 0.5,
            "looked": False,
            "followed": True,
        }

    class Stub:
        def trace(self, skip: list[str], limits: object, until: float, *, follow: bool = True, **_: Any) -> None:
            self.skip, self.follow = skip, follow

        def traced(self) -> list[dict[str, Any]]:
            if not self.follow:
                assert self.skip == ["bad", "good"]
                return [told("slow", None, {}), told("hung", "TimeIsUp: ", {})]
            first = [told("bad", "AssertionError: 1", {"a.py": [1]}), told("slow", "TimeIsUp: ", {"a.py": [2]})]
            rest = [
                told("hung", "TimeIsUp: ", {"a.py": [3]}),
                told("good", None, {}),
                {"modules": [], "late": [], "memory": 0},
            ]
            return first + rest

    learnt = first_run.take_baseline([Stub()], time.monotonic() + 60)  # type: ignore[list-item]
    assert learnt.facts.failing == ["bad"]
    assert learnt.coverage.passing["slow"] == {("a.py", 2)}
    assert learnt.facts.slow == ["hung"]  # another test fails and says how: nobody waits for this one
    assert "hung" not in learnt.coverage.failing


def test_a_large_table_does_not_come_before_the_line_beside_it() -> None:
    table = ", ".join(map(str, range(2 * WIDE)))
    source = Source("a.py", f"TABLE = [{table}]\n\n\ndef at(n):\n    return TABLE[n - 1]\n")
    at_top, inside = source.tree.body[0], source.tree.body[1].body[0]  # type: ignore[attr-defined]
    made = make_candidates({"a.py": source}, {at_top: 1.0, inside: 0.9}, Vocabulary({"a.py": source}), {})
    assert next(made).line == inside.lineno


@pytest.mark.usefixtures("can_fork")
def test_a_test_that_leaves_the_directory_takes_nothing_of_the_program_with_it(tmp_path: Path) -> None:
    tests = """
        import os
        import prices

        def test_away(tmp_path):
            os.chdir(tmp_path)

        def test_total():
            assert prices.total([1, 2], 3) == 6
        """
    until = time.monotonic() + 120
    slot = Slot(read_project({"prices.py": PRICES, "test_prices.py": _text(tests)}), tmp_path / "slot", until)
    learnt = first_run.take_baseline([slot], until)
    slot.close()
    assert learnt.failures["test_prices.py::test_total"].depth == 8
    assert not {"prices", "test_prices"} & set(learnt.facts.modules)


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.integers(1, 9)), max_size=9))
def test_the_parts_of_the_tests_are_all_of_them_in_their_order_and_no_class_is_in_two(
    classes: list[tuple[str, int]],
) -> None:
    """A test may need what those before it in its class did."""
    names = [f"test_{a}.py::{a}Test{i}::test_x[{n}::a.b]" for i, (a, count) in enumerate(classes) for n in range(count)]
    for count in (1, 2, 3):
        parts = [part_of(names, (number, count)) for number in range(count)]
        assert [name for part in parts for name in part] == names
        held = [{name.partition("[")[0] for name in part} for part in parts]
        assert sum(map(len, held)) == len(set().union(*held))


def test_many_tests_are_parted_in_halves() -> None:
    names = [f"test_shop.{name}Test.test_{number}" for name in "ABCD" for number in range(10)]
    assert [len(part_of(names, (number, 2))) for number in (0, 1)] == [20, 20]


@pytest.mark.usefixtures("can_fork")
def test_the_first_run_is_shared_between_the_slots(tmp_path: Path) -> None:
    """Each test waits until a second process has begun with one, so that none can take all of them."""
    test = f"""
        import os
        import pathlib
        import time

        BEGUN = pathlib.Path({str(tmp_path / "begun")!r})

        def test_it():
            BEGUN.mkdir(exist_ok=True)
            (BEGUN / str(os.getpid())).touch()
            until = time.monotonic() + 20
            while len(list(BEGUN.iterdir())) < 2 and time.monotonic() < until:
                time.sleep(0.01)
            assert os.getpid() == 0
        """
    files = {"prices.py": PRICES, **{f"test_{name}.py": _text(test) for name in "abcd"}}
    until = time.monotonic() + 120
    slots = [Slot(read_project(files), tmp_path / name, until) for name in ("one", "two")]
    learnt = first_run.take_baseline(slots, until)
    for slot in slots:
        slot.close()
    assert list(learnt.failures) == [f"test_{name}.py::test_it" for name in "abcd"]
    assert len({failure.text.partition(" == ")[0] for failure in learnt.failures.values()}) == 2, "processes"


@pytest.mark.long
@pytest.mark.usefixtures("can_fork")
def test_a_test_that_fails_now_and_then_without_a_change_speaks_against_no_change() -> None:
    """It passes where it is watched for the first time, and fails from then on, as one of speed does."""
    tests = """
        import sys
        import unittest
        from prices import total

        class TotalTest(unittest.TestCase):
            def test_total(self):
                self.assertEqual(total([1, 2], 3), 6)

            def test_watched(self):
                total([1, 2], 3)
                self.assertIsNotNone(sys.gettrace())
        """
    finding = repair({"prices.py": PRICES, "test_prices.py": _text(tests)}, seconds=60)
    assert finding.repair is not None
    assert finding.repair.new_line.strip() == "return sum(prices) + fee"
