"""A terminal as a person has it: tmux, which draws, wraps and resizes as terminals do, without any window."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

TMUX = shutil.which("tmux")
SECONDS = 60.0  # a hang guard
LOOK_SECONDS = 0.05  # between two looks at the screen: tmux tells nobody that it changed


class Pane:
    """One program in one pane of a tmux server of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def tmux(self, *arguments: str, text: str | None = None) -> str:
        command = [str(TMUX), "-S", str(self._folder / "socket"), "-f", os.devnull, *arguments]
        ran = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", timeout=SECONDS)
        assert ran.returncode == 0, (arguments, ran.stderr)
        return ran.stdout

    def start(self, command: Sequence[str], cwd: Path, columns: int, rows: int, **environment: str) -> None:
        """Start the program; what it writes is also kept as it is, for written()."""
        told = [f"{name}={value}" for name, value in environment.items()]
        program = shlex.join(["env", "-u", "NO_COLOR", "-u", "CI", *told, *command])
        # It waits for its recorder; and the pane stays when it ends, so that its last screen can be read.
        waits = f"{shlex.quote(str(TMUX))} wait-for recorded; {program}; echo [ended: $?]; cat"
        size = ["-x", str(columns), "-y", str(rows)]
        self.tmux("new-session", "-d", *size, "-c", str(cwd), waits)
        self.tmux("pipe-pane", f"cat > {shlex.quote(str(self._folder / 'written'))}")
        self.tmux("wait-for", "-S", "recorded")

    def written(self) -> str:
        return (self._folder / "written").read_text(encoding="utf-8", errors="replace")

    def lines(self, *, joined: bool = False) -> list[str]:
        """What stands on the screen and what was scrolled away. `joined`: lines that the terminal had to break, because
        they were wider than it is, are one."""
        text = self.tmux("capture-pane", "-p", "-S", "-", *(["-J"] if joined else []))
        return [line.rstrip() for line in text.rstrip("\n").split("\n")]

    def until(self, text: str, *, times: int = 1) -> None:
        """Wait until a text stands on the screen, wherever its lines are broken."""
        deadline = time.monotonic() + SECONDS
        while "".join("".join(self.lines()).split()).count("".join(text.split())) < times:
            assert time.monotonic() < deadline, f"never came: {text!r}\n" + "\n".join(self.lines())
            time.sleep(LOOK_SECONDS)

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names for them (Enter, C-d); anything else is typed."""
        self.tmux("send-keys", *keys)

    def paste(self, text: str) -> None:
        """Paste as a person does: marked, where the program asked for that."""
        self.tmux("load-buffer", "-", text=text)
        self.tmux("paste-buffer", "-p")

    def resize(self, columns: int, rows: int) -> None:
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))


@contextlib.contextmanager
def pane() -> Iterator[Pane]:
    # Not below pytest's folder: the path of a socket may have some hundred characters.
    with tempfile.TemporaryDirectory() as folder:
        opened = Pane(Path(folder))
        try:
            yield opened
        finally:
            with contextlib.suppress(AssertionError):  # it ends with its last program
                opened.tmux("kill-server")
