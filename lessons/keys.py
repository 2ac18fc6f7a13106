"""Commands of one key, without Enter, where the terminal allows it. What takes a word still ends with Enter."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType

from lessons.watching import Lines

AT_ONCE = "nhlctsvkdpfoq?xyz"
TOGETHER = 0.05  # seconds within which what was typed or pasted belongs together
HABIT = 0.6  # seconds in which an Enter after a key is only the habit of it
ERASE, END = b"\x7f\b", b"\x04"


def typed(one_key: bool) -> Lines:
    """The lines of this terminal; by single keys where that is wanted and can be."""
    if one_key:
        with contextlib.suppress(ImportError, OSError):  # Windows; a terminal that is none
            return Keys()
    return Lines()


class Keys(Lines):
    """Lines, and single keys as lines. The terminal is as it was once the block ends, however it ends."""

    one_key = True

    def __init__(self) -> None:
        import termios

        super().__init__()
        self._termios, self._before = termios, termios.tcgetattr(0)
        self._last_key = 0.0
        self._lines: list[str] = []

    def __enter__(self) -> Keys:
        # A polite request to end is like Ctrl-C: the terminal must not be left as this program needs it.
        self._handlers = {signal.SIGTERM: signal.signal(signal.SIGTERM, signal.default_int_handler)}
        try:
            self._handlers[signal.SIGCONT] = signal.signal(signal.SIGCONT, self._again)
            self._take()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._give_back()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        self._give_back()
        try:
            yield
        finally:
            self._take()

    def next(self, seconds: float) -> str | None:
        """A key that stands for a command, or a line that was ended with Enter; None when none came in time."""
        if self._lines:
            return self._lines.pop(0)
        if not select.select([0], [], [], seconds)[0]:
            return None
        data = self._read()
        if not data or (data == END and not self._bytes):
            self.ended = True
            return None
        if data == b"\n" and not self._bytes and time.monotonic() - self._last_key < HABIT:
            self._last_key = 0.0
            return None
        if len(data) == 1 and not self._bytes and data.decode("ascii", "replace") in AT_ONCE:
            self._echo(data + b"\n")
            self._last_key = time.monotonic()
            return data.decode("ascii")
        self._take_in(data)
        return self._lines.pop(0) if self._lines else None

    def _read(self) -> bytes:
        """What was typed, pasted or sent together; nothing when the terminal is gone."""
        data = b""
        with contextlib.suppress(OSError):
            while not data or (b"\n" not in data and select.select([0], [], [], TOGETHER)[0]):
                more = os.read(0, 4096)
                if not more:
                    break
                data += more
        return data

    def _take_in(self, data: bytes) -> None:
        """Collect a line, as a terminal would: with what is typed shown, and taken back by the erasing keys."""
        for number in range(len(data)):
            byte = data[number : number + 1]
            if byte in (b"\n", b"\r"):
                self._lines.append(self._bytes.decode("utf-8", "replace").strip())
                self._bytes = b""
                self._echo(b"\n")
            elif byte in ERASE and self._bytes:
                self._bytes = self._bytes.decode("utf-8", "replace")[:-1].encode()
                self._echo(b"\b \b")
            elif byte >= b" " and byte not in ERASE:
                self._bytes += byte
                self._echo(byte)

    def _echo(self, data: bytes) -> None:
        sys.stdout.flush()
        os.write(1, data)

    def _again(self, _number: int, _frame: FrameType | None) -> None:
        self._take()

    def _take(self) -> None:
        attributes = self._termios.tcgetattr(0)
        attributes[3] &= ~(self._termios.ICANON | self._termios.ECHO)
        self._termios.tcsetattr(0, self._termios.TCSADRAIN, attributes)

    def _give_back(self) -> None:
        with contextlib.suppress(self._termios.error):  # the terminal may be gone
            self._termios.tcsetattr(0, self._termios.TCSADRAIN, self._before)
