"""Every page held to WCAG 2.2, level AA, as far as a program can tell: by axe-core (https://github.com/dequelabs/axe-core),
which npm installs. In light and dark, on a narrow and on a wide screen, in each of the states that a person meets.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from audits import audit
from browser import CHROMIUM, Browser
from learners import learner_of
from scripted import scripted
from test_course_page_browser import Course
from test_live import REPLIES, STATE, STEPS, Gated, Watched, start  # noqa: F401 - a fixture

from bench.many.batch import Tally, Trial
from bench.many.board import Board
from bench.many.page import write_page as write_batch
from bench.many.task import Task
from config import PROJECT
from jobs.auditor.page import page as audit_page
from live.home import Home
from live.server import serving
from live.watch import Watch
from offline.script import OPENAI
from records.folders import find, folders
from records.page import write_page

AXE = PROJECT / ".ci" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here"),
    pytest.mark.skipif(not AXE.exists(), reason="needs: npm install --prefix .ci/npm axe-core@4.14.1"),
]
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
WRONG = f"""axe.run(document, {{runOnly: {{type: "tag", values: {json.dumps(RULES)}}}}}).then((found) =>
  found.violations.flatMap((rule) => rule.nodes.map((node) =>
    `${{rule.id}}: ${{node.target.join(" ")}}: ${{node.failureSummary.replace(/\\s+/g, " ")}}`)))"""
# 1.4.10, Reflow, which axe does not look at: nothing is read by scrolling in two directions.
TOO_WIDE = """((page) => page.scrollWidth > page.clientWidth ? [`${page.scrollWidth} px wide`] : [])(document.documentElement)"""
GROUND = """(() => { const grounds = [document.body, document.documentElement].map((each) => getComputedStyle(each).backgroundColor);
  const [red, green, blue] = grounds.find((each) => each !== "rgba(0, 0, 0, 0)").match(/\\d+/g).map(Number);
  return red + green + blue > 382 ? "light" : "dark"; })()"""
Main = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    (tmp_path / "pictures").mkdir()
    return tmp_path / "pictures"


def dress(page: Browser, theme: str, width: int) -> None:
    """Some pages follow the system, some ask it when they open and have a button."""
    page.run(f"document.documentElement.dataset.theme && (document.documentElement.dataset.theme = '{theme}')")
    page.size(width, 900)
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])


def wrong(page: Browser, states: dict[str, Callable[[], object]], pictures: Path) -> list[str]:
    """What axe finds wrong in each state of the open page, dark and light, narrow and wide. A state is reached by what
    it does, from the state before."""
    found = []
    page.run("sessionStorage.clear(); localStorage.clear()")
    for state, reach in states.items():
        reach()
        for theme in ("dark", "light"):
            for width in (320, 900):
                dress(page, theme, width)
                page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                assert page.run(GROUND) == theme
                if not page.run("'axe' in window"):
                    page.run(AXE.read_text(encoding="utf-8"))
                found += [f"{state}, {theme}, {width} px: {each}" for each in [*page.run(WRONG), *page.run(TOO_WIDE)]]
                page.picture(pictures / f"{state.replace(' ', '-')}-{theme}-{width}.png")
    return found


def pressed(page: Browser, *keys: str) -> Callable[[], None]:
    return lambda: page.press(*keys)


def nothing() -> None:
    """The state is there already."""


def test_the_page_of_a_run_and_of_two(chromium: Browser, run_main: Main, calculator: Path, pictures: Path):
    kept = calculator.parent / "kept"
    for provider, replies in (("lmstudio", REPLIES), ("gemini", REPLIES[:1] + REPLIES[2:])):
        with scripted(*replies) as model:
            environment = {**model.environment(provider), "RUNS_DIRECTORY": str(kept)}
            ran = run_main("fix it", "--workdir", str(calculator), **environment)
            assert ran.returncode == 0, ran.stderr
    runs = folders(kept)
    states = {
        "prompt": pressed(chromium, "Home"),
        "reply": pressed(chromium, "j"),
        "raw": pressed(chromium, "r"),
        "failed call": pressed(chromium, "r", "j", "j", "j"),
        "edit": pressed(chromium, "n", "j"),
        "context": pressed(chromium, "2"),
        "tokens": pressed(chromium, "3"),
        "changes": pressed(chromium, "4"),
        "settings": pressed(chromium, "5"),
        "keys": pressed(chromium, "?"),
        "answer": pressed(chromium, "Escape", "1", "End"),
    }
    chromium.open(write_page([runs[1]]))
    assert wrong(chromium, states, pictures) == []
    chromium.open(write_page(runs))
    compared = {"compared": nothing, "parted": pressed(chromium, "n"), "compared files": pressed(chromium, "4")}
    assert wrong(chromium, compared, pictures) == []


def test_the_page_of_a_run_that_goes_on(
    chromium: Browser,
    start: Callable[..., Watched],  # noqa: F811
    pictures: Path,
):
    gate = Gated()

    def asked() -> None:
        gate.all()
        chromium.until("!document.getElementById('asks').hidden")

    def over() -> None:
        chromium.press("Escape")
        chromium.run("document.getElementById('all').click()")
        chromium.until("document.getElementById('asks').innerText.includes('run_tests')")
        chromium.run("document.getElementById('all').click()")
        chromium.until(f"{STATE}.startsWith('The run is over')")

    with scripted(*REPLIES, before_reply=gate) as model:
        run = start(model, "fix it", "--watch", "--ask")
        chromium.open(run.address)
        chromium.until(f"{STEPS}.length === 2 && {STATE} === 'The run is under way.'")
        states = {
            "under way": nothing,
            "asked": asked,
            "forking": lambda: chromium.run("document.getElementById('fork').click()"),
            "over": over,
        }
        assert wrong(chromium, states, pictures) == []
        chromium.open("about:blank")
        assert run.ended() == 0


def test_the_page_of_all_runs(chromium: Browser, run_main: Main, calculator: Path, pictures: Path):
    kept = calculator.parent / "kept"
    with scripted(REPLIES[1], ("Done.", [])) as model:
        environment = {**model.environment("lmstudio"), "RUNS_DIRECTORY": str(kept)}
        run_main("mend it", "--workdir", str(calculator), **environment)
        run_main("--fork", f"{folders(kept)[0].name}:2", **environment)
        run_main("--undo", "--workdir", str(calculator), **environment)
    with serving(Watch(lambda name: find(kept, name), None, Home(kept)).routes()) as server:
        chromium.open(server.address)
        chromium.until("document.querySelectorAll('#runs li').length > 1")
        states = {
            "all runs": nothing,
            "a row": pressed(chromium, "ArrowDown"),
            "none found": pressed(chromium, "/", *"zzz"),
        }
        assert wrong(chromium, states, pictures) == []
        chromium.open("about:blank")


def test_the_page_of_a_batch(chromium: Browser, tmp_path: Path, pictures: Path):
    lines = [
        {
            "kind": "attempt",
            "task": f"task {task}",
            "repeat": n,
            "outcome": "done",
            "solved": n != 3,
            "cause": "it failed",
        }
        for task in range(4)
        for n in range(12)
    ]
    lines[5] |= {"outcome": "lost", "solved": False, "cause": "its worker died"}
    chromium.open(write_batch(tmp_path / "batch.jsonl", lines))
    states = {
        "batch": nothing,
        "a record": lambda: chromium.run("document.querySelector('#tasks button').click()"),
        "all of a record": lambda: chromium.run("document.querySelector('summary').click()"),
    }
    assert wrong(chromium, states, pictures) == []
    board = Board()
    board.begin(tmp_path / "under_way.jsonl", {(line["task"], line["repeat"]) for line in lines}, lines[:20])
    board.hear(Tally(48, under_way=[Trial(Task("task 2", n, "", {}, 1)) for n in range(3)]), None)
    with serving(board.routes()) as server:
        chromium.open(server.address)
        chromium.until("document.querySelectorAll('#tasks .going').length === 3")
        assert wrong(chromium, {"batch under way": nothing}, pictures) == []
        chromium.open("about:blank")


def test_the_page_of_an_audit(chromium: Browser, built_in_model: str, tmp_path: Path, pictures: Path):
    result = audit(built_in_model, OPENAI, str(PROJECT / "samples" / "clinic"), tmp_path / "place")
    (tmp_path / "audit.html").write_text(audit_page(result.report), encoding="utf-8")
    chromium.open(tmp_path / "audit.html")
    low = [each for each in result.report["findings"] if each["severity"] == "low"]

    def filtered() -> None:
        chromium.run(
            "const [all] = document.querySelectorAll('select'); all.value = 'low'; all.dispatchEvent(new Event('change'))"
        )
        shown = "document.querySelectorAll('{}:not([hidden])').length"
        assert chromium.run(shown.format(".card")) == chromium.run(shown.format("#index [data-fields]")) == len(low) > 0

    assert wrong(chromium, {"audit": nothing, "filtered": filtered}, pictures) == []


def test_the_page_of_the_course(chromium: Browser, tmp_path: Path, pictures: Path):
    course = Course(tmp_path / "my_agent")

    def judged() -> None:
        chromium.press("y")
        chromium.run("document.getElementById('check').click()")
        chromium.until("(document.querySelector('#verdict .sentence')?.textContent ?? '').length > 0")

    def words() -> None:
        chromium.press("w")
        chromium.until("document.getElementById('words').open")

    try:
        chromium.open(course.address)
        chromium.until("document.getElementById('title').textContent.startsWith('1. ')")
        states = {
            "lesson": nothing,
            "judged": judged,
            "hints": pressed(chromium, "h", "s"),
            "words": words,
            "lessons": pressed(chromium, "Escape", "l"),
        }
        assert wrong(chromium, states, pictures) == []
        chromium.open("about:blank")
    finally:
        assert course.end() == 0


def test_the_page_of_the_course_with_an_agent_that_runs_and_when_something_is_gone(
    chromium: Browser, tmp_path: Path, pictures: Path
):
    learner_of(tmp_path / "my_agent", "messages", "dispatch", "loop")
    course = Course(tmp_path / "my_agent")

    def drawn() -> None:
        chromium.press("Enter", "c")
        chromium.until("!document.getElementById('walk').hidden")

    def ran() -> None:
        chromium.until("document.querySelectorAll('#models option').length === 3")
        chromium.press("g")
        chromium.until("document.querySelectorAll('#turns li').length > 2")
        chromium.press("g")
        chromium.until("document.getElementById('run-state').textContent.startsWith('Stopped')")

    def gone() -> None:
        (tmp_path / "my_agent" / "loop.py").unlink()
        chromium.until("!document.getElementById('conflict').hidden")

    def waiting() -> None:
        course.process.kill()
        chromium.until("!document.getElementById('waiting').hidden")

    try:
        chromium.open(f"{course.address}#6")
        chromium.until("document.getElementById('title').textContent.startsWith('6. ')")
        states = {"drawn": drawn, "ran": ran, "gone": gone, "waiting": waiting}
        assert wrong(chromium, states, pictures) == []
        chromium.open("about:blank")
    finally:
        course.process.kill()
        course.process.wait()
