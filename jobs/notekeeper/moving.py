"""What becomes of a note that moves to another place, and of the links to it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from contextlib import suppress

from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.notes import (
    Resolver,
    files_in,
    link_to,
    links_in,
    resolver,
    split_note,
    way_from,
    way_to,
    with_front,
)
from sandbox.files.root import Refusal

Changed = tuple[str, str | None, str]  # a note's path, its text before (None: there was none) and after
Ways = tuple[Resolver, Resolver]  # where links lead before a note goes, and after


def ways(titles: dict[str, str], path: str, to: str, title: str) -> Ways:
    """Where the links of these notes lead while one (of this title) is at `path`, and once it is at `to`."""
    after = {known: name for known, name in titles.items() if known != path}
    after.setdefault(to, title)
    return resolver(titles), resolver(after)


def moved(kb: KnowledgeBase, text: str, path: str, to: str, titles: dict[str, str], leads: Ways) -> str:
    """The text with its category, its own links and the paths of its pictures as they must be at the new place."""
    text = relinked(kb, text, (path, to), (path, to), titles, leads)
    front = split_note(text)[0]
    if front.get("category") and posixpath.dirname(to) not in ("", front["category"]):
        return with_front(text, "category", posixpath.dirname(to))
    return text


def relinked(
    kb: KnowledgeBase, text: str, own: tuple[str, str], goes: tuple[str, str], titles: dict[str, str], leads: Ways
) -> str:
    """A note's text as it must be when its own path, and that of the note that goes, are no longer the first of each
    two but the second. What led to the one that goes leads there; in the note that it becomes a part of,
    such a link becomes its words. All is put in by its place, so that no like of it changes, and none in code."""
    (here, at), (path, to), (before, after) = own, goes, leads
    pieces = []
    for link in links_in(text):
        if before(link, here) == path:
            end = link.start + len(link.raw)
            if here == at == to and (link.wiki or "](" in link.raw):
                pieces.append((link.start, end, link.shown))
            elif link.wiki and after(link, at) != to:
                pieces.append((link.start, end, link_to(at, to, link.shown, link.anchor)))
    for target in files_in(text):
        there = way_from(here, target.path)
        note = there if there in titles or target.path.endswith("/") else f"{there}.md"
        if note in titles:
            goal = to if note == path else note
        elif here != at and is_there(kb, there):
            goal = there
        else:
            continue
        if way_to(at, goal) != way_to(here, note if note in titles else there):
            pieces.append((target.start, target.end, way_to(at, goal) + "/" * target.path.endswith("/")))
    made, end = "", 0
    for start, stop, piece in sorted(pieces):
        if start >= end:
            made, end = made + text[end:start] + piece, stop
    return made + text[end:]


def is_there(kb: KnowledgeBase, path: str) -> bool:
    """Whether a file or a folder is at a path that a note names; what leads outside is not looked at."""
    with suppress(Refusal):
        return kb.root.exists(path)
    return False


def write_as(kb: KnowledgeBase, path: str, to: str, text: str) -> None:
    """Write a new note with the line ends, the byte-order mark and the mode of another."""
    data = kb.root.read_bytes(path)
    if b"\r\n" in data and "\r\n" not in kb.root.read_text(path):
        text = text.replace("\n", "\r\n")
    mark = "\ufeff" if data.startswith("\ufeff".encode()) else ""
    kb.root.write_text(to, mark + text, new=True, like=path)


def rewritten(kb: KnowledgeBase, path: str, change: Callable[[str], str]) -> Changed:
    """Change a note, and tell what it said before and says now."""
    before = after = ""

    def made(old: str) -> tuple[str, str]:
        nonlocal before, after
        before, after = old, change(old)
        return after, ""

    kb.rewrite(path, made)
    return path, before, after


def put_back(kb: KnowledgeBase, changed: list[Changed]) -> None:
    """Let the notes be as they were before each of these changes: a new one is taken away first, and where it stays, as
    somebody has changed it meanwhile, so do the links to it."""
    new = [each for each in changed if each[1] is None]
    with suppress(Refusal):
        for path, before, after in [*new, *(each for each in reversed(changed) if each not in new)]:
            if before is None:
                kb.root.remove(path, saying=after)
            else:
                kb.root.change_text(path, lambda text, before=before, after=after: before if text == after else text)
