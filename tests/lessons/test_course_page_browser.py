"""The course as a page in a real browser: with the keyboard alone, beside a terminal, on a small screen, and killed."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Browser
from test_player import CONTRAST
from test_walk import Terminal

from config import PROJECT
from lessons.answers import wrong_answers
from lessons.course import LESSONS, Lesson, all_lessons
from lessons.learner import Learner
from lessons.progress import read

pytestmark = pytest.mark.long
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
HANG = 60.0
COURSE = all_lessons()
SOLUTION = (LESSONS / "01_messages" / "solution.py").read_text(encoding="utf-8")
WRONG = next(answer.text for answer in wrong_answers(all_lessons()[0]) if answer.name == "task_first")
PLAYED = {"loop", "parallel", "context", "agent"}
SENTENCE = "(document.querySelector('#verdict .sentence')?.textContent ?? '')"
SAVED = "document.getElementById('saved').textContent"
EDITOR = "[...document.querySelectorAll('#editor .cm-line')].map((each) => each.textContent).join('\\n')"
FOCUS = "document.activeElement.id || document.activeElement.className"


class Course:
    """python -m lessons --web in a process of its own."""

    def __init__(self, folder: Path, **environment: str) -> None:
        command = [sys.executable, "-m", "lessons", "--web", "--plain", "--my-agent", str(folder)]
        away = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            command, cwd=PROJECT, env={**os.environ, **away, **environment}, stdout=subprocess.PIPE, encoding="utf-8"
        )
        assert self.process.stdout
        self.said = ""
        while not (told := re.search(r"http://127\.0\.0\.1:(\d+)/(\S+)/", self.said)):
            line = self.process.stdout.readline()
            assert line, f"it has ended: {self.said}"
            self.said += line
        self.address, self.port, self.token = told[0], int(told[1]), told[2]

    def act(self, what: str, **body: Any) -> dict[str, Any]:
        """Ask as the page does. Raises OSError or HTTPException when the program is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG)
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        with contextlib.closing(connection):
            connection.request("POST", f"/{self.token}/{what}", json.dumps(body).encode(), headers)
            return json.loads(connection.getresponse().read())

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(HANG)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "my_agent"


@pytest.fixture
def course(mine: Path) -> Iterator[Course]:
    began = Course(mine)
    yield began
    if began.process.poll() is None:
        assert began.end() == 0


def shown(page: Browser, number: int) -> None:
    page.until(f"document.getElementById('title').textContent.startsWith('{number}. ')")


def opened(page: Browser, course: Course, width: int = 1280) -> None:
    page.open("about:blank")  # the page of another test asks its own program until then
    page.open(course.address, width)
    shown(page, 1)


def control(page: Browser, key: str) -> None:
    code = ord(key.upper())
    for kind in ("keyDown", "keyUp"):
        page.send("Input.dispatchKeyEvent", type=kind, key=key, modifiers=2, windowsVirtualKeyCode=code)


def write(page: Browser, text: str) -> None:
    """Replace what is in the editor, which must have the focus, by pasting."""
    assert "cm-content" in page.run(FOCUS)
    control(page, "a")
    page.run(f"""(() => {{ const clipboardData = new DataTransfer(); clipboardData.setData("text/plain", {json.dumps(text)});
        document.activeElement.dispatchEvent(new ClipboardEvent("paste", {{ clipboardData, bubbles: true, cancelable: true }}));
    }})()""")


def patiently(page: Browser, condition: str) -> None:
    """For what a real model does: the built-in one searches for half a minute where other work goes on."""
    for _ in range(5):
        try:
            return page.until(condition)
        except AssertionError:
            continue
    return page.until(condition)


def untroubled(page: Browser, course: Course) -> None:
    assert page.complaints() == []
    assert {url for url in page.requests() if not url.startswith((course.address, "data:"))} == set()


@needs_browser
def test_a_lesson_from_its_question_to_the_next_one_with_the_keyboard_alone(
    chromium: Browser, course: Course, mine: Path
):
    opened(chromium, course)
    assert chromium.run("document.getElementById('text').hidden"), "predict first"
    chromium.press("y")
    chromium.until("document.querySelector('#really pre').textContent.length > 0")
    assert not chromium.run("document.getElementById('text').hidden")
    chromium.press("e")
    assert chromium.run(EDITOR) == COURSE[0].text("start.py"), "a key that leads there is not typed"
    write(chromium, WRONG)
    control(chromium, "s")
    chromium.until(f"{SENTENCE}.includes('hold')")
    assert (mine / "messages.py").read_text(encoding="utf-8") == WRONG
    assert chromium.run("[...document.querySelectorAll('#verdict dt')].map((each) => each.textContent)") == [
        "called", "got", "expected", "why",
    ]  # fmt: skip
    write(chromium, SOLUTION)  # and nothing more: it is saved and checked when one pauses
    chromium.until(f"{SENTENCE}.startsWith('Lesson 1 is done')")
    assert (mine / "messages.py").read_text(encoding="utf-8") == SOLUTION
    assert chromium.run("document.querySelectorAll('#verdict figure').length") > 0, "there is something to see"
    assert chromium.run("document.getElementById('progress').value") == 1
    assert chromium.run("document.querySelector('#diagram .today').textContent") == "messages"
    seconds = chromium.run(SAVED)
    chromium.press("Escape")
    assert chromium.run(FOCUS) == "check", "Escape leaves the editor"
    chromium.press("h", "s")
    chromium.until("document.querySelectorAll('#hints details').length === 1")
    chromium.until("document.querySelector('#answer pre').textContent.includes('def start')")
    chromium.press("w")
    chromium.until("document.getElementById('words').open && document.querySelectorAll('#words dt').length > 10")
    chromium.press("Escape")
    chromium.press("n")
    shown(chromium, 2)
    chromium.press("Enter", "s")
    assert "Once more" in chromium.run("document.getElementById('said').textContent"), (
        "not before it is asked for twice"
    )
    chromium.press("l")
    chromium.until("document.activeElement.textContent.startsWith('2. ')")
    closed = "!document.querySelector('dialog[open]')"  # the browser closes it, and may take a moment
    chromium.press("Escape", "?", "Tab", " ", "Escape")
    chromium.until(closed)
    chromium.press("b")
    shown(chromium, 2)  # letters are no keys, where one does not want it
    chromium.run("document.getElementById('keys-button').focus()")
    chromium.press("Enter", "Tab", " ", "Escape")
    chromium.until(closed)
    chromium.press("b")
    shown(chromium, 1)
    chromium.press("p")
    chromium.until("document.getElementById('choice-x')")
    chromium.press("t")
    assert chromium.run("document.querySelectorAll('#hints details').length") == 1, "it is remembered"
    untroubled(chromium, course)
    print(f"\nfrom save to verdict: {seconds}")


@needs_browser
def test_tab_indents_in_the_editor_and_after_escape_the_page_is_walked_through(chromium: Browser, course: Course):
    opened(chromium, course)
    chromium.press("Enter", "e")
    write(chromium, "a")
    control(chromium, "a")
    chromium.press("Tab")
    chromium.until(f"{EDITOR}.startsWith('    a')")
    chromium.press("Escape")
    reached = []
    for _ in range(8):
        reached.append(chromium.run(FOCUS))
        chromium.press("Tab")
    assert reached[:5] == ["check", "hint", "solution", "reset", "next"]


@needs_browser
def test_code_is_typed_key_by_key_and_indented_as_python_is(chromium: Browser, course: Course, mine: Path):
    opened(chromium, course)
    chromium.press("Enter", "e")
    write(chromium, "")
    chromium.press(*"if 1:", "Enter", *"b = 2", "Enter", *"c = 3")
    chromium.until(f"{SAVED}.includes('checked')")
    assert (mine / "messages.py").read_text(encoding="utf-8") == "if 1:\n    b = 2\n    c = 3"


@needs_browser
def test_what_the_learners_code_says_is_text_and_never_a_part_of_the_page(chromium: Browser, course: Course):
    opened(chromium, course)
    chromium.press("Enter", "e")
    write(chromium, f"print('<img src=x onerror=document.title=1><script>document.title=2</script>')\n{WRONG}")
    control(chromium, "s")
    chromium.until("document.querySelector('#verdict details pre')?.textContent.includes('<img src=x')")
    assert chromium.run("document.querySelectorAll('#verdict img, #verdict script').length") == 0
    assert chromium.run("document.title").startswith("1. ")
    untroubled(chromium, course)


@needs_browser
def test_what_an_editor_saves_appears_and_two_versions_are_a_question(chromium: Browser, course: Course, mine: Path):
    opened(chromium, course)
    file = mine / "messages.py"
    chromium.press("Enter", "e")
    file.write_text(WRONG, encoding="utf-8")
    chromium.until(f"{EDITOR}.includes('def start') && {SENTENCE}.includes('hold')")
    for choice, kept in (("mine", "# here\n"), ("theirs", "# there 2\n")):
        write(chromium, f"# here{' again' if choice == 'theirs' else ''}\n")
        file.write_text(f"# there {2 if choice == 'theirs' else 1}\n", encoding="utf-8")
        control(chromium, "s")
        chromium.until("!document.getElementById('conflict').hidden")
        chromium.press("Escape")  # the focus stays where is typed, else a space would choose
        assert chromium.run(FOCUS) == "theirs"
        assert file.read_text(encoding="utf-8").startswith("# there"), "nothing was overwritten"
        chromium.press(*(("Tab",) if choice == "mine" else ()), "Enter")
        chromium.until("document.getElementById('conflict').hidden")
        chromium.until(f"{EDITOR}.trim() === '{kept.strip()}' && {SAVED}.includes('checked')")
        assert file.read_text(encoding="utf-8") == kept
        chromium.press("e")
    control(chromium, "z")
    chromium.until(f"{EDITOR}.trim() === '# here again'")
    chromium.until(f"{SAVED}.includes('checked')")
    assert (mine / "old" / "messages-1.py").read_text(encoding="utf-8") == "# there 1\n"
    assert [line for line in chromium.complaints() if "409" not in line] == []


@needs_browser
def test_a_terminal_and_the_page_are_open_at_once_on_the_same_files(chromium: Browser, course: Course, mine: Path):
    terminal = Terminal(mine)
    terminal.until("? all commands")
    opened(chromium, course)
    chromium.press("Enter", "e")
    write(chromium, SOLUTION)
    terminal.until("Lesson 1 is done")
    chromium.until(f"{SENTENCE}.includes('all')")
    second = (LESSONS / "02_listing" / "solution.py").read_text(encoding="utf-8")
    terminal.type("n")
    terminal.until("Lesson 2 of")
    (mine / "listing.py").write_text(second, encoding="utf-8")
    terminal.until("Lesson 2 is done")
    chromium.until("document.getElementById('progress').value === 2")
    assert terminal.end() == 0
    done = Learner(mine, COURSE).progress
    assert done.passed(COURSE[0])
    assert done.passed(COURSE[1])


@needs_browser
@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_small_screen_and_is_legible_by_day_and_by_night(
    theme: str, width: int, chromium: Browser, course: Course, tmp_path: Path
):
    chromium.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    opened(chromium, course, width)
    looked(chromium, tmp_path / "question.png")
    chromium.press("x")
    chromium.until("!document.getElementById('really').hidden")
    chromium.press("e")
    write(chromium, WRONG)
    control(chromium, "s")
    chromium.until(f"{SENTENCE}.includes('hold')")
    chromium.press("Escape", "h", "s", "s", "l")
    chromium.until("document.querySelector('#answer pre') && document.querySelector('#hints details')")
    looked(chromium, tmp_path / "wrong.png")
    chromium.press("e")
    write(chromium, SOLUTION)
    chromium.until(f"{SENTENCE}.startsWith('Lesson 1 is done')")
    looked(chromium, tmp_path / "done.png")
    chromium.send("Emulation.setEmulatedMedia", features=[])
    print(f"\npictures in {tmp_path}")


def looked(page: Browser, picture: Path) -> None:
    page.picture(picture, whole=True)
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    assert page.run(CONTRAST) == []


@needs_browser
def test_editor_and_verdict_are_both_seen_on_a_low_window_and_share_its_height(
    chromium: Browser, course: Course, mine: Path
):
    opened(chromium, course)
    chromium.size(1280, 757)
    long = WRONG + "".join(f"# line {number}\n" for number in range(60))
    (mine / "messages.py").write_text(long, encoding="utf-8")
    chromium.until(f"{SENTENCE}.includes('hold')")
    place = "document.querySelector('{}').getBoundingClientRect().{}"
    assert chromium.run("scrollY") == 0
    assert chromium.run(place.format("#editor", "height")) > 140
    assert chromium.run(place.format("#verdict .first dl", "top")) < 757 - 60, "what it called, and more"
    assert chromium.run(place.format("#desk", "bottom")) <= 757
    assert chromium.run(
        "document.getElementById('desk').scrollHeight <= document.getElementById('desk').clientHeight + 1"
    ), "of editor and verdict each scrolls, and not what holds them"


@needs_browser
def test_a_new_user_walks_through_all_twenty_in_the_browser(chromium: Browser, course: Course, mine: Path):
    opened(chromium, course)
    took = []
    for lesson in COURSE:
        shown(chromium, lesson.number)
        began = time.monotonic()
        chromium.press("z")
        chromium.until("!document.getElementById('text').hidden")
        assert chromium.run("document.getElementById('text').innerText.length") > 300
        chromium.press("e")
        write(chromium, (lesson.folder / "solution.py").read_text(encoding="utf-8"))
        control(chromium, "s")
        patiently(chromium, f"{SENTENCE}.startsWith('Lesson {lesson.number} is done')")
        took.append((lesson, time.monotonic() - began, chromium.run(SAVED)))
        assert chromium.run("document.getElementById('progress').value") == lesson.number
        chromium.press("Escape")
        if lesson.part in PLAYED:
            assert not chromium.run("document.getElementById('player').hidden"), lesson.part
            chromium.press("k")
            chromium.until("document.getElementById('said').textContent.startsWith('Kept')")
        if lesson is not COURSE[-1]:
            chromium.press("n")
    untroubled(chromium, course)
    print("\n" + "\n".join(f"{lesson.key:<14} {seconds:5.1f} s  {said}" for lesson, seconds, said in took))
    see_the_player(chromium, course, COURSE[5])
    chromium.open(f"{course.address}finale")
    assert "20" not in chromium.run("document.querySelector('h1').textContent")
    assert chromium.run("document.querySelectorAll('tr').length") == 15
    assert chromium.complaints() == []
    assert len(list((mine / "kept").iterdir())) == len(PLAYED)


def see_the_player(page: Browser, course: Course, lesson: Lesson) -> None:
    page.open(f"{course.address}player?lesson={lesson.number}")
    page.press("ArrowRight")
    assert page.run("document.getElementById('where').textContent").startswith("2 of ")
    assert page.complaints() == []


def test_a_hundred_kills_in_the_middle_of_its_work_lose_nothing(mine: Path):
    random.seed(19)
    mine.mkdir()
    learner = Learner(mine, COURSE)
    learner.progress.mark_passed(COURSE[4], "kept")
    learner.progress.save()
    sent, saves, begun = [COURSE[0].text("start.py")], 0, 0
    for _ in range(100):
        course = Course(mine)
        seen = course.act("open", lesson=1)["hash"]
        killer = threading.Timer(random.uniform(0.0, 0.25), course.process.kill)
        killer.start()
        sent = sent[-1:]  # the last that was answered, then what was on its way
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            while True:
                sent.append(f"# {saves}\n" * 2_000)
                told = course.act("save", lesson=1, text=sent[-1], seen=seen)
                assert "error" not in told
                seen, saves, sent = told["hash"], saves + 1, sent[-1:]
                if saves % 3 == 0:
                    course.act("open", lesson=2 + saves % 19)
                if saves % 50 == 0:
                    begun += 1
                    course.act("check", lesson=1)
        killer.join()
        course.process.wait()
        on_disk = (mine / "messages.py").read_text(encoding="utf-8")
        assert on_disk in sent, "the last that was answered, or the one on its way, whole"
        sent = [on_disk]
        lessons = (read(mine / "progress.json") or {})["lessons"]
        assert lessons["05_dispatch"]["passed"]
    print(f"\n100 kills: {saves} saves and {begun} checks were answered, none was lost")
    assert saves
    assert not list(mine.glob("*damaged*"))
