"""What a long conversation costs this program itself grows with its length, not with its square.

A request carries the whole conversation, on both wires, so what the SDKs encode and send must grow with the square, and
so does the time of a run in the end. What this program does is counted instead: that is the same on every machine.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from bench.turns import measure, served, shipped
from config import PROJECT

OWN = tuple(
    f"{path}{'/' * path.is_dir()}" for path in PROJECT.iterdir() if path.name[0] != "." and path.name != "tests"
)
ASKED = 120


@pytest.mark.long
@pytest.mark.parametrize("wire", ["openai", "gemini"])
def test_twice_the_turns_are_twice_the_work(wire: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    half, whole = (work(wire, turns, tmp_path, monkeypatch) for turns in (ASKED // 2, ASKED))
    for name, count in half.items():
        assert whole[name] <= 2.1 * count, f"{name}: {count} in {ASKED // 2} turns, {whole[name]} in {ASKED}"


def work(wire: str, turns: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The calls that this program's own code makes and gets in a run, and the characters that it turns into JSON."""
    (folder / "small.py").write_text("def add(left, right):\n    return left + right\n" * 4)
    counted = {"calls": 0, "characters": 0}
    plain = json.dumps

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event in ("call", "c_call") and frame.f_code.co_filename.startswith(OWN):
            counted["calls"] += 1

    def dumps(*arguments: Any, **options: Any) -> str:
        text = plain(*arguments, **options)
        if sys._getframe(1).f_code.co_filename.startswith(OWN):
            counted["characters"] += len(text)
        return text

    with served() as address, monkeypatch.context() as patched:
        shipped(wire, address, folder, 2)  # imports, and what is cached once
        patched.setattr(json, "dumps", dumps)
        profiled(look, lambda: shipped(wire, address, folder, turns))
    return counted


def profiled(look: Callable[[FrameType, str, Any], None], run: Callable[[], None]) -> None:
    before = sys.getprofile()
    threading.setprofile(look)
    sys.setprofile(look)
    try:
        run()
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


@pytest.mark.long
@pytest.mark.parametrize("wire", ["openai", "gemini"])
def test_the_time_of_four_hundred_turns_beside_two_hundred_is_printed(wire: str):
    half, whole = (min(measure(wire, "run", turns) for _ in range(2)) for turns in (200, 400))
    print(f"\n{wire}: {half:.2f} s for 200 turns, {whole:.2f} s for 400, {whole / half:.2f} times as much")
    assert whole < 10 * half  # a hang guard: with the conversation passed to the SDK as it says, 4
