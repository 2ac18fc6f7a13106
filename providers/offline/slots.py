"""A slot: a private copy of the project and two fork servers in it, which run the tests for one candidate at a time.

The quick server has everything imported and patches a candidate's functions; the thorough one imports everything anew.
What the quick one cannot patch, or says passes, goes to the thorough one as well.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import IO, Any

from .folder import Folder
from .forkserver import run_server
from .project import Project
from .watches import Facts

MOST_RESTARTS = 5  # of the quick server; a program that keeps ending it is left to the thorough one


class Slot:
    """Send a job, wait until `fileno` is readable, receive the answer (or None: not finished yet)."""

    def __init__(self, project: Project, place: Path) -> None:
        self.facts = Facts()
        self.busy_with: Any = None  # for the user of the slot: what was sent and not yet answered
        self._folder = Folder(place, project.files)
        self._project = project
        self._thorough = _Server(project, self._folder, self.facts, imported=False)
        self._quick: _Server | None = None
        self._restarts = 0
        self._asked = self._thorough
        self._job: dict[str, Any] = {}

    def fileno(self) -> int:
        """For select."""
        return self._asked.answers.fileno()

    def send(self, job: dict[str, Any]) -> None:
        """Give the servers one job: {"kind": "trace" | "judge", "texts": changed files, ...}."""
        self._job = job
        self._asked = self._quick if self._quick is not None and job["kind"] == "judge" else self._thorough
        self._asked.send(job)

    def receive(self) -> list[dict[str, Any]] | None:
        """The records that the child reported (none when it died first), or None when the other server was asked too.

        A server that died (a candidate may end it) is started anew.
        """
        records = self._asked.receive()
        if self._asked is self._thorough:
            if records is None:
                self._thorough.close()
                self._asked = self._thorough = _Server(self._project, self._folder, self.facts, imported=False)
            return records or []
        if records is None:
            self._replace_quick()
        elif records and not ("unpatchable" in records[-1] or records[-1].get("passed")):
            return records
        elif not records:
            return records
        self._asked = self._thorough
        self._thorough.send(self._job)
        return None

    def restart(self, facts: Facts, *, patched: bool = True) -> None:
        """Begin again with what the first run taught. `patched` allows the quick server."""
        self.close()
        self.facts = facts
        self._asked = self._thorough = _Server(self._project, self._folder, facts, imported=False)
        self._quick = _Server(self._project, self._folder, facts, imported=True) if patched else None

    def close(self) -> None:
        """End the servers."""
        self._thorough.close()
        if self._quick is not None:
            self._quick.close()
            self._quick = None

    def _replace_quick(self) -> None:
        assert self._quick is not None
        self._quick.close()
        self._restarts += 1
        again = self._quick.answered and self._restarts <= MOST_RESTARTS
        self._quick = _Server(self._project, self._folder, self.facts, imported=True) if again else None


class _Server:
    """One server process and the pipes to it."""

    def __init__(self, project: Project, folder: Folder, facts: Facts, *, imported: bool) -> None:
        self.answered = False
        jobs_out, jobs_in = os.pipe()
        answers_out, answers_in = os.pipe()
        sys.stdout.flush()
        self.process = os.fork()
        if self.process == 0:
            run_server(project, folder, facts, jobs_out, answers_in, imported=imported)
        os.close(jobs_out)
        os.close(answers_in)
        self.jobs: IO[str] = os.fdopen(jobs_in, "w")
        self.answers: IO[str] = os.fdopen(answers_out, "r")

    def send(self, job: dict[str, Any]) -> None:
        with contextlib.suppress(BrokenPipeError):  # the answer will be missing
            self.jobs.write(json.dumps(job) + "\n")
            self.jobs.flush()

    def receive(self) -> list[dict[str, Any]] | None:
        line = self.answers.readline()
        if not line.endswith("\n"):
            return None
        self.answered = True
        return json.loads(line)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.jobs.close()
        self.answers.close()
        with contextlib.suppress(OSError):
            os.kill(self.process, signal.SIGTERM)
            os.waitpid(self.process, 0)
