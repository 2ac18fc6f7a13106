"""Databases: what each engine gives, and that no query writes or reaches out, through either wall alone."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from data_attempts import DUCKDB, MONGO, POSTGRES, SQLITE
from postgres_server import postgres, programs

from config import ConfigError
from reach.database import csv_file, json_lines, open_database
from reach.database.database import ALL_WALLS, ENGINE, READER, Failed, Refused

ROWS = [(1, "Ada", 3.5), (2, "Ben", None), (3, "Cleo", 4.0)]


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    path = tmp_path / "people.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, score REAL)")
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", ROWS)
    connection.commit()
    connection.close()
    return path


@pytest.fixture
def duckdb_file(tmp_path: Path) -> Path:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("sqlglot")
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t (id INTEGER, name VARCHAR, score DOUBLE)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", ROWS)
    return path


def refused_by(database, query: str) -> str:
    """The wall that refuses; "engine" too where the engine does not know what is asked for."""
    try:
        database.query(query, seconds=5)
    except Refused as refused:
        return refused.wall if "refused by" in str(refused) else ""
    return ""


@pytest.mark.sample(20)
@pytest.mark.parametrize("wall", [ENGINE, READER])
@pytest.mark.parametrize("attempt", SQLITE)
def test_sqlite_refuses_every_attempt_with_either_wall_alone(attempt: str, wall: str, sqlite_file: Path):
    if wall == READER:
        pytest.importorskip("sqlglot")
    before, other = sqlite_file.read_bytes(), sqlite_file.parent / "other"
    with open_database(str(sqlite_file), walls=[wall]) as database:
        try:
            refused = refused_by(database, SQLITE[attempt].format(file=other))
        except Failed as failed:  # SQLite looks for a table or a function before it asks the authorizer
            refused = ENGINE if "no such" in str(failed) else ""
    assert refused == wall
    assert sqlite_file.read_bytes() == before
    assert not other.exists()


@pytest.mark.sample(20)
@pytest.mark.parametrize("wall", [ENGINE, READER])
@pytest.mark.parametrize("attempt", DUCKDB)
def test_duckdb_refuses_every_attempt_with_either_wall_alone(attempt: str, wall: str, duckdb_file: Path):
    other = duckdb_file.parent / "other"
    query = DUCKDB[attempt].format(file=other, source=duckdb_file)
    with open_database(str(duckdb_file), walls=[wall]) as database:
        try:
            refused = refused_by(database, query)
        except Failed as failed:
            refused = ENGINE if "does not exist" in str(failed) else ""
        assert refused == wall, attempt
        assert database.query("SELECT * FROM t").count == 3
    assert not other.exists()


@pytest.mark.parametrize("wall", [ENGINE, READER])
@pytest.mark.parametrize("attempt", MONGO)
def test_mongo_refuses_every_attempt_with_either_wall_alone(attempt: str, wall: str):
    mongo = mongo_of({"t": [{"a": 1}]}, wall)
    assert refused_by(mongo, json.dumps({"collection": "t", "pipeline": MONGO[attempt]})) == wall


def mongo_of(collections: dict[str, list[dict]], *walls: str):
    """mongomock stands in for a server, which no registry has; how faithful it is nobody knows."""
    mongomock = pytest.importorskip("mongomock")
    pytest.importorskip("pymongo")
    from reach.database.mongo import Mongo

    client = mongomock.MongoClient()
    for name, documents in collections.items():
        client["shop"][name].insert_many(documents)
    return Mongo("mongodb://user:pass-word@localhost/shop", frozenset(walls) or ALL_WALLS, client)


def test_mongo_gives_nested_fields_as_paths_and_answers_a_pipeline():
    orders = [{"address": {"city": "Rome"}, "items": [{"price": 3}, {"price": None}]}, {"address": {"city": None}}]
    mongo = mongo_of({"orders": orders})
    paths = {field.path: field for field in mongo.fields("orders")}
    assert {"address.city", "items[].price"} <= set(paths)
    assert mongo.counts(paths["items[].price"]).times == {3: 1, None: 2}
    pipeline = [{"$match": {"address.city": None}}, {"$project": {"_id": 1}}]
    assert mongo.query(json.dumps({"collection": "orders", "pipeline": pipeline})).count == 1
    assert "pass-word" not in mongo.describe()


def test_the_built_in_mind_audits_documents_through_the_tools(built_in_model: str, tmp_path: Path):
    from audits import run_with
    from test_auditor import reproduces
    from wire_run import settings_for

    from jobs.auditor.audit import Audit
    from jobs.auditor.store import Store

    documents = [
        {"_id": n, "address": {"city": ("Rome", "Paris")[n % 2]}, "items": [{"price": n % 20}]} for n in range(200)
    ]
    documents[7]["address"]["city"] = "Romme"
    documents[9]["items"] = [{"price": 3}, {"price": 90000}]
    documents[11]["address"]["city"] = "N/A"
    mongo = mongo_of({"orders": documents})
    resources = {"database": mongo, "audit": Audit(mongo, "orders"), "store": Store(str(tmp_path / "audits.sqlite"))}
    report = run_with(settings_for("openai", built_in_model), "openai", tmp_path / "place", resources=resources).report
    found = {(each["fields"][0], json.dumps(each["rows"])) for each in report["findings"]}
    assert found == {("address.city", "[7]"), ("address.city", "[11]"), ("items[].price", "[9]")}
    reproduces(mongo, report)


@pytest.mark.long
@pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed (apt-get install postgresql)")
def test_a_real_postgres_refuses_every_attempt_with_either_wall_alone(tmp_path: Path):
    psycopg = pytest.importorskip("psycopg")
    pytest.importorskip("sqlglot")
    with postgres() as address:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("CREATE TABLE t (id integer PRIMARY KEY, name text, score numeric)")
            connection.cursor().executemany("INSERT INTO t VALUES (%s, %s, %s)", ROWS)
            connection.execute("CREATE SEQUENCE numbers")
            connection.execute("CREATE TABLE papers (id integer PRIMARY KEY, paper json, place point, ok boolean)")
            connection.execute("INSERT INTO papers VALUES (1, '{\"a\": 1}', '(1,2)', true)")
            connection.execute("CREATE FUNCTION writes() RETURNS int LANGUAGE sql AS 'DELETE FROM t; SELECT 1'")
            connection.execute("CREATE ROLE auditor LOGIN PASSWORD 'pass-word'; GRANT pg_read_all_data TO auditor")
            connection.execute(
                "GRANT ALL ON ALL TABLES IN SCHEMA public TO auditor; GRANT ALL ON SEQUENCE numbers TO auditor"
            )
        with pytest.raises(ConfigError, match="superuser"):
            open_database(address)
        mine = address.replace("owner@", "auditor:pass-word@")
        for wall in (ENGINE, READER):
            with open_database(mine, walls=[wall]) as database:
                left = {}
                for attempt, query in POSTGRES.items():
                    try:
                        refused = refused_by(database, query.format(file=tmp_path / "other"))
                    except Failed as failed:
                        said = str(failed)
                        refused = ENGINE if "does not exist" in said or "syntax error" in said else said
                    if refused != wall:
                        left[attempt] = refused
                assert not left
                assert database.query("SELECT * FROM t WHERE name NOT LIKE 'x%'").count == 3
        with open_database(mine) as database:
            assert database.key("t") == ("id",)
            assert [field.declared for field in database.fields("t")] == ["integer", "text", "numeric"]
            assert database.counts(database.fields("t")[2]).times == {3.5: 1, None: 1, 4: 1}
            assert "pass-word" not in database.describe()
            kept = [dict(database.counts(field).times) for field in database.fields("papers")]
            assert kept == [{1: 1}, {'{"a": 1}': 1}, {"(1,2)": 1}, {True: 1}]
            with pytest.raises(Failed, match="stopped after"):
                database.query(SLOW, seconds=1)
    with pytest.raises(ConfigError) as gone:
        open_database(mine)
    assert "pass-word" not in str(gone.value)


SLOW = "SELECT count(*) FROM " + ", ".join(f"t t{number}" for number in range(24))


def test_a_query_is_counted_wholly_and_shown_in_part(sqlite_file: Path):
    with open_database(str(sqlite_file)) as database:
        answer = database.query("SELECT a.id FROM t a, t b, t c, t d, t e", keep=100)
        assert (answer.count, len(answer.rows)) == (243, 100)


def test_a_query_that_takes_too_long_is_stopped(sqlite_file: Path):
    with open_database(str(sqlite_file)) as database, pytest.raises(Failed, match="stopped after"):
        database.query(SLOW, seconds=0.2)


# No look at the clock is taken within these: one call of a C function lasts for minutes.
HANG = (
    f"WITH RECURSIVE r(i, s) AS (SELECT 1, '{'a' * 6000}' UNION ALL SELECT i + 1, s || s FROM r WHERE i < 12) "
    "SELECT max(instr(s, substr(s, 1, length(s) / 2) || 'b')) FROM r"
)


def test_a_query_that_the_engines_own_clock_cannot_stop_is_killed(sqlite_file: Path):
    with open_database(str(sqlite_file)) as database:
        database.query("SELECT 1 FROM t")
        began = time.monotonic()
        with pytest.raises(Failed, match=r"stopped after 0\.2 seconds"):
            database.query(HANG, seconds=0.2)
        assert time.monotonic() - began < 20  # the query takes minutes
        assert database.query("SELECT count(*) FROM t").rows == [(3,)]


def test_a_query_of_duckdb_that_its_clock_cannot_stop_is_killed(duckdb_file: Path):
    import duckdb

    with duckdb.connect(str(duckdb_file)) as connection:
        connection.execute("CREATE TABLE long AS SELECT repeat('ab', 300000) AS a, repeat('ba', 300000) AS b")
    with open_database(str(duckdb_file)) as database:
        began = time.monotonic()
        with pytest.raises(Failed, match="stopped after"):
            database.query("SELECT levenshtein(a, b) FROM long", seconds=0.2)
        assert time.monotonic() - began < 30
        assert database.query("SELECT count(*) FROM t").rows == [(3,)]


def test_ctrl_c_ends_a_query_that_heeds_nothing(sqlite_file: Path):
    with open_database(str(sqlite_file)) as database:
        threading.Timer(0.5, database.cancelled.set).start()
        with pytest.raises(Failed, match="stopped by the person"):
            database.query(HANG, seconds=600)


def test_a_database_that_is_closed_leaves_no_process(sqlite_file: Path):
    database = open_database(str(sqlite_file))
    database.query("SELECT 1 FROM t")
    (process,) = database.apart._free
    database.close()
    assert process.poll() is not None


def test_a_query_is_stopped_by_ctrl_c(sqlite_file: Path):
    with open_database(str(sqlite_file)) as database:
        timer = threading.Timer(0.2, database.cancelled.set)
        timer.start()
        with pytest.raises(Failed, match="stopped"):
            database.query(SLOW, seconds=60)
        assert database.cancelled.is_set()


def test_csv_is_read_in_odd_dialects_with_a_byte_order_mark_and_ragged_rows(tmp_path: Path):
    path = tmp_path / "odd.csv"
    path.write_bytes(
        b'\xef\xbb\xbfname;"price; net";code\r\n"A; b";1,5;007\r\n"two\nlines";2,5;008\r\nshort\r\nx;1;2;3;4\r\n'
    )
    told: list[str] = []
    with open_database(str(path), told.append) as database:
        assert [field.path for field in database.fields("odd")] == ["name", "price; net", "code", "_cells", "_more"]
        rows = database.query('SELECT _row, name, "price; net", code, _cells, _more FROM odd').rows
    assert rows[0] == (0, "A; b", "1,5", "007", 3, None)
    assert rows[1][1] == "two\nlines"
    assert rows[2] == (2, "short", None, None, 1, None)
    assert rows[3][4:] == (5, '["3", "4"]')
    assert "not every row" in told[0]


def test_csv_of_windows_is_read_and_told(tmp_path: Path):
    path = tmp_path / "old.csv"
    path.write_bytes("name,city\nJosé,Köln\n".encode("cp1252"))
    told: list[str] = []
    with open_database(str(path), told.append) as database:
        assert database.query("SELECT name, city FROM old").rows == [("José", "Köln")]
    assert "Windows-1252" in told[0]


@pytest.mark.parametrize("columns", [3, 8])
def test_decimal_commas_are_no_delimiter(columns: int, tmp_path: Path):
    path = tmp_path / "measured.csv"
    names = [f"Wert {number}" for number in range(columns)]
    rows = [[f"{row % 90},{number}5" for number in range(columns)] for row in range(300)]
    path.write_text("\n".join(map(";".join, [names, *rows])) + "\n", encoding="utf-8")
    told: list[str] = []
    with open_database(str(path), told.append) as database:
        assert [field.path for field in database.fields("measured")] == names
        assert database.query("SELECT * FROM measured WHERE _row = 7").rows == [(7, *rows[7])]
    assert "numbers with a comma stay texts, without ranges and sums: Wert 0, Wert 1" in told[0]


def test_the_line_in_which_a_file_names_its_delimiter_is_no_row(tmp_path: Path):
    path = tmp_path / "excel.csv"
    path.write_bytes(b"\xef\xbb\xbfsep=;\r\ncity;number\r\nUlm, Donau;1\r\nBonn, Rhein;2\r\n")
    with open_database(str(path)) as database:
        assert [field.path for field in database.fields("excel")] == ["city", "number"]
        assert database.query("SELECT * FROM excel").rows == [(0, "Ulm, Donau", 1), (1, "Bonn, Rhein", 2)]


@pytest.mark.parametrize("end", ["J\xfcrgen,K\xf6ln\n".encode("latin-1"), "Ann,M\xfc".encode()[:-1]])
def test_a_few_bytes_that_are_no_utf_8_spoil_only_themselves(end: bytes, tmp_path: Path):
    path = tmp_path / "joined.csv"
    path.write_bytes(b"name,city\n" + "Zo\xeb,Z\xfcrich\n".encode() * 20 + end)
    told: list[str] = []
    with open_database(str(path), told.append) as database:
        assert database.query("SELECT name, city FROM joined WHERE _row < 20").rows == [("Zo\xeb", "Z\xfcrich")] * 20
        assert "\ufffd" in database.query("SELECT city FROM joined WHERE _row = 20").rows[0][0]
    assert "is UTF-8 but for" in told[0]


def test_numbers_keep_their_spelling_where_a_column_is_no_number(tmp_path: Path):
    path = tmp_path / "codes.csv"
    path.write_text("zip,amount\n01234,1.50\n02345,n/a\n" + "03456,2\n" * 8, encoding="utf-8")
    with open_database(str(path)) as database:
        assert database.query("SELECT zip, amount FROM codes").rows[:3] == [
            ("01234", 1.5),
            ("02345", "n/a"),
            ("03456", 2),
        ]


def test_json_lines_with_nested_documents_become_paths(tmp_path: Path):
    path = tmp_path / "orders.jsonl"
    lines = [{"id": 1, "address": {"city": "Rome"}, "items": [{"price": 3}, {"price": "4"}], "tags": ["a"]}, {"id": 2}]
    path.write_text("\n".join(map(json.dumps, lines)) + "\nnot json\n", encoding="utf-8")
    told: list[str] = []
    with open_database(str(path), told.append) as database:
        assert database.collections() == ["orders"]
        paths = {field.path: field for field in database.fields("orders")}
        assert list(paths) == ["id", "address.city", "items[].price", "tags[]"]
        assert database.counts(paths["items[].price"]).times == {3: 1, "4": 1}
        query = "SELECT _row, _at FROM \"orders.items[]\" WHERE typeof(price) = 'text'"
        assert database.query(query).rows == [(0, 1)]
    assert "1 lines are no JSON object" in told[0]


def test_a_folder_is_several_collections(tmp_path: Path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text('{"x": 1}\n', encoding="utf-8")
    with open_database(str(tmp_path)) as database:
        assert database.collections() == ["a", "b"]


def test_parquet_and_duckdb_are_read(tmp_path: Path, duckdb_file: Path):
    duckdb = pytest.importorskip("duckdb")
    place = tmp_path / "people.parquet"
    duckdb.sql(f"COPY (SELECT 1 AS id, {{'city': 'Rome'}} AS address) TO '{place}'")
    with open_database(str(place)) as database:
        assert [field.path for field in database.fields("people")] == ["id", "address.city"]
        assert database.counts(database.fields("people")[1]).times == {"Rome": 1}
    with open_database(str(duckdb_file)) as database:
        assert database.counts(database.fields("t")[2]).times == {3.5: 1, None: 1, 4.0: 1}


def test_keys_beyond_those_that_become_columns_are_told_with_the_first_of_them(tmp_path: Path):
    lines = [{f"k{n}": n for n in range(at, at + 300)} for at in (0, 300, 600, 900)]
    lines[3]["items"] = [{f"p{n}": n for n in range(1_001)}]
    (tmp_path / "wide.jsonl").write_text("\n".join(map(json.dumps, lines)))
    told: list[str] = []
    with open_database(str(tmp_path / "wide.jsonl"), told.append) as database:
        assert len([each for each in database.fields("wide") if each.table == "wide"]) == 1_000
        assert database.notes == tuple(told)
    assert told == [
        "wide.jsonl: of 1,200 keys the first 1,000 are read; these are not: k1000, k1001, k1002, k1003, k1004, k1005, "
        "k1006, k1007, k1008, k1009 and 190 more. Put what you want audited of them into a file of its own.",
        "wide.jsonl: of 1,001 keys of items[] the first 1,000 are read; these are not: p1000. Put what you want audited "
        "of them into a file of its own.",
    ]


def test_views_and_tables_without_a_rowid_are_read_too(tmp_path: Path):
    path = tmp_path / "odd.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a TEXT, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [(f"n{number}", number) for number in range(50)])
    connection.execute("CREATE VIEW v AS SELECT a FROM t WHERE b > 40")
    connection.commit()
    connection.close()
    with open_database(str(path)) as database:
        assert database.collections() == ["t"]
        assert database.key("t") == ("a", "b")
        counts = database.counts(database.fields("t")[1], most=20)
        assert counts.sampled
        assert counts.rows == 50
        assert set(range(10)) | set(range(40, 50)) <= set(counts.times)
        assert database.query("SELECT count(*) FROM v").rows == [(9,)]


def test_a_database_that_writes_ahead_is_read_without_a_file_beside_it(tmp_path: Path):
    path = tmp_path / "app.db"
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE t (a)")
    writer.execute("INSERT INTO t VALUES (1)")
    writer.commit()
    with open_database(str(path)) as database:  # while another has it open what is not in its file yet is read, too
        assert database.query("SELECT a FROM t").rows == [(1,)]
    writer.close()
    with open_database(str(path)) as database:
        assert database.query("SELECT a FROM t").rows == [(1,)]
        assert [each.name for each in tmp_path.iterdir()] == ["app.db"]
    assert [each.name for each in tmp_path.iterdir()] == ["app.db"]


@pytest.mark.parametrize("source", ["none.csv", "mysql://x/y", "README.md", "mongodb://localhost"])
def test_a_source_that_cannot_be_opened_is_a_sentence(source: str):
    if source.startswith("mongodb"):
        pytest.importorskip("pymongo")
    with pytest.raises(ConfigError) as error:
        open_database(source)
    assert str(error.value).endswith(".")


READ_AS_NAMES = {
    "numbers that count up": ("country,1990,1995,2000", ["A,{0}.5,{1},3", "B,7,{0},{1}"]),
    "numbers that pandas gives columns": (",0,1", ["a,{0}.5,{1}", "b,{1},7"]),
    "words above numbers, and a number far from all": ("150,4,setosa,virginica", ["{0}.1,{1},1,0", "{1}.3,{0},0,1"]),
    "a number above words": ("name,2020", ["a,yes", "b,no", "c,yes"]),
}
READ_AS_DATA = {
    "numbers like those below": ("3,4.5,Paris", ["{0},{1}.5,Paris", "{1},{0}.25,Rome"]),
    "one word among numbers": ("3,error,7,5", ["{0},{1},9,2", "{1},{0},1,8"]),
    "a number twice": ("0,0,a", ["{0},1,b", "1,{1},c"]),
    "numbers that rise in every row": ("1,2,3", ["{0},12,13", "{1},22,23"]),
}


@pytest.mark.parametrize("what", [*READ_AS_NAMES, *READ_AS_DATA])
def test_a_first_line_with_numbers_is_names_or_data_by_what_stands_below_it(what: str, tmp_path: Path):
    is_names = what in READ_AS_NAMES
    first, below = (READ_AS_NAMES if is_names else READ_AS_DATA)[what]
    lines = [below[at % len(below)].format(at % 7, at % 5) for at in range(60)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join([first, *lines]) + "\n", encoding="utf-8")
    told: list[str] = []
    with open_database(str(path), told.append) as database:
        names = [field.path for field in database.fields("table")]
        assert database.size("table") == 60 + (not is_names)
        assert database.notes == tuple(told)
    numbered = [f"column_{number}" for number in range(1, len(names) + 1)]
    assert names == ([name or "column_1" for name in first.split(",")] if is_names else numbered)
    assert ("is read as names, because" if is_names else "read as without a header, because") in told[0]
    path.write_text("\n".join([",".join("abcd"[: len(names)]), first, *lines]) + "\n", encoding="utf-8")
    with open_database(str(path)) as database:  # what the sentence says to do, where that is wrong
        assert [field.path for field in database.fields("table")] == list("abcd"[: len(names)])
        assert database.size("table") == 61


def test_a_quotation_mark_that_nothing_closes_is_told_and_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    before = csv.field_size_limit()
    monkeypatch.setattr(csv_file, "LARGEST_CELL", 100)
    (tmp_path / "a.csv").write_text('name,size\n"5 inch,3\n' + "Ann,4\n" * 50, encoding="utf-8")
    try:
        with pytest.raises(ConfigError, match="quotation mark that nothing closes"):
            open_database(str(tmp_path / "a.csv"))
    finally:
        csv.field_size_limit(before)


def test_of_a_file_of_unknown_kind_only_the_beginning_is_read_and_a_refusal_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    film = tmp_path / "film.mp4"
    with film.open("wb") as file:
        file.truncate(64 * 2**30)  # a hole: nothing on the disk, and more than any memory
    with pytest.raises(ConfigError, match="is no kind of data"):
        open_database(str(film))

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(ConfigError, match="film.mp4 cannot be read .Permission denied."):
        open_database(str(film))


def test_what_would_fill_the_memory_or_take_hours_is_a_sentence_or_read_in_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    begin = time.monotonic()
    (tmp_path / "wide.csv").write_text("\n".join([",".join(f"c{n}" for n in range(60_000)), "," * 59_999]))
    with pytest.raises(ConfigError, match="too many columns"):  # their names were compared each with each
        open_database(str(tmp_path / "wide.csv"))
    long_key = json.dumps({"k" * 100_000: 1})  # ten thousand others were made of each
    lists = json.dumps({f"list{n}": [{"a": n}] for n in range(500)})  # the file was read once for each
    (tmp_path / "odd.jsonl").write_text("\n".join([long_key] * 3 + [lists] * 20))
    with open_database(str(tmp_path / "odd.jsonl")) as database:
        assert database.query('SELECT count(*), sum(a), min(_row) FROM "odd.list499[]"').rows == [(20, 20 * 499, 3)]
    assert time.monotonic() - begin < 20
    for module in (csv_file, json_lines):
        monkeypatch.setattr(module, "LONGEST_LINE", 1000)
    (tmp_path / "line.csv").write_text("a,b\n" + "x," * 1000)
    with pytest.raises(ConfigError, match="a line of more than 1,000 characters"):
        open_database(str(tmp_path / "line.csv"))
    (tmp_path / "line.jsonl").write_text('{"a": 1}\n' + json.dumps({"a": "x" * 5000}) + '\n{"a": 2}\n')
    told: list[str] = []
    with open_database(str(tmp_path / "line.jsonl"), told.append) as database:
        assert database.query("SELECT _row, a FROM line").rows == [(0, 1), (1, None), (2, 2)]
    assert told == ["line.jsonl: 1 lines are no JSON object; their rows are empty."]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names on this system")
def test_what_is_no_file_is_not_waited_for_and_names_that_cannot_be_are_a_sentence(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "folder.csv").mkdir()
    for source, why in {
        tmp_path / "pipe.csv": "neither a file nor a folder",
        "x" * 300 + ".csv": "File name too long",
        "~nobody-has-this-name/x.csv": "home directory",
        tmp_path: "holds no .csv",
    }.items():
        with pytest.raises(ConfigError, match=why):
            open_database(str(source))
    (tmp_path / "real.csv").write_text("a,b\n1,2\n")
    with open_database(str(tmp_path)) as database:
        assert database.collections() == ["real"]


def test_a_virtual_table_keeps_no_other_from_being_read(tmp_path: Path):
    path = tmp_path / "search.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE VIRTUAL TABLE v USING rtree(i, x, y)"
    )
    connection.close()
    with open_database(str(path)) as database:
        assert "t" in database.collections()
        assert "v" not in database.collections()
        assert [database.size(name) for name in database.collections()]


def test_many_short_queries_hear_of_ctrl_c_between_them(sqlite_file: Path):
    with open_database(str(sqlite_file)) as database:
        assert database.size("t") == len(ROWS)
        database.cancelled.set()
        with pytest.raises(Failed, match="stopped by the person"):
            database.size("t")
