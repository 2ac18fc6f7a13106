"""The notekeeper as a person meets it: texts become notes, questions are answered, the folder is kept in order."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from snapshots import snapshot

from bench.notekeeper import NOTES, copy_of_notes, file_texts, keeper, searching
from config import ConfigError, Settings
from index import meaning
from jobs.notekeeper.folders import MODEL
from jobs.notekeeper.job import JOB, SETS, tools
from jobs.notekeeper.notes import links_in, resolver, split_note

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.long
@pytest.mark.parametrize("by_meaning", [True, False])
def test_of_forty_texts_thirty_six_find_their_folder_and_most_links_are_sensible(
    tmp_path: Path, built_in_model: str, by_meaning: bool
):
    """A link is sensible when it leads to a note of the text's own topic. The texts were written before any of this."""
    if by_meaning and not meaning.available(MODEL):
        pytest.skip("needs the extra notekeeper")
    with searching(by_meaning=by_meaning):
        filed = file_texts(tmp_path, built_in_model)
    print(f"{filed.right} of 40; {filed.sensible} of {filed.links} links; {filed.median * 1000:.0f} ms a note")
    assert filed.right >= 36
    assert filed.sensible >= 0.8 * filed.links
    assert filed.links >= 40
    assert filed.doubled == 0


def test_a_note_has_what_obsidian_and_site_generators_read_and_links_both_ways(tmp_path: Path, built_in_model: str):
    notes = copy_of_notes(tmp_path)
    with keeper(notes, built_in_model) as held:
        text = (
            "How to plant garlic: single cloves, tip upwards, in October, so that they get roots before the frost. The "
        )
        text += "soil must not be wet in winter. Harvest when the leaves are yellow. https://example.org/garlic"
        report = held.process(text).report
    path = report["files_created"][0]
    front, body = split_note((notes / path).read_text(encoding="utf-8"))
    assert path == "garden/how-to-plant-garlic.md"
    assert list(front) == ["title", "category", "tags", "date", "source"]
    assert front["source"] == "https://example.org/garlic"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", str(front["date"]))
    assert body.strip().startswith("# How to plant garlic")
    assert report["links"]
    for link in report["links"]:
        known = {each: each for each in snapshot(notes)}
        there = (notes / link["from"]).read_text(encoding="utf-8")
        assert link["to"] in [resolver(known)(each, link["from"]) for each in links_in(there)]
        assert {"from": link["to"], "to": link["from"]} in report["links"]
    assert sorted(report["files_edited"]) == sorted({link["to"] for link in report["links"]} - {path})


def test_a_note_on_the_same_is_extended_by_what_is_new(tmp_path: Path, built_in_model: str):
    notes = copy_of_notes(tmp_path)
    with keeper(notes, built_in_model) as held:
        report = held.process("Tyre pressure\n\nOn snow I ride with 1.5 bar, which grips best on packed ice.").report
    assert report["files_created"] == []
    assert report["files_edited"] == ["cycling/tyre-pressure.md"]
    text = (notes / "cycling/tyre-pressure.md").read_text(encoding="utf-8")
    assert "On snow I ride" in text
    assert "For 28 mm and 75 kg" in text


@pytest.mark.parametrize(
    ("question", "place", "words"),
    [
        ("do copper tapes help against slugs?", "garden/slugs.md", "Copper tape works on pots, not on beds"),
        ("How many minutes does risotto need?", "kitchen/risotto.md", "seventeen minutes"),
        ("when are the Geminids?", "astronomy/meteor-showers.md", "14 December"),
        ("Who won the chess championship of 1972?", "", "say nothing"),
    ],
)
def test_a_question_is_answered_from_a_note_with_its_place(
    tmp_path: Path, built_in_model: str, question: str, place: str, words: str
):
    notes = copy_of_notes(tmp_path)
    with keeper(notes, built_in_model) as held:
        result = held.task(question)
    assert words in result.answer
    assert place in result.answer
    assert result.report["content"] == result.answer
    assert snapshot(notes) == snapshot(NOTES)


def test_tidying_mends_links_moves_what_lies_wrong_and_proposes_merges(tmp_path: Path, built_in_model: str):
    notes = copy_of_notes(tmp_path)
    with keeper(notes, built_in_model) as held:
        result = held.task("tidy up")
        deleted, created = (set(result.report[f"files_{each}"]) for each in ("deleted", "created"))
        # By meaning it finds both that lie wrong, by words alone the one.
        by_meaning = {"cycling/bicycle-tubes.md"} if meaning.available(MODEL) else set()
        assert created == {"astronomy/perseids-2025.md"} | by_meaning
        assert len(deleted) == len(created)
        assert result.answer.count("Successfully edited") == 2
        left = result.answer.partition("Left as it is:")[2]
        assert left.count("- broken link") == 3  # nobody can know what was meant by these
        proposed = [line[2:] for line in left.splitlines() if line.startswith("- merge ")]
        assert [line.split()[1] for line in proposed] == [
            "computing/restic-backups.md",
            "garden/late-blight-tomatoes.md",
        ]
        assert all("drops" in line and "keeps" in line for line in proposed)
        merged = held.task(proposed[1].partition(" (")[0])
        assert merged.report["files_deleted"] == ["garden/late-blight-tomatoes.md"]
    text = (notes / "garden/tomato-blight.md").read_text(encoding="utf-8")
    assert "Last summer six plants were lost" in text, "what only the other said is kept"


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path, built_in_model: str):
    notes = copy_of_notes(tmp_path)
    with keeper(notes, built_in_model) as held:
        assert "is there already" in held.task("create a file garden/slugs.md with content 'gone'").answer
    assert snapshot(notes) == snapshot(NOTES)


def test_a_summary_of_a_topic_is_a_note_that_links_its_sources(tmp_path: Path, built_in_model: str):
    notes = copy_of_notes(tmp_path)
    with keeper(notes, built_in_model) as held:
        report = held.task("Find all notes about telescopes and create a summary document").report
    assert report["files_created"] == ["astronomy/summary-telescopes.md"]
    text = (notes / report["files_created"][0]).read_text(encoding="utf-8")
    assert "Choosing a first telescope" in text
    assert {"from": report["files_created"][0], "to": "astronomy/first-telescope.md"} in report["links"]


def test_the_tasks_of_the_seed_work(tmp_path: Path, built_in_model: str):
    notes = copy_of_notes(tmp_path)
    with keeper(notes, built_in_model, "kb,files,memory") as held:
        held.task("Create a file named test.md with content 'Hello'")
        assert (notes / "test.md").read_text(encoding="utf-8") == "Hello"
        assert "Moved" in held.task("rename test.md to greetings/hello.md").answer
        assert held.task("delete greetings/hello.md").report["files_deleted"] == ["greetings/hello.md"]
        held.task("remember that I prefer metric units")
        assert "metric units" in held.task("what do you know about me?").answer


def test_a_set_that_is_off_is_not_offered_and_a_set_that_is_none_is_told(tmp_path: Path):
    def offered(names: str) -> set[str]:
        return {tool.name for tool in tools({"sets": names.split(",")})}

    assert offered("kb") == set(SETS["kb"].split())
    assert offered("kb,git").isdisjoint(SETS["web"].split())
    from config import ConfigError
    from jobs.notekeeper.job import chosen

    with pytest.raises(ConfigError, match="kb, files, git, web"):
        chosen("kb,shell")


def test_every_tool_stands_in_a_file_of_its_name_under_120_lines_and_says_what_it_holds():
    for tool in tools({"sets": list(SETS)}):
        path = Path(str(sys.modules[tool.function.__module__].__file__))
        assert path.stem == tool.name
        assert len(path.read_text(encoding="utf-8").splitlines()) < 120
        assert tool.resource in ("", "root", "kb", "repository", "web", "memory", "github")


@pytest.mark.parametrize("argument", ["letter.txt", pytest.param("-", marks=pytest.mark.long)])
def test_the_command_line_makes_a_note_of_a_file_and_of_standard_input(tmp_path: Path, run_main: Run, argument: str):
    notes = copy_of_notes(tmp_path)
    argument = argument if argument == "-" else str(tmp_path / argument)
    (tmp_path / "letter.txt").write_text("Leeks want sand\n\nAnd they want it deep.\n", encoding="utf-8")
    common = ("--job", "notekeeper", "--provider", "offline", "--workdir", str(notes), "--json")
    ran = run_main(*common, argument, stdin="Leeks want sand\n\nAnd they want it deep.\n")
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)["report"]
    assert len(report["files_created"]) == 1
    assert "leeks-want-sand" in report["files_created"][0]


@pytest.mark.long
def test_a_run_is_undone_to_the_byte(tmp_path: Path, run_main: Run):
    notes = copy_of_notes(tmp_path)
    common = ("--provider", "offline", "--workdir", str(notes))
    environment = {"GLASSBOX_RUNS_DIRECTORY": str(tmp_path / "runs"), "RUNS_DIRECTORY": str(tmp_path / "runs")}
    assert run_main("--job", "notekeeper", *common, "--task", "tidy up", **environment).returncode == 0
    assert snapshot(notes) != snapshot(NOTES)
    ran = run_main("--undo", **environment)
    assert ran.returncode == 0, ran.stderr
    assert snapshot(notes) == snapshot(NOTES)


def test_the_job_is_known_by_its_file():
    assert JOB.name == "notekeeper"
    assert [option.flag for option in JOB.options] == ["--tools", "--task", "--user"]


def test_what_changed_nothing_names_no_undo_that_would_take_back_an_earlier_run(tmp_path: Path, built_in_model: str):
    with keeper(copy_of_notes(tmp_path), built_in_model) as held:
        text = "The key of the shed hangs behind the boiler."
        assert "--undo" in held.process(text).answer
        again = held.process(text).answer
    assert "says this already" in again
    assert "--undo" not in again


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("{here}/brief.txt", "is no text in UTF-8"),
        ("{here}/lettr.txt", "there is no file"),
        ("report.pdf", "there is no file"),
        ("{here}", "is a folder. To work on the notes in it: --workdir"),
    ],
)
def test_a_path_of_which_no_note_can_be_made_is_told_and_not_kept_as_a_text(words: str, told: str, tmp_path: Path):
    (tmp_path / "brief.txt").write_bytes("Grüße".encode("cp1252"))
    with pytest.raises(ConfigError, match=told):
        JOB.entry(Settings(), words.format(here=tmp_path))


@pytest.mark.parametrize(
    "words", ["Meet Ann at example.com.", "Read a.md and/or b.txt", "boiler", "https://a.org/b.html"]
)
def test_what_only_speaks_of_files_is_a_text_to_keep(words: str):
    assert JOB.entry(Settings(), words).endswith(words)
