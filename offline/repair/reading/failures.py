"""What a failing test says: its message, how far the test came, where in the program it was raised."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType

MOST_TEXT = 500


@dataclass(frozen=True)
class Failure:
    """One failure, small enough to travel through a pipe."""

    text: str  # "AssertionError: 3 != 4"
    depth: int = 0  # the line of the test file that was reached, 0 when unknown
    crash: tuple[str, int] | None = None  # (path, line) of the program where it was raised, if it was
    drawn: bool = False  # the test is a property, called by Hypothesis with one example after the other

    @classmethod
    def of(cls, error: BaseException, locate: Callable[[str], str | None]) -> Failure:
        """Read an exception. `locate` turns an absolute file name into a path of the project, None for others."""
        depth, crash, drawn = 0, None, False
        for step in _steps(error.__traceback__):
            drawn = drawn or step.tb_frame.f_globals.get("__name__") == "hypothesis.core"
            path = locate(step.tb_frame.f_code.co_filename)
            if path is not None:
                crash = (path, step.tb_lineno)
                depth = depth or step.tb_lineno
        return cls(_sentence(error), depth, crash, drawn)


def quoted_in(texts: Iterable[str], least: int) -> Counter[str]:
    """The words of `least` to 40 characters that failures say between quotation marks, `has no 'Circle'`, counted."""
    quoted = re.compile(rf"['\"]([^'\"\s]{{{least},40}})['\"]")
    return Counter(word for text in texts for word in quoted.findall(text))


def _steps(traceback: TracebackType | None) -> list[TracebackType]:
    steps = []
    while traceback is not None and len(steps) < 2000:
        steps.append(traceback)
        traceback = traceback.tb_next
    return steps


def _sentence(error: BaseException) -> str:
    with contextlib.suppress(Exception):  # a program's own exception may fail to print itself
        return f"{type(error).__name__}: {error}"[:MOST_TEXT]
    return type(error).__name__
