"""Tool: give a note another place or name, with the links to it; into a note that exists it is merged."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from contextlib import suppress

from functions import ToolError
from functions.refused import refused
from functions.tool import Tool
from jobs.notekeeper.extending import merged_with
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.notes import files_in, link_to, links_in, resolved, split_note, title_of, way_to, with_front
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
    """Return what was done. The note is removed last: stopped in between, nothing is lost."""
    path, to = posixpath.normpath(path), posixpath.normpath(to)
    if path == to:
        return ToolError("path and to are the same, so nothing would change")
    if not to.lower().endswith(".md"):
        return ToolError(
            f'a note\'s name ends in ".md"; give the whole new path, such as "{to}/{posixpath.basename(path)}"'
        )
    try:
        titles = kb.titles()
        text = kb.root.read_text(path)
        merged = kb.root.exists(to)
        if merged and to not in titles and spelled(to) == spelled(path):
            return ToolError(f'on this disk "{to}" is the same file as "{path}"; move it to another name first')
        if merged:
            kb.rewrite(to, lambda kept: (merged_with(kept, moved(kb, text, path, to, titles), to, titles), ""))
        else:
            kb.root.write_text(to, moved(kb, text, path, to, titles), new=True)
        pointing = kb.pointing_at(path)
        for other in pointing:
            repoint(kb, other, path, to, titles, text)
        kb.root.remove(path, saying=text)
    except Refusal as refusal:
        return refused(refusal, kb.root, path, "file")
    follow = f"; the links to it in {', '.join(pointing)} follow" if pointing else ""
    return f'{"Merged" if merged else "Moved"} "{path}" into "{to}"{follow}'


def spelled(path: str) -> str:
    """A path as a disk has it that tells no capitals apart: a note merged into itself there would be gone."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def moved(kb: KnowledgeBase, text: str, path: str, to: str, titles: dict[str, str]) -> str:
    """The text with its category, its own links and the paths of its pictures as they must be at the new place."""
    for link in links_in(text):
        there = resolved(link, path, titles)
        if there and not link.wiki:
            text = text.replace(link.raw, link_to(to, to if there == path else there, link.shown, link.anchor))
    for target, beside in dict(files_in(text)).items():
        there = posixpath.normpath(posixpath.join(posixpath.dirname(path), beside))
        if there not in titles and is_there(kb, there):
            new = "](" + way_to(to, there) + "".join(target.strip("<>").partition("#")[1:])
            text = re.sub(rf"\]\({re.escape(target)}(?=[\s)])", lambda _, new=new: new, text)
    front = split_note(text)[0]
    if front.get("category") and posixpath.dirname(to) not in ("", front["category"]):
        return with_front(text, "category", posixpath.dirname(to))
    return text


def is_there(kb: KnowledgeBase, path: str) -> bool:
    """Whether a file is at a path that a note names; what leads outside is not looked at."""
    with suppress(Refusal):
        return kb.root.is_file(path)
    return False


def repoint(kb: KnowledgeBase, other: str, path: str, to: str, titles: dict[str, str], was: str) -> None:
    """Let a note's links to `path`, whose text was `was`, lead to `to`; one that would lead to the note itself becomes
    plain text. A wiki link that finds it there, too, stays as it is."""
    after = {known: title for known, title in titles.items() if known != path}
    after.setdefault(to, title_of(to, was))

    def led(text: str) -> tuple[str, str]:
        for link in links_in(text):
            if resolved(link, other, titles) == path and not (
                link.wiki and resolved(link, other, after) == to != other
            ):
                new = link.shown if other == to else link_to(other, to, link.shown, link.anchor)
                text = text.replace(link.raw, new)
        return text, ""

    kb.rewrite(other, led)


TOOL = Tool(name="move_note", function=move_note, schema=SCHEMA, reads_only=False, changes_files=True, resource="kb")
