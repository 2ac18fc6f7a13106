"""The signals that end a run: Ctrl-C, a polite request to end, a terminal that is closed.

One can come while Python runs a finalizer, and what its handler raises is then printed and forgotten
(https://docs.python.org/3/reference/datamodel.html#object.__del__). So the run remembers it, and ends before its next
request at the latest.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.run import Run

ENDS = ("SIGINT", "SIGTERM", "SIGHUP")


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Treat a polite request to end (SIGTERM), and a terminal that is closed (SIGHUP, unless the program was started to
    outlive it), like Ctrl-C: tools are stopped, the run is closed."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {each: signal.signal(each, interrupt) for each in ends if signal.getsignal(each) != signal.SIG_IGN}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextlib.contextmanager
def stops_remembered(run: Run) -> Iterator[None]:
    """Let the run remember, in the block, each signal that would end it: one whose handler raises KeyboardInterrupt.
    Handlers do what they did; only the main thread has any."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        numbers = (getattr(signal, name, None) for name in ENDS)
        handlers = {number: signal.getsignal(number) for number in numbers if number}
        before = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number, handler in before.items():
        signal.signal(number, remembering(handler, run))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def remembering(handler: Callable[..., object], run: Run) -> Callable[..., None]:
    """The handler, of whose KeyboardInterrupt the run hears."""

    def heard(*told: object) -> None:
        try:
            handler(*told)
        except KeyboardInterrupt as stop:
            run.remember(type(stop))
            raise

    return heard
