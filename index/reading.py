"""What the bytes of a file say as text: UTF-8, else Windows-1252; a notebook as the text of its cells."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from sandbox.files.root import Refusal, Root
from sandbox.files.unusual import shown

NOTEBOOK, NO_NOTEBOOK = ".ipynb", "no notebook with cells"
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
    found = text_in(path, root.read_bytes(path))
    if found is None:
        raise Refusal(f'Cannot read "{shown(path)}" as it is {why_not(path)}', "not_text")
    return found


def text_in(path: str, data: bytes) -> Text | None:
    """Return what these bytes of a file say, None where they are no text; `path` says what kind of file it is."""
    found = _decoded(data)
    return _of_cells(found.text) if found and path.lower().endswith(NOTEBOOK) else found


def why_not(path: str) -> str:
    """What a file is of which there is no text."""
    return NO_NOTEBOOK if path.lower().endswith(NOTEBOOK) else NO_TEXT


def _decoded(data: bytes) -> Text | None:
    """The text of some bytes, None where they hold none. What is UTF-8 but for a few bytes, as when it was cut
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


def _of_cells(notebook: str) -> Text | None:
    """The cells as Markdown, so that their headings are sections, with code between fences longer than any in it."""
    told = []
    try:
        for cell in json.loads(notebook)["cells"]:
            text = "".join(cell["source"]).strip("\n")
            fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
            if cell["cell_type"] in ("markdown", "code"):
                told.append(f"{fence}\n{text}\n{fence}" if cell["cell_type"] == "code" else text)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    text = "\n\n".join(filter(None, told)) + "\n"
    return Text(text.replace("\0", "").encode(errors="replace").decode(), "the text of its cells")
