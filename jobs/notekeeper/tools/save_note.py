"""Tool: write a note, or extend the one that is about the same."""

from __future__ import annotations

import datetime
import posixpath
from collections.abc import Iterable

from functions import ToolError
from functions.tool import Tool
from jobs.notekeeper.extending import changed_elsewhere, extended, link_both_ways, tell_the_old
from jobs.notekeeper.knowledge_base import LARGEST_NOTE, KnowledgeBase, folders_of
from jobs.notekeeper.notes import file_name, join_note
from sandbox.files.off_limits import parts_of
from sandbox.files.root import IGNORED, Refusal

SCHEMA = {
    "name": "save_note",
    "description": "Write a note, with links both ways. One of the same title is extended by what is new.",
    "parameters": {
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "A few words"},
            "content": {"type": "string", "description": "Markdown, without title and front matter"},
            "category": {"type": "string", "description": "Folder; one that exists where one fits"},
            "tags": {"type": "array", "items": {"type": "string"}, "description": "A few words each"},
            "source": {"type": "string", "description": "Where it is from, such as an address"},
            "related": {"type": "array", "items": {"type": "string"}, "description": "Paths of related notes"},
        },
        "required": ["title", "content", "category"],
    },
}


def save_note(
    kb: KnowledgeBase,
    title: str,
    content: str,
    category: str,
    tags: list[str] | None = None,
    source: str = "",
    related: list[str] | None = None,
) -> str:
    """Return what was written: `Created "path"`, `Extended "path"`, or that the note says this already."""
    title, content = " ".join(title.split()), content.strip()
    if not title or not content:
        return ToolError("a note needs a title and a content")
    try:
        there = kb.look()
        titles = kb.titles(there)
        titled = kb.titled(title, content, category, titles)
        near = [] if titled else kb.near(content, there)
        known = kb.saying(title, content, titled or near)
        for path in dict.fromkeys([*filter(None, [known]), *titled]):
            try:
                return extend(kb, path, content, tags)
            except Refusal as refusal:
                if refusal.reason != "too_large":  # else the next of this title has room, or a new one
                    raise
        path, is_free = place_for(kb, category, title, content, there)
        if not is_free:
            return extend(kb, path, content, tags)
        front = {"title": title, "category": posixpath.dirname(path) or "general", "tags": list(tags or [])}
        front |= {"date": datetime.date.today().isoformat(), "source": source}
        elsewhere, told, superseded = changed_elsewhere(kb, path, content, near)
        text = join_note(front, "\n\n".join([f"# {title}", content, *elsewhere]))
        if len(text.encode(errors="replace")) > LARGEST_NOTE:
            return ToolError(
                f"a note of this would be larger than {LARGEST_NOTE:,} bytes, and no larger one is ever found, so "
                "nothing was kept; save it in parts, each with a title of its own"
            )
        kb.root.write_text(path, text, new=True)
    except Refusal as refusal:
        if refusal.reason == "exists":  # somebody else was quicker with this name: it may be about the same
            return save_note(kb, title, content, category, tags, source, related)
        return ToolError(refusal)
    linked = []
    try:
        tell_the_old(kb, path, title, superseded)
        linked = link_both_ways(kb, path, title, related or [], titles)
    except Refusal as refusal:  # the note is kept, and who hears an error would send it again
        told.append(f". But not every other note could be told of it: {refusal}")
    return f'Created "{path}"' + (f", linked both ways with {', '.join(linked)}" if linked else "") + "".join(told)


def extend(kb: KnowledgeBase, path: str, content: str, tags: list[str] | None) -> str:
    """Add to a note what it does not say; return what was done. Raises Refusal."""
    return kb.rewrite(path, lambda old: extended(old, content, tags or [])).format(path=f'"{path}"')


def place_for(kb: KnowledgeBase, category: str, title: str, content: str, there: Iterable[str]) -> tuple[str, bool]:
    """A path that nothing has, in the folder of the category (as it is spelled, where there is such a folder), and
    True; or that of a note of this title that somebody made since these were seen, and False. Raises Refusal for one
    that leads outside."""
    folders = {folder.casefold(): folder for folder in folders_of(there)}
    parts = parts_of(category.strip(), "write to")
    folder = folders.get("/".join(parts).casefold()) or "/".join(
        f"{name}-notes" if name in IGNORED else name for name in map(file_name, parts)
    )
    name = posixpath.join(folder, file_name(title))
    several = (f"{name}.md", *(f"{name}-{number}.md" for number in range(2, 1000)))
    for path in several:
        if not kb.root.exists(path):
            return path, True
        if path not in there and kb.titled(title, content, category, {path: kb.title(path)}):
            return path, False
    raise Refusal(f'There are too many notes of the name "{name}"; give this one another title', "name")


TOOL = Tool(name="save_note", function=save_note, schema=SCHEMA, reads_only=False, changes_files=True, resource="kb")
