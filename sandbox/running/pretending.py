"""For the tests of the levels: walls that stand here, hidden for as long as a block runs."""

import contextlib
from collections.abc import Iterator
from dataclasses import fields

from sandbox.running import launcher, levels
from sandbox.walls import Walls

WALLS = tuple(each.name for each in fields(Walls) if each.name != "fork")  # that says what the code may do behind them


@contextlib.contextmanager
def hidden(*walls: str, landlock_at_most: int = 1_000) -> Iterator[None]:
    """For tests: as if this system had not got these walls, by their names in WALLS.

    A value in the program and not an environment variable: nobody can be talked into exporting it.
    """
    with levels._lock:
        before_level, before = levels._level, replace(launcher.Supervisor(walls, landlock_at_most))
        levels._level = None
    try:
        yield
    finally:
        with levels._lock:
            levels._level, mine = before_level, replace(before)
        if mine:
            mine.close()


def all_but(*standing: str) -> tuple[str, ...]:
    """The walls to hide so that these alone are left, whichever others there are."""
    return tuple(wall for wall in WALLS if wall not in standing)


def replace(new: launcher.Supervisor | None) -> launcher.Supervisor | None:
    """Make another supervisor the current one (None: a fresh one when next needed); the one before, not closed."""
    with launcher._current_lock:
        before, launcher._current = launcher._current, new
    return before
