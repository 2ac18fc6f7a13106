"""Tool: write a note, or extend the one that is about the same."""

from __future__ import annotations

import datetime
import posixpath

from functions import ToolError
from functions.tool import Tool
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.notes import (
    file_name,
    join_note,
    link_to,
    links_in,
    paragraphs,
    repeats,
    resolved,
    split_note,
    title_of,
    with_front,
    with_link,
    with_paragraphs,
)
from sandbox.files.names import parts_of
from sandbox.files.root import Refusal

SCHEMA = {
    "name": "save_note",
    "description": "Write a note, with links both ways. A note about the same is extended by what is new.",
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
SAID = 0.9  # of a paragraph stands in the note already: it is not written again


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
        known = kb.same(title, content)
        if known:
            return extended(kb, known, content, tags or [])
        path = free_path(kb, category, title)
        front = {"title": title, "category": posixpath.dirname(path) or "general", "tags": list(tags or [])}
        front |= {"date": datetime.date.today().isoformat(), "source": source}
        kb.root.write_text(path, join_note(front, f"# {title}\n\n{content}"))
        linked = link_both_ways(kb, path, title, related or [])
    except Refusal as refusal:
        return ToolError(refusal)
    return f'Created "{path}"' + (f", linked both ways with {', '.join(linked)}" if linked else "")


def free_path(kb: KnowledgeBase, category: str, title: str) -> str:
    """A path that nothing has, in the folder of the category: as it is spelled, where there is such a folder. Raises
    Refusal for one that leads outside."""
    folders = {folder.casefold(): folder for folder in kb.folders()}
    parts = parts_of(category.strip(), "write to")
    folder = folders.get("/".join(parts).casefold()) or "/".join(map(file_name, parts))
    name = posixpath.join(folder, file_name(title))
    several = (f"{name}.md", *(f"{name}-{number}.md" for number in range(2, 1000)))
    return next(path for path in several if not kb.root.exists(path))


def extended(kb: KnowledgeBase, path: str, content: str, tags: list[str]) -> str:
    """Add what the note does not say yet, under the date of today."""
    old = kb.root.read_text(path)
    new = [part for part in paragraphs(content) if part not in old and repeats(part, old) < SAID]
    if not new:
        return f'"{path}" says this already, so nothing was changed'
    heading = f"## Added {datetime.date.today().isoformat()}"
    text = with_paragraphs(old, [*([] if heading in old else [heading]), *new])
    known = split_note(old)[0].get("tags", [])
    if isinstance(known, list) and (more := [tag for tag in tags if tag not in known]):
        text = with_front(text, "tags", [*known, *more])
    kb.root.write_text(path, text)
    return f'Extended "{path}" by {len(new)} paragraph{"s" if len(new) > 1 else ""}'


def link_both_ways(kb: KnowledgeBase, path: str, title: str, related: list[str]) -> list[str]:
    """Link the note with each of these that is there; return those."""
    titles = kb.titles()
    linked = []
    for other in dict.fromkeys(posixpath.normpath(each) for each in related):
        if other not in titles or other == path:
            continue
        for here, there in ((path, other), (other, path)):
            text = kb.root.read_text(here)
            if not any(resolved(link, here, titles) == there for link in links_in(text)):
                name = title if there == path else title_of(there, kb.root.read_text(there))
                kb.root.write_text(here, with_link(text, link_to(here, there, name)))
        linked.append(other)
    return linked


TOOL = Tool(name="save_note", function=save_note, schema=SCHEMA, reads_only=False, changes_files=True, resource="kb")
