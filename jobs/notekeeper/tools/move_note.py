"""Tool: give a note another place or name, with the links to it; into a note that exists it is merged."""

from __future__ import annotations

import posixpath
import re

from functions import ToolError
from functions.missing import refused
from functions.tool import Tool
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.notes import (
    link_to,
    links_in,
    paragraphs,
    repeats,
    resolved,
    split_note,
    with_front,
    with_paragraphs,
)
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "move_note",
    "description": "Move or rename a note; links follow. Onto an existing note: merge into it what that lacks.",
    "parameters": {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The note"},
            "to": {"type": "string", "description": "Its new path"},
        },
        "required": ["path", "to"],
    },
}
REPEATED = 0.8  # of a paragraph stands in the other note: it is not written again
HALF = 0.5  # the same of a sentence


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
        if merged:
            merge(kb, text, to)
        else:
            kb.root.write_text(to, moved(text, path, to, titles))
        pointing = kb.pointing_at(path)
        for other in pointing:
            repoint(kb, other, path, to, titles)
        kb.root.remove(path)
    except Refusal as refusal:
        return refused(refusal, kb.root, path, "file")
    follow = f"; the links to it in {', '.join(pointing)} follow" if pointing else ""
    return f'{"Merged" if merged else "Moved"} "{path}" into "{to}"{follow}'


def moved(text: str, path: str, to: str, titles: dict[str, str]) -> str:
    """The text with its category and its own links as they must be at the new place."""
    for link in links_in(text):
        there = resolved(link, path, titles)
        if there and not link.wiki:
            name = link.raw[1 : link.raw.index("](")]
            text = text.replace(link.raw, link_to(to, to if there == path else there, name))
    front = split_note(text)[0]
    if front.get("category") and posixpath.dirname(to) not in ("", front["category"]):
        return with_front(text, "category", posixpath.dirname(to))
    return text


def merge(kb: KnowledgeBase, text: str, to: str) -> None:
    """Add to the note what it lacks of a text."""
    kept = kb.root.read_text(to)
    blocks = [part for part in paragraphs(text) if part not in kept and repeats(part, kept) < REPEATED]
    lacking = [own for block in blocks if (own := " ".join(lacking_in(block, kept)))]
    if lacking:
        kb.root.write_text(to, with_paragraphs(kept, lacking))


def lacking_in(block: str, kept: str) -> list[str]:
    """The sentences of a block that say something else than the note; a block with lines of its own stays whole."""
    if "\n" in block:
        return [block]
    return [part for part in re.split(r"(?<=[.!?])\s+", block) if repeats(part, kept) < HALF]


def repoint(kb: KnowledgeBase, other: str, path: str, to: str, titles: dict[str, str]) -> None:
    """Let a note's links to `path` lead to `to`; one that would lead to the note itself becomes plain text."""
    text = kb.root.read_text(other)
    for link in links_in(text):
        if resolved(link, other, titles) != path:
            continue
        name = link.target if link.wiki else link.raw[1 : link.raw.index("](")]
        text = text.replace(link.raw, name if other == to else link_to(other, to, name))
    kb.root.write_text(other, text)


TOOL = Tool(name="move_note", function=move_note, schema=SCHEMA, reads_only=False, changes_files=True, resource="kb")
