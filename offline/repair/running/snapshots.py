"""The watch that looks at values: what the names hold at some lines of the program, in each test.

Only plain values are taken (numbers, texts, and lists, tuples, sets and dictionaries of them), as literals.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import FrameType
from typing import Any

from ..reading.examples import Expected
from ..reading.facts import Facts
from ..reading.failures import Failure
from .limits import arm_limit

MOST_HITS = 12  # of one line in one test
MOST_LENGTH = 200  # characters of a value
MOST_FIELDS = 10  # of one object
PLAIN = (int, float, str, bool, type(None))


@dataclass(frozen=True)
class Hit:
    """A line that was reached: the values there, what the tests expect of the call, and whether it went wrong."""

    test: str
    call: int  # the number of the call of the function, in the test
    values: Mapping[str, Any]  # name ("width", "self.width") -> value
    expected: Expected | None = None
    wrong: bool = False  # the test failed at this call


class Recorder:
    """Reports {"snapshot": test, "hits": [[path, line, call, {name: literal}, test line]], "failed", "depth"}."""

    def __init__(
        self,
        facts: Facts,
        wanted: Mapping[str, list[int]],
        test_files: set[str],
        locate: Callable[[str], str | None],
        report: Callable[[dict[str, Any]], None],
    ) -> None:
        self.facts = facts
        self.wanted = {name: set(lines) for name, lines in wanted.items()}  # absolute names
        self.test_files = test_files
        self.locate = locate
        self.report = report
        self.stop = False
        self.files: Sequence[str] = ()
        self.hits: list[list[Any]] = []
        self.counts: dict[tuple[str, int], int] = {}
        self.calls = 0

    def order(self, names: list[str]) -> list[str]:
        """All tests that are known, in their own order."""
        known = {*self.facts.failing, *self.facts.passing}
        return [name for name in names if name in known]

    def started(self, name: str) -> None:
        """Begin to look."""
        self.hits, self.counts, self.calls = [], {}, 0
        arm_limit(5 * self.facts.limit_of(name))
        sys.settrace(self._enter)

    def finished(self, name: str, failure: Failure | None) -> None:
        """Tell what was seen."""
        sys.settrace(None)
        arm_limit(0)
        self.report(
            {"snapshot": name, "hits": self.hits, "failed": failure is not None, "depth": failure and failure.depth}
        )

    def done(self) -> None:
        """Say that everything ran."""
        self.report({"passed": None})

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        wanted = self.wanted.get(name)
        if not wanted:
            return None
        self.calls += 1
        number, caller = self.calls, frame.f_back
        test_line = caller.f_lineno if caller is not None and caller.f_code.co_filename in self.test_files else 0

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line" and frame.f_lineno in wanted:
                self._take(name, number, test_line, frame)
            return line

        return line

    def _take(self, name: str, number: int, test_line: int, frame: FrameType) -> None:
        place = name, frame.f_lineno
        self.counts[place] = self.counts.get(place, 0) + 1
        if self.counts[place] <= MOST_HITS:
            self.hits.append([self.locate(name), frame.f_lineno, number, _literals(frame.f_locals), test_line])


def read_hits(
    records: list[dict[str, Any]], examples: Mapping[str, Mapping[int, Expected]]
) -> dict[tuple[str, int], list[Hit]]:
    """(path, line) -> hits, from a recorder's reports. `examples`: path of a test file -> line -> what is expected."""
    found: dict[tuple[str, int], list[Hit]] = {}
    for record in records:
        if "snapshot" not in record:
            continue
        name = record["snapshot"]
        home = next((one for path, one in examples.items() if PurePosixPath(path).stem in name), {})
        lines = [test_line for *_, test_line in record["hits"] if test_line]
        failed_at = record["depth"] if record["depth"] in lines else max(lines, default=0)
        last = max((hit[2] for hit in record["hits"] if hit[4] == failed_at), default=-1)
        for path, line, number, values, test_line in record["hits"]:
            wrong = record["failed"] and (number == last or not lines)
            told = {name: _value(text) for name, text in values.items()}
            told = {name: value for name, value in told.items() if value is not _value}
            found.setdefault((path, line), []).append(Hit(name, number, told, home.get(test_line), wrong))
    return found


def _value(text: str) -> Any:
    """The value of a literal; this function itself for what is none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return _value


def _literals(values: Mapping[str, Any]) -> dict[str, str]:
    """The plain values among some, and the plain fields of objects, as literals."""
    found: dict[str, str] = {}
    for name, value in list(values.items()):
        if _is_plain(value, 3):
            _put(found, name, value)
        elif name.isidentifier():
            fields = getattr(value, "__dict__", None)
            for field, inner in list(fields.items())[:MOST_FIELDS] if type(fields) is dict else ():
                if _is_plain(inner, 2):
                    _put(found, f"{name}.{field}", inner)
    return found


def _put(found: dict[str, str], name: str, value: Any) -> None:
    text = repr(value)
    if len(text) <= MOST_LENGTH and text not in ("set()", "inf", "-inf", "nan"):
        found[name] = text


def _is_plain(value: Any, depth: int) -> bool:
    if type(value) in PLAIN:
        return value == value and value not in (float("inf"), float("-inf"))
    if depth == 0 or type(value) not in (list, tuple, dict, set) or len(value) > 20:
        return False
    parts = [*value.keys(), *value.values()] if type(value) is dict else value
    return all(_is_plain(one, depth - 1) for one in parts)
