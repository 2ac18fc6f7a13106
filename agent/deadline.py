"""A limit on time that stops what is under way: a request, a pause, a tool."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

from agent.run import Run


class TimeUp(KeyboardInterrupt):
    """The person's time is over. It ends a run as Ctrl-C does: at once, with what there is, everything closed."""


@contextlib.contextmanager
def at_most(seconds: float, run: Run) -> Iterator[None]:
    """Raise TimeUp in the block when the time is up and the run is not over. 0 is no limit.

    A signal alone interrupts a system call that waits (signal(7), setitimer(2)), and only the main thread hears one:
    elsewhere, and on Windows, the run is stopped from another thread.
    """
    if not seconds:
        yield
        return

    def stop() -> None:
        if not run.over:
            run.stop(TimeUp)

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        timer = threading.Timer(max(0.0, seconds - run.seconds), stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
        return

    def end(*_: object) -> None:
        if not run.over:
            run.remember(TimeUp)  # what is raised while a finalizer runs is lost
            raise TimeUp

    before = signal.signal(signal.SIGALRM, end)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(0.001, seconds - run.seconds))  # which may be over at once
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
