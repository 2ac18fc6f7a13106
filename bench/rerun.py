"""Queries run again by other clients than the auditor's: the programs sqlite3 and psql, and DuckDB's own library.

Nothing here imports what the auditor reads with. A file of text is read by sqlite3's `.import` and its JSON functions,
by the rules of docs/auditor.md: `_row` is the 0-based number of the row, an empty cell is NULL, and where at least 80 %
of a column's filled cells (of the first 5,000 rows) are numbers, those are numbers.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from config import whole_environment

Row = dict[str, Any]
Ask = Callable[[str], list[Row]]
SECONDS = 120
NUMBER = r"^-?(0|[1-9][0-9]{0,14})([.][0-9]{1,17})?([eE][-+]?[0-9]{1,2})?$"
EXTRA = 40  # cells beyond the header's that are kept of a row that is too long
LINES = (".jsonl", ".ndjson")
TABLES = (".csv", ".tsv", ".txt")


class NoClient(Exception):
    """There is no other client for a source, in a sentence."""


def client(source: str, collection: str, fields: Sequence[str], place: Path) -> tuple[str, Ask]:
    """The name of another client, and how it is asked: a query in, its rows out, or ValueError with what the client
    objected to. `fields` are the collection's, in their order; what a file becomes is written into the folder `place`.
    Raises NoClient where there is none."""
    if source.split("://", 1)[0] in ("postgresql", "postgres"):
        return "psql", by_psql(source)
    if "://" in source:
        raise NoClient(f"there is no other client for {source.split('://', 1)[0]}://")
    path = Path(source).expanduser()
    if path.suffix.lower() in (".parquet", ".duckdb"):
        return "duckdb", by_duckdb(path)
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    files = [each for each in files if each.suffix.lower() in (*LINES, *TABLES)]
    if not files:
        return "sqlite3", by_sqlite(path)
    made = place / "again.sqlite"
    made.unlink(missing_ok=True)
    often = Counter(each.stem.lower() for each in files)
    for each in files:
        name = each.stem if often[each.stem.lower()] == 1 else each.name
        known = fields if name == collection else None
        (load_lines if each.suffix.lower() in LINES else load_table)(each, name, known, made)
    return "sqlite3", by_sqlite(made)


def by_sqlite(path: Path) -> Ask:
    def ask(query: str) -> list[Row]:
        told = run(["sqlite3", "-readonly", "-safe", "-json", str(path), query])
        return json.loads(told) if told.strip() else []

    return ask


def by_duckdb(path: Path) -> Ask:
    import duckdb

    if path.suffix == ".duckdb":
        connection = duckdb.connect(str(path), read_only=True)
    else:
        connection = duckdb.connect()
        connection.execute(f"CREATE TABLE {quoted(path.stem)} AS FROM read_parquet({literal(str(path))})")
    connection.execute("SET enable_external_access = false")

    def ask(query: str) -> list[Row]:
        try:
            found = connection.execute(query)
        except duckdb.Error as error:
            raise ValueError(str(error)) from None
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    return ask


def by_psql(address: str) -> Ask:
    parts = urlsplit(address)
    hidden = {"PGPASSWORD": unquote(parts.password)} if parts.password else {}  # a command line is seen by others
    shown = parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", "@")).geturl()
    environment = {**whole_environment(), **hidden, "PGOPTIONS": "-c default_transaction_read_only=on"}

    def ask(query: str) -> list[Row]:
        whole = f"SELECT row_to_json(proof) FROM ({query.strip().rstrip(';')}) AS proof"
        told = run(["psql", "-X", "-A", "-t", "-d", shown, "-c", whole], environment=environment)
        return [json.loads(line) for line in told.splitlines()]

    return ask


def load_table(path: Path, name: str, fields: Sequence[str] | None, made: Path) -> None:
    """Read a delimited file into a table. Without `fields`, the names are those of its first row."""
    text = re.sub(r'\A"?sep=."?\s*?\n', "", text_of(path), flags=re.IGNORECASE)
    plain = made.with_name("plain.csv")
    plain.write_text(text, encoding="utf-8", newline="")
    first = text.split("\n", 1)[0]
    between = max(",;\t|", key=first.count)
    start = [".mode csv", f".separator {json.dumps(between)} {json.dumps(chr(10))}"]
    if fields is None:
        run(["sqlite3", str(made)], [*start, f".import {json.dumps(str(plain))} heads"])
        fields = [row["name"] for row in by_sqlite(made)("SELECT name FROM pragma_table_info('heads')")]
        run(["sqlite3", str(made)], ["DROP TABLE heads;"])
    names = [each for each in fields if each not in ("_cells", "_more")]
    cells = [f"c{at}" for at in range(len(names) + (EXTRA if "_cells" in fields else 0))]
    skipped = "" if names == [f"column_{at}" for at in range(1, len(names) + 1)] else "--skip 1 "  # no row of names
    run(
        ["sqlite3", str(made)],
        [f"CREATE TABLE raw ({', '.join(cells)});", *start, f".import {skipped}{json.dumps(str(plain))} raw"],
    )
    full = f"WHERE NOT (c0 = '' AND {cells[1]} IS NULL)" if len(cells) > 1 else "WHERE c0 <> ''"
    columns = [f"{numbers(each)} AS {quoted(called)}" for each, called in zip(cells, names, strict=False)]
    if "_cells" in fields:
        columns.append(f"{' + '.join(f'({each} IS NOT NULL)' for each in cells)} AS _cells")
        rest = ", ".join(cells[len(names) :])
        columns.append(f"CASE WHEN {cells[len(names)]} IS NOT NULL THEN json_array({rest}) END AS _more")
    number = "row_number() OVER (ORDER BY rowid) - 1 AS _row"
    create = f"CREATE TABLE {quoted(name)} AS SELECT {number}, {', '.join(columns)} FROM raw {full};"
    run(["sqlite3", str(made)], [create, "DROP TABLE raw;"])


def numbers(cell: str) -> str:
    """A cell as its column has it: a number where the column is one of numbers and it is spelt as one."""
    is_number = f"{cell} REGEXP {literal(NUMBER)}"
    mostly = f"(SELECT avg({is_number}) >= 0.8 FROM (SELECT {cell} FROM raw LIMIT 5000) WHERE {cell} <> '')"
    kind = f"CASE WHEN {cell} GLOB '*[.eE]*' THEN CAST({cell} AS REAL) ELSE CAST({cell} AS INTEGER) END"
    return f"CASE WHEN {is_number} AND {mostly} THEN {kind} ELSE nullif({cell}, '') END"


def load_lines(path: Path, name: str, fields: Sequence[str] | None, made: Path) -> None:
    """Read JSON lines into a table, and each list of theirs into one of its own."""
    plain = made.with_name("plain.jsonl")
    plain.write_text("".join(f"{line}\n" for line in text_of(path).split("\n") if line.strip()), encoding="utf-8")
    script = ["CREATE TABLE raw (line);", ".mode ascii", f'.separator "\\037" {json.dumps(chr(10))}']
    script += [f".import {json.dumps(str(plain))} raw"]
    script += ["UPDATE raw SET line = '{}' WHERE iif(json_valid(line), json_type(line), '') <> 'object';"]
    run(["sqlite3", str(made)], script)
    if fields is None:
        keys = "SELECT DISTINCT key FROM raw, json_each(line) WHERE json_each.type NOT IN ('array', 'object')"
        fields = [row["key"] for row in by_sqlite(made)(keys)]
    tables: defaultdict[str, list[str]] = defaultdict(list)
    tables[""] = []
    for field in fields:
        lists, _, last = field.rpartition("[]")
        tables[f"{lists}[]" if lists else ""].append(last.removeprefix("."))
    script = []
    for lists, columns in tables.items():
        steps = [step.removeprefix(".") for step in lists.split("[]")[:-1]]
        within = ["line", *(f"e{at}.value" for at in range(len(steps)))]
        joins = [f"json_each({within[at]}, {way(step)}) AS e{at}" for at, step in enumerate(steps)]
        order = ", ".join(f"e{n}.key" for n in range(len(steps)))
        chosen = ["raw.rowid - 1 AS _row"]
        chosen += [f"row_number() OVER (PARTITION BY raw.rowid ORDER BY {order}) - 1 AS _at"] if steps else []
        chosen += [
            f"{value_at(within[-1], each) if each else within[-1]} AS {quoted(each or 'value')}" for each in columns
        ]
        table = quoted(f"{name}.{lists}" if lists else name)
        script.append(f"CREATE TABLE {table} AS SELECT {', '.join(chosen)} FROM {', '.join(['raw', *joins])};")
    run(["sqlite3", str(made)], [*script, "DROP TABLE raw;"])


def way(path: str) -> str:
    return literal("$" + "".join(f".{json.dumps(step, ensure_ascii=False)}" for step in path.split(".")))


def value_at(document: str, path: str) -> str:
    kind, value = f"json_type({document}, {way(path)})", f"json_extract({document}, {way(path)})"
    return f"CASE {kind} WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE {value} END"


def text_of(path: Path) -> str:
    data = path.read_bytes()
    is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = data.decode("utf-16" if is_wide else "utf-8-sig", "replace")
    broken = 0 if is_wide else len(text) - len(data.decode("utf-8-sig", "ignore"))
    if broken > sum(not letter.isascii() for letter in text) / 2:
        text = data.decode("cp1252", "replace")
    return text.replace("\0", "")


def run(command: Sequence[str], script: Iterable[str] = (), environment: dict[str, str] | None = None) -> str:
    """Run a client with a script on its standard input; what it prints. Raises NoClient where there is none, and
    ValueError with what it objected to."""
    if not shutil.which(command[0]):
        raise NoClient(f"the program {command[0]} is not installed")
    done = subprocess.run(
        command, input="\n".join(script), capture_output=True, encoding="utf-8", errors="replace", env=environment,
        timeout=SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        raise ValueError(done.stderr.strip().split("\n", 1)[0] or f"{command[0]} ended with {done.returncode}")
    return done.stdout


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
