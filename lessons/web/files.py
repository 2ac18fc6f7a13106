"""The learner's file as the page has it: read with what tells its state, written only over the state that was read."""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lessons import words
from lessons.course import CourseError, Lesson
from lessons.learner import Learner
from lessons.progress import fingerprint, reason_of, write_whole

LARGEST = 2**19  # bytes of a file on the page


@dataclass(frozen=True)
class Text:
    """A file's text, with "\\n" between lines, and its bytes' fingerprint; both are "" for one that is not there,
    which is `gone`: an empty one has a fingerprint, too."""

    text: str
    hash: str
    gone: bool = False

    @property
    def data(self) -> dict[str, Any]:
        return asdict(self)


class Changed(CourseError):
    """The file is not as the page believes it to be: `now` is what it is."""

    def __init__(self, sentence: str, now: Text) -> None:
        super().__init__(sentence)
        self.now = now


def read_text(learner: Learner, lesson: Lesson) -> Text:
    """Read the learner's file. Raises CourseError for what a page cannot show."""
    path = learner.file(lesson)
    try:
        before = fingerprint(path)
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise ValueError(words.WEB_TOO_LONG.format(most=LARGEST))
        text = raw.decode("utf-8")
    except FileNotFoundError:
        return Text("", "", gone=True)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise CourseError(words.WEB_NO_TEXT.format(file=lesson.file, reason=reason, path=path)) from None
    return Text(text.replace("\r\n", "\n"), before)  # changed while it was read: the next save is told


def save_text(learner: Learner, lesson: Lesson, text: str, seen: str, *, keep: bool = False) -> tuple[str, str]:
    """Write the file as a whole or not at all; return its new fingerprint, and where the other version is or "".

    `seen` is the fingerprint under which the page read it; with `keep` what is there now, if it is that, is put aside.
    Raises Changed when it is another by now, CourseError when the disk does not take it.
    """
    path = learner.file(lesson)
    now, kept = fingerprint(path), ""
    if now != seen:
        changed = words.WEB_CHANGED if path.exists() else words.WEB_GONE
        raise Changed(changed.format(file=lesson.file), read_text(learner, lesson))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_bytes() if now else b""
        if keep and old:
            kept = put_aside(learner, lesson)
        write_whole(path, text.replace("\n", "\r\n") if b"\r\n" in old else text)
    except OSError as error:
        raise CourseError(words.NOT_COPIED.format(file=lesson.file, reason=reason_of(error))) from None
    return fingerprint(path), kept


def put_aside(learner: Learner, lesson: Lesson) -> str:
    """Copy the file to a name that is free, and return how that is named to the learner. Raises OSError."""
    old, number = learner.folder / "old", 1
    old.mkdir(exist_ok=True)
    while (target := old / f"{lesson.part}-{number}.py").exists():
        number += 1
    return f"{lesson.home}/old/{Path(shutil.copy(learner.file(lesson), target)).name}"
