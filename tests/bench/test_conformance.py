"""The conformance suite's result is held to the list of known gaps, in both directions."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from bench.conformance.suite import GAPS, INSTALL, REVISIONS, SIDES, Gap, Leg, differences, gaps, main, our_server, read
from config import PROJECT

REVISION = "2026-07-28"


def found(**checks: str) -> Leg:
    return Leg({name.replace("__", ":").replace("_", "-"): status for name, status in checks.items()}, [])


LISTED = [Gap("server", (REVISION,), "why", ("whole", "part:known"))]


def test_what_fails_just_as_listed_is_no_difference():
    leg = found(whole__a="FAILURE", whole__b="SUCCESS", part__known="FAILURE", part__other="SUCCESS", fine__a="SKIPPED")
    assert differences(leg, "server", REVISION, LISTED) == []


@pytest.mark.parametrize(
    ("leg", "said"),
    [
        (found(whole__a="FAILURE", part__known="FAILURE", part__other="FAILURE"), "new gap: part:other"),
        (found(whole__a="FAILURE", part__known="FAILURE", next__a="FAILURE"), "new gap: next:a"),
        (found(whole__a="SUCCESS", part__known="FAILURE"), "gone: whole is listed"),
        (found(whole__a="FAILURE", part__known="SUCCESS"), "gone: part:known is listed"),
        (found(whole__a="FAILURE"), "gone: part:known is listed"),
        (Leg({"whole:a": "FAILURE", "part:known": "FAILURE"}, ["ping"]), "missing: the suite gave no result for ping"),
    ],
)
def test_a_gap_that_is_new_or_gone_and_a_scenario_without_a_result_are_each_said(leg: Leg, said: str):
    (line,) = differences(leg, "server", REVISION, LISTED)
    assert line.startswith(said)


def test_a_gap_of_one_side_or_revision_excuses_no_other():
    leg = found(whole__a="FAILURE", part__known="FAILURE")
    assert len(differences(leg, "client", REVISION, LISTED)) == 2
    assert len(differences(leg, "server", "2025-11-25", LISTED)) == 2


def test_a_scenario_has_passed_where_a_check_did_and_none_failed():
    leg = found(a__x="SUCCESS", a__y="SKIPPED", b__x="SUCCESS", b__y="FAILURE", c__x="SKIPPED", d__x="WARNING")
    assert leg.line() == "1 of 4 scenarios, 2 of 3 checks"


def test_results_are_read_by_scenario_and_the_worst_of_a_check_counts(tmp_path: Path):
    for folder, checks in {
        "server-server-initialize-2026-11-23T19-23-28-935Z": [("a", "SUCCESS")],
        "server-ping-2026-11-23T19-23-28-935Z": [("a", "FAILURE"), ("a", "SUCCESS")],
        "auth/basic-2026-11-23T19-23-28-935Z": [("b", "SUCCESS"), ("b", "FAILURE")],
    }.items():
        (tmp_path / folder).mkdir(parents=True)
        written = [{"id": name, "status": status} for name, status in checks]
        (tmp_path / folder / "checks.json").write_text(json.dumps(written))
    assert read(tmp_path) == {"server-initialize:a": "SUCCESS", "ping:a": "FAILURE", "auth/basic:b": "FAILURE"}


def test_the_list_of_gaps_is_whole_and_gives_a_reason_for_each():
    listed = gaps(GAPS)
    for gap in listed:
        assert gap.side in SIDES
        assert set(gap.revisions) <= set(REVISIONS)
        assert len(gap.reason) > 20
        assert gap.names
    named = [(gap.side, revision, name) for gap in listed for revision in gap.revisions for name in gap.names]
    assert len(named) == len(set(named))


def test_a_folder_without_the_suite_is_one_sentence_with_the_command_that_ci_uses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["--suite", str(tmp_path)]) == 1
    assert "npm install" in capsys.readouterr().err
    package = re.search(r"@modelcontextprotocol/\S+ node@22", INSTALL)[0]
    assert package in (PROJECT / ".ci/run").read_text(encoding="utf-8")


def test_the_server_that_the_suite_meets_is_ours_with_the_suites_tools(tmp_path: Path):
    from mcp.client import Client

    async def names(address: str) -> set[str]:
        async with Client(address, read_timeout_seconds=60) as client:
            assert (await client.call_tool("test_error_handling", {})).is_error
            return {tool.name for tool in (await client.list_tools()).tools}

    with our_server(tmp_path) as address:
        assert asyncio.run(names(address)) == {"test_simple_text", "test_error_handling", "test_tool_with_progress"}
