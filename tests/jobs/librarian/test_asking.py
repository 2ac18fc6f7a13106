"""The evaluation of answers: what a matcher takes, which source counts, and which sets are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scripted import scripted

from bench.asking.ask import QUESTIONS, documents_of
from bench.asking.judge import judged
from bench.asking.matchers import MATCH, QuestionSet, covers, read_set, wrong_with
from config import PROJECT, ConfigError, Settings
from index.sections import sections_of
from jobs.auditor.settings import AuditorSettings

REPORT = {
    "answer": "There are 42 items.",
    "status": "answered",
    "source": "wiki/a.md#b, app/x.py:4",
    "tool_calls": [{"tool": "read_file"}],
}


@pytest.mark.parametrize(
    ("name", "wanted", "right", "wrong"),
    [
        ("contains", "Forty", "about forty", "about four"),
        ("contains_all", ["a1", "B2"], "b2 a1", "a1"),
        ("any_of", ["x1", "y1"], "has Y1", "has z1"),
        ("regex", r"\d+ items", "42 items", "items"),
        ("numeric", 26.7, "It is 26.7 %.", "It is 126.7 or 26.71 or lab-26.7"),
        ("numeric", 1349, "1,349 rows", "1350 rows"),
        ("numeric_gt", 10, "There are 11.", "There are 10."),
        ("numeric_range", [1, 5], "about 3", "about 6"),
    ],
)
def test_a_matcher_takes_what_is_right_and_nothing_else(name: str, wanted: object, right: str, wrong: str):
    assert MATCH[name](right, wanted)
    assert not MATCH[name](wrong, wanted)


@pytest.mark.parametrize(
    ("wanted", "named", "does"),
    [
        ("wiki/a.md", "wiki/a.md#b", True),
        ("wiki/a.md#b", "wiki/a.md", False),
        ("app/x.py", "app/x.py:4", True),
        ("app", "app/x.py:4", True),
        ("app", "apps/x.py", False),
        ("API endpoint GET /items/", "API endpoint GET /items/", True),
    ],
)
def test_a_file_stands_for_its_parts_and_a_part_for_itself_alone(wanted: str, named: str, does: bool):
    assert covers(wanted, named) is does


def test_what_is_wrong_is_said_a_line_each():
    assert wrong_with({"numeric": 42, "tools": ["read_file"], "source": ["app/x.py"]}, REPORT) == []
    assert wrong_with({"status": "refused"}, REPORT) == ["taken as: answered"]
    assert wrong_with({"numeric": 43, "tools": ["query_api"], "source": ["b.md"], "sources_all": ["c"]}, REPORT) == [
        "numeric: 43",
        "tool not used: query_api",
        "source: wiki/a.md#b, app/x.py:4",
        "source not named: c",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no list named questions"),
        ("questions: [{class: x}]", "entry 1 has no question"),
        ("questions: [{question: x, contain: y}]", "'contain'; known are contains"),
        ("questions: [", "cannot be read"),
    ],
)
def test_a_set_that_cannot_be_used_is_said_with_what_is_wrong(tmp_path: Path, text: str, says: str):
    pytest.importorskip("yaml", reason="the extra `librarian` is not installed")
    (tmp_path / "set.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=says):
        read_set(tmp_path / "set.yaml")


def test_the_librarys_forty_questions_name_sources_that_there_are():
    pytest.importorskip("yaml", reason="the extra `librarian` is not installed")
    questions = read_set(QUESTIONS / "library.yaml").questions
    kinds = [each["class"] for each in questions]
    assert {kind: kinds.count(kind) for kind in kinds} == dict.fromkeys(
        ("wiki", "source", "data", "bug", "reasoning"), 8
    )
    library = PROJECT / "samples" / "library"
    for each in questions:
        for source in [*each.get("source", []), *each.get("sources_all", [])]:
            file, _, anchor = source.partition("#")
            if not source.startswith("API endpoint"):
                assert (library / file).exists(), source
            if anchor:
                text = (library / file).read_text(encoding="utf-8")
                assert anchor in [section.anchor for section in sections_of(file, text)], source


@pytest.mark.parametrize(("said", "wrong"), [("Yes.", []), ("no", ["the judge says: no"])])
def test_a_judge_that_is_set_decides_on_the_text_and_not_on_the_source(said: str, wrong: list[str]):
    question = {"question": "Why?", "rubric": "names the proxy", "contains_all": ["caddy"]}
    with scripted((said, [])) as server:
        judge = AuditorSettings(judge_base_url=f"{server.address}/v1", judge_model="judge", judge_api_key="x")
        settings = Settings(jobs=(judge,))
        verdict = judged(question, "The proxy does it.", ["contains_all: ['caddy']", "source: none"], settings)
        assert "names the proxy" in json.dumps(server.requests)
    assert verdict == ["source: none", *wrong]


def test_without_a_judge_the_words_decide():
    assert judged({"rubric": "x"}, "x", ["contains: y"], Settings()) == ["contains: y"]


def test_documents_that_are_not_installed_are_said_with_what_to_do():
    missing = QuestionSet("x", [{}], {"command": ["no-such-program-here"], "folder": "docs"})
    with pytest.raises(ConfigError, match="--workdir"):
        documents_of(missing)
