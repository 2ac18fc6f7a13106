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
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from ..reading.facts import Facts
from ..reading.project import Project
from .folder import Folder
from .forkserver import run_server
from .tracer import WHOLE, Part

# Changed files, and the places of the passing tests that they can matter to (None: all).
Change = tuple[dict[str, str], list[int] | None]

MOST_RESTARTS = 5  # of the quick server; a program that keeps ending it is left to the thorough one


class Slot:
    """Send some candidates, wait until `fileno` is readable, receive their verdicts (or None: not finished yet)."""

    inline = False

    def __init__(self, project: Project, place: Path, until: float) -> None:
        self.facts = Facts()
        self._until = until  # time.monotonic() at which every answer is there, finished or not
        self.busy_with: Any = None  # for the user of the slot: what was sent and not yet answered
        self._folder = Folder(place, project.files)
        self._project = project
        self._thorough = self._start(imported=False)
        self._quick: _Server | None = None
        self._restarts = 0
        self._asked = self._thorough
        self._patience = 1.0
        self._batch: list[Change] = []
        self._verdicts: list[dict[str, Any] | None] = []  # of the batch; None: not known yet
        self._for_quick: list[int] = []  # places in the batch that a server has yet to judge
        self._for_thorough: list[int] = []
        self._near: list[str] = []  # the files of the failing tests; none where those are nearly all, or not known
        self._promising: set[int] = set()  # of those: helped a failing test; now the others that they can matter to
        self._to_confirm: set[int] = set()  # of those: passed the tests that they can matter to; now all tests

    def fileno(self) -> int:
        """For select."""
        return self._asked.answers.fileno()

    def trace(
        self,
        skip: list[str],
        limits: tuple[float, float],
        until: float,
        *,
        part: Part = WHOLE,
        follow: bool = True,
        begin: Sequence[str] = (),
    ) -> None:
        """Begin to run a part of the tests (but those to skip) under tracing, until then at the latest. `limits`:
        seconds of processor time for importing, and for one test. Without `follow` no line is seen, and it is quick.
        Those that are called as `begin` says are run first."""
        job = {"kind": "trace", "texts": {}, "skip": skip, "limits": limits, "until": until, "follow": follow}
        self._thorough.send({**job, "part": part, "begin": list(begin)})

    def traced(self) -> list[dict[str, Any]]:
        """The tracer's records of what `trace` asked for."""
        return self._hear_thorough()

    def send(self, batch: list[Change], patience: float, *, thorough: bool = False) -> None:
        """Begin to judge candidates. `patience` multiplies the tests' time limits. `thorough`: all is imported anew."""
        self._batch, self._patience = batch, patience
        self._verdicts = [None] * len(batch)
        every = list(range(len(batch)))
        self._for_quick, self._for_thorough = (every, []) if self._quick and not thorough else ([], every)
        self._promising, self._to_confirm = set(), set()
        self._ask_next()

    def receive(self) -> list[dict[str, Any]] | None:
        """The verdicts of the batch in order, of a candidate that ended its process only how many failing tests passed
        "so_far", if any; None when more is to come."""
        if self._asked is self._quick:
            self._take_quick(self._quick.receive())
        else:
            records = self._hear_thorough()
            index = self._for_thorough.pop(0)
            verdict = records[-1] if records else {}
            if "provisional" in verdict:
                verdict = {**verdict["provisional"], "unknown": True}
            self._verdicts[index] = verdict
            tests, files = self._step(index)
            if files and (verdict.get("fixed") or verdict.get("advanced")):
                self._promising.add(index)
                self._for_thorough.insert(0, index)
            elif verdict.get("passed") and tests is not None:
                self._to_confirm.add(index)
                self._for_thorough.insert(0, index)
        return None if self._ask_next() else [verdict or {} for verdict in self._verdicts]

    def observe(self, texts: dict[str, str]) -> None:
        """Begin to watch what a program does, given as its changed files (changed tests among them)."""
        self._asked = self._thorough
        self._thorough.send({"kind": "observe", "texts": texts})

    def observed(self) -> list[dict[str, Any]]:
        """The records of what `observe` asked for."""
        return self._hear_thorough()

    def snapshot(self, lines: dict[str, list[int]]) -> list[dict[str, Any]]:
        """What names hold at lines of the program (by path), in every test; the recorder's records."""
        self._asked = self._thorough
        self._thorough.send({"kind": "snapshot", "texts": {}, "lines": lines})
        return self._hear_thorough()

    def restart(self, project: Project, facts: Facts, *, patched: bool = True) -> None:
        """Begin again with a program and what a run of it taught. `patched` allows the quick server."""
        self.close()
        self.facts = facts
        if project is not self._project:
            self._project, self._folder = project, Folder(self._folder.place, project.files)
        self._asked = self._thorough = self._start(imported=False)
        self._quick = self._start(imported=True) if patched else None
        self._near = project.files_of(facts.failing)

    def close(self) -> None:
        """End the servers."""
        self._thorough.close()
        if self._quick is not None:
            self._quick.close()
            self._quick = None

    def _start(self, *, imported: bool) -> _Server:
        return _Server(self._project, self._folder, self.facts, self._until, imported=imported)

    def _ask_next(self) -> bool:
        """Ask a server for what is not known yet. False when all is known."""
        if self._for_quick and self._quick is not None:
            self._asked = self._quick
            batch = [self._batch[index] for index in self._for_quick]
            self._quick.send({"kind": "batch", "batch": batch, "patience": self._patience})
        elif self._for_thorough:
            self._asked = self._thorough
            tests, files = self._step(self._for_thorough[0])
            job = {"kind": "judge", "texts": self._batch[self._for_thorough[0]][0], "patience": self._patience}
            self._thorough.send({**job, "tests": tests, "files": files})
        else:
            return False
        return True

    def _step(self, index: int) -> tuple[list[int] | None, list[str]]:
        """Which passing tests the thorough server is to run beside the failing ones (None: all), and which files to
        import for them (none: all). First the failing ones alone: most candidates help none, and are done with."""
        if index in self._to_confirm:
            return None, []
        return ([], self._near) if self._near and index not in self._promising else (self._batch[index][1], [])

    def _take_quick(self, records: list[dict[str, Any]] | None) -> None:
        """Sort the answers of a batch: done, for the thorough server, or (behind one that ended the child, or changed
        what the program keeps) to come."""
        *_, last = records or [{}]
        ended = [record for record in records or [] if not {"so_far", "changed"} & record.keys()]
        for index, record in zip(self._for_quick, ended, strict=False):
            if record.get("passed"):
                self._to_confirm.add(index)
            if "unpatchable" in record or record.get("passed"):
                self._for_thorough.append(index)
            else:
                self._verdicts[index] = record
        rest = self._for_quick[len(ended) :]
        if records is None:  # the server itself ended
            self._replace_quick()
        elif rest and "changed" not in last:
            self._verdicts[rest.pop(0)] = last if "so_far" in last else {}
        if self._quick is None:
            self._for_thorough, rest = self._for_thorough + rest, []
        self._for_quick = rest

    def _hear_thorough(self) -> list[dict[str, Any]]:
        records = self._thorough.receive()
        if records is None:  # a candidate may have ended the server
            self._thorough.close()
            self._asked = self._thorough = self._start(imported=False)
        return records or []

    def _replace_quick(self) -> None:
        assert self._quick is not None
        self._quick.close()
        self._restarts += 1
        again = self._quick.answered and self._restarts <= MOST_RESTARTS
        self._quick = self._start(imported=True) if again else None


class _Server:
    """One server process and the pipes to it."""

    def __init__(self, project: Project, folder: Folder, facts: Facts, until: float, *, imported: bool) -> None:
        self.answered = False
        jobs_out, jobs_in = os.pipe()
        answers_out, answers_in = os.pipe()
        sys.stdout.flush()
        self.process = os.fork()
        if self.process == 0:
            run_server(project, folder, facts, jobs_out, answers_in, until=until, imported=imported)
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
