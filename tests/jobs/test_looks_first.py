"""What a small model of the auditor, the notekeeper and the operator is shown before it is asked, and what its calls come
to, on both wires. What it says is what Qwen2.5-Coder 1.5B said to the README's own examples."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from wire_run import loop_of, settings_for

from agent.contracts import AgentResult
from functions.tool import Tool
from jobs.auditor.first_look import MOST_SUGGESTED, Suggested
from jobs.auditor.settings import AuditorSettings
from jobs.job import job_named
from offline.script import Call, Step, call, say
from offline.scripted import serving
from sandbox.files.root import Root

WIRES = ("openai", "gemini")
SERVICES = {"mail": "degraded", "shop": "running", "search": "degraded"}
GARLIC = "In the garden plant garlic in the bed four centimetres deep, not 5; sow no seeds. Ask Dana, 0171 5550."
CHECKS = [call(Call("kb_check"))] * 6


def server_tools() -> list[Tool]:
    """As a server has them that nobody has said to trust: one that lists, two that change something, one that wants to
    be told what."""
    required: dict[str, list[str]] = {"list_services": [], "restart": ["name"], "stop": ["name"], "get_logs": ["name"]}

    def function(what: str) -> Any:
        listed = json.dumps([{"name": name, "status": status} for name, status in SERVICES.items()])
        return lambda root, name="": listed if what == "list_services" else f"{what}: {name}"

    made = []
    for name, needed in required.items():
        parameters = {"type": "object", "properties": {each: {"type": "string"} for each in needed}, "required": needed}
        schema = {"name": f"fleet__{name}", "description": name, "parameters": parameters}
        made.append(Tool(f"fleet__{name}", function(name), schema, reads_only=False))
    return made


def run(
    job_name: str,
    wire: str,
    folder: Path,
    *steps: Step,
    prompt: str = f"Make a note of this:\n\n{GARLIC}",
    history: Sequence[Mapping[str, Any]] = (),
    tools: Sequence[Tool] = (),
    **changes: Any,
) -> tuple[AgentResult, list[Any]]:
    (folder / "visits.csv").write_text("id,age\n1,30\n2,\n", encoding="utf-8")
    (folder / "garden").mkdir()
    (folder / "garden" / "garlic.md").write_text("# Garlic\n\nPlanted in October.\n", encoding="utf-8")
    job = job_named(job_name)
    if job_name == "operator":
        job = replace(job, tools=lambda resources: [*tools, *server_tools()])
    with ExitStack() as stack:
        server = stack.enter_context(serving(*steps, *[say("Done.")] * 4))
        root = stack.enter_context(Root(folder))
        visits = AuditorSettings(str(folder / "visits.csv"))
        settings = settings_for(wire, server.address, **{"model_size": "small", "jobs": (visits,), **changes})
        settings = replace(settings, runs_directory=folder / ".runs")
        resources = stack.enter_context(job.opens(settings, root, lambda line: None))
        begun = job.begin(wire, root, settings, resources=resources, history=history)
        return loop_of(wire)(prompt, settings, begun), server.requests


def made(result: AgentResult, name: str) -> list[dict[str, Any]]:
    """The calls of a tool that succeeded."""
    return [each for each in result.tool_calls if each["name"] == name and each["status"] == "completed"]


def notes_in(folder: Path) -> dict[str, str]:
    paths = [path for path in folder.rglob("*.md") if ".runs" not in path.parts and path.name != "garlic.md"]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("job", "name", "seen"),
    [
        ("auditor", "schema_sample", "No value in `age`, in 1 of 2 rows"),
        ("notekeeper", "kb_vector_search", "garden/garlic.md"),
        ("operator", "fleet__list_services", "degraded"),
    ],
)
def test_a_small_model_is_shown_what_a_careful_one_looks_at_first(
    wire: str, job: str, name: str, seen: str, tmp_path: Path
):
    result, requests = run(job, wire, tmp_path)
    assert (result.tool_calls[0]["name"], result.tool_calls[0]["status"]) == (name, "completed")
    sent = requests[0]["messages" if wire == "openai" else "contents"]
    assert seen in str(sent[1:])
    assert "plant garlic" in str(sent)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "steps",
    [
        CHECKS,
        [say("The notes are out of order.")] * 2,
        [call(Call("save_note", {"title": "Bread", "category": "kitchen"}))],
        [call(Call("save_note", {"title": "Planting garlic"}))],
    ],
    ids=["six times the same call", "an answer, twice", "the title of another note", "its own title"],
)
def test_a_text_is_kept_word_for_word_in_the_folder_of_the_nearest_notes_whatever_a_small_model_does(
    wire: str, steps: list[Step], tmp_path: Path
):
    result, _ = run("notekeeper", wire, tmp_path, *steps)
    (path, text), *others = notes_in(tmp_path).items()
    assert not others
    assert GARLIC in text
    assert path.startswith("garden/")
    assert "bread" not in path
    assert f'Created "{path}"' in result.answer
    assert not result.answer.startswith("Done.")
    assert any("this program did" in each for each in result.errors) is (
        steps[0] != call(Call("save_note")) and len(steps) > 1
    )


def test_a_text_that_a_small_model_does_not_keep_is_told_as_not_kept_where_the_program_may_not(tmp_path: Path):
    result, _ = run("notekeeper", "openai", tmp_path, *CHECKS, assist="off")
    assert notes_in(tmp_path) == {}
    assert "The text was not kept." in result.errors


@pytest.mark.parametrize("wire", WIRES)
def test_a_question_to_the_notes_is_answered_with_the_note_that_it_is_from(wire: str, tmp_path: Path):
    steps = [call(Call("kb_check")), say("Garlic is planted in October.")]
    result, requests = run("notekeeper", wire, tmp_path, *steps, prompt="When is garlic planted?")
    assert "Planted in October." in str(requests[0])
    assert result.answer.startswith("Garlic is planted in October.")
    assert "garden/garlic.md" in result.answer
    assert notes_in(tmp_path) == {}


@pytest.mark.parametrize("wire", WIRES)
def test_in_a_conversation_that_goes_on_each_question_is_looked_into(wire: str, tmp_path: Path):
    model = {"role": "model", "text": "Hello. What shall I do?", "calls": [], "native": {}}
    said = ({"role": "user", "text": "Hello", "by": "person"}, model)
    steps = [say("Garlic is planted in October.")]
    result, requests = run("notekeeper", wire, tmp_path, *steps, prompt="When is garlic planted?", history=said)
    assert "Planted in October." in str(requests[0])
    assert "What shall I do?" in str(requests[0])
    assert "garden/garlic.md" in result.answer


@pytest.mark.parametrize("wire", WIRES)
def test_of_all_services_that_a_small_model_restarts_only_those_that_the_order_selects_are_and_once(
    wire: str, tmp_path: Path
):
    every = [call(Call("fleet__restart", {"name": name})) for name in ("shop", "mail", "mail", "search", "shop")]
    result, _ = run("operator", wire, tmp_path, *every, prompt="restart every degraded service")
    assert [each["arguments"]["name"] for each in made(result, "fleet__restart")] == ["mail", "search"]
    assert "the order is about mail and search, and not about shop" in str(result.tool_calls[1]["result"])
    assert result.stop_reason == "answered"


@pytest.mark.parametrize(
    "prompt",
    [
        "Why is mail degraded?",
        "restart mail",
        "Do not stop mail.",
        "Stop shop, but don't stop mail.",
        "Stop shop. Never stop mail!",
        "show me the logs of mail",
    ],
)
def test_nothing_is_stopped_for_a_question_a_denial_or_an_order_that_says_something_else(prompt: str, tmp_path: Path):
    steps = [call(Call("fleet__stop", {"name": "mail"}))]
    result, _ = run("operator", "openai", tmp_path, *steps, prompt=prompt)
    assert made(result, "fleet__stop") == []


def test_what_a_denial_does_not_speak_of_is_done(tmp_path: Path):
    steps = [call(Call("fleet__stop", {"name": "shop"}))]
    result, _ = run("operator", "openai", tmp_path, *steps, prompt="Stop shop, but don't stop mail.")
    assert len(made(result, "fleet__stop")) == 1


def test_what_a_skill_that_was_read_names_may_be_done_beside_the_order(tmp_path: Path):
    skill = "1. Call `stop`. 2. Call `restart`."
    schema = {"name": "read_skill", "description": "Read", "parameters": {"type": "object", "properties": {}}}
    reading = Tool("read_skill", lambda root: skill, schema, reads_only=True)
    steps = [call(Call(f"fleet__{verb}", {"name": "mail"})) for verb in ("stop", "restart", "stop")]
    beside = {"prompt": "restart mail safely", "tools": [reading]}
    result, _ = run("operator", "openai", tmp_path, call(Call("read_skill")), *steps, **beside)
    assert (len(made(result, "fleet__stop")), len(made(result, "fleet__restart"))) == (1, 1)


def test_what_hangs_on_a_condition_is_not_said_to_be_left(tmp_path: Path):
    steps = [call(Call("fleet__get_logs", {"name": "shop"}))] * 3
    result, _ = run("operator", "openai", tmp_path, *steps, prompt="restart Shop if it is degraded")
    assert "left to do" not in str(result.tool_calls)


def test_a_thing_is_named_in_any_case(tmp_path: Path):
    steps = [call(Call("fleet__restart", {"name": name})) for name in ("mail", "shop")]
    result, _ = run("operator", "openai", tmp_path, *steps, prompt="Shop hangs: restart it")
    assert [each["arguments"]["name"] for each in made(result, "fleet__restart")] == ["shop"]


def test_what_is_called_before_the_model_is_asked_changes_nothing_by_its_name(tmp_path: Path):
    schema = {"name": "fleet__list_and_reset", "description": "", "parameters": {"type": "object", "properties": {}}}
    tool = Tool("fleet__list_and_reset", lambda root: "reset", schema, reads_only=False)
    result, _ = run("operator", "openai", tmp_path, prompt="which services are degraded?", tools=[tool])
    assert [each["name"] for each in result.tool_calls] == ["fleet__list_services"]


def test_who_is_told_of_a_thing_is_told_once_and_nothing_is_said_to_be_left(tmp_path: Path):
    parameters = {"team": {"type": "string"}, "message": {"type": "string"}}
    needed = {"type": "object", "properties": parameters, "required": ["team", "message"]}
    schema = {"name": "fleet__notify_team", "description": "Notify a team", "parameters": needed}
    tool = Tool("fleet__notify_team", lambda root, team, message: "told", schema, reads_only=False)
    steps = [call(Call(tool.name, {"team": "post", "message": "mail is degraded"}))]
    beside = {"prompt": "notify the team post that mail is degraded", "tools": [tool]}
    result, _ = run("operator", "openai", tmp_path, *steps, **beside)
    assert [each["result"] for each in made(result, tool.name)] == ["told"]


def test_where_a_model_judges_each_call_an_audit_begins_with_one(tmp_path: Path):
    judged = AuditorSettings(str(tmp_path / "visits.csv"), action_gate="self")
    result, _ = run("auditor", "openai", tmp_path, jobs=(judged,))
    assert [each["name"] for each in result.tool_calls] == ["schema_sample"]


def test_to_tidy_up_begins_with_what_is_out_of_order(tmp_path: Path):
    result, _ = run("notekeeper", "openai", tmp_path, prompt="tidy up")
    assert [each["name"] for each in result.tool_calls] == ["kb_check"]


@pytest.mark.parametrize("wire", WIRES)
def test_an_order_that_one_call_does_is_done_once_and_a_small_model_is_offered_no_other_change(
    wire: str, tmp_path: Path
):
    steps = [call(Call("move_note", {"path": "garden/garlic.md", "to": "yard/garlic.md"}))]
    result, requests = run("notekeeper", wire, tmp_path, *steps, prompt="Move garden/garlic.md to yard/garlic.md")
    assert [each["name"] for each in result.tool_calls] == ["move_note"]
    assert (tmp_path / "yard" / "garlic.md").exists()
    assert result.answer == 'Moved "garden/garlic.md" into "yard/garlic.md".'
    assert "Now call move_note." in str(requests[0])
    assert "delete_file" not in str(requests[0])


@pytest.mark.parametrize("wire", WIRES)
def test_what_is_sure_of_a_folder_that_a_small_model_is_told_to_mend_the_program_mends_and_tells(
    wire: str, tmp_path: Path
):
    (tmp_path / "links.md").write_text("See [it](garden/Garlic.md) and [that](leek.md).\n", encoding="utf-8")
    steps = [call(Call("edit_file", {"file_path": "links.md", "old_text": "See", "new_text": "Read"}))]
    result, _ = run("notekeeper", wire, tmp_path, *steps, prompt="fix the broken links")
    assert notes_in(tmp_path) == {"links.md": "See [it](garden/garlic.md) and [that](leek.md).\n"}
    assert "Left as it is:\n- broken link, links.md, [that](leek.md)" in result.answer
    assert result.stop_reason == "answered"


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("What is there?", "garden/ (1 notes): Garlic"),
        ("find all notes about garlic", "Notes about garlic:\n- garden/garlic.md: Garlic"),
        ("read garden/garlic.md", "Planted in October."),
    ],
)
def test_what_leaves_nothing_to_judge_a_small_model_is_not_left_to_look_for(prompt: str, told: str, tmp_path: Path):
    result, requests = run("notekeeper", "openai", tmp_path, call(Call("kb_check")), prompt=prompt)
    assert told in result.answer
    assert len(requests) == 1


def test_a_summary_that_the_program_makes_is_told_without_a_word_that_is_meant_for_the_model(tmp_path: Path):
    prompt = "find all notes about garlic and create a summary document"
    result, _ = run("notekeeper", "openai", tmp_path, prompt=prompt)
    assert [*notes_in(tmp_path)] == ["garden/summary-garlic.md"]
    assert result.answer.startswith(
        'Created "garden/summary-garlic.md", linked both ways with garden/garlic.md. To take'
    )


def test_a_small_model_that_tidies_alone_makes_no_note_and_answers_where_it_does_the_same_again(tmp_path: Path):
    steps = [call(Call("kb_check")), say("Nothing is out of order.")]
    result, requests = run("notekeeper", "openai", tmp_path, *steps, prompt="tidy up", assist="off")
    assert result.answer == "Nothing is out of order."
    assert len(requests) == 2
    assert "edit_file" in str(requests[0])
    assert "save_note" not in str(requests[0]["tools"])


def test_an_order_about_the_notes_that_is_not_understood_is_not_kept_as_a_note(tmp_path: Path):
    prompt = "Check my notes for broken links and tell me in a few words which note each of them may mean."
    run("notekeeper", "openai", tmp_path, prompt=prompt)
    assert notes_in(tmp_path) == {}


def test_without_that_part_of_the_help_a_small_model_restarts_what_it_likes(tmp_path: Path):
    steps = [call(Call("fleet__restart", {"name": "shop"}))]
    prompt = "restart every degraded service"
    result, _ = run("operator", "openai", tmp_path, *steps, prompt=prompt, without=("protect",))
    assert len(made(result, "fleet__restart")) == 1


@pytest.mark.parametrize("wire", WIRES)
def test_a_suggested_finding_is_written_down_by_its_number_and_the_answer_is_what_is_proven(wire: str, tmp_path: Path):
    steps = [call(Call("accept_finding", {"numbers": [1]})), say("60 faults, such as a patient on the moon.")]
    result, _ = run("auditor", wire, tmp_path, *steps)
    assert result.report
    assert [each["fields"] for each in result.report["findings"]] == [["age"]]
    assert "No value in `age`, in 1 of 2 rows" in result.answer
    assert "moon" not in result.answer
    assert not result.errors


def test_a_number_that_was_not_suggested_is_refused_with_those_that_were(tmp_path: Path):
    result, _ = run("auditor", "openai", tmp_path, call(Call("accept_finding", {"numbers": [7]})))
    (refused,) = [each for each in result.tool_calls if each["name"] == "accept_finding"]
    assert "there is no suggestion [7]; they are:\n1. No value in `age`" in refused["result"]


@pytest.mark.parametrize("assist", ["suggest", "finish"])
def test_where_a_small_model_writes_nothing_down_the_program_does_where_it_was_asked_to(assist: str, tmp_path: Path):
    result, requests = run("auditor", "openai", tmp_path, assist=assist)
    assert "Nothing is written down yet" in str(requests[1])
    assert result.report
    assert len(result.report["findings"]) == (assist == "finish")


def test_of_more_faults_than_are_suggested_the_gravest_are_and_how_many_are_left_out_is_known():
    suggested = Suggested()
    suggested.add({"claim": f"low {at}", "severity": "low", "confidence": 0.5} for at in range(MOST_SUGGESTED))
    suggested.add([{"claim": "a grave one", "severity": "high", "confidence": 0.5}])
    assert suggested.claims().startswith("1. a grave one")
    assert (len(suggested.findings), suggested.left_out) == (MOST_SUGGESTED, 1)


@pytest.mark.parametrize("job", ["auditor", "notekeeper", "operator"])
@pytest.mark.parametrize("changes", [{"model_size": "large"}, {"without": ("opening", "nudge")}])
def test_a_large_model_and_one_without_the_opening_are_shown_nothing(job: str, changes: Any, tmp_path: Path):
    result, requests = run(job, "openai", tmp_path, **changes)
    assert not result.tool_calls
    assert len(requests[0]["messages"]) == 2
