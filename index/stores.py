"""Where vectors are compared: in FAISS where it is installed, on a Qdrant server where one is named, else by numpy.

The index's own file keeps them all the same, so that a store that is lost, or is another's, is filled again from there.
"""

from __future__ import annotations

import hashlib
import sqlite3
import uuid
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from index import meaning

TOGETHER = 500  # points in one request
SECONDS = 10  # for one request


def vectors_in(
    address: str, collection: Path, say: Callable[[str], None]
) -> Callable[[sqlite3.Connection, str], meaning.Vectors]:
    """What makes the vectors of an index: on the Qdrant server at `address`, else on this machine. `collection` is the
    folder of the documents, `say` is told where the server does not answer."""
    here = Faiss if find_spec("faiss") else meaning.Vectors
    if not address:
        return here

    def made(database: sqlite3.Connection, model: str) -> meaning.Vectors:
        from qdrant_client import QdrantClient

        try:
            return Qdrant(database, QdrantClient(address, timeout=SECONDS), name_of(collection), model)
        except Exception as error:  # whatever its client makes of a server that is not there
            where = address.rpartition("@")[2]
            say(f"Qdrant at {where} cannot be used ({type(error).__name__}): vectors are compared here instead.")
            return here(database, model)

    return made


def name_of(collection: Path) -> str:
    return f"glassbox-{hashlib.sha256(str(collection).encode()).hexdigest()[:16]}"


class Faiss(meaning.Vectors):
    """Vectors compared by FAISS: exactly, on as many cores as there are."""

    def __init__(self, database: sqlite3.Connection, model: str = meaning.ENGLISH) -> None:
        super().__init__(database, model)
        self._index: Any = None
        if self.matrix is not None:
            import faiss

            self._index = faiss.IndexFlatIP(self.matrix.shape[1])
            self._index.add(self.matrix)

    def nearest(self, query: str, limit: int) -> list[tuple[int, float]]:
        if self._index is None:
            return []
        likeness, places = self._index.search(meaning.embed_by(self.model, [query]), min(limit, len(self.numbers)))
        return [(self.numbers[place], float(like)) for place, like in zip(places[0], likeness[0], strict=True)]


class Qdrant(meaning.Vectors):
    """Vectors on a Qdrant server: what it lacks is sent, what is no longer in the index is deleted."""

    def __init__(self, database: sqlite3.Connection, client: Any, name: str, model: str = meaning.ENGLISH) -> None:
        super().__init__(database, model)
        self._client, self._name = client, name
        if self.matrix is not None:
            self._follow()

    def nearest(self, query: str, limit: int) -> list[tuple[int, float]]:
        if self.matrix is None:
            return []
        vector = meaning.embed_by(self.model, [query])[0].tolist()
        found = self._client.query_points(self._name, query=vector, limit=limit, with_payload=True).points
        return [(point.payload["section"], float(point.score)) for point in found]

    def _follow(self) -> None:
        from qdrant_client import models

        width = self.matrix.shape[1]
        there = self._client.collection_exists(self._name)
        if there and self._client.get_collection(self._name).config.params.vectors.size != width:  # of another model
            there = not self._client.delete_collection(self._name)
        if not there:
            size = models.VectorParams(size=width, distance=models.Distance.DOT)
            self._client.create_collection(self._name, vectors_config=size)
        # The number of a section may be given again to another: a point is known by number and vector together.
        wanted = {
            str(uuid.uuid5(uuid.NAMESPACE_OID, f"{number}:{hashlib.sha256(row.tobytes()).hexdigest()}")): place
            for place, (number, row) in enumerate(zip(self.numbers, self.matrix, strict=True))
        }
        there = self._points()
        if gone := there - wanted.keys():
            self._client.delete(self._name, points_selector=models.PointIdsList(points=sorted(gone)))
        new = [
            models.PointStruct(id=key, vector=self.matrix[place].tolist(), payload={"section": self.numbers[place]})
            for key, place in wanted.items()
            if key not in there
        ]
        for start in range(0, len(new), TOGETHER):
            self._client.upsert(self._name, points=new[start : start + TOGETHER], wait=True)

    def _points(self) -> set[str]:
        there: set[str] = set()
        further = None
        while True:
            points, further = self._client.scroll(
                self._name, limit=10_000, offset=further, with_payload=False, with_vectors=False
            )
            there.update(str(point.id) for point in points)
            if further is None:
                return there
