"""The coder's tools, one a file: the schema, the function, and at the end `TOOL`, which says what there is to know.

A tool takes the working directory first (a path, or a `Root` that is already held), then what the model
sent. It returns text and never raises for anything that a model can cause. Here is what it returns.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

from sandbox.files.root import Refusal

Lines = list[tuple[int, int]]  # ranges of lines, first and last, counted from 1
Sources = Sequence[tuple[str, Lines]]  # what a text rests on: paths (or endpoints, or addresses), and lines of them

LARGEST_COMPILED = 500_000  # characters


class Verdict(NamedTuple):
    """A result as a person wants to see it at once: one line, and what is wrong, a line each."""

    line: str
    failing: list[str]


class Result(str):
    """What a tool returns: the text for the model, and beside it what nobody should read out of that text again.

    `sources` are the files and lines that it rests on, `verdict` what a person should see of it at once.
    """

    sources: Sources
    verdict: Verdict | None

    def __new__(cls, text: str, sources: Sources = (), verdict: Verdict | None = None) -> Result:
        result = super().__new__(cls, text)
        result.sources, result.verdict = sources, verdict
        return result


class ToolError(str):
    """A failure as text: begins with "Error: ", and tells the model what to do instead. It rests on nothing."""

    __slots__ = ()

    def __new__(cls, sentence: object) -> ToolError:
        return super().__new__(cls, f"Error: {sentence}")


def lines_of(text: str, first: int = 1) -> Lines:
    """The lines that a text fills from `first` on, none for an empty one; a line feed at its end begins no line."""
    count = text.count("\n") + (not text.endswith("\n")) if text else 0
    return [(first, first + count - 1)] if count else []


def must_compile(path: str, before: str, after: str, line: int = 0) -> None:
    """Raise Refusal where a Python file that compiled would not any more: it says what is wrong, where, and what the
    file has at `line`, where the change was to be made. Nothing is run."""
    problem = _syntax_error(after) if path.endswith(".py") and len(after) <= LARGEST_COMPILED else None
    if problem and before.strip() and _syntax_error(before) is None:
        from functions.uncompiled import would_not_compile

        raise Refusal(would_not_compile(path, before, after, line, problem), "syntax")


def _syntax_error(text: str) -> SyntaxError | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<text>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return error
        except (ValueError, RecursionError, MemoryError, OverflowError):  # it cannot be told here
            return None
    return None
