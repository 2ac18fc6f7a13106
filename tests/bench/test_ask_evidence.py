"""Whether a source says what an answer says: held against the file and the API's answer, not against the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.asking.evidence import unsaid

TEXT = 'Uploads\n=======\n\nAt most 16 megabytes are taken: set ``MAX_LENGTH``.\nThe rest is refused "at the door".\n'
CALLED = {
    "tool": "query_api",
    "args": {"method": "GET", "path": "/items/?lab=1"},
    "result": '{"count": 42, "body": []}',
}


@pytest.mark.parametrize(
    ("answer", "source", "missing"),
    [
        ("At most 16 megabytes are taken: set `MAX_LENGTH`.", "docs/up.md#uploads", []),
        ("docs/up.md:4: at most 16\n- line 4: `At most 16 megabytes ... set`", "docs/up.md:4", []),
        ("It takes 32 megabytes.", "docs/up.md#uploads", ["32"]),
        (
            "- line 9: `the tool's own note of 10000 characters`",
            "docs/up.md",
            ["the tool's own note of 10000 characters"],
        ),
        ('It says "nothing is ever refused" there.', "docs/up.md", ["nothing is ever refused"]),
        ("There are 42: GET /items/ returns 42 entries.", "API endpoint GET /items/", []),
        ("There are 43.", "API endpoint GET /items/", ["43"]),
        ("There are 42.", "API endpoint GET /others/", ["42"]),
        ("Whatever 7 says, nothing is named.", "", []),
        ("It has `up.md`.", "docs", []),
    ],
)
def test_what_an_answer_says_stands_in_the_source_that_it_names(
    answer: str, source: str, missing: list[str], tmp_path: Path
):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "up.md").write_text(TEXT, encoding="utf-8")
    report = {"answer": answer, "source": source, "tool_calls": [CALLED]}
    assert unsaid("How large may an upload be?", report, tmp_path) == missing
