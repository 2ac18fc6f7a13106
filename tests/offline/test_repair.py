"""The repairer as its callers meet it: what it finds, what it refuses, what it leaves behind, and how it stops."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
import time
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from offline.repair import search
from offline.repair.changes.edits import Edit, apply_edits, exact_replacements
from offline.repair.changes.syntax import syntax_error, syntax_repairs
from offline.repair.reading.project import read_project
from offline.repair.repair import WORKER, Finding, repair
from offline.repair.running.run_unittest import run_cases

SHOP = """\
\"\"\"A small shop.\"\"\"

RATE = 7  # per cent


def net(prices):
    # the sum of all prices
    total = 0
    for price in prices:
        total += price   # keep the spaces
    return total


def gross(prices):
    return net(prices) - net(prices) * RATE // 100


def cheapest(prices):
    return min(prices) if prices else None
"""

SHOP_TESTS = """\
import unittest
from shop import cheapest, gross, net


class ShopTest(unittest.TestCase):
    def test_net(self):
        self.assertEqual(net([1, 2, 3]), 6)

    def test_gross(self):
        self.assertEqual(gross([100, 200]), 321)

    def test_gross_of_nothing(self):
        self.assertEqual(gross([]), 0)

    def test_cheapest(self):
        self.assertEqual(cheapest([3, 1]), 1)
"""

SHOP_FILES = {"shop.py": SHOP, "test_shop.py": SHOP_TESTS}


@pytest.fixture(autouse=True)
def temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Temporary files go to a folder of the test, which must be empty again at its end."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert list(place.iterdir()) == []


def test_the_edit_is_the_changed_line_and_keeps_its_comment() -> None:
    finding = repair(SHOP_FILES)
    assert finding.status == "repaired"
    assert finding.repair is not None
    assert finding.repair.path == "shop.py"
    assert finding.repair.line == 15
    assert finding.repair.old_line == "return net(prices) - net(prices) * RATE // 100"
    assert finding.repair.new_line == "return net(prices) + net(prices) * RATE // 100"
    assert finding.repair.edits == ((finding.repair.old_line, finding.repair.new_line),)
    assert finding.repair.shown_by == ("test_shop.ShopTest.test_gross",)
    assert finding.suspicious[0][0] == "shop.py"


@pytest.mark.long
def test_pytest_with_fixtures_and_parameters_in_a_folder_beside_a_package() -> None:
    finding = repair(
        {
            "pkg/__init__.py": "from .maths import area\n",
            "pkg/maths.py": "from .units import SCALE\n\n\ndef area(a, b):\n    return a + b * SCALE\n",
            "pkg/units.py": "SCALE = 1\n",
            "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef side():\n    return 4\n",
            "tests/test_area.py": """\
                import pytest
                from pkg import area

                @pytest.mark.parametrize(("a", "b", "expected"), [(2, 3, 6), (5, 4, 20), (1, 7, 7)])
                def test_area(a, b, expected, tmp_path):
                    (tmp_path / "note").write_text("x")
                    assert area(a, b) == expected

                def test_square(side, capsys):
                    print("measuring")
                    assert area(side, side) == 16
            """.replace("                ", ""),
        }
    )
    assert _change(finding) == ("pkg/maths.py", "return a * b * SCALE")


def test_the_wrong_file_and_the_tests_are_never_edited() -> None:
    finding = repair(
        {
            "app/__init__.py": "",
            "app/model.py": "def stock(items):\n    return len(items) + 1\n",
            "app/view.py": "from app.model import stock\n\n\ndef show(items):\n    return f'{stock(items)} left'\n",
            "tests/__init__.py": "",
            "tests/test_view.py": _unittest("from app.view import show", "self.assertEqual(show([1, 2]), '2 left')",
                                            "self.assertEqual(show([]), '0 left')"),
            "tests/test_model.py": _unittest("from app.model import stock", "self.assertEqual(stock('abc'), 3)"),
        }
    )  # fmt: skip
    assert _change(finding) == ("app/model.py", "return len(items)")


def test_a_program_and_its_tests_in_one_file() -> None:
    text = "def double(n):\n    return n * 3\n\n\n" + _unittest(
        "", "self.assertEqual(double(4), 8)", "assert double(0) == 0"
    )
    assert _change(repair({"all_in_one.py": text})) == ("all_in_one.py", "return n * 2")


@pytest.mark.usefixtures("can_fork")
@pytest.mark.long
def test_a_script_is_run_through_its_own_command_line() -> None:
    files = {
        "main.py": "import sys\n\nif __name__ == '__main__':\n    print(int(sys.argv[1]) + int(sys.argv[2]))\n",
        "test_main.py": "import subprocess, sys\n"
        + _unittest(
            "", "self.assertEqual(subprocess.check_output([sys.executable, 'main.py', '3', '4']).strip(), b'12')"
        ),
    }
    assert _change(repair(files)) == ("main.py", "print(int(sys.argv[1]) * int(sys.argv[2]))")


def test_a_table_at_the_top_of_a_file_is_repaired_where_it_is_used() -> None:
    files = {
        "roman.py": "VALUES = {'I': 1, 'V': 5, 'X': 11}\n\n\n"
        "def value(text):\n    return sum(VALUES[one] for one in text)\n",
        "test_roman.py": _unittest("from roman import value", "assert value('XX') == 20", "assert value('VI') == 6"),
    }
    assert _change(repair(files)) == ("roman.py", "VALUES = {'I': 1, 'V': 5, 'X': 10}")


def test_data_files_are_there_and_can_be_read() -> None:
    files = {
        "data/words.txt": "one\ntwo\nthree\n",
        "words.py": "def count():\n    with open('data/words.txt') as file:\n"
        "        return len(file.readline().split())\n",
        "test_words.py": _unittest("import words", "self.assertEqual(words.count(), 3)"),
    }
    finding = repair(files)
    assert finding.status == "repaired"


@pytest.mark.long
def test_two_places_at_once() -> None:
    files = {
        "shape.py": "def area(a, b):\n    return a + b\n\n\ndef outline(a, b):\n    return 2 * (a - b)\n",
        "test_shape.py": _unittest(
            "from shape import area, outline",
            "assert area(2, 5) == 10 and area(3, 4) == 12",
            "assert outline(2, 5) == 14",
        ),
    }
    finding = repair(files)
    assert finding.status == "repaired"
    assert finding.repair is not None
    assert _applied(files, finding)["shape.py"] == (
        "def area(a, b):\n    return a * b\n\n\ndef outline(a, b):\n    return 2 * (a + b)\n"
    )


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("def f(x)\n    return x\n", "def f(x):\n    return x\n"),
        ("def f(x):\n    return (x + 0\n", "def f(x):\n    return (x + 0)\n"),
        ("def f(x):\n    if x = 1:\n        return x\n", "def f(x):\n    if x == 1:\n        return x\n"),
        ("def f(x):\nreturn x\n", "def f(x):\n    return x\n"),
        ("def f(x):\n    retrun x\n", "def f(x):\n    return x\n"),
        ("def f(x):\n    return [x, 'a][0]\n", "def f(x):\n    return [x, 'a'][0]\n"),
    ],
)  # fmt: skip
def test_a_syntax_error_is_mended_where_the_parser_points(wrong: str, right: str) -> None:
    assert syntax_error(wrong)
    mended = [apply_edits(wrong, (edit,)) for edit in syntax_repairs("f.py", wrong)]
    assert right in mended


def test_a_syntax_error_is_repaired_when_the_tests_then_pass() -> None:
    broken = SHOP.replace("- net(", "+ net(").replace("for price in prices:", "for price in prices")
    assert _change(repair({**SHOP_FILES, "shop.py": broken})) == ("shop.py", "for price in prices:")


def test_nothing_to_fix() -> None:
    finding = repair({"shop.py": SHOP.replace("- net(", "+ net("), "test_shop.py": SHOP_TESTS})
    assert (finding.status, finding.repair, finding.tried) == ("nothing_to_fix", None, 0)


def test_no_tests_is_said() -> None:
    finding = repair({"shop.py": SHOP, "notes.txt": "hello"})
    assert finding.status == "no_tests"
    assert "no tests" in finding.message


def test_tests_that_cannot_be_imported_are_named() -> None:
    finding = repair({"shop.py": SHOP, "test_shop.py": "import nowhere_to_be_found\n" + SHOP_TESTS})
    assert finding.status == "cannot_import"
    assert "nowhere_to_be_found" in finding.message


def test_a_syntax_error_in_the_tests_is_not_repaired() -> None:
    finding = repair({"shop.py": SHOP, "test_shop.py": SHOP_TESTS.replace("def test_net(self):", "def test_net(self)")})
    assert finding.status == "cannot_import"
    assert "test_shop.py" in finding.message


def test_what_no_small_change_repairs_is_not_found_and_says_where_to_look() -> None:
    files = {
        "secret.py": "def answer():\n    return 1\n",
        "test_secret.py": _unittest("import secret, hashlib", "n = str(secret.answer()).encode()",
                                    "self.assertEqual(hashlib.md5(str(secret.answer()).encode()).hexdigest(), 'x')"),
    }  # fmt: skip
    finding = repair(files, seconds=20)
    assert (finding.status, finding.repair) == ("not_found", None)
    assert ("secret.py", 2) in finding.suspicious
    assert finding.tried > 20


@pytest.mark.parametrize("hint", ["area(3, 4) should be 12", "why does area(3, 4) return 7 instead of 12?"])
def test_what_the_user_says_is_a_test_when_it_can_be_understood(hint: str) -> None:
    files = {
        "shape.py": "def area(a, b):\n    return a + b\n",
        "test_shape.py": _unittest("import shape", "assert shape"),
    }
    finding = repair(files, hint=hint)
    assert finding.status == "repaired"
    assert finding.repair is not None
    namespace: dict[str, object] = {}
    exec(_applied(files, finding)["shape.py"], namespace)
    assert namespace["area"](3, 4) == 12  # type: ignore[operator]


def test_what_the_user_says_of_an_input_chooses_among_passing_changes() -> None:
    program = "def evaluate(text):\n    left, sign, right = text.split()\n    return int(left) + int(right)\n"
    files = {
        "calc.py": program,
        "test_calc.py": _unittest("from calc import evaluate", "self.assertEqual(evaluate('2 * 3'), 6)"),
    }
    finding = repair(files, hint="fix the bug: 4 * 5 shouldn't be 9")
    assert _change(finding) == ("calc.py", "return int(left) * int(right)")


def test_a_claim_that_makes_no_sense_here_changes_nothing() -> None:
    assert _change(repair(SHOP_FILES, hint="the moon(1) should be 4"))[1].startswith("return net(prices) + net")


def test_endless_loops_and_memory_bombs_among_the_candidates_end_with_their_child() -> None:
    files = {
        "steps.py": """\
            def steps(n):
                count, grown = 0, [1]
                while n > 0:
                    n -= 2
                    count += 1
                    grown = grown * min(count, 2)
                return count
        """.replace("            ", ""),
        "test_steps.py": _unittest("from steps import steps", "assert steps(5) == 5", "assert steps(0) == 0"),
    }
    assert _change(repair(files)) == ("steps.py", "n -= 1")


@pytest.mark.long
def test_a_program_that_hangs_is_repaired() -> None:
    files = {
        "walk.py": "def walk(n):\n    seen = []\n    while n > 0:\n"
        "        seen.append(n)\n        n += 1\n    return seen\n",
        "test_walk.py": _unittest("from walk import walk", "assert walk(3) == [3, 2, 1]", "assert walk(0) == []"),
    }
    assert _change(repair(files)) == ("walk.py", "n -= 1")


def test_a_test_whose_failure_cannot_be_told_counts_as_failed() -> None:
    """With the memory used up, or at a second signal, what tells of a failure may itself break off."""

    class Untold(Exception):
        def __str__(self) -> str:
            raise KeyboardInterrupt

    class Cases(unittest.TestCase):
        def test_fails(self) -> None:
            raise Untold

        def test_passes(self) -> None:
            pass

        def test_is_skipped(self) -> None:
            self.skipTest("not here")

        @unittest.expectedFailure
        def test_fails_as_expected(self) -> None:
            raise ValueError

    ended = {}
    for name in ("test_fails", "test_passes", "test_is_skipped", "test_fails_as_expected"):
        watch = SimpleNamespace(
            stop=False,
            order=list,
            started=lambda test: None,
            finished=lambda test, failure: ended.update({test.rpartition(".")[2]: failure}),
            done=lambda: None,
        )
        with contextlib.suppress(KeyboardInterrupt):
            run_cases({name: Cases(name)}, {}, watch)
    assert ended.pop("test_fails") is not None
    assert set(ended.values()) == {None}
    assert len(ended) == 3


def test_tests_that_print_megabytes_write_files_and_leave_the_process() -> None:
    hostile = _unittest(
        "import os, sys\nfrom shop import gross, net",
        "print('x' * 3_000_000); os.write(1, b'{\"outcome\": {}}\\n' * 1000); self.assertEqual(gross([100]), 107)",
        "open('shop.py', 'w').write('broken ('); open('left', 'w').close(); self.assertEqual(net([1]), 1)",
    )
    assert _change(repair({"shop.py": SHOP, "test_shop.py": hostile}))[1].startswith("return net(prices) + net")


@pytest.mark.long
def test_the_same_files_give_the_same_repair() -> None:
    findings = [repair(SHOP_FILES, seed=3) for _ in range(3)]
    assert len({(one.repair, one.runner_up, one.remaining, one.tried) for one in findings}) == 1


@pytest.mark.long
def test_the_same_files_give_the_same_repair_ten_times_under_load() -> None:
    stop = threading.Event()
    load = threading.Thread(target=lambda: [sum(range(10_000)) for _ in iter(stop.is_set, True)], daemon=True)
    load.start()
    program = "def walk(items, k):\n    found = []\n    for i in range(k):\n        found.append(items[i + 1])\n"
    program += "    return found\n"
    check = _unittest("from walk import walk", "assert walk('abcd', 3) == ['a', 'b', 'c']")
    files = {"walk.py": program, "test_walk.py": check}
    findings = [repair(files) for _ in range(10)]
    stop.set()
    ways = {(one.repair, one.runner_up, one.remaining, one.tried) for one in findings}
    assert len(ways) == 1, "\n".join(map(str, ways))


def test_cancelling_ends_the_search_and_everything_it_started() -> None:
    cancelled, lines = threading.Event(), []

    def progress(line: str) -> None:
        lines.append(line)
        if len(lines) > 1:
            cancelled.set()

    files = {
        "secret.py": _ENDLESS_SEARCH,
        "test_secret.py": _unittest("import secret", "assert secret.answer(2) == 'x'"),
    }
    before = time.monotonic()
    finding = repair(files, seconds=120, on_progress=progress, cancelled=cancelled)
    assert finding.status == "cancelled"
    assert time.monotonic() - before < 30  # a hang guard: without cancelling it would search for two minutes
    assert _running(str(WORKER)) == []


def test_progress_is_told_in_short_lines() -> None:
    lines: list[str] = []
    repair(SHOP_FILES, on_progress=lines.append)
    assert "1 of 4 tests fail" in lines[:2]  # where code can start no process, that is said first
    assert any("suspicious lines" in line for line in lines)
    assert max(map(len, lines)) <= 200


@pytest.mark.parametrize("path", ["../outside.py", "/etc/outside.py", "a/../../b.py"])
def test_paths_that_leave_the_private_folder_are_not_used(path: str, temporary_files: Path) -> None:
    assert repair({**SHOP_FILES, path: "x = 1\n"}).status == "repaired"
    assert not (temporary_files.parent / "outside.py").exists()


@pytest.mark.long
def test_without_fork_the_search_still_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "can_fork", lambda: False)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    lines: list[str] = []
    outcome = search.search(SHOP_FILES, "", tmp_path / "slots", time.monotonic() + 60, lines.append)
    assert outcome.status == "repaired"
    assert outcome.passing[0].edits[0].text == "+"


@pytest.mark.parametrize(
    "outcome",
    [
        {"status": "repaired", "passing": [{"edits": [["/etc/passwd", 0, 1, "x"]]}]},
        {"status": "repaired", "passing": [{"edits": [["shop.py", 5, 10**9, "x"]]}]},
        {"status": "repaired", "passing": [{"edits": [["shop.py", 5, 2, "x"]]}]},
        {"status": "repaired", "passing": 7},
        {"status": "repaired", "suspicious": [[1]], "passing": ["x"]},
        {"status": 3, "tried": "many"},
    ],
)
def test_a_forged_answer_is_not_believed(outcome: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    def forge(directory: Path, seconds: float, seed: int, on_output: Callable[[bytes], None], cancelled: object) -> str:
        on_output(json.dumps({"outcome": outcome}).encode() + b"\n")
        return ""

    monkeypatch.setattr("offline.repair.repair.launch", forge)
    finding = repair(SHOP_FILES)
    assert finding.repair is None
    assert finding.status != "repaired"


def test_old_texts_occur_once_even_where_lines_repeat() -> None:
    text = "a = 1\nb = 2\nif a:\n    b = 2\nb = 2\n"
    start = text.rindex("2")
    pairs = exact_replacements(text, (Edit("f.py", start, start + 1, "3"),))
    assert all(text.count(old) == 1 for old, _ in pairs)
    for old, new in pairs:
        text = text.replace(old, new)
    assert text == "a = 1\nb = 2\nif a:\n    b = 2\nb = 3\n"


def test_frameworks_and_files_are_told_apart() -> None:
    project = read_project(
        {"tests/helper.py": "x = 1", "tests/test_a.py": "def test_a():\n    pass\n", "a.py": "x = 2"}
    )
    assert (project.framework, project.test_paths, project.program_paths) == ("pytest", ("tests/test_a.py",), ("a.py",))


_ENDLESS_SEARCH = "def answer(n):\n" + "".join(
    f"    a{i} = n * {i} + {i + 1}\n    if a{i} > {i * 7}:\n        n = a{i} - n\n" for i in range(40)
) + "    return n\n"  # fmt: skip


def _unittest(imports: str, *checks: str) -> str:
    """A test file with one test for each line of checks."""
    tests = "".join(f"    def test_{number}(self):\n        {check}\n\n" for number, check in enumerate(checks))
    return f"import unittest\n{imports}\n\n\nclass SomeTest(unittest.TestCase):\n{tests}"


def _change(finding: Finding) -> tuple[str, str]:
    """Path and new line of a repair."""
    assert finding.status == "repaired", finding
    assert finding.repair is not None
    return finding.repair.path, finding.repair.new_line


def _applied(files: dict[str, str], finding: Finding) -> dict[str, str]:
    """The files after the edits, done as `edit_file` does them."""
    files = dict(files)
    assert finding.repair is not None
    for part in (finding.repair, *finding.repair.also):
        for old, new in part.edits:
            assert files[part.path].count(old) == 1
            files[part.path] = files[part.path].replace(old, new)
    return files


def _running(name: str) -> list[str]:
    """Command lines that name a file, of processes that this one has started, however far down."""
    parents, words = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parents[entry.name] = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            words[entry.name] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it ended while we looked
            continue
    return [line for process, line in words.items() if name in line and _descends(process, parents)]


def _descends(process: str, parents: dict[str, str]) -> bool:
    while process in parents:
        process = parents[process]
        if process == str(os.getpid()):
            return True
    return False
