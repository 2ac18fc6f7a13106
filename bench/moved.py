"""A table of text put into an engine, so that its proofs run again there: a DuckDB or Parquet file, or PostgreSQL.

DuckDB finds the types of the columns itself; in PostgreSQL a column whose filled cells are all numbers holds numbers,
the others hold text.
"""

from __future__ import annotations

import csv
from pathlib import Path

from bench.faults import Table
from bench.rerun import literal, quoted
from bench.strangers import number

FILES = ("duckdb", "parquet")
OURS = "made by python -m bench proofs --into"  # what says of a table in a database that it may be replaced


def moved(table: Table, name: str, place: Path, where: str) -> str:
    """Put a table into what `where` names ("duckdb", "parquet", or the address of a PostgreSQL database whose role may
    make tables there); one of the same name that was moved there before is replaced. Returns the source. Raises
    ValueError with what can be named, or where the database has a table of its own of that name, and what the engine's
    library objects to."""
    if where in FILES:
        return into_file(table, name, place, where)
    if where.startswith(("postgresql://", "postgres://")):
        into_postgres(table, name, where)
        return where
    raise ValueError(f"{where} is neither {' nor '.join(FILES)} nor the address of a PostgreSQL database.")


def into_file(table: Table, name: str, place: Path, ending: str) -> str:
    import duckdb

    plain, path = place / f"{name}.moved.csv", place / f"{name}.{ending}"
    with plain.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    path.unlink(missing_ok=True)
    with duckdb.connect(str(path) if ending == "duckdb" else ":memory:") as connection:
        read = f"FROM read_csv({literal(str(plain))}, header = true, sample_size = -1)"
        made = f"CREATE TABLE {quoted(name)} AS {read}"
        connection.execute(made if ending == "duckdb" else f"COPY ({read}) TO {literal(str(path))} (FORMAT parquet)")
    return str(path)


def into_postgres(table: Table, name: str, address: str) -> None:
    import psycopg

    fields = list(table[0])
    numeric = {field for field in fields if all(number(row[field]) for row in table if row[field])}
    columns = ", ".join(f"{quoted(f)} {'DOUBLE PRECISION' if f in numeric else 'TEXT'}" for f in fields)
    whole = quoted(name)
    with psycopg.connect(address) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)::text, obj_description(to_regclass(%s))", (whole, whole))
        if (found := cursor.fetchone()) and found[0] and found[1] != OURS:
            raise ValueError(f"the database has a table {name} of its own, which stays: name a database without one.")
        cursor.execute(f"DROP TABLE IF EXISTS {whole}".encode())
        cursor.execute(f"CREATE TABLE {whole} (id SERIAL PRIMARY KEY, {columns})".encode())
        cursor.execute(f"COMMENT ON TABLE {whole} IS {literal(OURS)}".encode())
        names = ", ".join(map(quoted, fields))
        with cursor.copy(f"COPY {whole} ({names}) FROM STDIN".encode()) as copy:
            for row in table:
                copy.write_row([row[field] or None for field in fields])
