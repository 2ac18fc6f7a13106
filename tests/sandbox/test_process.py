"""Running code: what comes back, what is bounded, what is killed."""

import errno
import os
import select
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.files.root import Refusal, Root
from sandbox.running import process
from sandbox.running.process import Kept, Limits, Outcome, Streams, _until_answered, run_python
from sandbox.running.reports import failing_tests, pytest_verdict, unittest_verdict


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


@given(st.integers(0, 9), st.lists(st.text("ab", max_size=7), max_size=9))
def test_of_a_long_stream_head_and_tail_are_kept_in_little_memory(limit: int, pieces: list[str]) -> None:
    kept, whole = Kept(limit), "".join(pieces)
    for piece in pieces:
        kept.add(piece.encode())
        assert len(kept._head) + len(kept._tail) <= 2 * limit + 1
    head, tail = whole[: limit - limit // 2], whole[len(whole) - limit // 2 :]
    missing = len(whole) - len(head) - len(tail)
    expected = f"{head}\n[... {missing} bytes in the middle are not shown ...]\n{tail}"
    assert kept.text() == (expected if len(whole) > limit else whole)
    assert kept.total == len(whole)


def test_no_character_is_cut_in_half_where_the_middle_is_left_out() -> None:
    kept = Kept(6)
    kept.add("aé€€€€é".encode())
    assert kept.text() == "aé\n[... 11 bytes in the middle are not shown ...]\né"


def test_a_stream_is_too_long_past_a_hundred_times_what_is_kept() -> None:
    with Streams(3, None) as streams:
        for number in (0, 1):
            streams.take(number, b"x" * 300)
            assert not streams.too_much()
        streams.take(1, b"x")
        assert streams.too_much()
    assert Limits() == Limits(30.0, 536_870_912, 100_000, 64, 67_108_864)
    assert (process.TIMES_TOO_MUCH, process.SLICE_SECONDS, process.LONGEST_COMMAND_LINE) == (100, 0.05, 100_000)


@pytest.mark.parametrize(
    ("answer", "ended", "note"),
    [
        ({"code": 0, "stopped": None, "fork": True}, (0, None, None), ""),
        ({"code": 3, "stopped": None, "fork": True}, (3, None, None), ""),
        ({"code": -11, "stopped": None, "fork": True}, (None, 11, None), ""),
        ({"code": -9, "stopped": "time", "fork": True}, (None, 9, "time"), ""),
        ({"code": 0, "stopped": "time", "fork": True}, (None, None, "time"), ""),
        ({"code": 1, "stopped": None, "fork": False}, (1, None, None), "cannot start other processes"),
        ({"code": 0, "stopped": None, "fork": False}, (0, None, None), ""),
        ({}, (None, 9, None), "was killed"),
        ({"code": -9, "stopped": "abandoned", "fork": True}, (None, 9, None), "was killed"),
    ],
)
def test_how_a_run_ended_is_said_by_who_watched_it(
    answer: dict[str, object], ended: tuple[object, ...], note: str
) -> None:
    with Streams(10, None) as streams:
        outcome = process._outcome(answer, streams, 1.5, ["a note"])
        assert (outcome.exit_code, outcome.signal, outcome.stopped_for) == ended
        assert (outcome.notes[0], outcome.seconds) == ("a note", 1.5)
        assert (note in outcome.notes[-1] and len(outcome.notes) == 2) if note else len(outcome.notes) == 1
        streams.take(0, b"x" * 1001)
        too_much = process._outcome({"code": 0}, streams, 1.5, [])
        assert (too_much.exit_code, too_much.signal, too_much.stopped_for) == (None, None, "output")
        with pytest.raises(Refusal, match="nothing was run: no wall"):
            process._outcome({"failed": "no wall"}, streams, 1.5, [])


def test_arguments_may_be_as_long_as_a_command_line() -> None:
    most = process.LONGEST_COMMAND_LINE
    process._refuse_impossible(["x" * (most - 4), "é"])
    with pytest.raises(Refusal, match="more than 100000 bytes"):
        process._refuse_impossible(["x" * (most - 3), "é"])


def test_streams_leave_no_descriptor_open() -> None:
    with Streams(10, None) as streams:
        assert not any(os.get_blocking(descriptor) for descriptor in streams.ours)
        os.write(streams.theirs[0], b"one")
        os.write(streams.theirs[1], b"two")
        streams.read(5)
        streams.close_theirs()
        while streams.selector.get_map():
            streams.read(5)
        assert [kept.text() for kept in streams.kept] == ["one", "two"]
        ours = list(streams.ours)
    assert streams.theirs == []
    for descriptor in ours:
        with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
            os.fstat(descriptor)


LINE = "-" * 70
UNITTEST = f"""F.
{"=" * 70}
FAIL: test_a (tests.A.test_a)
{LINE}
Traceback:
AssertionError: 1 != 2

{"=" * 70}
ERROR: test_b (tests.A.test_b)
{LINE}
Traceback:
ValueError: x

{LINE}
Ran 3 tests in 0.012s

FAILED (failures=1, errors=1)
"""
PYTEST = """..F

warnings
=================== FAILURES ====================
____________________ test_a _____________________
E   assert 1 == 2
============= 1 failed, 2 passed in 0.03s =============
"""


def ended(code: int | None, stdout: str = "", stderr: str = "") -> Outcome:
    return Outcome(stdout, stderr, code, None, None, 0.0)


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (ended(1, "out", UNITTEST), "2 of 3 tests failed (unittest, 0.012 s)\n\nFAIL: test_a (tests.A.test_a)\nTraceback:"
            "\nAssertionError: 1 != 2\n\nERROR: test_b (tests.A.test_b)\nTraceback:\nValueError: x"),
        (ended(0, "", f"..\n{LINE}\nRan 2 tests in 1.5s\n\nOK"), "All 2 tests passed (unittest, 1.5 s)"),
        (ended(0, "", f".\n{LINE}\nRan 1 test in 1.5s\n\nOK"), "All 1 tests passed (unittest, 1.5 s)"),
        (ended(5, "", f"\n{LINE}\nRan 0 tests in 0.0s\n\nNO TESTS RAN"), "No tests found (unittest, 0.0 s)"),
        (ended(0, "", f"\n{LINE}\nRan 0 tests in 0.0s\n\nOK"), "No tests found (unittest, 0.0 s)"),
        (ended(1, "", f".\n{LINE}\nRan 1 test in 0.1s\n\nOK"), "All 1 tests ended with an error (unittest, 0.1 s)"),
        (ended(None, "", f".\n{LINE}\nRan 1 test in 0.1s\n\n"), "All 1 tests ended with an error (unittest, 0.1 s)"),
        (ended(1, "out", "SyntaxError"), "The tests could not be run:\nSyntaxError"),
        (ended(1, "out", ""), "The tests could not be run:\nout"),
    ],
)  # fmt: skip
def test_the_verdict_of_unittest_comes_first(outcome: Outcome, verdict: str) -> None:
    assert unittest_verdict(outcome) == verdict


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (ended(1, PYTEST), "1 failed, 2 passed in 0.03s (pytest)\n____________________ test_a _____________________\n"
            "E   assert 1 == 2"),
        (ended(0, "..\n==== 2 passed in 0.03s ====\n\n"), "2 passed in 0.03s (pytest)"),
        (ended(5, "==== no tests ran in 0.01s ===="), "no tests ran in 0.01s (pytest)"),
        (ended(1, "E\n=== ERRORS ===\nx\n==== 1 error in 0.1s ===="), "1 error in 0.1s (pytest)\nx"),
        (ended(1, "..\n== 2 passed in 1s =="), "The tests could not be run to their end: they say '2 passed in 1s', and "
            "pytest ended with code 1\n..\n== 2 passed in 1s =="),
        (ended(None, "2 passed in 1s"), "The tests could not be run to their end: they say '2 passed in 1s', and "
            "pytest was ended by a signal\n2 passed in 1s"),
        (ended(4, "out\n", "usage"), "The tests could not be run:\nout\nusage"),
    ],
)  # fmt: skip
def test_the_verdict_of_pytest_comes_first(outcome: Outcome, verdict: str) -> None:
    assert pytest_verdict(outcome) == verdict


def test_each_failing_test_is_told_with_the_last_line_of_its_traceback() -> None:
    report = unittest_verdict(ended(1, "", UNITTEST))
    assert failing_tests(report) == ["FAIL: test_a  AssertionError: 1 != 2", "ERROR: test_b  ValueError: x"]
    assert failing_tests("___ test_a ___\n\n___ test_b ___\n  E  x  \n\n") == ["test_a", "test_b  E  x"]
