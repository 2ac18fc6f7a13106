"""What is told to the person of a level: what it promises, what it lacks, and each attempt of the self-test."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandbox.walls import Walls

if TYPE_CHECKING:
    from sandbox.running.levels import Attempt, Level

PROMISES = {
    "full": "files, network, processes and secrets outside are out of reach; all of a run dies with it",
    "strong": "as full, but: timestamps outside can change; permissions cannot be changed inside; repositories are put "
    "back from a copy after each run; no multiprocessing locks, no pseudo-terminals; a daemon can outlive kill -9 of "
    "the supervisor",
    "seatbelt": "files, network, programs and processes outside are out of reach; memory is limited weakly (never run)",
    "limits": "no wall: only time, memory, output and processes are limited",
}
NO_FORK = "As root without namespaces no fork bomb can be held, so code cannot start other processes here."
UNCONFINED = (
    "This system has no wall for code that a language model wrote, so such code is not run here. "
    "Say --allow-unconfined to run it with your own rights all the same; better, use Linux 5.13 or newer"
)
ALLOWED = (
    "No wall holds code in on this system: what is run has your own rights, and only its time, memory and output are "
    "limited. The built-in model runs nothing but your own program with a few tokens changed; a language model runs "
    "whatever it likes."
)
_WSL = ", for example in WSL2 (https://learn.microsoft.com/windows/wsl/install)"


def warning(level: Level) -> str:
    """What the person must know before anything runs at a level below full, or where no process can be started."""
    if not level.confined:
        return f"{level.problem} {UNCONFINED}{_WSL if sys.platform == 'win32' else ''}.".strip()
    parts = [] if level.at_least("full") else [f"Level {level.name}: {PROMISES[level.name]}."]
    return " ".join([*parts, *([] if level.can_fork else [NO_FORK])])


def table(level: Level) -> str:
    """For `python main.py --sandbox`: the level, its promise, and each attempt with what the system said."""
    width = max((len(attempt.name) for attempt in level.attempts), default=0)
    rows = [f"  {'held   ' if a.held else 'ESCAPED'}  {a.name:<{width}}  {a.detail}" for a in level.attempts]
    return "\n".join([level.line, f"  {PROMISES[level.name]}", *rows, *([level.warning] if level.warning else [])])


def problem(walls: Walls, names: Sequence[str], attempts: Sequence[Attempt]) -> str:
    """Why nothing holds: an attempt that got out, or a wall that this kernel does not give."""
    escaped = [attempt.name for attempt in attempts if not attempt.held]
    if escaped and walls.confined:
        return f"The walls ({', '.join(names)}) did not hold: {', '.join(escaped)}."
    if sys.platform != "linux":
        return ""
    given = {"Landlock (landlock(7), Linux 5.13)": walls.landlock, "seccomp filters": walls.seccomp}
    return f"This kernel does not give {' and '.join(name for name, there in given.items() if not there)}."
