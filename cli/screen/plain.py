"""A screen of plain lines: for pipes, for NO_COLOR, for terminals that can do no more."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import TextIO

NO_TERMINAL = 100  # columns, where there is no terminal to ask


class PlainScreen:
    """Writes lines, and streamed text as it comes. A status has no place here."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.width = shutil.get_terminal_size((NO_TERMINAL, 24)).columns if stream.isatty() else NO_TERMINAL
        self.utf8 = (getattr(stream, "encoding", "") or "").lower().replace("-", "").startswith("utf8")
        self._within_line = False

    def line(self, *parts: str | tuple[str, str]) -> None:
        self.end_text()
        self._write("".join(part if isinstance(part, str) else part[0] for part in parts) + "\n")

    def text(self, delta: str, style: str) -> None:
        if delta:
            self._write(delta)
            self._within_line = not delta.endswith("\n")

    def end_text(self) -> None:
        if self._within_line:
            self._write("\n")
        self._within_line = False

    def status(self, status: Callable[[], str] | None) -> None:
        """Nothing: a line that changes in place needs a terminal that can."""

    def pause(self) -> None:
        """Nothing is moving."""

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()
