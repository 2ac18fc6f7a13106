"""What the notekeeper remembers of a person, in one SQLite file for all: each row belongs to a user, and every question
to it names one. It is a value that is held, so that a model can name no other user.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

from config import ConfigError
from index.words import terms_of

VERSION = 1
LONGEST = 4_000  # characters of one memory
TABLES = f"""
CREATE TABLE IF NOT EXISTS memories(id INTEGER PRIMARY KEY, user TEXT NOT NULL, category TEXT NOT NULL,
                                    content TEXT NOT NULL, at REAL NOT NULL, UNIQUE(user, category, content));
CREATE INDEX IF NOT EXISTS memories_user ON memories(user, category);
PRAGMA user_version = {VERSION};
"""


class Memory:
    """The memories of one user. Safe for use from several threads and processes."""

    def __init__(self, path: Path, user: str) -> None:
        """Open the file, made where there is none. Raises ConfigError for a damaged one, which is never
        replaced."""
        self.user = user
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._database = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        try:
            version = self._database.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                self._database.executescript(f"BEGIN IMMEDIATE; {TABLES} COMMIT;")
            elif version != VERSION:
                raise ConfigError(f"{path} is of another version ({version}); use the Glassbox that wrote it")
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise ConfigError(f"{path} cannot be read ({error}). Move it away to begin with no memory.") from error

    def close(self) -> None:
        self._database.close()

    def store(self, content: str, category: str) -> bool:
        """Remember it; whether it was new."""
        row = (self.user, category, content[:LONGEST], time.time())
        insert = "INSERT OR IGNORE INTO memories(user, category, content, at) VALUES (?, ?, ?, ?)"
        with self._lock:
            return self._database.execute(insert, row).rowcount == 1

    def retrieve(self, query: str, category: str, limit: int) -> list[tuple[str, str, float]]:
        """Category, content and time of those that hold the most of the query's words, the newest first among
        equals; all of them for an empty query."""
        select = "SELECT category, content, at FROM memories WHERE user = ? AND (? = '' OR category = ?)"
        with self._lock:
            rows = self._database.execute(select, (self.user, category, category)).fetchall()
        terms = [term.casefold() for term in terms_of(query)]
        scored = [(sum(term in f"{row[0]} {row[1]}".casefold() for term in terms), row) for row in rows]
        fitting = [each for each in scored if each[0] or not terms]
        return [row for _, row in sorted(fitting, key=lambda each: (-each[0], -each[1][2]))[:limit]]

    def categories(self) -> dict[str, int]:
        """Each category with how many memories it holds."""
        select = "SELECT category, count(*) FROM memories WHERE user = ? GROUP BY category ORDER BY category"
        with self._lock:
            return dict(self._database.execute(select, (self.user,)).fetchall())
