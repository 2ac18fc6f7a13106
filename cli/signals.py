"""The signals that end a run: Ctrl-C, a polite request to end, a terminal that is closed.

One can come while Python runs a finalizer, and what its handler raises is then printed and forgotten
(https://docs.python.org/3/reference/datamodel.html#object.__del__). So the run remembers it, ends before its next
request at the latest, and is stopped from another thread where it does not end by itself.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.run import Run

ENDS = ("SIGINT", "SIGTERM", "SIGHUP")
PATIENCE = 2.0  # seconds that a run may take to finish when it is told so again
UNWINDING = 0.5  # seconds until what was raised is taken for lost

to_end: list[int] = []  # the signals by which the program was asked to end, which Ctrl-C does not


def begin() -> None:
    """From here on Ctrl-C ends the program at once, until `heard`: while it is loaded there is nothing to close, and
    Python would print where it was."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def heard() -> None:
    """From here on Ctrl-C is a KeyboardInterrupt, unless whoever started the program has it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Treat a polite request to end (SIGTERM), and a terminal that is closed (SIGHUP, unless the program was started to
    outlive it), like Ctrl-C: tools are stopped, the run is closed."""

    def interrupt(number: int, _: object) -> None:
        to_end.append(number)
        raise KeyboardInterrupt

    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {each: signal.signal(each, interrupt) for each in ends if signal.getsignal(each) != signal.SIG_IGN}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextlib.contextmanager
def heeded(run: Run) -> Iterator[None]:
    """Let no signal be lost, in the block, that would end the run: one whose handler raises KeyboardInterrupt. Only the
    main thread has handlers. One that comes while the run finishes and its result is printed changes nothing, for a
    while: what comes of the run is not lost."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        numbers = (getattr(signal, name, None) for name in ENDS)
        handlers = {number: signal.getsignal(number) for number in numbers if number}
        before = {number: handler for number, handler in handlers.items() if callable(handler)}
    heeding, told_before = Heeding(run), sys.unraisablehook
    threading.Thread(target=heeding.watch, daemon=True).start()

    def tell(lost: sys.UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):  # which the run remembers
            told_before(lost)

    if before:  # of many runs in threads none hears a signal, and the last to end is not the last that began
        sys.unraisablehook = tell
    for number, handler in before.items():
        signal.signal(number, partial(heeding.heard, handler))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if before:
            sys.unraisablehook = told_before
        heeding.told.put(None)


class Heeding:
    """What is heard of signals while a run goes on. `told` gets what each raised, and None at the end: a handler may
    put something into such a queue whatever it interrupts (https://docs.python.org/3/library/queue.html)."""

    def __init__(self, run: Run) -> None:
        from queue import SimpleQueue

        self._run, self._finishing = run, 0.0
        self.told: SimpleQueue[type[BaseException] | None] = SimpleQueue()

    def heard(self, handler: Callable[..., object], *told: object) -> None:
        """Do what the handler did, unless the run is finishing anyhow."""
        if self._run.finishing:
            self._finishing = self._finishing or time.monotonic()
            if time.monotonic() - self._finishing < PATIENCE:
                return
        try:
            handler(*told)
        except KeyboardInterrupt as stop:
            self._run.remember(type(stop))
            self.told.put(type(stop))
            raise

    def watch(self) -> None:
        """Stop the run from another thread where what was raised did not: a request that is under way ends too."""
        from queue import Empty

        while why := self.told.get():
            with contextlib.suppress(Empty):
                if self.told.get(timeout=UNWINDING) is None:
                    return
            if not self._run.finishing:
                self._run.stop(why)


def over(code: int) -> int:
    """Return the exit code of the program. From here on Ctrl-C ends it at once, and Python prints no traceback of its
    own end."""
    begin()
    gc.freeze()  # what goes with the process is not looked through for garbage once more
    return code
