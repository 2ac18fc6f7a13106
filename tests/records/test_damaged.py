"""A damaged trace: every reader of a run takes what is whole, says that something is not, and never fails with it."""

from __future__ import annotations

import copy
import json
import math
import random
import shutil
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from scripted import scripted

from cli import commands
from config import ConfigError, Settings
from doors.people.page import told
from live.tail import slim
from records import folders, page
from records.fork import fork_at
from records.history import history_of, last_prompt
from records.lines import event_in
from records.overview import row_of

Main = Callable[..., subprocess.CompletedProcess[str]]
READ = ("get_file_content", {"file_path": "pkg/render.py"})
ODD = [None, 0, "x", [], {}, math.inf, "\ud800", -1, True, [1], [[]], {"a": 1}]
GONE = object()


@pytest.fixture(scope="module")
def recorded() -> dict[str, Path]:
    """Where the runs of a provider are kept, once there are some."""
    return {}


@pytest.fixture(params=["lmstudio", "gemini"])
def run(
    request: pytest.FixtureRequest, recorded: dict[str, Path], run_main: Main, calculator: Path, tmp_path: Path
) -> Path:
    """A run that went on with another, each with calls and results: a copy, to be damaged."""
    wire = request.param
    if wire not in recorded:
        recorded[wire] = kept = tmp_path / "recorded"
        with scripted(("I look.", [READ, ("run_tests", {})]), ("Seen.", [])) as server:
            for words in (["look"], ["--continue", "again"]):
                environment = {**server.environment(wire), "RUNS_DIRECTORY": str(kept)}
                assert run_main(*words, "--workdir", str(calculator), **environment).returncode == 0
    shutil.copytree(recorded[wire], tmp_path / "kept")
    return folders.folders(tmp_path / "kept")[0]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a line that somebody reads."""
    if at and at[0] in ("settings", "tools", "versions"):
        return
    yield at
    if len(at) < 5:
        for name in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
            yield from places(value[name], (*at, name))


def lost(lines: list[bytes]) -> list[list[bytes]]:
    """A line lost, cut, overwritten, glued to the next, twice, or alone."""
    found: list[list[bytes]] = []
    for number, line in enumerate(lines):
        before, after = lines[:number], lines[number + 1 :]
        for other in ([], [b"\0" * len(line)], [line[: len(line) // 2]], [line[:-1]], [line, line]):
            found.append(before + other + after)
        found.append([line])
    return found


def changed(lines: list[bytes]) -> list[list[bytes]]:
    """Anything in a line missing, or something else."""
    found: list[list[bytes]] = []
    for number, line in enumerate(lines):
        event = json.loads(line)
        for at in list(places(event))[1:]:
            for odd in [*ODD, GONE]:
                other = copy.deepcopy(event)
                inner = other
                for name in at[:-1]:
                    inner = inner[name]
                if odd is GONE:
                    del inner[at[-1]]
                else:
                    inner[at[-1]] = odd
                found.append([*lines[:number], json.dumps(other).encode() + b"\n", *lines[number + 1 :]])
    return found


def read_everywhere(run: Path) -> None:
    """All that a person may ask of a run. A ConfigError is a sentence; anything else would be a traceback."""
    assert isinstance(sys.stdout, TextIOWrapper)
    sys.stdout.reconfigure(errors="backslashreplace")  # as the program has it
    runs = run.parent
    settings = Settings(runs_directory=runs)
    for read in (
        lambda: commands.runs(settings, Namespace()),
        lambda: commands.result(settings, Namespace(result=run.name)),
        lambda: last_prompt(history_of(run)),
        lambda: [fork_at(run, step) for step in (1, 2, 4)],
        lambda: page.page_of(page.shareable([run])),
        lambda: page.write_picture([run]),
        lambda: commands.job_pages(run),
        lambda: row_of(run),
        lambda: told.turns(runs, folders.summary(run).working_directory),
        lambda: [slim(line) for line in (run / "trace.jsonl").read_bytes().splitlines()],
    ):
        try:
            read()
        except ConfigError:
            continue


def test_every_line_that_is_written_has_the_form_of_its_kind(run: Path):
    for folder in folders.folders(run.parent):
        assert folders.damaged(folder) == 0


def test_whatever_lines_of_a_trace_are_lost_every_reader_takes_the_rest(run: Path, capsys: pytest.CaptureFixture[str]):
    some = lost((run / "trace.jsonl").read_bytes().splitlines(keepends=True))
    for each in some[::4]:
        (run / "trace.jsonl").write_bytes(b"".join(each))
        read_everywhere(run)


@pytest.mark.long
def test_whatever_is_changed_in_a_line_of_a_trace_every_reader_takes_the_rest(
    run: Path, capsys: pytest.CaptureFixture[str]
):
    some = changed((run / "trace.jsonl").read_bytes().splitlines(keepends=True))
    for number in random.Random(31).sample(range(len(some)), 300):
        (run / "trace.jsonl").write_bytes(b"".join(some[number]))
        read_everywhere(run)


def test_a_damaged_line_is_counted_and_told_and_one_that_a_kill_left_half_written_is_not(
    run: Path, capsys: pytest.CaptureFixture[str]
):
    trace = run / "trace.jsonl"
    lines = trace.read_bytes().splitlines(keepends=True)
    trace.write_bytes(b"".join([*lines[:3], b"\0" * 20 + b"\n", *lines[4:-1], lines[-1][:40]]))
    commands.result(Settings(runs_directory=run.parent), Namespace(result=run.name))
    said = capsys.readouterr()
    assert said.err == f"1 line of the trace of {run.name} is damaged and passed over.\n"
    assert json.loads(said.out)["stop_reason"] == "interrupted"


def test_a_damaged_run_keeps_no_other_from_being_listed(run: Path, capsys: pytest.CaptureFixture[str]):
    other = run.with_name("20200101-000000-other")
    shutil.copytree(run, other)
    (other / "trace.jsonl").write_text('{"kind": "run", "began": [], "prompt": 3}\n{"kind": "finished", "result": 3}\n')
    assert commands.runs(Settings(runs_directory=run.parent), Namespace()) == 0
    listed = capsys.readouterr().out
    assert run.name in listed
    assert other.name in listed


def test_a_trace_that_cannot_be_read_keeps_no_other_run_from_being_listed(
    run: Path, capsys: pytest.CaptureFixture[str]
):
    unreadable = run.with_name("20990101-000000-unreadable")
    (unreadable / "trace.jsonl").mkdir(parents=True)
    assert commands.runs(Settings(runs_directory=run.parent), Namespace()) == 0
    listed = capsys.readouterr().out
    assert run.name in listed
    assert "20990101-000000-unreadable  did not end" in listed
    with pytest.raises(ConfigError, match="cannot be read"):
        commands.result(Settings(runs_directory=run.parent), Namespace(result=unreadable.name))


@pytest.mark.parametrize("name", ["x" * 5000, "/", "..", "../..", "a\nb", "\0", "\udcff"])
def test_what_is_no_run_is_told_whatever_its_name(run: Path, name: str):
    for runs in (run.parent, run / "none"):
        with pytest.raises(ConfigError, match="there (is no run|are no runs)|fits 2 runs"):
            folders.find(runs, name)


@pytest.mark.parametrize(
    "line", [b"", b"3", b"[]", b"{}", b'{"kind": 3}', b"[" * 100_000, b"\xff", b'{"kind": "x", "at": NaN}']
)
def test_what_is_no_event_is_none(line: bytes):
    assert event_in(line) is None


def test_a_kind_that_this_version_does_not_know_is_an_event_all_the_same():
    assert event_in(b'{"kind": "of a later one", "at": 1, "turn": 2, "more": [null]}')
