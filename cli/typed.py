"""What the person types while the agent works: whole lines, for the agent after its current calls.

None of it answers a question that was asked later: what lies there when a question comes is put by, and half a line is
dropped.
"""

from __future__ import annotations

import os
import select
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

HEED = 0.5  # seconds at the most until Ctrl-C at a question is heeded


def at_a_terminal() -> bool:
    """Whether there is somebody who sees what is asked and can type an answer while we wait for something else, too."""
    return os.name != "nt" and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def awaited_line() -> str:
    """Wait for a line at the terminal, and return it.

    A signal that comes as a read begins does not end it, and Python runs its handler when the read is over
    (https://docs.python.org/3/library/signal.html#execution-of-python-signal-handlers): so nothing is read before
    something is there.
    """
    while os.name != "nt" and not select.select([sys.stdin.fileno()], [], [], HEED)[0]:
        pass
    return sys.stdin.readline().strip()


class Typed:
    """Called, it returns the lines that came since it was called last, without waiting for one. `ended` says whether
    the person typed Ctrl-D among them: a prompt that is begun later would never see it (readline takes what lies there
    for another key)."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self.ended = False

    def __call__(self) -> list[str]:
        self.put_by()
        lines, self._lines = self._lines, []
        return lines

    def wait(self, beside: socket.socket, seconds: float) -> str | None:
        """Wait for a line, or until something comes at a socket; return the line, None where none came."""
        ready = select.select([beside, sys.stdin.fileno()], [], [], seconds)[0]
        return (
            None
            if sys.stdin.fileno() not in ready
            else os.read(sys.stdin.fileno(), 4096).decode("utf-8", "replace").strip()
        )

    def put_by(self) -> None:
        """Take what lies there, for the next call."""
        if os.name == "nt" or not sys.stdin.isatty():
            return
        # Past Python's buffer, which would take several lines and then seem empty to select().
        while select.select([sys.stdin.fileno()], [], [], 0)[0]:
            data = os.read(sys.stdin.fileno(), 4096)
            if not data:
                self.ended = True
                break
            if line := data.decode("utf-8", "replace").strip():
                self._lines.append(line)

    def before_a_question(self) -> None:
        """Nothing that was typed until now is an answer."""
        self.put_by()
        if sys.platform == "win32":
            import msvcrt

            while msvcrt.kbhit():
                msvcrt.getwch()
            return
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
