"""The auditor on tables that nobody here wrote: each defect that was seen on them, and what it costs."""

from __future__ import annotations

import itertools
import json
import random
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from audits import audit, audit_by_script, write_csv

from bench import audits, clean, strangers
from bench.faults import Table
from bench.peers.auditing import as_report
from bench.strangers import KINDS, figures, spoilt
from jobs.auditor.audit import TURN_CHARACTERS, Audit
from jobs.auditor.causes import every
from jobs.auditor.relations import references, relations
from jobs.auditor.report import markdown
from offline.script import OPENAI
from reach.database import open_database
from reach.database.database import LONGEST_KEPT, MOST_KEPT, Field

ROWS = 400
COUNT = itertools.count()
LOOK = ("", [("schema_sample", {})])
DONE = ("Done.", [])
CITIES = {"Lisbon": "Portugal", "Porto": "Portugal", "Madrid": "Spain", "Sevilla": "Spain", "Nantes": "France"}


def breweries() -> Table:
    """A table without a fault: a name, a town and its state, a size, a share, a day, a code."""
    draw = random.Random(29)
    table: Table = []
    for _ in range(ROWS):
        city = draw.choice(list(CITIES))
        row = {
            "name": f"Brewery {draw.randrange(10**6)}",
            "city": city,
            "state": CITIES[city],
            "ounces": f"{draw.gauss(40, 6):.1f}",
            "strength": f"{draw.uniform(0.03, 0.09):.3f}",
            "style": draw.choice(("Lager", "Porter", "Stout")),
            "brewed": f"2021-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}",
            "postal": str(draw.choice((10115, 20095, 80331, 99084))),
            "phone": str(draw.randrange(2_000_000_000, 9_999_999_999)),
        }
        table.append(row)
    return table


def spoil(field: str, change: Callable[[str], str], rate: float) -> tuple[Table, set[int]]:
    table = breweries()
    rows = set(random.Random(1).sample(range(ROWS), int(rate * ROWS)))
    for row in rows:
        table[row][field] = change(str(table[row][field]))
    return table, rows


def misspelt(value: str) -> str:
    draw = random.Random(value + str(next(COUNT)))
    at = draw.randrange(1, len(value))
    return value[:at] + draw.choice("abcdefghijklmnopqrstuvwxyz") + value[at + draw.randrange(2) :]


def called(report: dict, field: str) -> set[int]:
    return {row for finding in every(report["findings"]) for row, name in finding["cells"] if name == field}


@pytest.mark.sample(5)
@pytest.mark.parametrize("rate", [0.05, 0.42])
@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("style", lambda value: "N/A"),
        ("ounces", lambda value: f"{value} oz"),
        ("ounces", lambda value: "-999"),
        ("strength", lambda value: f"{value}%"),
        ("city", misspelt),
        ("style", lambda value: value.upper()),
        ("brewed", lambda value: f"{value[8:]}.{value[5:7]}.{value[:4]}"),
        ("ounces", lambda value: f"{float(value) * 1000:g}"),
    ],
    ids=["placeholder", "unit behind", "stand-in", "mixed", "typo", "capitals", "date format", "other unit"],
)
def test_what_is_wrong_is_found_at_any_share(
    field: str, change: Callable[[str], str], rate: float, built_in_model: str, tmp_path: Path
):
    table, rows = spoil(field, change, rate)
    report = audit(built_in_model, OPENAI, write_csv(tmp_path / "beer.csv", table), tmp_path / "place").report
    found = called(report, field)
    assert len(found & rows) >= 0.9 * len(rows), report["findings"]
    assert len(found - rows) <= 0.1 * len(rows)


@pytest.mark.parametrize("rate", [0.02, 0.4])
def test_what_stands_behind_a_number_is_one_unit_in_one_spelling(rate: float, built_in_model: str, tmp_path: Path):
    table = breweries()
    rows = random.Random(4).sample(range(ROWS), int(rate * ROWS))
    for at, row in enumerate(table):
        row["ounces"] += " oz" if at not in rows else (" oz.", "OZ.", " ounces", "")[at % 4]
        row["shelf"] = f"{at % 5 + 2} {'years' if at % 3 else 'months'}"  # as people write it
        row["batch"] = f"{at % 90 + 10}{'A' if at % 3 else 'B'}"
    report = audit(built_in_model, OPENAI, write_csv(tmp_path / "beer.csv", table), tmp_path / "place").report
    found = [each for each in report["findings"] if {"ounces", "shelf", "batch"} & set(each["fields"])]
    assert [sorted(each["rows"]) for each in found] == [sorted(rows)]


def test_the_worst_findings_come_first_and_of_as_bad_ones_the_larger(tmp_path: Path):
    source = write_csv(tmp_path / "beer.csv", breweries())
    plain = {"fields": ["style"], "category": "validity", "confidence": 0.9, "suggestion": "Look."}
    asked = [("low", 1), ("high", 60), ("medium", 2), ("high", 90)]
    wanted = "SELECT _row FROM beer WHERE _row < {}"
    told = [{**plain, "severity": how, "claim": f"{n}", "affected": n, "query": wanted.format(n)} for how, n in asked]
    calls = [("write_finding", each) for each in told]
    result, _ = audit_by_script([LOOK, ("", calls), DONE], OPENAI, source, tmp_path / "place", run_gate="off")
    assert [each["claim"] for each in result.report["findings"]] == ["90", "60", "2", "1"]


@pytest.mark.parametrize("rate", [0.05, 0.4])
def test_values_that_stand_behind_their_neighbour_or_in_another_field_are_found(
    rate: float, built_in_model: str, tmp_path: Path
):
    table = breweries()
    rows = random.Random(2).sample(range(ROWS), int(rate * ROWS))
    for row in rows:
        table[row]["city"], table[row]["state"] = f"{table[row]['city']}, {table[row]['state']}", None
        table[row]["style"], table[row]["ounces"] = table[row]["ounces"], table[row]["style"]
    report = audit(built_in_model, OPENAI, write_csv(tmp_path / "beer.csv", table), tmp_path / "place").report
    for field in ("city", "state", "style", "ounces"):
        assert set(rows) == called(report, field), field


@pytest.mark.parametrize("rate", [0.02, 0.1])
def test_a_dependency_with_errors_is_one_finding(rate: float, built_in_model: str, tmp_path: Path):
    table = breweries()
    for row in table:
        row["region"], row["country"] = row["city"], row["city"]  # three fields tell the state
    rows = random.Random(3).sample(range(ROWS), int(rate * ROWS))
    for row in rows:
        table[row]["state"] = next(s for s in ("Spain", "France") if s != table[row]["state"])
    report = audit(built_in_model, OPENAI, write_csv(tmp_path / "beer.csv", table), tmp_path / "place").report
    assert [sorted(f["rows"]) for f in report["findings"] if "state" in f["fields"]] == [sorted(rows)]


def test_a_clean_table_is_not_certified_and_its_codes_are_no_measures(built_in_model: str, tmp_path: Path):
    table = breweries()
    table[3]["postal"], table[5]["phone"] = "25400", "49"
    report = audit(built_in_model, OPENAI, write_csv(tmp_path / "beer.csv", table), tmp_path / "place").report
    assert not [each for each in report["findings"] if "unit" in each["claim"]]
    assert "clean" not in report
    nothing = report["nothing_found"]
    assert "style" in nothing["fields"]
    assert nothing["looked_at_by"] in markdown(report)
    assert nothing["cannot_see"] in markdown(report)
    assert report["score"]["low"] <= report["score"]["value"] <= report["score"]["high"]


def test_errors_are_put_into_a_table_with_a_key_by_cell():
    clean = breweries()
    dirty, faults = spoilt(clean, 0.1, 7)
    assert {fault.kind for fault in faults} >= {"missing", "disguised", "shifted", "dependency", "format", "duplicate"}
    assert len(KINDS) == 9
    copies = {fault.row for fault in faults if fault.kind == "duplicate"}
    assert len(dirty) == ROWS + len(copies)
    wrong = {(fault.row, fault.fields[0]) for fault in faults if fault.kind != "duplicate"}
    here = {(at, name) for at, row in enumerate(clean) for name in row if dirty[at][name] != row[name]}
    assert {cell for cell in wrong if cell[0] < ROWS} == here
    assert figures(dirty, faults, wrong | {(row, "name") for row in copies})["all"] == (1.0, 1.0, 1.0)
    assert figures(dirty, faults, {(0, name) for name in clean[0]} - wrong)["all"][2] == 0.0


def test_of_clean_tables_that_nobody_looked_at_the_counts_alone_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    rows = "a,b,c\n" + "1,,x\n" * 40
    held = {"pack/odd.csv": rows, "other/odd.csv": rows, "pack/tests/of.csv": rows, "pack/mpg.csv": rows}
    with zipfile.ZipFile(tmp_path / "pack-1.whl", "w") as archive:
        for path, text in {**held, "pack/few.csv": "a,b,c\n1,2,3\n", "pack/even.csv": rows, "pack/z.txt": rows}.items():
            archive.writestr(path, text)
    found = iter(
        [[[(0, "b")], [(40, "a")]], [[(0, "b")]]]
    )  # cells of each finding; of a row that is an empty line, too
    clean.count(tmp_path, lambda table, name: {"findings": [{"cells": cells} for cells in next(found)]})
    assert capsys.readouterr().out.splitlines() == [
        "2 clean tables, of which have at most one finding: 1",
        "  findings on each, the most first: 2 1",
        "  not counting those about empty cells, at most one: 2",
    ]
    with pytest.raises(SystemExit, match="no wheel in .* holds such a table"):
        clean.count(tmp_path / "none", lambda table, name: {})


def test_several_tools_stand_side_by_side_by_the_same_key(
    built_in_model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with zipfile.ZipFile(tmp_path / "beer.whl", "w") as wheel:
        wheel.write(write_csv(tmp_path / "beer.csv", breweries()), "beer.csv")
    monkeypatch.setattr(strangers, "OPEN", {"beer": "beer.csv"})
    monkeypatch.setattr(strangers, "HELD", {})

    def sees_all(table: Table, name: str) -> dict:
        return as_report((row, field) for row in range(len(table)) for field in table[0])

    monkeypatch.setattr(audits, "peers", lambda: {"sees all": sees_all})
    assert audits.main(["--strangers", str(tmp_path), "--peers", "--rates", "0.1"]) == 0
    heads, ours, other = capsys.readouterr().out.splitlines()[-3:]
    assert heads.split()[:4] == ["tool", "half", "median", "F1"]
    assert ours.split()[:2] == ["Glassbox", "open"]
    assert other.split()[:3] == ["sees", "all", "open"]
    assert float(ours.split()[2]) > 0.8 > float(other.split()[3])
    assert other.split()[-1] == str(len(breweries()[0]))


def test_the_cells_of_an_answer_and_the_whole_of_it_are_bounded(tmp_path: Path):
    source = write_csv(tmp_path / "beer.csv", breweries())
    grow = "WITH RECURSIVE g(n, t) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, t || t FROM g WHERE n < 23)"
    with open_database(source) as database:
        query = f"{grow} SELECT _row, (SELECT t FROM g WHERE n = 23) AS t FROM beer LIMIT 5"
        answer = database.query(query, keep=100_000)
        assert answer.count == 5
        assert max(len(row[1]) for row in answer.rows) < LONGEST_KEPT + 40
        wide = ", ".join(f"substr((SELECT t FROM g WHERE n = 12), 1, 1900) AS c{n}" for n in range(60))
        answer = database.query(f"{grow} SELECT _row, {wide} FROM beer", keep=100_000)
        assert answer.count == ROWS
        assert sum(len(str(cell)) for row in answer.rows for cell in row) < MOST_KEPT + 60 * 2_000


@pytest.mark.long
def test_files_of_one_name_in_two_folders_have_histories_of_their_own(built_in_model: str, tmp_path: Path):
    for folder, field in (("a", "style"), ("b", "city"), ("a", "style")):
        (tmp_path / folder).mkdir(exist_ok=True)
        table, _ = spoil(field, lambda value: "N/A", 0.05)
        source = write_csv(tmp_path / folder / "data.csv", table)
        report = audit(built_in_model, OPENAI, source, tmp_path / "place").report
        if field == "city":
            assert report["compared"] is None
    assert report["compared"]["against"] == 1
    assert not report["compared"]["gone"]


def test_files_and_keys_of_nearly_one_name_are_all_read(tmp_path: Path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    (tmp_path / "x.tsv").write_text("a\tb\n5\t6\n", encoding="utf-8")
    lines = [{"Name": "Ada", "name": "ada", "_row": 7, "tags": [{"_row": 1, "_at": 2}]}, {"NAME": "Ben"}]
    (tmp_path / "people.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with open_database(str(tmp_path)) as database:
        assert set(database.collections()) == {"x.csv", "x.tsv", "people"}
        assert database.query('SELECT * FROM "x.tsv"').rows == [(0, 5, 6)]
        answer = database.query("SELECT * FROM people ORDER BY 1")
        assert answer.columns == ("_row", "Name", "name_2", "_row_2", "NAME_3")
        assert answer.rows == [(0, "Ada", "ada", 7, None), (1, None, None, None, "Ben")]
        assert database.query('SELECT * FROM "people.tags[]"').rows == [(0, 0, 1, 2)]


def test_json_each_reads_and_does_not_open_the_schema(tmp_path: Path):
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, tags TEXT)")
        connection.execute('INSERT INTO t VALUES (1, \'["a", "b"]\')')
    connection.close()
    with open_database(str(tmp_path / "t.db")) as database:
        assert database.query("SELECT t.id, j.value FROM t, json_each(t.tags) j").rows == [(1, "a"), (1, "b")]


def test_beyond_forty_fields_it_is_said_that_no_relations_were_looked_for(tmp_path: Path):
    wide = [{f"f{n:02}": str(n * row) for n in range(50)} for row in range(30)]
    calls = [LOOK, ("", [("get_stats", {"field": "f45"}), ("get_stats", {"field": "f01"})]), DONE]
    result, _ = audit_by_script(
        calls, OPENAI, write_csv(tmp_path / "wide.csv", wide), tmp_path / "place", run_gate="off"
    )
    told = [json.loads(call["result"]) for call in result.tool_calls[1:]]
    assert "not here" in told[0]["related_note"]
    assert "related_note" not in told[1]
    assert result.report["nothing_found"]["no_relations"] == ["f45"]
    assert "No relations were looked for: f45" in markdown(result.report)


def test_the_rows_that_relations_and_copies_are_looked_for_in_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with open_database(write_csv(tmp_path / "beer.csv", breweries())) as database:
        read: list[int] = []
        rows = database.rows
        monkeypatch.setattr(database, "rows", lambda *given: read.append(len(given[1])) or rows(*given))
        looked = Audit(database, "beer")
        assert [each.fields for each in looked.relations()] == [("city", "state")]
        assert looked.alike()[0] < 1
        assert read == [len(breweries()[0])]


def test_references_are_looked_up_in_keys_and_not_in_every_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("beers", *(f"t{n}" for n in range(8))):
        table = [{"id": f"{name}-{row}", **{f"c{n}": str(row * n) for n in range(20)}} for row in range(30)]
        for at, row in enumerate(table):
            row["owner"] = "gone" if at == 4 else f"t3-{at % 10}"
        write_csv(tmp_path / f"{name}.csv", table)
    with open_database(str(tmp_path)) as database:
        counted: list[Field] = []
        counts = database.counts
        monkeypatch.setattr(database, "counts", lambda field, most=0: counted.append(field) or counts(field, most))
        fields = [each for each in database.fields("beers") if each.table == "beers"]
        rows = database.rows("beers", fields, 100)
        columns = {each.path: [row[at] for row in rows] for at, each in enumerate(fields)}
        found = list(references(database, "beers", fields, columns))
        assert [(each.fields, each.target) for each in found] == [(("owner",), ("t3", "id"))]
        assert len(counted) <= 3 * 8
        assert ("owner",) in [
            each.fields for each in relations(database, "beers", fields, columns) if each.kind == "reference"
        ]


def test_an_audit_of_four_iterations_keeps_what_it_found(built_in_model: str, tmp_path: Path):
    table, rows = spoil("style", lambda value: "N/A", 0.1)
    table[3]["city"] = None
    source = write_csv(tmp_path / "beer.csv", table)
    report = audit(built_in_model, OPENAI, source, tmp_path / "place", max_iters=4).report
    assert [(3, "city") for f in report["findings"] if [3, "city"] in f["cells"]]
    assert len(rows) in [each["affected"] for each in report["suspected"] if "placeholder in style" in each["why"]]
    assert "placeholder in style" in markdown(report)


def test_a_query_is_not_asked_twice_within_a_turn_either(tmp_path: Path):
    source = write_csv(tmp_path / "beer.csv", breweries())
    same = [("run_query", {"query": f"{word} count(*) FROM beer", "why": "to see"}) for word in ("SELECT", "select ")]
    result, _ = audit_by_script([LOOK, ("", same), DONE], OPENAI, source, tmp_path / "place", run_gate="off")
    assert [call["status"] for call in result.tool_calls] == ["completed", "completed", "error"]
    assert "in this turn already" in result.tool_calls[2]["result"]


def test_a_turn_of_many_calls_costs_no_more_than_its_room(tmp_path: Path):
    source = write_csv(tmp_path / "beer.csv", breweries())
    many = [("get_stats", {"field": name}) for name in breweries()[0]]
    many += [("run_query", {"query": f"SELECT * FROM beer WHERE _row > {n}", "why": f"to see {n}"}) for n in range(10)]
    result, script = audit_by_script([LOOK, ("", many), DONE], OPENAI, source, tmp_path / "place", run_gate="off")
    given = [each for each in script.requests[-1]["messages"] if each["role"] == "tool"]
    completed = [call["result"] for call in result.tool_calls[1:] if call["status"] == "completed"]
    assert sum(map(len, completed)) <= TURN_CHARACTERS
    assert sum(len(each["content"]) for each in given) <= TURN_CHARACTERS + 200 * len(many)
    assert any("no more room" in call["result"] for call in result.tool_calls)


def test_an_audit_takes_a_turns_room_into_account(tmp_path: Path):
    with open_database(write_csv(tmp_path / "beer.csv", breweries())) as database:
        audit_of = Audit(database, "beer")
        assert audit_of.fits("x" * 3 * TURN_CHARACTERS)  # one result alone is cut by the tool, and never refused
        assert not audit_of.fits("x")
