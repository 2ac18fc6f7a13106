"""Which folders a text is near to by its meaning: those of what lies in them, and of what they are called.

Both count from a middle, because texts of one person are all somewhat alike: a note's from the mean of the notes, a
name's from that of everyday words. So many such words stand beside the notes, too, as long as there are few of those.
"""

from __future__ import annotations

import posixpath
import threading
from itertools import groupby
from typing import Any

from index import meaning
from index.index import Index

MODEL = meaning.MANY
NOTES_WEIGHT = 1.5  # what the likeness to the notes counts beside that to the name (on open texts of three sets)
LONGEST = 400  # characters of a text
_WORDS = """
garden kitchen health school car home money travel work reading pets computer music sport Garten Küche Gesundheit Schule
Haus Geld Reisen Arbeit jardin cuisine santé école maison argent huerto cocina salud colegio casa dinero сад кухня
здоровье школа деньги поездки 菜园 厨房 健康 钱 旅行 庭 料理 お金 仕事
"""
_EVERYDAY = _WORDS.split()


class Folders:
    """The folders of an index. Safe for use from several threads."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._lock = threading.Lock()
        self._everyday: Any = None  # the vectors of such words, once they were asked for
        self._names: dict[str, Any] = {}
        self._made: tuple[Any, list[str], Any, Any] = (None, [], None, None)

    def near(self, text: str) -> list[tuple[str, float]]:
        """Each folder below the top with its likeness, the nearest first; none where no model is installed. From 0.25
        or so it is of the text's topic more often than not."""
        if not meaning.available(MODEL):
            return []
        with self._lock:
            names, middle, notes = self._current()
            if not names:
                return []
            own = meaning.embed_by(MODEL, [text[:LONGEST]])[0] - middle
            likeness = NOTES_WEIGHT * (notes @ own) + self._named(names) @ _unit(own)
        return sorted(zip(names, map(float, likeness), strict=True), key=lambda each: (-each[1], each[0]))

    def _current(self) -> tuple[list[str], Any, Any]:
        """The folders; the middle of all notes; and of each folder where its notes lie from there, those of few nearer
        to it. Made once for each state of the index."""
        import numpy

        vectors = self._index.vectors()
        if self._everyday is None:
            self._everyday = meaning.embed_by(MODEL, _EVERYDAY)
        if self._made[0] is not vectors:
            everyday = self._everyday
            firsts: dict[str, int] = {}
            for row, path in enumerate(vectors.paths):
                firsts.setdefault(path, row)  # a note says at its beginning what it is about
            several = sorted((posixpath.dirname(path), row) for path, row in firsts.items())
            every = vectors.matrix[[row for _, row in several]] if several else everyday[:0]
            middle = (every.sum(0) + everyday.sum(0)) / (len(every) + len(everyday))
            names, lie, at = [], [], 0
            for name, rows in groupby(name for name, _ in several):
                count = len(list(rows))
                if name not in ("", "general"):
                    names.append(name)
                    lie.append((every[at : at + count].sum(0) - count * middle) / (count + 1))
                at += count
            self._names = {name: self._names[name] for name in names if name in self._names}
            self._made = vectors, names, middle, numpy.array(lie)
        return self._made[1:]

    def _named(self, names: list[str]) -> Any:
        """Where the names lie from everyday words, each of length 1."""
        if new := [name for name in names if name not in self._names]:
            rows = meaning.embed_by(MODEL, [name.replace("-", " ").replace("/", " ") for name in new])
            middle = self._everyday.mean(0)
            self._names |= dict(zip(new, (_unit(row - middle) for row in rows), strict=True))
        import numpy

        return numpy.array([self._names[name] for name in names])


def _unit(row: Any) -> Any:
    return row / max(1e-6, float(row @ row) ** 0.5)
