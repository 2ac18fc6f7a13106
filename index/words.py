"""Sections by their words: SQLite's FTS5, ranked by BM25. English endings are stemmed; other languages match as
they are written.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass

# Its own heading, the headings and the file name above it, names in source taken apart, the text.
COLUMNS = ("heading", "above", "names", "text")
WEIGHTS = (5.0, 4.0, 2.0, 1.0)
CREATE = f"""
CREATE VIRTUAL TABLE IF NOT EXISTS words
USING fts5({", ".join(COLUMNS)}, tokenize = 'porter unicode61 remove_diacritics 2')
"""
FIND = "SELECT rowid, -rank FROM words WHERE words MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?"
SHOW = """
SELECT rowid, highlight(words, 0, char(1), char(2)), snippet(words, 3, char(1), char(2), ' ... ', 30)
FROM words WHERE words MATCH ? AND rowid IN ({})
"""
# Words that a question is asked with, not about.
_ASKING = """
" a about all am an and any are as at be been but by can could did do does for from had has have how i if in into is
it its just large like long many may me might much my of on one or our ours please shall should show so some sure tell
than that the their them then there these they this those to us use used using want was we were what when where which
who whom whose why will with would you your
"""
PASSED_OVER = frozenset(_ASKING.split())
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True)
class Found:
    """What a search met in a section."""

    words: tuple[str, ...]  # of the section, that the question's words met
    line: str  # where they stand closest together


def add(database: sqlite3.Connection, number: int, heading: str, above: str, text: str) -> None:
    names = " ".join(taken_apart(f"{heading} {text}"))
    row = (number, " ".join(split(heading)), " ".join(split(above)), names, text)
    database.execute("INSERT INTO words(rowid, heading, above, names, text) VALUES (?, ?, ?, ?, ?)", row)


def search(database: sqlite3.Connection, query: str, limit: int) -> dict[int, float]:
    """Return the numbers of the sections that hold any word of the query with how well they fit, best first; {} for a
    query without a word."""
    rank = f"bm25({', '.join(map(str, WEIGHTS))})"
    match = _match(query)
    return dict(database.execute(FIND, (match, rank, limit))) if match else {}


def headed(database: sqlite3.Connection, query: str, limit: int) -> list[int]:
    """The sections whose own heading holds every word of the query, and hardly another: the shortest first."""
    terms = terms_of(query)
    match = f"heading : ({' AND '.join(_quoted(term) for term in terms)})"
    find = "SELECT rowid, heading FROM words WHERE words MATCH ? LIMIT ?"
    found = database.execute(find, (match, limit)).fetchall() if terms else []
    own = [(len(terms_of(heading)), number) for number, heading in found]
    return [number for length, number in sorted(own) if length <= len(terms) + 1]


def unknown(database: sqlite3.Connection, query: str) -> list[str]:
    """The words of the query that stand in no section."""
    find = "SELECT 1 FROM words WHERE words MATCH ? LIMIT 1"
    return [term for term in terms_of(query) if not database.execute(find, (_quoted(term),)).fetchone()]


def shown(database: sqlite3.Connection, query: str, numbers: list[int]) -> dict[int, Found]:
    """Return what a search met in these sections. To show it costs more than to find it: ask for a few."""
    match = _match(query)
    rows = database.execute(SHOW.format(",".join("?" * len(numbers))), (match, *numbers)) if match else ()
    return {number: _found(heading, line) for number, heading, line in rows}


def terms_of(query: str) -> list[str]:
    """The words to look for, without those that questions are asked with (unless there are no others)."""
    words = list(dict.fromkeys(word.lower() for word in split(query)))
    return [word for word in words if word not in PASSED_OVER] or words


def split(text: str) -> list[str]:
    """Words, with `snake_case` and `CamelCase` taken apart."""
    return [part for word in _WORD.findall(text) for part in _HUMP.split(word) if part]


def taken_apart(text: str) -> list[str]:
    """The parts of each CamelCase word, which FTS5 would keep as one."""
    humps = {word for word in _WORD.findall(text) if _HUMP.search(word)}
    return [part for word in sorted(humps) for part in _HUMP.split(word)]


def _match(query: str) -> str:
    return " OR ".join(_quoted(term) for term in terms_of(query))


def _quoted(term: str) -> str:
    return f'"{term}"'


def _found(heading: str, line: str) -> Found:
    met = dict.fromkeys(word.lower() for word in re.findall("\x01(.*?)\x02", f"{heading} {line}"))
    return Found(tuple(met), " ".join(line.replace("\x01", "").replace("\x02", "").split()))
