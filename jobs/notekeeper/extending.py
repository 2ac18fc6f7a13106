"""What the notes become when more is said: extended by a message, corrected or linked. Nothing that either says is left
out, but what both say word for word."""

from __future__ import annotations

import datetime
import posixpath
from collections.abc import Iterable, Mapping

from jobs.notekeeper.corrections import Change, changes, superseded_in
from jobs.notekeeper.facts import units
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.labels import relabelled
from jobs.notekeeper.merging import DIVIDES, front_told, lacking, told, with_tags
from jobs.notekeeper.notes import blocks, front_of, link_to, links_in, resolver, title_of, with_link, with_paragraphs

SHORT = 3  # words that are told side by side


def extended(old: str, content: str, tags: list[str]) -> tuple[str, str]:
    """The note with what it does not say yet, under the date of today and with what that supersedes; and what was done,
    with "{path}" where the note's path belongs."""
    content = relabelled(content, old)
    front = [] if front_of(content) in old else front_told(old, content, title_of("", old))
    parts = told(lacking(old, content))
    first = next((at for at, part in enumerate(parts) if part[:1] == "#" and not DIVIDES.fullmatch(part)), len(parts))
    parts = [part for at, part in enumerate(parts) if at > first or not DIVIDES.fullmatch(part)]
    new = [*(block for block in front if block not in blocks(old)), *parts]
    if not new:
        later = next((unit for unit in units(content) if unit in superseded_in(old)), "").replace("{", "{{")
        again = (
            f'. But a later sentence supersedes "{later}": if it holds again, say it with "Correction:"'
            if later
            else ""
        )
        return old, f"{{path}} says this already, so nothing was changed{again.replace('}', '}}')}"
    changed = {f"{change.was} {change.now}".strip() or change.old: change for change in changes("\n\n".join(new), old)}
    heading = f"## Added {datetime.date.today().isoformat()}"
    added = [
        *([] if heading in old else [heading]),
        *new,
        *(f"> {word_for(change, sure=True)}: {change.old}" for change in changed.values()),
    ]
    text = with_tags(with_paragraphs(old, added), tags)
    changes_told = "".join(f"; {said(change)}" for change in changed.values()).replace("{", "{{").replace("}", "}}")
    return text, f"Extended {{path}} by {len(new)} paragraph{'s' if len(new) > 1 else ''}{changes_told}"


def changed_elsewhere(
    kb: KnowledgeBase, path: str, content: str, near: Iterable[str]
) -> tuple[list[str], list[str], dict[str, list[str]]]:
    """What a new note corrects or denies of what the nearest others say, and the numbers that differ: as its own lines;
    as it is told; and what of each other note is superseded. Whether another number is a correction or of another thing
    only a person knows, where they do not say so."""
    lines, told, superseded = [], [], dict[str, list[str]]()
    for other in near:
        text = kb.text(other)
        for change in changes(content, text, figures=True):
            link = link_to(path, other, title_of(other, text))
            lines.append(f"> {word_for(change, sure=False)} {link}: {change.old}")
            if change.sure or change.contradicts:
                told.append(f'; {said(change)} in "{other}"')
                superseded.setdefault(other, []).append(change.old)
            else:
                told.append(f'; compare "{other}", which has "{change.was}" for "{change.now}"')
    return list(dict.fromkeys(lines)), list(dict.fromkeys(told)), superseded


def tell_the_old(kb: KnowledgeBase, path: str, title: str, superseded: dict[str, list[str]]) -> None:
    """Say in the older notes where something newer stands: who reads only them would be misled."""
    for other, sentences in superseded.items():
        lines = [f"> Superseded by {link_to(other, path, title)}: {sentence}" for sentence in dict.fromkeys(sentences)]
        kb.rewrite(other, lambda old, lines=lines: (with_paragraphs(old, lines), ""))


def link_both_ways(kb: KnowledgeBase, path: str, title: str, related: list[str], known: Mapping[str, str]) -> list[str]:
    """Link the new note with each of these that is there; return those. `known` are the titles of the others."""
    titles = {**known, path: title}
    resolved = resolver(titles)
    linked = []
    for other in dict.fromkeys(posixpath.normpath(each) for each in related):
        if other not in titles or other == path or not kb.text(other):
            continue
        for here, there in ((path, other), (other, path)):
            text = kb.text(here)
            if not any(resolved(link, here) == there for link in links_in(text)):
                name = title if there == path else title_of(there, kb.root.read_text(there))
                link = link_to(here, there, name)
                kb.rewrite(here, lambda old, link=link: (with_link(old, link), ""))
        linked.append(other)
    return linked


def word_for(change: Change, *, sure: bool) -> str:
    """How a note tells what a sentence of it does to an older one. Under one title a change is a correction."""
    if change.contradicts:
        return "Contradicts"
    return "Supersedes" if sure or change.sure else "Compare"


def said(change: Change) -> str:
    """How a change is told to the person."""
    if change.contradicts:
        return f'it contradicts "{change.old}"'
    if not 0 < len(change.was.split()) <= SHORT or not 0 < len(change.now.split()) <= SHORT:
        return f'it corrects "{change.old}", and both stay readable'
    return f'"{change.now}" supersedes "{change.was}", and both stay readable'
