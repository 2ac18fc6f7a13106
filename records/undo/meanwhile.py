"""Somebody else has changed a file between a model's look and its call: what is kept of that, and what is said."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from records.undo.kept import Kept
from records.undo.tree import Entry
from sandbox.files.off_limits import Refusal
from sandbox.files.replace import Held
from sandbox.files.unusual import shown

LONGEST_LINE = 80  # characters that are shown of the first line that differs


def found_changed(kept: Kept, path: str, was: Entry | None) -> None:
    """A tool is about to replace this (None: nothing), which is not what was seen before the call: somebody else has
    changed it, and it is what comes back. Its bytes are kept already."""
    seen = kept.watched.pop(path, None)
    if not (was and seen and was.stamp == seen.stamp):  # else it was one of too many to keep, and is kept now
        kept.noted |= {was.digest} if was else set()
        if path in kept.announced:  # between two changes of the same call
            kept.mixed.add(path)
            was = seen
        else:
            kept.changed_by_others({path: was} if was else {}, {path})
    kept.watched |= {path: was} if was else {}
    kept.write(watched=True)


def refuse_unexpected(
    kept: Kept, expected: Mapping[str, Entry | None], path: str, was: Entry | None, held: Held, verb: str
) -> None:
    """Raises a Refusal where what a call is about to replace is not what the model knows: what is `expected` of the
    paths that its reply names, and of others what was seen before the call."""
    if path not in expected and kept.paths is not None and path not in kept.paths:
        return
    before = expected[path] if path in expected else kept.watched.get(path)
    if not (was.stamp == before.stamp or was.digest == before.digest if was and before else was == before):
        known = None
        with suppress(OSError):  # what was only read was not kept
            known = kept.bytes_of(before.digest) if before and before.kept else None
        raise changed_meanwhile(verb, path, known, held.data, was_there=before is not None)


def changed_meanwhile(verb: str, path: str, before: bytes | None, now: bytes | None, *, was_there: bool) -> Refusal:
    """The refusal of a call that would replace what nobody has read. `before` and `now` are the bytes, None where there
    is no file or they are not known."""
    why = f"somebody else {'changed' if was_there else 'made'} it meanwhile"
    if before is not None and now is not None:
        number, line = first_difference(before, now)
        why += f" (it ends before line {number} now)" if line is None else f' (line {number} is now "{shown(line)}")'
    elif was_there and now is None:
        why = "somebody else deleted it meanwhile"
    return Refusal(f'Cannot {verb} "{shown(path)}" as {why}; read it again, then decide anew', "changed")


def first_difference(before: bytes, now: bytes) -> tuple[int, str | None]:
    """The number of the first line that is not the same, and what it is now; None where there is none any more."""
    same, differ = 0, min(len(before), len(now)) + 1  # so many bytes are the same, and so many are not
    while differ - same > 1:
        middle = (same + differ) // 2
        same, differ = (middle, differ) if before[:middle] == now[:middle] else (same, middle)
    begins = now.rfind(b"\n", 0, same) + 1
    line = now[begins : begins + 4 * LONGEST_LINE].partition(b"\n")[0].decode("utf-8", "replace")
    return now.count(b"\n", 0, same) + 1, line[:LONGEST_LINE] if begins < len(now) else None
