"""Between the tries of one run (tries.py): what a try changed is put back, or made once more, by undo's own record.

The record hears of it as of a tool at work, before anything is done: a kill in the middle leaves what undo understands.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from records.undo.kept import A_TOOL, NOBODY_KNOWS, SOMEBODYS, Kept
from records.undo.put_back import put_back
from records.undo.tree import Entry, look, with_folders
from sandbox.files.root import Refusal, Root

Entries = Mapping[str, Entry | None]
MOST_NAMED = 3  # paths
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM")


class NotPutBack(Exception):
    """Files are not as they were to be; the text says which, and why."""


def as_at_the_start(kept: Kept) -> Entries:
    """What a run has touched, as it was before the run."""
    return {path: kept.before.get(path) for path in kept.after}


def as_left(kept: Kept) -> Entries:
    """What a run has changed, as it is now."""
    return {path: now for path, (_, now) in kept.changes().items()}


def become(kept: Kept, root: Root, wanted: Entries) -> None:
    """Make files of a run what is wanted (None: not there), in place of what the run left and of nothing else.

    Raises NotPutBack, and has then changed nothing, where somebody else has changed one of them since, where nobody can
    tell whose a change is, or where one was too large to keep; and where one could not be written, the others done.
    """
    try:
        with undisturbed(), closing(root.again()) as top:
            _become(kept, top.fileno(), wanted)
    except (OSError, Refusal) as error:
        raise NotPutBack(f"the working directory cannot be used ({error})") from None


def _become(kept: Kept, top: int, wanted: Entries) -> None:
    paths = with_folders(wanted)
    seen = look(top, paths, kept.keep)
    rest = {path: entry for path, entry in wanted.items() if entry != seen.get(path)}
    kept.begin(seen, paths, A_TOOL)  # what is not as the run left it is somebody's from here on
    why = _why_not(kept, rest)
    if why:
        kept.finish(seen, SOMEBODYS)
        raise NotPutBack(why)
    for path, entry in rest.items():
        is_file = entry is not None and entry.kind == "file"
        kept.announce(path, entry.kind if entry else "", kept.bytes_of(entry.digest) if entry and is_file else b"")
    failed = put_back(top, rest, kept.bytes_of, seen)
    now = look(top, paths, kept.keep)
    kept.finish(now, NOBODY_KNOWS)
    failed |= {path: "it did not become what it was" for path in rest if now.get(path) != rest[path]} | failed
    if failed:
        raise NotPutBack("; ".join(f"{path} ({why})" for path, why in sorted(failed.items())))


def _why_not(kept: Kept, rest: Entries) -> str:
    if others := sorted(kept.mixed & rest.keys()):
        return f"somebody else changed {_named(others)} meanwhile"
    if unsure := sorted(kept.unsure & rest.keys()):
        return f"{_named(unsure)} changed while code was at work, by it or by somebody else"
    lost = sorted(path for path, entry in rest.items() if entry and not entry.kept)
    return f"{_named(lost)} was too large to keep" if lost else ""


def _named(paths: list[str]) -> str:
    more = len(paths) - MOST_NAMED
    return ", ".join(repr(path)[:200] for path in paths[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let no signal break into the block: one that comes is heard at its end. Only the main thread has handlers."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[tuple[Any, ...]] = []
    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    before = {number: handler for number in numbers if callable(handler := signal.getsignal(number))}
    for number in before:
        signal.signal(number, lambda *told: heard.append(told))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if heard:
        before[heard[0][0]](*heard[0])
