"""MongoDB, and what speaks its wire (Cosmos DB), through pymongo. A query is JSON: a list of aggregation stages.

The walls: the stages, walked wherever a pipeline stands in another (`$lookup`, `$facet`, `$unionWith`), are an
allow-list; and no key at any depth may be an operator that writes or runs code.
The server's own wall is a role that only reads.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from config import ConfigError
from reach.database.database import ENGINE, READER, SAMPLED_ROWS, Counts, Database, Failed, Field, Refused, words

STAGES = words(
    """
    $match $project $group $sort $limit $skip $count $unwind $addFields $set $unset $lookup $facet
    $unionWith $sample $bucket $bucketAuto $sortByCount $replaceRoot $replaceWith $setWindowFields
    $densify $fill
    """
)
FORBIDDEN = words(
    """
    $out $merge $function $where $accumulator $currentOp $listSessions $collStats $indexStats
    """
)
LOOKED_AT = 1_000  # documents that the fields are told from
CONNECT_SECONDS = 5


class Mongo(Database):
    """The collections of one database. `client` stands in for a connection in tests."""

    dialect = "mongo"
    engine = "MongoDB"

    def __init__(self, address: str, walls: frozenset[str], client: Any = None) -> None:
        import pymongo

        super().__init__()
        parts = urlsplit(address)
        name = parts.path.strip("/")
        self.source, self._walls = f"{parts.hostname}/{name}", walls
        self.identity = f"mongodb://{parts.netloc.rpartition('@')[2]}/{name}"
        if not name:
            raise ConfigError("the address names no database: mongodb://HOST/DATABASE.")
        self._client = client or pymongo.MongoClient(address, serverSelectionTimeoutMS=1000 * CONNECT_SECONDS)
        self._database = self._client[name]
        try:
            self._names = sorted(self._database.list_collection_names())
        except pymongo.errors.PyMongoError as error:
            raise ConfigError(f"the database at {self.source} cannot be reached ({type(error).__name__}).") from None

    def collections(self) -> list[str]:
        return self._names

    def fields(self, collection: str) -> list[Field]:
        kinds: dict[str, Counter[str]] = {}
        for document in self._database[collection].find(limit=LOOKED_AT):
            for path, value in paths(document):
                kinds.setdefault(path, Counter())[type(value).__name__] += 1
        return [Field(path, collection, f"${path.replace('[]', '')}", "/".join(kinds[path])) for path in kinds]

    def name(self, table: str) -> str:
        return table

    def key(self, table: str) -> tuple[str, ...]:
        return ("_id",)

    def size(self, table: str) -> int:
        return self._database[table].count_documents({})

    def counts(self, field: Field, most: int = SAMPLED_ROWS) -> Counts:
        size = self.size(field.table)
        stages = [{"$sample": {"size": most}}] if size > most else []
        found: Counter[Any] = Counter()
        for document in self._database[field.table].aggregate(stages):
            values = [as_json(value) for path, value in paths(document) if path == field.path]
            found.update(values or [None])
        return Counts(dict(found), found.total(), size > most)

    def rows(self, collection: str, fields: Sequence[Field], most: int) -> list[tuple[Any, ...]]:
        documents = [dict(paths(document)) for document in self._database[collection].find(limit=most)]
        return [tuple(as_json(document.get(field.path)) for field in fields) for document in documents]

    def walls_line(self) -> str:
        return "walls: stages by allow-list at every depth, operators that write or run code refused"

    def close(self) -> None:
        self._client.close()

    def _read(self, query: str) -> None:
        request = parsed(query)
        if READER in self._walls:
            refuse_operators(request)

    @contextmanager
    def _stream(self, query: str, seconds: float) -> Iterator[tuple[tuple[str, ...], Iterator[Sequence[Any]]]]:
        import pymongo
        from bson import json_util

        request = parsed(query)
        if ENGINE in self._walls:
            refuse_stages(request["pipeline"])
        pipeline = json_util.loads(json.dumps(request["pipeline"]))
        try:
            answer = self._database[request["collection"]].aggregate(pipeline, maxTimeMS=int(seconds * 1000))
            rows = [as_json(document) for document in answer]
        except pymongo.errors.ExecutionTimeout:
            raise Failed(f"the query was stopped after {seconds:g} seconds; narrow it") from None
        except (pymongo.errors.PyMongoError, NotImplementedError, TypeError, ValueError) as error:
            raise Failed(f"MongoDB says: {str(error)[:200]}") from None
        columns = tuple(dict.fromkeys(name for row in rows for name in row))
        yield columns, iter([tuple(row.get(name) for name in columns) for row in rows])


def parsed(query: str) -> dict[str, Any]:
    """Return {"collection": ..., "pipeline": [...]}. Raises Failed for anything else."""
    try:
        request = json.loads(query)
    except (ValueError, RecursionError) as error:
        raise Failed(f"the query is not JSON ({error})") from None
    shape = (
        isinstance(request, dict)
        and isinstance(request.get("collection"), str)
        and isinstance(request.get("pipeline"), list)
    )
    if not shape:
        raise Failed('the query must be {"collection": NAME, "pipeline": [stages]}')
    return request


def refuse_stages(pipeline: Any) -> None:
    """Raise Refused unless every stage, here and in the pipelines inside, stands on the list."""
    for stage in pipeline if isinstance(pipeline, list) else [pipeline]:
        name = next(iter(stage), "") if isinstance(stage, dict) and len(stage) == 1 else ""
        if name not in STAGES:
            raise Refused(ENGINE, "the list of stages", f"the stage {name or stage!r} is not on it")
        body = stage[name]
        if name in ("$lookup", "$unionWith") and isinstance(body, dict) and "pipeline" in body:
            refuse_stages(body["pipeline"])
        if name == "$facet" and isinstance(body, dict):
            for inner in body.values():
                refuse_stages(inner)
        refuse_code(body)


def refuse_code(body: Any) -> None:
    for name in names_in(body):
        if name in ("$function", "$where", "$accumulator"):
            raise Refused(ENGINE, "the list of operators", f"{name} runs code")


def refuse_operators(request: Any) -> None:
    for name in names_in(request):
        if name in FORBIDDEN:
            raise Refused(READER, "the look at every name", f"{name} writes, runs code or looks at the server")


def names_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from names_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from names_in(inner)


def paths(document: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every scalar of a document with its path: `address.city`, `items[].price`."""
    for name, value in document.items():
        items = [(f"{before}{name}", value)]
        if isinstance(value, list):
            items = [(f"{before}{name}[]", item) for item in value]
        for path, item in items:
            if isinstance(item, dict):
                yield from paths(item, f"{path}.")
            else:
                yield path, item


def as_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: as_json(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [as_json(inner) for inner in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
