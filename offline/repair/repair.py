"""The built-in model's brain: search for the smallest change that makes failing tests pass. No language model.

`repair` works on a copy of the files in a private temporary directory and in child processes; it returns what to edit
and changes nothing itself. What the child says is checked here before anything of it is believed.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log1p
from pathlib import Path, PurePosixPath
from typing import Any

from sandbox.files.root import Root
from sandbox.running.process import Limits, run_python

from .changes.edits import Edit, apply_edits, changed_lines, difference, exact_replacements, lines_that_differ

WORKER = Path(__file__).with_name("worker.py")
LIMITS = {"memory_bytes": 1024 * 2**20, "output_bytes": 400_000, "processes": 128}
ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
NOTHING_FOUND = "In the time there was, no change was found that makes the failing tests pass."
SURE = (1.9, 1.8, -1.4)  # weights: of 1, of how much more plausible than the next, of how many others pass
EXTRA_SECONDS = 1.0  # what the child may take beyond its own limit before it is ended from here


@dataclass(frozen=True)
class Repair:
    """One change that makes all tests pass."""

    path: str  # "pkg/calculator.py"
    line: int  # 1-based line of the change
    old_line: str
    new_line: str  # the changed source line(s), for the explanation
    edits: tuple[tuple[str, str], ...]  # (old_text, new_text); old_text occurs exactly once in the file's text
    operator: str  # what kind of change, in words: "a different constant"
    shown_by: tuple[str, ...]  # the tests that failed before and pass now
    also: tuple[Repair, ...] = ()  # changes of further files that belong to it (rare: two places at once)

    def made(self, files: Mapping[str, str]) -> dict[str, str]:
        """The texts of the files that this change is about, with it."""
        texts = {}
        for part in (self, *self.also):
            text = files[part.path]
            for old, new in part.edits:
                text = text.replace(old, new, 1)
            texts[part.path] = text
        return texts


@dataclass(frozen=True)
class Finding:
    """What `repair` found out. `status` is "repaired", "nothing_to_fix", "not_found", "no_tests", "cannot_import",
    "cancelled" or "failed"."""

    status: str
    repair: Repair | None = None
    runner_up: Repair | None = None
    remaining: int = 0  # how many other changes also pass
    tried: int = 0
    seconds: float = 0.0
    suspicious: tuple[tuple[str, int], ...] = ()  # (path, line), most suspicious first
    message: str = ""  # a sentence or two for the answer
    partial: Repair | None = None  # where nothing passes: the change that makes most failing tests pass, breaking none
    why: tuple[str, ...] = ()  # for the first of the suspicious lines: what speaks against each
    failing: int = 0  # how many tests fail
    sure: float | None = None  # how probable it is that the repair is right and does not only pass; None: not known
    partial_sure: float | None = None  # the same of the partial


def repair(
    files: Mapping[str, str],
    *,
    hint: str = "",
    seconds: float = 60.0,
    seed: int = 0,
    on_progress: Callable[[str], None] = lambda line: None,
    cancelled: threading.Event | None = None,
    solutions: Sequence[Mapping[str, str]] = (),
    only: Mapping[str, tuple[int, int]] | None = None,
    first: Mapping[str, Sequence[int]] = {},  # noqa: B006 - never changed
    failing: Sequence[str] = (),
    known: Sequence[str] = (),
) -> Finding:
    """Search for a change of the program among `files` (path -> text) that makes the failing tests pass.

    `hint` is what the user said; `seconds` bounds the search; `on_progress` gets short lines for a person;
    `cancelled` ends everything within a second when set; `solutions` may hold correct programs with functions of the
    same names: the one that most others agree with is taken as the judge and as a giver of parts; `only` names the
    files, with their first and last line, that may change (None: all); `first` the lines, by path, that somebody has
    changed without success: there, and beside them, the search begins. `failing`: what tests are called that are
    known to fail: they are run first, as the time may not be enough for all. `known`: what all tests are called that
    fail where the project is; one that fails here alone, for want of a file that is no text, say, does not count. Never
    raises for what the files hold.
    """
    began = time.monotonic()
    cancelled = cancelled or threading.Event()
    files = {path: text for path, text in files.items() if _is_plain_path(path)}
    outcome: dict[str, Any] = {"status": "failed"}
    request = {"hint": hint, "seconds": seconds, "end": began + seconds, "seed": seed}
    request |= {"solutions": [dict(one) for one in solutions], "only": None if only is None else dict(only)}
    request |= {"first": {path: list(lines) for path, lines in first.items()}}
    request |= {"failing": list(failing), "known": list(known)}
    listener = _Listener(on_progress)
    _send(files, request, listener.hear, cancelled)
    if cancelled.is_set():
        outcome = {"status": "cancelled", "message": "The search was cancelled."}
    else:
        outcome = listener.outcome or listener.best or outcome
    try:
        return _finding(outcome, files, time.monotonic() - began, seconds)
    except (TypeError, ValueError, AttributeError, LookupError):  # the program under repair forged the answer
        return Finding("failed", seconds=time.monotonic() - began, message=NOTHING_FOUND)


def tried_lines(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, list[int]]:
    """The lines of files that are not as they were: where somebody has tried to repair them."""
    changed = (path for path in now if path in before and path.endswith(".py") and now[path] != before[path])
    return {path: lines_that_differ(before[path], now[path]) for path in changed}


def in_place_of(change: Repair, before: Mapping[str, str], now: Mapping[str, str]) -> Repair | None:
    """A change that was found for files as they were before, for those that are there now: what was changed meanwhile
    goes back with it. None where that cannot be written as replacements."""
    wanted = {path: before[path] for path in tried_lines(before, now)} | change.made(before)
    words = f"{change.operator}; what was tried since is taken back"
    edits = {path: tuple(difference(path, now[path], text)) for path, text in wanted.items() if path in now}
    parts = [_one_file(path, each, now, words, change.shown_by) for path, each in edits.items() if each]
    whole = [part for part in parts if part is not None]
    return replace(whole[0], also=tuple(whole[1:])) if whole and len(whole) == len(parts) else None


def nearest_first(changes: Iterable[Repair], before: Mapping[str, str], now: Mapping[str, str]) -> list[Repair]:
    """Changes of the files that are there now, those first that leave them nearest to what they were before."""

    def apart(change: Repair) -> int:
        return sum(map(len, tried_lines(before, {**now, **change.made(now)}).values()))

    return sorted(changes, key=apart)


def suspicious_lines(files: Mapping[str, str], *, seconds: float = 4.0) -> list[tuple[str, int]]:
    """The lines (path, number) of the program that failing tests run and passing ones do not, most suspicious first.

    It is the beginning of a search, which is ended as soon as they are known; [] where that takes longer.
    """
    files = {path: text for path, text in files.items() if _is_plain_path(path)}
    known, listener = threading.Event(), _Listener(lambda line: None)

    def hear(data: bytes) -> None:
        listener.hear(data)
        if listener.best and listener.best.get("suspicious"):
            known.set()

    request = {"hint": "", "seconds": seconds, "end": time.monotonic() + seconds, "seed": 0}
    _send(files, {**request, "solutions": [], "only": None, "first": {}, "failing": [], "known": []}, hear, known)
    try:
        found = [(str(path), int(line)) for path, line in (listener.best or {}).get("suspicious", ())]
    except (TypeError, ValueError):  # the program under repair forged the answer
        return []
    return [(path, line) for path, line in found if 1 <= line <= files.get(path, "").count("\n") + 1]


def _send(
    files: Mapping[str, str], request: Mapping[str, Any], hear: Callable[[bytes], None], stop: threading.Event
) -> None:
    """Let the worker do what is asked for, in a directory of its own."""
    with tempfile.TemporaryDirectory(prefix="repair-", ignore_cleanup_errors=True) as place:
        Path(place, "request.json").write_text(json.dumps({"files": dict(files), **request}), "utf-8")
        launch(Path(place), request["seconds"] + EXTRA_SECONDS, request["seed"], hear, stop)


def launch(
    directory: Path, seconds: float, seed: int, on_output: Callable[[bytes], None], cancelled: threading.Event
) -> None:
    """Run the worker in a directory until it ends, `seconds` pass or `cancelled` is set.

    `seed` decides the order of sets in the program under repair. The worker's standard output goes to `on_output` as it
    comes.
    """
    with Root(directory) as root:
        run_python(
            root,
            [str(WORKER)],
            limits=Limits(seconds=seconds, **LIMITS),
            cancelled=cancelled,
            on_output=on_output,
            readable=[WORKER.parent],
            environment={**ENVIRONMENT, "PYTHONHASHSEED": str(seed % 2**32)},
        )


class _Listener:
    """Puts the child's output back into lines: progress goes on, the outcome is kept, and the best before it."""

    def __init__(self, on_progress: Callable[[str], None]) -> None:
        self.on_progress = on_progress
        self.outcome: dict[str, Any] | None = None
        self.best: dict[str, Any] | None = None
        self._rest = b""

    def hear(self, data: bytes) -> None:
        """Take the next bytes of the child's stdout."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and isinstance(record.get("progress"), str):
                self.on_progress(record["progress"][:200])
            elif isinstance(record, dict) and isinstance(record.get("outcome"), dict):
                self.outcome = record["outcome"]
            elif isinstance(record, dict) and isinstance(record.get("best"), dict):
                self.best = {**(self.best or {}), **record["best"]}


def _finding(outcome: Mapping[str, Any], files: Mapping[str, str], seconds: float, most: float) -> Finding:
    """The finding of a search that took so many seconds of the `most` that it may, from an outcome that may have been
    forged: only what can be checked against the files is taken."""
    which = "that there was time for" if seconds >= most else "that I tried"
    failing = tuple(str(name) for name in outcome.get("failing", ()))
    repairs = [_checked_repair(one, files, failing) for one in outcome.get("passing", ())[:2]]
    status = str(outcome.get("status"))
    told = outcome.get("partial")
    fixed = tuple(str(name) for name in outcome.get("fixed", ()))
    partial = _checked_repair(told, files, fixed) if told and status != "repaired" else None
    sure = how_sure([float(one) for one in outcome.get("evidence", ())])
    if status == "repaired" and (not repairs or repairs[0] is None):
        status = "failed"
    return Finding(
        status=status,
        repair=repairs[0] if repairs else None,
        runner_up=repairs[1] if len(repairs) > 1 else None,
        remaining=max(0, len(outcome.get("passing", ())) - 1),
        tried=int(outcome.get("tried", 0)),
        seconds=seconds,
        suspicious=tuple((str(path), int(line)) for path, line in outcome.get("suspicious", ())),
        message=str(outcome.get("message") or _message(outcome, partial, which)),
        partial=partial,
        why=tuple(str(words) for words in outcome.get("reasons", ())),
        failing=len(failing),
        sure=sure if status == "repaired" else None,
        partial_sure=sure if partial else None,
    )


def how_sure(evidence: Sequence[float]) -> float | None:
    """How probable it is that a change is right, from what `choice.evidence_for` says; None where that is nothing.

    A logistic regression on bugs whose right change is known (docs/built-in-model.md says on which, and how it held).
    """
    if len(evidence) != len(SURE) - 1:
        return None
    more, others = evidence
    score = SURE[0] + SURE[1] * more + SURE[2] * log1p(max(0.0, others))
    return 1 / (1 + exp(-max(-20.0, min(20.0, score))))


def _message(outcome: Mapping[str, Any], partial: Repair | None, which: str) -> str:
    """A sentence or two for an outcome that has none of its own; `which` of all changes were tried."""
    tried, others = outcome.get("tried", 0), len(outcome.get("passing", ())) - 1
    if outcome.get("status") == "repaired":
        return f"{others} other change{'s' * (others > 1)} would also make all tests pass." if others > 0 else ""
    if outcome.get("status") != "not_found":
        return NOTHING_FOUND
    none = f"None of the {tried} changes {which} makes all tests pass." if tried else NOTHING_FOUND
    if partial is not None:
        count, all_failing = len(partial.shown_by), len(outcome.get("failing", ()))
        part = f"{count} of {all_failing} failing tests" if count < all_failing else f"{count} tests"
        return (
            f"{none} The nearest makes {part} pass and breaks none; it is only a part, "
            f"so I did not apply it: {partial.path} line {partial.line}, {partial.operator}: {partial.new_line}"
        )
    places = list(zip(outcome.get("suspicious", ())[:3], [*outcome.get("reasons", ()), "", "", ""], strict=False))
    look = ", ".join(f"{path} line {line}" + (f" ({why})" if why else "") for (path, line), why in places)
    return f"{none} I would look at {look} first." if look else none


def _checked_repair(one: Mapping[str, Any], files: Mapping[str, str], failing: tuple[str, ...]) -> Repair | None:
    """A repair, when every edit lies within a given file; a second file's edits are in `also`."""
    edits = sorted(Edit(str(path), int(start), int(end), str(new)) for path, start, end, new in one.get("edits", ()))
    words, parts = str(one.get("operator", "")), []
    for path in dict.fromkeys(edit.path for edit in edits):
        part = _one_file(path, tuple(edit for edit in edits if edit.path == path), files, words, failing)
        if part is None:
            return None
        parts.append(part)
    return replace(parts[0], also=tuple(parts[1:])) if parts else None


def _one_file(
    path: str, edits: tuple[Edit, ...], files: Mapping[str, str], words: str, failing: tuple[str, ...]
) -> Repair | None:
    if path not in files:
        return None
    text = files[path]
    ends = [0, *(edit.end for edit in edits)]
    if any(not end <= edit.start <= edit.end <= len(text) for end, edit in zip(ends, edits, strict=False)):
        return None
    pairs = exact_replacements(text, edits)
    if not _replays(text, pairs, apply_edits(text, edits)):
        return None
    line, old, new = changed_lines(text, edits)
    return Repair(path, line, old, new, pairs, words, failing)


def _replays(text: str, pairs: tuple[tuple[str, str], ...], wanted: str) -> bool:
    """Whether the replacements, done one after another as `edit_file` does them, give the wanted text."""
    for old, new in pairs:
        if text.count(old) != 1:
            return False
        text = text.replace(old, new)
    return text == wanted


def _is_plain_path(path: str) -> bool:
    pure = PurePosixPath(path)
    return bool(path) and not pure.is_absolute() and ".." not in pure.parts and "\0" not in path and "\\" not in path
