"""A whole run with the keyboard alone: watched, stepped, talked to, allowed, looked at, forked and compared. Nothing is
clicked, and nothing gets the focus but by the keys that lead there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser
from scripted import scripted
from test_live import REPLIES, STATE, Watched, leave, start  # noqa: F401 - a fixture

from records.folders import folders, read_events, result_of

pytestmark = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]
FOCUS = "(document.activeElement.id || document.activeElement.textContent)"
RING = "getComputedStyle(document.activeElement).outlineStyle"
FARTHEST = 60  # steps of the Tab key, until a control counts as not to be reached
ASKED = "!document.getElementById('asks').hidden"


def go_to(page: Browser, control: str) -> None:
    """Press Tab until the focus is on a control, by its id or its text; on each that is passed one sees the focus."""
    for _ in range(FARTHEST):
        if page.run(FOCUS) == control:
            return
        page.press("Tab")
        assert page.run(f"document.activeElement === document.body || {RING} !== 'none'"), page.run(FOCUS)
    raise AssertionError(f"Tab never came to {control!r}")


def answer(page: Browser, control: str) -> None:
    page.until(ASKED)
    before = page.run("document.getElementById('asks').dataset.number")
    go_to(page, control)
    page.press("Enter")
    page.until(f"document.getElementById('asks').dataset.number !== {json.dumps(before)}")


def test_a_whole_run_with_the_keyboard_alone(
    chromium: Browser,
    start: Callable[..., Watched],  # noqa: F811
    tmp_path: Path,
):
    with scripted(*REPLIES) as model:
        run = start(model, "fix it", "--watch", "--step", "--ask")
        chromium.open(run.address)
        chromium.until(f"{STATE} === 'Paused before request 1.'")
        go_to(chromium, "say")
        chromium.press(*"jump", "Enter")
        chromium.until("document.getElementById('say').value === ''")
        go_to(chromium, "Send")  # away from the line, so that letters are keys again
        chromium.press("s")
        chromium.until(f"{STATE}.startsWith('Paused before the call')")
        go_to(chromium, "go")
        chromium.press("Enter")
        answer(chromium, "yes")
        answer(chromium, "all")
        chromium.until(f"{STATE} === 'The run is over: answered.'")
        kept = folders(tmp_path / "kept")[0]
        assert "jump" in json.dumps(model.requests[1])
        assert all(call["status"] != "refused" for call in result_of(kept)["tool_calls"])
        # Looked at: to its first step and its last, the files, the keys.
        chromium.press("Home", "ArrowRight", "n", "End", "4")
        chromium.until("document.getElementById('content').innerText.includes('\"+\": 1,')")
        chromium.press("?")
        assert chromium.run("document.getElementById('keys').open")
        chromium.press("Escape", "1")
        # Forked at the answer, and laid beside its parent; from there to all runs.
        chromium.press("f")
        chromium.until("document.getElementById('forking').open")
        chromium.press(*" Well.")
        go_to(chromium, "begin")
        chromium.press("Enter")
        chromium.until("document.getElementById('runs').innerText.includes('with another')")
        chromium.until(f"{STATE} === 'The run is over: answered.'")
        go_to(chromium, "beside")
        chromium.press("Enter")
        chromium.until("document.querySelectorAll('.pane').length === 2")
        go_to(chromium, "All runs")
        chromium.press("Enter")
        chromium.until("document.querySelectorAll('#runs li').length === 2")
        assert chromium.complaints() == []
        leave(chromium)
        assert run.ended() == 0
    assert next(iter(read_events(folders(tmp_path / "kept")[0])))["forked"]["from"] == kept.name
