"""An index over a folder of documents and source: it follows the files, and answers with places and why they fit."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from index import meaning, store, words
from index.documents import LARGEST, is_document, is_wanted
from index.reading import text_in, why_not
from index.sections import sections_of
from index.symbols import names_in
from sandbox.files.root import Entry, Root

LOOK_AGAIN = 2.0  # seconds in which a search trusts the last look at the files
UNSURE = 2_000_000_000  # nanoseconds: a file that changed so shortly before it was read may change with the same stamp
TOGETHER = 500  # files in one transaction: a build that is stopped goes on from there
SPARE = 20  # sections looked at for one that is wanted: the same text may stand in several
CANDIDATES = 2_000  # of each kind, before they are put together
MEANING = 1.5  # what a place by meaning counts beside one by words (from 1 to 3 it hardly matters, on nine sets)
VERSION = "PRAGMA data_version"  # another when another process wrote
UNREAD = "SELECT path FROM files WHERE path NOT IN (SELECT path FROM sections)"
# Those without a vector. Vectors are made in the order of the numbers, and a new section's number is above all others.
WITHOUT = "text <> '' AND id > (SELECT coalesce(max(section), 0) FROM vectors) ORDER BY id"
T = TypeVar("T")


@dataclass(frozen=True)
class Hit:
    """A section that answers."""

    path: str
    heading: str  # with those above it: `Git workflow > Resolving merge conflicts`
    anchor: str  # "" for the top of a file, and for source
    line: int
    text: str  # a line of it, where the question's words stand closest
    why: str  # `words: merge, conflict; meaning 0.61`
    score: float  # only to compare hits of one search

    @property
    def place(self) -> str:
        """As it is cited: `wiki/git.md#anchor`, or `app/main.py:42`."""
        if self.anchor:
            return f"{self.path}#{self.anchor}"
        return f"{self.path}:{self.line}" if self.line > 1 else self.path


@dataclass(frozen=True)
class Changes:
    """What a look at the files found."""

    read: int = 0
    gone: int = 0


def settled(entry: Entry, read: int) -> bool:
    """Whether a later change of a file that was read at this time, in nanoseconds, will show in its stamp."""
    return read - entry.changed > UNSURE


class Index:
    """Safe for use from several threads, and by several processes over one folder."""

    def __init__(
        self,
        root: Root,
        folder: Path,
        *,
        wanted: Callable[[str, Entry], bool] | None = None,
        say: Callable[[str], None] = lambda line: None,
        vectors: Callable[[sqlite3.Connection, str], meaning.Vectors] = meaning.Vectors,
        headings: float = 0.5,
        model: str = meaning.ENGLISH,
    ) -> None:
        """`root` holds the documents; the index is kept in `folder`, which must not lie in them. `wanted` says which
        files belong (default: documents and source by their names); `say` is told lines for the person; `vectors` makes
        what compares vectors (others in stores.py); `headings` is how much of a section's meaning is that of the
        headings that lead to it, and `model` what makes the vectors (meaning.py)."""
        self._root, self._wanted, self._say = root, wanted or is_document, say
        self._make_vectors, self._headings, self._model = vectors, headings, model
        self._path = store.path_of(folder, root.path)
        self._lock = threading.RLock()
        self._vectors: meaning.Vectors | None = None
        self._version = 0
        self._known: dict[str, tuple[int, int]] | None = None  # path -> size and time, as in the table of files
        self._known_version = 0
        self._large: list[str] = []  # files that belong by their names, and are not read
        self._others: list[str] = []  # files of kinds that are not read
        self._looked = float("-inf")  # monotonic seconds of the last look at the files
        try:
            self._database, rebuilt = store.open_store(self._path, model)
        except (OSError, sqlite3.Error) as error:
            self._database, rebuilt = (
                store.in_memory(model),
                f"The search index cannot be kept ({error}): made in memory.",
            )
        if rebuilt:
            say(rebuilt)

    def search(
        self, query: str, limit: int = 8, *, by: str = "both", among: Callable[[str], bool] = lambda path: True
    ) -> list[Hit]:
        """Return the best sections, best first. `by` is words, meaning or both; `among` says of which files, which are
        then ranked as though there were no others."""
        return self._mended(lambda: self._search(query, limit, by, among))

    def refresh(self, found: Mapping[str, Entry] | None = None) -> Changes:
        """Look at the files and read those that changed. Call it after a change of your own; a search does it alone
        when the last look is two seconds old. `found` are the files that belong, where the caller has just looked."""
        return self._mended(lambda: self._follow(found))

    def reread(self, paths: Collection[str]) -> Changes:
        """Read these files again, or forget those that are gone, without a look at any other: what the caller knows to
        have changed."""
        return self._mended(lambda: self._reread(paths))

    def sharing(self, text: str, limit: int) -> list[str]:
        """The files that share the most words with a text, the nearest first, of the last look at them: `search`
        without what is shown of each."""

        def found() -> list[str]:
            with self._transaction("DEFERRED"):
                scores = self._once(words.search(self._database, text, SPARE * limit), lambda path: True)
                select = "SELECT path FROM sections WHERE id = ?"
                return [self._database.execute(select, (number,)).fetchone()[0] for number in [*scores][:limit]]

        return list(dict.fromkeys(self._mended(found)))

    def rows(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows of the tables in store.py, for what is drawn from them (see symbols.py)."""
        return self._mended(lambda: self._database.execute(query, values).fetchall())

    def gaps(self, query: str) -> tuple[list[str], list[str], list[str]]:
        """What a search cannot have found: the words of the query that stand nowhere, the files that are not read,
        each with why, and those of kinds that never are. Ask it after the search."""

        def asked() -> tuple[list[str], list[str], list[str]]:
            unread = self._database.execute(UNREAD).fetchall()
            left_out = [*self._large, *(f"{path} ({why_not(path)})" for (path,) in unread)]
            return words.unknown(self._database, query), left_out, self._others

        return self._mended(asked)

    def vectors(self) -> meaning.Vectors:
        """The vectors as they are; another value when they changed."""

        def found() -> meaning.Vectors:
            with self._transaction("DEFERRED"):
                return self._current()

        return self._mended(found)

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def _search(self, query: str, limit: int, by: str, among: Callable[[str], bool]) -> list[Hit]:
        if time.monotonic() - self._looked > LOOK_AGAIN:
            self._follow()
        with self._transaction("DEFERRED"):  # one state of the index throughout, whatever another process writes
            return self._ranked(query, limit, by, among)

    def _ranked(self, query: str, limit: int, by: str, among: Callable[[str], bool]) -> list[Hit]:
        by_words = words.search(self._database, query, CANDIDATES) if by != "meaning" else {}
        likeness = self._nearest(query) if by != "words" else {}
        fused = fuse((1.0, self._once(by_words, among)), (MEANING, self._once(likeness, among)))
        if by == "both":  # a heading that is the question's own words is not voted down
            exact = [*self._once(dict.fromkeys(words.headed(self._database, query, CANDIDATES), 1.0), among)]
            fused = sorted(fused, key=lambda each: exact.index(each[0]) if each[0] in exact else len(exact))
        fused = fused[:limit]
        met = words.shown(self._database, query, [number for number, _ in fused]) if by != "meaning" else {}
        hits = [self._hit(number, score, met.get(number), likeness.get(number)) for number, score in fused]
        return [hit for hit in hits if hit]

    def _look(self) -> dict[str, Entry]:
        """The files that belong."""
        there = dict(self._root.walk())
        large = (path for path, entry in there.items() if entry.size > LARGEST and is_wanted(path))
        self._large = [f"{path} (larger than {LARGEST >> 20} MiB)" for path in large]
        self._others = [path for path in there if not is_wanted(path)]
        return {path: entry for path, entry in there.items() if self._wanted(path, entry)}

    def _follow(self, found: Mapping[str, Entry] | None = None) -> Changes:
        found = self._look() if found is None else found
        known = self._stamps()
        gone = [path for path in known if path not in found]
        new = {path: entry for path, entry in found.items() if known.get(path) != entry[2:]}  # size and time
        changes = self._take(new, gone)
        self._looked = time.monotonic()
        return changes

    def _reread(self, paths: Collection[str]) -> Changes:
        if self._looked == float("-inf"):
            return self._follow()
        known, now = self._stamps(), time.time_ns()  # a time that no later look trusts
        there = dict(self._root.contents_of(sorted(paths), limit=LARGEST))
        entries = {path: Entry(path.rpartition("/")[2], "file", len(data), now) for path, data in there.items()}
        new = {path: entry for path, entry in entries.items() if self._wanted(path, entry)}
        return self._take(new, [path for path in paths if path in known and path not in new])

    def _take(self, new: dict[str, Entry], gone: list[str]) -> Changes:
        """Read what is new and forget what is gone."""
        known = self._stamps()
        self._known = None  # while it changes: what fails in between leaves none that is wrong
        read = self._read(new) if new else 0
        if gone:
            with self._transaction():
                for path in gone:
                    store.forget(self._database, path)
        if read or gone or self._looked == float("-inf"):
            self._embed()
            self._vectors = None
        for path in gone:
            del known[path]
        for path in new:
            if row := self._database.execute("SELECT size, changed FROM files WHERE path = ?", (path,)).fetchone():
                known[path] = row
        self._known = known
        return Changes(read, len(gone))

    def _stamps(self) -> dict[str, tuple[int, int]]:
        """Size and time of each file as it was read, by us or, as the version tells, by another process."""
        version = self._database.execute(VERSION).fetchone()[0]
        if self._known is None or version != self._known_version:
            rows = self._database.execute("SELECT path, size, changed FROM files")
            self._known, self._known_version = {path: (size, changed) for path, size, changed in rows}, version
        return self._known

    def _read(self, new: dict[str, Entry]) -> int:
        """Keep the sections of these files; return how many had changed."""
        done = changed = 0
        contents = self._root.contents_of(new, limit=LARGEST)
        while several := list(islice(contents, TOGETHER)):
            with self._transaction():
                changed += sum(self._keep(path, data, new[path]) for path, data in several)
            done += len(several)
            if len(new) > TOGETHER:
                self._say(f"Reading the documents: {done:,} of {len(new):,}")
        return changed

    def _keep(self, path: str, data: bytes, entry: Entry) -> bool:
        digest = hashlib.sha256(data).digest()
        stamp = (path, entry.size, entry.changed if settled(entry, time.time_ns()) else -1, digest)
        known = self._database.execute("SELECT * FROM files WHERE path = ?", (path,)).fetchone()
        if known == stamp:  # as with each file of the last two seconds: nothing to write, and no disk to wait for
            return False
        same = known is not None and known[3] == digest  # asked now: another process may have read it meanwhile
        if not same:
            store.forget(self._database, path)
            if found := text_in(path, data):
                for section in sections_of(path, found.text):
                    store.insert(self._database, path, section)
                rows = [(name, path) for name in names_in(path, found.text)]
                self._database.executemany("INSERT INTO mentions VALUES (?, ?)", rows)
        self._database.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", stamp)
        return not same

    def _embed(self) -> None:
        """Vectors for the sections that have none, also of a time when the extra was not installed."""
        if not meaning.available(self._model):
            return
        missing = f"SELECT id, place, text FROM sections WHERE {WITHOUT} LIMIT ?"
        done = 0
        if self._database.execute(missing, (1,)).fetchone():
            meaning.embed_by(self._model, [""])  # loads the model, which takes a while, before anybody else has to wait
        while True:
            with self._transaction():  # around the question as well: another process may be doing the same
                rows = self._database.execute(missing, (TOGETHER,)).fetchall()
                if not rows:
                    return
                meaning.add(self._database, *map(list, zip(*rows, strict=True)), self._headings, self._model)
            done += len(rows)
            if done > TOGETHER:
                self._say(f"Embedding the sections: {done:,}")

    def _nearest(self, query: str) -> dict[int, float]:
        if not meaning.available(self._model):
            return {}
        nearest: dict[int, float] = {}
        for number, likeness in self._current().nearest(query, CANDIDATES):
            nearest.setdefault(number, likeness)
        return nearest

    def _current(self) -> meaning.Vectors:
        version = self._database.execute(VERSION).fetchone()[0]
        if self._vectors is None or self._version != version:
            self._vectors, self._version = self._make_vectors(self._database, self._model), version
        return self._vectors

    def _once(self, scores: dict[int, float], among: Callable[[str], bool]) -> dict[int, float]:
        """Those of files that are wanted; of sections with the same text the first: a page that is repeated must not
        push the others out."""
        select = f"SELECT id, path, same FROM sections WHERE id IN ({','.join('?' * len(scores))})"
        texts = {number: text for number, path, text in self._database.execute(select, [*scores]) if among(path)}
        seen: set[int] = set()
        return {
            number: score
            for number, score in scores.items()
            if number in texts and (texts[number] is None or not (texts[number] in seen or seen.add(texts[number])))
        }

    def _hit(self, number: int, score: float, met: words.Found | None, likeness: float | None) -> Hit | None:
        select = "SELECT path, place, anchor, line, substr(text, 1, 200) FROM sections WHERE id = ?"
        row = self._database.execute(select, (number,)).fetchone()
        if row is None:  # gone since, by another process
            return None
        path, place, anchor, line, text = row
        reasons = [f"words: {', '.join(met.words)}"] if met and met.words else []
        reasons += [f"meaning {likeness:.2f}"] if likeness is not None else []
        shown = met.line if met and met.line else " ".join(text.split())
        return Hit(path, place, anchor, line, shown, "; ".join(reasons) or "words", score)

    @contextmanager
    def _transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        self._database.execute(f"BEGIN {kind}")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:  # a full disk may have ended it
                self._database.execute("ROLLBACK")
            raise

    def _mended(self, work: Callable[[], T]) -> T:
        """Do the work, and once more on an index built again where this one turns out damaged, or in memory where it
        cannot be written any more, as on a full disk: until it is opened the next time."""
        with self._lock:
            try:
                return work()
            except sqlite3.DatabaseError as error:
                is_damaged = store.damaged(error)
                if not is_damaged and not store.unwritable(error):
                    raise
                self._database.close()
                if is_damaged:
                    self._say(f"The search index was damaged ({error}) and is built again.")
                else:
                    self._say(f"The search index cannot be kept ({error}): made in memory.")
                self._database = (
                    store.started_over(self._path, self._model) if is_damaged else store.in_memory(self._model)
                )
                self._vectors = self._known = None
                self._looked = float("-inf")
                return work()


def fuse(*scores: tuple[float, dict[int, float]]) -> list[tuple[int, float]]:
    """Put together what several searches found, each with its weight: a score counts as a share of the best of its
    search, so that a place that stands out in one is not levelled by its rank. Returns numbers with their scores."""
    together: dict[int, float] = {}
    for weight, found in scores:
        best = max((1e-9, *found.values()))
        for number, score in found.items():
            together[number] = together.get(number, 0.0) + weight * score / best
    return sorted(together.items(), key=lambda item: (-item[1], item[0]))
