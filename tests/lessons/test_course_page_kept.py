"""What the course's page keeps in a real browser: its address, and what was typed, when page, program or file are gone."""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser
from test_course_page_browser import (
    EDITOR,
    FOCUS,
    SAVED,
    SENTENCE,
    SOLUTION,
    WRONG,
    Course,
    control,
    opened,
    shown,
    write,
)

from lessons.web.place import Place, keep, wanted

pytestmark = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]
WAITING = "(document.getElementById('waiting').hidden ? '' : document.getElementById('waiting').textContent)"
CONFLICT = "(document.getElementById('conflict').hidden ? '' : document.getElementById('conflict').textContent)"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "my_agent"


@pytest.fixture
def courses(mine: Path, chromium: Browser) -> Iterator[list[Course]]:
    """Those that were started, the last one last; what still runs is ended. Their port is this test's alone: another
    test's course would take it while this one is gone."""
    keep(mine, Place(fresh_port(), wanted(mine).token))
    started = [Course(mine)]
    yield started
    chromium.open("about:blank")
    for each in started:
        if each.process.poll() is None:
            assert each.end() == 0


def fresh_port() -> int:
    """One that nobody has, below those that the system lends to any program for a moment."""
    while True:
        port = random.randrange(10_000, 30_000)
        with contextlib.suppress(OSError), HTTPServer(("127.0.0.1", port), BaseHTTPRequestHandler):
            return port


def killed(course: Course) -> None:
    course.process.kill()
    course.process.wait()


def test_what_is_typed_while_the_program_is_gone_is_saved_when_it_is_there_again(
    chromium: Browser, courses: list[Course], mine: Path
):
    opened(chromium, courses[0])
    chromium.press("Enter", "e")
    killed(courses[0])
    write(chromium, SOLUTION)
    control(chromium, "s")
    chromium.until(f"{WAITING}.includes('does not answer') && {WAITING}.includes('python -m lessons --web')")
    chromium.press("Escape", "h")
    chromium.until("document.getElementById('said').textContent.includes('does not answer')")
    assert chromium.run(EDITOR).strip() == SOLUTION.strip()
    courses.append(Course(mine))
    assert courses[1].address == courses[0].address
    chromium.until(f"{WAITING} === '' && {SENTENCE}.startsWith('Lesson 1 is done')")
    assert (mine / "messages.py").read_text(encoding="utf-8") == SOLUTION
    chromium.press("h")
    chromium.until("document.querySelectorAll('#hints details').length === 1")


def test_a_reload_keeps_what_was_typed(chromium: Browser, courses: list[Course], mine: Path):
    opened(chromium, courses[0])
    chromium.press("Enter", "e")
    killed(courses[0])  # so that nothing of it can be saved
    write(chromium, WRONG)
    chromium.until(f"{WAITING} !== ''")
    chromium.open("about:blank")
    courses.append(Course(mine))
    assert (mine / "messages.py").read_text(encoding="utf-8") != WRONG
    opened(chromium, courses[1])
    chromium.until(f"{EDITOR}.trim() === {WRONG.strip()!r} && {SENTENCE}.includes('hold')")
    assert (mine / "messages.py").read_text(encoding="utf-8") == WRONG
    chromium.open(f"{courses[1].address}?again")
    shown(chromium, 1)
    assert chromium.run("Object.keys(localStorage).filter((each) => each.includes('draft')).length") == 0


def test_another_learners_folder_does_not_see_it(chromium: Browser, courses: list[Course], tmp_path: Path):
    opened(chromium, courses[0])
    chromium.press("Enter", "e")
    killed(courses[0])
    write(chromium, WRONG)
    chromium.until(f"{WAITING} !== ''")
    courses.append(Course(tmp_path / "another"))
    opened(chromium, courses[1])
    assert "raise NotImplementedError" in chromium.run(EDITOR)


@pytest.mark.parametrize("choice", ["theirs", "mine"])
@pytest.mark.parametrize("reload", [True, False])
def test_where_the_file_has_changed_meanwhile_both_are_shown_and_a_person_chooses(
    reload: bool, choice: str, chromium: Browser, courses: list[Course], mine: Path
):
    file = mine / "messages.py"
    opened(chromium, courses[0])
    chromium.press("Enter", "e")
    killed(courses[0])
    write(chromium, "# typed here\n")
    chromium.until(f"{WAITING} !== ''")
    if reload:
        chromium.open("about:blank")
    file.write_text("# written there\n", encoding="utf-8")
    courses.append(Course(mine))
    if reload:
        opened(chromium, courses[1])
    chromium.until(f"{CONFLICT}.includes('# written there') && {EDITOR}.includes('# typed here')")
    if reload:  # more is typed, and the page goes once more: it is still a question
        chromium.run("document.querySelector('#editor .cm-content').focus()")
        write(chromium, "# typed here, too\n")
        chromium.open("about:blank")
        opened(chromium, courses[1])
        chromium.until(f"{CONFLICT}.includes('# written there') && {EDITOR}.includes('# typed here, too')")
    assert file.read_text(encoding="utf-8") == "# written there\n"
    if not reload:  # a space that is typed just then chooses nothing
        assert "cm-content" in chromium.run(FOCUS)
        chromium.press("Escape")
    assert chromium.run(FOCUS) == "theirs"
    chromium.press(*(("Tab",) if choice == "mine" else ()), "Enter")
    chromium.until(f"{CONFLICT} === '' && {SAVED}.includes('checked')")
    typed = "# typed here, too\n" if reload else "# typed here\n"
    if choice == "mine":
        assert file.read_text(encoding="utf-8") == typed
        assert (mine / "old" / "messages-1.py").read_text(encoding="utf-8") == "# written there\n"
        return
    assert chromium.run(EDITOR).strip() == "# written there"
    chromium.run("document.querySelector('#editor .cm-content').focus()")
    control(chromium, "z")
    chromium.until(f"{EDITOR}.trim() === '{typed.strip()}'")


def test_a_deleted_file_is_told_as_one_and_can_be_written_again(chromium: Browser, courses: list[Course], mine: Path):
    file = mine / "messages.py"
    opened(chromium, courses[0])
    chromium.press("Enter", "e")
    write(chromium, SOLUTION)
    chromium.until(f"{SENTENCE}.startsWith('Lesson 1 is done')")
    file.unlink()
    chromium.until(f"{CONFLICT}.includes('gone from the disk')")
    assert chromium.run(EDITOR).strip() == SOLUTION.strip()
    chromium.press("Escape")
    assert chromium.run(FOCUS) == "mine"
    chromium.press("Enter")
    chromium.until(f"{CONFLICT} === '' && {SAVED}.includes('checked')")
    assert file.read_text(encoding="utf-8") == SOLUTION
    file.unlink()
    chromium.until(f"{CONFLICT}.includes('gone from the disk')")
    file.write_text(WRONG, encoding="utf-8")  # by somebody else
    chromium.until(f"{CONFLICT} === '' && {EDITOR}.trim() === {WRONG.strip()!r}")
    chromium.run("document.querySelector('#editor .cm-content').focus()")
    file.unlink()
    write(chromium, SOLUTION)
    control(chromium, "s")
    chromium.until(f"{CONFLICT}.includes('gone from the disk')")
    assert not file.exists(), "a person decides"
    chromium.press("Escape", "Tab", "Enter")
    chromium.until(f"{EDITOR}.includes('raise NotImplementedError') && {CONFLICT} === ''")
    assert file.exists()


def test_after_a_reload_a_deleted_file_is_told_too(chromium: Browser, courses: list[Course], mine: Path):
    opened(chromium, courses[0])
    chromium.press("Enter", "e")
    write(chromium, SOLUTION)
    chromium.until(f"{SENTENCE}.startsWith('Lesson 1 is done')")
    (mine / "messages.py").unlink()
    opened(chromium, courses[0])
    assert "was gone from the disk" in chromium.run("document.getElementById('said').textContent")


def test_a_taken_port_is_told_and_the_address_is_the_same_again_afterwards(courses: list[Course], mine: Path):
    second = Course(mine)
    courses.append(second)
    assert second.port != courses[0].port
    told = " ".join(second.said.split())
    assert f"Port {courses[0].port}, where the course is otherwise, is taken" in told
    assert f"at port {second.port}" in told
    for each in courses:
        assert each.end() == 0
    courses.append(Course(mine))
    assert courses[2].address == courses[0].address
    assert "is taken" not in courses[2].said


def test_a_stranger_at_the_port_hears_no_token_and_is_not_taken_for_the_course(
    chromium: Browser, courses: list[Course], mine: Path
):
    asked: list[str] = []

    class Stranger(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"proof": "00"}')

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    opened(chromium, courses[0])
    killed(courses[0])
    chromium.until(f"{WAITING}.includes('does not answer')")
    with HTTPServer(("127.0.0.1", courses[0].port), Stranger) as stranger:
        threading.Thread(target=stranger.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        chromium.until(f"{WAITING}.startsWith('Another program')")
        chromium.press("Enter", "e")
        write(chromium, WRONG)
        control(chromium, "s")
        chromium.press("Escape", "h", "c")
        chromium.until("document.getElementById('said').textContent.includes('does not answer')")
        stranger.shutdown()
    assert asked
    assert all(path.startswith("/proof/") for path in asked)
    courses.append(Course(mine))
    chromium.until(f"{WAITING} === '' && {SENTENCE}.includes('hold')")
    assert (mine / "messages.py").read_text(encoding="utf-8") == WRONG
