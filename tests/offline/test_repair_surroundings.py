"""What tests need of the place where they run while a repair is searched: else the right change fails one of them.

Each was found in a draw of published packages (datasets/draws/2026112702.jsonl): there the right change was tried, and
judged by a test that failed for another reason.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import types
from pathlib import Path
from types import SimpleNamespace

import pytest

from config import PROJECT
from offline.repair.ranking.localise import Coverage
from offline.repair.reading.failures import Failure
from offline.repair.repair import repair
from offline.repair.running import baseline
from offline.repair.running.baseline import Baseline
from offline.repair.running.tracer import Tracer
from offline.repair.worker import MOST_IN_MEMORY, _place

needs_links = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the wall lets nobody make links")
PRICES = "def total(prices, fee):\n    return sum(prices) - fee\n"
FEE = """
    from prices import total

    def test_fee():
        assert total([1, 2], 3) == 6

    def test_no_fee():
        assert total([1, 2], 0) == 3
    """
LINK = """
    import os
    from prices import total

    def test_total_of_a_linked_file(tmp_path):
        (tmp_path / "numbers").write_text("1 2")
        os.symlink(tmp_path / "numbers", tmp_path / "link")
        assert total(map(int, (tmp_path / "link").read_text().split()), 3) == 6
    """
LOADER = """
    import importlib.util
    import os
    from importlib.machinery import SourceFileLoader
    from prices import total

    class Louder(SourceFileLoader):
        def source_to_code(self, data, path, **options):
            return compile(data.replace(b"quiet", b"loud"), path, "exec")

    def test_what_another_loader_makes_of_a_text():
        spec = importlib.util.spec_from_loader("voice", Louder("voice", os.path.abspath("voice.py")))
        voice = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(voice)
        assert voice.word == "loud"
    """
LITERAL = """
    def total(prices, fee):
        if fee is 0:
            return sum(prices)
        return sum(prices) - fee
    """
NOT_LOADED = """
    import sys
    from prices import total

    def test_what_nobody_has_loaded_yet():
        assert "colorsys" not in sys.modules

    def test_what_loads_it():
        import colorsys
        assert colorsys.rgb_to_hsv(0, 0, 0)[2] == total([], 0)
    """

RULES = """
    class Rule:
        def __init__(self, test):
            pass

        def holds(self, value):
            return self.test(value)

    even = Rule(lambda value: value % 2 == 0)
    """
RULES_TESTED = """
    from rules import Rule, even

    def test_one_that_is_made_at_import():
        assert [even.holds(number) for number in (2, 3)] == [True, False]

    def test_one_of_its_own():
        assert [Rule(bool).holds(number) for number in (2, 0)] == [True, False]
    """


def text(written: str) -> str:
    return textwrap.dedent(written).lstrip()


def tracer(told: list[dict[str, object]], monkeypatch: pytest.MonkeyPatch) -> Tracer:
    """One that leaves this process as it was: a hook for what goes on cannot be taken away."""
    monkeypatch.setattr(sys, "addaudithook", lambda hook: None)
    monkeypatch.setattr(sys, "settrace", lambda follow: None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    return Tracer({}, [], (0, 0), told.append)


@pytest.mark.long
@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"test_link.py": LINK}, marks=needs_links),
        {"test_loader.py": LOADER, "voice.py": "word = 'quiet'\n"},
        {"test_loaded.py": NOT_LOADED},
        {"pytest.ini": "[pytest]\nfilterwarnings = error\n", "prices.py": LITERAL},
    ],
    ids=["makes a link", "brings a loader", "asks what is loaded", "makes errors of warnings"],
)
def test_the_right_change_is_found_beside_a_test_that(more: dict[str, str]) -> None:
    files = {"prices.py": PRICES, "test_prices.py": text(FEE), **{path: text(each) for path, each in more.items()}}
    finding = repair(files)
    assert finding.repair is not None, finding.message
    assert (finding.repair.new_line.strip(), finding.repair.also) == ("return sum(prices) + fee", ())


@pytest.mark.long
def test_what_an_object_made_at_import_lacks_is_put_where_it_begins() -> None:
    """Its class is changed and the object is not, until everything is imported anew: only the other test passes."""
    finding = repair({"rules.py": text(RULES), "test_rules.py": text(RULES_TESTED)})
    assert finding.repair is not None, finding.message
    assert finding.repair.new_line.strip() == "self.test = test"
    assert finding.tried < 400


def test_a_test_that_fills_the_memory_does_not_tell_how_much_the_others_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else two changes tried at once may fill, together, more than the sandbox grants the search."""
    told: list[dict[str, object]] = []
    peaks = [0]
    monkeypatch.setattr("offline.repair.running.tracer._peak_memory", lambda: peaks[-1])
    seen = tracer(told, monkeypatch)
    peaks.append(50)
    seen.order([])
    for peak, failure in ((100, None), (900, Failure("MemoryError: ")), (900, None)):
        seen.started("one")
        peaks.append(peak)
        seen.finished("one", failure)
    seen.done()
    assert told[-1]["memory"] == 100
    peaks.append(60)
    seen = tracer(told, monkeypatch)
    seen.order(["one"])
    peaks.append(900)
    seen.started("one")
    seen.finished("one", Failure("MemoryError: "))
    seen.done()
    assert told[-1]["memory"] == 60, "what is imported needs memory, too"


def test_what_had_not_ended_when_time_was_up_is_no_failing_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else any change seems to cure it: it was slow under tracing, and passes by itself."""
    monkeypatch.setattr(baseline, "GRACE_SECONDS", 0.0)
    slot = types.SimpleNamespace(trace=lambda *_, **__: None, traced=list)
    known = Baseline(failures={"slow": Failure("TimeIsUp: ")}, coverage=Coverage(failing={"slow": set()}))
    baseline._try_slow_again(slot, known, until=0.0)  # type: ignore[arg-type]
    assert (known.failures, known.coverage.failing, known.facts.slow) == ({}, {}, ["slow"])
    known = Baseline(failures={"slow": Failure("TimeIsUp: ")}, coverage=Coverage(failing={"slow": set()}))
    baseline._try_slow_again(slot, known, until=time.monotonic() + 60)  # type: ignore[arg-type]
    assert list(known.coverage.failing) == ["slow"]


def test_copies_of_a_large_program_are_not_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert _place({"a.py": "x" * MOST_IN_MEMORY}).parent == tmp_path
    assert _place({"a.py": "x" * MOST_IN_MEMORY, "b.py": "x"}) == tmp_path


def test_what_a_module_of_the_project_makes_below_itself_is_the_projects_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """`six.moves.urllib` is a module of the standard library, and asking for it by that name loads six."""
    told: list[dict[str, object]] = []
    seen = tracer(told, monkeypatch)
    seen.here = "/project/program"
    for name, file in {"own": "/project/program/own.py", "own.moves": "/usr/lib/urllib.py", "far": "/far.py"}.items():
        module = types.ModuleType(name)
        module.__file__ = file
        monkeypatch.setitem(sys.modules, name, module)
    seen.done()
    modules = told[-1]["modules"]
    assert isinstance(modules, list)
    assert "far" in modules
    assert not {"own", "own.moves"} & set(modules)


def test_what_stands_among_the_modules_may_be_anything_and_a_lazy_one_is_not_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Lazy(types.ModuleType):
        def __getattribute__(self, name: str) -> object:
            raise AssertionError(f"asked for {name}")

    told: list[dict[str, object]] = []
    seen = tracer(told, monkeypatch)
    listed = types.ModuleType("listed")
    listed.__file__ = ["a.py"]  # type: ignore[assignment]
    for name, thing in {"a_listed": listed, "a_lazy": Lazy("a_lazy"), "a_thing": object(), "a_none": None}.items():
        monkeypatch.setitem(sys.modules, name, thing)  # type: ignore[arg-type]
    assert seen.order(["one"]) == ["one"]
    seen._arm(0)


@pytest.mark.long
def test_a_test_that_passes_only_after_others_of_another_part_does_not_stand_in_the_way() -> None:
    """The first run takes the tests apart, class by class; there it fails, whatever is changed."""
    tests = """
    import os
    import unittest
    from prices import total

    class BeginningTest(unittest.TestCase):
        def test_folder(self):
            os.mkdir("made")

    class FeeTest(unittest.TestCase):
        def test_fee(self):
            self.assertEqual(total([1, 2], 3), 6)

        def test_fee_alone(self):
            self.assertEqual(total([], 3), 3)

    class LastTest(unittest.TestCase):
        def test_folder(self):
            self.assertEqual(os.listdir("made"), [])
    """
    finding = repair({"prices.py": PRICES, "test_prices.py": textwrap.dedent(tests)})
    assert finding.repair is not None
    assert finding.repair.new_line == "return sum(prices) + fee"


@pytest.mark.long
def test_tests_that_need_much_memory_are_not_run_side_by_side() -> None:
    """Two parts of them would fill what the sandbox grants the search, and it would end without a word."""
    test = """
    import unittest
    from prices import total

    class {name}Test(unittest.TestCase):
        def test_it(self):
            self.assertEqual(len(b"x" * (450 * 2**20)), 450 * 2**20)
            self.assertEqual(total([1, 2], {fee}), {wanted})
    """
    files = {"prices.py": PRICES, "test_one.py": textwrap.dedent(test.format(name="One", fee=0, wanted=3))}
    files["test_two.py"] = textwrap.dedent(test.format(name="Two", fee=3, wanted=6))
    finding = repair(files, seconds=120)
    assert finding.repair is not None
    assert finding.repair.new_line == "return sum(prices) + fee"


@pytest.mark.long
@pytest.mark.usefixtures("can_fork")
def test_a_program_of_many_threads_is_repaired() -> None:
    program = """
        from threading import Event, Thread

        def totals(prices):
            found, begun = {}, Event()

            def work(price):
                begun.wait(5)
                found[price] = price - 1

            threads = [Thread(target=work, args=(price,)) for price in prices]
            for thread in threads:
                thread.start()
            begun.set()
            for thread in threads:
                thread.join()
            return [found[price] for price in prices]
        """
    tests = """
        import unittest
        from prices import totals

        class TotalsTest(unittest.TestCase):
            def test_totals(self):
                self.assertEqual(totals(list(range(24))), list(range(1, 25)))
        """
    files = {"prices.py": textwrap.dedent(program), "test_prices.py": textwrap.dedent(tests)}
    finding = repair(files, seconds=60)
    assert finding.repair is not None, finding
    assert "price + 1" in finding.repair.new_line


@pytest.mark.skipif(sys.platform != "linux", reason="/proc/self/statm")
def test_what_a_library_has_reserved_and_not_filled_is_no_part_of_what_a_child_may_fill() -> None:
    """As OpenBLAS does for its threads: such a program's tests would find no memory, whatever is changed."""
    filling = """
    import mmap
    from offline.repair.running.child import limit_resources

    reserved = mmap.mmap(-1, 400 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    limit_resources(64 << 20)
    some = bytearray(32 << 20)
    try:
        more = bytearray(200 << 20)
    except MemoryError:
        print("bounded")
    """
    command = [sys.executable, "-c", textwrap.dedent(filling)]
    ran = subprocess.run(command, cwd=PROJECT, capture_output=True, encoding="utf-8", timeout=60)
    assert ran.stdout == "bounded\n", ran.stderr


def test_what_a_test_needs_that_comes_to_its_end_in_a_second_run_counts() -> None:
    told = [{"test": "one", "failure": None}, {"modules": [], "late": [], "memory": 5}]
    slot = SimpleNamespace(trace=lambda *_, **__: None, traced=lambda: told)
    known = Baseline()
    known.facts.memory = 3
    again = list(baseline._run_again(slot, known, ["one"], time.monotonic() + 60, follow=False))  # type: ignore[arg-type]
    assert again == told[:1]
    assert known.facts.memory == 5
