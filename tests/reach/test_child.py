"""Processes that answer questions: never more of them at work than there are processors."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from reach.child import MOST_AT_ONCE, Child, Late

QUESTION = {"query": "SELECT count(*) FROM things", "keep": 10, "seconds": 30.0}


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Child]:
    path = tmp_path / "data.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE things (name)")
    database.close()
    child = Child("reach.database.apart", "sqlite", str(path), "engine")
    yield child
    child.close()


def test_more_questions_than_processors_are_all_answered_by_no_more_processes(child: Child):
    def ask(_: int) -> Any:
        return child.ask(QUESTION, 60.0, threading.Event())["rows"]

    with ThreadPoolExecutor(4 * MOST_AT_ONCE) as threads:
        assert [*threads.map(ask, range(4 * MOST_AT_ONCE))] == [[[0]]] * 4 * MOST_AT_ONCE
    assert 1 <= len(child._free) <= MOST_AT_ONCE


def test_a_question_that_waits_for_others_is_cancelled_and_starts_nothing(child: Child):
    for _ in range(MOST_AT_ONCE):
        child._places.acquire()
    cancelled = threading.Event()
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(child.ask, QUESTION, 60.0, cancelled)
        cancelled.set()
        with pytest.raises(Late):
            waiting.result(timeout=60)
    assert not child._free
    child._places.release()
    assert child.ask(QUESTION, 60.0, threading.Event())["rows"] == [[0]]
