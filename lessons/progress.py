"""What the learner has done, in a small readable file beside their own. Written whole or not at all.

Two sittings may have it open, one in a terminal and one in a browser: what each changes is written into what is there.
"""

from __future__ import annotations

import copy
import errno
import json
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lessons import words
from lessons.course import CourseError, Lesson
from lessons.history import remember, spend

VERSION = 1
RECORD: dict[str, Any] = {
    "passed": "",
    "passed_as": "",
    "checked": "",
    "saves": 0,
    "failed_saves": 0,
    "hints": 0,
    "solution_seen": False,
    "predicted": "",
    "seconds": 0,
    "history": [],
}
LARGEST = 2**20  # bytes; a progress file that is longer is damaged


class Damaged(Exception):
    """The file is not one of ours, or not whole. The text says why."""


class Progress:
    """The progress file as data. What this version does not know is kept as it is."""

    def __init__(self, path: Path, data: dict[str, Any] | None = None) -> None:
        self.path = path
        self.data = data or {"version": VERSION, "current": "", "lessons": {}}
        self._known = copy.deepcopy(self.data)  # as it was read or written last

    @property
    def current(self) -> str:
        return str(self.data.get("current", ""))

    @current.setter
    def current(self, key: str) -> None:
        self.data["current"] = key

    def of(self, lesson: Lesson) -> dict[str, Any]:
        """The record of one lesson: passed (a date or ""), passed_as and checked (fingerprints of the file as it passed
        and as it was checked last), saves, failed_saves, hints, solution_seen, predicted (the answer or ""), and, as
        history.py writes them, seconds and history."""
        record = self.data["lessons"].setdefault(lesson.key, {})
        for name, value in copy.deepcopy(RECORD).items():
            record.setdefault(name, value)
        return record

    def happened(self, lesson: Lesson) -> None:
        """The learner has done something in a lesson, now."""
        self.of(lesson)
        spend(self.data, lesson.key)

    def checked(self, lesson: Lesson, found: str, fingerprint: str) -> None:
        """A check was made, of a file with that fingerprint: what did not hold, or ""."""
        record = self.of(lesson)
        self.happened(lesson)
        remember(record, found)
        record["saves"] += 1
        if found:
            record["failed_saves"] += 1
        else:
            self.mark_passed(lesson, fingerprint)

    def passed(self, lesson: Lesson) -> bool:
        return bool(self.data["lessons"].get(lesson.key, {}).get("passed"))

    def mark_passed(self, lesson: Lesson, fingerprint: str = "") -> None:
        """Write down when the lesson was done first, and which file did it last."""
        record = self.of(lesson)
        record["passed"] = record["passed"] or datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
        record["passed_as"] = fingerprint

    def not_passed(self, lesson: Lesson) -> None:
        self.of(lesson).update(passed="", passed_as="")

    def forget(self, lesson: Lesson) -> None:
        """As if the lesson had never been begun; but who has seen its solution has seen it."""
        if self.data["lessons"].pop(lesson.key, {}).get("solution_seen"):
            self.of(lesson)["solution_seen"] = True

    def save(self) -> None:
        """Write what has changed into the file, in one step, and know then what is in it. Raises CourseError when the
        disk does not take it; the old file is whole then."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with held(self.path.parent):
                data = merged(self._known, self.data, self._on_disk() or self.data)
                write_whole(self.path, json.dumps(data, indent=2) + "\n")
            self.data, self._known = data, copy.deepcopy(data)
        except OSError as error:
            raise CourseError(words.NOT_SAVED.format(reason=reason_of(error))) from None

    def _on_disk(self) -> dict[str, Any] | None:
        """What is there now; a file that was damaged meanwhile is set aside."""
        try:
            return read(self.path)
        except Damaged:
            set_aside(self.path)
            return None


def merged(known: dict[str, Any], ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """What another sitting has written since, with what we have changed since: a lesson's record field by field."""
    lessons = {key: dict(record) for key, record in theirs["lessons"].items()}
    for key in {*known["lessons"], *ours["lessons"]}:
        if key in ours["lessons"]:
            before = {**RECORD, **known["lessons"].get(key, {})}
            lessons.setdefault(key, {}).update(changed(before, ours["lessons"][key]))
        else:
            lessons.pop(key, None)
    return {**theirs, **changed(known, ours), "lessons": lessons}


def changed(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in now.items() if name not in before or before[name] != value}


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """While it lasts, no other sitting writes here. Where the system has no such lock, the later one wins."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def fingerprint(path: Path) -> str:
    """A short text that changes with the file; "" when it cannot be read."""
    try:
        raw = path.read_bytes()
    except OSError:
        return ""
    return f"{zlib.crc32(raw):08x}-{len(raw)}"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there as a whole or as it was before. Raises OSError."""
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(draft).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(draft).unlink()
        raise


def reason_of(error: OSError) -> str:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return "the disk is full" if full else (error.strerror or str(error)).lower()


def read(path: Path) -> dict[str, Any] | None:
    """The data of a progress file; None when there is none. Raises Damaged."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(reason_of(error)) from None
    if len(raw) > LARGEST:
        raise Damaged("it is too long")
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"not valid JSON: {str(error)[:80]}" if raw.strip() else "it is empty") from None
    lessons = data.get("lessons") if isinstance(data, dict) else None
    if not isinstance(lessons, dict) or not all(isinstance(record, dict) for record in lessons.values()):
        raise Damaged("it holds something else than lessons")
    for record in lessons.values():
        for name, value in RECORD.items():
            if not isinstance(record.get(name, value), type(value)):
                raise Damaged(f"{name} is not what it should be")
    return data


def set_aside(path: Path) -> Path:
    """Rename a damaged file to a name that is free, so that nothing of it is lost."""
    number = 1
    while (kept := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    path.rename(kept)
    return kept
