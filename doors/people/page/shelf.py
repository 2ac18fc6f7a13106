"""A person's notes as the page shows them: by folder, one of them, found by words, and what links to what.

It reads beside the agent's runs, with a Root and an index of its own, so that nobody waits for a model to see a note.
"""

from __future__ import annotations

import posixpath
import threading
from collections import Counter
from collections.abc import Mapping
from typing import Any

from index.words import split
from jobs.notekeeper.knowledge_base import LARGEST_NOTE, KnowledgeBase
from jobs.notekeeper.notes import Link, links_in, paragraphs, resolver, split_note
from live.server import Refused
from sandbox.files.root import Entry, Refusal

MOST_FOUND = 12
LONGEST_QUERY = 400  # characters
MOST_LINKED = 2_000  # notes whose links are read
MOST_DRAWN = 100  # notes
NEAR = 0.25  # likeness in meaning from which a note is shown that has no word of the query
SHORTEST_BEGINNING = 2  # characters
BEGINS = "a word begins with"
BEGUN = """
SELECT DISTINCT path FROM (
    SELECT sections.path AS path FROM words JOIN sections ON sections.id = words.rowid WHERE words MATCH ? ORDER BY rank
) LIMIT ?
"""
GONE = "This note is not there any more: it was moved or deleted."


class Shelf:
    """Safe for use from several threads."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb
        self._lock = threading.Lock()
        self._links: dict[str, tuple[tuple[int, int], list[Link]]] = {}  # path -> stamp and links

    def notes(self) -> dict[str, Any]:
        """Every note's path and title, by folder."""
        folders: dict[str, list[list[str]]] = {}
        for path, title in sorted(self._kb.titles().items()):
            folders.setdefault(posixpath.dirname(path), []).append([path, title])
        return {"folders": [{"name": name, "notes": notes} for name, notes in sorted(folders.items())]}

    def note(self, path: str) -> dict[str, Any]:
        """One note. What is no note of this folder is not there, whatever the path leads to. Raises Refused."""
        found = self._kb.look()
        titles = self._kb.titles(found)
        if path not in titles:
            raise Refused(404, GONE)
        try:
            text = self._kb.root.read_text(path)
        except Refusal as refusal:
            raise Refused(404, f"{refusal}.") from None
        front, body = split_note(text)
        resolved = resolver(titles)
        known = ((link.raw, resolved(link, path)) for link in links_in(text))
        back = [other for other, there in self._targets(found, titles).items() if path in there and other != path]
        return {
            "path": path,
            "title": titles[path],
            "about": {key: front[key] for key in ("tags", "date", "source") if front.get(key)},
            "body": body,
            "links": [[raw, there, titles[there]] for raw, there in known if there],
            "back": [[other, titles[other]] for other in back],
        }

    def found(self, query: str) -> dict[str, Any]:
        """The notes that fit a query best, and why: by title, words, a word that is just being typed, meaning."""
        query = " ".join(query.split())[:LONGEST_QUERY]
        hits = self._kb.search(query, MOST_FOUND) if query else []
        near = [each for each in hits if "words" in each.why or float(each.why.rpartition(" ")[2]) >= NEAR]
        rows = [(each.hit.path, each.title, each.hit.text, each.why) for each in near]
        begun = [row for row in self._begun(query) if row[0] not in {path for path, *_ in rows}]

        def rank(row: tuple[str, str, str, str]) -> tuple[bool, bool]:
            return query.casefold() not in row[1].casefold(), not row[3].startswith(("words", BEGINS))

        ranked = sorted([*rows, *begun], key=rank)[:MOST_FOUND]
        return {
            "found": [
                {"path": path, "title": title, "text": self._line(path, text), "why": why}
                for path, title, text, why in ranked
            ]
        }

    def _begun(self, query: str) -> list[tuple[str, str, str, str]]:
        """The notes with a word that begins as the last one of the query."""
        last = (split(query) or [""])[-1]
        if len(last) < SHORTEST_BEGINNING:
            return []
        titles = self._kb.titles()
        found = self._kb.index.rows(BEGUN, (f'"{last}"*', MOST_FOUND))
        return [(path, titles[path], "", f"{BEGINS} {last!r}") for (path,) in found if path in titles]

    def _line(self, path: str, text: str) -> str:
        """A line of a note: where the words stand, else its first."""
        if not text or text.startswith(("---", "- [")):  # what says nothing: front matter, related notes
            text = next(iter(paragraphs(self._kb.text(path))), "")
        return " ".join(text.split())[:200]

    def links(self) -> dict[str, Any]:
        """What links to what: of many notes those that are linked most, and how many were left out."""
        found = self._kb.look()
        titles = self._kb.titles(found)
        pairs = {(one, other) for one, there in self._targets(found, titles).items() for other in there if one != other}
        often = Counter(path for pair in pairs for path in pair)
        chosen = {path for path, _ in sorted(often.items(), key=lambda each: (-each[1], each[0]))[:MOST_DRAWN]}
        shown = sorted(chosen, key=lambda path: (posixpath.dirname(path), titles[path].casefold(), path))
        return {
            "notes": [[path, titles[path], posixpath.dirname(path)] for path in shown],
            "links": sorted(pair for pair in pairs if chosen.issuperset(pair)),
            "alone": len(titles) - len(often),
            "left_out": len(often) - len(chosen),
            "unread": len(titles) > MOST_LINKED,
        }

    def _targets(self, found: Mapping[str, Entry], titles: dict[str, str]) -> dict[str, set[str]]:
        """The notes that each note links to, none where there are too many to read; only what changed since the last
        time is read again."""
        if len(titles) > MOST_LINKED:
            return {}
        with self._lock:
            stamps = {path: (entry.size, entry.changed) for path, entry in found.items()}
            self._links = {path: known for path, known in self._links.items() if stamps.get(path) == known[0]}
            new = stamps.keys() - self._links.keys()
            for path, data in self._kb.root.contents_of(sorted(new), limit=LARGEST_NOTE):
                self._links[path] = stamps[path], list(links_in(data.decode("utf-8-sig", "replace")))
            known = {path: links for path, (_, links) in self._links.items() if path in titles}
        resolved = resolver(titles)
        return {path: {there for link in links if (there := resolved(link, path))} for path, links in known.items()}
