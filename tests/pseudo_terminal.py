"""main.py in a real pseudo-terminal, and what then stands on its screen."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from config import PROJECT

HANG = 120.0  # seconds
COMMAND = re.compile(r"\x1b\[([?>]?)([\d;]*)([A-Za-z])|\x1b[=>]")


def in_terminal(
    arguments: Sequence[str],
    *,
    columns: int = 80,
    says: Sequence[tuple[str, str | signal.Signals]] = (),
    cwd: Path = PROJECT,
    main: Path = PROJECT / "main.py",
    **environment: str,
) -> tuple[str, int]:
    """Start main.py with all three streams at one terminal. `says` are pairs of what to wait for on the screen and
    what to type, or which signal to send, then. Returns everything that was written, and the exit code."""
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES", "CI")}
    process = subprocess.Popen(
        [sys.executable, str(main), *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=cwd,
        env={**plain, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    written, waiting, looked = b"", list(says), 0
    deadline = time.monotonic() + HANG
    try:
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            written += data
            while waiting and (found := written.find(waiting[0][0].encode(), looked)) >= 0:
                looked = found + len(waiting[0][0].encode())
                said = waiting.pop(0)[1]
                os.write(ours, said.encode()) if isinstance(said, str) else process.send_signal(said)
    finally:
        os.close(ours)
        if process.poll() is None and time.monotonic() >= deadline:
            process.kill()
    assert not waiting, f"never came: {waiting[0][0]!r} in {written.decode(errors='replace')}"
    return written.decode("utf-8", "replace"), process.wait(HANG)


def screen(written: str, columns: int) -> list[str]:
    """The lines that stand on the screen in the end: what was erased or drawn over is gone."""
    lines: list[list[str]] = [[]]
    row = column = 0
    position = 0
    while position < len(written):
        command = COMMAND.match(written, position)
        if command:
            position = command.end()
            amount = int(command[2] or 1) if command[3] and (command[2] or "").isdigit() or not command[2] else 1
            if command[3] == "A":
                row = max(row - amount, 0)
            elif command[3] == "K":
                lines[row] = [] if command[2] == "2" else lines[row][:column]
            continue
        character = written[position]
        position += 1
        if character == "\n":
            row += 1
        elif character == "\r":
            column = 0
        elif character == "\b":
            column = max(column - 1, 0)
        elif character.isprintable():
            if column >= columns:
                row, column = row + 1, 0
            while len(lines) <= row:
                lines.append([])
            line = lines[row]
            line.extend(" " * (column + 1 - len(line)))
            line[column] = character
            column += 1
        while len(lines) <= row:
            lines.append([])
    return ["".join(line).rstrip() for line in lines]
