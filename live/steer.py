"""A person at the page: pause, go on, one step, stop, a line to the model, and the answer to what a run asks.

To the run it is a hook that waits before a request and before a call, and lines that were typed. Only the run's own
thread ever waits, and the terminal can always let it go on.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from agent.contracts import ToolCall
from agent.events import Event, Finished
from agent.run import Run
from agent.setup import Hook

GONE_SECONDS = 3.0  # without a page, until the terminal is told
ALONE_SECONDS = 20.0  # without a page and without a terminal, until the run waits no more
LOOK_SECONDS = 0.5
GONE = "\0"  # nobody is left
LONGEST_WORD = 20_000  # characters of what a person says to the model

Typed = Callable[[Any, float], str | None]  # waits for a line at the terminal or for a socket; see cli/typed.py


def nobody_types(woken: Any, seconds: float) -> str | None:
    """Without a terminal."""
    select.select([woken], [], [], seconds)
    return None


class Steering(Hook):
    """`tell` says a line at the terminal; `typed` waits for one; `pages` tells how many are open. `changed` is called
    whenever the pages have something new to show."""

    def __init__(
        self,
        tell: Callable[[str], None],
        pages: Callable[[], int],
        typed: Typed = nobody_types,
        *,
        step: bool = False,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._tell, self._pages, self._typed, self._changed = tell, pages, typed, changed
        self._pause = step
        self._waits = ""  # before what
        self._question: dict[str, Any] | None = None
        self._answer: str | None = None
        self._said: list[str] = []
        self._over = True
        self._lock = threading.Lock()
        self._woken, self._waking = socket.socketpair()
        for end in (self._woken, self._waking):
            end.setblocking(False)

    def take(self, run: Run) -> None:
        """Steer this run from now on. What the one before did not read any more has been given back."""
        self._over = False
        self._said.clear()
        run.listen(self._hear)

    def state(self) -> dict[str, Any]:
        """What the pages show."""
        with self._lock:
            unread = {"unread": list(self._said)} if self._over and self._said else {}
            told = {"paused": self._pause, "waits": self._waits, "question": self._question, "over": self._over}
            return {**told, **unread}

    # ------------------------------------------------------------ the page's side

    def act(self, what: Mapping[str, Any]) -> str:
        """Do what a page asks; return "" or why not."""
        do, text = what.get("do"), what.get("text", "")
        if not isinstance(text, str) or len(text) > LONGEST_WORD:
            return f"a text of at most {LONGEST_WORD:,} characters is needed"
        with self._lock:
            if self._over:
                return "" if do == "stop" else "the run is over"
            if do == "stop":
                os.kill(os.getpid(), signal.SIGINT)  # as Ctrl-C at the terminal
            elif do == "say" and text.strip():
                self._said.append(text.strip())
            elif do == "answer" and self._question and what.get("number") == self._question["number"]:
                self._answer = text.strip() or str(what.get("answer", "no"))
            elif do in ("pause", "go", "step"):
                self._pause = do != "go"
                self._waits = self._waits if do == "pause" else ""
            else:
                return "this cannot be done now"
        with contextlib.suppress(BlockingIOError):  # it is awake
            self._waking.send(b".")
        self._changed()
        return ""

    # ------------------------------------------------------------ the run's side

    def before_request(self, run: Run) -> None:
        if not (run.known and run.known.knows_next(run)):
            self.wait(f"request {run.turns + 1}")

    def before_call(self, call: ToolCall, run: Run) -> None:
        if not (run.known and run.known.knows(call)):
            self.wait(f"the call {named(call)}")

    def said(self) -> list[str]:
        """What was typed at a page since this was asked last."""
        lines, self._said = self._said, []
        return lines

    def wait(self, what: str) -> None:
        """Wait here while the person wants a pause."""
        if not self._pause:
            return
        self._waits = what
        self._changed()
        self._tell(f"Paused before {what}. Go on at the page, or press Enter here, after a line to the model or none.")
        for line in self._lines():
            if line is not None:  # Enter at the terminal, or nobody is left who could say it
                self._pause = False
            if line and line != GONE:
                self._said.append(line)
            if line is not None or not self._waits:
                break
        self._waits = ""
        self._changed()

    def ask(self, question: Mapping[str, Any]) -> str | None:
        """Ask at the page and at the terminal; return the first answer, None when there is nobody left to give one."""
        self._answer = None
        self._question = {**question, "number": str(time.monotonic_ns())}
        self._changed()
        try:
            for line in self._lines():
                if self._answer is not None:
                    return self._answer
                if line is not None:
                    return None if line == GONE else line
        finally:
            self._question = None
            self._changed()
        return None

    def _lines(self) -> Iterator[str | None]:
        """Yield each line of the terminal, and None now and then and whenever a page has done something; GONE, once no
        page is left and there is no terminal."""
        gone_since, told = time.monotonic(), False
        while True:
            line = self._typed(self._woken, LOOK_SECONDS)
            self._drain()
            if self._pages():
                gone_since, told = time.monotonic(), False
            elif not told and time.monotonic() - gone_since > self._patience:
                told = True
                if self._typed is nobody_types:
                    self._tell("The run waited for a page, and none is open.")
                    yield GONE
                self._tell("The run waits, and no page is open: answer here, or open the page again.")
            yield line

    @property
    def _patience(self) -> float:
        return ALONE_SECONDS if self._typed is nobody_types else GONE_SECONDS

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._woken.recv(4096)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Finished):
            with self._lock:
                self._over, self._pause = True, False
                unread = list(self._said)
            for line in unread:
                self._tell(f"The run was over before the model read this: {line}")
        self._changed()


def named(call: ToolCall) -> str:
    """A call in a few words: its name and its first argument."""
    arguments = call.readable
    first = next(iter(arguments.values()), "") if isinstance(arguments, dict) else arguments
    return " ".join(f"{call.name} {first}".split())[:80]
