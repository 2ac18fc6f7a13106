"""Running code: what comes back, what is bounded, what is killed."""

import select
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.files.root import Refusal, Root
from sandbox.running.process import Limits, Streams, _until_answered, run_python


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    directory = tmp_path / "work"
    directory.mkdir()
    with Root(directory) as root:
        yield root


def write(root: Root, text: str, name: str = "main.py") -> None:
    (root.path / name).write_text(text)


def alive(pid: int) -> bool:
    """Whether a process lives; one that has died and waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_program_gets_its_arguments_and_gives_output_and_exit_code(root: Root) -> None:
    write(root, "import sys; print(sys.argv[1]); print('oops', file=sys.stderr); sys.exit(3)")
    outcome = run_python(root, ["main.py", "3 + 5"])
    assert (outcome.stdout, outcome.stderr, outcome.exit_code) == ("3 + 5\n", "oops\n", 3)
    assert (outcome.signal, outcome.stopped_for) == (None, None)


def test_the_program_runs_in_the_working_directory_with_this_python(root: Root) -> None:
    write(root, "import os, sys; print(os.getcwd()); print(sys.executable); print(repr(sys.stdin.read()))")
    assert run_python(root, ["main.py"]).stdout.splitlines() == [str(root.path), sys.executable, "''"]


def test_a_module_can_be_run_and_imports_its_neighbours(root: Root) -> None:
    write(root, "VALUE = 7", "neighbour.py")
    write(root, "import neighbour; print(neighbour.VALUE)", "entry.py")
    assert run_python(root, ["-m", "entry"]).stdout == "7\n"


def test_the_environment_is_built_from_nothing(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "secret")
    write(root, "import os; print(sorted(os.environ.items()))")
    outcome = run_python(root, ["main.py"], environment={"COLUMNS": "99"})
    assert "secret" not in outcome.stdout
    assert "('COLUMNS', '99')" in outcome.stdout


def test_an_endless_loop_is_stopped_for_time(root: Root) -> None:
    write(root, "while True: pass")
    outcome = run_python(root, ["main.py"], limits=Limits(seconds=0.5))
    assert (outcome.stopped_for, outcome.exit_code) == ("time", None)
    assert outcome.seconds < 20  # a hang guard; without a limit of its own it would be 30


@pytest.mark.usefixtures("can_fork")
def test_grandchildren_die_with_the_run(root: Root) -> None:
    write(
        root,
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('pid', 'w').write(str(child.pid)); print('ready', flush=True); time.sleep(60)\n",
    )
    before = children_anywhere()
    outcome = run_python(root, ["main.py"], limits=Limits(seconds=1.5))
    assert outcome.stopped_for == "time"
    assert outcome.stdout == "ready\n"
    assert children_anywhere() <= before


def children_anywhere() -> set[int]:
    """Every living process that sleeps for us (seen from outside, whatever it calls itself within)."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and alive(int(entry.name)):
            try:
                if b"time.sleep(60)" in (entry / "cmdline").read_bytes():
                    found.add(int(entry.name))
            except OSError:
                continue
    return found


@pytest.mark.usefixtures("can_fork")
def test_a_daemon_that_holds_standard_output_does_not_stall_the_run(root: Root) -> None:
    write(
        root,
        "import os, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\n    os._exit(0)\n"
        "print('done', flush=True)\n",
    )
    started = time.monotonic()
    outcome = run_python(root, ["main.py"])
    assert (outcome.stdout, outcome.exit_code) == ("done\n", 0)
    assert time.monotonic() - started < 20  # a hang guard, far below the daemon's minute


def test_long_output_keeps_its_head_and_tail_and_counts_the_middle(root: Root) -> None:
    write(root, "print('first'); print('x' * 50_000); print('last')")
    outcome = run_python(root, ["main.py"], limits=Limits(output_bytes=1000))
    assert outcome.stdout.startswith("first\n")
    assert outcome.stdout.endswith("last\n")
    assert "[... 49012 bytes in the middle are not shown ...]" in outcome.stdout
    assert outcome.exit_code == 0


def test_endless_output_is_stopped(root: Root) -> None:
    write(root, "while True: print('x' * 1000)")
    outcome = run_python(root, ["main.py"], limits=Limits(output_bytes=1000))
    assert outcome.stopped_for == "output"
    assert len(outcome.stdout) < 1200


def test_bytes_that_are_not_text_come_back_escaped(root: Root) -> None:
    write(root, r"import os; os.write(1, b'\xff\xfe ok \xc3\xa9')")
    assert run_python(root, ["main.py"]).stdout == "\\xff\\xfe ok é"


def test_output_is_seen_as_it_comes(root: Root) -> None:
    write(root, "import time\nprint('early', flush=True)\ntime.sleep(60)")
    cancelled, chunks = threading.Event(), []

    def on_output(data: bytes) -> None:
        chunks.append(data)
        cancelled.set()

    outcome = run_python(root, ["main.py"], on_output=on_output, cancelled=cancelled)
    assert chunks == [b"early\n"]
    assert (outcome.stopped_for, outcome.stdout) == ("cancelled", "early\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there the run is watched in this process")
def test_a_run_that_ends_as_it_is_cancelled_has_its_answer():
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    cancelled = threading.Event()
    cancelled.set()

    def end_unheard() -> None:
        select.select([theirs], [], [])  # the word to stop has come; what is closed with it unread resets the other end
        theirs.sendall(b'{"code": 0}')
        theirs.close()

    ending = threading.Thread(target=end_unheard)
    ending.start()
    with ours, Streams(1000, None) as streams:
        assert _until_answered(ours, streams, cancelled) == {"code": 0}
    ending.join()


def test_death_by_signal_is_told(root: Root) -> None:
    write(root, "import os; os.kill(os.getpid(), 11)")
    outcome = run_python(root, ["main.py"])
    assert (outcome.exit_code, outcome.signal, outcome.stopped_for) == (None, 11, None)


@pytest.mark.parametrize("arguments", [["main.py", "a\0b"], ["main.py", "x" * 200_000]])
def test_arguments_that_no_command_line_carries_are_refused(root: Root, arguments: list[str]) -> None:
    with pytest.raises(Refusal):
        run_python(root, arguments)


def test_several_runs_at_once_do_not_mix(root: Root) -> None:
    write(root, "import sys; print(sys.argv[1])")
    results: dict[int, str] = {}

    def one(number: int) -> None:
        results[number] = run_python(root, ["main.py", str(number)]).stdout

    threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: f"{number}\n" for number in range(4)}


def test_a_run_leaves_no_descriptor_and_no_directory(root: Root) -> None:
    write(root, "import tempfile; print(tempfile.gettempdir()); open(tempfile.gettempdir() + '/left', 'w')")
    run_python(root, ["main.py"])
    before = open_descriptors()
    temporary = run_python(root, ["main.py"]).stdout.strip()
    assert open_descriptors() <= before
    assert not Path(temporary).exists()


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_what_runs_is_the_directory_that_is_held(root: Root) -> None:
    """It was moved away, and another lies at its path: what is read and what runs are the same all the same."""
    write(root, "import os; open('made', 'w'); print('held', os.path.basename(os.getcwd()))")
    away = root.path.with_name("away")
    root.path.rename(away)
    root.path.mkdir()
    write(root, "print('another')")
    assert run_python(root, ["main.py"]).stdout == "held away\n"
    assert (away / "made").exists()
    assert sorted(path.name for path in root.path.iterdir()) == ["main.py"]


def test_a_directory_that_is_gone_runs_nothing(root: Root) -> None:
    root.path.rmdir()
    with pytest.raises(Refusal, match="nothing was run"):
        run_python(root, ["-c", "print(1)"])


def test_arguments_arrive_as_they_were_given(root: Root) -> None:
    write(root, "import sys; print(sys.argv[1:])")
    given = ["{private}", "PRIVATE={private}", "{more}"]
    assert run_python(root, ["main.py", *given]).stdout == f"{given}\n"


def test_the_user_has_a_name(root: Root) -> None:
    write(root, "import getpass; print(getpass.getuser())")
    assert run_python(root, ["main.py"]).stdout == "user\n"
