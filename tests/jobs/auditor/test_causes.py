"""One finding a cause: what is found over the same rows is told together, and nothing of it is lost."""

from __future__ import annotations

import html
import random
from pathlib import Path

from audits import audit, write_csv

from bench.faults import Table
from jobs.auditor.audit import Finding
from jobs.auditor.causes import every, join, told, with_others
from jobs.auditor.page import page
from jobs.auditor.report import markdown, worst_first
from offline.script import OPENAI

ROWS = 300


def finding(name: str, rows: list, severity: str = "low") -> Finding:
    return Finding((name,), "accuracy", severity, f"{name}.", "SELECT 1", len(rows), 0.9, "", rows)


def causes_of(*findings: Finding) -> list[list[str]]:
    causes: list[list[Finding]] = []
    for each in findings:
        join(causes, each, 100)
    return [[each.fields[0] for each in cause] for cause in causes]


def test_findings_over_nearly_the_same_rows_are_one_cause():
    rows = list(range(20))
    assert causes_of(finding("a", rows), finding("b", rows[1:]), finding("c", rows[10:])) == [["a", "b"], ["c"]]
    assert causes_of(finding("a", [[1, 2]]), finding("b", [[1, 2]]), finding("c", [[2, 1]])) == [["a", "b"], ["c"]]


def test_what_most_rows_have_shares_its_rows_with_nothing():
    rows = list(range(90))
    assert causes_of(finding("a", rows), finding("b", rows)) == [["a"], ["b"]]


def test_without_rows_nothing_is_the_same():
    assert causes_of(finding("a", []), finding("b", [])) == [["a"], ["b"]]


def test_the_worst_of_a_cause_is_told_and_the_others_are_its_evidence():
    first, worst = finding("a", [1]), finding("b", [1], "high")
    (only,) = told([[first, worst]], worst_first)
    assert only["fields"] == ["b"]
    assert [each["fields"] for each in only["also"]] == [["a"]]
    assert with_others(only) == "b. And 1 more over the same rows."


def test_an_audit_tells_one_record_that_is_wrong_in_two_fields_once(built_in_model: str, tmp_path: Path):
    draw = random.Random(8)
    table: Table = [
        {"name": f"n{at}", "x": f"{draw.gauss(50, 5):.2f}", "y": f"{draw.gauss(9, 1):.2f}"} for at in range(ROWS)
    ]
    table[7]["x"], table[7]["y"] = "9531.5", "4127.25"
    report = audit(built_in_model, OPENAI, write_csv(tmp_path / "beside.csv", table), tmp_path / "place").report
    assert len(report["findings"]) == 1
    assert {(row, name) for each in every(report["findings"]) for row, name in each["cells"]} == {(7, "x"), (7, "y")}
    (other,) = report["findings"][0]["also"]
    for text in (markdown(report), page(report)):
        assert "The same rows:" in text
        assert other["query"] in html.unescape(text)


def test_whole_numbers_that_follow_each_other_have_no_gap_between_them(built_in_model: str, tmp_path: Path):
    draw = random.Random(3)
    table: Table = [{"name": f"n{at}", "counted": str(draw.choice((2, 2, 3, 4, 5, 6, 7, 8)))} for at in range(ROWS)]
    table += [{"name": f"m{at}", "counted": str(at)} for at in (1, 9)]
    report = audit(built_in_model, OPENAI, write_csv(tmp_path / "counts.csv", table), tmp_path / "place").report
    assert report["findings"] == []


def test_how_a_file_was_read_stands_on_the_report(built_in_model: str, tmp_path: Path):
    path = tmp_path / "numbers.csv"
    path.write_text(
        "5,4.5,b\n" + "".join(f"{at % 9},{at % 7}.5,{'ab'[at % 2]}\n" for at in range(90)), encoding="utf-8"
    )
    report = audit(built_in_model, OPENAI, str(path), tmp_path / "place").report
    assert "read as without a header" in report["read"][0]
    assert "read as without a header" in markdown(report)
    assert "read as without a header" in page(report)
