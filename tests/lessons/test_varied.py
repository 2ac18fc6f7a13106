"""One number of a lesson is a little different for each learner: on the page, in their file, in the check."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from learners import BY_PART, COURSE

from lessons import words
from lessons.__main__ import main
from lessons.checker import load_check, run_check
from lessons.course import Lesson, all_lessons
from lessons.learner import Learner
from lessons.screen import Screen
from lessons.showing import show_lesson
from lessons.sitting import Sitting
from lessons.varied import FILE, SETTING, known_as
from lessons.web.desk import Desk
from live.server import Request

VARIED = [lesson for lesson in COURSE if lesson.varied]
IDS = [lesson.key for lesson in VARIED]
PLAN = BY_PART["planning"]


def of(lesson: Lesson, learner: str) -> Lesson:
    return replace(lesson, learner=learner)


def two_that_differ(lesson: Lesson) -> tuple[Lesson, Lesson]:
    """The lesson of Ada, and of somebody whose number is larger than hers."""
    ada = of(lesson, "ada")
    others = (of(lesson, f"learner {number}") for number in range(99))
    return ada, next(each for each in others if each.varied.own > ada.varied.own)


def verdict_of(lesson: Lesson, source: str, folder: Path):
    path = folder / f"{lesson.part}.py"
    path.write_text(source, encoding="utf-8")
    return run_check(lesson, path)


def test_five_lessons_vary_and_each_names_its_number_where_it_stands():
    assert len(VARIED) >= 5
    for lesson in VARIED:
        number = lesson.varied
        assert number.own == number.usual, "without a name it is the one that everybody knows"
        assert vars(load_check(lesson))[number.name] == number.usual
        assert number.pieces
        for piece in number.pieces:
            assert lesson.readme.count(piece.format(f"{number.usual:,}")) == 1, (lesson.key, piece)
        for name in ("start.py", "solution.py"):
            assert lesson.text(name).count(f"\n{number.name} = {number.usual:_}") == 1, (lesson.key, name)


@pytest.mark.sample(2)
@pytest.mark.parametrize("lesson", VARIED, ids=IDS)
def test_page_start_check_and_solution_of_a_learner_agree(lesson: Lesson, tmp_path: Path):
    ada, other = two_that_differ(lesson)
    own, name = ada.varied.own, ada.varied.name
    assert own != ada.varied.usual
    assert ada.varied.pieces[0].format(f"{own:,}") in ada.readme
    assert ada.readme != other.readme
    assert f"\n{name} = {own:_}" in ada.text("start.py")
    assert vars(load_check(ada))[name] == own
    start = verdict_of(ada, ada.text("start.py"), tmp_path)
    assert "not written yet" in start.failed[0].got
    passed = verdict_of(ada, ada.text("solution.py"), tmp_path)
    assert passed.passed, (passed.problem, passed.failed)
    for foreign in (other.text("solution.py"), lesson.text("solution.py")):
        assert verdict_of(ada, foreign, tmp_path).failed, "an answer that fits the number of another"
    assert verdict_of(other, ada.text("solution.py"), tmp_path).failed, "whichever of the two is larger"


@pytest.mark.long
@pytest.mark.parametrize("lesson", VARIED, ids=IDS)
@pytest.mark.parametrize("number", range(8))
def test_the_solution_passes_with_every_kind_of_number(lesson: Lesson, number: int, tmp_path: Path):
    theirs = of(lesson, f"somebody {number}")
    verdict = verdict_of(theirs, theirs.text("solution.py"), tmp_path)
    assert verdict.passed, (theirs.varied.own, verdict.problem, verdict.failed)


def test_a_name_gives_the_same_number_however_it_is_written_and_a_class_gets_many():
    assert len({of(PLAN, f"learner {number}").varied.own for number in range(30)}) > 8
    assert of(PLAN, "ada").varied == of(PLAN, "ada").varied


def test_a_folder_that_is_begun_with_a_name_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    mine = tmp_path / "mine"
    monkeypatch.setenv(SETTING, "  Ada   Lovelace ")
    assert main(["--my-agent", str(mine), "reset", "29"]) == 0
    assert (mine / FILE).read_text(encoding="utf-8") == "ada lovelace\n"
    assert (mine / "planning.py").read_text(encoding="utf-8") == of(PLAN, "ada lovelace").text("start.py")
    monkeypatch.delenv(SETTING)
    (mine / "planning.py").write_text(of(PLAN, "ada lovelace").text("solution.py"), encoding="utf-8")
    assert main(["--my-agent", str(mine), "check", "29"]) == 0
    (mine / "progress.json").write_text("{")
    assert main(["--my-agent", str(mine), "check", "29"]) == 0, "a damaged progress file loses no name"


def test_a_folder_of_another_is_told_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert main(["--my-agent", str(tmp_path), "reset", "29"]) == 0
    monkeypatch.setenv(SETTING, "ada")
    assert main(["--my-agent", str(tmp_path), "check", "29"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "was begun without a name, and GLASSBOX_LEARNER says ada" in told
    (tmp_path / FILE).write_text("bob\n")
    assert main(["--my-agent", str(tmp_path), "check", "29"]) == 1
    assert "was begun as bob" in " ".join(capsys.readouterr().out.split())
    assert known_as(tmp_path) == "bob"


def test_terminal_and_browser_show_the_learners_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    number = of(PLAN, "ada").varied.own
    learner = Learner(tmp_path, all_lessons(learner="ada"))
    sitting = Sitting(learner)
    sitting.open(learner.lessons[28])
    show_lesson(Screen(plain=True), sitting)
    assert f"({number}) steps" in capsys.readouterr().out
    told = json.loads(Desk(learner).routes()["POST /open"](Request("", {}, {"lesson": 29}, "")).body)
    assert f"({number}) steps" in told["page"]
    assert f"MOST = {number}" in told["text"]


def test_a_report_runs_each_with_their_own_number_and_shows_whose_folder_it_is(tmp_path: Path):
    for folder, name in {"ada": "ada", "bob": "ada", "max": ""}.items():
        (tmp_path / folder).mkdir()
        if name:
            (tmp_path / folder / FILE).write_text(name + "\n")
        (tmp_path / folder / "planning.py").write_text(of(PLAN, "ada").text("solution.py"), encoding="utf-8")
    folders = [str(tmp_path / folder) for folder in ("ada", "bob", "max")]
    main(["report", "--verify", *folders, "--csv", str(tmp_path / "c.csv")])
    rows = {row["who"]: row["29"] for row in csv.DictReader((tmp_path / "c.csv").open(encoding="utf-8"))}
    assert rows == {"ada": "+", "bob (ada)": "+", f"max ({words.REPORT_NO_NAME})": ""}
