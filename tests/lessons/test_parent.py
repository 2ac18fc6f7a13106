"""How long the learner's code may take, on a machine that has more to do than that or that stands still."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path
from typing import Any

import pytest

from lessons import parent
from lessons.parent import Gone, Parent

PROCESSORS = os.cpu_count() or 1


def waits(folder: Path, own: float, naps: list[float]) -> None:
    """Let code that may take `own` seconds sleep as long as each of these says. Raises Gone when that is too long."""
    with Parent(folder, "waits", own) as talk:
        talk.ask("warm", counted=False, names=["time"])
        for nap in naps:
            talk.run("import time\ntime.sleep(nap)", nap=nap)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("work", "parts"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.mark.skipif(not hasattr(os, "getloadavg"), reason="this system tells of no load")
def test_the_limit_is_as_much_longer_as_the_machine_is_crowded(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    with pytest.raises(Gone, match="time"):
        waits(folder, 0.6, [1.0])
    monkeypatch.setattr(os, "getloadavg", lambda: (3.0 * PROCESSORS, 0.0, 0.0))
    waits(folder, 0.6, [0.8, 0.7])  # 1.5 of the 1.8 seconds: what the first took is counted as a third of it
    monkeypatch.setattr(os, "getloadavg", lambda: (1000.0 * PROCESSORS, 0.0, 0.0))
    assert parent.crowd() == parent.MOST_CROWDED


def test_an_answer_that_nobody_waits_for_ends_nothing(folder: Path):
    with Parent(folder, "waits") as talk:
        talk._write({"to": 99, "value": None})
        assert talk.run("result = 1 + 1") == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="nothing is selected from here")
def test_what_a_machine_stands_still_is_not_counted(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parent, "crowd", lambda: 1.0)
    naps: list[float] = []

    def stands_still(*given: Any) -> Any:
        if naps:
            time.sleep(naps.pop())
        return select_once(*given)

    select_once = select.select
    with Parent(folder, "waits", 0.8) as talk:
        talk.ask("warm", counted=False, names=["time"])
        monkeypatch.setattr(select, "select", stands_still)
        naps.append(1.0)
        talk.run("import time\ntime.sleep(1.3)")
