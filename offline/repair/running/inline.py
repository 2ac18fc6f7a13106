"""A slot for systems where a process cannot fork (Windows, some sandboxes): the tests run in the searching process.

Slower and less strict: every candidate imports the project anew, a loop is ended by a tracer that looks at the clock,
and nothing bounds memory but the sandbox around the whole search.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..reading.facts import Facts
from ..reading.project import Project
from .folder import Folder
from .judge import Judge
from .limits import TimeIsUp, use_tracing_for_limits
from .observer import Observer
from .running import attend, set_import_path
from .snapshots import Recorder
from .tracer import WHOLE, Part, Tracer
from .watch import Watch, own_path


class InlineSlot:
    """The interface of `slots.Slot`, without any other process. Always ready to be received from."""

    inline = True

    def __init__(self, project: Project, place: Any, until: float) -> None:
        self.facts = Facts()
        self.busy_with: Any = None
        self._project = project
        self._folder = Folder(place, project.files)
        self._waiting: list[Any] = []
        self._path = list(sys.path)
        self._home = Path.cwd()
        use_tracing_for_limits()
        sys.dont_write_bytecode = True
        tempfile.tempdir = self._folder.temporary

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
        """Remember what to run under tracing, which alone ends tests here."""
        self._waiting = [skip, limits, begin]

    def traced(self) -> list[dict[str, Any]]:
        """Run it."""
        names = {self._folder.absolute(path): path for path in self._project.program_paths}
        skip, limits, begin = self._waiting
        return self._run({}, lambda report: Tracer(names, skip, limits, report, begin=begin))

    def send(
        self, batch: list[tuple[dict[str, str], list[int] | None]], patience: float, *, thorough: bool = True
    ) -> None:
        """Remember candidates to judge; here all is imported anew for each in any case."""
        self._waiting = [(texts, tests, patience) for texts, tests in batch]

    def receive(self) -> list[dict[str, Any]]:
        """Judge them, one after the other."""
        verdicts = []
        for texts, tests, patience in self._waiting:
            records = self._run(texts, partial(self._judge, tests, patience))
            verdicts.append(records[-1] if records and "passed" in records[-1] else {})
        return verdicts

    def observe(self, texts: dict[str, str]) -> None:
        """Remember a program to watch."""
        self._waiting = [texts]

    def observed(self) -> list[dict[str, Any]]:
        """Watch it."""
        tests, own = (
            {self._folder.absolute(path) for path in paths}
            for paths in (self._project.test_paths, self._project.program_paths)
        )
        return self._run(self._waiting[0], lambda report: Observer(self.facts, report, tests, own))

    def snapshot(self, lines: dict[str, list[int]]) -> list[dict[str, Any]]:
        """Look at what names hold."""
        wanted = {self._folder.absolute(path): numbers for path, numbers in lines.items()}
        tests = {self._folder.absolute(path) for path in self._project.test_paths}
        return self._run({}, lambda report: Recorder(self.facts, wanted, tests, own_path, report))

    def restart(self, project: Project, facts: Facts, *, patched: bool = True) -> None:
        """Begin again with a program and what a run of it taught."""
        self.facts = facts
        if project is not self._project:
            self._project, self._folder = project, Folder(self._folder.place, project.files)

    def close(self) -> None:
        """Leave the folder."""
        os.chdir(self._home)

    def _judge(self, tests: list[int] | None, patience: float, report: Any) -> Judge:
        return Judge(self.facts, patience, report, tests)

    def _run(self, texts: dict[str, str], watch_for: Any) -> list[dict[str, Any]]:
        """One run of the tests with changed files, the modules of the project forgotten afterwards."""
        records: list[dict[str, Any]] = []
        self._folder.write(texts)
        self._folder.enter()
        set_import_path(self._project)
        random.seed(0)

        def serve() -> Iterator[Watch]:
            yield watch_for(records.append)

        with contextlib.suppress(Exception, SystemExit, TimeIsUp):
            attend(self._project, serve, imported=False)
        sys.settrace(None)
        sys.setprofile(None)
        sys.path[:] = self._path
        self._forget_modules()
        self._folder.restore()
        os.chdir(self._home)
        return records

    def _forget_modules(self) -> None:
        here = str(self._folder.program) + os.sep
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(here):
                del sys.modules[name]
            elif any(str(entry).startswith(here) for entry in getattr(module, "__path__", None) or ()):
                del sys.modules[name]  # a package without __init__.py has a place but no file


def can_fork() -> bool:
    """Whether this process may fork: the system can, and the sandbox lets it."""
    if not hasattr(os, "fork"):
        return False
    try:
        child = os.fork()
    except OSError:
        return False
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True
