"""A program of the person's that serves on a free port for as long as a run needs it."""

from __future__ import annotations

import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

START_SECONDS = 20.0
END_SECONDS = 3.0


class ServiceError(Exception):
    """The service did not start. The text says what it said last."""


@contextmanager
def serving(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Start a program, yield the address that it prints as its first line, end it afterwards. Raises ServiceError.

    Its standard input stays open until then: a program that ends with it also ends when this process is killed.
    """
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, cwd=folder, env=dict(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said
        )
        try:
            address = _first_line(process)
            if not address.startswith("http://"):
                said.seek(0)
                last = said.read()[-2000:].decode("utf-8", "replace").strip().splitlines()[-1:]
                raise ServiceError(f"{Path(command[-1]).name} did not start: {' '.join(last) or 'it said nothing'}")
            yield address
        finally:
            _end(process)


def _first_line(process: subprocess.Popen[bytes]) -> str:
    """What the program prints first, "" when it ends or takes too long. What it prints later is thrown away, so that
    it never waits for a reader."""
    lines: list[bytes] = []
    arrived = threading.Event()

    def read() -> None:
        with suppress(OSError, ValueError):
            lines.append(process.stdout.readline())
            arrived.set()
            while process.stdout.read(65_536):
                pass
        arrived.set()

    threading.Thread(target=read, daemon=True).start()
    arrived.wait(START_SECONDS)
    return b"".join(lines[:1]).decode("utf-8", "replace").strip()


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        process.stdin.close()
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
