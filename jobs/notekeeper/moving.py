"""What becomes of a note that moves to another place, and of the links to it."""

from __future__ import annotations

import posixpath
import re
from contextlib import suppress

from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.notes import files_in, link_to, links_in, resolved, split_note, title_of, way_to, with_front
from sandbox.files.root import Refusal


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


def put_back(kb: KnowledgeBase, path: str, to: str, made: str, repointed: list[str]) -> None:
    """Take the copy of a note away again, with the links to it, unless somebody has changed it meanwhile."""
    with suppress(Refusal):
        titles = kb.titles()
        kb.root.remove(to, saying=made)
        for other in repointed:
            repoint(kb, other, to, path, titles, made)
