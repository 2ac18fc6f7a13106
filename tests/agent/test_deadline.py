"""--max-seconds is a limit on time: what is under way when it is over, a request or a tool, is stopped. And no signal
that ends a run is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from catalogue import run_on
from scripted import scripted

from agent.budgets import Seconds
from agent.contracts import ToolCall
from agent.deadline import TimeUp, at_most
from call_functions import run_calls
from cli import signals
from cli.signals import heeded, interruptible
from sandbox.files.root import Root

Main = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.long
@pytest.mark.parametrize("provider", ["lmstudio", "gemini"])
def test_a_request_that_takes_longer_is_stopped(run_main: Main, tmp_path: Path, provider: str):
    answered = threading.Event()
    with scripted(("Too late.", []), before_reply=lambda number: answered.wait(60)) as server:
        place = {**server.environment(provider), "RUNS_DIRECTORY": str(tmp_path / "runs")}
        (tmp_path / "work").mkdir()
        ran = run_main("do it", "--max-seconds", "1", "--json", "--workdir", str(tmp_path / "work"), **place)
        assert not answered.is_set()
        answered.set()
    result = json.loads(ran.stdout)
    assert (result["stop_reason"], result["answer"], ran.returncode) == ("time_budget", "", 3)
    assert "the time was up" in ran.stderr


def test_a_tool_that_takes_longer_is_stopped(project: Callable[..., Path]):
    work = project({"slow.py": "import time\ntime.sleep(25)\nopen('ended', 'w')\n"})
    with Root(work) as root:
        run = run_on(root)
        with pytest.raises(TimeUp), at_most(2, run):
            run_calls([ToolCall("a", "run_python_file", {"file_path": "slow.py"})], run)
        assert root.cancelled.is_set()
    assert not (work / "ended").exists()


def test_the_turn_that_could_go_beyond_is_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    run, limit = run_on(Root(tmp_path)), Seconds(60)
    now = [0.0]
    monkeypatch.setattr(type(run), "seconds", property(lambda self: now[0]))
    asked = []
    for seconds in (0, 5, 25, 32):
        now[0] = seconds
        limit.after_turn(run)
        asked.append(limit.reached(run))
        run.asking()
    assert asked == [False, False, True, True], "5 s, then 20: after 25 s two more of 20 would be too long"


def test_when_the_run_is_over_nothing_is_stopped_any_more(tmp_path: Path):
    run = run_on(Root(tmp_path))
    waiting = threading.Event()
    with pytest.raises(TimeUp), at_most(0.05, run):
        waiting.wait(30)
    run.finish("answered")
    with at_most(0.05, run):
        waiting.wait(0.3)  # a signal that raised here would take an answer away that is there


def test_another_thread_is_left_alone(tmp_path: Path):
    done = []

    def other() -> None:
        with at_most(0.01, run_on(Root(tmp_path))):
            threading.Event().wait(0.1)
            done.append(True)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join(30)
    assert done


@pytest.mark.parametrize("in_time", ["over before", "ended before", "too late"])
def test_outside_the_main_thread_the_run_is_stopped_if_it_is_not_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_time: str
):
    run = run_on(Root(tmp_path))
    monkeypatch.setattr(type(run), "seconds", 60.0)  # what the run has spent already counts
    timers: list[threading.Timer] = []

    class Timer(threading.Timer):
        def start(self) -> None:
            timers.append(self)
            super().start()

    def other() -> None:
        with at_most(3600 if in_time == "ended before" else 60.01, run):
            if in_time != "ended before":
                timers[0].join(30)

    monkeypatch.setattr(threading, "Timer", Timer)
    if in_time == "over before":
        run.finish("answered")
    thread = threading.Thread(target=other)
    thread.start()
    thread.join(30)
    assert [each.finished.is_set() for each in timers] == [True], "nothing waits on when the block has ended"
    assert timers[0].daemon, "nor does a program wait for it that ends sooner"
    assert run.root.cancelled.is_set() is (in_time == "too late")
    if in_time == "too late":
        with pytest.raises(TimeUp):
            run.go_on()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no signals that interrupt a system call here")
def test_the_alarm_counts_from_the_runs_beginning_and_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    run = run_on(Root(tmp_path))
    monkeypatch.setattr(type(run), "seconds", 3600.0)
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        for seconds in (1.0, 3600.01):  # the first was over before anything began
            with pytest.raises(TimeUp), at_most(seconds, run):
                threading.Event().wait(30)
        with at_most(7200, run):
            assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 3600
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no such signals here")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGALRM"])
def test_a_stop_that_is_lost_in_a_finalizer_ends_the_run_before_its_next_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
):
    class Finalized:
        def __del__(self) -> None:
            signal.raise_signal(getattr(signal, name))

    class Broken:
        def __del__(self) -> None:
            raise ValueError

    lost: list[type[BaseException] | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: lost.append(told.exc_type))
    run = run_on(Root(tmp_path))
    ends = TimeUp if name == "SIGALRM" else KeyboardInterrupt
    with interruptible(), heeded(run), at_most(60, run):
        run.asking()
        Finalized()
        assert not lost, "what a handler raises here goes nowhere, and a traceback would tell a person nothing"
        with pytest.raises(ends):
            run.asking()
        Broken()
        assert lost == [ValueError], "any other is told as before"


def test_a_run_in_a_thread_leaves_alone_what_all_threads_share(tmp_path: Path):
    def heed() -> None:
        with heeded(run_on(Root(tmp_path))):
            seen.append(sys.unraisablehook)

    seen: list[object] = []
    beside = threading.Thread(target=heed)
    beside.start()
    beside.join()
    assert seen == [sys.unraisablehook]


def test_handlers_are_those_of_before_when_the_run_is_over_and_what_ends_nothing_is_not_remembered(tmp_path: Path):
    run, heard = run_on(Root(tmp_path)), []
    before = signal.signal(signal.SIGTERM, lambda *_: heard.append(True))
    try:
        own = signal.getsignal(signal.SIGTERM)
        with heeded(run):
            signal.raise_signal(signal.SIGTERM)
            run.asking()
        assert heard == [True]
        assert signal.getsignal(signal.SIGTERM) is own
    finally:
        signal.signal(signal.SIGTERM, before)


def test_while_a_run_finishes_ctrl_c_takes_no_result_away_and_one_that_hangs_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    run, now = run_on(Root(tmp_path)), [100.0]
    monkeypatch.setattr(signals.time, "monotonic", lambda: now[0])
    with interruptible(), heeded(run):
        run.finishing = True
        for now[0] in (100.0, 100.1, 101.9):
            signal.raise_signal(signal.SIGINT)
        now[0] = 102.1
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no such signals here")
def test_a_request_that_is_under_way_ends_though_the_stop_was_lost_in_a_finalizer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    class Finalized:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    run, hung_up = run_on(Root(tmp_path)), threading.Event()
    monkeypatch.setattr(sys, "unraisablehook", lambda told: None)
    run.stopped_by(hung_up.set)  # as the connection of a request is closed
    with heeded(run):
        Finalized()
        assert hung_up.wait(30)
        with pytest.raises(KeyboardInterrupt):
            run.go_on()
