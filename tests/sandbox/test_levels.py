"""The level is what was observed, and the person is told."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from config import PROJECT
from sandbox.running import launcher, levels, pretending, process, report
from sandbox.running.levels import Attempt, Level
from sandbox.walls import Walls, seatbelt

SANDBOX = Path(levels.__file__).parent


@pytest.fixture(scope="module")
def here() -> Level:
    if sys.platform != "linux" or not levels.level().confined:
        pytest.skip(f"forced levels need both walls of Linux: {levels.level().line}")
    return levels.level()


def test_the_line_names_the_level_the_walls_and_the_self_test() -> None:
    attempts = (Attempt("read outside", True, "PermissionError"),) * 8
    level = Level("full", ("Landlock 7", "seccomp", "namespaces"), attempts)
    assert level.line == "sandbox: full (Landlock 7, seccomp, namespaces), self-test 8/8"
    assert level.warning == ""


def test_each_level_has_its_promise_and_one_that_is_better_warns_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tuple(reversed(report.PROMISES)) == levels.LEVELS
    monkeypatch.setattr(levels, "LEVELS", (*levels.LEVELS, "better"))
    better = Level("better", ("Landlock 7", "seccomp", "namespaces"), ())
    assert better.warning == ""
    assert better._replace(can_fork=False).warning == report.NO_FORK


def test_the_level_is_observed_once(here: Level) -> None:
    assert levels.level() is here
    assert len(here.attempts) == 8
    assert all(attempt.held for attempt in here.attempts)


@pytest.mark.skipif(sys.platform != "linux", reason="the walls of Linux")
def test_where_the_kernel_gives_both_walls_they_hold() -> None:
    """Most tests of the walls pass by where none stands: that must not be because one has fallen."""
    level = levels.level()
    if not launcher.supervisor().walls.confined:
        pytest.skip(f"this kernel does not give both: {level.line}")
    assert level.confined, level.problem


def test_what_every_machine_has_in_its_environment_is_no_secret_that_got_in(here: Level) -> None:
    usual = {
        "LANG": "en_US.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "NO_COLOR": "1",
        "SHELL": "/bin/sh",
        "TERM": "dumb",
    }
    named = {name: "mine" for name in process.environment_inside() if not name.startswith(("LD_", "PATH", "PYTHON"))}
    assert {"USER", "LOGNAME", "OMP_NUM_THREADS"} <= named.keys()
    ran = subprocess.run(
        [sys.executable, str(PROJECT / "main.py"), "--sandbox"],
        env={**os.environ, **named, **usual},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert ran.stdout.splitlines()[0] == here.line


def test_without_namespaces_the_level_is_strong_and_the_message_says_what_that_costs(here: Level) -> None:
    with pretending.hidden("namespaces"):
        level = levels.level()
    assert level.name == "strong"
    assert level.confined
    assert "timestamps outside can change" in level.warning
    assert level.can_fork == (os.geteuid() != 0)
    assert ("cannot start other processes" in level.warning) == (not level.can_fork)


@pytest.mark.parametrize(("wall", "missing"), [("landlock", "Landlock"), ("seccomp", "seccomp filters")])
def test_without_one_of_the_two_walls_nothing_is_promised(here: Level, wall: str, missing: str) -> None:
    with pretending.hidden(wall):
        level = levels.level()
    assert (level.name, level.confined) == ("limits", False)
    assert any(not attempt.held for attempt in level.attempts)
    assert f"does not give {missing}" in level.warning
    assert "--allow-unconfined" in level.warning
    assert "ESCAPED" in report.table(level)


def test_without_any_wall_attempts_get_out(here: Level) -> None:
    with pretending.hidden(*pretending.all_but()):
        level = levels.level()
    assert level.line.startswith("sandbox: limits (no walls), self-test ")
    assert sum(attempt.held for attempt in level.attempts) < 3


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6])
def test_older_versions_of_landlock_hold_the_eight_attempts_too(here: Level, version: int) -> None:
    if f"Landlock {version}" > here.walls[0]:
        pytest.skip(f"this system has {here.walls[0]}")
    with pretending.hidden("namespaces", landlock_at_most=version):
        assert levels.level().line == f"sandbox: strong (Landlock {version}, seccomp), self-test 8/8"


def test_an_attempt_that_gets_out_lowers_the_level_whatever_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = (Attempt("open a socket", False, "it worked"), *(Attempt("read outside", True, "no"),) * 7)
    monkeypatch.setattr(levels, "_attempt", lambda: attempts)
    monkeypatch.setattr(launcher.supervisor(), "walls", Walls(landlock=7, seccomp=True, namespaces=True))
    level = levels._observe()
    assert level.name == "limits"
    assert "did not hold: open a socket" in level.warning


def test_a_self_test_that_does_not_answer_is_no_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise launcher.SandboxFailed("the supervisor ended at its start")

    monkeypatch.setattr(levels, "_attempt", fails)
    level = levels._observe()
    assert level.name == "limits"
    assert "could not be tried" in level.warning


def test_a_system_that_is_hidden_is_back_afterwards(here: Level) -> None:
    with pretending.hidden("landlock"):
        assert not levels.level().confined
    assert levels.level() is here


def test_no_variable_of_the_environment_switches_a_wall_off() -> None:
    for path in SANDBOX.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = [ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Subscript | ast.Call)]
        asked = [name for name in names if name.startswith(("os.environ[", "os.environ.get(", "os.getenv("))]
        assert all(name == "os.environ[name]" for name in asked), (path.name, asked)


def test_a_supervisor_that_was_lost_does_not_put_a_second_wall_around_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    commands = []

    class Stand:
        walls = Walls(seatbelt=True)

        def launch(self, job: dict, *streams: int) -> None:
            commands.append(job["command"])
            if len(commands) == 1:
                raise ConnectionError

        def close(self) -> None: ...

    monkeypatch.setattr(launcher, "supervisor", Stand)
    process._launch(
        {"command": ["/usr/bin/python3"], "directory": "/w", "readable": []}, SimpleNamespace(theirs=(1, 2))
    )
    assert commands[0] == commands[1]
    assert commands[1].count(seatbelt.PROGRAM) == 1


def test_the_private_directory_takes_its_place_and_arguments_stay() -> None:
    command = seatbelt.around([sys.executable, "main.py", "PRIVATE={private}"], "/w", [])
    done = seatbelt.with_private(command, "/tmp/x")
    assert done.count("PRIVATE=/tmp/x") == 1
    assert done[-1] == "PRIVATE={private}"


def test_the_profile_of_macos_takes_paths_as_parameters_only() -> None:
    evil = '/tmp/") (allow default) ("'
    command = seatbelt.around([sys.executable, "-s", "main.py"], evil, [evil])
    profile = command[command.index("-p") + 1]
    assert evil not in profile
    assert f"WORK={evil}" in command
    assert command[-3:] == [sys.executable, "-s", "main.py"]
    assert profile.count("(") == profile.count(")")


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="only root can take /proc away")
def test_without_proc_the_program_answers_and_runs_nothing() -> None:
    script = f"mount -t tmpfs none /proc && exec {sys.executable} main.py --sandbox"
    ran = subprocess.run(["unshare", "-m", "sh", "-c", script], cwd=PROJECT, capture_output=True, text=True, timeout=60)
    if "unshare" in ran.stderr or "mount" in ran.stderr:
        pytest.skip(ran.stderr)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("sandbox: limits (no walls), self-test 0/0")
    assert "there is no /proc here" in ran.stdout
