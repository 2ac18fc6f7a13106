"""The server inside a slot: the test framework imported, the project never; each job runs in a forked child.

Every child meets fresh modules of the project, with the candidate's text among them, so whatever a candidate does
(loops, memory, exit, files) ends with its child; the slot's folder is put back as it was afterwards.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.machinery
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from types import CodeType, FrameType
from typing import IO, Any, NoReturn

from ..reading.facts import Facts
from ..reading.project import Project
from .child import MOST_MEMORY, keep_only, limit_resources, listen, memory_for, reporter, silence
from .folder import Folder
from .judge import Judge
from .kept import Kept
from .limits import arm_limit
from .observer import Observer
from .patching import Patcher
from .pieces import compiled
from .running import attend, set_import_path
from .snapshots import Recorder
from .tracer import Tracer
from .watch import Watch, own_path

CHILD_SECONDS = 60.0  # the longest that any child may live, by the clock


def run_server(
    project: Project, folder: Folder, facts: Facts, jobs: int, answers: int, *, until: float, imported: bool
) -> NoReturn:
    """Run a server in this process until its job pipe is closed; after `until` (of the clock) no child lives.

    With `imported` the tests and the program are imported once, before the server begins to fork, and a candidate is
    patched into a child; without, every child imports everything anew.
    """
    try:
        keep_only(jobs, answers)
        server = _Server(project, folder, facts, os.fdopen(jobs), os.fdopen(answers, "w"), until, imported)
        attend(project, server.serve, imported=imported)
    finally:
        os._exit(1)


class _Server:
    def __init__(
        self,
        project: Project,
        folder: Folder,
        facts: Facts,
        jobs: IO[str],
        answers: IO[str],
        until: float,
        imported: bool,
    ) -> None:
        self.project = project
        self.folder = folder
        self.facts = facts
        self.jobs = jobs
        self.answers = answers
        self.until = until
        self.imported = imported
        self.patcher: Patcher | None = None
        self.kept: Kept | None = None
        self.child = 0
        self.code: dict[str, CodeType] = {}  # absolute file name -> compiled text as shipped
        silence()
        signal.signal(signal.SIGTERM, self._end)
        folder.enter()
        set_import_path(project)
        for name in facts.modules:
            with contextlib.suppress(BaseException):
                importlib.import_module(name)
        self._compile_once()

    def serve(self) -> Iterator[Watch]:
        """Fork a child for each job. Yields in the children only: a watch for every candidate of the job."""
        if self.imported:
            executed, again = (
                {self.folder.absolute(path): set(lines) for path, lines in ran.items()}
                for ran in (self.facts.imported, self.facts.run_again)
            )
            texts = {self.folder.absolute(path): text for path, text in self.project.files.items()}
            arm_limit(self.facts.import_limit)
            for name, line in _lines_of_import(self.facts.late, texts.keys()):
                executed.setdefault(name, set()).add(line)
            arm_limit(0)
            self.patcher = Patcher(texts, self.code, executed, again)
            self.kept = Kept(texts.keys())
        gc.collect()
        gc.freeze()
        for line in self.jobs:
            job = json.loads(line)
            if not self.imported:
                self.folder.write(job["texts"])
            reading, writing = os.pipe()
            self.child = os.fork()
            if self.child == 0:
                os.close(reading)
                self.jobs.close()
                self._become_child(self._memory_for(job))
                yield from self._watches(job, writing)
                os._exit(0)
            os.close(writing)
            records = listen(reading, min(time.monotonic() + CHILD_SECONDS, job.get("until", self.until)))
            self._reap()
            self.folder.restore()
            self.answers.write(json.dumps(records) + "\n")
            self.answers.flush()
        os._exit(0)

    def _memory_for(self, job: dict[str, Any]) -> int:
        """The parts of a first run share what there is; a change that ran out of something is given all of it."""
        if job["kind"] == "trace":
            return MOST_MEMORY // job["part"][1]
        return MOST_MEMORY if job.get("patience", 1.0) > 1 else memory_for(self.facts.memory)

    def _become_child(self, memory: int) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.setpgid(0, 0)
        limit_resources(memory)
        sys.dont_write_bytecode = True
        tempfile.tempdir = self.folder.temporary

    def _watches(self, job: dict[str, Any], writing: int) -> Iterator[Watch]:
        """What a child does for its job: one run, or (patched) one run for each of a batch."""
        if job["kind"] == "batch":
            *first, last = job["batch"]
            for texts, tests in first:
                yield from self._patched(texts, tests, job["patience"], writing)
                if self.kept and self.kept.changed():  # a cache, say: what one put in, the next would be judged by
                    reporter(writing, ends=False)({"changed": True})
                    os._exit(0)
            yield from self._patched(*last, job["patience"], writing)
            return
        for path, text in job["texts"].items():
            name = self.folder.absolute(path)
            self.code[name] = compiled(text, name)
        random.seed(0)
        report = reporter(writing, ends=True)
        if job["kind"] == "trace":
            names = {self.folder.absolute(path): path for path in self.project.program_paths}
            yield Tracer(
                names, job["skip"], job["limits"], report, part=job["part"], follow=job["follow"], begin=job["begin"]
            )
        elif job["kind"] == "observe":
            tests, own = ({self.folder.absolute(path) for path in paths} for paths in self._paths())
            yield Observer(self.facts, report, tests, own)
        elif job["kind"] == "snapshot":
            wanted = {self.folder.absolute(path): lines for path, lines in job["lines"].items()}
            tests = {self.folder.absolute(path) for path in self.project.test_paths}
            yield Recorder(self.facts, wanted, tests, own_path, report)
        else:
            files = job["files"]
            yield Judge(self.facts, job["patience"], report, job["tests"], files=files, slow_too=not files)

    def _paths(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.project.test_paths, self.project.program_paths

    def _patched(
        self, texts: dict[str, str], tests: list[int] | None, patience: float, writing: int
    ) -> Iterator[Watch]:
        report = reporter(writing, ends=False)
        assert self.patcher is not None
        for path, text in texts.items():
            try:
                patched = self.patcher.apply(self.folder.absolute(path), text)
            except (SyntaxError, ValueError, RecursionError):
                report({"passed": False, "broken": [], "fixed": [], "advanced": False})
                break
            if not patched:
                report({"unpatchable": path})
                break
        else:
            random.seed(0)
            yield Judge(self.facts, patience, report, tests, self.facts.on_disk, doubtful=self.patcher.doubtful)
        self.patcher.undo()

    def _reap(self) -> None:
        """End the child and what it started (it leads a process group of its own)."""
        for end in (os.killpg, os.kill):
            with contextlib.suppress(OSError):
                end(self.child, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.waitpid(self.child, 0)
        self.child = 0

    def _end(self, *_: Any) -> NoReturn:
        if self.child:
            self._reap()
        os._exit(0)

    def _compile_once(self) -> None:
        """Compile every file as it stands, and let imports in the children take the code from here."""
        for path, text in self.project.files.items():
            if path.endswith(".py"):
                with contextlib.suppress(SyntaxError, ValueError, RecursionError):
                    name = self.folder.absolute(path)
                    self.code[name] = compiled(text, name)
        loader = importlib.machinery.SourceFileLoader
        usual = loader.get_code

        def get_code(self_: Any, name: str) -> Any:
            as_usual = type(self_).source_to_code is loader.source_to_code  # others make something else of the text
            return (as_usual and self.code.get(self_.get_filename(name))) or usual(self_, name)

        loader.get_code = get_code  # type: ignore[method-assign]


def _lines_of_import(modules: list[str], files: Collection[str]) -> set[tuple[str, int]]:
    """Import modules that only tests import, so that a child has them; the file and number of each line that ran."""
    hits = set[tuple[str, int]]()

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        if name not in files:
            return None
        hits.add((name, frame.f_lineno))
        return look

    sys.settrace(look)
    for name in modules:
        with contextlib.suppress(BaseException):
            importlib.import_module(name)
    sys.settrace(None)
    return hits
