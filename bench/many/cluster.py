"""Tasks on a cluster: Dask's scheduler gives them to its workers, wherever those are, and sees when one is gone. Each
worker does them in a process of its own, as on one machine, so that what hangs can be killed.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from typing import Any

from bench.many.host import stop_here
from bench.record import Line
from config import need

CONNECT_SECONDS = 15
RESULT_SECONDS = 30  # to fetch a record that a worker has
GONE_SECONDS = 30  # a worker that was not heard of for so long is taken for dead
STOP_SECONDS = 3.0  # for the workers to end what runs, on Ctrl-C
DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"  # Ctrl-C is the command's, not its workers'
GONE = "the scheduler is gone; start it, and the same command goes on from here"
LOOK_SECONDS = 1.0  # between two questions to the scheduler who its workers are


class Cluster:
    """An engine on Dask distributed. `address` is the scheduler's, or "local" for a cluster of `workers` processes that
    lives as long as the batch. Raises ConfigError without the extra, OSError when no scheduler answers."""

    def __init__(self, address: str, workers: int) -> None:
        need("distributed", extra="cluster")
        from distributed import Client, LocalCluster

        for name in [each for each in logging.root.manager.loggerDict if each.startswith("distributed")]:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what matters is in the records
        self._batch, self._running, self._work = uuid.uuid4().hex, set[Any](), for_workers()
        self._unfit: set[str] = set()
        self._known, self._looked = {}, 0.0
        self._cluster: Any = None
        if address == "local":
            quiet = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL, "preload": [DEAF]}
            self._cluster = LocalCluster(n_workers=workers, threads_per_worker=1, **quiet)
        try:
            direct = self._cluster is not None  # elsewhere the workers' own addresses may not be reached from here
            told = {"timeout": CONNECT_SECONDS, "set_as_default": False, "direct_to_workers": direct}
            self._client = Client(self._cluster or address, **told)
        except (OSError, ValueError) as error:
            raise OSError(f"no scheduler answers at {address}. Start one: python -m dask scheduler ({error})") from None
        seconds = GONE_SECONDS

        def count_here(dask_scheduler: Any) -> None:
            """The batch counts how often a task was lost, and decides; the scheduler tells at once."""
            dask_scheduler.allowed_failures = 0
            dask_scheduler.worker_ttl = seconds
            looks = dask_scheduler.periodic_callbacks.get("worker-ttl")
            if looks:  # it was started with the time that held before
                looks.stop()
                looks.callback_time = 1000 * seconds
                looks.start()

        self._client.run_on_scheduler(count_here)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self._client, self._cluster):
            with contextlib.suppress(Exception):  # who is gone already needs no goodbye
                each.close(timeout=STOP_SECONDS)

    def slots(self) -> int:
        return sum(count for worker, count in self._workers().items() if worker not in self._unfit)

    def submit(self, task: Line, lost_by: Iterable[str]) -> Any:
        where: dict[str, Any] = {}
        known, lost = set(self._workers()), set(lost_by)
        if known & self._unfit:
            where = {"workers": [*(known - self._unfit)], "allow_other_workers": False}
        elif known & lost and known - lost:
            where = {"workers": [*(known - lost)], "allow_other_workers": True}
        key = f"glassbox-{uuid.uuid4().hex}"
        future = self._client.submit(self._work, {**task, "batch": self._batch}, key=key, pure=False, **where)
        self._running.add(future)
        return future

    def outcome(self, future: Any) -> Line:
        from distributed import CancelledError, KilledWorker
        from distributed import TimeoutError as TooLate

        self._running.discard(future)
        try:
            return future.result(timeout=RESULT_SECONDS)
        except KilledWorker as error:
            worker = getattr(error.last_worker, "address", "")
            return {"lost": f"its worker {worker} died, or was not heard of any more", "by": worker}
        except (TooLate, OSError) as error:
            return {"lost": f"its worker had a record that could not be fetched ({type(error).__name__})"}
        except CancelledError:
            raise OSError(GONE) from None
        except ImportError as error:
            advice = "start workers in this project's folder, with the same commit and extras as here"
            raise OSError(f"a worker cannot do this ({error}): {advice}") from None

    def refused(self, by: str) -> bool:
        self._unfit.add(by)
        return self.slots() > 0

    def stop(self) -> None:
        def end() -> None:
            with contextlib.suppress(Exception):
                self._client.cancel(list(self._running), force=True)
                self._client.run(stop_here, self._batch, on_error="ignore")

        ending = threading.Thread(target=end, daemon=True)
        ending.start()
        ending.join(STOP_SECONDS)

    def _workers(self) -> dict[str, int]:
        """How many threads each worker has that the scheduler knows now."""
        now = time.monotonic()
        if now - self._looked > LOOK_SECONDS:
            try:
                self._known, self._looked = dict(self._client.nthreads()), now
            except OSError:
                raise OSError(GONE) from None
        return self._known


def for_workers() -> Callable[[Line], Line]:
    """What a worker does with a task. A function within another goes over as it is: where this program cannot be
    imported, that comes back as the task's failure, and does not end the worker."""

    def on_worker(task: Line) -> Line:
        from distributed import get_worker

        from bench.many.host import run_here

        return {**run_here(task), "by": get_worker().address}

    return on_worker
