"""What came of a run, as its result tells it: read from the notes themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jobs.notekeeper.knowledge_base import KnowledgeBase, category_of
from jobs.notekeeper.notes import links_in, resolver, split_note, title_of
from sandbox.files.root import Refusal


def outcome(kb: KnowledgeBase, created: Sequence[str], edited: Sequence[str], answer: str) -> dict[str, Any]:
    """Return content, category, links and metadata. The note that a run is about is the first that it made, else the
    first that it extended; where it changed none the content is the answer, and the category "general"."""
    notes = {path: text for path in (*created, *edited) if (text := _text(kb, path)) is not None}
    about = next(iter(notes), "")
    text = notes.get(about, "")
    front = split_note(text)[0]
    metadata = {"note": about, "title": title_of(about, text) if about else "", "tags": front.get("tags", [])}
    return {
        "content": text or answer,
        "category": category_of(about, text) if about else "general",
        "links": links(kb, notes, set(created)),
        "metadata": {**metadata, "source": front.get("source", "")},
    }


def links(kb: KnowledgeBase, notes: dict[str, str], created: set[str]) -> list[dict[str, str]]:
    """The links of the notes that are new, and those of others that lead to a new one."""
    if not created or not notes:
        return []
    resolved = resolver(kb.titles())
    found = []
    for path, text in notes.items():
        there = dict.fromkeys(resolved(link, path) for link in links_in(text))
        found += [{"from": path, "to": to} for to in there if to and (path in created or to in created)]
    return found


def _text(kb: KnowledgeBase, path: str) -> str | None:
    try:
        return kb.root.read_text(path) if path.lower().endswith((".md", ".markdown")) else None
    except Refusal:
        return None
