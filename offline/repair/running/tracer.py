"""The watch of the first run: the lines of the program that each test executes, its outcome and its time.

And whether a test meets the program elsewhere than in memory: reads its text, starts a process, imports it again.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from ..reading.failures import Failure
from .limits import TIMERS, TimeIsUp, limits_by_tracing

BEGINNINGS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn")  # audit events: of another process
LIBRARY = str(Path(os.__file__).parent)
FOLLOWED, SAMPLE = 3.0, 8  # seconds of tests that are followed; of those that come then, one of so many
Part = Sequence[int]  # (number, of how many)
WHOLE: Part = (0, 1)
STALE = 200  # calls of a function that ran no new line; from then on it is not followed in the same test


class Tracer:
    """Records the lines of the program that each test executes, the outcome and the time."""

    def __init__(
        self,
        paths: Mapping[str, str],
        skip: list[str],
        limits: Sequence[float],
        report: Callable[..., None],
        *,
        part: Part = WHOLE,
        follow: bool = True,
        begin: Collection[str] = (),
    ) -> None:
        """Of the tests a part is run, those called as `begin` says first. Without `follow` no line is seen, and nothing
        takes longer than it does by itself. With it, where the tests take long, only a sample of the later ones is
        followed."""
        self.paths = paths  # absolute file name -> path in the project
        self.skip, self.part, self.begin = set(skip), part, begin
        importing, self.limit = limits  # seconds of processor time
        self.report = report
        self.stop = False
        self.files: Sequence[str] = ()
        self.importing = True
        self.may_follow = self.follow = follow
        self.count, self.spent = 0, 0.0  # tests, and the seconds that those took that were followed
        self.hits: set[tuple[str, int]] = set()
        self.known: dict[str, str | None] = {}
        self.stale: dict[CodeType, int] = {}  # how often a function ran, in this test, no line that was new
        self.looked = False  # whether a test met the program elsewhere than in memory
        self.executed: set[str] = set()  # files of the program
        self.loaded: Collection[str] = ()  # modules of the program, when the tests begin
        self.memory, self.filled = 0, False  # bytes that tests needed at the most, until one filled all there is
        self.here = str(Path.cwd())
        self.began = time.process_time()
        self.wall = time.monotonic()
        sys.addaudithook(self._hear)
        if TIMERS:
            signal.signal(signal.SIGPROF, self._time_is_up)
            signal.signal(signal.SIGALRM, self._time_is_up)
        self._arm(importing)
        self._look()

    def order(self, names: list[str]) -> list[str]:
        """Ends the import phase; the tests of its part in their own order, but those known to end the process."""
        self._arm(0)
        self.importing = False
        self.loaded = self._own_modules()
        self.memory = _peak_memory()
        self.report({"imported": _by_path(self.hits), "seconds": time.process_time() - self.began, "tests": names})
        wanted = [name for name in part_of(names, self.part) if name not in self.skip]
        return sorted(wanted, key=lambda name: last_name(name) not in self.begin)

    def started(self, name: str) -> None:
        """Begin to record for one test."""
        self.report({"started": name})
        if self.importing:  # a test file that cannot be imported: what ran until then is what it ran
            return
        self.hits, self.stale, self.looked = set(), {}, False
        self.count += 1
        self.follow = self.may_follow and (self.spent < FOLLOWED or self.count % SAMPLE == 0)
        self.began, self.wall = time.process_time(), time.monotonic()
        self._arm(self.limit)
        self._look()

    def finished(self, name: str, failure: Failure | None) -> None:
        """Report what the test did."""
        if not self.importing:
            self._look_away()
            self._arm(0)
        seconds = max(time.process_time() - self.began, (time.monotonic() - self.wall) / 10)
        self.spent += seconds * self.follow
        self.filled |= failure is not None and failure.text.startswith(MemoryError.__name__)
        self.memory = self.memory if self.filled else _peak_memory()
        told = {"test": name, "failure": failure and asdict(failure), "seconds": seconds, "lines": _by_path(self.hits)}
        self.report({**told, "clock": time.monotonic() - self.wall, "looked": self.looked, "followed": self.follow})

    def done(self) -> None:
        """Report which modules the project needs that are not its own, so that they are imported once for all, and
        which of its own only the tests imported while they ran."""
        self._look_away()
        self._arm(0)
        here = str(Path(self.here).parent)
        loaded = dict(sys.modules)
        foreign = {name for name, module in loaded.items() if _is_foreign(module, here)}
        modules = [name for name in loaded if {name, name.partition(".")[0]} <= foreign]  # six.moves.* is six's own
        late = [name for name in self._own_modules() if name not in self.loaded]
        self.report({"modules": modules, "late": late, "memory": self.memory})

    def _own_modules(self) -> dict[str, str]:
        """Name -> file of the program's modules that are loaded."""
        files = {name: _file_of(module) for name, module in list(sys.modules.items()) if name != "__main__"}
        return {name: file for name, file in files.items() if file in self.paths}

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Python's own report of what goes on; a hook for it cannot be taken away."""
        if event == "exec":
            name = getattr(arguments[0], "co_filename", "")
            self.looked |= name in self.executed
            self.executed |= {name} & self.paths.keys()
        elif event == "open" and isinstance(arguments[0], str | bytes):
            self.looked |= os.path.abspath(os.fsdecode(arguments[0])) in self.paths and _asked_by(self.here)
        elif event in BEGINNINGS:
            self.looked = True

    def _look(self) -> None:
        if self.follow:
            sys.settrace(self._enter)
            threading.settrace(self._enter)  # for the threads that a test begins

    def _look_away(self) -> None:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]

    def _arm(self, seconds: float) -> None:
        self.end = time.process_time() + seconds if seconds and limits_by_tracing else float("inf")
        if TIMERS and not limits_by_tracing:
            signal.setitimer(signal.ITIMER_PROF, seconds, seconds / 4)
            signal.setitimer(signal.ITIMER_REAL, 5 * seconds, seconds / 4)

    def _time_is_up(self, *_: Any) -> None:
        if self.importing:
            self.report({"cut": "import"})
        raise TimeIsUp

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        """The tracer of calls: only frames of the program are followed line by line."""
        name = frame.f_code.co_filename
        path = self.known.get(name, "")
        if path == "":
            path = self.known[name] = self.paths.get(name) or self.paths.get(str(Path(name).resolve()))
        if path is None:
            return None
        hits = self.hits
        hits.add((path, frame.f_lineno))
        code, stale, known = frame.f_code, self.stale, len(hits)
        if stale.get(code, 0) >= STALE:
            return None
        limited = self.end < float("inf")

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            if limited and time.process_time() > self.end:
                self._time_is_up()
            hits.add((path, frame.f_lineno))
            if event == "return" and len(hits) == known:
                stale[code] = stale.get(code, 0) + 1
            return line

        return line


def last_name(test: str) -> str:
    """What a test is called, without its file, its class and its parameters."""
    return re.split(r"::|\.", test.partition("[")[0])[-1]


def part_of(names: list[str], part: Part) -> list[str]:
    """A part of the tests, about as many as in each other. Those of one class stay together: they may need what the
    ones before them did."""
    number, parts = part
    groups = [list(group) for _, group in groupby(names, _group_of)]
    found, before = [], 0
    for group in groups:
        if (before + len(group) / 2) * parts // len(names) == number:
            found += group
        before += len(group)
    return found


def _group_of(name: str) -> str:
    """The class of a test, or its function: of `test_a.py::ATest::test_one[a.b]`, `test_a.ATest.test_one`."""
    plain = name.partition("[")[0]
    if "::" in plain:
        return plain.rpartition("::")[0] if plain.count("::") > 1 else plain
    return plain.rpartition(".")[0]


def _asked_by(folder: str) -> bool:
    """Whether what happens now was asked for in a folder, and not by a library of others for its own ends."""
    frame: FrameType | None = sys._getframe(2)
    while frame and frame.f_code.co_filename.startswith((LIBRARY, "<frozen")):
        if "-packages" in frame.f_code.co_filename:
            return False
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(folder)


def _by_path(hits: set[tuple[str, int]]) -> dict[str, list[int]]:
    """Lines, sorted by file: a large suite has many of them to tell."""
    found: dict[str, list[int]] = {}
    for path, line in hits:
        found.setdefault(path, []).append(line)
    return found


def _peak_memory() -> int:
    """Bytes that this process held at its peak, 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _file_of(module: object) -> str:
    """The file of a module, "" where it has none. It is not asked itself: a lazy one would begin to load."""
    with contextlib.suppress(AttributeError):
        space = object.__getattribute__(module, "__dict__")
        file = space.get("__file__") if type(space) is dict else None
        return file if isinstance(file, str) else ""
    return ""


def _is_foreign(module: Any, own_folder: str) -> bool:
    """Whether a module comes from elsewhere than the project's folder (and from a file, so that it can be imported)."""
    name = getattr(module, "__file__", None)
    return bool(name) and not str(name).startswith(own_folder)
