"""Sections by their meaning: static word embeddings, averaged. They know English; the weights lie in the wheel.

A matter of the extra `search`: without it an index works by words alone, and says nothing of meaning.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

CREATE = "CREATE TABLE IF NOT EXISTS vectors(id INTEGER PRIMARY KEY, vector BLOB NOT NULL)"
LONGEST = 400  # characters of a section that are embedded: an average over more says less (measured on two sets)

_loading = threading.Lock()
_model: Any = None


def available() -> bool:
    return find_spec("wordllama") is not None


def embed(texts: list[str]) -> Any:
    """Return one row of length 1 a text, float32."""
    return _loaded().embed([text or " " for text in texts], norm=True)


def add(database: sqlite3.Connection, numbers: list[int], places: list[str], texts: list[str], headings: float) -> None:
    """Keep the vectors of these sections: `headings`, from 0 to 1, is how much those that lead to one count beside what
    stands in it."""
    whole = embed([f"{place} {text}"[: len(place) + LONGEST] for place, text in zip(places, texts, strict=True)])
    rows = (embed(places) * headings + whole * (1 - headings)).astype("float16")
    database.executemany(
        "INSERT INTO vectors(id, vector) VALUES (?, ?)",
        [(number, row.tobytes()) for number, row in zip(numbers, rows, strict=True)],
    )


class Vectors:
    """All vectors of an index in memory: 40,000 sections are 40 MB, and compared with a question in milliseconds."""

    def __init__(self, database: sqlite3.Connection) -> None:
        import numpy

        rows = database.execute("SELECT id, vector FROM vectors ORDER BY id").fetchall()
        self.numbers = [number for number, _ in rows]
        together = numpy.frombuffer(b"".join(vector for _, vector in rows), dtype="float16")
        self.matrix = together.astype("float32").reshape(len(rows), -1) if rows else None

    def nearest(self, query: str, limit: int) -> list[tuple[int, float]]:
        """Return the sections nearest in meaning with their likeness (1 is the same), nearest first."""
        if self.matrix is None:
            return []
        import numpy

        likeness = self.matrix @ embed([query])[0]
        few = min(limit, len(likeness))
        best = numpy.argpartition(-likeness, few - 1)[:few]
        ordered = sorted(best, key=lambda place: -likeness[place])
        return [(self.numbers[place], float(likeness[place])) for place in ordered]


def _loaded() -> Any:
    """The model, loaded once. `cache_dir` is the package's own folder: elsewhere it would try to download."""
    global _model
    with _loading:
        if _model is None:
            root = logging.getLogger()
            before = root.level, root.handlers[:]
            import wordllama  # sets up logging for the whole program, which is not its own

            root.setLevel(before[0])
            root.handlers[:] = before[1]
            folder = Path(wordllama.__file__).parent
            _model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
        return _model
