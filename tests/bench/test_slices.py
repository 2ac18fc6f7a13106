"""A batch in slices, each its own command: merged they are one run of the whole, whatever was killed on the way."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench import merge
from bench.many.command import add_options, make
from bench.many.task import Task
from bench.record import Line, read
from config import PROJECT

HANG = 120.0
RUNS = 30


def command(arguments: list[str]) -> int:
    """What a bench does with its options, over tasks that a worker does in a moment."""
    build = argparse.ArgumentParser()
    add_options(build)
    options = build.parse_args(arguments)
    tasks = (
        Task(f"task-{n % 15:02}", n // 15, "many_work:square", {"number": n, "seconds": 0.05}, HANG)
        for n in range(RUNS)
    )
    return make(options, tasks, RUNS, {"bench": "test", "model": "m", "set": "s"}, "test").code


@pytest.fixture(autouse=True)
def work_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parent}:{Path(__file__).parents[1]}:{PROJECT}")


def one_slice(place: Path, number: int, of: int = 4, *more: str) -> Path:
    path = place / f"slice-{number}.jsonl"
    assert command(["--out", str(path), "--slice", f"{number}/{of}", "--workers", "2", *more]) == 0
    return path


def killed_slice(place: Path, number: int) -> None:
    """Begin a slice as a command of its own, and kill it when it has made some of its runs."""
    path = place / f"slice-{number}.jsonl"
    code = (
        f"import test_slices; test_slices.command(['--out', {str(path)!r}, '--slice', '{number}/4', '--workers', '1'])"
    )
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    until = time.monotonic() + HANG
    while time.monotonic() < until and (not path.exists() or path.read_text().count('"attempt"') < 2):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with path.open("a", encoding="utf-8") as file:
        file.write('{"kind": "attempt", "task": "task-')  # in the middle of a line
    assert 2 <= sum(line["kind"] == "attempt" for line in read(path)) < RUNS // 4


def same(line: Line) -> Line:
    """Of a record what is the same whenever and wherever it was made."""
    return {name: value for name, value in line.items() if name not in ("seconds", "machine", "date")}


@pytest.mark.skipif(sys.platform == "win32", reason="a group of processes is killed as POSIX has it")
@pytest.mark.long
def test_slices_of_which_two_were_killed_and_run_again_are_one_run_of_the_whole(tmp_path: Path):
    whole = tmp_path / "whole.jsonl"
    assert command(["--out", str(whole), "--workers", "1"]) == 0
    for number in (2, 3):
        killed_slice(tmp_path, number)
    parts = [str(one_slice(tmp_path, number)) for number in (1, 2, 3, 4)]
    out = tmp_path / "merged.jsonl"
    assert merge.main([str(out), *parts]) == 0
    assert [same(line) for line in read(out)] == [same(line) for line in read(whole)]
    assert len(list(read(out))) == RUNS + 2
    # And it is a record like any other: the command for the whole finds nothing left to make.
    before = out.read_bytes()
    assert command(["--out", str(out), "--workers", "1"]) == 0
    assert out.read_bytes() == before


def test_what_is_missing_is_named_and_a_lost_run_gives_way_to_one_that_was_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    first, second = one_slice(tmp_path, 1), one_slice(tmp_path, 2)
    lines = list(read(second))
    lost = [{**line, "outcome": "lost", "solved": False} if line["kind"] == "attempt" else line for line in lines]
    (tmp_path / "lost.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lost), encoding="utf-8")
    assert merge.main([str(tmp_path / "some.jsonl"), str(tmp_path / "lost.jsonl"), str(first), str(second)]) == 3
    assert "no part is of slice 3/4, 4/4" in capsys.readouterr().err
    assert not [line for line in read(tmp_path / "some.jsonl") if line.get("outcome") == "lost"]
    second.write_text("".join(json.dumps(line) + "\n" for line in lines[:-2]), encoding="utf-8")
    assert merge.main([str(tmp_path / "few.jsonl"), str(first), str(second)]) == 3
    assert "2 runs of these slices are missing" in capsys.readouterr().err
    assert merge.main([str(tmp_path / "few.jsonl"), str(first)]) == 1
    assert "exists: name a new file" in capsys.readouterr().err


@pytest.mark.long
def test_parts_of_other_runs_are_refused_and_so_is_another_setting_in_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    first = one_slice(tmp_path, 1)
    for name, other in (
        ("seed 7", one_slice(tmp_path, 2, 4, "--seed", "7")),
        ("slice 3/5", one_slice(tmp_path, 3, 5)),
    ):
        assert merge.main([str(tmp_path / "out.jsonl"), str(first), str(other)]) == 1
        assert name in capsys.readouterr().err
    monkeypatch.setenv("MAX_ITERS", "3")
    other = one_slice(tmp_path, 4)
    assert merge.main([str(tmp_path / "out.jsonl"), str(first), str(other)]) == 1
    assert "settings " in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()
    with pytest.raises(Exception, match="holds other runs"):
        one_slice(tmp_path, 1)
    (tmp_path / "none.jsonl").write_text("{}\n", encoding="utf-8")
    assert merge.main([str(tmp_path / "out.jsonl"), str(tmp_path / "none.jsonl")]) == 1
    assert "is no record of a batch" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "a/b", "1/0", "-1/4"])
def test_a_slice_that_is_none_is_refused(text: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        command([f"--slice={text}"])
    assert "is no slice" in capsys.readouterr().err
