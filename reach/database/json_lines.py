"""JSON lines: each path of a document becomes a column, each list of documents a table of its own.

`{"address": {"city": ...}, "items": [{"price": ...}]}` in `orders.jsonl` gives the table `orders` with the column
`address.city`, and the table `orders.items[]` with `_row` (the document), `_at` (the place in the list) and `price`.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reach.database.database import Tell
from sandbox.files.unusual import shown

if TYPE_CHECKING:
    from reach.database.text_files import Loading

DEEPEST = 8
MOST_COLUMNS = 1_000  # of a table; SQLite has room for twice as many
NAMED, LONGEST_NAME = 10, 60  # keys that become no columns, and characters of each
BATCH = 5_000
LONGEST_LINE = 16 * 2**20  # characters


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
    kept = {table: list(columns)[:MOST_COLUMNS] for table, columns in tables.items()}
    for table, names in kept.items():
        if left := list(tables[table])[MOST_COLUMNS:]:
            tell(f"{path.name}: {unread(table.removeprefix(name).removeprefix('.'), left)}")
        own = ["_at"] if table.endswith("[]") else []
        loading.create(table, [*own, *labels_of(names, ("_row", *own))])
    held: dict[str, list[list[Any]]] = defaultdict(list)
    for size, (table, row) in enumerate(rows_of(path, name, kept), 1):
        held[table].append(row)
        if size % BATCH == 0:
            insert(loading, held)
    insert(loading, held)


def unread(inner: str, left: Sequence[str]) -> str:
    """What is said of keys that become no columns; `inner` is the list whose documents have them, "" for none."""
    keys = f"{MOST_COLUMNS + len(left):,} keys" + (f" of {inner}" if inner else "")
    more = f" and {len(left) - NAMED:,} more" if len(left) > NAMED else ""
    names = f"{', '.join(shown(key[:LONGEST_NAME]) for key in left[:NAMED])}{more}"
    advice = "Put what you want audited of them into a file of its own"
    return f"of {keys} the first {MOST_COLUMNS:,} are read; these are not: {names}. {advice}."


def insert(loading: Loading, held: dict[str, list[list[Any]]]) -> None:
    for table, rows in held.items():
        loading.insert(table, rows, len(rows[0]))
    held.clear()


def labels_of(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Names of columns, none of which is another or a taken one but for its case, as SQLite compares them."""
    known, found = {name.lower() for name in taken}, []
    for name in names:
        label = next(each for each in several(name) if each.lower() not in known)
        known.add(label.lower())
        found.append(label)
    return found


def several(name: str) -> Iterator[str]:
    return itertools.chain([name], (f"{name}_{number}" for number in itertools.count(2)))


def rows_of(path: Path, name: str, kept: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, list[Any]]]:
    """The rows of all tables, each with its table's name, as they come in the file."""
    for number, document in enumerate(documents(path)):
        places: Counter[str] = Counter()
        for table, cells in flat(name, document or {}):
            own = [places[table]] if table.endswith("[]") else []
            places[table] += 1
            yield table, [number, *own, *map(cells.get, kept[table])]


def documents(path: Path) -> Iterator[dict[str, Any] | None]:
    """The document of each line; None where it is none, or longer than any document is: it would fill the memory."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        while line := file.readline(LONGEST_LINE):
            whole = len(line) < LONGEST_LINE
            while len(line) == LONGEST_LINE and not line.endswith("\n"):
                line = file.readline(LONGEST_LINE)
            if whole and not line.strip():
                continue
            try:
                document = json.loads(line) if whole else None
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
