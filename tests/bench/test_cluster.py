"""Many runs on a cluster of Dask: a scheduler and three workers as processes of their own, some of which are killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_gateway import Provider, provider, settings  # noqa: F401 - a fixture
from test_many import HANG, assert_gone, batch, count_of, task, wait_for

from bench.many.gateway import gateway
from bench.many.pace import Pace
from bench.record import read
from config import PROJECT

pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as POSIX has it"),
]
SCHEDULER = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-jupyter")
WORKER = ("worker", "--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard")


class Machines:
    """A scheduler and its workers, as `docs/many-runs.md` has them started."""

    def __init__(self, place: Path, workers: int = 3) -> None:
        self.place, self.processes = place, []
        self.address = self._scheduler()
        self.workers = [self.start_worker() for _ in range(workers)]

    def _scheduler(self) -> str:
        file = self.place / "scheduler.json"
        self._start(*SCHEDULER, "--scheduler-file", str(file))
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))
        return json.loads(file.read_text())["address"]

    def start_worker(self, folder: Path = PROJECT) -> subprocess.Popen[bytes]:
        return self._start(*WORKER, self.address, "--local-directory", str(self.place), folder=folder)

    def _start(self, *arguments: str, folder: Path = PROJECT) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": f"{folder}:{Path(__file__).parent}:{Path(__file__).parents[1]}"}
        with (self.place / "said.txt").open("ab") as said:
            command = [sys.executable, "-m", "dask", *arguments]
            process = subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=said)
        self.processes.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait(HANG)


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    several = Machines(tmp_path)
    yield several
    several.close()


def coordinator(machines: Machines, path: Path, tasks: str) -> subprocess.Popen[bytes]:
    """A batch in a process of its own: it can be killed."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom test_many import batch, task\nfrom bench.many.cluster import Cluster\n"
        "import bench.many.batch\nbench.many.batch.MOST_LOST = 21\n"  # chance may kill one task three times
        f"batch({tasks}, Path(sys.argv[1]), Cluster(sys.argv[2], 0))\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{PROJECT}:{Path(__file__).parent}:{Path(__file__).parents[1]}"}
    command = [sys.executable, "-c", program, str(path), machines.address]
    return subprocess.Popen(command, cwd=PROJECT, env=environment, stderr=subprocess.PIPE)


def test_300_tasks_with_20_workers_and_2_coordinators_killed_give_300_records(machines: Machines, tmp_path: Path):
    path, chance, killed, coordinators = tmp_path / "record.jsonl", random.Random(1), 0, 0
    while True:
        with coordinator(machines, path, "[task(n, seconds=0.2) for n in range(300)]") as process:
            seen = count_of(path)
            while process.poll() is None:
                time.sleep(chance.uniform(0.2, 0.6))
                done = count_of(path)
                if coordinators < 2 and done >= 100 * (coordinators + 1):
                    process.kill()
                    coordinators += 1
                elif killed < 20 and done > seen + 5:
                    at = chance.randrange(3)
                    machines.workers[at].kill()
                    machines.workers[at] = machines.start_worker()
                    killed, seen = killed + 1, done
            said = process.stderr.read().decode() if process.stderr else ""
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, said
    lines = [line for line in read(path) if line["kind"] == "attempt"]
    again = sum("lost" in line for line in lines)
    print(f"{killed} workers and {coordinators} coordinators killed; {again} of 300 were done again")
    assert (killed, coordinators) == (20, 2)
    assert sorted(line["task"] for line in lines) == [f"task-{number:04}" for number in range(300)]
    assert all(line["outcome"] == "done" and line["value"] == int(line["task"][5:]) ** 2 for line in lines)


def test_ctrl_c_ends_in_seconds_what_the_workers_do_and_the_same_command_goes_on(machines: Machines, tmp_path: Path):
    path, told = tmp_path / "record.jsonl", tmp_path / "told"
    hanging = f"[task(1), task(2, 'hang', told={str(told)!r})]"
    with coordinator(machines, path, hanging) as process:
        wait_for(lambda: count_of(path) == 1 and told.exists() and told.read_text() != "")
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(HANG)
    print(f"ended {time.monotonic() - began:.1f} s after Ctrl-C")
    assert_gone(int(told.read_text()))
    with coordinator(machines, path, "[task(1), task(2)]") as process:
        assert process.wait(HANG) == 0
    assert count_of(path) == 2


def test_a_scheduler_that_dies_is_told_in_a_sentence_and_the_records_are_kept(machines: Machines, tmp_path: Path):
    path = tmp_path / "record.jsonl"
    with coordinator(machines, path, "[task(n, seconds=0.3) for n in range(60)]") as process:
        wait_for(lambda: count_of(path) >= 5)
        machines.processes[0].kill()
        process.wait(HANG)
        assert process.stderr
        said = process.stderr.read().decode()
    assert said.strip().endswith("OSError: the scheduler is gone; start it, and the same command goes on from here")
    assert "CommClosedError" not in said
    assert count_of(path) >= 5


def test_a_worker_that_is_frozen_is_given_up_and_its_task_done_elsewhere(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from bench.many import cluster

    monkeypatch.setattr(cluster, "GONE_SECONDS", 3)
    engine, path = cluster.Cluster(machines.address, 0), tmp_path / "record.jsonl"
    wait_for(lambda: (engine._looked, engine.slots())[1] == 3)
    machines.workers[0].send_signal(signal.SIGSTOP)
    lines = batch([task(number, seconds=0.3) for number in range(12)], path, engine)
    assert {line["outcome"] for line in lines} == {"done"}
    assert len(lines) == 12
    print([line["lost"] for line in lines if "lost" in line])
    machines.workers[0].send_signal(signal.SIGCONT)


@pytest.mark.parametrize("provider", [{"allowed": 60, "window": 10.0}], indirect=True)
def test_a_provider_of_60_requests_in_ten_seconds_is_never_asked_more_often_by_three_workers(
    machines: Machines,
    tmp_path: Path,
    provider: Provider,  # noqa: F811 - the fixture
):
    from bench.many.cluster import Cluster

    with gateway(settings(provider), "lmstudio", Pace(60, window=10.0), machines.address) as environment:
        tasks = [task(number, "ask", environment=environment) for number in range(90)]
        lines = batch(tasks, tmp_path / "record.jsonl", Cluster(machines.address, 0))
    answered = len({line["task"] for line in lines if line["solved"]})
    print(f"{len(provider.came)} requests of {answered} runs, {provider.most} in the busiest ten seconds")
    assert answered == 90
    assert provider.most <= 60
    assert provider.refused == 0


def test_a_worker_that_was_started_elsewhere_than_in_the_project_is_told_of(tmp_path: Path):
    from bench.many.cluster import Cluster

    machines = Machines(tmp_path, workers=0)
    try:
        machines.start_worker(tmp_path)
        with pytest.raises(OSError, match="start workers in this project's folder"):
            batch([task(1)], tmp_path / "record.jsonl", Cluster(machines.address, 0))
    finally:
        machines.close()


def test_a_cluster_of_this_machine_needs_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from bench.many.cluster import Cluster

    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parent}:{Path(__file__).parents[1]}")
    lines = batch([task(number) for number in range(6)], tmp_path / "record.jsonl", Cluster("local", 2))
    assert sorted(line["value"] for line in lines) == [0, 1, 4, 9, 16, 25]


def test_an_address_where_no_scheduler_is_says_how_to_start_one(closed_port: int, monkeypatch: pytest.MonkeyPatch):
    from bench.many import cluster

    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with pytest.raises(OSError, match="python -m dask scheduler"):
        cluster.Cluster(f"tcp://127.0.0.1:{closed_port}", 0)
