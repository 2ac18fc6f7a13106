"""What is planted, drawn and read from source distributions by `python -m bench planted`; the network stays alone."""

from __future__ import annotations

import ast
import io
import json
import random
import tarfile
from pathlib import Path

import pytest

from bench.planted import Planted, _through_the_agent, same_program, totals
from bench.planted.bugs import KINDS, Bug, plant
from bench.planted.draw import drawn_lines, recalled
from bench.planted.packages import NoPackage, Package, load, without_failing
from offline.repair.changes.edits import Edit, apply_edits

PROGRAM = '''"""A shop."""
import asyncio


def total(prices, start=0, label="all"):
    if not prices and start > 0:
        raise ValueError(label)
    result = start
    for price in prices:
        result += price * 2
    return max(result, 1)


async def later(prices: list[int | str]) -> int:
    await asyncio.sleep(0)
    return total(prices, 3)
'''
TESTS = """from shop import total


def test_total():
    assert total([1, 2]) == 6
    assert total([], 0) == 1
    assert total([2], 5) == 9
"""


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_bug_has_a_place_and_is_another_program(kind: str):
    for seed in range(10):
        edit = plant("shop.py", PROGRAM, kind, random.Random(seed))
        assert edit
        assert not same_program(apply_edits(PROGRAM, (edit,)), PROGRAM)
        assert edit == plant("shop.py", PROGRAM, kind, random.Random(seed))


def test_what_only_readers_of_types_see_is_left_alone():
    text = "def f(a: int | None = 1) -> int | str: ...\n"
    assert all(plant("a.py", text, "operator", random.Random(seed)) is None for seed in range(20))


def test_the_same_code_in_other_words_is_the_same_program():
    assert same_program("def f(a):\n    return a + 1\n", "def f(a):\n    # more\n    return (a + 1)\n")
    assert same_program("x = 2 * 3\n", "x = 6\n")
    assert same_program("no Python at all", "no Python at all")
    assert not same_program("def f(a):\n    return a + 1\n", "def f(a):\n    return a + 2\n")


@pytest.mark.long
def test_a_draw_is_the_same_each_time_says_what_was_in_vain_and_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    _distribution(
        tmp_path,
        "shop",
        {"src/shop.py": PROGRAM, "tests/test_shop.py": TESTS, "tests/test_old.py": "def test_it():\n    assert 0\n"},
    )
    _distribution(tmp_path, "bare", {"bare.py": "x = 1\n"})
    _distribution(tmp_path, "ill", {"ill.py": "x = 1\n", "test_ill.py": "def test_it():\n    assert 0\n"})
    monkeypatch.setattr("bench.planted.draw.names", lambda: ["shop", "bare", "ill"])
    written = tmp_path / "draw.jsonl"
    lines = {line["package"]: line for line in drawn_lines(5, 3, written, tmp_path)}
    assert lines["bare"]["failure"] == "no tests in its source distribution"
    assert "saw none" in lines["ill"]["failure"]
    assert (lines["shop"]["licence"], lines["shop"]["left_out"]) == ("MIT", ["tests/test_old.py::test_it"])
    again = [json.loads(line) for line in written.read_text(encoding="utf-8").splitlines()]
    assert list(drawn_lines(5, 3, written, tmp_path)) == again
    package, bug = recalled(next(line for line in again if line["package"] == "shop"), tmp_path)
    assert package.tests == ["tests/test_old.py", "tests/test_shop.py"]
    assert bug.line == package.files["shop.py"].count("\n", 0, bug.edit.start) + 1
    ast.parse(apply_edits(package.files["shop.py"], (bug.edit,)))


@pytest.mark.long
def test_a_package_that_asks_for_its_own_version_finds_it(tmp_path: Path):
    asks = "from importlib.metadata import version\n\nVERSION = version('shop')\n"
    files = {"shop.py": asks, "test_shop.py": "import shop\n\ndef test_it():\n    assert shop.VERSION == '1.2'\n"}
    _distribution(tmp_path, "shop", files)
    assert without_failing(load("shop", tmp_path)).left_out == ()


def test_one_that_cannot_be_had_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bench.planted.packages.subprocess.run", _refuse)
    with pytest.raises(NoPackage, match="could not be had"):
        load("shop", tmp_path)


def planted_constant() -> tuple[Package, Bug]:
    start = PROGRAM.index("price * 2") + len("price * ")
    package = Package("shop", "1", "", {"shop.py": PROGRAM, "test_shop.py": TESTS})
    return package, Bug("constant", Edit("shop.py", start, start + 1, "3"), 10, "2", "3")


def test_through_the_agent_a_bug_is_repaired_in_a_folder_and_judged_by_what_stands_there():
    result = _through_the_agent(*planted_constant(), 300)
    assert (result.status, result.repaired, result.as_it_was) == ("repaired", True, True)
    assert result.change.startswith("Fixed. shop.py, line 10")


def test_an_agent_that_says_that_it_repaired_and_changed_something_else_has_repaired_nothing(
    monkeypatch: pytest.MonkeyPatch,
):
    def claims(folder: Path, how: object) -> dict[str, str]:
        (folder / "shop.py").write_text(PROGRAM.replace("price * 2", "price * 4"), encoding="utf-8")
        return {"answer": "Fixed.", "stop_reason": "answered", "cause": ""}

    monkeypatch.setattr("bench.planted.run_agent", claims)
    result = _through_the_agent(*planted_constant(), 300)
    assert (result.status, result.repaired, result.as_it_was) == ("answered", False, False)


def test_totals_say_how_many_with_an_interval():
    one = Planted("shop", "operator", "shop.py:1", "+", "-", "repaired", True, True, 2.0, 9, 0, 0.9, "")
    assert "21-100" in totals([one])
    assert "operator" in totals([one])


def _refuse(*_: object, **__: object) -> None:
    raise OSError


def _distribution(cache: Path, name: str, files: dict[str, str]) -> None:
    (cache / name).mkdir()
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\nLicense-Expression: MIT\n"
    with tarfile.open(cache / name / f"{name}-1.2.tar.gz", "w:gz") as archive:
        for path, text in {**files, "PKG-INFO": about}.items():
            member = tarfile.TarInfo(f"{name}-1.2/{path}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
