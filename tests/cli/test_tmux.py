"""The terminal in tmux: a paste of ten thousand lines, a window that changes its size, forty columns, a screen reader."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted, scripted
from tmux import TMUX, Pane, pane

from config import PROJECT
from records.folders import folders

pytestmark = [pytest.mark.long, pytest.mark.skipif(TMUX is None, reason="no tmux here")]
EDIT = ("edit_file", {"file_path": "pkg/calculator.py", "old_text": '"+": 3,', "new_text": '"+": 1,'})
READS = [("get_file_content", {"file_path": path}) for path in ("main.py", "tests.py", "pkg/render.py")]
TESTS = ("run_tests", {"path": "."})
LONG = "The plus bound more tightly than the times, so that a sum was made before the product beside it. " * 3
REPAIR = [("I look at the program first.", READS), ("", [TESTS]), ("I edit.", [EDIT]), ("", [TESTS]), (LONG, [])]


@contextlib.contextmanager
def started(
    place: Path,
    columns: int,
    *arguments: str,
    replies: Any = REPAIR,
    wait: Callable[[int], None] | None = None,
    **more: str,
) -> Iterator[tuple[Pane, Scripted]]:
    """main.py in a pane, asking a scripted model; its runs are kept beside the working directory."""
    with scripted(*replies, before_reply=wait or (lambda number: None)) as model, pane() as terminal:
        unset = {"LLM_PROVIDER": "", "LMSTUDIO_MODEL": "", "GEMINI_API_KEY": "", "PYTHONUTF8": "1"}
        environment = {**unset, **model.environment("lmstudio"), "RUNS_DIRECTORY": str(place.parent / "kept"), **more}
        command = [sys.executable, str(PROJECT / "main.py"), *arguments, "--workdir", str(place)]
        terminal.start(command, PROJECT, columns, 30, **environment)
        yield terminal, model


def asked_first(model: Scripted) -> list[str]:
    return [m["content"] for m in model.requests[0]["messages"] if m["role"] == "user"]


@pytest.mark.parametrize("options", [(), ("--plain",)], ids=["edited", "plain"])
def test_ten_thousand_pasted_lines_are_one_prompt(calculator: Path, options: tuple[str, ...]):
    log = "\n".join(f"line number {number} of a log" for number in range(10_000))
    with started(calculator, 80, *options, replies=[("The end.", [])]) as (terminal, model):
        terminal.until("/help shows the commands.>")
        terminal.paste(log)
        terminal.until("line number 9999 of a log")
        assert not model.requests, "it stands there until Enter"
        terminal.press("Enter")
        terminal.until("The end.")
        terminal.press("C-d")
        terminal.until("[ended: 0]")
        assert asked_first(model) == [log]
    assert len(folders(calculator.parent / "kept")) == 1


def test_a_window_that_changes_its_size_during_a_run_leaves_no_rest_of_the_status_line(calculator: Path):
    gate = threading.Semaphore(0)

    def wait(number: int) -> None:
        assert gate.acquire(timeout=60)

    with started(calculator, 100, "fix it", wait=wait) as (terminal, _):
        for turn, columns in enumerate((100, 44, 120, 40, 80), 1):
            terminal.until(f"turn {turn} ")
            terminal.resize(columns, 20 + turn)
            gate.release()
        terminal.until("[ended: 0]")
        shown = "\n".join(terminal.lines())
        assert "turn 5 ·" in terminal.written()
        assert not [line for line in shown.split("\n") if line.startswith("turn ")], shown
        squeezed = "".join(shown.split())
        for part in ("I look at the program first.", "get_file_content tests.py", '"+": 1,', LONG, "--undo"):
            assert "".join(part.split()) in squeezed, part
        assert squeezed.count("".join(LONG.split())) == 1


def test_forty_columns_break_no_line_within_a_word(calculator: Path):
    with started(calculator, 40) as (terminal, _):
        terminal.until("/help shows the commands.>")
        terminal.press("fix it, and say why the plus bound tighter than the times")
        terminal.until("than the times")
        terminal.press("Enter")
        terminal.until("--undo")
        terminal.press("/help", "Enter")
        terminal.until("Ctrl-X Ctrl-E")
        terminal.press("C-d")
        terminal.until("[ended: 0]")
        shown = terminal.lines()
        assert max(map(len, shown)) <= 40
        said = shown[next(row for row, line in enumerate(shown) if line.startswith("lmstudio: ")) :]
        assert said == terminal.lines(joined=True)[-len(said) :], "the terminal broke a line"


@pytest.mark.parametrize(
    ("options", "environment"), [((), {"TERM": "dumb"}), (("--plain",), {})], ids=["TERM=dumb", "--plain"]
)
def test_a_screen_reader_hears_each_line_once_and_nothing_moves(
    calculator: Path, options: tuple[str, ...], environment: dict[str, str]
):
    with started(calculator, 80, "fix it", *options, **environment) as (terminal, _):
        terminal.until("[ended: 0]")
        written = terminal.written()
    assert "\x1b" not in written
    assert "\b" not in written
    assert "\r" not in written.replace("\r\n", ""), "no line is written over"
    assert written.count("I look at the program first.") == 1
    assert written.count(LONG.strip()) == 1
    assert "turn 2" not in written, "no status that is said again and again"
