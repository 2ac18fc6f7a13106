"""Many runs, dying agents, the price of a run."""

import json
import os
import select
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sandbox.files.root import Refusal, Root
from sandbox.running import launcher, levels, pretending
from sandbox.running.process import Limits, run_python

long = pytest.mark.long


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    (tmp_path / "work").mkdir()
    with Root(tmp_path / "work") as root:
        yield root


def below(process: int) -> set[int]:
    """Every process below this one, from /proc."""
    parents = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found, grown = {process}, True
    while grown:
        grown = {child for child, parent in parents.items() if parent in found} - found
        found |= grown
    return found - {process}


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def descriptors(process: int) -> int:
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


def until(condition: object, seconds: float = 20) -> bool:
    """Wait for something that another process does; the time is a guard against hanging only."""
    deadline = time.monotonic() + seconds
    while not (result := condition()) and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    return result


@long
@pytest.mark.parametrize("hidden", [(), ("namespaces",)], ids=["as it is", "no namespaces"])
def test_five_hundred_runs_four_at_a_time_leave_nothing(root: Root, hidden: tuple[str, ...]) -> None:
    """All that remains waits for the next run: runner, watcher, script-to-be; with namespaces, their first process."""
    (root.path / "main.py").write_text("import sys, tempfile; open(tempfile.mkstemp()[1], 'w'); print(sys.argv[1])")
    with pretending.hidden(*hidden):
        supervisor = launcher.supervisor().process
        run_python(root, ["main.py", "x"])
        directories = set(Path(tempfile.gettempdir()).glob("glassbox-*"))
        waiting = 4 if launcher.supervisor().walls.namespaces else 3
        assert until(lambda: len(below(supervisor)) == waiting), below(supervisor)
        before = descriptors(os.getpid()), descriptors(supervisor)
        with ThreadPoolExecutor(4) as pool:
            outcomes = list(pool.map(lambda n: run_python(root, ["main.py", str(n)]), range(500)))
        assert [outcome.stdout for outcome in outcomes] == [f"{n}\n" for n in range(500)]
        assert until(lambda: len(below(supervisor)) == waiting), below(supervisor)
        # The pipe of the runner that is just being made is there for a moment.
        assert until(lambda: (descriptors(os.getpid()), descriptors(supervisor)) <= before)
        assert set(Path(tempfile.gettempdir()).glob("glassbox-*")) <= directories
        assert [path.name for path in root.path.iterdir()] == ["main.py"]
        everything = below(supervisor) | {supervisor}
    assert until(lambda: not any(map(lives, everything)))


@long
def test_a_sandboxed_run_costs_little_more_than_a_plain_one(
    root: Root, capsys: pytest.CaptureFixture[str], record_property: object
) -> None:
    (root.path / "main.py").write_text("print(1)")
    run_python(root, ["main.py"])
    plain, sandboxed = [], []
    for _ in range(30):
        started = time.perf_counter()
        subprocess.run([sys.executable, "main.py"], cwd=root.path, capture_output=True, check=True)
        between = time.perf_counter()
        run_python(root, ["main.py"])
        plain.append(between - started)
        sandboxed.append(time.perf_counter() - between)
    ratio = statistics.median(sandboxed) / statistics.median(plain)
    with capsys.disabled():
        print(f"\n{levels.level().line}: print(1) takes {ratio:.2f} times as long as without a sandbox")
    assert ratio < 4  # a guard against an accident; the figure itself is for the report


AGENT = """
import sys, threading
from sandbox.running import launcher, levels, pretending
from sandbox.files.root import Root
from sandbox.running.process import run_python
with pretending.hidden(*sys.argv[2:]):
    with Root(sys.argv[1]) as root:
        print(launcher.supervisor().process, flush=True)
        run_python(root, ["main.py"], on_output=lambda data: print("running", flush=True))
"""
CODE = """
import os, time
try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(300)
except PermissionError:
    pass
print("up", flush=True)
time.sleep(300)
"""


@long
@pytest.mark.parametrize("hidden", [(), ("namespaces",)], ids=["as it is", "no namespaces"])
@pytest.mark.parametrize("victim", ["agent", "supervisor", "both"])
def test_when_the_agent_or_the_supervisor_is_killed_the_run_dies(
    root: Root, hidden: tuple[str, ...], victim: str
) -> None:
    (root.path / "main.py").write_text(CODE)
    before = set(Path(tempfile.gettempdir()).glob("glassbox-*"))
    command = [sys.executable, "-c", AGENT, str(root.path), *hidden]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as agent:
        supervisor = int(agent.stdout.readline())
        assert agent.stdout.readline() == "running\n"
        everything = below(agent.pid)
        assert len(everything) >= 3
        for process in {"agent": [agent.pid], "supervisor": [supervisor], "both": [supervisor, agent.pid]}[victim]:
            os.kill(process, signal.SIGKILL)
        killed = time.monotonic()
        assert until(lambda: not any(map(lives, everything))), [p for p in everything if lives(p)]
        assert time.monotonic() - killed < 5  # a second on a machine that does nothing else
    assert until(lambda: set(Path(tempfile.gettempdir()).glob("glassbox-*")) <= before)


ORPHAN = """
import os, sys
from sandbox.walls import namespaces
alive, parent_has_it = os.pipe()
forked, asked = os.fork, namespaces.prctl
def fork():
    child = forked()
    if child:
        print(child, flush=True)
        os._exit(0)
    os.close(parent_has_it)
    return child
def prctl(*arguments):
    os.read(alive, 1)  # the parent has gone: only now is its death asked for
    return asked(*arguments)
namespaces.enter()
os.fork, namespaces.prctl = fork, prctl
namespaces.start_first_process()
"""


def test_the_first_process_of_a_namespace_ends_when_its_parent_has_died_before_it_asked(root: Root) -> None:
    """It ignores SIGTERM, and nobody else would end it: short sessions left it behind."""
    if not launcher.supervisor().walls.namespaces:
        pytest.skip(f"there are no namespaces: {levels.level().line}")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", ORPHAN], env=environment, capture_output=True, text=True)
    assert until(lambda: not lives(int(done.stdout)), seconds=10)


@long
def test_short_sessions_leave_no_process(root: Root) -> None:
    """Each is ended at another moment of its start."""
    (root.path / "main.py").write_text("print(1)")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    left: set[int] = set()
    for number in range(40):
        with subprocess.Popen([sys.executable, "-c", AGENT, str(root.path)], env=environment, stdout=-1) as agent:
            agent.stdout.readline()
            threading.Event().wait(number / 400)
            everything = below(agent.pid)
            agent.kill()
            agent.wait()
            left |= everything
    assert until(lambda: not any(map(lives, left))), [process for process in left if lives(process)]


def test_when_the_supervisor_has_died_the_next_run_starts_another(root: Root) -> None:
    (root.path / "main.py").write_text("print(1)")
    with pretending.hidden():
        old = launcher.supervisor().process
        os.kill(old, signal.SIGKILL)
        assert until(lambda: not lives(old))
        assert run_python(root, ["main.py"]).stdout == "1\n"
        assert launcher.supervisor().process != old
        launcher.forget(launcher.supervisor())


class Slow:
    """The socket to a supervisor, of an agent that gets no processor until the run which it hands over has ended."""

    def __init__(self, supervisor: socket.socket) -> None:
        self.supervisor = supervisor

    def __getattr__(self, name: str) -> Any:
        return getattr(self.supervisor, name)

    def sendmsg(self, data: list[bytes], beside: list[tuple[int, int, Any]]) -> None:
        ended = select.poll()
        theirs = os.dup(beside[0][2][0])
        ended.register(theirs, 0)
        self.supervisor.sendmsg(data, beside)
        assert ended.poll(20_000) == [(theirs, select.POLLHUP)]
        os.close(theirs)


def test_a_run_that_ends_before_the_agent_goes_on_is_run_once(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    (root.path / "main.py").write_text("print(1)")
    current = launcher.supervisor()
    monkeypatch.setattr(current, "_socket", Slow(current._socket))
    assert run_python(root, ["main.py"]).stdout == "1\n"
    assert launcher.supervisor() is current


def test_a_run_in_a_forked_child_of_the_agent_has_a_supervisor_of_its_own(root: Root) -> None:
    (root.path / "main.py").write_text("print(1)")
    ours = launcher.supervisor().process
    program = (
        "import os, sys\nfrom sandbox.running import launcher\n"
        "from sandbox.files.root import Root\nfrom sandbox.running.process import run_python\n"
        f"root = Root({str(root.path)!r})\nmine = launcher.supervisor().process\n"
        "if os.fork() == 0:\n"
        "    assert run_python(root, ['main.py']).stdout == '1\\n'\n"
        "    assert launcher.supervisor().process != mine\n    os._exit(0)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    assert subprocess.run([sys.executable, "-c", program], env=environment).returncode == 0
    assert lives(ours)


def test_a_wall_that_does_not_stand_means_that_nothing_runs(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    (root.path / "main.py").write_text("open('ran', 'w')")
    with pretending.hidden():
        good = launcher.supervisor()
        monkeypatch.setattr(
            good, "launch", lambda job, *streams: type(good).launch(good, job | {"identity": [0, 0]}, *streams)
        )
        with pytest.raises(Refusal, match="nothing was run"):
            run_python(root, ["main.py"])
    assert not (root.path / "ran").exists()


def test_extra_directories_can_be_read_and_not_written(root: Root, tmp_path: Path) -> None:
    extra = tmp_path / "extra"
    extra.mkdir()
    (extra / "data").write_text("data")
    (root.path / "main.py").write_text(
        "import sys\nprint(open(sys.argv[1] + '/data').read())\nopen(sys.argv[1] + '/data', 'w')"
    )
    outcome = run_python(root, ["main.py", str(extra)], readable=[extra])
    assert outcome.stdout == "data\n"
    if levels.level().confined:
        assert outcome.exit_code == 1
        assert (extra / "data").read_text() == "data"


def test_a_very_long_argument_arrives_whole(root: Root) -> None:
    (root.path / "main.py").write_text("import sys; print(len(sys.argv[1]))")
    assert run_python(root, ["main.py", "é" * 45_000]).stdout == "45000\n"


@long
def test_two_children_work_for_a_while_and_stream(root: Root) -> None:
    """What the repairer needs: a search in child processes, streamed, beyond the default time."""
    if not levels.level().can_fork:
        pytest.skip(f"no fork at {levels.level().line}")
    (root.path / "main.py").write_text(
        "import json, subprocess, sys, time\n"
        "work = 'import time; end = time.monotonic() + 8\\nwhile time.monotonic() < end: pass'\n"
        "children = [subprocess.Popen([sys.executable, '-c', work]) for _ in range(2)]\n"
        "while any(child.poll() is None for child in children):\n"
        "    print(json.dumps({'alive': 2}), flush=True)\n    time.sleep(0.5)\n"
        "print([child.returncode for child in children])"
    )
    chunks: list[bytes] = []
    outcome = run_python(root, ["main.py"], limits=Limits(seconds=60), on_output=chunks.append)
    assert outcome.stdout.splitlines()[-1] == "[0, 0]", outcome
    assert len(chunks) > 5
    assert json.loads(chunks[0]) == {"alive": 2}
