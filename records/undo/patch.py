"""Changes as a patch in git's format: what `git apply` takes, binary files, modes and odd names included."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping

from records.undo.compared import grouped
from records.undo.tree import Entry, content_of, lines_of

NOTHING = b"/dev/null"
Pair = tuple[Entry | None, Entry | None]


def patch(changes: Mapping[str, Pair], bytes_of: Callable[[str], bytes]) -> bytes:
    """Return the patch. `bytes_of` gives the content for an entry's digest. Directories, which git does not know, and
    files that were too large to keep are left out."""
    return b"".join(b"".join(_file(path, *pair, bytes_of)) for path, pair in sorted(changes.items()))


def _file(path: str, old: Entry | None, new: Entry | None, bytes_of: Callable[[str], bytes]) -> Iterator[bytes]:
    if any(entry and (entry.kind == "directory" or not entry.kept) for entry in (old, new)):
        old, new = (entry if entry and entry.kind != "directory" and entry.kept else None for entry in (old, new))
    if old and new and old.kind != new.kind:
        yield from _file(path, old, None, bytes_of)
        old = None
    before, after = content_of(old, bytes_of), content_of(new, bytes_of)
    if (old is None and new is None) or (old and new and before == after and _mode(old) == _mode(new)):
        return
    left, right = _quoted(b"a/", path), _quoted(b"b/", path)
    yield b"diff --git %s %s\n" % (left, right)
    if old is None and new:
        yield b"new file mode %s\n" % _mode(new)
    elif new is None and old:
        yield b"deleted file mode %s\n" % _mode(old)
    elif old and new and _mode(old) != _mode(new):
        yield b"old mode %s\nnew mode %s\n" % (_mode(old), _mode(new))
    if before == after:
        return
    if b"\0" in before[:8000] or b"\0" in after[:8000]:
        yield b"index %s..%s\nGIT binary patch\n" % (_blob(old, before), _blob(new, after))
        yield from _literal(after)
        yield from _literal(before)
        return
    yield b"--- %s\n+++ %s\n" % (left if old else NOTHING, right if new else NOTHING)
    yield from _hunks(before, after)


def _mode(entry: Entry) -> bytes:
    if entry.kind == "link":
        return b"120000"
    return b"100755" if entry.mode & 0o100 else b"100644"


def _quoted(prefix: bytes, path: str) -> bytes:
    """A name as git quotes it: in C's way, when it holds anything but plain characters."""
    raw = prefix + path.encode("utf-8", "surrogateescape")
    if all(32 < byte < 127 and byte not in b'"\\' for byte in raw):
        return raw
    return b'"%s"' % b"".join(
        bytes([byte]) if 32 <= byte < 127 and byte not in b'"\\' else b"\\%03o" % byte for byte in raw
    )


def _hunks(before: bytes, after: bytes) -> Iterator[bytes]:
    """The hunks of a unified diff with three lines of context, a missing line feed at the end marked."""
    old, new = lines_of(before), lines_of(after)
    for group in grouped(old, new, 3):
        first, last = group[0], group[-1]
        ranges = _range(first[1], last[2]).encode(), _range(first[3], last[4]).encode()
        yield b"@@ -%s +%s @@\n" % ranges
        for tag, old_start, old_end, new_start, new_end in group:
            removed, added = old[old_start:old_end], new[new_start:new_end]
            if tag == "equal":
                yield from (_marked(b" ", line) for line in removed)
                continue
            yield from (_marked(b"-", line) for line in removed)
            yield from (_marked(b"+", line) for line in added)


def _range(start: int, end: int) -> str:
    """A hunk's range as unified diffs write it: an empty one names the line before it."""
    length = end - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def _marked(mark: bytes, line: bytes) -> bytes:
    raw = mark + line
    return raw if raw.endswith(b"\n") else raw + b"\n\\ No newline at end of file\n"


def _blob(entry: Entry | None, data: bytes) -> bytes:
    """git's own name for a content; a binary patch must name both sides in full."""
    if entry is None:
        return b"0" * 40
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest().encode()


def _literal(data: bytes) -> Iterator[bytes]:
    """One side of a binary patch: the length, then the deflated bytes in lines of 52, in base 85."""
    yield b"literal %d\n" % len(data)
    packed = zlib.compress(data)
    for start in range(0, len(packed), 52):
        piece = packed[start : start + 52]
        length = len(piece)
        mark = chr(ord("A") + length - 1) if length <= 26 else chr(ord("a") + length - 27)
        yield mark.encode() + base64.b85encode(piece, pad=True) + b"\n"
    yield b"\n"
