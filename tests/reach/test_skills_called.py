"""Skills that a person starts: /name and its arguments, who may start what, which tools are not asked about, nested
folders, and scripts, which run behind the walls."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from agent.contracts import ToolCall
from agent.run import Run
from cli.chat import _Chat
from config import Settings
from functions import ToolError
from jobs import coder
from jobs.equipment.called import called
from jobs.equipment.equipped import equipment_tools
from jobs.equipment.read_skill import read_skill
from jobs.equipment.run_skill_script import run_skill_script
from reach.skills import Skills
from sandbox.files.root import Root
from sandbox.running.levels import level
from session import Session

BODY = "1. Look at $ARGUMENTS.\n2. Restart $ARGUMENTS."


def make(folder: Path, name: str, *fields: str, body: str = BODY) -> Path:
    front = "\n".join(["---", f"name: {name}", "description: What it is for.", *fields, "---"])
    (folder / name).mkdir(parents=True)
    (folder / name / "SKILL.md").write_text(f"{front}\n{body}\n", "utf-8")
    return folder / name


@pytest.fixture
def skills(tmp_path: Path) -> Iterator[Skills]:
    make(tmp_path, "deploy", "disable-model-invocation: true", "allowed-tools: run_tests Bash(git:*), edit_file")
    make(tmp_path, "look", body="Look well.")
    found = Skills([tmp_path])
    yield found
    found.close()


def test_a_prompt_that_begins_with_a_skills_name_starts_it_with_the_rest_as_its_arguments(skills: Skills):
    assert called("/deploy the shop, twice\nand slowly", skills) == (
        "Follow the skill deploy: the shop, twice\nand slowly",
        "",
    )
    assert skills.called == {"deploy": "the shop, twice\nand slowly"}
    assert called("/look", skills) == ("Follow the skill look", "")


@pytest.mark.parametrize(
    "prompt", ["look at deploy", "/etc/hosts is wrong", "/Deploy x", "please /deploy x", "//deploy"]
)
def test_a_prompt_that_does_not_is_left_as_it_is(prompt: str, skills: Skills):
    skills.called = {"deploy": "from the run before"}
    assert called(prompt, skills) == (prompt, "")
    assert skills.called == {}


def test_a_name_that_is_nearly_one_is_said(skills: Skills):
    prompt, said = called("/deploi x", skills)
    assert prompt == "/deploi x"
    assert "did you mean 'deploy'" in said


def test_arguments_stand_where_the_skill_wants_them_or_below(skills: Skills):
    called("/deploy shop", skills)
    assert read_skill(skills, "deploy", arguments="what a model says").startswith("1. Look at shop.\n2. Restart shop.")
    assert read_skill(skills, "look", arguments="the logs") == "Look well.\n\nArguments: the logs"
    called("fix it", skills)
    assert read_skill(skills, "look") == "Look well."


def test_what_only_the_person_starts_is_not_offered_and_not_read_until_then(skills: Skills):
    assert "deploy:" not in skills.prompt()
    assert "look: What it is for." in skills.prompt()
    refused = read_skill(skills, "deploy")
    assert isinstance(refused, ToolError)
    assert "/deploy" in refused
    assert isinstance(run_skill_script(skills, None, "deploy", "x.py"), ToolError)  # type: ignore[arg-type]
    called("/deploy shop", skills)
    assert read_skill(skills, "deploy").startswith("1. Look at shop.")


def test_where_all_are_for_the_person_the_prompt_still_says_how_one_is_read(tmp_path: Path):
    make(tmp_path, "deploy", "disable-model-invocation: true")
    found = Skills([tmp_path])
    assert found.prompt().startswith("A skill that the person names")
    found.close()


def test_a_field_that_must_be_true_or_false_and_is_neither_is_a_sentence(tmp_path: Path):
    make(tmp_path, "deploy", "disable-model-invocation: perhaps")
    found = Skills([tmp_path])
    assert "neither true nor false" in found.broken[0]
    assert not found
    found.close()


def test_tools_that_a_skill_allows_are_not_asked_about_when_the_person_started_it(skills: Skills, tmp_path: Path):
    assert skills["deploy"].allowed == {"run_tests", "edit_file"}
    asked: list[str] = []

    def approve(call: ToolCall, run: Run) -> str:
        asked.append(call.name)
        return "no"

    def refusals(prompt: str) -> dict[str, str | None]:
        heard: dict[str, str | None] = {}

        def loop(text: str, settings: Settings, run: Run) -> object:
            for name in ("run_tests", "edit_file", "write_file"):
                heard[name] = run.refused(ToolCall("1", name, {}))
            return run.finish("answered")

        with Root(tmp_path) as root:
            session = Session("offline", loop, Settings(), root, coder.JOB, {"skills": skills}, print)  # type: ignore[arg-type]
            session.run(prompt, keeps=False, approve=approve)
        return heard

    assert refusals("/deploy shop") == {"run_tests": None, "edit_file": None, "write_file": "no"}
    assert asked == ["write_file"]
    assert set(refusals("deploy the shop").values()) == {"no"}


def test_the_record_has_what_was_typed_and_the_model_is_told_what_it_means(skills: Skills, tmp_path: Path):
    told: list[str] = []

    def loop(text: str, settings: Settings, run: Run) -> object:
        told.append(text)
        return run.finish("answered")

    settings = replace(Settings(), runs_directory=tmp_path / "runs")
    (tmp_path / "work").mkdir()
    with Root(tmp_path / "work") as root:
        session = Session("offline", loop, settings, root, coder.JOB, {"skills": skills}, print)  # type: ignore[arg-type]
        session.run("/look the logs")
        assert session.folder is not None
        trace = (session.folder / "trace.jsonl").read_text("utf-8")
    assert told == ["Follow the skill look: the logs"]
    assert "/look the logs" in trace


def test_skills_in_nested_folders_are_found_and_what_is_hidden_linked_or_inside_a_skill_is_not(tmp_path: Path):
    make(tmp_path / "team" / "backend", "deep")
    make(tmp_path / "team", "flat")
    make(tmp_path / "team" / "flat", "inner")
    make(tmp_path / ".git", "hidden")
    elsewhere = make(tmp_path.parent / f"{tmp_path.name}-elsewhere", "linked")
    (tmp_path / "team" / "link").symlink_to(elsewhere.parent)
    make(tmp_path / "a" / "b" / "c" / "d" / "e" / "f", "too-deep")
    found = Skills([tmp_path])
    assert set(found) == {"deep", "flat"}
    found.close()


SCRIPT = """\
import pathlib, sys
here = pathlib.Path(__file__).parent
print("words:", (here / "words.txt").read_text(), "args:", sys.argv[1:], "sees:", pathlib.Path("data.txt").read_text())
pathlib.Path("made.txt").write_text("by the script")
for path, mode in ((here / "words.txt", "w"), (here.parent.parent / "secret.txt", "r")):
    try:
        open(path, mode)
        print("OPEN", path.name)
    except OSError:
        print("closed", path.name)
"""


@pytest.mark.skipif(sys.platform == "win32" or not level().confined, reason="there are no walls here")
def test_a_script_runs_in_the_working_directory_behind_the_walls_and_reads_its_own_folder_alone(tmp_path: Path):
    folder = make(tmp_path / "skills", "count", "disable-model-invocation: false")
    (folder / "scripts").mkdir()
    (folder / "scripts" / "count.py").write_text(SCRIPT)
    (folder / "scripts" / "words.txt").write_text("own")
    (tmp_path / "skills" / "secret.txt").write_text("secret")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "data.txt").write_text("project")
    found = Skills([tmp_path / "skills"])
    tools = {tool.name: tool for tool in equipment_tools({"skills": found})}
    assert 'run_skill_script(name="count", file="...")' in read_skill(found, "count")
    with Root(tmp_path / "work") as root:
        out = tools["run_skill_script"].function(root, name="count", file="scripts/count.py", args=["7"])
        assert "words: own args: ['7'] sees: project" in out
        assert "closed words.txt" in out
        assert "closed secret.txt" in out
        assert (tmp_path / "work" / "made.txt").read_text() == "by the script"
        for wrong in ("../secret.txt", "scripts/words.txt", "scripts/gone.py", "/etc/passwd"):
            refused = tools["run_skill_script"].function(root, name="count", file=wrong)
            assert isinstance(refused, ToolError)
    found.close()


def test_without_a_script_there_is_no_tool_that_runs_one(skills: Skills):
    assert [tool.name for tool in equipment_tools({"skills": skills})] == ["read_skill"]


def test_in_a_chat_a_skills_name_is_a_prompt_and_no_unknown_command(skills: Skills, tmp_path: Path):
    asked: list[str] = []
    said: list[str] = []

    class Stops(Exception):
        pass

    class Desk:
        terminal = SimpleNamespace(say=said.append)
        session = SimpleNamespace(resources={"skills": skills})

        def run(self, prompt: str, **_: object) -> None:
            asked.append(prompt)
            raise Stops

    chat = _Chat(Desk(), Namespace(), print, ExitStack())  # type: ignore[arg-type]
    with pytest.raises(Stops):
        chat.take("/look at the logs")
    chat.take("/nonsense")
    assert asked == ["/look at the logs"]
    assert said[0] == "There is no command '/nonsense'."
