"""The auditor: what it finds, that it is proven, what it costs, and that nothing of it is shared."""

from __future__ import annotations

import csv
import json
import random
import shlex
import sqlite3
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import jsonschema
import pytest
from audits import audit, audit_by_script, write_csv

from bench.faults import PLANTERS, plant, scores
from bench.tables import CLEAN, orders
from config import PROJECT, ConfigError, Settings
from jobs.auditor.audit import Audit
from jobs.auditor.causes import every
from jobs.auditor.job import JOB
from jobs.auditor.page import page
from jobs.auditor.profile import kind_of
from jobs.auditor.relations import MOST_FIELDS
from jobs.auditor.report import markdown
from jobs.auditor.settings import AuditorSettings
from jobs.auditor.summary import summary
from offline.script import GEMINI, OPENAI
from reach.database import open_database
from reach.database.database import Database
from sandbox.files.root import Root

CLINIC = str(PROJECT / "samples" / "clinic")
SCHEMA = json.loads((PROJECT / "docs" / "audit.schema.json").read_text(encoding="utf-8"))


def reproduces(source: str | Database, report: dict) -> None:
    """Every query of a report, asked again of the source, gives as many rows as it says, and these rows."""
    with open_database(source) if isinstance(source, str) else nullcontext(source) as database:
        asking = Audit(database, report["collection"])
        assert report["findings"]
        for finding in report["findings"]:
            answer = database.query(finding["query"], keep=100_000)
            assert answer.count == finding["affected"] == len(finding["rows"]) > 0, finding["claim"]
            places = [answer.columns.index(name) for name in asking.key_in(answer)]
            rows = [row[places[0]] if len(places) == 1 else [row[place] for place in places] for row in answer.rows]
            assert sorted(map(str, rows)) == sorted(map(str, finding["rows"]))


@pytest.mark.parametrize("wire", [OPENAI, pytest.param(GEMINI, marks=pytest.mark.long)])
def test_the_planted_faults_of_the_clinic_are_found_and_proven(wire: str, built_in_model: str, tmp_path: Path):
    result = audit(built_in_model, wire, CLINIC, tmp_path)
    assert result.stop_reason == "answered"
    assert not result.errors
    report = result.report
    jsonschema.validate(json.loads(json.dumps(report)), SCHEMA)
    key = json.loads((PROJECT / "datasets" / "clinic_key.json").read_text(encoding="utf-8"))
    wrong = {(fault["row"], field) for fault in key for field in fault["fields"]}
    called = {tuple(cell) for finding in report["findings"] for cell in finding["cells"]}
    kinds = {fault["kind"] for fault in key}
    found = {fault["kind"] for fault in key if any((fault["row"], field) in called for field in fault["fields"])}
    right = [f for f in report["findings"] if 2 * len({r for r, n in f["cells"] if (r, n) in wrong}) >= len(f["rows"])]
    hit = sum(any((fault["row"], field) in called for field in fault["fields"]) for fault in key) / len(key)
    print(
        f"\n{wire}: kinds {len(found)} of {len(kinds)}, faults {hit:.0%}, findings right {len(right)} of {len(report['findings'])}"
    )
    assert len(kinds) >= 15
    assert len(found) >= 0.9 * len(kinds)
    assert len(right) >= 0.9 * len(report["findings"])
    reproduces(CLINIC, report)


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_table_gives_at_most_one_false_finding(name: str, built_in_model: str, tmp_path: Path):
    result = audit(built_in_model, OPENAI, write_csv(tmp_path / f"{name}.csv", CLEAN[name]()), tmp_path / "place")
    assert result.stop_reason == "answered"
    assert len(result.report["findings"]) <= 1, [finding["claim"] for finding in result.report["findings"]]


def test_faults_planted_into_a_table_are_found_cell_by_cell(built_in_model: str, tmp_path: Path):
    table, faults = plant(orders(), list(PLANTERS), 4, seed=3)
    source = write_csv(tmp_path / "orders.csv", table)
    report = audit(built_in_model, OPENAI, source, tmp_path / "place").report
    found = scores(faults, [(row, name) for finding in report["findings"] for row, name in finding["cells"]])
    print("\n" + "\n".join(f"{kind:18} P {p:.2f} R {r:.2f} F1 {f:.2f}" for kind, (p, r, f) in found.items()))
    assert found["all"][2] >= 0.85
    reproduces(source, report)


@pytest.mark.long
@pytest.mark.parametrize("ending", ["duckdb", "parquet"])
def test_every_finding_in_a_database_and_in_a_parquet_file_reproduces(ending: str, built_in_model: str, tmp_path: Path):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("sqlglot")
    table, _ = plant(orders(), ["missing", "typo", "outlier", "order of dates"], 4, seed=5)
    source = write_csv(tmp_path / "orders.csv", table)
    place = tmp_path / f"kept.{ending}"
    with duckdb.connect(str(place) if ending == "duckdb" else ":memory:") as connection:
        connection.execute(f"CREATE TABLE orders AS SELECT * FROM read_csv('{source}')")
        if ending == "parquet":
            connection.execute(f"COPY orders TO '{place}'")
    report = audit(built_in_model, OPENAI, str(place), tmp_path / "place").report
    assert {finding["category"] for finding in report["findings"]} >= {"completeness", "consistency"}
    reproduces(str(place), report)


def test_nested_documents_are_audited_by_their_paths(built_in_model: str, tmp_path: Path):
    path = tmp_path / "orders.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for n in range(300):
            city = "Bostn" if n == 17 else ("Boston", "Paris", "Rome")[n % 3]
            items = [{"price": 5 + (n + k) % 20 if (n, k) != (40, 1) else 90000} for k in range(3)]
            file.write(json.dumps({"id": n, "address": {"city": city}, "items": items}) + "\n")
    report = audit(built_in_model, OPENAI, str(path), tmp_path / "place").report
    found = {(finding["fields"][0], json.dumps(finding["rows"])) for finding in report["findings"]}
    assert ("address.city", "[17]") in found
    assert ("items[].price", "[[40, 1]]") in found
    reproduces(str(path), report)


def one_query(number: int):
    query = f"SELECT _row, city FROM orders WHERE _row = {number}"
    return "", [("run_query", {"query": query, "why": f"row {number} may be wrong", "show": 5})]


@pytest.mark.parametrize("wire", [OPENAI, GEMINI])
def test_a_request_costs_the_same_at_iteration_50_as_at_iteration_5(wire: str, tmp_path: Path):
    source = write_csv(tmp_path / "orders.csv", orders(300))
    calls = [("", [("schema_sample", {})]), *map(one_query, range(52))]
    _, script = audit_by_script([*calls, ("Done.", [])], wire, source, tmp_path / "place", run_gate="off")
    sizes = [len(json.dumps(request)) for request in script.requests]
    print(f"\n{wire}: {sizes[4]:,} characters at iteration 5, {sizes[49]:,} at iteration 50")
    assert sizes[49] <= 1.2 * sizes[4]


def test_the_summary_keeps_its_size_on_a_wide_and_on_a_long_audit(tmp_path: Path):
    wide = [{f"a_rather_long_field_name_{n}": f"value {n + row}" for n in range(300)} for row in range(20)]
    with open_database(write_csv(tmp_path / "wide.csv", wide)) as database:
        audit_of = Audit(database, "wide")
        audit_of.sampled = 20
        sizes = []
        for iteration in range(200):
            field = f"a_rather_long_field_name_{iteration}"
            audit_of.profile(field)
            audit_of.investigated.append(field)
            audit_of.did(f"get_stats({field})")
            arguments = {"fields": [field], "category": "validity", "severity": "low", "claim": f"Wrong {iteration}."}
            more = {"query": f"SELECT {iteration}", "affected": 1, "confidence": 0.5, "suggestion": "Look."}
            found = audit_of.finding({**arguments, **more}, None)
            audit_of.commit(found)
            audit_of.dismiss(found, "It does not reproduce: " + "x" * 300)
            sizes.append(len(summary(audit_of, iteration, 200, (10**6, 10**5))) / 4)
    print(f"\n{min(sizes[1:]):.0f} to {max(sizes):.0f} tokens")
    assert min(sizes[5:]) >= 500
    assert max(sizes) <= 1500
    titles = [line for line in summary(audit_of, 1, 2, (0, 0)).splitlines() if line.startswith("## ")]
    assert titles[0] == "## Last critique"
    assert len(titles) == 8


def test_two_audits_at_once_share_nothing(built_in_model: str, tmp_path: Path):
    sources = [
        write_csv(tmp_path / f"{name}.csv", plant(CLEAN[name](400), ["spaces"], 3)[0]) for name in ("orders", "books")
    ]
    reports: dict[str, dict] = {}

    def one(source: str) -> None:
        reports[source] = audit(built_in_model, OPENAI, source, tmp_path / "place").report

    threads = [threading.Thread(target=one, args=(source,)) for source in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert [reports[source]["collection"] for source in sources] == ["orders", "books"]
    for source in sources:
        assert reports[source]["findings"]
        assert {f for found in reports[source]["findings"] for f in found["fields"]} <= {
            f["field"] for f in reports[source]["fields"]
        }
        reproduces(source, reports[source])
    assert reports[sources[0]]["audit"] != reports[sources[1]]["audit"]


def test_the_page_runs_nothing_that_stands_in_the_data(tmp_path: Path):
    table = orders(60)
    table[3]["city"] = "<script>alert(1)</script>"
    source = write_csv(tmp_path / "orders.csv", table)
    finding = {"fields": ["city"], "category": "validity", "severity": "low", "claim": "<img src=x onerror=alert(1)>"}
    more = {
        "query": "SELECT _row, city FROM orders WHERE _row = 3",
        "affected": 1,
        "confidence": 0.9,
        "suggestion": "</pre>",
    }
    calls = [("", [("schema_sample", {})]), ("", [("write_finding", {**finding, **more})]), ("Done.", [])]
    result, _ = audit_by_script(calls, OPENAI, source, tmp_path / "place", run_gate="off")
    written = page(result.report)
    assert "<script>alert" not in written
    assert "<img" not in written
    assert "&lt;script&gt;alert(1)" in written
    assert "default-src 'none'" in written.replace("&#x27;", "'")
    twice = dict(result.report, findings=[*result.report["findings"], {**result.report["findings"][0], "claim": "`a`"}])
    assert '<td><a href="#finding-2"><code>a</code></a></td>' in page(twice)
    assert "SELECT _row, city" in markdown(result.report)


@pytest.mark.parametrize("name", ["--collection", "--data"])
def test_what_cannot_be_audited_is_said_in_a_sentence(name: str, run_main, tmp_path: Path):
    source = write_csv(tmp_path / "orders.csv", orders(60))
    wrong = ["--data", source, "--collection", "nothing"] if name == "--collection" else ["--data", "gone.csv"]
    ran = run_main("--job", "auditor", "--provider", "offline", *wrong, GLASSBOX_RUNS_DIRECTORY=str(tmp_path / "runs"))
    assert ran.returncode == 1
    assert ran.stderr.strip().startswith(("Error:", "SQLite")), ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("words", ["visits.csv", "postgresql://reader@host/shop", "{there}"])
def test_data_in_the_place_of_the_question_is_not_passed_over_for_other_data(words: str, tmp_path: Path):
    (tmp_path / "my visits").mkdir()
    words = words.format(there=tmp_path / "my visits")
    with pytest.raises(ConfigError, match="is data, and no question about other data") as raised:
        JOB.entry(Settings(), words)
    assert f"--job auditor --data {shlex.quote(words)}" in str(raised.value)
    for question in ("what is wrong with visits.csv?", JOB.default_prompt):
        assert JOB.entry(Settings(), question) == question


def test_a_collection_without_rows_is_told_and_not_audited(tmp_path: Path):
    (tmp_path / "head.csv").write_text("name,count\n", encoding="utf-8")
    settings = Settings(jobs=(AuditorSettings(audit_data=str(tmp_path / "head.csv")),), runs_directory=tmp_path)
    with pytest.raises(ConfigError, match="has no rows"), Root(tmp_path) as root, JOB.opens(settings, root, print):
        pass


def test_a_database_that_is_damaged_behind_its_first_pages_is_one_sentence(tmp_path: Path):
    connection = sqlite3.connect(tmp_path / "damaged.sqlite")
    connection.execute("CREATE TABLE t (a)")
    connection.executemany("INSERT INTO t VALUES (?)", [("x" * 500,) for _ in range(200)])
    connection.commit()
    connection.close()
    data = bytearray((tmp_path / "damaged.sqlite").read_bytes())
    data[2 * 4096 :] = bytes(len(data) - 2 * 4096)
    (tmp_path / "damaged.sqlite").write_bytes(data)
    settings = Settings(jobs=(AuditorSettings(audit_data=str(tmp_path / "damaged.sqlite")),), runs_directory=tmp_path)
    why = "cannot be audited: SQLite says"
    with pytest.raises(ConfigError, match=why), Root(tmp_path) as root, JOB.opens(settings, root, print):
        pass


def test_in_a_table_of_very_many_columns_a_field_is_told_at_once(tmp_path: Path):
    source = tmp_path / "wide.csv"
    names = [f"c{number}" for number in range(1_900)]
    source.write_text("\n".join([",".join(names), *[",".join("1" * len(names))] * 3]))
    with open_database(str(source)) as database:
        audit = Audit(database, "wide")
        begin = time.monotonic()
        assert len(audit.unrelated()) == 1_900 - MOST_FIELDS
        assert time.monotonic() - begin < 0.1  # it was asked for each field, and took a look at all for each of all


def test_numbers_with_a_decimal_comma_are_no_codes_and_one_with_a_point_is_told(built_in_model: str, tmp_path: Path):
    draw = random.Random(7)
    table = [{"pressure": f"{draw.gauss(1015, 6):.2f}", "discount": f"{draw.uniform(1, 9):.2f}"} for _ in range(400)]
    table = [{name: value.replace(".", ",") for name, value in row.items()} for row in table]
    table[0]["pressure"], table[1]["pressure"], table[2]["discount"] = "1.013,25", "998,10", "-4,50"
    table[3]["discount"] = "4.50"
    source = write_csv(tmp_path / "measured.csv", table)
    report = audit(built_in_model, OPENAI, source, tmp_path / "place").report
    assert [(each["fields"], each["rows"]) for each in report["findings"]] == [(["discount"], [3])]


def test_a_name_may_hold_any_sign_and_its_findings_are_written_down(built_in_model: str, tmp_path: Path):
    names = ["Price: EUR", "Food & Drink", 'Size 5"', "Net\n(EUR)", "a, b", "days in bed", '"x"']
    rows = [[50 + n % 7, "tea" if n % 2 else "cake", 5 + n % 9, 80 + n % 8, *[30 + n % 10] * 3] for n in range(300)]
    for at, wrong in ((0, 9000), (2, 5000), (3, 80000), (4, 7777), (5, 6666), (6, 5555)):
        rows[17 + at][at] = wrong
    for at in (1, 2, 3):
        rows[40 + at][at] = None
    path = tmp_path / "shop.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", *names], *([n, *row] for n, row in enumerate(rows))])
    result = audit(built_in_model, OPENAI, str(path), tmp_path / "place")
    report = result.report
    assert not result.errors
    assert not report["dismissed"]
    assert not report["not_investigated"]
    cells = {(row, field) for each in every(report["findings"]) for row, field in each["cells"]}
    far = zip(
        (17, 19, 20, 21, 22, 23), ("Price: EUR", 'Size 5"', "Net (EUR)", "a, b", "days in bed", '"x"'), strict=True
    )
    assert {*far, (41, "Food & Drink"), (42, 'Size 5"'), (43, "Net (EUR)")} <= cells
    reproduces(str(path), report)


@pytest.mark.parametrize("width", [60, 200])
def test_rows_of_a_wide_table_are_copies_only_in_all_its_fields(width: int, built_in_model: str, tmp_path: Path):
    draw = random.Random(7)
    measures = [f"measure_{number}" for number in range(width // 2)]
    flags = [f"a_flag_of_the_row_{number}" for number in range(width - width // 2)]
    table = [
        {name: str(round(draw.gauss(100, 15), 2)) for name in measures}
        | {name: str(int(draw.random() < 0.1)) for name in flags}
        for _ in range(300)
    ]
    table = [{"id": str(number), **row} for number, row in enumerate([*table, table[17], table[99]])]
    report = audit(built_in_model, OPENAI, write_csv(tmp_path / "wide.csv", table), tmp_path / "place").report
    copied = [sorted(each["rows"]) for each in every(report["findings"]) if "copy" in each["claim"]]
    assert copied == ([[300, 301]] if width < 120 else [])


def test_copies_are_found_beside_measures_of_which_each_row_has_its_own(built_in_model: str, tmp_path: Path):
    draw = random.Random(7)
    measured = [{name: f"{draw.gauss(70, 12):.3f}" for name in ("weight", "girth", "pulse")} for _ in range(300)]
    table = [{**row, "sex": draw.choice("mf"), "ward": draw.choice("abcd")} for row in measured]
    table = [{"id": str(number), **row} for number, row in enumerate([*table, table[17], table[99]])]
    report = audit(built_in_model, OPENAI, write_csv(tmp_path / "ward.csv", table), tmp_path / "place").report
    assert [sorted(each["rows"]) for each in report["findings"]] == [[300, 301]]


def test_a_text_that_begins_with_very_many_digits_is_told_from_a_number_at_once():
    begin = time.monotonic()
    assert [kind_of("1" * 100_000 + end) for end in ("x", "", ".5e3")] == ["text", *["number as text"] * 2]
    assert time.monotonic() - begin < 5
