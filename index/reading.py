"""What the bytes of a file say as text: UTF-8, else Windows-1252."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sandbox.files.root import Refusal, Root
from sandbox.files.unusual import shown

NO_TEXT = "no text in UTF-8 or Windows-1252"
_NO_LETTERS = re.compile("[\\udc80-\\udcff]")  # how Python keeps bytes that are no UTF-8
_CONTROL = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")  # what no text holds; a terminal's escapes are left


@dataclass(frozen=True)
class Text:
    """A file as text, and how it was read where that was not simply as UTF-8."""

    text: str
    how: str = ""


def text_of(root: Root, path: str) -> Text:
    """Return a file's text. Raises Refusal as Root does, also where the file holds none."""
    found = text_in(root.read_bytes(path))
    if found is None:
        raise Refusal(f'Cannot read "{shown(path)}" as it is {NO_TEXT}', "not_text")
    return found


def text_in(data: bytes) -> Text | None:
    """Return what these bytes say, None where they are no text. What is UTF-8 but for a few bytes, as when it was cut
    within a letter, stays UTF-8: in the other encoding all its letters would be spoilt."""
    kept = data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")
    broken = len(_NO_LETTERS.findall(kept))
    if "\0" in kept or broken and _CONTROL.search(data):
        return None
    if not broken:
        return Text(kept)
    if broken <= (len(kept) - len(kept.encode("ascii", "ignore"))) / 2:
        return Text(_NO_LETTERS.sub("\ufffd", kept), f"read as UTF-8 but for {broken:,} bytes")
    try:
        return Text(data.decode("cp1252").replace("\r\n", "\n"), "read as Windows-1252, as it is not UTF-8")
    except UnicodeDecodeError:
        return None
