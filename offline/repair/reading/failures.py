"""What a failing test says: its message, how far the test came, where in the program it was raised."""

from __future__ import annotations

import contextlib
import dis
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType

MOST_TEXT = 500
RAISE = dis.opmap["RAISE_VARARGS"]


@dataclass(frozen=True)
class Failure:
    """One failure, small enough to travel through a pipe."""

    text: str  # "AssertionError: 3 != 4"
    depth: int = 0  # the line of the test file that was reached, 0 when unknown
    crash: tuple[str, int] | None = None  # (path, line) of the program where it was raised, if it was
    meant: bool = False  # the program itself raised it, with `raise`

    @classmethod
    def of(cls, error: BaseException, locate: Callable[[str], str | None]) -> Failure:
        """Read an exception. `locate` turns an absolute file name into a path of the project, None for others."""
        depth, crash, meant = 0, None, False
        for name, line, meant in _frames(error.__traceback__):
            path = locate(name)
            if path is not None:
                crash = (path, line)
                depth = depth or line
            else:
                meant = False
        return cls(_sentence(error), depth, crash, meant)


def quoted_in(texts: Iterable[str], least: int) -> Counter[str]:
    """The words of `least` to 40 characters that failures say between quotation marks, `has no 'Circle'`, counted."""
    quoted = re.compile(rf"['\"]([^'\"\s]{{{least},40}})['\"]")
    return Counter(word for text in texts for word in quoted.findall(text))


def _frames(traceback: TracebackType | None) -> list[tuple[str, int, bool]]:
    """File, line and whether it stands at a `raise`, from the test down."""
    frames = []
    while traceback is not None and len(frames) < 2000:
        code = traceback.tb_frame.f_code
        frames.append((code.co_filename, traceback.tb_lineno, code.co_code[traceback.tb_lasti] == RAISE))
        traceback = traceback.tb_next
    return frames


def _sentence(error: BaseException) -> str:
    with contextlib.suppress(Exception):  # a program's own exception may fail to print itself
        return f"{type(error).__name__}: {error}"[:MOST_TEXT]
    return type(error).__name__
