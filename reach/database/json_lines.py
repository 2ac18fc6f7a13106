"""JSON lines: each path of a document becomes a column, each list of documents a table of its own.

`{"address": {"city": ...}, "items": [{"price": ...}]}` in `orders.jsonl` gives the table `orders` with the column
`address.city`, and the table `orders.items[]` with `_row` (the document), `_at` (the place in the list) and `price`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reach.database.database import Tell

if TYPE_CHECKING:
    from reach.database.text_files import Loading

DEEPEST = 8
MOST_COLUMNS = 1_000
BATCH = 5_000


def load_json_lines(path: Path, name: str, loading: Loading, tell: Tell) -> None:
    """Load a file as tables. A line that is no JSON object is counted, told, and kept as a row of NULLs. Keys that
    differ in case alone, or are called as our own columns, become columns with a number behind."""
    tables: dict[str, dict[str, None]] = {name: {}}
    broken = 0
    for document in documents(path):
        broken += document is None
        for table, cells in flat(name, document or {}):
            tables.setdefault(table, {}).update(dict.fromkeys(cells))
    if broken:
        tell(f"{path.name}: {broken} lines are no JSON object; their rows are empty.")
    for table, columns in tables.items():
        names = list(columns)[:MOST_COLUMNS]
        nested = table.endswith("[]")
        own = ["_at"] if nested else []
        loading.create(table, [*own, *labels_of(names, ("_row", *own))])
        loading.insert(table, rows_of(path, name, table, names, nested), 1 + nested + len(names))


def labels_of(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Names of columns, none of which is another or a taken one but for its case, as SQLite compares them."""
    known, found = {name.lower() for name in taken}, []
    for name in names:
        label = next(each for each in (name, *(f"{name}_{n}" for n in range(2, 9999))) if each.lower() not in known)
        known.add(label.lower())
        found.append(label)
    return found


def rows_of(path: Path, name: str, wanted: str, names: list[str], nested: bool) -> Iterator[list[Any]]:
    for number, document in enumerate(documents(path)):
        found = [cells for table, cells in flat(name, document or {}) if table == wanted]
        for at, cells in enumerate(found):
            yield [number, *([at] if nested else []), *(cells.get(each) for each in names)]


def documents(path: Path) -> Iterator[dict[str, Any] | None]:
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for line in file:
            if not line.strip():
                continue
            try:
                document = json.loads(line)
            except (ValueError, RecursionError):
                document = None
            yield document if isinstance(document, dict) else None


def flat(table: str, document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the rows that a document gives: (table, its cells by column)."""
    cells: dict[str, Any] = {}
    rows = [(table, cells)]

    def walk(value: Any, name: str, depth: int) -> None:
        if isinstance(value, dict) and depth < DEEPEST:
            for part, inner in value.items():
                walk(inner, f"{name}.{part}" if name else part, depth + 1)
        elif isinstance(value, list) and depth < DEEPEST:
            for item in value:
                rows.extend(flat(f"{table}.{name}[]", item if isinstance(item, dict) else {"value": item}))
        else:
            cells[name] = scalar(value)

    walk(document, "", 0)
    return rows


def scalar(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) >= 2**63:
        return str(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value
