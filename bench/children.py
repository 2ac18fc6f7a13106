"""Processes that the bench starts: each in a group of its own, killed whole when the time is up or on Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

_running: set[int] = set()


def run(
    command: Sequence[str], seconds: float, environment: Mapping[str, str], folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end and return what it printed. Raises TimeoutExpired when it takes too long."""
    with subprocess.Popen(
        command,
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        _running.add(process.pid)
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        finally:
            _kill(process.pid)
            _running.discard(process.pid)
    return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)


def kill_all() -> None:
    """End whatever still runs; those who wait for it see a process that was killed."""
    for group in list(_running):
        _kill(group)


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
