"""All runs that are kept, each in one row: what the page of all runs shows, searches and sorts (live/home.py).

A run is read once: its first line, its last, and which files it changed. It is read again when its trace has grown.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeVar

from config import ConfigError
from records.folders import NAME, began, last_event, read_events, result_of, under_way

LONGEST_SHOWN = 300  # characters of a prompt
LONGEST_SEARCHED = 20_000  # characters of a prompt or an answer
RUNNING, KILLED = "running", "did not end"


@dataclass(frozen=True)
class Row:
    """A run. `ended` is its stop reason, RUNNING or KILLED; `parent` is the run that it goes on from, `step` where a
    fork does, and `otherwise` what it changed there; `changed` are the files that it left other than they were; `text`
    is what is searched."""

    name: str
    parent: str
    step: int
    otherwise: str
    undoes: str
    prompt: str
    job: str
    model: str
    ended: str
    turns: int
    seconds: float
    input: int
    output: int
    changed: tuple[str, ...]
    began: float
    text: str = ""

    def shown(self, depth: int) -> dict[str, Any]:
        """The row as the page has it."""
        plain = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "text"}
        return {**plain, "changed": self.changed[:5], "changes": len(self.changed), "depth": depth}


class Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def parent(self) -> str: ...


T = TypeVar("T", bound=Named)

SORTS: dict[str, Callable[[Row], float]] = {
    "tokens": lambda row: -(row.input + row.output),
    "seconds": lambda row: -row.seconds,
    "changes": lambda row: -len(row.changed),
    "turns": lambda row: -row.turns,
}
KINDS: dict[str, Callable[[Row], bool]] = {
    "running": lambda row: row.ended == RUNNING,
    "answered": lambda row: row.ended == "answered",
    "other": lambda row: row.ended not in (RUNNING, "answered"),
    "changed": lambda row: bool(row.changed),
    "forked": lambda row: bool(row.parent),
}


class Overview:
    """The rows of all runs in a folder. `version` grows whenever one is new or other than it was."""

    def __init__(self, runs: Path) -> None:
        self.runs, self.version, self.total = runs, 0, 0
        self._rows: dict[str, Row] = {}
        self._sizes: dict[str, int] = {}
        self._newest: tuple[int, list[Row]] = (0, [])  # of a version
        self._last: tuple[Any, list[tuple[Row, int]]] = ((), [])

    @property
    def read(self) -> int:
        return len(self._rows)

    def look(self) -> Iterator[None]:
        """Look at all runs once, the newest first; between two it gives way."""
        names = self._names()
        self.total = len(names)
        for gone in self._rows.keys() - set(names):
            del self._rows[gone], self._sizes[gone]
            self.version += 1
        for name in names:
            row = self._rows.get(name)
            if (row is None or row.ended == RUNNING) and self._read(self.runs / name, row):
                self.version += 1
                yield

    def _names(self) -> list[str]:
        try:
            with os.scandir(self.runs) as entries:
                return sorted((each.name for each in entries if NAME.fullmatch(each.name)), reverse=True)
        except OSError:
            return []

    def _read(self, folder: Path, known: Row | None) -> bool:
        """Read one run; return whether its row is another now."""
        try:
            size = (folder / "trace.jsonl").stat().st_size
        except OSError:  # being made, or being deleted
            self.total -= 1
            return False
        if known and size == self._sizes[folder.name] and under_way(folder):
            return False
        row = row_of(folder)
        self._rows[folder.name], self._sizes[folder.name] = row, size
        return row != known

    def window(
        self, query: str = "", sort: str = "", only: str = "", first: int = 0, count: int = 100
    ) -> dict[str, Any]:
        """Some of the runs that hold every word of a query, the newest first as a tree, or sorted."""
        read, asked = self.read, (self.version, query, sort, only)
        if self._last[0] != asked:
            self._last = asked, self._found(query.lower().split(), sort, only)
        found = self._last[1]
        state = {"version": asked[0], "read": read, "total": self.total, "matches": len(found), "first": first}
        return {**state, "rows": [row.shown(depth) for row, depth in found[first : first + count]]}

    def _found(self, words: list[str], sort: str, only: str) -> list[tuple[Row, int]]:
        if self._newest[0] != self.version:
            known = sorted(self._rows.copy().values(), key=lambda row: (row.began, row.name), reverse=True)
            self._newest = self.version, known
        rows = self._newest[1]
        for word in words:
            rows = [row for row in rows if word in row.text]
        if only in KINDS:
            rows = list(filter(KINDS[only], rows))
        if sort in SORTS:
            return [(row, 0) for row in sorted(rows, key=SORTS[sort])]
        return list(as_tree(rows))


def row_of(folder: Path) -> Row:
    """Read one run."""
    result: dict[str, Any] = {}
    goes_on = False
    try:
        first, second = [*islice(read_events(folder), 2), {}, {}][:2]
        last = last_event(folder)
        if last.get("kind") != "finished":
            goes_on = under_way(folder)
            last = last if goes_on else last_event(folder)  # it may have come just now
        if last.get("kind") == "finished" and isinstance(last.get("result"), dict):
            result = last["result"]
        elif not goes_on:
            result = {**result_of(folder), "stop_reason": KILLED}
    except (ConfigError, KeyError, TypeError, ValueError, AttributeError):  # damaged: it still has a name
        first, second, last = {}, {}, {}
    forked, tokens = _mapping(first.get("forked")), _mapping(result.get("tokens"))
    parent = str(forked.get("from") or (second.get("from") if second.get("kind") == "continued" else "") or "")
    calls = [call for call in result.get("tool_calls") or () if isinstance(call, dict)]
    prompt, model = str(first.get("prompt", "")), str(result.get("model") or first.get("provider", ""))
    job, changed = str(first.get("job") or ""), changed_in(folder)
    files = {
        str(value) for call in calls for value in _mapping(call.get("arguments")).values() if len(str(value)) < 300
    }
    tools = {str(call.get("name", "")) for call in calls}
    said = (prompt[:LONGEST_SEARCHED], str(result.get("answer") or "")[:LONGEST_SEARCHED], job, model)
    return Row(
        name=folder.name,
        parent=parent,
        step=_whole(forked.get("step")),
        otherwise=", ".join(map(str, _list(forked.get("changed")))),
        undoes=str(first.get("undoes") or ""),
        prompt=" ".join(prompt[:LONGEST_SHOWN].split()),
        job=job,
        model=model,
        ended=str(result.get("stop_reason") or (RUNNING if goes_on else KILLED)),
        turns=_whole(result.get("turns") or last.get("turn")),
        seconds=_number(result.get("seconds") or last.get("at")),
        input=_whole(tokens.get("input")),
        output=_whole(tokens.get("output")),
        changed=changed,
        began=_number(began(folder)),
        text="\n".join((folder.name, *said, str(first.get("provider", "")), *files, *tools, *changed)).lower(),
    )


def changed_in(folder: Path) -> tuple[str, ...]:
    """The files that a run left other than they were, as far as it is known without reading them."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        after = json.loads((folder / "kept" / "after.json").read_bytes())["changed"]
        before = json.loads((folder / "kept" / "before.json").read_bytes())["entries"]
        return tuple(sorted(path for path, entry in after.items() if _plain(entry) != _plain(before.get(path))))
    return ()


def _plain(entry: Any) -> Any:
    return "folder" if entry and entry[0] == "directory" else entry and entry[:3]


def as_tree(known: Iterable[T]) -> Iterator[tuple[T, int]]:
    """Each run with how deep it stands: below the run that it goes on from, where that is among them."""
    known = list(known)
    names = {about.name for about in known}
    below: dict[str, list[T]] = {}
    for about in known:
        there = about.parent in names and about.parent != about.name
        below.setdefault(about.parent if there else "", []).append(about)
    for root in below.get("", []):
        yield root, 0
        waiting = [(each, 1) for each in reversed(below.get(root.name, ()))]
        while waiting:
            about, depth = waiting.pop()
            yield about, depth
            waiting += [(each, depth + 1) for each in reversed(below.get(about.name, ()))]


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _whole(value: Any) -> int:
    return int(_number(value))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and value == value else 0.0
