"""What audits leave behind: versions of the schema, several at once, history, differences, and a killed audit."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from audits import audit, write_csv
from postgres_server import postgres, programs
from scripted import scripted

from bench.faults import plant
from bench.tables import orders
from config import PROJECT, ConfigError
from jobs.auditor.audit import Finding
from jobs.auditor.store import MIGRATIONS, Store, difference
from offline.script import OPENAI

FOUND = Finding(
    ("city",), "validity", "low", "Wrong.", "SELECT 1", 1, 0.9, "Look.", [3], [[3, "city"]], [], "t|city|validity"
)


def test_a_store_of_the_first_version_is_migrated_and_keeps_what_it_holds(tmp_path: Path):
    path = tmp_path / "audits.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE audit_schema (version INTEGER)")
    for step in MIGRATIONS[0]:
        connection.execute(step.format(serial="INTEGER PRIMARY KEY AUTOINCREMENT"))
    connection.execute("INSERT INTO audit_schema VALUES (1)")
    connection.execute("INSERT INTO audits (source, collection, status) VALUES ('s', 't', 'ended')")
    connection.execute("INSERT INTO findings VALUES (1, 't|city|validity', ?)", [json.dumps(FOUND.to_json())])
    connection.commit()
    connection.close()
    store = Store(str(path))
    assert store.findings(1)[0]["claim"] == "Wrong."
    assert store.history("s", "t") == [
        {"pattern": "one-off", "fields": ["city"], "category": "validity", "fingerprint": "t|city|validity"}
    ]
    Store(str(path))  # a second time there is nothing to do


def test_a_store_of_a_newer_program_is_left_alone(tmp_path: Path):
    path = tmp_path / "audits.sqlite"
    Store(str(path))
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO audit_schema VALUES (99)")
    with pytest.raises(ConfigError, match="newer program"):
        Store(str(path))


def test_a_store_that_cannot_be_written_is_a_sentence(tmp_path: Path):
    (tmp_path / "audits.sqlite").write_text("this is no database, and it is long enough to be looked at as one" * 20)
    with pytest.raises(ConfigError, match="AUDIT_STORE"):
        Store(str(tmp_path / "audits.sqlite"))


def together(make_store) -> None:
    """Eight audits at once: each keeps its own findings whole."""
    numbers: list[int] = []

    def one() -> None:
        store = make_store()
        number = store.begin("s", "t", 10)
        for at in range(10):
            store.keep(number, replace(FOUND, claim=f"{number} {at}"), "" if at % 2 else "why")
        store.end(number, "ended")
        numbers.append(number)

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    store = make_store()
    assert len(set(numbers)) == 8
    for number in numbers:
        kept = [*store.findings(number), *store.findings(number, dismissed=True)]
        assert sorted(each["claim"] for each in kept) == sorted(f"{number} {at}" for at in range(10))
    assert {each["pattern"] for each in store.history("s", "t")} == {"persistent", "dismissed"}


def test_audits_at_the_same_time_keep_apart(tmp_path: Path):
    together(lambda: Store(str(tmp_path / "audits.sqlite")))


def test_a_difference_says_what_is_new_persists_and_is_gone():
    before = [{**FOUND.to_json(), "fingerprint": name} for name in ("a", "b")]
    now = [{**FOUND.to_json(), "fingerprint": name, "claim": name} for name in ("b", "c")]
    told = difference(before, now)
    assert [[each["claim"] for each in told[kind]] for kind in ("new", "persisting", "gone")] == [
        ["c"],
        ["b"],
        ["Wrong."],
    ]


def test_the_next_audit_knows_the_last_one_and_says_what_changed(built_in_model: str, tmp_path: Path):
    for kinds in (["spaces", "typo"], ["typo", "outlier"]):
        source = write_csv(tmp_path / "orders.csv", plant(orders(600), kinds, 4, seed=5)[0])
        report = audit(built_in_model, OPENAI, source, tmp_path / "place").report
    compared = report["compared"]
    assert compared["against"] == 1
    assert all(compared[kind] for kind in ("new", "persisting", "gone")), compared
    with scripted(("", [("schema_sample", {})]), ("Done.", [])) as script:
        audit(script.address, OPENAI, source, tmp_path / "place", run_gate="off")
    state = script.requests[0]["messages"][1]["content"]
    assert "- persistent: " in state
    assert "- one-off: " in state


@pytest.mark.long
def test_a_killed_audit_leaves_a_store_that_is_whole_and_a_report_that_opens(tmp_path: Path, run_main):
    source = write_csv(tmp_path / "orders.csv", orders(80))
    finding = {
        "fields": ["city"],
        "category": "validity",
        "severity": "low",
        "claim": "A city is wrong.",
        "affected": 1,
    }
    more = {"query": "SELECT _row, city FROM orders WHERE _row = 1", "confidence": 0.9, "suggestion": "Correct it."}
    replies = [("", [("schema_sample", {})]), ("", [("write_finding", {**finding, **more})])]
    started: list[subprocess.Popen] = []

    def kill_at_the_third_request(number: int) -> None:
        if number == 2:
            os.kill(started[0].pid, signal.SIGKILL)

    runs = tmp_path / "runs"
    with scripted(*replies, before_reply=kill_at_the_third_request) as script:
        environment = {**os.environ, **script.environment("lmstudio"), "GLASSBOX_RUNS_DIRECTORY": str(runs)}
        (tmp_path / "work").mkdir()
        where = ["--data", source, "--workdir", str(tmp_path / "work")]
        command = [sys.executable, "main.py", "--job", "auditor", *where]
        with subprocess.Popen(command, cwd=PROJECT, env=environment, stderr=subprocess.DEVNULL) as process:
            started.append(process)
            assert process.wait(120) == -signal.SIGKILL
    store = Store(str(runs / "audits.sqlite"))
    assert [each["claim"] for each in store.findings(1)] == ["A city is wrong."]
    assert store.earlier(source, "orders") == []  # it did not come to an end, and is no history
    ran = run_main("--view", GLASSBOX_RUNS_DIRECTORY=str(runs), DISPLAY="", WAYLAND_DISPLAY="")
    written = Path(ran.stdout.strip()).read_text(encoding="utf-8")
    assert "A city is wrong." in written
    assert "stopped before its end" in written


@pytest.mark.long
@pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed (apt-get install postgresql)")
def test_a_real_postgres_is_source_and_store(built_in_model: str, tmp_path: Path):
    psycopg = pytest.importorskip("psycopg")
    pytest.importorskip("sqlglot")
    from test_auditor import reproduces

    table, _ = plant(orders(600), ["missing", "typo", "outlier", "order of dates"], 3, seed=2)
    with postgres() as address:
        with psycopg.connect(address, autocommit=True) as connection:
            names = list(table[0])
            kinds = {
                "ordered": "date",
                "delivered": "date",
                "price": "numeric",
                "total": "numeric",
                "quantity": "integer",
            }
            columns = ", ".join(f"{name} {kinds.get(name, 'text')}" for name in names)
            connection.execute(f"CREATE TABLE orders (number integer PRIMARY KEY, {columns})")
            with connection.cursor().copy("COPY orders FROM STDIN") as copy:
                for number, row in enumerate(table):
                    copy.write_row([number, *(row[name] for name in names)])
            connection.execute("CREATE ROLE reader LOGIN PASSWORD 'pass-word'; GRANT pg_read_all_data TO reader")
            connection.execute("CREATE DATABASE audits")
        source = address.replace("owner@", "reader:pass-word@")
        kept = address.replace("owner@", "owner:pass-word@").replace("/postgres", "/audits")
        together(lambda: Store(kept))
        result = audit(built_in_model, OPENAI, source, tmp_path / "place", audit_store=kept)
        assert result.stop_reason == "answered"
        assert {found["category"] for found in result.report["findings"]} >= {"completeness", "consistency", "accuracy"}
        reproduces(source, result.report)
        assert len(Store(kept).findings(result.report["audit"])) == len(result.report["findings"])
        assert "pass-word" not in json.dumps(result.to_json())
    with pytest.raises(ConfigError) as gone:
        Store(kept)
    assert "pass-word" not in str(gone.value)


@pytest.mark.parametrize(
    "damage",
    ["UPDATE findings SET finding = '{'", "UPDATE findings SET finding = '[]'", "UPDATE findings SET finding = NULL",
     "UPDATE findings SET finding = '{}'", "DROP TABLE findings", "UPDATE audit_schema SET version = 'abc'"],
)  # fmt: skip
def test_a_damaged_store_is_told_with_its_place_and_left_as_it_is(tmp_path: Path, damage: str):
    place = tmp_path / "audits.sqlite"
    store = Store(str(place))
    number = store.begin("a.csv", "a", 3)
    finding = {"fields": ["a"], "category": "x", "fingerprint": "f", "claim": "Wrong.", "affected": 1}
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("INSERT INTO findings VALUES (?, 'f', ?, '')", (number, json.dumps(finding)))
        connection.commit()
        store.end(number, "ended")
        assert len(Store(str(place)).history("a.csv", "a")) == 1
        connection.execute(damage)
        connection.commit()
    before = place.read_bytes()
    with pytest.raises(ConfigError, match=f"the audits at {place} cannot be kept or read .* AUDIT_STORE"):
        Store(str(place)).history("a.csv", "a")
    assert place.read_bytes() == before
