"""What is kept of a person beside the notes: the conversation and the preferences, and the lock of their folder."""

from __future__ import annotations

import json
import math
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from config import ConfigError
from jobs.notekeeper.job import chosen
from sandbox.files.replace import temporary_name

WAIT = 0.05  # seconds between two looks at a lock that another process holds
MOST_STEPS = 1_000


@dataclass
class Kept:
    """`said` is what had to be put aside, a sentence each, for the next result."""

    history: list[dict[str, str]] = field(default_factory=list)
    preferences: dict[str, Any] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)


def checked(preferences: Mapping[str, Any]) -> dict[str, Any]:
    """Preferences as they may be kept. Raises ConfigError, which says what each may be: one that nothing can run with
    would lock its person out."""
    for name, value in preferences.items():
        number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if name == "timeout" and not (value is None or (number and value > 0)):
            raise ConfigError(f"timeout is {value!r}, but may be a number of seconds above 0, or None for no limit.")
        if name == "max_iters" and not (
            value is None or (isinstance(value, int) and number and 1 <= value <= MOST_STEPS)
        ):
            raise ConfigError(f"max_iters is {value!r}, but may be 1 to {MOST_STEPS}, or None for the usual number.")
        if name == "tools":
            if not isinstance(value, str):
                raise ConfigError(f"tools is {value!r}, but may be names of sets with commas, such as 'kb,files'.")
            chosen(value)
        if name not in ("timeout", "max_iters", "tools"):
            raise ConfigError(f"there is no preference {name!r}. They are timeout, max_iters and tools.")
    return dict(preferences)


def load(path: Path) -> Kept:
    """What is kept there. What is damaged is put aside under another name, and said; nothing of it is deleted."""
    kept = Kept()
    try:
        data = json.loads(path.read_bytes())
        history, preferences = data["history"], data["preferences"]
        if not all(each["role"] in ("user", "assistant") and isinstance(each["content"], str) for each in history):
            raise ValueError("a message is none")
        kept.history = [{"role": each["role"], "content": each["content"]} for each in history]
    except FileNotFoundError:
        return kept
    except (ValueError, KeyError, TypeError, RecursionError):
        return Kept(said=[f"the conversation so far could not be read; it was put aside as {put_aside(path)}"])
    try:
        if not isinstance(preferences, dict):
            raise ConfigError("they are no names with values")
        kept.preferences = checked(preferences)
    except ConfigError as error:
        kept.said.append(f"the preferences are not used: {error}")
    return kept


def put_aside(path: Path) -> str:
    """Give a damaged file another name, which nothing has; return that. Nothing of it is deleted."""
    aside = next(name for number in range(10_000) if not (name := path.with_suffix(f".damaged-{number}")).exists())
    path.replace(aside)
    return aside.name


def store(path: Path, kept: Kept) -> None:
    """Raises OSError, and what was kept before is then still there."""
    temporary = path.with_name(temporary_name())  # not that of another process, where the lock is none
    text = json.dumps({"history": kept.history, "preferences": kept.preferences}, ensure_ascii=False)
    try:
        temporary.write_text(text, encoding="utf-8", errors="replace")
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def alone(path: Path, cancelled: threading.Event) -> Iterator[bool]:
    """Hold the lock of a file, made where it is none, or of a folder itself, among all threads and processes of this
    machine; whether it is held: False when it was cancelled before. The system lets go of it when a process dies."""
    descriptor = os.open(path, os.O_RDONLY) if path.is_dir() else os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not (held := _taken(descriptor)) and not cancelled.wait(WAIT):
            pass
        yield held
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without such locks, as NFS for a folder: its files are still compared and swapped
        pass
    return True
