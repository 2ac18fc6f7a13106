"""A notekeeper that is killed at any moment leaves a whole folder and a whole index, and can be undone."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from snapshots import snapshot
from warm_start import SDKS, Started, WarmStart

from bench.notekeeper import NOTES, copy_of_notes
from config import PROJECT
from index.store import path_of
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.notes import split_note
from sandbox.files.root import Root

KILLS = 50  # more of them, of writers, in test_notekeeper_writers.py


@pytest.fixture
def warm_start(warm_start: WarmStart | None) -> Iterator[WarmStart | None]:
    """One that has loaded what an index by meaning is made with, too: most of what comes before the first change."""
    if warm_start is None:
        yield None
        return
    warm = WarmStart((*SDKS, "numpy", "faiss", "requests", "tokenizers", "loaded_meaning"))
    yield warm
    warm.close()


def start(notes: Path, runs: Path, warm_start: WarmStart | None) -> Started | subprocess.Popen[bytes]:
    main, environment = PROJECT / "main.py", {**os.environ, "GLASSBOX_RUNS_DIRECTORY": str(runs)}
    words = ["--job", "notekeeper", "--provider", "offline", "--workdir", str(notes), "--task", "tidy up"]
    if warm_start and warm_start.can(environment):
        return warm_start.start(main, words, PROJECT, environment)
    return subprocess.Popen(
        [sys.executable, str(main), *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def wait_for_a_change(process: Started | subprocess.Popen[bytes], runs: Path) -> None:
    """Wait until the first call that changes something is about to run."""
    while process.poll() is None and not list(runs.glob("*/kept/before.json")):
        time.sleep(0.002)


def give_index(known: Path, folder: Path, notes: Path) -> None:
    """An index that knows these notes by their contents, as after a run before: to make one takes longer than all that
    is killed here."""
    folder.mkdir(parents=True)
    shutil.copy(known, path_of(folder, notes))


@pytest.mark.long
def test_fifty_kills_leave_folder_and_index_whole(
    tmp_path: Path, warm_start: WarmStart | None, run_main: Callable[..., subprocess.CompletedProcess[str]]
):
    chance = random.Random(18)
    process = start(copy_of_notes(tmp_path / "measured"), tmp_path / "runs", warm_start)
    wait_for_a_change(process, tmp_path / "runs")
    began = time.monotonic()
    assert process.wait(120) == 0
    span = time.monotonic() - began
    known = path_of(tmp_path / "runs" / "index", tmp_path / "measured" / "notes")
    finished = snapshot(tmp_path / "measured" / "notes")
    shipped, halfway = snapshot(NOTES), 0
    for number in range(KILLS):
        notes = copy_of_notes(tmp_path / str(number))
        runs = tmp_path / f"runs{number}"
        give_index(known, runs / "index", notes)
        process = start(notes, runs, warm_start)
        wait_for_a_change(process, runs)
        time.sleep(span * chance.random() ** 2)  # the changes come early; then it says what it did, and ends
        with contextlib.suppress(ProcessLookupError):  # it has ended, and nothing of it is left
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        left = snapshot(notes)
        notes_left = {path: data for path, data in left.items() if path.endswith(".md")}
        assert set(shipped) <= set(notes_left) | (set(shipped) - set(finished)), "a note is gone"
        for path, data in notes_left.items():
            if data not in (shipped.get(path), finished.get(path)):  # between two changes of the same note
                front, body = split_note(data.decode())
                assert front.get("title") in body, path
                assert data.endswith(b"\n"), path
        with Root(notes) as root:
            said: list[str] = []
            kb = KnowledgeBase(root, runs / "index", say=said.append)
            assert kb.search("rings of Saturn", 1)[0].hit.path == "astronomy/saturn-rings.md"
            kb.close()
            assert said == [], "the index was damaged"
        if left != shipped:
            halfway += left != finished
            ran = run_main("--undo", GLASSBOX_RUNS_DIRECTORY=str(runs))
            assert ran.returncode == 0, ran.stderr
            assert snapshot(notes) == shipped, f"kill {number}"
    print(f"{KILLS} kills, {halfway} of them between the first change and the last")
    assert halfway > 0
