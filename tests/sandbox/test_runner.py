"""Who watches one run: what it is told, when it ends the run, and what it answers; and who finds out what holds here."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

if sys.platform != "linux":
    pytest.skip("the walls of Linux", allow_module_level=True)

from sandbox.running import (
    disk,
    frames,
    launcher,
    levels,
    pretending,
    process,
    report,
    runner,
    script,
    supervisor,
    watch,
)
from sandbox.running.levels import Attempt
from sandbox.running.runner import Runner
from sandbox.walls import Walls

HELD = (Attempt("read outside", True, "no"),) * 8


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    ours.settimeout(10)
    theirs.settimeout(10)
    yield ours, theirs
    ours.close()
    theirs.close()


# What a run is told, and how it ends


class Run:
    """A run as it goes in the steps of a story: at each tick the time, what was said, and how the script ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *ticks: tuple[float, str | None, int | None]) -> None:
        self.ticks, self.now, self.happened = list(ticks), 100.0, list[object]()
        watcher: Any = SimpleNamespace(begin=lambda *said: self.happened.append(("watched", *said)))
        self.runner = Runner.__new__(Runner)
        self.runner.watcher, self.runner.script, self.runner.first_process = watcher, 4242, 7
        self.runner.walls = Walls(fork=False)
        monkeypatch.setattr(runner, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(os, "kill", lambda *said: self.happened.append(said))
        monkeypatch.setattr(self.runner, "_told_to_stop", self.told)
        monkeypatch.setattr(self.runner, "_reap", lambda: self.ended)
        monkeypatch.setattr(self.runner, "end_all", lambda: self.happened.append("all ended") or 9)

    def told(self, channel: object) -> str | None:
        assert channel == "channel"
        self.now, said, self.ended = self.ticks.pop(0)
        return said

    def watch(self) -> tuple[dict[str, Any], list[object]]:
        channel: Any = "channel"
        begun: Any = "begun"
        answer = self.runner._watch({"seconds": 10}, channel, begun)
        assert not self.ticks
        return answer, [each for each in self.happened if each != ("watched", {"seconds": 10}, "begun", 7)]


INTERRUPTED, ENDED = (4242, signal.SIGINT), "all ended"


@pytest.mark.parametrize(
    ("ticks", "code", "stopped", "happened"),
    [
        ([(100.0, None, 0)], 0, None, []),
        ([(100.0, None, None), (110.0, None, 3 << 8)], 3, None, []),
        ([(100.0, None, None), (105.0, "memory", None)], -9, "memory", [ENDED]),
        ([(105.0, "memory", 0)], 0, None, []),  # it had ended before that was heard
        ([(110.1, None, None), (110.2, None, 2)], -2, "time", [INTERRUPTED]),
        ([(110.1, None, None), (110.35, None, None), (110.45, None, None)], -9, "time", [INTERRUPTED, ENDED]),
        ([(110.1, None, None), (110.2, "cancelled", None)], -9, "cancelled", [INTERRUPTED, ENDED]),
        ([(110.1, "output", None)], -9, "output", [ENDED]),
    ],
)
def test_a_run_ends_by_itself_or_is_interrupted_and_then_killed(
    monkeypatch: pytest.MonkeyPatch,
    ticks: list[tuple[float, str | None, int | None]],
    code: int,
    stopped: str | None,
    happened: list[object],
):
    run = Run(monkeypatch, *ticks)
    assert run.watch() == ({"code": code, "stopped": stopped, "fork": False}, happened)
    begun = [each for each in run.happened if each not in happened]
    assert len(begun) == (len(ticks) > 1 or ticks[0][2] is None), "it is watched once, when it has lived for a tick"


@pytest.mark.parametrize(
    ("said", "heard"),
    [(b"c", "cancelled"), (b"o", "output"), (b"x", "abandoned"), (b"", "abandoned"), (None, None)],
)
def test_what_the_agent_says_is_heard_and_so_is_that_it_has_gone(
    pair: tuple[socket.socket, socket.socket], said: bytes | None, heard: str | None
):
    watching = Runner.__new__(Runner)
    watching.watcher = None
    watching.wakeup, write = os.pipe()
    if said == b"":
        pair[1].close()
    elif said:
        pair[1].send(said)
    assert watching._told_to_stop(pair[0]) == heard
    os.write(write, bytes([signal.SIGCHLD]))
    assert watching._told_to_stop(pair[0]) == (None if said else heard) or said == b""
    os.write(write, bytes([signal.SIGCHLD, signal.SIGTERM]))
    assert watching._told_to_stop(pair[0]) == "abandoned"
    os.close(write)
    os.close(watching.wakeup)


@pytest.mark.parametrize(("said", "heard"), [(b"memory", "memory"), (b"", "abandoned")])
def test_what_the_watcher_says_is_heard_and_when_nobody_watches_any_more_the_run_ends(
    pair: tuple[socket.socket, socket.socket], said: bytes, heard: str
):
    watcher: Any = watch.Watcher.__new__(watch.Watcher)
    ours, theirs = socket.socketpair()
    watcher.channel = ours
    watching = Runner.__new__(Runner)
    watching.watcher = watcher
    watching.wakeup, write = os.pipe()
    theirs.send(said)
    theirs.close()
    assert watching._told_to_stop(pair[0]) == heard
    for descriptor in (write, watching.wakeup):
        os.close(descriptor)
    ours.close()


@pytest.mark.parametrize(
    ("dead", "status", "left"),
    [
        ([(0, 0)], None, []),
        ([(5, 1), (6, 2), (0, 0)], None, []),
        ([(5, 1), (42, 256), (6, 2)], 256, [(6, 2)]),
        ([(5, 1), None], None, []),
    ],
)
def test_orphans_are_buried_and_the_script_is_told(
    monkeypatch: pytest.MonkeyPatch, dead: list[Any], status: int | None, left: list[Any]
):
    def waitpid(number: int, flags: int) -> tuple[int, int]:
        assert (number, flags) == (-1, os.WNOHANG)
        if (found := dead.pop(0)) is None:
            raise ChildProcessError
        return found

    burying = Runner.__new__(Runner)
    burying.script = 42
    monkeypatch.setattr(os, "waitpid", waitpid)
    assert burying._reap() == status
    assert dead == left


@pytest.mark.parametrize("first", [7, None])
def test_all_are_killed_and_buried_until_nobody_is_left(monkeypatch: pytest.MonkeyPatch, first: int | None):
    alive, killed = [[42, 50], [50, 51], [51]], list[tuple[str, int]]()

    def waitpid(number: int, flags: int) -> tuple[int, int]:
        assert (number, flags) == (-1, 0), "any of them, and waiting for it"
        if not alive:
            raise ChildProcessError
        return alive.pop(0)[0], 9

    ending = Runner.__new__(Runner)
    ending.script, ending.first_process, ending.process = 42, first, 1
    monkeypatch.setattr(os, "waitpid", waitpid)
    monkeypatch.setattr(os, "kill", lambda number, sign: killed.append(("one", number)))
    monkeypatch.setattr(os, "killpg", lambda number, sign: killed.append(("group", number)))
    monkeypatch.setattr(watch, "descendants", lambda process: alive[0] if alive else [])
    assert ending.end_all() == 9
    assert {("one", number) for number in (42, 50, 51)} <= set(killed)
    assert (("group", 42) in killed) is (first is None)
    assert killed.count(("group", 42)) <= 1, "the number may be another's once it is buried"
    assert (("one", 7) in killed) is (first is not None)


def test_what_is_left_of_a_run_is_told_from_those_who_watch(monkeypatch: pytest.MonkeyPatch):
    asked = Runner.__new__(Runner)
    watcher: Any = SimpleNamespace(process=8)
    asked.process, asked.first_process, asked.watcher = 1, 7, watcher
    for ours, inside, left in [([7, 8], [], False), ([8], [], False), ([7, 8, 9], [], True), ([7, 8], [9], True)]:
        monkeypatch.setattr(watch, "children", {1: ours, 7: inside, 8: []}.get)
        assert asked._anything_left() is left


def test_the_directory_that_is_opened_is_the_one_that_is_held(tmp_path: Path):
    status = tmp_path.stat()
    os.close(runner._open_the_same(str(tmp_path), [status.st_dev, status.st_ino]))
    for other in ([status.st_dev, status.st_ino + 1], [status.st_dev + 1, status.st_ino]):
        with pytest.raises(OSError, match="replaced by another"):
            runner._open_the_same(str(tmp_path), other)


def test_the_tasks_of_a_user_are_all_threads_of_all_that_is_the_users(monkeypatch: pytest.MonkeyPatch):
    def status(path: str) -> SimpleNamespace:
        owner = {"/proc/1": 0, "/proc/20": 5, "/proc/21": 5}.get(path)
        if owner is None:
            raise FileNotFoundError
        return SimpleNamespace(st_uid=owner)

    monkeypatch.setattr(os, "geteuid", lambda: 5)
    monkeypatch.setattr(os, "listdir", lambda path: ["1", "self", "20", "21", "22", "net"])
    monkeypatch.setattr(os, "stat", status)
    monkeypatch.setattr(watch, "threads", lambda process: ["x"] * process)
    assert runner._tasks_of_this_user() == 41


# The order


def test_a_frame_is_received_with_its_descriptors_and_without_what_follows_however_it_is_cut(
    pair: tuple[socket.socket, socket.socket],
):
    order = {"a": "x" * 20_000, "b": [1]}
    frame = launcher.framed(order)
    socket.send_fds(pair[0], [frame[:1]], [pair[0].fileno(), pair[1].fileno()])
    pair[0].sendall(frame[1:9000])
    pair[0].sendall(frame[9000:])
    socket.send_fds(pair[0], [b"next"], [pair[0].fileno()])
    received, found = frames.receive(pair[1], 2)
    assert received == frame
    assert frames.value_of(received) == order
    assert len(found) == 2
    after, more, _, _ = socket.recv_fds(pair[1], 100, 1)
    assert after == b"next"
    assert len(more) == 1
    for descriptor in [*found, *more]:
        os.close(descriptor)


@pytest.mark.parametrize("sent", [b"", b"    ", b"      20{}"])
def test_half_a_frame_says_that_the_other_end_has_gone(pair: tuple[socket.socket, socket.socket], sent: bytes):
    pair[0].sendall(sent)
    pair[0].close()
    with pytest.raises(EOFError, match="the other end has gone"):
        frames.receive(pair[1])


def test_a_rehearsal_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch):
    closed: list[int] = []
    close = os.close
    monkeypatch.setattr(os, "close", lambda descriptor: closed.append(descriptor) or close(descriptor))
    frames.rehearse()
    [passed] = closed
    with pytest.raises(OSError, match="[Bb]ad file"):
        os.fstat(passed)


# What holds here


@pytest.mark.parametrize(
    "hidden", [[], ["landlock"], ["seccomp"], ["namespaces"], ["landlock", "seccomp", "namespaces"]]
)
@pytest.mark.parametrize("user", [0, 1000])
@pytest.mark.parametrize("at_most", [3, 1000])
def test_a_wall_is_there_that_the_kernel_gives_and_no_test_hides(
    monkeypatch: pytest.MonkeyPatch, hidden: list[str], user: int, at_most: int
):
    asked: list[object] = []
    monkeypatch.setattr(supervisor, "landlock", SimpleNamespace(version=lambda: 7))
    monkeypatch.setattr(supervisor, "seccomp", SimpleNamespace(available=lambda: True))
    monkeypatch.setattr(supervisor, "namespaces", SimpleNamespace(work_here=lambda: True))
    monkeypatch.setattr(supervisor.signal, "signal", lambda *said: asked.append(said))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    walls = supervisor.find_walls(hidden, at_most)
    isolated = "namespaces" not in hidden
    assert vars(walls) == {  # whole, so that a wall that is new is noticed
        "landlock": 0 if "landlock" in hidden else min(7, at_most),
        "seccomp": "seccomp" not in hidden,
        "namespaces": isolated,
        "fork": isolated or "seccomp" in hidden or user == 1000,
        "seatbelt": False,
    }
    assert asked == [(signal.SIGCHLD, signal.SIG_DFL), (signal.SIGCHLD, signal.SIG_IGN)]


@pytest.mark.parametrize(
    ("system", "hidden", "seatbelt"),
    [("darwin", [], True), ("darwin", ["seatbelt"], False), ("win32", [], False), ("freebsd", [], False)],
)
def test_elsewhere_there_is_at_most_the_wall_of_macos(
    monkeypatch: pytest.MonkeyPatch, system: str, hidden: list[str], seatbelt: bool
):
    monkeypatch.setattr(supervisor.sys, "platform", system)
    assert supervisor.find_walls(hidden, 1000) == Walls(seatbelt=seatbelt)


@pytest.mark.parametrize(
    ("event", "ended"),
    [
        (lambda agent, told: None, False),
        (lambda agent, told: agent.send(b"J"), False),
        (lambda agent, told: os.close(told), False),
        (lambda agent, told: agent.close(), True),
        (lambda agent, told: (agent.send(b"J"), agent.close()), True),
    ],
)
def test_the_next_runner_is_made_when_one_is_needed_and_none_when_the_agent_has_gone(
    pair: tuple[socket.socket, socket.socket], event: Callable[[socket.socket, int], object], ended: bool
):
    taken, told = os.pipe()
    event(pair[0], told)
    assert supervisor._until_the_next_is_needed(pair[1], taken) is ended
    os.close(taken)


FULL = {"landlock": 7, "seccomp": True, "namespaces": True}
ESCAPED = (Attempt("open a socket", False, "it worked"), *HELD[:7])


@pytest.mark.parametrize(
    ("walls", "attempts", "line", "problem"),
    [
        (FULL, HELD, "full (Landlock 7, seccomp, namespaces), self-test 8/8", ""),
        (FULL | {"namespaces": False}, HELD, "strong (Landlock 7, seccomp), self-test 8/8", ""),
        (FULL | {"landlock": 0}, HELD, "limits (seccomp, namespaces), self-test 8/8", "Landlock (landlock(7), Linux 5.13)."),
        (FULL | {"seccomp": False}, HELD, "limits (Landlock 7, namespaces), self-test 8/8", "give seccomp filters."),
        ({}, HELD, "limits (no walls), self-test 8/8", "Landlock (landlock(7), Linux 5.13) and seccomp filters."),
        ({"seatbelt": True}, HELD, "seatbelt (seatbelt), self-test 8/8", ""),
        (FULL, ESCAPED, "limits (Landlock 7, seccomp, namespaces), self-test 7/8", "did not hold: open a socket."),
        ({}, ESCAPED, "limits (no walls), self-test 7/8", "does not give"),
    ],
)  # fmt: skip
def test_the_level_is_that_of_the_walls_that_held(
    monkeypatch: pytest.MonkeyPatch, walls: dict[str, Any], attempts: tuple[Attempt, ...], line: str, problem: str
):
    stand = SimpleNamespace(walls=Walls(**walls))
    monkeypatch.setattr(launcher, "supervisor", lambda: stand)
    monkeypatch.setattr(levels, "_attempt", lambda: attempts)
    level = levels._observe()
    assert level.line == f"sandbox: {line}"
    assert problem in level.problem if problem else not level.problem
    assert level.confined is (not line.startswith("limits"))
    assert (level.warning == "") is line.startswith("full")
    assert ("--allow-unconfined" in level.warning) is not level.confined
    rows = report.table(level).splitlines()
    assert (rows[0], rows[1]) == (level.line, f"  {report.PROMISES[level.name]}")
    assert [row.split()[0] for row in rows[2:10]] == ["held" if attempt.held else "ESCAPED" for attempt in attempts]
    assert (rows[-1] == level.warning) is bool(level.warning)
    assert all(row.endswith(f"  {attempt.detail}") for row, attempt in zip(rows[2:10], attempts, strict=True))


@pytest.mark.parametrize("system", ["darwin", "freebsd", "win32"])
def test_elsewhere_no_kernel_is_blamed_and_on_windows_a_way_is_named(monkeypatch: pytest.MonkeyPatch, system: str):
    monkeypatch.setattr(report.sys, "platform", system)
    assert report.problem(Walls(), (), HELD) == ""
    warning = report.warning(levels.Level("limits", (), HELD))
    assert warning.startswith("This system has no wall")
    assert ("WSL2" in warning) is (system == "win32")


def test_that_no_process_can_be_started_is_said_at_any_level(monkeypatch: pytest.MonkeyPatch):
    for walls in (FULL, FULL | {"namespaces": False}):
        stand = SimpleNamespace(walls=Walls(**walls, fork=False))
        monkeypatch.setattr(launcher, "supervisor", lambda stand=stand: stand)
        monkeypatch.setattr(levels, "_attempt", lambda: HELD)
        level = levels._observe()
        assert not level.can_fork
        assert level.warning.endswith(report.NO_FORK)
        assert level.warning.startswith("Level strong: ") is (level.name == "strong")


def test_a_self_test_that_answers_in_part_held_in_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    said = [json.dumps(["read outside", True, "no"]), json.dumps(["write outside", True, "no"])]
    outcome = SimpleNamespace(stdout="\n".join(said), stderr="x" * 300 + "the end")
    seen: list[Any] = []

    def run_python(root: Any, arguments: list[str], limits: Any) -> SimpleNamespace:
        seen.append((arguments, limits.seconds, sorted(path.name for path in root.path.iterdir())))
        if len(seen) > 1:
            (root.path.parent / "written").touch()
        return outcome

    monkeypatch.setattr(levels, "run_python", run_python)
    attempts = levels._attempt()
    assert [attempt.held for attempt in attempts] == [True, True] + [False] * 6
    assert (attempts[2].name, attempts[2].detail) == ("no answer", "x" * 193 + "the end")
    assert not levels._attempt()[1].held, "what was written is there, whatever is said"
    arguments, seconds, files = seen[0]
    assert (arguments[0], arguments[2], seconds, files) == ("selftest.py", str(os.getpid()), 20, ["selftest.py"])


def test_without_walls_each_of_the_eight_attempts_gets_out(tmp_path: Path):
    (tmp_path / "work").mkdir()
    (tmp_path / "secret").write_text("a secret")
    command = [sys.executable, "-I", "-S", str(Path(levels.__file__).with_name("selftest.py")), str(tmp_path)]
    ran = subprocess.run(
        [*command, str(os.getpid()), "A_KEY"],
        cwd=tmp_path / "work",
        env={"A_KEY": "x"},
        capture_output=True,
        timeout=60,
    )
    attempts = [Attempt(*json.loads(line)) for line in ran.stdout.splitlines()]
    assert [attempt.name for attempt in attempts] == [
        "read outside", "write outside", "open a socket", "signal the parent", "execute a shell",
        "make a symbolic link", "read a secret of the environment", "change the limits of the parent",
    ]  # fmt: skip
    assert {(attempt.held, attempt.detail) for attempt in attempts} == {(False, "it worked")}
    assert (tmp_path / "written").read_text() == "escaped"
    assert (tmp_path / "work" / "link").is_symlink()


@pytest.mark.parametrize(
    "value",
    [
        HELD[0],
        levels.Level("full", (), ()),
        process.Limits(),
        process.Outcome("", "", 0, None, None, 0.0),
        disk.Begun([], 0, []),
        Walls(),
    ],
)
def test_what_was_observed_stays_so(value: Any):
    for name in inspect.signature(type(value)).parameters:
        with pytest.raises(AttributeError):
            setattr(value, name, None)


def test_a_secret_is_whatever_the_person_has_in_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        levels,
        "whole_environment",
        lambda: dict.fromkeys(["API_KEY", "HOME", "PATH", "PYTHONPATH", "MALLOC_X", "X"], ""),
    )
    assert levels._names_of_secrets() == ["API_KEY", "X"]


# The supervisor that is current


def test_another_supervisor_takes_the_place_of_the_current_one_and_one_that_has_gone_is_forgotten():
    class Stand:
        closed = 0

        def close(self) -> None:
            self.closed += 1

    first: Any = Stand()
    second: Any = Stand()
    mine = pretending.replace(first)
    try:
        assert launcher.supervisor() is first
        launcher.forget(second)
        assert (launcher.supervisor(), second.closed) == (first, 1), "another one goes; the current one stays"
        assert pretending.replace(second) is first
        launcher.forget(second)
        assert launcher._current is None
    finally:
        pretending.replace(mine)
    assert first.closed == 0


# What is done before and after


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be done to this very process is not."""
    for module, name in (
        (supervisor.kernel, "die_with_parent"),
        (supervisor.signal, "signal"),
        (supervisor.gc, "disable"),
    ):
        monkeypatch.setattr(module, name, lambda *_: None)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("tells", "ends_after", "made"),
    [
        ([b""] * 9, None, 5),
        ([b"", b"", b"", b"", b"T", b"", b"", b"", b"", b"T", *[b""] * 9], None, 15),
        ([b"T"] * 9, 3, 3),
        ([b"", b"T"], 1, 1),
    ],
)
def test_runners_are_made_until_the_agent_has_gone_or_five_in_a_row_die_unused(
    monkeypatch: pytest.MonkeyPatch,
    pair: tuple[socket.socket, socket.socket],
    tells: list[bytes],
    ends_after: int | None,
    made: int,
):
    count: list[int] = []

    def make_runner(requests: socket.socket, settings: dict[str, Any], walls: Walls) -> int:
        assert (requests, settings["hidden"], walls) == (pair[1], ["seccomp"], Walls(landlock=3))
        taken, tell = os.pipe()
        os.write(tell, tells[len(count)])
        os.close(tell)
        count.append(taken)
        return taken

    monkeypatch.setattr(supervisor, "find_walls", lambda hidden, most: Walls(landlock=most))
    monkeypatch.setattr(supervisor, "_make_runner", make_runner)
    monkeypatch.setattr(supervisor, "_until_the_next_is_needed", lambda *_: len(count) == ends_after)
    supervisor.main(pair[1], {"agent": 1, "hidden": ["seccomp"], "landlock_at_most": 3})
    assert len(count) == made
    told = json.loads(pair[0].recv(4096))
    assert told.pop("process") == os.getpid()
    assert Walls(**told) == Walls(landlock=3)


class Rules:
    """A ruleset of Landlock that writes down what is asked of it."""

    def __init__(self, version: int = 0) -> None:
        self.asked: list[object] = [version]

    def allow(self, path: str, rights: object) -> None:
        self.asked.append((path, rights))

    def allow_descriptor(self, descriptor: int, rights: object) -> None:
        self.asked.append((descriptor, rights))

    def enforce(self) -> None:
        self.asked.append("enforced")


@pytest.mark.parametrize(
    "walls", [Walls(), Walls(seccomp=True), Walls(landlock=2), Walls(3, True, True), Walls(7, True)]
)
def test_each_wall_that_stands_is_raised_before_the_script_is_known(monkeypatch: pytest.MonkeyPatch, walls: Walls):
    done: list[object] = []
    landlock, kernel = script.landlock, script.kernel
    monkeypatch.setattr(kernel, "die_with_parent", lambda *said: done.append(said))
    monkeypatch.setattr(kernel, "drop_capabilities", lambda: done.append("no capabilities"))
    monkeypatch.setattr(kernel, "prctl", lambda *said: done.append(said))
    monkeypatch.setattr(script.seccomp, "built", lambda *said: said)
    monkeypatch.setattr(script.seccomp, "install", done.append)
    monkeypatch.setattr(landlock, "Ruleset", Rules)
    monkeypatch.setattr(landlock, "python_and_libraries", lambda *said: [(said, "rights")])
    rules = script._prepare({"executable": "/python", "prefixes": ["/usr"]}, walls, 42)
    scoped, handled = walls.landlock >= landlock.SIGNALS_SCOPED_SINCE, walls.landlock >= landlock.TRUNCATE_SINCE
    filters = (0 if walls.namespaces else os.getpid(), scoped, handled, True)
    first: list[object] = [(signal.SIGKILL, 42), "no capabilities", (kernel.PR_SET_NO_NEW_PRIVS, 1)]
    assert done == [*first, *([filters] if walls.seccomp else [])]
    assert (rules is None) is (not walls.landlock)
    if rules:
        python = (("/python", ["/usr"]), "rights")
        assert rules.asked[:2] == [walls.landlock, python]
        assert (("/dev/shm", landlock.WRITE) in rules.asked) is walls.namespaces
        assert len(rules.asked) == 2 + (1 + len(script.namespaces.TERMINALS) if walls.namespaces else 0)


@pytest.mark.parametrize("problem", [b"", b"OSError: a wall fell"])
def test_when_a_wall_does_not_stand_none_of_the_code_ran(pair: tuple[socket.socket, socket.socket], problem: bytes):
    launching = Runner.__new__(Runner)
    launching.orders = pair[0]
    stream, directory = os.open(os.devnull, os.O_RDONLY), os.open("/", os.O_RDONLY)
    frame = launcher.framed({"command": ["python"], "limits": {}})
    launching._hand_over(frame, [stream])
    pair[1].sendall(problem)
    pair[1].shutdown(socket.SHUT_WR)
    if problem:
        with pytest.raises(OSError, match="a wall fell"):
            launching._let_begin(directory, "/private")
    else:
        launching._let_begin(directory, "/private")
    received, [copy] = frames.receive(pair[1], 1)
    assert received == frame
    private, [held], _, _ = socket.recv_fds(pair[1], 100, 1)
    assert private == b"/private"
    assert os.path.samestat(os.fstat(held), Path("/").stat())
    for descriptor in (copy, held):
        os.close(descriptor)
    for descriptor in (stream, directory):
        with pytest.raises(OSError, match="[Bb]ad file"):
            os.fstat(descriptor)


def test_a_script_that_ended_before_its_order_is_heard_all_the_same(pair: tuple[socket.socket, socket.socket]):
    launching = Runner.__new__(Runner)
    launching.orders = pair[0]
    pair[1].sendall(b"OSError: a wall fell")
    pair[1].close()
    launching._hand_over(launcher.framed({}), [])
    with pytest.raises(OSError, match="a wall fell"):
        launching._let_begin(os.open("/", os.O_RDONLY), "/private")


@pytest.mark.parametrize("fails", [False, True])
def test_the_private_directory_of_a_run_is_gone_when_all_have_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
):
    happened: list[object] = []
    running = Runner.__new__(Runner)
    running.walls, running.settings, running.cleaner = Walls(), {"temporary": str(tmp_path)}, None
    running.parent_of_temporary = os.open(tmp_path, os.O_RDONLY)

    def end_all() -> None:
        happened.append([path.name for path in tmp_path.iterdir()])

    monkeypatch.setattr(running, "end_all", end_all)
    with contextlib.suppress(InterruptedError), running._private_directory() as private:
        (Path(private) / "file").touch()
        name = Path(private).name
        if fails:
            raise InterruptedError
    assert happened == [[name]], "first whoever could still write into it"
    cleaner: Any = running.cleaner
    cleaner.join(30)
    assert list(tmp_path.iterdir()) == []
    os.close(running.parent_of_temporary)


@pytest.mark.parametrize(("left", "ended"), [(False, 0), (True, 1)])
def test_in_a_namespace_only_what_is_left_is_ended(monkeypatch: pytest.MonkeyPatch, left: bool, ended: int):
    count: list[object] = []
    running = Runner.__new__(Runner)
    running.walls = Walls(namespaces=True)
    monkeypatch.setattr(running, "_anything_left", lambda: left)
    monkeypatch.setattr(running, "end_all", lambda: count.append(1))
    with running._private_directory() as private:
        assert private == runner.namespaces.PRIVATE
    assert len(count) == ended


@pytest.mark.parametrize("replaced", [False, True])
def test_the_supervisor_hears_of_a_run_when_it_has_begun_or_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pair: tuple[socket.socket, socket.socket], replaced: bool
):
    happened: list[str] = []
    serving = Runner.__new__(Runner)
    serving.walls = Walls()
    monkeypatch.setattr(serving, "_let_begin", lambda directory, private: happened.append("begun"))
    monkeypatch.setattr(serving, "_watch", lambda limits, channel, begun: happened.append("watched") or {})
    status = tmp_path.stat()
    job = {"directory": str(tmp_path), "identity": [status.st_dev, status.st_ino + replaced], "limits": {}}
    with pytest.raises(OSError, match="replaced by another") if replaced else contextlib.nullcontext():
        serving._serve(job, pair[0], str(tmp_path), lambda: happened.append("told"))
    assert happened == (["told"] if replaced else ["begun", "told", "watched"])


def test_a_runner_whose_supervisor_has_died_takes_no_run(pair: tuple[socket.socket, socket.socket]):
    left = Runner.__new__(Runner)
    left.supervisor = -1
    left.run(pair[1], 7, 8, lambda: None)
    pair[1].close()
    assert pair[0].recv(1) == b"", "so the agent hands it to another"


@pytest.mark.parametrize("fails", [None, OSError("the wall fell")])
def test_a_run_is_taken_answered_and_ended(
    monkeypatch: pytest.MonkeyPatch, pair: tuple[socket.socket, socket.socket], fails: OSError | None
):
    happened: list[object] = []
    running = Runner.__new__(Runner)
    running.cleaner, running.supervisor = None, os.getppid()

    def serve(job: dict[str, Any], channel: socket.socket, private: str, tell: object) -> dict[str, Any]:
        happened.append((job, private))
        if fails:
            raise fails
        return {"code": 0}

    monkeypatch.setattr(signal, "signal", lambda number, handler: happened.append(number))
    monkeypatch.setattr(running, "_hand_over", lambda frame, streams: happened.append((frame, streams)))
    monkeypatch.setattr(running, "_private_directory", lambda: contextlib.nullcontext("/private"))
    monkeypatch.setattr(running, "_serve", serve)
    monkeypatch.setattr(running, "end_all", lambda: happened.append("ended"))
    frame = launcher.framed({"a": 1})
    pair[0].sendall(frame)
    running.run(pair[1], 7, 8, lambda: None)
    assert pair[0].recv(1) == b"T"
    answer = b"".join(iter(lambda: pair[0].recv(100), b""))
    assert json.loads(answer) == ({"failed": "the wall fell"} if fails else {"code": 0})
    assert happened == [signal.SIGTERM, (frame, [7, 8]), ({"a": 1}, "/private"), "ended"]
