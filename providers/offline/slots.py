"""A slot: a private copy of the project and a fork server in it, which runs the tests for one candidate at a time.

This is the searching process's end; `server_loop` in forkserver.py is the other.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import IO, Any

from .forkserver import serve_slot
from .project import Project
from .watches import Facts


class Slot:
    """Send a job, wait until `fileno` is readable (or not), receive the answer."""

    def __init__(self, project: Project, folder: Path, facts: Facts | None = None) -> None:
        self.project = project
        self.folder = folder
        self.facts = facts or Facts()
        self.busy_with: Any = None  # for the user of the slot: what was sent and not yet received
        self._start()

    def fileno(self) -> int:
        """For select."""
        return self._answers.fileno()

    def send(self, job: dict[str, Any]) -> None:
        """Give the server one job: {"kind": "trace" | "judge", "texts": changed files, ...}."""
        try:
            self._jobs.write(json.dumps(job) + "\n")
            self._jobs.flush()
        except BrokenPipeError:
            pass  # the answer will be empty

    def receive(self) -> list[dict[str, Any]]:
        """The records that the child reported. Empty when it died first; a server that died is started anew."""
        line = self._answers.readline()
        if line.endswith("\n"):
            return json.loads(line)
        self.close()
        self._start()
        return []

    def restart(self, facts: Facts) -> None:
        """Begin again with what the first run taught."""
        self.close()
        self.facts = facts
        self._start()

    def close(self) -> None:
        """End the server."""
        with contextlib.suppress(OSError):
            self._jobs.close()
        self._answers.close()
        with contextlib.suppress(OSError):
            os.kill(self._process, signal.SIGTERM)
            os.waitpid(self._process, 0)

    def _start(self) -> None:
        jobs_out, jobs_in = os.pipe()
        answers_out, answers_in = os.pipe()
        sys.stdout.flush()
        self._process = os.fork()
        if self._process == 0:
            serve_slot(self.project, self.folder, self.facts, jobs_out, answers_in)
        os.close(jobs_out)
        os.close(answers_in)
        self._jobs: IO[str] = os.fdopen(jobs_in, "w")
        self._answers: IO[str] = os.fdopen(answers_out, "r")
