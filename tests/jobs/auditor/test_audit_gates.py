"""The auditor's gates: what each rule objects to, what becomes of it, and who else may judge."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from audits import audit_by_script, write_csv

from bench.tables import orders
from jobs.auditor.judge import understood
from offline.script import GEMINI, OPENAI

LOOK = ("", [("schema_sample", {})])
DONE = ("Done.", [])
FINDING = {
    "fields": ["city"],
    "category": "validity",
    "severity": "low",
    "claim": "A city is wrong.",
    "query": "SELECT _row, city FROM orders WHERE _row IN (1, 2)",
    "affected": 2,
    "confidence": 0.9,
    "suggestion": "Correct it.",
}


@pytest.fixture
def source(tmp_path: Path) -> str:
    return write_csv(tmp_path / "orders.csv", orders(80))


def finding(**changes: Any):
    return "", [("write_finding", {**FINDING, **changes})]


def query(text: str):
    return "", [("run_query", {"query": text, "why": "to see"})]


def run(source: str, tmp_path: Path, *replies: Any, **settings: Any):
    settings = {"run_gate": "off", **settings}
    result, script = audit_by_script([*replies, DONE], OPENAI, source, tmp_path / "place", **settings)
    return result, script


REFUSED = {
    "schema_first": (query("SELECT 1"), "call schema_sample"),
    "fields_exist": (finding(fields=["nothing"]), "no fields"),
    "evidence_reproduces by count": (finding(affected=3), "gives 2 rows, and not 3"),
    "evidence_reproduces by query": (finding(query="SELECT nothing FROM orders"), "does not reproduce"),
    "evidence that writes": (finding(query="DELETE FROM orders"), "refused by"),
    "evidence_names_its_rows": (finding(query="SELECT city FROM orders WHERE _row IN (1, 2)"), "select the key (_row)"),
    "severity_fits_the_count": (
        finding(severity="critical", query="SELECT _row FROM orders WHERE _row = 1", affected=1),
        "",
    ),
    "low for half": (finding(query="SELECT _row FROM orders WHERE _row < 40", affected=40), "not low"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_rule_refuses_and_its_critique_is_the_result(name: str, source: str, tmp_path: Path):
    reply, said = REFUSED[name]
    before = [] if name == "schema_first" else [LOOK]
    if name == "severity_fits_the_count":
        source = write_csv(tmp_path / "orders.csv", orders(200))
    result, script = run(source, tmp_path, *before, reply)
    call = result.tool_calls[-1]
    assert call["status"] == "error"
    assert said in call["result"]
    last = script.requests[-1]["messages"][1]["content"]
    assert last.index("## Last critique") < last.index("## Run")
    assert said in last.split("## Run")[0]
    failed = [each for each in result.report["evaluations"] if each["verdict"] == "fail"]
    assert failed[0]["critique"] in call["result"]
    if reply[1][0][0] == "write_finding":
        assert result.report["dismissed"][0]["reason"] == failed[0]["critique"]
        assert not result.report["findings"]


def test_a_query_is_not_run_twice_and_a_dismissed_finding_not_proposed_again(source: str, tmp_path: Path):
    same = query('SELECT  "city" FROM ORDERS;'), query('select "city" from orders')
    wrong = finding(affected=3)
    result, _ = run(source, tmp_path, LOOK, *same, wrong, wrong, finding(query=FINDING["query"] + " AND 1 = 1"))
    statuses = [call["status"] for call in result.tool_calls]
    assert statuses == ["completed", "completed", "error", "error", "error", "completed"]
    assert "was run before and gave 80 rows" in result.tool_calls[2]["result"]
    assert "was dismissed before" in result.tool_calls[4]["result"]
    assert len(result.report["findings"]) == 1


def test_an_answer_too_early_is_sent_back_twice_and_then_taken_with_a_warning(source: str, tmp_path: Path):
    result, script = run(source, tmp_path, LOOK, DONE, DONE, run_gate="rules")
    assert result.stop_reason == "answered"
    assert len(script.requests) == 4
    assert "Only 0 of 12 fields were looked at" in script.requests[2]["messages"][1]["content"]
    assert len(script.requests[2]["messages"]) == 2  # the critique stands in the state, not in a transcript
    assert "objects to the end" in result.errors[0]


def test_a_run_that_its_gate_refuses_fails_where_the_person_wants_that(source: str, tmp_path: Path):
    result, _ = run(source, tmp_path, LOOK, DONE, run_gate="rules", run_fail_policy="abort")
    assert result.stop_reason == "provider_error"
    assert "RUN_FAIL_POLICY" in result.errors[0]


class OneVerdict(BaseHTTPRequestHandler):
    """A judge that fails everything, in one document on either wire; `asked` is what it got."""

    asked: ClassVar[list[dict]] = []

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        self.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        said = {"verdict": "fail", "critique": "That is how they write it."}
        call = {"function": {"name": "verdict", "arguments": json.dumps(said)}}
        parts = [{"functionCall": {"name": "verdict", "args": said}}]
        document = {"choices": [{"message": {"tool_calls": [call]}}], "candidates": [{"content": {"parts": parts}}]}
        data = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.mark.parametrize("wire", [OPENAI, GEMINI])
def test_another_model_judges_over_the_same_wire(wire: str, source: str, tmp_path: Path):
    server = ThreadingHTTPServer(("127.0.0.1", 0), OneVerdict)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    changes = {"judge_base_url": f"http://127.0.0.1:{server.server_address[1]}", "judge_model": "strict"}
    try:
        replies = [LOOK, finding(), DONE]
        changes |= {"finding_gate": "judge", "run_gate": "off"}
        result, _ = audit_by_script(replies, wire, source, tmp_path / "place", **changes)
    finally:
        server.shutdown()
        server.server_close()
    asked = OneVerdict.asked[-1]
    assert "A city is wrong." in json.dumps(asked)
    assert ("contents" in asked) == (wire == GEMINI)
    found = result.report["evaluations"][-1]
    assert (found["gate"], found["by"], found["verdict"]) == ("finding", "judge", "fail")
    assert result.report["dismissed"][0]["reason"] == "That is how they write it."


def test_a_judge_that_is_not_there_only_warns(source: str, tmp_path: Path, closed_port: int):
    changes = {"finding_gate": "composite", "judge_base_url": f"http://127.0.0.1:{closed_port}"}
    result, _ = run(source, tmp_path, LOOK, finding(), **changes)
    assert len(result.report["findings"]) == 1
    assert "could not be asked" in result.report["evaluations"][-1]["critique"]


def test_the_model_itself_judges_and_the_built_in_one_gives_a_verdict(built_in_model: str, source: str, tmp_path: Path):
    from audits import audit

    result = audit(built_in_model, OPENAI, source, tmp_path / "place", action_gate="composite", finding_gate="self")
    told = [each for each in result.report["evaluations"] if each["by"] == "self"]
    assert told
    assert {each["verdict"] for each in told} == {"pass"}


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ({"verdict": "fail", "critique": "x"}, "fail"),
        ("**Pass.** Sound.", "pass"),
        ("I think so", "warn"),
        ("", "warn"),
        ({}, "warn"),
    ],
)
def test_a_judge_that_says_nothing_useful_only_warns(said: Any, verdict: str):
    assert understood(said)[0] == verdict


def test_gates_that_are_off_look_at_nothing(source: str, tmp_path: Path):
    result, _ = run(source, tmp_path, finding(), action_gate="off", finding_gate="off")
    assert len(result.report["findings"]) == 1
    assert result.report["evaluations"] == []
