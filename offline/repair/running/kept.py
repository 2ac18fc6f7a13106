"""What a program keeps from one run of its tests to the next: a cache, a count, a list of what was registered."""

from __future__ import annotations

import gc
import os
import sys
import types
from collections import deque
from collections.abc import Collection
from operator import is_
from typing import Any

MOST_THINGS = 50_000  # that are looked at; of a program that holds more, some are not
KEEPERS = {"builtins", "collections", "functools", "weakref", "types"}  # modules of types that may hold a container
PASSING = (types.ModuleType, types.CodeType, types.FrameType, types.TracebackType)


class Kept:
    """The containers that live behind the modules of a program, as they are now."""

    def __init__(self, files: Collection[str]) -> None:
        """`files` are those of the program and its tests, by absolute name."""
        modules = [one for one in list(sys.modules.values()) if getattr(one, "__file__", None) in files]
        self._names = {module.__name__ for module in modules}
        self._spaces = [(vars(module), list(vars(module).values())) for module in modules]
        self._things: list[tuple[Any, Any]] = []
        self._take(deque([vars(os.environ), *(value for _, values in self._spaces for value in values)]))

    def changed(self) -> bool:
        """Whether any of them holds another thing now. Of a module new names don't count: Python adds some itself."""
        if not all(all(map(is_, space.values(), values)) for space, values in self._spaces):
            return True
        return not all(_holds(thing, values) for thing, values in self._things)

    def _take(self, waiting: deque[Any]) -> None:
        """What can be reached breadth first, so that a large table hides nothing that lies nearer."""
        seen = {id(space) for space, _ in self._spaces} | {id(sys.modules), id(vars(types)), id(__builtins__)}
        while waiting and len(seen) < MOST_THINGS:
            thing = waiting.popleft()
            if id(thing) in seen or not self._may_keep(thing):
                continue
            seen.add(id(thing))
            if isinstance(thing, set):
                self._things.append((thing, set(thing)))
            elif isinstance(thing, dict | list | deque):
                self._things.append((thing, list(thing.values() if isinstance(thing, dict) else thing)))
            fields = getattr(thing, "__dict__", None)
            waiting.extend([fields] if type(fields) is dict else [])
            waiting.extend(gc.get_referents(thing))

    def _may_keep(self, thing: Any) -> bool:
        if isinstance(thing, PASSING) or not (gc.is_tracked(thing) or isinstance(thing, dict)):
            return False  # of the containers dictionaries alone are untracked now and then, as an empty cache
        if isinstance(thing, type):  # what a class of tests prepares for itself, it prepares in each run
            return thing.__module__ in self._names and not any("unittest" in base.__module__ for base in thing.__mro__)
        if isinstance(thing, types.FunctionType):
            return thing.__module__ in self._names
        return type(thing).__module__ in KEEPERS or type(thing).__module__ in self._names


def _holds(thing: Any, values: Any) -> bool:
    if isinstance(thing, set):
        return bool(thing == values)
    held = thing.values() if isinstance(thing, dict) else thing
    return len(thing) == len(values) and all(map(is_, held, values))
