"""The wire matrix: what real servers and models do, through the real SDKs, on every wire where it can occur.

tests/wire_cases.py is the table. What needs a process of its own (signals, a port where nothing answers) stands here.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from wire_cases import CASES, ROWS, Case
from wire_run import run_against, run_script

import main
from agent import retries
from config import PROJECT
from offline.script import GEMINI, OPENAI, Call, Step, call, say
from offline.scripted import serving
from providers import gemini

COUNT = "n = int(open('count.txt').read()) if __import__('os').path.exists('count.txt') else 0\n" \
        "open('count.txt', 'w').write(str(n + 1))\nprint(n + 1)\n"  # fmt: skip
HANG = 60


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that nobody asked for are short here; what a server asks for is not touched."""
    monkeypatch.setattr(retries, "FIRST_WAIT", 0.01)
    for loop in (main, gemini):
        monkeypatch.setattr(loop, "STALLED_SECONDS", 0.7)


PARAMETERS = [
    pytest.param(case, wire, id=f"{case.row:02}-{case.behaviour.replace(' ', '-')}-{wire}")
    for case in CASES
    for wire in case.wires
]


@pytest.mark.parametrize(("case", "wire"), PARAMETERS)
def test_row(case: Case, wire: str, tmp_path: Path):
    root = tmp_path / "work"
    root.mkdir()
    (root / "count.py").write_text(COUNT)
    seen = run_script(case.script, wire, root, case.native, **case.settings)
    assert seen.result.stop_reason == case.stop, seen.told
    if case.answer is not None:
        assert seen.result.answer == case.answer
    if case.results is not None:
        assert len(seen.outputs) == len(case.results), seen.outputs
        for output, part in zip(seen.outputs, case.results, strict=True):
            assert part in output
    if case.requests is not None:
        assert len(seen.requests) == case.requests
    for part in case.told:
        assert part in seen.told
    checked = case.check(seen)
    assert all(each is not False for each in (checked if isinstance(checked, tuple) else (checked,)))


def test_every_row_of_the_matrix_is_in_the_table_or_here():
    rows = {case.row for case in CASES} | {11, 18}
    assert rows == set(ROWS)
    names = [(case.row, case.behaviour, wire) for case in CASES for wire in case.wires]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("wire", [OPENAI, GEMINI])
def test_row_11_nothing_listening_is_one_line_with_the_next_step_at_once(wire: str, tmp_path: Path, closed_port: int):
    with serving(say("Done.")) as server:
        address = server.address
    settings = {"lmstudio_base_url": f"{address}/v1", "gemini_base_url": address}
    with serving(say("unused")) as unused:
        seen = run_against(unused, wire, tmp_path / "work", **settings)
    assert (seen.result.stop_reason, seen.exit_code) == ("provider_error", 2)
    assert "Nothing answers at" in seen.told
    assert "--provider offline" in seen.told
    assert seen.result.seconds < 20  # a hang guard: no retry, no wait
    assert not seen.requests


def command(wire: str, address: str, root: Path) -> list[str]:
    provider = "lmstudio" if wire == OPENAI else "gemini"
    return [
        sys.executable,
        str(PROJECT / "main.py"),
        "Do it.",
        "--json",
        "--provider",
        provider,
        "--workdir",
        str(root),
    ]


def start(wire: str, address: str, root: Path) -> subprocess.Popen[str]:
    import os

    addresses = {"LMSTUDIO_BASE_URL": f"{address}/v1", "GEMINI_BASE_URL": address, "GEMINI_API_KEY": "x"}
    return subprocess.Popen(
        command(wire, address, root),
        env={**os.environ, **addresses},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        cwd=PROJECT,
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize("wire", [OPENAI, GEMINI])
@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_row_18_a_signal_while_the_model_is_silent_ends_the_run_at_once(signal_name: str, wire: str, tmp_path: Path):
    with serving(call(Call("get_dir_info")), Step({}, ending="stall")) as server:
        process = start(wire, server.address, tmp_path)
        server.wait_for_requests(2)
        process.send_signal(getattr(signal, signal_name))
        stdout, stderr = process.communicate(timeout=HANG)
    assert process.returncode == 130, stderr
    result = json.loads(stdout)
    assert result["stop_reason"] == "interrupted"
    assert result["tool_calls"][0]["status"] == "completed"
    assert "Traceback" not in stderr


@pytest.mark.sample(2)
@pytest.mark.parametrize("wire", [OPENAI, GEMINI])
@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM"])
def test_row_18_a_signal_inside_a_tool_ends_the_tool_and_the_run(signal_name: str, wire: str, tmp_path: Path):
    (tmp_path / "endless.py").write_text("open('started', 'w').close()\nwhile True: __import__('time').sleep(1)\n")
    with serving(call(Call("run_python_file", {"file_path": "endless.py"})), say("Done.")) as server:
        process = start(wire, server.address, tmp_path)
        wait_for(tmp_path / "started", process)
        process.send_signal(getattr(signal, signal_name))
        stdout, stderr = process.communicate(timeout=HANG)
    assert process.returncode == 130, stderr
    assert json.loads(stdout)["stop_reason"] == "interrupted"
    assert len(server.requests) == 1
    assert "Traceback" not in stderr
    assert not [p for p in Path("/proc").glob("[0-9]*/cwd") if leads_to(p, tmp_path)]


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    import time

    for _ in range(HANG * 100):
        if path.exists():
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    pytest.fail(f"{path.name} was never made")


def leads_to(link: Path, directory: Path) -> bool:
    try:
        return link.readlink() == directory
    except OSError:
        return False


@pytest.mark.parametrize("wire", [OPENAI, GEMINI])
def test_the_seed_goes_over_the_wire_only_where_one_is_set(wire: str, tmp_path: Path):
    seeds = []
    for seed in (None, 0, 7):
        with serving(say("Done.")) as server:
            request = run_against(server, wire, tmp_path / "work", llm_seed=seed).requests[0]
        seeds.append((request if wire == OPENAI else request.get("generationConfig", {})).get("seed"))
    assert seeds == [None, 0, 7]
