"""Giving functions that are already imported the code of a candidate, so that a child need not import anything.

Only changes inside functions can be made this way; what runs at import (constants, defaults, class bodies) cannot, and
neither can a function that was called while the tests were imported.
"""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType


def functions_by_code(names: set[str]) -> dict[CodeType, list[FunctionType]]:
    """Every function object that lives now and was compiled from one of these files, by its code."""
    found: dict[int, tuple[CodeType, list[FunctionType]]] = {}
    for thing in gc.get_objects():
        if type(thing) is types.FunctionType and thing.__code__.co_filename in names:
            found.setdefault(id(thing.__code__), (thing.__code__, []))[1].append(thing)
    return dict(found.values())


CO_NEWLOCALS = 0x2  # inspect.CO_NEWLOCALS, without the cost of importing inspect
CO_CALLING = 0x2C  # takes *arguments, takes **keywords, is a generator


class Patcher:
    """Knows the imported functions and the code that they were made from."""

    def __init__(self, code: Mapping[str, CodeType], executed: Mapping[str, set[int]]) -> None:
        self.code = dict(code)  # absolute file name -> code of the file, as imported
        self.executed = executed  # absolute file name -> lines that ran during import
        self.loaded = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        self._undo: list[tuple[FunctionType, CodeType]] = []
        self.functions = {id(one): all_of for one, all_of in functions_by_code(set(code)).items()}

    def apply(self, name: str, new: CodeType) -> bool:
        """Make the functions of a file behave as in its new code. False, and nothing done, when that cannot be."""
        if name not in self.loaded:  # a test will import it, and run the text on disk
            return False
        changes = list(self._changes(self.code[name], new, name))
        if any(change is None for change in changes):
            return False
        for function, code in changes:  # type: ignore[misc]
            self._undo.append((function, function.__code__))
            function.__code__ = code
        return True

    def undo(self) -> None:
        """Give every function the code back that it was imported with."""
        while self._undo:
            function, code = self._undo.pop()
            function.__code__ = code

    def _changes(self, old: CodeType, new: CodeType, name: str) -> Iterator[tuple[FunctionType, CodeType] | None]:
        """Pairs of a function and its new code; None for a change that cannot be made."""
        if _own(old) != _own(new):
            yield from self._replace(old, new, name)
        old_inner, new_inner = _inner(old), _inner(new)
        if len(old_inner) != len(new_inner):
            if not _is_function(old):
                yield None
            return
        for one, other in zip(old_inner, new_inner, strict=True):
            if _shape(one) != _shape(other):
                yield from self._changes(one, other, name)
                if _own(one) == _own(other) and _is_function(
                    one
                ):  # its calls make the inner function: it needs the new
                    yield from self._replace(one, other, name)

    def _replace(self, old: CodeType, new: CodeType, name: str) -> Iterator[tuple[FunctionType, CodeType] | None]:
        functions = self.functions.get(id(old), [])
        if not _is_function(old) or old.co_freevars != new.co_freevars or _arguments(old) != _arguments(new):
            yield None
            return
        lines = {line for _, _, line in old.co_lines() if line} - {old.co_firstlineno}
        if lines & self.executed.get(name, set()):
            yield None
        for function in functions:
            yield function, new


def _is_function(code: CodeType) -> bool:
    """Whether code belongs to a function, not to a class body or a file."""
    return bool(code.co_flags & CO_NEWLOCALS)


def _inner(code: CodeType) -> list[CodeType]:
    return [one for one in code.co_consts if isinstance(one, CodeType)]


def _arguments(code: CodeType) -> tuple[object, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    return code.co_argcount, code.co_kwonlyargcount, code.co_varnames[:count], code.co_flags & CO_CALLING


def _own(code: CodeType) -> tuple[object, ...]:
    """What a code object does, without its place in the file and without the code inside it."""
    constants = tuple(repr(one) if not isinstance(one, CodeType) else one.co_name for one in code.co_consts)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return code.co_code, constants, names, _arguments(code), code.co_flags, code.co_exceptiontable


def _shape(code: CodeType) -> tuple[object, ...]:
    """What a code object does, the code inside it included."""
    return _own(code), tuple(_shape(one) for one in _inner(code))
