"""Tasks on this machine: so many threads, each with a process of its own that does the work."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor

from bench.many.host import run_here, stop_here
from bench.record import Line


class Local:
    """An engine that needs nothing installed."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = ThreadPoolExecutor(workers)

    def __enter__(self) -> Local:
        return self

    def __exit__(self, *_: object) -> None:
        stop_here()
        self._pool.shutdown()

    def slots(self) -> int:
        return self._workers

    def submit(self, task: Line, lost_by: Iterable[str]) -> Future[Line]:
        return self._pool.submit(run_here, {**task, "batch": "local"})

    def outcome(self, future: Future[Line]) -> Line:
        return future.result()

    def refused(self, by: str) -> bool:
        return False  # this machine has one wall

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        stop_here()
