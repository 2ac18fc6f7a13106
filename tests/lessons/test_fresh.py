"""What the lessons say of the world outside is as of a day: where it has moved on, they are to be read again."""

from __future__ import annotations

import inspect
import re
from datetime import date
from importlib.metadata import version

import pytest

from config import PROJECT
from lessons.course import LESSONS, all_lessons

ROW = re.compile(r"^\| [\d, ]+ \| .+ \| (\S+) (\S+) \| (\d{4}-\d\d-\d\d) \|$", re.MULTILINE)
SIDE = re.compile(r"^\| (\d+) \| `(\w+)` \| `(\w+)` in \[([\w/.]+)\]", re.MULTILINE)
CHECKED = ROW.findall((PROJECT / "docs" / "lessons" / "README.md").read_text(encoding="utf-8"))


def test_the_table_names_each_sdk_and_the_protocol_with_a_day():
    assert [name for name, *_ in CHECKED] == ["openai", "google-genai", "mcp", "MCP"]
    assert all(date.fromisoformat(day) <= date.today() for *_, day in CHECKED)


@pytest.mark.parametrize(("name", "checked", "day"), CHECKED[:3], ids=[name for name, *_ in CHECKED[:3]])
def test_an_sdk_is_still_the_one_that_the_lessons_were_checked_with(name: str, checked: str, day: str):
    if name == "mcp":
        pytest.importorskip("mcp")
    assert version(name).partition(".")[0] == checked, f"checked with {name} {checked} on {day}: read the lesson again"


def test_the_protocol_is_still_the_one_that_lesson_19_speaks():
    newest = pytest.importorskip("mcp_types.version").LATEST_PROTOCOL_VERSION
    assert newest == CHECKED[3][1], "the protocol has a newer version: read lesson 19 again"
    for file in ("start.py", "solution.py", "check.py", "README.md"):
        assert newest in (LESSONS / "19_protocol" / file).read_text(encoding="utf-8"), file


def test_what_the_pages_name_is_there():
    from google.genai import types

    assert {"id"} <= types.FunctionCall.model_fields.keys() & types.FunctionResponse.model_fields.keys()
    assert "thought_signature" in types.Part.model_fields


def test_the_forms_that_keep_the_conversation_on_the_server_are_where_lesson_1_says():
    """Lesson 1 names them beside Chat Completions, and how each goes on: no request leaves this machine."""
    from google import genai
    from google.genai import interactions
    from openai import OpenAI

    goes_on = {
        "previous_response_id": inspect.signature(OpenAI(api_key="none").responses.create).parameters,
        "previous_interaction_id": interactions.CreateModelInteraction.model_fields,
    }
    assert inspect.signature(genai.Client(api_key="none").interactions.create).parameters
    page = (LESSONS / "01_messages" / "README.md").read_text(encoding="utf-8")
    for name, known in goes_on.items():
        assert f"`{name}`" in page
        assert name in known, f"{name} is no more: read lesson 1 again"


def test_course_and_program_stand_side_by_side_and_both_have_what_is_named():
    rows = SIDE.findall((PROJECT / "docs" / "lessons" / "README.md").read_text(encoding="utf-8"))
    assert len(rows) >= 18
    lessons = {str(lesson.number): lesson for lesson in all_lessons()}
    for number, ours, theirs, file in rows:
        assert re.search(rf"^def {ours}\(", lessons[number].text("solution.py"), re.MULTILINE), (number, ours)
        defined = rf"^\s*(?:async )?(?:def|class) {theirs}\b|^{theirs}\b.*="
        assert re.search(defined, (PROJECT / file).read_text(encoding="utf-8"), re.MULTILINE), (file, theirs)
