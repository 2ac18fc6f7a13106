"""Compiling of a large file only what changed: the one function or class at its top that a change is in."""

from __future__ import annotations
import __future__

import warnings
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import CodeType

from ..changes.edits import common_prefix, common_suffix

FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


def compiled(text: str, name: str, flags: int = 0) -> CodeType:
    """The code of a text. Raises what `compile` raises, but for warnings: a project may ask pytest to make errors of
    them, and what stood in the text before is not for the change to answer for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(text, name, "exec", flags=flags, dont_inherit=True)


@dataclass(frozen=True)
class Piece:
    """A definition at the top of a file: its lines there (1-based), compiled as it stands there and as changed."""

    first: int
    last: int
    old: CodeType
    new: CodeType


class Pieces:
    """The definitions at the top of a file."""

    def __init__(self, name: str, text: str, code: CodeType) -> None:
        """`code` is the whole file as compiled, `name` the name that it was compiled under."""
        self._name = name
        self._flags = code.co_flags & FUTURE
        self._lines = text.splitlines(keepends=True)
        self._spans = list(_spans(code, self._lines))
        self._old = cache(lambda first, last: self._compiled(self._lines[first - 1 : last], first))

    def changed(self, text: str) -> Piece | None:
        """What changed, None unless it lies within one definition. Raises what `compile` raises."""
        lines = text.splitlines(keepends=True)
        same = common_prefix(self._lines, lines)
        rest = common_suffix(self._lines[same:], lines[same:])
        for first, last in self._spans:
            if first <= same + 1 and len(self._lines) - rest <= last:
                piece = lines[first - 1 : last + len(lines) - len(self._lines)]
                return Piece(first, last, self._old(first, last), self._compiled(piece, first))
        return None

    def _compiled(self, lines: list[str], first: int) -> CodeType:
        text = "\n" * (first - 1) + "".join(lines)
        return compiled(text, self._name, self._flags)


def _spans(code: CodeType, lines: list[str]) -> Iterator[tuple[int, int]]:
    """The first and last line of each definition that stands at the very top, up to the next statement there.

    Taken from the code (`co_firstlineno` is the first decorator's line), so that a large file is not parsed again.
    """
    starts = sorted({line for _, _, line in code.co_lines() if line})
    for one in code.co_consts:
        if isinstance(one, CodeType) and lines[one.co_firstlineno - 1].startswith(("def ", "class ", "async ", "@")):
            following = bisect_right(starts, _last_line(one))
            yield one.co_firstlineno, starts[following] - 1 if following < len(starts) else len(lines)


def _last_line(code: CodeType) -> int:
    own = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    return max([own, *(_last_line(one) for one in code.co_consts if isinstance(one, CodeType))])
