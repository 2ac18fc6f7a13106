"""What this system really holds: the level, observed by a self-test of eight attempts; report.py tells the person.

full      Linux: Landlock, seccomp, namespaces
strong    Linux: Landlock, seccomp
seatbelt  macOS: /usr/bin/sandbox-exec (by design; it has never run)
limits    everything else: time, memory, output and the tree of processes, and no wall
"""

import json
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import NamedTuple

from config import whole_environment
from sandbox.files.root import Refusal, Root
from sandbox.running import launcher
from sandbox.running.process import Limits, environment_inside, run_python

LEVELS = ("limits", "seatbelt", "strong", "full")  # the weakest first


class Attempt(NamedTuple):
    """One of the eight: what was tried, whether the sandbox held, and what the system said."""

    name: str
    held: bool
    detail: str


class Level(NamedTuple):
    """What stands around a run of code on this system, as observed."""

    name: str  # one of LEVELS
    walls: tuple[str, ...]  # "Landlock 7", "seccomp", "namespaces"
    attempts: tuple[Attempt, ...]
    problem: str = ""  # why it is not better, where that is known
    can_fork: bool = True

    @property
    def confined(self) -> bool:
        """Whether code that a language model wrote may run here without `--allow-unconfined`."""
        return self.name != "limits"

    def at_least(self, name: str) -> bool:
        return LEVELS.index(self.name) >= LEVELS.index(name)

    @property
    def line(self) -> str:
        """For the start and the trace: `sandbox: full (Landlock 7, seccomp, namespaces), self-test 8/8`."""
        held = sum(attempt.held for attempt in self.attempts)
        return f"sandbox: {self.name} ({', '.join(self.walls) or 'no walls'}), self-test {held}/{len(self.attempts)}"

    @property
    def warning(self) -> str:
        """What the person must know before anything runs; empty from level full on."""
        if self.at_least("full") and self.can_fork:
            return ""
        from sandbox.running import report

        return report.warning(self)

    def told(self, allowed: bool) -> str:
        """The warning, for a person who may have allowed code to run here although nothing holds it in."""
        if allowed and not self.confined:
            from sandbox.running import report

            return report.ALLOWED
        return self.warning


_level: Level | None = None
_lock = threading.RLock()


def level() -> Level:
    """The level of this system. The first call takes some 50 milliseconds; later ones nothing."""
    global _level
    with _lock:
        if _level is None:
            _level = _observe()
        return _level


def warm() -> None:
    """Start the supervisor and the self-test in the background, while the model is still thinking. Never needed.

    A daemon: nobody who ends the program waits for it. What it had on the disk is removed at the exit all the same.
    """
    threading.Thread(target=level, name="sandbox self-test", daemon=True).start()


def _observe() -> Level:
    if sys.platform == "win32":
        return Level("limits", ("Job Object",), ())
    try:
        walls = launcher.supervisor().walls
        attempts = _attempt()
    except (Refusal, launcher.SandboxFailed, OSError) as error:
        return Level("limits", (), (), f"The sandbox could not be tried: {error}.")
    standing = {f"Landlock {walls.landlock}": walls.landlock, "seccomp": walls.seccomp}
    standing |= {"namespaces": walls.namespaces, "seatbelt": walls.seatbelt}
    names = tuple(name for name, stands in standing.items() if stands)
    held = all(attempt.held for attempt in attempts)
    if held and (walls.seatbelt or (walls.landlock and walls.seccomp)):
        name = "seatbelt" if walls.seatbelt else "full" if walls.namespaces else "strong"
        return Level(name, names, attempts, can_fork=walls.fork)
    from sandbox.running import report

    return Level("limits", names, attempts, report.problem(walls, names, attempts), walls.fork)


def _attempt() -> tuple[Attempt, ...]:
    """Run selftest.py as any code is run. Fewer than eight answers are failures: what did not answer did not hold."""
    with tempfile.TemporaryDirectory(prefix="glassbox-self-test-", ignore_cleanup_errors=True) as outside:
        Path(outside, "secret").write_text("a secret outside the working directory")
        inside = Path(outside, "work")
        inside.mkdir()
        program = Path(__file__).with_name("selftest.py").read_text(encoding="utf-8")
        Path(inside, "selftest.py").write_text(program, encoding="utf-8")
        arguments = ["selftest.py", outside, str(os.getpid()), *_names_of_secrets()]
        with Root(inside) as root:
            outcome = run_python(root, arguments, limits=Limits(seconds=20))
        answers = [Attempt(*json.loads(line)) for line in outcome.stdout.splitlines()]
        if Path(outside, "written").exists():
            answers = [Attempt(a.name, a.held and a.name != "write outside", a.detail) for a in answers]
    missing = [Attempt("no answer", False, outcome.stderr[-200:])] * (8 - len(answers))
    return tuple(answers + missing)


def _names_of_secrets() -> list[str]:
    """The variables of the person that code must not know: all but those that it has with values of its own."""
    given = {*environment_inside(), "HOME", "TMPDIR", "TEMP", "TMP", "LC_CTYPE"}
    return [name for name in whole_environment() if name not in given and not name.startswith(("PYTHON", "MALLOC_"))]
