"""The report on a class: what it believes, what it runs again, what it tells, and what it leaves alone."""

from __future__ import annotations

import csv
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from browser import CHROMIUM, browser, untroubled
from learners import BY_PART, COURSE, learner_of, solve

from config import PROJECT
from lessons import words
from lessons.__main__ import main
from lessons.answers import wrong_answers
from lessons.learner import Learner


def class_of(folder: Path) -> list[str]:
    """Ada is honest, Bob claims a lesson that his file does not hold, Eve's progress is damaged, Max has only files."""
    learner_of(folder / "ada", "messages", "listing")
    bob = learner_of(folder / "bob", "messages")
    (folder / "bob" / "messages.py").write_text(
        next(answer.text for answer in wrong_answers(BY_PART["messages"]) if answer.name == "task_first")
    )
    bob.progress.of(COURSE[0]).update(failed_saves=4, saves=5, hints=3, solution_seen=True, seconds=605)
    bob.progress.save()
    solve(folder / "eve", "messages")
    (folder / "eve" / "progress.json").write_text("{")
    (folder / "max").mkdir()
    shutil.copy(BY_PART["messages"].folder / "solution.py", folder / "max" / "messages.py")
    return [str(folder / name) for name in ("ada", "bob", "eve", "max")]


def test_a_report_that_verifies_finds_what_does_not_hold_and_where_the_class_is_stuck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    folders = class_of(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.parent.name != "eve"}
    assert main(["report", *folders]) == 1
    believed = capsys.readouterr().out
    files = ["--csv", str(tmp_path / "c.csv"), "--page", str(tmp_path / "c.html")]
    assert main(["report", *folders, "--verify", *files]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    rows = {row["who"]: row for row in csv.DictReader((tmp_path / "c.csv").open(encoding="utf-8"))}
    assert (rows["ada"]["1"], rows["ada"]["2"], rows["ada"]["3"]) == ("x", "x", "")
    assert rows["bob"]["1"] == "-"
    assert (rows["max"]["1"], rows["max"]["done"]) == ("+", "1"), "whoever has no progress file is run all the same"
    assert [rows["bob"][what] for what in ("minutes", "checks", "hints", "solutions seen")] == ["10", "5", "3", "1"]
    assert "lesson 1 (An agent is a list of messages): 1 of 4 stand before it, 4 failed checks" in shown
    assert "1 of them at: two messages, the right roles, in order" in shown
    assert "lesson 2 (" in " ".join(believed.split()), "believed, Bob stands before lesson 2"
    page = (tmp_path / "c.html").read_text(encoding="utf-8")
    assert '<td class="mark fallen">-' in page
    assert "<script" not in page
    after = {path: path.read_bytes() for path in before}
    assert after == before, "nothing of the learners' is written"


@pytest.mark.parametrize("named", ["class 1", "class 1/*/my_agent", "class 1/*"])
def test_the_folder_of_a_class_and_a_pattern_that_no_shell_fills_in_are_its_learners(
    named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for name in ("ada", "bob"):
        learner_of(tmp_path / "class 1" / name / "my_agent", "messages")
    (tmp_path / "class 1" / "max").mkdir()
    main(["report", str(tmp_path / named), "--csv", str(tmp_path / "c.csv")])
    rows = {row["who"]: row["1"] for row in csv.DictReader((tmp_path / "c.csv").open(encoding="utf-8"))}
    assert rows == {"ada": "x", "bob": "x", **({} if "my_agent" in named else {"max": ""})}


def test_a_folder_that_is_not_there_is_told_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["report", str(tmp_path / "ida")]) == 1
    assert words.REPORT_NO_FOLDER in capsys.readouterr().out


def test_a_report_keeps_a_damaged_progress_file_aside_and_runs_its_owners_files_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    folders = class_of(tmp_path)
    assert main(["report", folders[0], folders[2], "--csv", str(tmp_path / "c.csv")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "eve: progress.json is damaged (not valid JSON" in shown
    assert "kept as progress.damaged-1.json. The files were run again: 1 lessons hold." in shown
    assert (tmp_path / "eve" / "progress.damaged-1.json").read_text() == "{"
    assert Learner(tmp_path / "eve", COURSE).progress.passed(COURSE[0])
    rows = {row["who"]: row for row in csv.DictReader((tmp_path / "c.csv").open(encoding="utf-8"))}
    assert (rows["eve"]["1"], rows["eve"]["done"], rows["eve"]["last step"]) == ("x", "1", words.REPORT_DAMAGED)
    main(["report", folders[2]])
    assert "damaged" not in capsys.readouterr().out, "once is enough"


@pytest.mark.parametrize("denied", ["lessons.people.set_aside", "lessons.progress.write_whole"])
def test_a_report_where_nothing_may_be_written_finds_the_same_and_says_so(
    denied: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def deny(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    folders = class_of(tmp_path)
    monkeypatch.setattr(denied, deny)
    assert main(["report", folders[2]]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "It stays as it is, for nothing can be written there" in shown
    assert "permission denied" in shown
    assert "for this report: 1 lessons hold." in shown
    assert {path.name for path in (tmp_path / "eve").iterdir()} == {"messages.py", "progress.json"}
    assert (tmp_path / "eve" / "progress.json").read_text() == "{"


def test_a_report_names_alike_answers_on_the_terminal_and_on_the_page_and_accuses_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    answers = sorted((BY_PART["dispatch"].folder / "right").glob("*.py"))
    for name, answer in {"ada": answers[0], "bob": answers[0], "eve": answers[1]}.items():
        (tmp_path / name).mkdir()
        shutil.copy(answer, tmp_path / name / "dispatch.py")
    page = tmp_path / "c.html"
    main(["report", *(str(tmp_path / name) for name in ("ada", "bob", "eve")), "--page", str(page)])
    row = "(Dispatch: from the model's words to your function): ada and bob, 100% of the smaller answer"
    for shown in (capsys.readouterr().out, page.read_text(encoding="utf-8")):
        flat = " ".join(html.unescape(shown).split())
        assert row in flat
        assert "That proves nothing" in flat
        assert "eve," not in flat
        assert " and eve" not in flat


def test_the_page_shows_of_each_learner_the_way_through_each_lesson(tmp_path: Path):
    learner = learner_of(tmp_path / "ada", "messages")
    record = learner.progress.of(COURSE[0])
    record.update(
        saves=7, hints=2, solution_seen=True, seconds=240, history=[["2026-11-25 03:40:11", "<two> messages"]]
    )
    record["history"] += [["2026-11-25 03:41:00", ""], "odd"]
    learner.progress.save()
    main(["report", str(tmp_path / "ada"), "--page", str(tmp_path / "c.html")])
    page = (tmp_path / "c.html").read_text(encoding="utf-8")
    assert "<summary>ada: 1 done, 4 minutes, 7 checks, 2 hints, 1 solutions seen</summary>" in page
    assert "4 minutes, 7 checks, 2 hints, solution seen" in page
    assert "<li><small>2026-11-25 03:40:11</small> &lt;two&gt; messages" in page
    assert "<li><small>2026-11-25 03:41:00</small> passed" in page
    assert "<script" not in page


def test_a_report_shows_names_as_text(tmp_path: Path):
    folder = tmp_path / "<b>mallory"
    learner_of(folder, "messages")
    main(["report", str(folder), "--page", str(tmp_path / "c.html")])
    assert "<b>mallory" not in (tmp_path / "c.html").read_text(encoding="utf-8")
    assert json.loads((folder / "progress.json").read_text())["lessons"]


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed here")
def test_git_carries_what_a_learner_has_written_and_not_what_a_run_leaves(tmp_path: Path):
    shutil.copy(PROJECT / ".gitignore", tmp_path)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    files = [
        "messages.py",
        "progress.json",
        "learner.txt",
        "old/messages-1.py",
        "run/calculator/main.py",
        "runs/loop/x.html",
    ]
    asked = ["git", "-C", str(tmp_path), "check-ignore", *(f"my_agent/{file}" for file in files)]
    ignored = subprocess.run(asked, capture_output=True, encoding="utf-8").stdout.split()
    assert ignored == ["my_agent/run/calculator/main.py", "my_agent/runs/loop/x.html"]


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed here")
def test_a_submission_that_git_carried_holds_on_the_teachers_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    def git(folder: Path, *arguments: str) -> None:
        who = ["-c", "user.name=ada", "-c", "user.email=ada@example.invalid"]
        subprocess.run(["git", *who, "-C", str(folder), *arguments], check=True, capture_output=True)

    hers, theirs = tmp_path / "hers", tmp_path / "class" / "ada"
    learner_of(hers / "my_agent", "messages", "listing")
    shutil.copy(PROJECT / ".gitignore", hers)
    for step in (["init", "-q"], ["add", "my_agent"], ["commit", "-qm", "my answers"]):
        git(hers, *step)
    theirs.parent.mkdir()
    git(tmp_path, "clone", "-q", str(hers), str(theirs))
    assert main(["report", "--verify", str(theirs), "--csv", str(tmp_path / "c.csv")]) == 0
    assert "ada: 2 lessons hold" in capsys.readouterr().out
    assert next(csv.DictReader((tmp_path / "c.csv").open(encoding="utf-8")))["done"] == "2"


@pytest.mark.long
@pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here")
@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
def test_the_page_fits_a_small_screen_by_day_and_by_night(night: bool, tmp_path: Path):
    names = class_of(tmp_path)
    for name, answer in {"eva": 0, "ida": 0}.items():
        (tmp_path / name).mkdir()
        shutil.copy(
            sorted((BY_PART["dispatch"].folder / "right").glob("*.py"))[answer], tmp_path / name / "dispatch.py"
        )
    names += [str(tmp_path / name) for name in ("eva", "ida")]
    learner = Learner(tmp_path / "ada", COURSE)
    for number in range(30):
        learner.progress.checked(COURSE[3], f"case {number % 7}: " + "a title of some length " * 3, "x")
    learner.progress.save()
    main(["report", *names, "--verify", "--page", str(tmp_path / "c.html")])
    with browser(tmp_path / "profile") as page:
        look = [{"name": "prefers-color-scheme", "value": "dark" if night else "light"}]
        page.send("Emulation.setEmulatedMedia", features=look)
        page.open(tmp_path / "c.html", 400, 800)
        untroubled(page)
        fits = "document.documentElement.scrollWidth <= 400"
        assert page.run(fits)
        page.picture(tmp_path / "folded.png")
        page.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert page.run(fits)
        assert page.run("[...document.querySelectorAll('tbody th')].every((name) => name.offsetHeight < 60)")
        assert page.run("document.querySelectorAll('details li').length") >= 30
        colours = page.run(
            "(() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]; })()"
        )
        assert (sum(map(int, re.findall(r"\d+", colours[1]))) < 200) is night
        assert page.run("getComputedStyle(document.querySelector('tbody th')).backgroundColor") == colours[1], (
            "what is scrolled away does not show through the names"
        )
        page.picture(tmp_path / "open.png", whole=True)
    print(f"\npictures in {tmp_path}")
