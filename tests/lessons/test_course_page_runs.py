"""The drawing on the course's page with the data on its way, and the learner's own agent, run for real beside it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser
from learners import learner_of
from scripted import scripted
from test_course_page_browser import SENTENCE, Course, control, looked, patiently, shown, write

from lessons.course import LESSONS

pytestmark = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]
BEFORE = ("messages", "listing", "confine", "menu", "dispatch")
SOLUTION = (LESSONS / "06_loop" / "solution.py").read_text(encoding="utf-8")
WHERE = "document.getElementById('where').textContent"
CALLED, GOT = (f"document.querySelector('.carried .{kind} pre').textContent" for kind in ("called", "got"))
ON = "[...document.querySelectorAll('#diagram .on')].map((each) => each.textContent).join(' ')"
BOXES = "[...document.querySelectorAll('#diagram .done, #diagram .today')].map((each) => each.textContent).join(' ')"
TURNS = "[...document.querySelectorAll('#turns li')].map((each) => each.textContent)"
STATE = "document.getElementById('run-state').textContent"
Start = Callable[..., Course]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "my_agent"


@pytest.fixture
def start(mine: Path, chromium: Browser) -> Iterator[Start]:
    """Starts the course for a learner who has done these parts, and opens a lesson."""
    begun: list[Course] = []

    def started(*parts: str, lesson: int, **environment: str) -> Course:
        learner_of(mine, *parts)
        begun.append(Course(mine, **environment))
        chromium.open("about:blank")
        chromium.open(f"{begun[-1].address}#{lesson}")
        shown(chromium, lesson)
        chromium.press("Enter")
        return begun[-1]

    yield started
    chromium.open("about:blank")
    for each in begun:
        if each.process.poll() is None:
            assert each.end() == 0


def test_the_arrows_carry_what_the_check_called_and_what_came_back(chromium: Browser, start: Start):
    start(*BEFORE, lesson=6)
    assert chromium.run(BOXES) == "messages loop menu dispatch listing confine"
    assert "25 more parts" in chromium.run("document.getElementById('coming').textContent")
    assert chromium.run("document.getElementById('walk').hidden"), "nothing was called yet"
    chromium.press("e")
    write(chromium, SOLUTION.replace("== 3", "== 4"))
    control(chromium, "s")
    chromium.until(f"{SENTENCE}.includes('hold')")
    verdict = "[...document.querySelectorAll('#verdict dd')].map((each) => each.textContent)"
    called, *_ = chromium.run(verdict)
    assert chromium.run(CALLED) == called
    assert chromium.run(GOT).startswith("'Stopped: read_file")
    assert chromium.run(ON) == "the check loop"
    steps = int(chromium.run(WHERE).split(" of ")[1].split(":")[0])
    assert steps > 3
    chromium.press("Escape", ".")
    assert chromium.run(ON) == "loop a model, which the check plays"
    assert chromium.run(CALLED).startswith("model([{")
    chromium.press(".")
    assert chromium.run(ON) == "loop dispatch"
    assert chromium.run(CALLED).startswith("call_tool('")
    assert chromium.run("document.querySelectorAll('#diagram svg .head').length") == 2, "a call, and what came back"
    chromium.press(",", ",", ",")
    assert f"step 1 of {steps}: the check → loop" in chromium.run(WHERE)
    chromium.run("document.getElementById('forth').focus()")
    chromium.press("ArrowRight", "ArrowRight", "ArrowLeft")
    assert f"step 2 of {steps}" in chromium.run(WHERE)
    height = "document.querySelector('.carried .called pre').offsetHeight"
    short = chromium.run(height)
    chromium.press("Tab")
    chromium.until(f"{height} > {short}")  # the whole text
    chromium.run("document.querySelector('#editor .cm-content').focus()")
    write(chromium, SOLUTION)
    chromium.until(f"{SENTENCE}.startsWith('Lesson 6 is done')")
    assert "the check" in chromium.run(WHERE)
    chromium.press("Escape", "n")
    shown(chromium, 7)
    assert chromium.run("document.getElementById('walk').hidden"), "the steps were of another lesson"
    assert "loop" in chromium.run(BOXES)
    assert chromium.complaints() == []


def test_what_a_learners_code_returns_is_text_in_the_drawing_too(chromium: Browser, start: Start):
    start(lesson=1)
    chromium.press("e")
    write(chromium, "def start(system, task):\n    return '<img src=x onerror=document.title=1>'\n")
    control(chromium, "s")
    chromium.until(f"{SENTENCE}.includes('hold')")
    assert "<img" in chromium.run(GOT)
    assert chromium.run("document.querySelectorAll('#diagram img').length") == 0


@pytest.mark.usefixtures("can_fork")
def test_the_loop_of_lesson_six_runs_for_real_and_its_steps_are_walked_through(
    chromium: Browser, start: Start, mine: Path
):
    course = start(*BEFORE, lesson=6)
    assert chromium.run("document.getElementById('real').hidden"), "there is no loop yet"
    chromium.press("e")
    write(chromium, SOLUTION)
    chromium.until(f"{SENTENCE}.startsWith('Lesson 6 is done')")
    chromium.until("document.querySelectorAll('#models option').length === 3")
    assert chromium.run("document.getElementById('models').value") == "offline"
    chromium.press("Escape", "g")
    chromium.until("document.getElementById('go').textContent.startsWith('Stop')")
    chromium.until(f"{TURNS}.length > 2")
    chromium.open("about:blank")  # the page goes, the run does not
    chromium.open(f"{course.address}#6")
    shown(chromium, 6)
    patiently(chromium, "document.getElementById('real-player')")
    turns = chromium.run(TURNS)
    assert turns[0] == "you → loop: fix the bug"
    assert any("loop → dispatch: edit_file(" in each for each in turns)
    assert "Fixed. " in chromium.run("document.getElementById('ended').textContent")
    assert '+            "+": 1,' in chromium.run("document.getElementById('ended').textContent")
    tests = [sys.executable, "tests.py"]
    assert subprocess.run(tests, cwd=mine / "run" / "calculator", capture_output=True).returncode == 0
    assert "The run, step" in chromium.run(WHERE)
    chromium.run("document.querySelectorAll('#turns button')[2].click()")
    assert chromium.run(ON) == "loop dispatch"
    assert chromium.run(CALLED) == "get_dir_info(directory='.')"
    assert "calculator" in chromium.run(GOT) or "main.py" in chromium.run(GOT)
    chromium.press(",")
    assert chromium.run(ON) == "loop a model, over HTTP"
    assert chromium.complaints() == []
    chromium.open(chromium.run("document.getElementById('real-player').href"))
    assert "fix the bug" in chromium.run("document.body.innerText")
    assert chromium.complaints() == []


@pytest.mark.usefixtures("can_fork")
@pytest.mark.parametrize(("last", "provider"), [("loop", "gemini"), ("agent", "lmstudio")])
def test_it_runs_with_a_model_of_the_persons_own_on_both_wires(
    last: str, provider: str, chromium: Browser, start: Start, mine: Path
):
    more = ("parallel", "explain", "gemini", "runner", "context", "gate", "agent") if last == "agent" else ()
    edit = ("edit_file", {"file_path": "README.md", "old_text": "calculator", "new_text": "reckoner"})
    look = ("get_file_content", {"file_path": "README.md"})
    with scripted(
        ("I look.", [look]), ("", [edit]), ("", [("run_tests", {})]), ("It is called otherwise now.", [])
    ) as model:
        environment = {key: value for key, value in model.environment(provider).items() if key != "LLM_PROVIDER"}
        start(*BEFORE, "loop", *more, lesson=14, **environment)
        patiently(chromium, f"document.querySelector('#models option[value={provider}]:not([disabled])')")
        chromium.run(f"document.getElementById('models').value = '{provider}'")
        chromium.run("document.getElementById('prompt').value = 'call it otherwise'")
        chromium.run("document.getElementById('go').click()")
        patiently(chromium, "document.getElementById('real-player')")
        turns = chromium.run(TURNS)
        assert turns[0] == f"you → {last}: call it otherwise"
        assert turns[1].startswith(f"{last} → model: I look. + get_file_content(file_path='README.md')")
        sent = str(model.requests)
        assert "call it otherwise" in sent
        assert "a-secret-key" not in chromium.run("document.body.innerHTML")
        assert "a-secret-key" not in (mine / "runs" / "real" / "20000101-000000" / "trace.html").read_text()


@pytest.mark.usefixtures("can_fork")
def test_a_run_is_stopped_and_the_next_one_can_begin(chromium: Browser, start: Start):
    waits = threading.Event()
    with scripted(("I look.", [("run_tests", {})]), before_reply=lambda number: number and waits.wait(60)) as model:
        start(*BEFORE, "loop", lesson=7, LMSTUDIO_BASE_URL=f"{model.address}/v1")
        chromium.until("document.querySelector('#models option[value=lmstudio]:not([disabled])')")
        chromium.run("document.getElementById('models').value = 'lmstudio'")
        chromium.press("g")
        chromium.until(f"{TURNS}.length > 3")
        chromium.press("g")
        chromium.until(f"{STATE} === 'Stopped, as you wished.'")
        assert chromium.run("document.getElementById('go').textContent").startswith("Run")
        assert chromium.run("document.getElementById('real-player') !== null"), "what it did until then can be seen"
        chromium.press("g")
        chromium.until(f"document.getElementById('go').textContent.startsWith('Stop') && {TURNS}.length > 0")
        chromium.press("g")
        chromium.until(f"{STATE} === 'Stopped, as you wished.'")
        waits.set()


def test_a_program_that_is_killed_in_the_middle_of_a_run_is_told(chromium: Browser, start: Start):
    waits = threading.Event()
    with scripted(("I look.", []), before_reply=lambda _: waits.wait(60)) as model:
        course = start(*BEFORE, "loop", lesson=7, LMSTUDIO_BASE_URL=f"{model.address}/v1")
        chromium.until("document.querySelector('#models option[value=lmstudio]:not([disabled])')")
        chromium.run("document.getElementById('models').value = 'lmstudio'")
        chromium.press("g")
        chromium.until(f"{TURNS}.length > 1")
        course.process.kill()
        course.process.wait()
        waits.set()
        chromium.until(f"{STATE} === 'The run has ended with the program.'")
        assert chromium.run("document.getElementById('go').textContent").startswith("Run")


def test_a_loop_that_holds_no_more_is_not_run(chromium: Browser, start: Start, mine: Path):
    start(*BEFORE, "loop", lesson=7)
    (mine / "loop.py").write_text("def run(model, task, max_turns):\n    return 1\n", encoding="utf-8")
    chromium.until("document.querySelectorAll('#models option').length === 3")
    chromium.press("g")
    chromium.until(f"{STATE}.includes('does not pass its check')")


@pytest.mark.parametrize("width", [400, 1280, 1900])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_drawing_and_run_fit_a_small_screen_and_are_legible_by_day_and_by_night(
    theme: str, width: int, chromium: Browser, start: Start, tmp_path: Path
):
    chromium.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    start(*BEFORE, lesson=6)
    chromium.size(width, 900)
    chromium.press("e")
    write(chromium, SOLUTION)
    chromium.until(f"{SENTENCE}.startsWith('Lesson 6 is done')")
    chromium.until("document.querySelectorAll('#models option').length === 3")
    chromium.press("Escape", ".")
    looked(chromium, tmp_path / "done.png")
    chromium.run("document.querySelector('.carried pre').focus()")
    looked(chromium, tmp_path / "whole.png")
    chromium.send("Emulation.setEmulatedMedia", features=[])
    print(f"\npictures in {tmp_path}")
