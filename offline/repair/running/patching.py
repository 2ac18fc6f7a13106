"""Giving functions that are already imported the code of a candidate, so that a child need not import anything.

Only changes inside functions can be made this way; what runs at import (constants, defaults, class bodies) cannot, and
neither can a function that was called while the tests were imported; where failing tests call it too, it can be tried,
but when it is no cure, that may be for what it did at import.
"""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType

from .pieces import Piece, Pieces, compiled


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

    def __init__(
        self,
        texts: Mapping[str, str],
        code: Mapping[str, CodeType],
        executed: Mapping[str, set[int]],
        run_again: Mapping[str, set[int]],
    ) -> None:
        """`texts` and `code` are the files as imported, by absolute name."""
        self.code = dict(code)  # absolute file name -> code of the file, as imported
        self.executed = executed  # absolute file name -> lines that ran during import
        self.run_again = run_again  # those that failing tests run too
        self.doubtful = False  # whether what was applied last ran during import
        self.loaded = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        self._pieces = cache(lambda name: Pieces(name, texts[name], self.code[name]))
        self._undo: list[tuple[FunctionType, CodeType]] = []
        self.functions = {id(one): all_of for one, all_of in functions_by_code(set(code)).items()}

    def apply(self, name: str, text: str) -> bool:
        """Make the functions of a file behave as in its new text. False, and nothing done, when that cannot be.

        Raises what `compile` raises.
        """
        if name not in self.loaded:  # a test will import it, and run the text on disk
            return False
        piece = self._pieces(name).changed(text)
        if piece is None:
            whole = self.code[name]
            changes = list(self._changes(whole, whole, compiled(text, name), name))
        else:
            changes = list(self._changes_of(piece, name))
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
        self.doubtful = False

    def _changes_of(self, piece: Piece, name: str) -> Iterator[tuple[FunctionType, CodeType] | None]:
        """The same for one definition of a file. Its old text is compiled alone as its new one is, to compare the two:
        how Python compiles `re.compile(...)` depends on whether the file imports `re` (is_import_originated)."""
        loaded = [one for one in _inner(self.code[name]) if piece.first <= one.co_firstlineno <= piece.last]
        if _own(piece.old) != _own(piece.new) or len(loaded) != len(_inner(piece.old)):
            yield None
            return
        yield from self._inner_changes(loaded, _inner(piece.old), _inner(piece.new), name)

    def _changes(
        self, loaded: CodeType, old: CodeType, new: CodeType, name: str
    ) -> Iterator[tuple[FunctionType, CodeType] | None]:
        """Pairs of a function that was made from `loaded` and its new code; None for a change that cannot be made."""
        if _own(old) != _own(new):
            yield from self._replace(loaded, old, new, name)
        if len(_inner(old)) != len(_inner(new)):
            if not _is_function(old):
                yield None
            return
        yield from self._inner_changes(_inner(loaded), _inner(old), _inner(new), name)

    def _inner_changes(
        self, loaded: list[CodeType], old: list[CodeType], new: list[CodeType], name: str
    ) -> Iterator[tuple[FunctionType, CodeType] | None]:
        for code, one, other in zip(loaded, old, new, strict=True):
            if _shape(one) != _shape(other):
                yield from self._changes(code, one, other, name)
                if _own(one) == _own(other) and _is_function(
                    one
                ):  # its calls make the inner function: it needs the new
                    yield from self._replace(code, one, other, name)

    def _replace(
        self, loaded: CodeType, old: CodeType, new: CodeType, name: str
    ) -> Iterator[tuple[FunctionType, CodeType] | None]:
        functions = self.functions.get(id(loaded), [])
        if not _is_function(old) or old.co_freevars != new.co_freevars or _arguments(old) != _arguments(new):
            yield None
            return
        lines = {line for _, _, line in old.co_lines() if line} - {old.co_firstlineno}
        ran = lines & self.executed.get(name, set())
        self.doubtful |= bool(ran)
        if ran and not ran & self.run_again.get(name, set()):
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
