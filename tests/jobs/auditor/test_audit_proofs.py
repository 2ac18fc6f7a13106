"""Every proof is one: another client than the auditor's own reads the same data and gets what is claimed."""

from __future__ import annotations

import copy
import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from audits import write_csv
from postgres_server import postgres, programs

from bench.audits import report_of
from bench.faults import Table
from bench.moved import moved
from bench.proofs import counts, main
from bench.strangers import HELD, OPEN, spoilt
from bench.tables import CLEAN
from jobs.auditor.causes import every

pytestmark = pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the program sqlite3 is not installed")
ROWS = 200


def orders() -> Table:
    """A small table with errors of several kinds: emptied, disguised, misspelt, in another format, copied, broken."""
    draw = random.Random(5)
    table: Table = []
    for number in range(ROWS):
        town = draw.choice(("Lisbon", "Porto", "Madrid", "Zürich"))
        row = {"order": str(1000 + number), "town": town, "weight": f"{draw.gauss(40, 6):.1f}"}
        row |= {"paid": f"2024-0{draw.randrange(1, 9)}-1{draw.randrange(9)}", "note": f"the order's no. {number}"}
        table.append(row)
    for row in table[10:16]:
        row["town"], row["weight"] = "N/A", None
    table[20]["town"], table[21]["town"], table[22]["weight"], table[23]["weight"] = "Lisbo", "PORTO", "12 kg", "-999"
    table[30]["paid"], table[31]["paid"] = "13.04.2024", "2031-01-01"
    return [*table, dict(table[40]), dict(table[41])]


def typed(row: dict) -> dict:
    """A row as a database has it: numbers are numbers where they are spelt as one."""
    numbers = {name: row[name] for name in ("order", "weight") if row[name] and row[name].lstrip("-")[:3].isdigit()}
    return {**row, "order": int(row["order"]), **{name: float(value) for name, value in numbers.items()}}


@pytest.fixture
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The same table as a kind of source."""
    kind, table = request.param, orders()
    path = tmp_path / f"orders.{kind}"
    lines = [",".join((row[name] or "").replace(",", "") for name in row) for row in table]
    if kind == "csv":
        yield write_csv(path, table)
    elif kind == "txt":  # of another delimiter and encoding, with rows too long and too short, with an empty line
        lines = [each.replace(",", ";") for each in [",".join(table[0]), *lines]]
        lines[50:52] = [lines[50] + ";more;and more", "", lines[51].rsplit(";", 2)[0]]
        path.write_bytes("\r\n".join(lines).encode("cp1252"))
        yield str(path)
    elif kind == "jsonl":
        lists = [
            {
                **typed(row),
                "open": True,
                "items": [{"price": {"net": net}} for net in (3.5, None if at % 9 == 0 else at)],
            }
            for at, row in enumerate(table)
        ]
        path.write_text("\n".join([*map(json.dumps, lists[:60]), "{broken", *map(json.dumps, lists[60:])]))
        yield str(path)
    elif kind == "sqlite":
        with sqlite3.connect(path) as connection:
            connection.execute(
                "CREATE TABLE orders (id INTEGER PRIMARY KEY, 'order' INT, town TEXT, weight, paid, note)"
            )
            rows = [tuple(typed(row).values()) for row in table]
            connection.executemany("INSERT INTO orders VALUES (NULL, ?, ?, ?, ?, ?)", rows)
        connection.close()
        yield str(path)
    elif kind in ("parquet", "duckdb"):
        duckdb = pytest.importorskip("duckdb")
        pytest.importorskip("sqlglot")
        read = f"FROM read_csv('{write_csv(tmp_path / 'o.csv', table)}', all_varchar = true)"
        columns = '* REPLACE (CAST("order" AS INTEGER) AS "order")'
        with duckdb.connect(str(path) if kind == "duckdb" else ":memory:") as connection:
            made = f"COPY (SELECT {columns} {read}) TO '{path}' (FORMAT parquet)"
            connection.execute(f"CREATE TABLE orders AS SELECT {columns} {read}" if kind == "duckdb" else made)
        yield str(path)
    else:
        psycopg = pytest.importorskip("psycopg")
        pytest.importorskip("sqlglot")
        if not programs() or not shutil.which("psql"):
            pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
        with postgres() as owner, psycopg.connect(owner, autocommit=True) as connection:
            connection.execute(
                'CREATE TABLE orders (id SERIAL, "order" INT, town TEXT, weight TEXT, paid TEXT, note TEXT)'
            )
            for row in table:
                values = tuple(row.values())
                connection.execute(
                    'INSERT INTO orders ("order", town, weight, paid, note) VALUES (%s, %s, %s, %s, %s)', values
                )
            connection.execute('CREATE TABLE "a person\'s" AS SELECT 1 AS kept')
            with pytest.raises(ValueError, match="of its own, which stays"):
                moved(table, "a person's", tmp_path, owner)
            assert connection.execute('SELECT kept FROM "a person\'s"').fetchall() == [(1,)]
            for _ in range(2):  # its own is replaced
                moved(table, "orders again", tmp_path, owner)
            again = connection.execute('SELECT "order", town FROM "orders again" ORDER BY id').fetchall()
            assert again == [(float(str(row["order"])), row["town"]) for row in table]
            connection.execute("CREATE ROLE reader LOGIN PASSWORD 'pass/word'; GRANT SELECT ON orders TO reader")
            yield owner.replace("owner@", "reader:pass%2Fword@")


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "source",
    ["csv", "txt", "jsonl", "sqlite", "parquet", "duckdb", "postgres"],
    indirect=True,
)
def test_another_client_gets_what_every_proof_claims(source: str, built_in_model: str, tmp_path: Path):
    report = report_of(built_in_model, source, tmp_path)
    found = {field for each in every(report["findings"]) for field in each["fields"]}
    assert {"town", "weight"} | ({"items[].price.net"} if source.endswith("jsonl") else set()) <= found
    clients = {"sqlite": "sqlite3", "duckdb": "duckdb", "postgres": "psql"}
    expected = {f"return what is claimed ({clients[report['dialect']]})": len(every(report["findings"]))}
    assert counts(report, source, tmp_path) == expected


@pytest.mark.parametrize("where", ["duckdb", "parquet"])
def test_a_table_of_text_is_moved_into_an_engine_and_its_proofs_hold_there(
    where: str, built_in_model: str, tmp_path: Path
):
    pytest.importorskip("duckdb")
    pytest.importorskip("sqlglot")
    source = moved(orders(), "it's", tmp_path, where)
    report = report_of(built_in_model, source, tmp_path, audit_collection="it's")
    assert "town" in {field for each in every(report["findings"]) for field in each["fields"]}
    assert counts(report, source, tmp_path) == {"return what is claimed (duckdb)": len(every(report["findings"]))}


def test_an_engine_that_is_not_known_is_a_sentence(tmp_path: Path):
    with pytest.raises(ValueError, match="oracle is neither duckdb nor parquet nor the address of a PostgreSQL"):
        moved(orders(), "orders", tmp_path, "oracle")


def test_what_is_claimed_and_not_there_is_told(built_in_model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = write_csv(tmp_path / "orders.csv", orders())
    report = report_of(built_in_model, source, tmp_path)
    place = next(at for at, each in enumerate(report["findings"]) if each["affected"] > 2)
    other = next(row for row in range(ROWS) if row not in report["findings"][place]["rows"])

    def claimed(**changes: object) -> str:
        told = copy.deepcopy(report)
        told["findings"][place] |= changes
        path = tmp_path / "report.json"
        path.write_text(json.dumps({"report": told}), encoding="utf-8")
        code = main([str(path), "--data", source])
        said = capsys.readouterr().out
        assert code == (1 if "differ" in said else 0)
        return said

    mine = report["findings"][place]
    assert claimed() == f"{len(every(report['findings']))} return what is claimed (sqlite3)\n"
    assert f"{mine['affected'] + 1} rows are claimed, and {mine['affected']} come back" in claimed(
        affected=mine["affected"] + 1
    )
    assert f"row {other} is claimed, and does not come back" in claimed(rows=[other, *mine["rows"][1:]])
    wrong = {**mine["examples"][0], "_row": mine["examples"][0]["_row"], mine["fields"][0]: "another"}
    assert "the example" in claimed(examples=[wrong])
    assert "the query is not answered" in claimed(query="SELECT nothing FROM orders")
    assert "; 1 differ (sqlite3)\n" in claimed(query="SELECT writefile('x', 'y')")


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(CLEAN))
def test_every_proof_of_a_spoilt_table_holds(name: str, built_in_model: str, tmp_path: Path):
    assert not set(CLEAN) & {*OPEN, *HELD}
    for rate in (0.01, 0.1, 0.4):
        source = write_csv(tmp_path / f"{name}.csv", spoilt(CLEAN[name](), rate, 3)[0])
        report = report_of(built_in_model, source, tmp_path)
        assert len(report["findings"]) > 2
        assert list(counts(report, source, tmp_path)) == ["return what is claimed (sqlite3)"]


@pytest.mark.long
def test_every_proof_of_the_collection_that_ships_holds(capsys: pytest.CaptureFixture[str]):
    assert main(["samples/clinic"]) == 0
    assert "return what is claimed (sqlite3)" in capsys.readouterr().out
