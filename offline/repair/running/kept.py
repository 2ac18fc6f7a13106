"""What a program keeps from one run of its tests to the next: a cache, a count, a list of what was registered."""

from __future__ import annotations

import contextlib
import gc
import sys
import types
from collections import deque
from collections.abc import Callable, Collection, Iterable
from operator import is_
from typing import Any

MOST_THINGS = 50_000  # that are looked at; of a program that holds more, some are not
KEEPERS = {"builtins", "collections", "functools", "weakref", "types"}  # modules of types that may hold a container
PASSING = (types.ModuleType, types.CodeType, types.FrameType, types.TracebackType)
WAYS: tuple[tuple[type, Callable[[Any], Iterable[Any]]], ...] = (
    (dict, dict.values),  # not `thing.values()`: a program may have made something else of it
    (list, list.__iter__),
    (set, set.__iter__),
    (deque, deque.__iter__),
)
HOLDERS = tuple(kind for kind, _ in WAYS)


class Kept:
    """The containers that live behind the modules of a program, as they are now."""

    def __init__(self, files: Collection[str]) -> None:
        """`files` are those of the program and its tests, by absolute name."""
        modules = [one for one in list(sys.modules.values()) if getattr(one, "__file__", None) in files]
        self._names = {module.__name__ for module in modules}
        self._spaces = [(vars(module), list(vars(module).values())) for module in modules]
        self._things: list[tuple[Any, list[Any]]] = []
        self._take(deque(value for _, values in self._spaces for value in values))

    def changed(self) -> bool:
        """Whether any of them holds another thing now. Of a module new names don't count: Python adds some itself."""
        if not all(all(map(is_, space.values(), values)) for space, values in self._spaces):
            return True
        now = ((_held(thing), values) for thing, values in self._things)
        return any(len(held) != len(values) or not all(map(is_, held, values)) for held, values in now)

    def _take(self, waiting: deque[Any]) -> None:
        """What can be reached breadth first, so that a large table hides nothing that lies nearer."""
        seen = {id(space) for space, _ in self._spaces} | {id(sys.modules), id(__builtins__)}
        while waiting and len(seen) < MOST_THINGS:
            thing = waiting.popleft()
            if id(thing) in seen or not self._may_keep(thing):
                continue
            seen.add(id(thing))
            if issubclass(type(thing), HOLDERS):
                self._things.append((thing, _held(thing)))
            with contextlib.suppress(AttributeError):
                fields = object.__getattribute__(thing, "__dict__")
                waiting.extend([fields] if type(fields) is dict else [])
            waiting.extend(gc.get_referents(thing))

    def _may_keep(self, thing: Any) -> bool:
        kind = type(thing)  # never isinstance: it asks the thing, which may be a program's own idea of one
        if issubclass(kind, PASSING) or not (gc.is_tracked(thing) or issubclass(kind, dict)):
            return False  # of the containers dictionaries alone are untracked now and then, as an empty cache
        if issubclass(kind, type):  # what a class of tests prepares for itself, it prepares in each run
            return thing.__module__ in self._names and not any("unittest" in base.__module__ for base in thing.__mro__)
        if kind is types.FunctionType:
            return thing.__module__ in self._names
        return kind.__module__ in KEEPERS or kind.__module__ in self._names


def _held(thing: Any) -> list[Any]:
    return next(list(way(thing)) for kind, way in WAYS if issubclass(type(thing), kind))
