"""What tests need of the place where they run while a repair is searched: else the right change fails one of them.

Each was found in a draw of published packages (datasets/draws/2026112702.jsonl): there the right change was tried, and
judged by a test that failed for another reason.
"""

from __future__ import annotations

import sys
import tempfile
import textwrap
import types
from pathlib import Path

import pytest

from offline.repair.repair import repair
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
NOT_LOADED = """
    import sys
    from prices import total

    def test_what_nobody_has_loaded_yet():
        assert "colorsys" not in sys.modules

    def test_what_loads_it():
        import colorsys
        assert colorsys.rgb_to_hsv(0, 0, 0)[2] == total([], 0)
    """


def text(written: str) -> str:
    return textwrap.dedent(written).lstrip()


@pytest.mark.long
@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"test_link.py": LINK}, marks=needs_links),
        {"test_loader.py": LOADER, "voice.py": "word = 'quiet'\n"},
        {"test_loaded.py": NOT_LOADED},
    ],
    ids=["makes a link", "brings a loader", "asks what is loaded"],
)
def test_the_right_change_is_found_beside_a_test_that(more: dict[str, str]) -> None:
    files = {"prices.py": PRICES, "test_prices.py": text(FEE), **{path: text(each) for path, each in more.items()}}
    finding = repair(files)
    assert finding.repair is not None, finding.message
    assert (finding.repair.new_line.strip(), finding.repair.also) == ("return sum(prices) + fee", ())


def test_copies_of_a_large_program_are_not_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert _place({"a.py": "x" * MOST_IN_MEMORY}).parent == tmp_path
    assert _place({"a.py": "x" * MOST_IN_MEMORY, "b.py": "x"}) == tmp_path


def test_what_a_module_of_the_project_makes_below_itself_is_the_projects_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """`six.moves.urllib` is a module of the standard library, and asking for it by that name loads six."""
    told: list[dict[str, object]] = []
    tracer = Tracer({}, [], (0, 0), told.append)
    tracer.here = "/project/program"
    for name, file in {"own": "/project/program/own.py", "own.moves": "/usr/lib/urllib.py", "far": "/far.py"}.items():
        module = types.ModuleType(name)
        module.__file__ = file
        monkeypatch.setitem(sys.modules, name, module)
    before = sys.gettrace()
    try:
        tracer.done()
    finally:
        sys.settrace(before)
    modules = told[-1]["modules"]
    assert isinstance(modules, list)
    assert "far" in modules
    assert not {"own", "own.moves"} & set(modules)
