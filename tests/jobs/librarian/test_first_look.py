"""What a small model is shown before it is asked a question: found, read and asked for by the librarian's own tools."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from wire_run import loop_of, settings_for

from agent.contracts import AgentResult, ToolCall, ToolResult
from functions.tool import Tool
from index.index import Index
from jobs.job import job_named
from jobs.librarian.first_look import asked, cause, nearest
from offline.script import Call, Step, call, say
from offline.scripted import serving
from sandbox.files.root import Root

WIRES = ("openai", "gemini")
GUIDE = "# Guide\n\n## Resolving conflicts\n\nOpen the file, remove the markers, then `git add` it.\n\n## Other\n\nNothing.\n"
RIGHT = "Remove the markers, then git add.\nSource: guide.md#resolving-conflicts"


def ask(wire: str, folder: Path, prompt: str, *replies: str | Step, **changes: Any) -> tuple[AgentResult, list[Any]]:
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    (folder / "docs" / "app.py").write_text("def resolve(conflicts):\n    return None\n", encoding="utf-8")
    (folder / "docs" / "third.md").write_text("# Third\n\nNothing of that.\n", encoding="utf-8")
    job = job_named("librarian")
    with (
        serving(*(say(each) if isinstance(each, str) else each for each in replies)) as server,
        Root(folder / "docs") as root,
    ):
        settings = settings_for(wire, server.address, **{"model_size": "small", **changes})
        index = Index(root, folder / "index", say=lambda line: None)
        try:
            run = job.begin(wire, root, settings, resources={"index": index})
            return loop_of(wire)(prompt, settings, run), server.requests
        finally:
            index.close()


def test_a_file_that_the_question_names_is_read_first(tmp_path: Path):
    result, requests = ask("openai", tmp_path, "What does third.md say of conflicts?", "Nothing.\nSource: third.md")
    assert [call["arguments"].get("path") for call in result.tool_calls][0] == "third.md"
    assert "What does third.md say of conflicts?" in requests[0]["messages"][-1]["content"]
    assert not result.errors


@pytest.mark.parametrize("wire", WIRES)
def test_a_call_in_place_of_the_answer_is_not_run_and_asked_for_in_words_once(wire: str, tmp_path: Path):
    result, requests = ask(wire, tmp_path, "How do I resolve conflicts?", call(Call("list_files", {})), RIGHT)
    assert (len(requests), result.answer) == (2, RIGHT)
    assert result.tool_calls[-1]["status"] == "called"


CALLED = call(Call("list_files", {}))
IN_JSON = '{"name": "search_the_web", "arguments": {"query": "conflicts", "most": 3}}'  # of a tool that is not there


@pytest.mark.parametrize("said", [CALLED, IN_JSON])
@pytest.mark.parametrize("wire", WIRES)
def test_where_a_small_model_gives_no_answer_the_nearest_that_was_found_stands_in_its_place(
    wire: str, said: str | Step, tmp_path: Path
):
    result, _ = ask(wire, tmp_path, "How do I resolve conflicts?", said, said)
    assert result.answer.startswith(
        "The model gave no answer. The nearest to the question that was found:\n\n## Resolving"
    )
    assert result.answer.endswith("`git add` it.\n\nSource: guide.md#resolving-conflicts")
    assert result.report is not None
    assert (result.report["status"], result.report["source"]) == ("unsure", "guide.md#resolving-conflicts")
    assert not result.errors


@pytest.mark.parametrize(("lines", "is_whole"), [(100, True), (200, False)])
def test_of_a_long_document_the_beginning_is_shown_and_said_to_be_no_more(lines: int, is_whole: bool):
    text = "So it is done.\n" * lines
    shown = nearest([ToolResult(ToolCall("id", "read_file", {"path": "guide.md"}), text, True, 0.0)])
    assert (text.strip() in shown) == is_whole
    assert ("Its beginning is shown; the rest stands in the source.\n\nSource: guide.md" in shown) != is_whole


def test_a_model_that_says_the_same_for_ever_is_not_asked_once_more(tmp_path: Path):
    endless = say("Ask it so:\n\n" + '```json\n{"name": "list_files", "arguments": {}}\n```\n\n' * 90)
    result, requests = ask("openai", tmp_path, "How do I resolve conflicts?", endless, RIGHT)
    assert len(requests) == 1
    assert result.answer.startswith("The model gave no answer.")


@pytest.mark.parametrize("wire", WIRES)
def test_the_best_place_is_read_before_a_small_model_is_asked(wire: str, tmp_path: Path):
    result, requests = ask(wire, tmp_path, "How do I resolve conflicts?", RIGHT)
    assert {call["name"] for call in result.tool_calls} == {"read_file"}
    assert result.tool_calls[0]["arguments"] == {"path": "guide.md#resolving-conflicts"}  # the best first
    assert len(requests) == 1
    sent = requests[0]["messages" if wire == "openai" else "contents"]
    assert "remove the markers" in str(sent[-1])  # as a text: who has seen calls goes on with calls
    assert not any("tool_calls" in str(message) or "functionCall" in str(message) for message in sent)
    assert result.answer == RIGHT
    assert not result.errors


def test_a_large_model_is_shown_nothing_and_so_is_a_small_one_without_the_opening(tmp_path: Path):
    for number, changes in enumerate(({"model_size": "large"}, {"without": ("opening", "idle")})):
        folder = tmp_path / str(number)
        folder.mkdir()
        result, requests = ask("openai", folder, "How do I resolve conflicts?", RIGHT, RIGHT, **changes)
        assert not result.tool_calls
        assert "remove the markers" not in str(requests[0])
        assert result.errors  # nothing was read, so the source is not taken


ENDPOINTS = """\
Call it. Endpoints:
GET /items/?type= - All items
POST /items/ - Add one
GET /learners/?group=&limit=(at most 500) - All learners
GET /learners/{id} - One
GET /analytics/completion-rate?lab= - The share
"""


class Told:
    def __init__(self, prompt: str) -> None:
        schema = {"name": "query_api", "description": ENDPOINTS, "parameters": {"type": "object", "properties": {}}}
        self.prompt, self.catalogue = prompt, {"query_api": Tool("query_api", str, schema, reads_only=True)}


@pytest.mark.parametrize(
    ("prompt", "path", "auth"),
    [
        ("How many learners are there?", "/learners/", True),
        ("What HTTP status code does /items/ return without an API key?", "/items/", False),
        ("What is the completion rate of lab-01?", "/analytics/completion-rate?lab=lab-01", True),
        ("GET /analytics/scores fails for lab-07. Why?", "/analytics/scores", True),
    ],
)
def test_the_endpoint_that_a_question_names_or_is_about_is_asked(prompt: str, path: str, auth: bool):
    [(name, arguments)] = asked(Told(prompt))
    assert (name, arguments["path"], arguments.get("auth", True)) == ("query_api", path, auth)


@pytest.mark.parametrize("prompt", ["How do I take back a commit?", "Which port does the proxy listen on?"])
def test_no_endpoint_is_asked_for_what_is_no_data(prompt: str):
    assert not list(asked(Told(prompt)))


@pytest.mark.parametrize(("said", "value"), [("group-2", "group-2"), ("group B24-02", "B24-02")])
def test_the_parameter_of_an_endpoint_takes_the_value_that_the_question_gives(said: str, value: str):
    [(_, arguments)] = asked(Told(f"How many learners are in {said}?"))
    assert arguments["path"] == f"/learners/?group={value}"


@pytest.mark.parametrize("said", ["the group of 2026", "group A or group B"])
def test_a_word_or_number_that_follows_the_name_of_a_parameter_is_no_value_of_it(said: str):
    [(_, arguments)] = asked(Told(f"How many learners are in {said}?"))
    assert arguments["path"] == "/learners/"


def test_a_source_that_is_not_named_is_the_place_where_the_answers_words_stand(tmp_path: Path):
    result, _ = ask("openai", tmp_path, "How do I resolve conflicts?", "Open the file, remove the markers, git add it.")
    assert result.answer.endswith("\n\nSource: guide.md#resolving-conflicts")
    assert result.report is not None
    assert (result.report["status"], result.report["source"]) == ("answered", "guide.md#resolving-conflicts")
    assert not result.errors


def test_who_asks_what_gives_no_answer_is_not_taken_to_be_given_none(tmp_path: Path):
    said = "When git gives no answer, open the file, remove the markers, then `git add` it."
    result, _ = ask("openai", tmp_path, "How do I resolve conflicts when git gives no answer?", said)
    assert result.report is not None
    assert (result.report["status"], result.report["source"]) == ("answered", "guide.md#resolving-conflicts")


def test_words_that_stand_nowhere_get_no_source(tmp_path: Path):
    result, _ = ask("openai", tmp_path, "How do I resolve conflicts?", "By calling a lawyer and paying her handsomely.")
    assert "Source:" not in result.answer
    assert result.report is not None
    assert (result.report["status"], result.report["source"]) == ("unsure", "")


def test_words_of_which_an_exact_name_stands_nowhere_get_no_source(tmp_path: Path):
    said = "Open the file, remove the markers, then git add it with `conflict_solver`."
    result, _ = ask("openai", tmp_path, "How do I resolve conflicts?", said)
    assert result.report is not None
    assert (result.report["status"], result.report["source"]) == ("unsure", "")


def test_the_line_that_a_thing_stands_in_need_not_stand_there(tmp_path: Path):
    said = "In lines 3 to 5 of guide.md: open the file, remove the markers, then `git` add it, as line 5 says."
    result, _ = ask("openai", tmp_path, "How do I resolve conflicts?", said)
    assert result.report is not None
    assert "guide.md#resolving-conflicts" in result.report["source"]


def test_exact_names_that_all_stand_in_a_place_make_it_the_source_with_fewer_words(tmp_path: Path):
    said = "Remove what git prints with `git`, afterwards add everything left over, carefully, again."
    result, _ = ask("openai", tmp_path, "How do I resolve conflicts?", said)
    assert result.report is not None
    assert result.report["source"] == "guide.md#resolving-conflicts"


def test_a_file_that_the_answer_names_and_that_was_read_is_a_source_too(tmp_path: Path):
    said = "Remove the markers, then `git add`; third.md says nothing of it."
    result, _ = ask("openai", tmp_path, "What does third.md say of conflicts?", said)
    assert result.report is not None
    assert result.report["source"].split(", ") == ["guide.md#guide", "third.md"]


def test_nothing_said_in_a_reply_that_is_asked_for_again_is_not_held_against_the_answer(tmp_path: Path):
    result, _ = ask("openai", tmp_path, "How do I resolve conflicts?", call(Call("list_files", {})), RIGHT)
    assert not result.errors


def test_a_directory_that_the_question_names_is_listed_and_where_its_program_begins_is_read(tmp_path: Path):
    app = tmp_path / "docs" / "service" / "routers"
    app.mkdir(parents=True)
    (app.parent / "main.py").write_text("from fastapi import FastAPI\n\napp = FastAPI()\n" * 9, encoding="utf-8")
    (app / "__init__.py").write_text('"""Routers."""\n', encoding="utf-8")
    (app / "items.py").write_text("def items():\n    return []\n", encoding="utf-8")
    prompt = "Which router does the service have?"
    result, _ = ask("openai", tmp_path, prompt, "It has items, in items.py.\nSource: service/routers")
    looked = [(call["name"], call["arguments"]["path"]) for call in result.tool_calls]
    assert looked[:3] == [
        ("list_files", "service"),
        ("list_files", "service/routers"),
        ("read_file", "service/main.py"),
    ]
    assert "service/routers/__init__.py" not in str(looked)  # it says nothing
    assert not result.errors


FAILING = """\
@router.get("/rate")
def rate(done, begun):
    return len(done) / len(begun)
"""


def test_of_an_endpoint_that_fails_the_expression_that_raises_the_error_is_told(tmp_path: Path):
    (tmp_path / "routes.py").write_text(FAILING, encoding="utf-8")
    answer = '{"status_code": 500, "body": "{\\"type\\": \\"ZeroDivisionError\\"}"}'
    asked = {"name": "query_api", "arguments": {"method": "GET", "path": "/stats/rate?lab=1"}, "result": answer}
    read = {"name": "read_file", "arguments": {"path": "routes.py:2"}, "result": FAILING}
    with Root(tmp_path) as root:
        run = SimpleNamespace(root=root, trajectory=[{**each, "status": "completed"} for each in (asked, read)])
        told = cause(run)
        assert "`len(done) / len(begun)` in line 3 of routes.py raises ZeroDivisionError" in told
        run.trajectory[0]["result"] = '{"status_code": 200, "body": "[]"}'
        assert cause(run) == ""
