"""The knowledge base: a folder of Markdown notes and the index over it, as the value that the tools hold."""

from __future__ import annotations

import posixpath
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakSet

from index import meaning
from index.index import Hit, Index, settled
from index.stores import vectors_in
from index.words import terms_of
from jobs.notekeeper.facts import has_words, says
from jobs.notekeeper.folders import MODEL, Folders
from jobs.notekeeper.forms import foreign, forms, nearest
from jobs.notekeeper.notes import blocks, links_in, parted, resolver, split_note, title_of
from reach.under_way import holds_both_sides
from sandbox.files.look import Look
from sandbox.files.off_limits import parts_of
from sandbox.files.root import IGNORED, Entry, Refusal, Root

LARGEST_NOTE = 1 << 20  # bytes
MOST_BY_FORMS = 2_000  # notes that are compared by the beginnings of their words; of more, words alone are
CANDIDATES = 30
WORDS_WEIGHT = 0.5  # what it adds that every word of the question stands in the note
QUICK = 0.02  # seconds that a look at the files may take before each search: some 2,000 notes
SHARED = 0.5  # of its words: two texts of a title that says nothing are about the same
_GENERIC = """
meeting meetings note notes todo list idea ideas log minutes diary journal draft summary report call plan agenda weekly
daily monthly standup sync retro links thoughts review update status project projekt besprechung treffen sitzung notizen
protokoll liste ideen встреча заметки список план проект réunion reunión notas lista appunti riunione of the my a de
"""
_OPEN: WeakSet[KnowledgeBase] = WeakSet()  # in this process
_OPENING = threading.Lock()
GENERIC = frozenset(_GENERIC.split())  # words of titles that say what a text is, and not what it is about


@dataclass(frozen=True)
class _Known:
    """What was read of a note, and as what it was found then; None where a later change may look the same."""

    entry: Entry | None
    title: str


@dataclass(frozen=True)
class Found:
    """A note that fits a question: its best section, why, and how well (only to compare those of one search)."""

    hit: Hit
    title: str
    why: str  # as Hit's
    score: float


class KnowledgeBase:
    """Notes of a Root with their index. Safe for use from several threads."""

    def __init__(
        self, root: Root, folder: Path, *, say: Callable[[str], None] = lambda line: None, qdrant: str = ""
    ) -> None:
        """`folder` is where the index is kept, outside of the notes; `qdrant` the address of a server that keeps the
        vectors, else they are compared here."""
        self.root = root
        self._look = Look(root, is_note)
        self._look_seconds = 0.0
        self._written: set[str] = set()  # by this process since the last search
        root.file_changed = self._changed_here
        with _OPENING:
            _OPEN.add(self)
        self._known: dict[str, _Known] = {}
        self._forms: dict[str, tuple[_Known, frozenset[str]]] = {}
        vectors = vectors_in(qdrant, root.path, say)
        self.index = Index(root, folder, wanted=is_note, say=say, vectors=vectors, headings=0.0, model=MODEL)
        self._folders = Folders(self.index)

    def close(self) -> None:
        with _OPENING:
            _OPEN.discard(self)
        self.index.close()

    def look(self) -> dict[str, Entry]:
        """Every note that is there now. It costs a look at each file, the dearest part of a save among many notes: what
        is to be done at one moment is handed the same one."""
        return self._look()

    def notes(self) -> Iterator[tuple[str, str]]:
        """Path and text of each note."""
        for path, data in self.root.contents(wanted=is_note, limit=LARGEST_NOTE):
            yield path, _text(data)

    def titles(self, there: Mapping[str, Entry] | None = None) -> dict[str, str]:
        """Each note's path and title; only what changed since the last time is read again. A change that leaves size
        and time as they were is not told from none, so that a time two seconds old or less is not trusted yet."""
        there = self.look() if there is None else there
        known = {path: note for path, note in self._known.items() if there.get(path) == note.entry}
        began = time.time_ns()
        new = (path for path in there if path not in known)
        for path, data in self.root.contents_of(new, limit=LARGEST_NOTE):
            entry = there[path]
            known[path] = _Known(entry if settled(entry, began) else None, title_of(path, _text(data)))
        self._known = known
        return {path: known[path].title for path in there if path in known}

    def search(self, query: str, limit: int) -> list[Found]:
        """The notes that fit best. By meaning where the extra is installed, and words count for what share of the
        question they are: one chance word that two texts have in common says little."""
        self._follow()
        by_meaning = _best(self.index.search(query, CANDIDATES, by="meaning"))
        if foreign(query) and self._there_were() <= MOST_BY_FORMS and len(there := self.look()) <= MOST_BY_FORMS:
            by_words = {each.hit.path: each.hit for each in self._by_forms(query, self.forms(there), CANDIDATES)}
            shares = {path: hit.score for path, hit in by_words.items()}
        else:
            by_words, terms = _best(self.index.search(query, CANDIDATES, by="words")), max(1, len(terms_of(query)))
            shares = {path: min(1.0, len(_words(hit)) / terms) for path, hit in by_words.items()}
        if not by_meaning:
            return [Found(hit, self.title(path), hit.why, hit.score) for path, hit in by_words.items()][:limit]
        scores = {}
        for path in {**by_meaning, **by_words}:
            likeness = float(by_meaning[path].why.rpartition(" ")[2]) if path in by_meaning else 0.0
            scores[path] = likeness + WORDS_WEIGHT * shares.get(path, 0.0)
        found = []
        for path in sorted(scores, key=lambda path: (-scores[path], path))[:limit]:
            hits = [each[path] for each in (by_words, by_meaning) if path in each]
            found.append(Found(hits[0], self.title(path), "; ".join(hit.why for hit in hits), scores[path]))
        return found

    def folders_near(self, text: str) -> list[tuple[str, float]]:
        """The folders with their likeness in meaning to a text, the nearest first: see folders.py."""
        return self._folders.near(text)

    def neighbours(self, abouts: Iterable[tuple[str, str]], most: int) -> Iterator[tuple[str, list[str]]]:
        """Each note with those that are nearest to it: by meaning where the extra is installed, else by the words that
        they share with what each is about (path, text), which takes a search for each."""
        self._follow()
        if meaning.available(MODEL):
            yield from self.index.vectors().neighbours(most)
            return
        for path, about in abouts:
            yield path, [each for each in self.index.sharing(about, CANDIDATES) if each != path][:most]

    def forms(self, there: Mapping[str, Entry] | None = None) -> dict[str, frozenset[str]]:
        """What each note shares with others in any language; only what changed since the last time is read again."""
        self.titles(there)
        held = {path: (note, self._forms.get(path)) for path, note in self._known.items()}
        self._forms = {
            path: old if old and old[0] is note else (note, forms(parted(split_note(self.text(path))[1])[0]))
            for path, (note, old) in held.items()
        }
        return {path: own for path, (_, own) in self._forms.items()}

    def _by_forms(self, query: str, held: dict[str, frozenset[str]], limit: int) -> list[Found]:
        found = []
        for path, likeness, shared in nearest(forms(query), held, limit):
            why, title = f"words: {', '.join(shared[:8])}; forms {likeness:.2f}", self._known[path].title
            found.append(Found(Hit(path, title, "", 1, title, why, likeness), title, why, likeness))
        return found

    def titled(self, title: str, content: str, category: str, titles: Mapping[str, str]) -> list[str]:
        """Those of these notes with the same title: two who began one at the same moment may have made two. "Meeting
        notes" and its like say of nothing what it is about: then the texts must, and lie in one folder."""
        wanted = title.casefold()
        same = [path for path, known in titles.items() if known.casefold() == wanted]
        if not GENERIC.issuperset(re.findall(r"[^\W\d_]+", wanted)):
            return same
        new, own = _terms(content), category.casefold()
        texts = {path: _terms(self.text(path)) for path in same if own in (posixpath.dirname(path).casefold(), "")}
        about = subject_of(content)
        return [path for path, text in texts.items() if len(new & text) >= SHARED * len(new) and about <= text]

    def saying(self, title: str, content: str, near: Iterable[str]) -> str | None:
        """The one of these notes that says all of a text already, word for word, its title too: "Rent of February" over
        the same words is another fact; a title that is made of these words tells none."""
        tells_none = has_words(content, title)
        for path in near:
            text = self.text(path)
            known = tells_none or title.casefold() == title_of(path, text).casefold()
            if known and all(says(text, part) for part in blocks(content)):
                return path
        return None

    def near(self, content: str, there: Mapping[str, Entry], limit: int = 5) -> list[str]:
        """The notes that share the most words with a text."""
        self.index.refresh(there)  # also in a large folder: a fact that was just written is one to compare with
        found = self.index.sharing(content[:1000], limit)
        if foreign(content) and len(there) <= MOST_BY_FORMS:
            found += [each.hit.path for each in self._by_forms(content, self.forms(there), limit)]
        return list(dict.fromkeys(found))

    def rewrite(self, path: str, change: Callable[[str], tuple[str, str]]) -> str:
        """Write what `change` makes of a note's text, in the place of just that text: it is asked again when somebody
        else was quicker. Return what it says was done. Refusal "busy" for one with a conflict that is not settled,
        "too_large" for one that would grow beyond LARGEST_NOTE, where nobody finds it."""
        told = ""

        def made(old: str) -> str:
            nonlocal told
            if holds_both_sides(old):
                raise Refusal(
                    f'Cannot change "{path}" as both sides of a conflict stand in it, marked with <<<<<<< and >>>>>>>, '
                    "and what is added would go with one of them; the person settles it first, with git",
                    "busy",
                )
            text, told = change(old)
            data = self.root.read_bytes(path)
            ends = "\r\n" if b"\r\n" in data else "\n"
            before, after = (len(each.replace("\n", ends).encode(errors="replace")) for each in (old, text))
            if after - before > max(0, LARGEST_NOTE - len(data)):
                raise Refusal(
                    f'Cannot add to "{path}" as it would be larger than {LARGEST_NOTE:,} bytes, and no larger note is '
                    "ever found; what is to be added needs a note of its own",
                    "too_large",
                )
            return text

        self.root.change_text(path, made)
        return told

    def pointing_at(self, path: str) -> list[str]:
        """The notes that link to this one."""
        resolved = resolver(self.titles())
        return [
            other
            for other, text in self.notes()
            if other != path and any(resolved(link, other) == path for link in links_in(text))
        ]

    def text(self, path: str) -> str:
        """The text of a note, "" of one that cannot be read."""
        try:
            return self.root.read_text(path)
        except Refusal:
            return ""

    def title(self, path: str) -> str:
        """The title of one note, its path where there is none: of a few, without a look at all the others."""
        try:
            return title_of(path, _text(self.root.read_bytes(path, limit=LARGEST_NOTE)))
        except Refusal:
            return path

    def _there_were(self) -> int:
        """How many notes the last look found."""
        return self.index.rows("SELECT count(*) FROM files")[0][0]

    def _changed_here(self, path: str) -> None:
        """Remember for the next search what was written, also for that of a page over the same folder."""
        with _OPENING:
            for each in _OPEN:
                if each.root.path == self.root.path:
                    each._written.add(path)

    def _follow(self) -> None:
        """Look at the files before each search where that is quick; else the index does it when two seconds old, and
        only what this process wrote is read at once."""
        with _OPENING:
            written, self._written = self._written, set()
        if written and self._look_seconds >= QUICK:
            self.index.reread(written)
        elif self._look_seconds < QUICK:
            began = time.perf_counter()
            changes = self.index.refresh()
            if not changes.read and not changes.gone:
                self._look_seconds = time.perf_counter() - began


def is_note(path: str, entry: Entry) -> bool:
    """Markdown, and nothing of a hidden folder such as Obsidian's own."""
    return path.lower().endswith((".md", ".markdown")) and "/." not in f"/{path}" and entry.size <= LARGEST_NOTE


def unread(path: str) -> str:
    """Why no note at this path, or in this folder, would ever be found; "" where it would be. Raises Refusal for a path
    that leads outside."""
    name = next((name for name in parts_of(path, "write to") if name.startswith(".") or name in IGNORED), "")
    why = f'"{name}" is passed over where notes are looked for, as all that begins with "." and the folders of programs'
    return f"{why}; give another folder, in which a note is found again" if name else ""


def folders_of(paths: Iterable[str]) -> list[str]:
    """The folders that these notes lie in, "" for the top."""
    return sorted({path.rpartition("/")[0] for path in paths})


def category_of(path: str, text: str) -> str:
    """The folder that a note lies in; at the top what its front matter says, else "general"."""
    front = split_note(text)[0].get("category", "")
    return posixpath.dirname(path) or (front if isinstance(front, str) and front else "general")


def subject_of(content: str) -> set[str]:
    """What a text says that it is about: the words before its first colon, as in "Project Apollo: ..."."""
    found = re.search(r"^(?:[-*] )?(?!\*\*)([^:\n]{1,40}):\s", content, re.MULTILINE)
    return _terms(found[1]) - GENERIC if found else set()


def _terms(text: str) -> set[str]:
    return {term.casefold() for term in terms_of(text)}


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _best(hits: list[Hit]) -> dict[str, Hit]:
    """The best section of each note, in their order."""
    best: dict[str, Hit] = {}
    for hit in hits:
        best.setdefault(hit.path, hit)
    return best


def _words(hit: Hit) -> list[str]:
    return [part for part in hit.why.partition("words: ")[2].split(";")[0].split(", ") if part]
