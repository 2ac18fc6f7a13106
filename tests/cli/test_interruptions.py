"""A run that writes and runs code, ended at random moments: no torn file, no process left, the record readable.

The record is a listener's, one JSON line an event; what records/trace.py writes is looked at beside it.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from warm_start import Started, WarmStart
from wire_run import FILES

from config import PROJECT
from offline.script import GEMINI, OPENAI, Call, Step, call
from offline.scripted import serving

HANG = 60.0
CONTENT = {n: f"import time\nNUMBER = {n}\ntime.sleep(0.05)\nprint(NUMBER)\n# {str(n) * 2_000}\n" for n in range(1, 4)}
# Forever: write a file, run it, in one message or in two, so that there is no end of its own to be confused with.
SCRIPT = [
    call(*calls)
    for n in (1, 2, 3) * 60
    for calls in (
        (Call("write_file", {"file_path": "work.py", "content": CONTENT[n]}),),
        (Call("run_python_file", {"file_path": "work.py"}), Call("get_dir_info", {})),
    )
]

RUNNER = f"""
import json, sys
sys.path.insert(0, {str(PROJECT)!r})
import cli.start as cli, agent.run as run
from cli.signals import over

lines = open(sys.argv[1], "a", buffering=1)

class Recorded(run.Run):
    def __init__(self, setup, listeners=()):
        def record(event):
            lines.write(json.dumps({{"kind": event.kind, "data": str(event)[:500]}}) + "\\n")
        super().__init__(setup, [*listeners, record])

run.Run = Recorded
sys.exit(over(cli.main(sys.argv[2:])))
"""


def start(
    wire: str, address: str, root: Path, record: Path, warm_start: WarmStart | None = None, program: str = RUNNER
) -> Started | subprocess.Popen[bytes]:
    provider = "gemini" if wire == GEMINI else "lmstudio"
    options = [str(record), "Go on.", "--provider", provider, "--workdir", str(root), "--max-iters", "0", "--json"]
    addresses = {"LMSTUDIO_BASE_URL": f"{address}/v1", "GEMINI_BASE_URL": address, "GEMINI_API_KEY": "x"}
    names = {**os.environ, **addresses, "MAX_REPEATS": "0", "RUNS_DIRECTORY": str(record.parent / "runs")}
    (main := record.parent / "main.py").write_text(program, encoding="utf-8")
    # Files, not pipes: nobody reads while the test waits.
    with (record.parent / "stdout").open("wb") as stdout, (record.parent / "stderr").open("wb") as stderr:
        if warm_start and warm_start.can(names):
            return warm_start.start(main, options, PROJECT, names, stdout, stderr)
        command = [sys.executable, str(main), *options]
        return subprocess.Popen(command, env=names, cwd=PROJECT, stdout=stdout, stderr=stderr)


def inside(directory: Path) -> list[str]:
    """The processes of this system that work in a directory, or have it in their command line."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            works_there = (process / "cwd").readlink().is_relative_to(directory)
            command = (process / "cmdline").read_bytes().decode("utf-8", "replace")
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:  # it ended while we looked
            continue
        if state not in "ZX" and (works_there or str(directory) in command):
            found.append(f"{process.name}: {command}")
    return found


def gone(directory: Path) -> list[str]:
    """Wait until no process is left in a directory; return those that stay."""
    deadline = time.monotonic() + 10
    while (left := inside(directory)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def end_at_a_random_moment(name: str, wire: str, seed: int, place: Path, warm_start: WarmStart | None) -> None:
    chance = random.Random(seed)
    root, record = place / "work", place / "record.jsonl"
    root.mkdir(parents=True)
    for path, text in FILES.items():
        (root / path).write_text(text)
    with serving(*SCRIPT) as server:
        process = start(wire, server.address, root, record, warm_start)
        server.wait_for_requests(chance.randint(1, 12))
        time.sleep(chance.random() * 0.15)
        process.send_signal(getattr(signal, name))
        process.wait(HANG)
    stdout, stderr = (place / "stdout").read_bytes(), (place / "stderr").read_bytes()
    assert b"Traceback" not in stderr, stderr.decode()
    if name == "SIGKILL":
        assert process.returncode == -signal.SIGKILL
    else:
        assert process.returncode == 130, stderr.decode()
        assert json.loads(stdout)["stop_reason"] == "interrupted"
    assert not gone(root)
    written = root / "work.py"
    assert not written.exists() or written.read_text() in CONTENT.values()
    strangers = {path.name for path in root.rglob("*")} - {*FILES, "work.py", "__pycache__"}
    assert not strangers or name == "SIGKILL"
    for trace in (place / "runs").glob("*/trace.jsonl"):
        kinds = [json.loads(line)["kind"] for line in trace.read_text().split("\n")[:-1]]
        assert name == "SIGKILL" or "finished" in kinds
    lines = record.read_text().split("\n")
    assert "started" in [json.loads(line)["kind"] for line in lines[:-1]]
    if name != "SIGKILL":
        assert json.loads(lines[-2])["kind"] == "finished"


@pytest.mark.sample(2)
@pytest.mark.parametrize("wire", [OPENAI, GEMINI])
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_a_run_that_is_ended_in_its_middle_leaves_nothing_half_done(
    name: str, wire: str, tmp_path: Path, warm_start: WarmStart | None
):
    end_at_a_random_moment(name, wire, 0, tmp_path, warm_start)


@pytest.mark.long
def test_a_hundred_random_moments_leave_nothing_half_done(tmp_path: Path, warm_start: WarmStart | None):
    names = ("SIGKILL", "SIGTERM", "SIGINT")
    for seed in range(1, 101):
        end_at_a_random_moment(names[seed % 3], (OPENAI, GEMINI)[seed % 2], seed, tmp_path / str(seed), warm_start)


@pytest.mark.parametrize("gap", [0.005, *(pytest.param(gap, marks=pytest.mark.long) for gap in (0.0, 0.05))])
def test_ctrl_c_again_and_again_is_no_traceback_and_loses_no_result(gap: float, tmp_path: Path):
    (tmp_path / "work").mkdir()
    with serving(call(Call("get_dir_info")), Step({}, ending="stall")) as server:
        process = start(OPENAI, server.address, tmp_path / "work", tmp_path / "record.jsonl")
        server.wait_for_requests(2)
        for _ in range(5):
            process.send_signal(signal.SIGINT)
            time.sleep(gap)
        process.wait(HANG)
    stderr = (tmp_path / "stderr").read_bytes()
    assert process.returncode in (130, -signal.SIGINT)
    assert b"Traceback" not in stderr, stderr.decode()
    assert json.loads((tmp_path / "stdout").read_bytes())["stop_reason"] == "interrupted"


@pytest.mark.skipif(sys.platform == "win32", reason="no signal can be sent there")
def test_ctrl_c_while_the_program_is_loaded_ends_it_without_a_traceback(tmp_path: Path):
    interrupted = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nraise SystemExit('it went on')\n"
    (tmp_path / "argparse.py").write_text(interrupted, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, str(PROJECT / "main.py"), "fix the bug"]
    ran = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG)
    assert (ran.returncode, ran.stdout, ran.stderr) == (-signal.SIGINT, b"", b"")


LOSES = f"""
import signal, sys
from pathlib import Path
sys.path.insert(0, {str(PROJECT)!r})
import cli.start as cli, agent.run as run
from cli.signals import over

class Finalized:
    def __del__(self):
        signal.raise_signal(getattr(signal, Path(sys.argv[1]).name))

class Unlucky(run.Run):
    def replied(self, reply):
        super().replied(reply)
        Finalized()

run.Run = Unlucky
sys.exit(over(cli.main(sys.argv[2:])))
"""


@pytest.mark.parametrize(("name", "wire"), [("SIGINT", OPENAI), ("SIGTERM", GEMINI)])
def test_a_signal_that_is_lost_in_a_finalizer_ends_the_run_before_its_next_request(
    name: str, wire: str, tmp_path: Path
):
    (tmp_path / "work").mkdir()
    with serving(call(Call("get_dir_info")), call(Call("get_dir_info", {"directory": "."}))) as server:
        process = start(wire, server.address, tmp_path / "work", tmp_path / name, program=LOSES)
        assert process.wait(HANG) == 130
        assert len(server.requests) == 1
    assert json.loads((tmp_path / "stdout").read_text())["stop_reason"] == "interrupted"
