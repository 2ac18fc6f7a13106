"""Tool: give a note another place or name, with the links to it; into a note that exists it is merged."""

from __future__ import annotations

import posixpath
import unicodedata
from functools import partial

from functions import ToolError
from functions.refused import refused
from functions.tool import Tool
from jobs.notekeeper.knowledge_base import KnowledgeBase, unread
from jobs.notekeeper.merging import merged_with
from jobs.notekeeper.moving import Changed, moved, put_back, relinked, rewritten, ways, write_as
from jobs.notekeeper.notes import title_of
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "move_note",
    "description": "Move or rename a note; links follow. Onto an existing note: add to it all that it does not say.",
    "parameters": {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The note"},
            "to": {"type": "string", "description": "Its new path"},
        },
        "required": ["path", "to"],
    },
}


def move_note(kb: KnowledgeBase, path: str, to: str) -> str:
    """Return what was done. All notes that change are looked at before the first is written, and the note is removed
    last: stopped in between, nothing is lost; what is refused in between, as by a full disk, is put back, so that no
    note stands at two places."""
    path, to = posixpath.normpath(path), posixpath.normpath(to)
    if path == to:
        return ToolError("path and to are the same, so nothing would change")
    changed: list[Changed] = []
    try:
        if why := unread(to):
            return ToolError(why)
        if not to.lower().endswith(".md"):
            return ToolError(f'a note\'s name ends in ".md"; give the whole new path, such as "{whole(path, to)}"')
        titles = kb.titles()
        text = kb.root.read_text(path)
        merged = kb.root.exists(to)
        if merged and to not in titles and spelled(to) == spelled(path):
            return ToolError(f'on this disk "{to}" is the same file as "{path}"; move it to another name first')
        pointing = kb.pointing_at(path)
        for other in {to, *pointing} if merged else pointing:
            kb.rewrite(other, lambda old: (old, ""))  # raises what would be refused later
        leads = ways(titles, path, to, title_of(to, text))
        if merged:
            part = relinked(kb, text, (path, to), (path, to), titles, leads)
            changed.append(rewritten(kb, to, lambda kept: merged_with(kept, part, path, to, titles)))
        else:
            copy = moved(kb, text, path, to, titles, leads)
            write_as(kb, path, to, copy)
            changed.append((to, None, copy))
        for other in pointing:
            follows = partial(relinked, kb, own=(other, other), goes=(path, to), titles=titles, leads=leads)
            changed.append(rewritten(kb, other, follows))
        kb.root.remove(path, saying=text)
    except Refusal as refusal:
        if refusal.reason != "changed":  # else both versions stay
            put_back(kb, changed)
        return refused(refusal, kb.root, path, "file")
    follow = f"; the links to it in {', '.join(pointing)} follow" if pointing else ""
    return f'{"Merged" if merged else "Moved"} "{path}" into "{to}"{follow}'


def whole(path: str, to: str) -> str:
    """The path that may be meant where a note is to move `to` a folder, or to a name that ends in ".markdown"."""
    stem, end = posixpath.splitext(to)
    name = posixpath.splitext(posixpath.basename(path))[0]
    return f"{stem}.md" if end.lower() == ".markdown" else posixpath.join(to, f"{name}.md")


def spelled(path: str) -> str:
    """A path as a disk has it that tells no capitals apart: a note merged into itself there would be gone."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


TOOL = Tool(name="move_note", function=move_note, schema=SCHEMA, reads_only=False, changes_files=True, resource="kb")
