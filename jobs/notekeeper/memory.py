"""What the notekeeper remembers of a person, in one SQLite file for all: each row belongs to a user, and every question
to it names one. It is a value that is held, so that a model can name no other user.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config import ConfigError
from index.store import damaged
from index.words import terms_of

VERSION = 2
LONGEST = 4_000  # characters of one memory
MOST = 1_000  # memories that one is looked for among
UNUSABLE = "{path} cannot be used now ({why}). Nothing of it is lost: end what holds it, or make room, and try again."
TABLES = f"""
CREATE TABLE IF NOT EXISTS memories(id INTEGER PRIMARY KEY, user TEXT NOT NULL, category TEXT NOT NULL,
                                    content TEXT NOT NULL, at REAL NOT NULL, newer INTEGER,
                                    UNIQUE(user, category, content));
CREATE INDEX IF NOT EXISTS memories_user ON memories(user, category);
PRAGMA user_version = {VERSION};
"""
FROM_1 = ("ALTER TABLE memories ADD COLUMN newer INTEGER", f"PRAGMA user_version = {VERSION}")


@dataclass(frozen=True)
class Memorized:
    """One memory: what is remembered, when that was said, and what it superseded, the newest first."""

    category: str
    content: str
    at: float
    before: tuple[str, ...] = ()


class DamagedMemory(ConfigError):
    """The file of the memories cannot be read."""

    def __init__(self, path: Path, why: object) -> None:
        super().__init__(f"{path} cannot be read ({why}). Move it away to begin with no memory.")
        self.path = path


class TooLong(ValueError):
    """A content is longer than one memory may be; the text says how long that is, and what to do instead."""

    def __init__(self, content: str) -> None:
        super().__init__(
            f"this has {len(content):,} characters, and one memory holds at most {LONGEST:,}, so nothing was stored; "
            "remember it in shorter sentences, each by itself, or have a note made of it"
        )


class Memory:
    """The memories of one user. Safe for use from several threads and processes."""

    def __init__(self, path: Path, user: str) -> None:
        """Open the file, made where there is none. Raises DamagedMemory, and never replaces it, and ConfigError for one
        that is whole and cannot be used now."""
        self.user = user
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            self._database = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        except sqlite3.OperationalError as error:
            raise ConfigError(UNUSABLE.format(path=path, why=error)) from error
        try:
            version = self._database.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                self._database.executescript(f"BEGIN IMMEDIATE; {TABLES} COMMIT;")
            elif version == 1:
                self._take_over()
            elif version != VERSION:
                raise ConfigError(f"{path} is of another version ({version}); use the Glassbox that wrote it")
            if (found := self._database.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise sqlite3.DatabaseError(found)
        except sqlite3.DatabaseError as error:
            self._database.close()
            if damaged(error):
                raise DamagedMemory(path, error) from error
            raise ConfigError(UNUSABLE.format(path=path, why=error)) from error

    def _take_over(self) -> None:
        """Bring a file of the version before to this one, unless another process just did."""
        self._database.execute("BEGIN IMMEDIATE")
        if self._database.execute("PRAGMA user_version").fetchone()[0] == 1:
            for statement in FROM_1:
                self._database.execute(statement)
        self._database.execute("COMMIT")

    def close(self) -> None:
        self._database.close()

    def store(self, content: str, category: str) -> bool:
        """Remember it; whether it was new, or had been superseded. Raises TooLong."""
        with self._lock:
            return self._stored(content, category) is not None

    def update(self, old: Memorized, content: str) -> None:
        """Remember a newer content in the place of an older one, which stays readable as what was before. Raises
        TooLong."""
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                self._stored(content, old.category)
                newer = "SELECT id FROM memories WHERE user = ? AND category = ? AND content = ?"
                (number,) = self._database.execute(newer, (self.user, old.category, content)).fetchone()
                set_newer = "UPDATE memories SET newer = ? WHERE user = ? AND category = ? AND content = ? AND id != ?"
                self._database.execute(set_newer, (number, self.user, old.category, old.content, number))
                self._database.execute("COMMIT")
            except BaseException:
                self._database.execute("ROLLBACK")
                raise

    def forget(self, old: Memorized) -> int:
        """Delete a memory with all that it superseded; how many that were."""
        chain = """WITH RECURSIVE chain(id) AS (
            SELECT id FROM memories WHERE user = :user AND category = :category AND content = :content
            UNION SELECT memories.id FROM memories JOIN chain ON memories.newer = chain.id)
            DELETE FROM memories WHERE id IN (SELECT id FROM chain)"""
        about = {"user": self.user, "category": old.category, "content": old.content}
        with self._lock:
            return self._database.execute(chain, about).rowcount

    def retrieve(self, query: str, category: str, limit: int) -> list[Memorized]:
        """Those that hold the most of the query's words, the newest first among equals; all of them for an empty query.
        What was superseded stands with what superseded it."""
        select = "SELECT id, category, content, at, newer FROM memories WHERE user = ? AND (? = '' OR category = ?)"
        with self._lock:
            rows = self._database.execute(select, (self.user, category, category)).fetchall()
        terms = [term.casefold() for term in terms_of(query)]
        scored = []
        for number, kind, content, at, newer in rows:
            if newer is None:
                before = tuple(_before(number, rows))
                text = " ".join((kind, content, *before)).casefold()
                scored.append((sum(term in text for term in terms), Memorized(kind, content, at, before)))
        fitting = [each for each in scored if each[0] or not terms]
        return [found for _, found in sorted(fitting, key=lambda each: (-each[0], -each[1].at))[:limit]]

    def meant(self, words: str) -> list[Memorized]:
        """The memories that may be meant: of this very content, in whatever categories; else of this but for capitals;
        else those that hold all the words."""
        every, whole = self.retrieve("", "", MOST), " ".join(words.split())
        same = [each for each in every if each.content.casefold().rstrip(".") == whole.casefold().rstrip(".")]
        terms = [term.casefold() for term in terms_of(words)]
        close = same or [each for each in every if terms and all(term in each.content.casefold() for term in terms)]
        return [each for each in close if each.content == whole] or close

    def categories(self) -> dict[str, int]:
        """Each category with how many memories it holds."""
        select = "SELECT category, count(*) FROM memories WHERE user = ? AND newer IS NULL GROUP BY category ORDER BY 1"
        with self._lock:
            return dict(self._database.execute(select, (self.user,)).fetchall())

    def _stored(self, content: str, category: str) -> int | None:
        """Remember it, and its number; None where it was remembered and holds."""
        if len(content) > LONGEST:
            raise TooLong(content)
        write = """INSERT INTO memories(user, category, content, at) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET newer = NULL, at = excluded.at WHERE newer IS NOT NULL RETURNING id"""
        found = self._database.execute(write, (self.user, category, content, time.time())).fetchone()
        return int(found[0]) if found else None


def _before(number: int, rows: Sequence[tuple[Any, ...]]) -> Iterator[str]:
    """What a memory superseded, the newest first."""
    for other, _, content, _, newer in sorted(rows, key=lambda row: -row[3]):
        if newer == number:
            yield content
            yield from _before(other, rows)
