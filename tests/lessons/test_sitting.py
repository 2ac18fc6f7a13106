"""A sitting: whose the parts are, who is to blame, what is remembered."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from learners import BY_PART, COURSE, learner_of, solve

from cli.arguments import INSTEAD, RUN
from config import PROJECT
from lessons import words
from lessons.__main__ import main, parser
from lessons.course import CourseError, Lesson
from lessons.finale import code_lines, rows_of, write_page
from lessons.learner import Learner
from lessons.parts import needed, parts_for
from lessons.progress import read
from lessons.sitting import Sitting


def sitting_at(learner: Learner, part: str) -> Sitting:
    sitting = Sitting(learner)
    sitting.open(BY_PART[part])
    return sitting


def test_a_verdict_says_whose_the_other_parts_are(tmp_path: Path):
    sitting = sitting_at(learner_of(tmp_path, "messages"), "loop")
    solve(tmp_path, "loop")
    verdict = sitting.check().verdict
    assert verdict.passed
    assert verdict.yours == ("messages",)
    assert verdict.lent == ()  # the check of the loop stands in for dispatch itself
    lent = sitting_at(Learner(tmp_path / "other", COURSE), "loop")
    solve(tmp_path / "other", "loop")
    assert lent.check().verdict.lent == ("messages",)


def test_a_part_that_was_broken_after_it_passed_is_named_and_is_not_the_fault_of_this_file(tmp_path: Path):
    learner = learner_of(tmp_path, "messages")
    (tmp_path / "messages.py").write_text("def start(system, task):\n    return 'broken'\n")
    sitting = sitting_at(learner, "loop")
    solve(tmp_path, "loop")
    outcome = sitting.check()
    assert outcome.verdict.passed, "the course lends its part meanwhile"
    assert outcome.verdict.lent == ("messages",)
    [said] = outcome.parts.broken
    assert said.startswith("my_agent/messages.py (lesson 1) has changed since it passed")
    assert "a list that can grow" in said


def test_where_a_part_is_to_blame_it_is_named_and_not_the_file_that_is_built_on_it(tmp_path: Path):
    learner = learner_of(tmp_path, "messages")
    (tmp_path / "messages.py").write_text("def start(system, task):\n    return [{'role': 'user', 'content': task}]\n")
    learner.progress.mark_passed(BY_PART["messages"], learner.fingerprint(BY_PART["messages"]))  # it got past its check
    sitting = sitting_at(learner, "loop")
    solve(tmp_path, "loop")
    [said] = sitting.check().parts.broken
    assert said.startswith("With the course's own part in place of my_agent/messages.py (lesson 1) this holds")
    (tmp_path / "loop.py").write_text(
        "from messages import start\n\n\ndef run(model, task, most):\n    return 'done'\n"
    )
    assert not sitting.check().parts.broken, "the fault is the loop's own, whatever else is wrong"


@pytest.mark.long
@pytest.mark.usefixtures("can_fork")
@pytest.mark.parametrize("part", ["listing", "parallel"])
def test_the_part_that_breaks_the_finale_is_named(part: str, tmp_path: Path):
    learner = learner_of(tmp_path, *(lesson.part for lesson in COURSE[:13]))
    path = tmp_path / f"{part}.py"
    broken = {
        "listing": ('return "\\n".join(lines)', 'return "-" or "\\n".join(lines)'),
        "parallel": ("together.append(call)", "results.append(one(call))"),
    }[part]
    text = path.read_text()
    assert broken[0] in text
    path.write_text(text.replace(*broken))
    learner.progress.mark_passed(BY_PART[part], learner.fingerprint(BY_PART[part]))
    sitting = sitting_at(learner, "agent")
    solve(tmp_path, "agent")
    [said] = sitting.check().parts.broken
    assert f"my_agent/{part}.py" in said


def test_a_part_that_was_changed_for_the_better_is_taken_as_it_is(tmp_path: Path):
    learner = learner_of(tmp_path, "messages")
    shutil.copy(BY_PART["messages"].folder / "right" / "appends.py", tmp_path / "messages.py")
    solve(tmp_path, "loop")
    parts = parts_for(learner, BY_PART["loop"])
    assert list(parts.files) == ["messages"]
    assert not parts.broken
    assert learner.progress.of(BY_PART["messages"])["passed_as"] == learner.fingerprint(BY_PART["messages"])


def test_the_parts_of_the_agent_are_found_through_its_toolbox(tmp_path: Path):
    learner = Learner(tmp_path, COURSE)
    learner.begin(BY_PART["agent"])
    solve(tmp_path, *(lesson.part for lesson in COURSE[:14]))
    found = needed(learner, BY_PART["agent"])
    assert {"messages", "context", "confine", "runner", "toolbox", "dispatch"} <= found
    assert "compare" not in found


@pytest.mark.long
@pytest.mark.usefixtures("can_fork")
def test_the_agent_is_done_only_when_no_part_is_lent(tmp_path: Path):
    parts = [lesson.part for lesson in COURSE[:13]]
    sitting = sitting_at(learner_of(tmp_path, *(part for part in parts if part not in ("confine", "menu"))), "agent")
    solve(tmp_path, "agent")
    verdict = sitting.check().verdict
    assert not verdict.passed
    [failed] = verdict.failed
    assert failed.title == words.OWN_PARTS
    assert failed.got == "lent by the course: confine (lesson 3), menu (lesson 4)"
    whole = sitting_at(learner_of(tmp_path, *parts), "agent")
    outcome = whole.check()
    assert outcome.verdict.passed, outcome.verdict.failed
    assert whole.recording
    assert whole.keep().parent == tmp_path / "kept"
    rows = rows_of(whole.learner, BY_PART["agent"])
    assert len(rows) == 14
    assert all(row.mine and row.theirs for row in rows)
    page = write_page(whole.learner, rows).read_text(encoding="utf-8")
    assert "def may_finish(trajectory):" in page
    assert all(step.split(":")[0] in page for step in words.FINALE_NEXT)


def test_the_finale_names_commands_that_there_are():
    known = {each.flag for each in (*RUN, *INSTEAD)}
    [course] = [step for step in words.FINALE_NEXT if "python -m lessons " in step]
    parser().parse_args(shlex.split(course.partition("python -m lessons ")[2]))
    [agent] = [step for step in words.FINALE_NEXT if "main.py" in step]
    assert set(re.findall(r"--[\w-]+", agent)) <= known


def test_a_reset_lesson_is_open_again_and_a_restarted_one_is_forgotten(tmp_path: Path):
    learner = learner_of(tmp_path, "messages")
    learner.progress.of(COURSE[0]).update(hints=2, failed_saves=5)
    learner.reset(COURSE[0])
    assert not learner.progress.passed(COURSE[0])
    assert learner.progress.of(COURSE[0])["hints"] == 2
    learner.restart(COURSE[0])
    assert learner.progress.of(COURSE[0]) == Learner(tmp_path / "new", COURSE).progress.of(COURSE[0])
    assert learner.untouched(COURSE[0])
    learner.progress.save()
    assert main(["--my-agent", str(tmp_path), "restart", "2"]) == 0
    assert "02_listing" not in read(tmp_path / "progress.json")["lessons"]


GIVEN = [(lesson, given) for lesson in COURSE for given in sorted(lesson.folder.glob("given_*.py"))]


@pytest.mark.parametrize(("lesson", "given"), GIVEN, ids=lambda each: getattr(each, "name", ""))
def test_a_file_of_the_learners_in_the_place_of_a_given_one_is_put_aside_and_said(
    lesson: Lesson, given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    place = tmp_path / "mine" / given.name.removeprefix("given_")
    place.parent.mkdir()
    place.write_text("# my own\n", encoding="utf-8")
    learner = Learner(tmp_path / "mine", COURSE)
    assert f"my_agent/old/{place.stem}-1.py" in Sitting(learner).open(lesson)
    assert place.read_bytes() == given.read_bytes()
    assert (tmp_path / "mine" / "old" / f"{place.stem}-1.py").read_text(encoding="utf-8") == "# my own\n"
    assert Sitting(learner).open(lesson) == ""
    place.write_text("# added\n", encoding="utf-8")
    learner.file(lesson).unlink()
    for word in ("mine/old/", "nothing to put aside"):  # the second time all is as given
        assert main(["--my-agent", str(tmp_path / "mine"), "reset", str(lesson.number)]) == 0
        assert word in " ".join(capsys.readouterr().out.split())
    assert (tmp_path / "mine" / "old" / f"{place.stem}-2.py").read_text(encoding="utf-8") == "# added\n"
    assert not (tmp_path / "mine" / "old" / f"{place.stem}-3.py").exists()


def test_a_file_that_was_saved_while_another_lesson_was_open_is_unchecked(tmp_path: Path):
    learner = Learner(tmp_path, COURSE)
    sitting = sitting_at(learner, "messages")
    assert not sitting.unchecked(), "a file as it was at the start needs no check"
    solve(tmp_path, "messages")
    assert sitting.unchecked()
    assert sitting.check().verdict.passed
    assert not sitting.unchecked()


def test_a_question_is_asked_until_it_is_answered(tmp_path: Path):
    sitting = sitting_at(Learner(tmp_path, COURSE), "messages")
    assert sitting.unanswered() is not None
    with pytest.raises(CourseError, match="x, y or z"):
        sitting.predict("q")
    prediction = sitting.predict("x")
    assert not prediction.right
    assert prediction.output == "['fix the bug', 'write a test']"
    assert sitting.unanswered() is None
    assert read(tmp_path / "progress.json")["lessons"]["01_messages"]["predicted"] == "x"


def test_messages_name_the_folder_that_the_learner_chose(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    main(["--my-agent", str(tmp_path / "adas_agent"), "reset", "1"])
    main(["--my-agent", str(tmp_path / "adas_agent"), "check", "1"])
    shown = capsys.readouterr().out
    assert "adas_agent/messages.py is waiting" in shown
    assert "my_agent" not in shown


def test_the_course_starts_from_any_folder_by_its_path(tmp_path: Path):
    ran = subprocess.run(
        [sys.executable, str(PROJECT / "lessons"), "--my-agent", str(tmp_path / "mine"), "list"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    assert "An agent is a list of messages" in ran.stdout


def test_lines_of_code_are_counted_without_comments_blanks_and_docstrings(tmp_path: Path):
    file = tmp_path / "a.py"
    file.write_text(
        '"""Doc."""\n\n# comment\ndef f():\n    """Two\n    lines."""\n    return [\n        1,\n    ]  # end\n'
    )
    assert code_lines(file) == 4
    file.write_text("def broken(:\n")
    assert code_lines(file) == 0
