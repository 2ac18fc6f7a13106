"""Standard error that outlasts its reader: when nobody reads any more, the run goes on, and its answer is given."""

from __future__ import annotations

import contextlib
import os
from typing import Any, TextIO


def lasting(stream: TextIO | None) -> Any:
    """The stream, such that writing to it never fails because nobody reads. None, which Python has for one that was
    closed before the start, becomes the null device: the number 2 must not go to a file that is opened later."""
    if stream is None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        if null != 2:
            os.close(null)
        return open(2, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - a descriptor, which stays open
    return Lasting(stream)


class Lasting:
    """A text stream whose writing never fails because the other end was closed; everything else is the stream's."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with self._whoever_listens():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._whoever_listens():
            self._stream.flush()

    @contextlib.contextmanager
    def _whoever_listens(self) -> Any:
        try:
            yield
        except BrokenPipeError:
            leave(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def leave(stream: TextIO) -> None:
    """Write the rest to nowhere, also what Python itself flushes at the end."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
