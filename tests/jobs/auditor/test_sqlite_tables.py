"""The auditor on what only SQLite's tables have: hidden row numbers, generated columns, columns that compare by a rule."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.audits import report_of
from jobs.auditor.causes import every
from reach.database import open_database

ROWS = 200
TOWNS = ("Lisbon", "Porto", "Madrid", "Sevilla")


def made(path: Path, *statements: str, rows: Sequence[Sequence[Any]] = ()) -> str:
    """A database of these statements, the last of which is given the rows."""
    connection = sqlite3.connect(path)
    for statement in statements[:-1]:
        connection.execute(statement)
    connection.executemany(statements[-1], rows)
    connection.commit()
    connection.close()
    return str(path)


def orders(columns: str, path: Path) -> str:
    """Orders whose towns are disguised in the rows 11 to 16, with what a person called the columns of other numbers."""
    towns = ["N/A" if 10 <= at < 16 else TOWNS[at % 4] for at in range(ROWS)]
    filled = [(7000 - at, 1 + at % 3, at * 17 % 101, town) for at, town in enumerate(towns)]
    return made(path, f"CREATE TABLE orders ({columns})", "INSERT INTO orders VALUES (?, ?, ?, ?)", rows=filled)


@pytest.mark.parametrize(
    ("columns", "key"),
    [("rowid, b, c, town", "_rowid_"), ("ROWID INTEGER, _rowid_, c, town", "oid"), ("a, b, c, town", "rowid")],
)
def test_rows_are_named_by_their_number_also_where_a_column_has_its_name(
    columns: str, key: str, built_in_model: str, tmp_path: Path
):
    (tmp_path / "place").mkdir()
    report = report_of(built_in_model, orders(columns, tmp_path / "shop.db"), tmp_path / "place")
    found = [each for each in every(report["findings"]) if each["fields"] == ["town"]]
    assert report["key"] == [key]
    assert [each["rows"] for each in found] == [list(range(11, 17))]


def test_copies_are_named_by_their_row_number_where_a_column_has_its_name(built_in_model: str, tmp_path: Path):
    rows = [(f"n{at * 7919 % 1000}", f"m{at * 31 % 199}", f"o{at * 17 % 101}", TOWNS[at % 4]) for at in range(ROWS)]
    create = "CREATE TABLE t (rowid TEXT, b TEXT, c TEXT, town TEXT)"
    source = made(tmp_path / "t.db", create, "INSERT INTO t VALUES (?, ?, ?, ?)", rows=[*rows, rows[3], rows[9]])
    (tmp_path / "place").mkdir()
    found = every(report_of(built_in_model, source, tmp_path / "place")["findings"])
    copies = [sorted(each["rows"]) for each in found if each["category"] == "uniqueness"]
    assert copies == [[ROWS + 1, ROWS + 2]]


def test_where_columns_have_all_names_of_the_row_number_a_row_is_named_by_all_its_cells(tmp_path: Path):
    with open_database(orders("rowid, oid, _rowid_, town", tmp_path / "shop.db")) as database:
        assert database.key("orders") == ("rowid", "oid", "_rowid_", "town")


def test_a_sample_is_spread_over_the_table_also_where_a_column_is_called_as_the_row_number(tmp_path: Path):
    rows = [(f"n{number}",) for number in range(ROWS)]
    source = made(tmp_path / "t.db", "CREATE TABLE t (rowid TEXT)", "INSERT INTO t VALUES (?)", rows=rows)
    with open_database(source) as database:
        sample = database.rows("t", database.fields("t"), 50)
    assert sample == [(f"n{number}",) for number in range(4, ROWS, 5)]


def test_generated_columns_are_fields_and_their_faults_are_found(built_in_model: str, tmp_path: Path):
    columns = (
        "id INTEGER PRIMARY KEY, paid TEXT, town TEXT AS (trim(paid)) VIRTUAL, twice TEXT AS (paid || paid) STORED"
    )
    rows = [("N/A " if 10 <= at < 16 else TOWNS[at % 4],) for at in range(ROWS)]
    source = made(tmp_path / "t.db", f"CREATE TABLE t ({columns})", "INSERT INTO t (paid) VALUES (?)", rows=rows)
    with open_database(source) as database:
        assert [each.path for each in database.fields("t")] == ["id", "paid", "town", "twice"]
        assert database.counts(database.fields("t")[3]).times["N/A N/A "] == 6
    (tmp_path / "place").mkdir()
    found = every(report_of(built_in_model, source, tmp_path / "place")["findings"])
    cells = [cell for each in found for cell in each["cells"] if cell[1] in ("town", "twice")]
    assert sorted(cells) == [[row, name] for row in range(11, 17) for name in ("town", "twice")]


@pytest.mark.parametrize(
    ("parent", "child"), [("NOCASE", "NOCASE"), ("NOCASE", "BINARY"), ("BINARY", "NOCASE"), ("RTRIM", "BINARY")]
)
def test_references_to_nothing_are_those_that_sqlite_itself_finds(
    parent: str, child: str, built_in_model: str, tmp_path: Path
):
    """Half of the orders name their user in other capitals (or with a space behind) where the user's column is blind to
    that, and else as they are; two orders name nobody."""
    odd = {"NOCASE": str.upper, "RTRIM": lambda text: f"{text}  ", "BINARY": str}[parent]
    emails = [f"Ann{at * 7919 % 60}@mail.org" for at in range(ROWS)]
    named = [(odd(email) if at % 2 else email,) for at, email in enumerate(emails)]
    named[70] = named[71] = ("nobody@mail.org",)
    source = made(
        tmp_path / "t.db",
        f"CREATE TABLE users (email TEXT PRIMARY KEY COLLATE {parent})",
        f"CREATE TABLE orders (id INTEGER PRIMARY KEY, email TEXT COLLATE {child} REFERENCES users)",
        f"INSERT INTO users SELECT 'Ann' || value || '@mail.org' FROM json_each('{list(range(60))}')",
        "INSERT INTO orders (email) VALUES (?)",
        rows=named,
    )
    connection = sqlite3.connect(source)
    dangling = sorted(row for _, row, _, _ in connection.execute("PRAGMA foreign_key_check(orders)"))
    connection.close()
    assert dangling == [71, 72]
    (tmp_path / "place").mkdir()
    report = report_of(built_in_model, source, tmp_path / "place", audit_collection="orders")
    found = [each for each in every(report["findings"]) if "does not exist" in each["claim"]]
    assert [sorted(each["rows"]) for each in found] == [dangling]
    assert "; 99.00% stand in users.email." in found[0]["claim"]


def test_what_stands_twice_is_what_sqlite_itself_would_refuse_as_unique(built_in_model: str, tmp_path: Path):
    codes = [f"Kx{at * 7919 % 100_000}" for at in range(ROWS)]
    codes[20], codes[30] = codes[19].upper(), codes[29].lower()
    create = "CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE)"
    source = made(tmp_path / "t.db", create, "INSERT INTO t (code) VALUES (?)", rows=[(code,) for code in codes])
    connection = sqlite3.connect(source)
    connection.execute("CREATE TABLE kept (id, code TEXT UNIQUE COLLATE NOCASE)")
    connection.execute("INSERT OR IGNORE INTO kept SELECT id, code FROM t ORDER BY id")
    refused = [row for (row,) in connection.execute("SELECT id FROM t WHERE id NOT IN (SELECT id FROM kept)")]
    connection.close()
    assert refused == [21, 31]
    (tmp_path / "place").mkdir()
    found = every(report_of(built_in_model, source, tmp_path / "place")["findings"])
    assert [sorted(each["rows"]) for each in found if each["category"] == "uniqueness"] == [refused]
