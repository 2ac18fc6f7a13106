"""What the person types while the agent works: whole lines, for the agent after its current calls.

None of it answers a question that was asked later: what lies there when a question comes is put by, and half a line is
dropped.
"""

from __future__ import annotations

import os
import select
import sys


class Typed:
    """Called, it returns the lines that came since it was called last, without waiting for one."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def __call__(self) -> list[str]:
        self.put_by()
        lines, self._lines = self._lines, []
        return lines

    def put_by(self) -> None:
        """Take what lies there, for the next call."""
        if os.name == "nt" or not sys.stdin.isatty():
            return
        # Past Python's buffer, which would take several lines and then seem empty to select().
        while select.select([sys.stdin.fileno()], [], [], 0)[0]:
            data = os.read(sys.stdin.fileno(), 4096).decode("utf-8", "replace").strip()
            if not data:
                break
            self._lines.append(data)

    def before_a_question(self) -> None:
        """Nothing that was typed until now is an answer."""
        self.put_by()
        if os.name == "nt":
            import msvcrt

            while msvcrt.kbhit():
                msvcrt.getwch()
            return
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
