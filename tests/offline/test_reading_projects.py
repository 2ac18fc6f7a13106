"""Reading a project through tools: what fails says which files are worth reading; a large project stays cheap."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from asking import Person, changes

from functions import ToolError
from functions.get_file_content import get_file_content
from offline.coder.closure import failing_tests, paths_to_read, stand_ins
from offline.coder.oracles import crash_in, examples_told, script_test
from offline.coder.reading import files_shown, more_pages
from offline.repair.reading.claims import Claim, claims
from offline.script import GEMINI, OPENAI
from offline.wire.conversation import Call, Step

UNITTEST = """\
2 of 9 tests failed (unittest, 0.001 s)

FAIL: test_all (tests.test_shop.ShopTest.test_all)
Traceback (most recent call last):
  File "/home/me/shop/tests/test_shop.py", line 28, in test_all
    self.assertEqual(gross([1]), 20)
AssertionError: 1.0 != 20

ERROR: test_other (tests.test_shop.ShopTest.test_other)
Traceback (most recent call last):
  File "/home/me/shop/tests/test_shop.py", line 30, in test_other
    helper()
  File "/usr/lib/python3.11/json/__init__.py", line 293, in load
    return loads(fp.read(),
AttributeError: no
"""
PYTEST = """\
2 failed in 1.39s (pytest)
__________________________________ test_load ___________________________________
tests/test_agenda.py:8: in test_load
    assert load(TEXT)[0] == 1
agenda.py:7: in load
    events = json.load(text)
E   AttributeError: 'str' object has no attribute 'read'
_______________________ ERROR collecting test_groups.py ________________________
groups.py:1: in <module>
    from collections import Mapping
E   ImportError: cannot import name 'Mapping' from 'collections'
=========================== short test summary info ============================
FAILED tests/test_agenda.py::test_load - AttributeError: 'str' object has no...
"""


def test_failing_tests_are_read_from_both_frameworks():
    assert [(one.name, one.path) for one in failing_tests(UNITTEST, {"shop.py", "tests"})] == [
        ("test_all", "tests/test_shop.py"),
        ("test_other", "tests/test_shop.py"),
    ]
    found = failing_tests(PYTEST, {"agenda.py", "tests"})
    assert [(one.name, one.path) for one in found] == [
        ("test_load", "tests/test_agenda.py"),
        ("test_groups.py", "test_groups.py"),
    ]
    assert "short test summary" not in found[-1].told
    assert failing_tests("All 3 tests passed (unittest, 0.1 s)", ()) == []


def test_what_failing_tests_import_is_read_and_what_only_the_package_imports_is_stood_in_for():
    files = {"tests/test_a.py": "import json\nimport pytest\nfrom shop import total\nfrom shop.model import Item\n"}
    top = {"shop", "tests", "README.md"}
    assert paths_to_read(files, (), top) == ["shop/__init__.py", "shop/model.py"]
    files["shop/__init__.py"] = "from .billing import total\nfrom .printing import paper\n"
    files["shop/model.py"] = "from dataclasses import dataclass\nfrom . import units\n"
    assert paths_to_read(files, (), top) == ["shop/billing.py", "shop/units.py"]
    files |= {"shop/billing.py": "total = sum\n", "shop/units.py": ""}
    assert paths_to_read(files, (), top) == []
    assert list(stand_ins(files, (), top)) == ["shop/printing.py"]


def test_a_file_that_is_not_there_is_looked_for_as_a_package_once_and_then_no_more():
    files, top = {"test_a.py": "import shop.parts\nimport elsewhere\n"}, {"shop", "test_a.py", "src"}
    assert paths_to_read(files, (), top) == ["shop/__init__.py", "shop/parts.py", "src/elsewhere.py"]
    missing = {"shop/parts.py", "src/elsewhere.py"}
    assert paths_to_read(files, missing, top) == [
        "shop/__init__.py",
        "shop/parts/__init__.py",
        "src/elsewhere/__init__.py",
    ]
    assert (
        paths_to_read(files, {*missing, "shop/__init__.py", "shop/parts/__init__.py", "src/elsewhere/__init__.py"}, top)
        == []
    )


def large_project(parts: int = 60, broken: int = 37) -> dict[str, str]:
    """124 files, each part with twelve functions and as many tests; the package imports all its parts."""
    files = {"README.md": "# Shop\n", "pyproject.toml": "[project]\nname = 'shop'\n", "tests/__init__.py": ""}
    files["shop/__init__.py"] = "".join(f"from .part{n} import value{n}\n" for n in range(parts))
    for n in range(parts):
        uses = f"from shop.part{n - 1} import value{n - 1}\n\n\n" if n % 5 else ""
        helpers = "".join(
            f"def above{n}_{k}(items):\n    total = 0\n    for item in items:\n        if item > {k}:\n"
            f"            total += item\n    return total\n\n\n"
            for k in range(12)
        )
        value = f"value{n - 1}(x)" if n % 5 else "x"
        files[f"shop/part{n}.py"] = f"{uses}{helpers}def value{n}(x):\n    return {value} + {n}\n"
        names = ", ".join(f"above{n}_{k}" for k in range(12))
        tests = "".join(
            f"    def test_above_{k}(self):\n        self.assertEqual(above{n}_{k}([1, {k}, 20]), {20 + (k < 1)})\n\n"
            for k in range(12)
        )
        files[f"tests/test_part{n}.py"] = (
            f"import unittest\nfrom shop.part{n} import {names}\n\n\nclass Part{n}Test(unittest.TestCase):\n{tests}"
        )
    path = f"shop/part{broken}.py"
    files[path] = files[path].replace("if item > 7:", "if item >= 7:")
    return files


@pytest.mark.long
@pytest.mark.parametrize("wire", [OPENAI, GEMINI])
def test_a_project_of_124_files_is_repaired_for_less_than_30_000_tokens(
    wire: str, project: Callable[[dict[str, str]], Path], built_in_model: str
):
    files = large_project()
    assert len(files) == 124
    person = Person(wire, built_in_model, project(files))
    result = person.ask("fix the bug")
    assert changes(result) == ["shop/part37.py"]
    assert "All 720 tests passed" in result.answer
    assert result.tokens.input < 30_000
    print(f"{result.tokens.input:,} tokens in {result.turns} turns")


@pytest.mark.parametrize("parts", [20, 60])
def test_a_project_that_needs_data_when_it_is_imported_is_read_whole(
    parts: int, project: Callable[[dict[str, str]], Path], built_in_model: str
):
    files = large_project(parts, parts // 2)
    path = f"shop/part{parts // 2}.py"
    data = 'from importlib.resources import files\n\nassert any("csv" in each.name for each in files("shop.data").iterdir())\n\n\n'
    files |= {path: data + files[path], "shop/data/__init__.py": "", "shop/data/rates.csv": "7\n"}
    person = Person(OPENAI, built_in_model, project(files))
    result = person.ask("fix the bug")
    assert changes(result) == [path]
    assert f"All {parts * 12} tests passed" in result.answer


def test_what_a_package_is_known_by_is_read_where_a_program_asks_for_it(
    project: Callable[[dict[str, str]], Path], built_in_model: str
):
    shop = "from importlib.metadata import version\n\nVERSION = version('shop')\n\n\n"
    tests = "import unittest\nfrom shop import late\n\n\nclass LateTest(unittest.TestCase):\n"
    files = {
        "shop.py": f"{shop}def late(days):\n    return days >= 14\n",
        "test_shop.py": f"{tests}    def test_late(self):\n        self.assertFalse(late(14))\n        self.assertTrue(late(15))\n",
        "shop-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\n",
    }
    result = Person(OPENAI, built_in_model, project(files)).ask("fix the bug")
    assert changes(result) == ["shop.py"]
    assert "days > 14" in result.answer


def test_a_test_that_fails_for_want_of_what_is_no_text_stands_in_no_repairs_way(
    project: Callable[[dict[str, str]], Path], built_in_model: str
):
    tests = "import unittest\nfrom pathlib import Path\nfrom shop import late\n\n\nclass ShopTest(unittest.TestCase):\n"
    picture = "    def test_picture(self):\n        self.assertEqual(len(Path('picture.bin').read_bytes()), 9)\n\n"
    late = "    def test_late(self):\n        self.assertFalse(late(14))\n        self.assertTrue(late(15))\n"
    place = project({"shop.py": "def late(days):\n    return days >= 14\n", "test_shop.py": tests + picture + late})
    (place / "picture.bin").write_bytes(bytes(9))
    result = Person(OPENAI, built_in_model, place).ask("fix the bug")
    assert changes(result) == ["shop.py"]
    assert "All 2 tests passed" in result.answer


def test_the_pages_of_a_long_file_are_asked_for_together_and_put_together(tmp_path: Path):
    lines = [f"{'x' * (number * 37 % 300)} = {number}\n" for number in range(3_000)]
    (tmp_path / "long.py").write_text("".join(lines), encoding="utf-8")
    steps: list[Step] = []
    calls: tuple[Call, ...] = (Call("get_file_content", {"file_path": "long.py"}),)
    rounds = 0
    while calls:
        for call in calls:
            said = get_file_content(tmp_path, **call.arguments)
            assert not isinstance(said, ToolError)
            steps.append(Step("", call.name, call.arguments, said))
        calls, rounds = more_pages(steps), rounds + 1
    assert files_shown(steps) == {"long.py": "".join(lines)}
    assert rounds <= 4, "some fifty pages"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("area(2, 3) should be 6", Claim("area(2, 3)", "6", "equals")),
        ("why does area(3, 4) return 7 instead of 12?", Claim("area(3, 4)", "12", "equals")),
        ("area(2, 3) returns 5 but it should be 6", Claim("area(2, 3)", "6", "equals")),
        ("`f(3) == 6`", Claim("f(3)", "6", "equals")),
        ("f(3) -> 6", Claim("f(3)", "6", "equals")),
        ("3 + 7 * 2 shouldn't be 20", Claim("3 + 7 * 2", "17", "equals")),
        ("f(3) must not be None", Claim("f(3)", "None", "differs")),
        ("mean([]) should raise ValueError", Claim("mean([])", "ValueError", "raises")),
        ("count('a b') crashes", Claim("count('a b')", "", "works")),
        ("count('a') should return {'a': 1}, but it raises KeyError", Claim("count('a')", "{'a': 1}", "equals")),
    ],
)
def test_a_claim_is_understood(text: str, claim: Claim):
    assert claims(text) == [claim]


@pytest.mark.parametrize("text", ["the moon should be round", "it is wrong", "fix area", "is 'x' right?", ""])
def test_what_is_no_claim_is_none(text: str):
    assert claims(text) == []


def test_several_claims_are_all_understood():
    assert [one.value for one in claims("slug('A B') == 'a-b' and slug('c') == 'c'")] == ["'a-b'", "'c'"]


def test_docstrings_say_what_should_come_out():
    text = 'def area(a, b):\n    """The area: area(2, 3) -> 6.\n\n    Not a claim: area of a -> b.\n    """\n'
    assert examples_told({"shapes.py": text, "notes.md": "area(1, 1) -> 1"}) == "The area: area(2, 3) -> 6."


def test_a_traceback_tells_the_script_and_the_place():
    text = (
        'Traceback (most recent call last):\n  File "/me/wc.py", line 9, in <module>\n    main()\n'
        '  File "/usr/lib/python3.11/json/x.py", line 1, in load\n    x\n'
        '  File "/me/parts/deep.py", line 3, in f\n    y\nKeyError: 1\n'
    )
    crash = crash_in(text, ["wc.py", "parts/deep.py"])
    assert crash is not None
    assert (crash.script, crash.path, crash.line, crash.kind) == ("wc.py", "parts/deep.py", 3, "KeyError")
    assert crash_in("nothing of that", ["wc.py"]) is None


def test_a_script_that_is_a_test_runs_what_its_guard_runs_with_its_arguments():
    made = script_test("a/wc.py", "def main(): print(1)\nif __name__ == '__main__':\n    main()\n", ["x"])
    (text,) = made.values()
    assert "exec('main()', vars(importlib.import_module('a.wc')))" in text
    assert "['a/wc.py', 'x']" in text
    assert "runpy.run_path('b.py'" in next(iter(script_test("b.py", "1 / 0\n").values()))
