"""--tries: an order that ends unsolved is tried again from the start, the tests judge, and the best try is kept."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Browser

from agent.contracts import AgentResult
from agent.events import Event, Tried
from agent.one_try import judged
from cli.screen.terminal import Terminal
from config import PROJECT, Settings
from functions import Verdict
from jobs import coder
from offline.script import GEMINI, OPENAI, Call, Step, call, say
from offline.scripted import ScriptedServer, serving
from records.folders import read_events, result_of
from records.fork import fork_at
from records.history import history_of
from records.page import write_page
from records.steps import steps_of
from records.undo.tree import AVAILABLE
from records.undo.undo import undo
from session import opened

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="no descriptors of directories here")
WIRES = (OPENAI, GEMINI)
PROGRAM = "def double(n):\n    return n + 2\n\n\ndef half(n):\n    return n - 2\n"
TESTS = """\
import unittest

from double import double, half


class Test(unittest.TestCase):
    def test_double(self):
        self.assertEqual(double(5), 10)

    def test_half(self):
        self.assertEqual(half(8), 4)

    def test_small(self):
        self.assertEqual(double(2), 4)
"""
DONE = say("I have fixed it.")


def edit(old: str, new: str) -> Step:
    return call(Call("edit_file", {"file_path": "double.py", "old_text": old, "new_text": new}))


WRONG = edit("n + 2", "n + 3")  # of the three tests it makes one more fail
PARTLY = edit("n + 2", "n * 2")  # and so one more passes
REST = edit("n - 2", "n / 2")


class Seen:
    """An order that was tried several times, seen from outside."""

    def __init__(self, base: Path, server: ScriptedServer) -> None:
        self.work, self.runs, self.server = base / "work", base / "runs", server
        self.result: AgentResult
        self.events: list[Event] = []
        self.folder: Path

    @property
    def program(self) -> str:
        return (self.work / "double.py").read_text(encoding="utf-8")

    def kinds(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in read_events(self.folder) if event["kind"] == kind]


def told(seen: Seen) -> str:
    return "\n".join(event["text"] for event in read_events(seen.folder) if event["kind"] in ("notice", "error"))


def tried(
    base: Path,
    script: list[Step],
    wire: str = OPENAI,
    *,
    prompt: str = "fix the bug",
    hears: Callable[[Seen, Event], None] = lambda seen, event: None,
    program: str = PROGRAM,
    **changes: Any,
) -> Seen:
    with serving(*script) as server:
        seen = Seen(base, server)
        seen.work.mkdir(parents=True)
        (seen.work / "double.py").write_text(program, encoding="utf-8")
        (seen.work / "test_double.py").write_text(TESTS, encoding="utf-8")
        given: dict[str, Any] = {"tries": 3, "verify": False, "model_size": "large", **changes}
        settings = Settings(
            llm_provider="gemini" if wire == GEMINI else "lmstudio",
            lmstudio_base_url=f"{server.address}/v1",
            gemini_base_url=server.address,
            gemini_api_key="x",
            working_directory=seen.work,
            runs_directory=seen.runs,
        )

        def hear(event: Event) -> None:
            seen.events.append(event)
            hears(seen, event)

        with opened(replace(settings, **given), coder.JOB) as session:
            seen.result = session.run(prompt, listeners=[hear])
            seen.folder = session.folder
    return seen


def chances(seen: Seen) -> list[tuple[Any, Any]]:
    """The seed and the temperature of each request."""
    asked = [each.get("generationConfig", each) for each in seen.server.requests]
    return [(each.get("seed"), each.get("temperature")) for each in asked]


@pytest.mark.parametrize("wire", WIRES)
def test_the_first_try_fails_and_the_second_is_kept(wire: str, tmp_path: Path):
    seen = tried(tmp_path, [WRONG, DONE, PARTLY, REST, say("Both were wrong.")], wire)
    assert seen.program == PROGRAM.replace("n + 2", "n * 2").replace("n - 2", "n / 2")
    assert (seen.result.stop_reason, seen.result.answer, seen.result.errors) == ("answered", "Both were wrong.", ())
    second = seen.server.requests[2]["messages" if wire == OPENAI else "contents"]
    assert "n + 3" not in str(second), "a further try knows nothing of the one before"
    assert PROGRAM not in str(second)
    assert [(each["number"], each["solved"], each["changed"]) for each in seen.kinds("tried")] == [
        (1, False, ["double.py"]),
        (2, True, ["double.py"]),
    ]
    assert [each["number"] for each in seen.kinds("kept")] == [2]
    assert "Try 1 of 3 is not it (3 of 3 tests failed); the files are as they were." in told(seen)


@pytest.mark.sample(1)
@pytest.mark.parametrize("wire", WIRES)
def test_each_try_draws_by_another_seed_and_a_higher_temperature(wire: str, tmp_path: Path):
    seen = tried(tmp_path, [say("No."), say("No."), say("No.")], wire, llm_seed=7)
    base = 0.0 if wire == OPENAI else None
    assert chances(seen) == [(7, base), (8, 0.3 if wire == OPENAI else 1.2), (9, 0.6 if wire == OPENAI else 1.2)]


def test_one_trace_holds_all_tries_with_turns_that_go_on_and_one_end(tmp_path: Path):
    seen = tried(tmp_path, [WRONG, DONE, PARTLY, REST, DONE])
    assert [each["turn"] for each in seen.kinds("asking")] == [1, 2, 3, 4, 5]
    assert [len(seen.kinds(kind)) for kind in ("run", "started", "try", "finished")] == [1, 1, 2, 1]
    assert seen.result.turns == 5
    assert [each["name"] for each in seen.result.tool_calls if each["name"] == "edit_file"] == ["edit_file"] * 3
    assert seen.result.tokens.input == 500
    assert result_of(seen.folder) == seen.result.to_json()


def test_one_undo_takes_back_what_was_kept(tmp_path: Path):
    seen = tried(tmp_path, [WRONG, DONE, PARTLY, REST, DONE])
    done = undo(seen.folder, seen.runs)
    assert (done.paths, done.failed, done.left) == (["double.py"], [], [])
    assert seen.program == PROGRAM


@pytest.mark.parametrize("wire", WIRES)
def test_where_all_fail_the_files_are_as_they_were_and_nothing_claims_a_success(wire: str, tmp_path: Path):
    made = call(Call("write_file", {"file_path": "new/deep.py", "content": "X = 1\n"}))
    seen = tried(tmp_path, [WRONG, DONE, made, DONE, WRONG, DONE], wire)
    assert seen.program == PROGRAM
    assert sorted(path.name for path in seen.work.iterdir()) == ["double.py", "test_double.py"]
    assert seen.result.stop_reason == "gate"
    assert seen.result.answer == "No try is kept (2 of 3 tests failed): the files are as they were."
    assert "I have fixed it" not in seen.result.answer
    assert len(seen.server.requests) == 6


def test_the_best_is_kept_where_more_tests_pass_than_before_and_none_fails_that_passed(tmp_path: Path):
    seen = tried(tmp_path, [PARTLY, say("The first."), WRONG, DONE, edit("n - 2", "n - 3"), DONE])
    assert seen.program == PROGRAM.replace("n + 2", "n * 2")
    assert seen.result.answer == "The first."
    assert seen.kinds("kept")[-1] | {"at": 0} == {
        "kind": "kept",
        "at": 0,
        "number": 1,
        "verdict": "1 of 3 tests failed",
    }
    assert "more tests pass than before, but not all" in seen.result.errors[-1]
    undo(seen.folder, seen.runs)
    assert seen.program == PROGRAM


def test_a_try_that_breaks_what_passed_is_never_the_best(tmp_path: Path):
    """Two more pass, and one fails that passed."""
    other = edit("return n + 2", "return {5: 10, 2: 5}[n]")
    both = [other, REST, DONE]
    seen = tried(tmp_path, [*both, *both], tries=2)
    assert seen.program == PROGRAM
    assert seen.result.stop_reason == "gate"


def test_a_try_that_is_solved_ends_it_and_a_question_is_asked_once(tmp_path: Path):
    seen = tried(tmp_path / "a", [PARTLY, REST, DONE])
    assert len(seen.server.requests) == 3
    asked = tried(tmp_path / "b", [say("In double.py.")], prompt="where is double defined?")
    assert len(asked.server.requests) == 1
    assert not asked.kinds("try")


@pytest.mark.long
def test_a_small_model_is_helped_in_each_try_anew(tmp_path: Path):
    seen = tried(tmp_path, [WRONG, *[DONE] * 3, PARTLY, REST, DONE], model_size="small", assist="off")
    assert [each["name"] for each in seen.result.tool_calls].count("get_dir_info") == 2
    assert seen.result.answer.startswith("I have fixed it.\n\nAll tests pass now. ")
    assert seen.program == PROGRAM.replace("n + 2", "n * 2").replace("n - 2", "n / 2")


def test_the_budgets_of_tokens_hold_over_all_tries_together(tmp_path: Path):
    seen = tried(tmp_path, [WRONG, DONE], max_input_tokens=450, tries=9)
    assert len(seen.server.requests) == 3
    assert seen.program == PROGRAM


def test_the_limit_of_turns_is_that_of_each_try(tmp_path: Path):
    looks = [call(Call("get_dir_info", {"directory": "."})), call(Call("get_file_content", {"file_path": "double.py"}))]
    seen = tried(tmp_path, [*looks, say("Nothing."), *looks, say("Nothing.")], max_iters=3, tries=2)
    assert len(seen.server.requests) == 6
    assert [each["ended"] for each in seen.kinds("tried")] == ["max_iters", "max_iters"]


def test_a_persons_own_change_of_what_a_try_changed_is_not_overwritten(tmp_path: Path):
    def hears(seen: Seen, event: Event) -> None:
        if isinstance(event, Tried):
            (seen.work / "double.py").write_text("MINE = 1\n", encoding="utf-8")

    seen = tried(tmp_path, [WRONG, DONE, PARTLY, REST, DONE], hears=hears)
    assert seen.program == "MINE = 1\n"
    assert len(seen.server.requests) == 2
    assert "somebody else changed 'double.py' meanwhile" in seen.result.errors[-1]


def test_a_persons_own_change_of_another_file_stays_and_the_next_try_sees_it(tmp_path: Path):
    def hears(seen: Seen, event: Event) -> None:
        if isinstance(event, Tried) and event.number == 1:
            (seen.work / "mine.txt").write_text("mine\n", encoding="utf-8")

    seen = tried(tmp_path, [WRONG, DONE, PARTLY, REST, DONE], hears=hears)
    assert (seen.work / "mine.txt").read_text(encoding="utf-8") == "mine\n"
    assert seen.result.stop_reason == "answered"
    undo(seen.folder, seen.runs)
    assert (seen.work / "mine.txt").exists()


def test_a_change_of_a_persons_between_two_tries_is_not_overwritten_by_the_best(tmp_path: Path):
    def hears(seen: Seen, event: Event) -> None:
        if event.kind == "try" and event.number == 2:
            (seen.work / "double.py").write_text("MINE = 1\n", encoding="utf-8")

    seen = tried(tmp_path, [PARTLY, DONE, say("No.")], tries=2, hears=hears)
    assert seen.program == "MINE = 1\n"
    assert "somebody else changed 'double.py' meanwhile" in seen.result.errors[-1]


def test_ctrl_c_leaves_the_start(tmp_path: Path):
    def hears(seen: Seen, event: Event) -> None:
        if event.kind == "call_finished" and event.result.call.name == "edit_file":
            raise_in_main()

    seen = tried(tmp_path, [WRONG, DONE], hears=hears)
    assert seen.result.stop_reason == "interrupted"
    assert seen.program == PROGRAM


def test_ctrl_c_in_a_later_try_leaves_the_best_so_far(tmp_path: Path):
    def hears(seen: Seen, event: Event) -> None:
        if event.kind == "asking" and event.turn == 4:
            raise_in_main()

    seen = tried(tmp_path, [PARTLY, DONE, WRONG, DONE], hears=hears)
    assert seen.result.stop_reason == "interrupted"
    assert seen.program == PROGRAM.replace("n + 2", "n * 2")


def test_ctrl_c_after_all_tests_passed_takes_nothing_back(tmp_path: Path):
    def hears(seen: Seen, event: Event) -> None:
        if event.kind == "asking" and event.turn == 4:
            raise_in_main()

    tests = call(Call("run_tests", {}))
    seen = tried(tmp_path, [PARTLY, REST, tests, DONE], hears=hears)
    assert seen.result.stop_reason == "interrupted"
    assert seen.program == PROGRAM.replace("n + 2", "n * 2").replace("n - 2", "n / 2")


def raise_in_main() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_a_server_that_goes_away_is_not_tried_again(tmp_path: Path, closed_port: int):
    seen = tried(tmp_path, [DONE], lmstudio_base_url=f"http://127.0.0.1:{closed_port}/v1")
    assert seen.result.stop_reason == "provider_error"
    assert len(seen.kinds("try")) == 1


def test_where_nothing_is_kept_for_undo_it_is_tried_once(tmp_path: Path):
    (tmp_path / "runs").write_text("no folder")
    with serving(WRONG, DONE) as server:
        (tmp_path / "work").mkdir()
        (tmp_path / "work" / "double.py").write_text(PROGRAM, encoding="utf-8")
        settings = Settings(
            llm_provider="lmstudio", lmstudio_base_url=f"{server.address}/v1", working_directory=tmp_path / "work",
            runs_directory=tmp_path / "runs", tries=3, verify=False, model_size="large",
        )  # fmt: skip
        events: list[Event] = []
        with opened(settings, coder.JOB) as session:
            session.run("fix the bug", listeners=[events.append])
    assert len(server.requests) == 2
    assert any("so this is tried once" in getattr(event, "text", "") for event in events)


KILLED = """\
import os, sys
from dataclasses import replace
from pathlib import Path
import records.undo.again as again
from config import Settings
from jobs import coder
from session import opened

base, address, moment = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
put = again.put_back

def killed(top, wanted, bytes_of, now=None):
    if moment == "before":
        os.kill(os.getpid(), 9)
    failed = put(top, wanted, bytes_of, now)
    os.kill(os.getpid(), 9)

again.put_back = killed
settings = Settings(llm_provider="lmstudio", lmstudio_base_url=address, working_directory=base / "work",
    runs_directory=base / "runs", tries=3, verify=False, model_size="large")
with opened(settings, coder.JOB) as session:
    session.run("fix the bug")
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_while_a_try_is_put_back_leaves_what_undo_understands(moment: str, tmp_path: Path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "double.py").write_text(PROGRAM, encoding="utf-8")
    (work / "test_double.py").write_text(TESTS, encoding="utf-8")
    with serving(WRONG, DONE) as server:
        command = [sys.executable, "-c", KILLED, str(tmp_path), f"{server.address}/v1", moment]
        ran = subprocess.run(command, cwd=PROJECT, capture_output=True, timeout=120)
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    assert "n + 3" in (work / "double.py").read_text(encoding="utf-8") or moment == "after"
    runs = tmp_path / "runs"
    if moment == "before":
        undo(next(runs.iterdir()), runs)
    assert (work / "double.py").read_text(encoding="utf-8") == PROGRAM


@pytest.mark.parametrize(
    ("line", "failing", "passed", "well"),
    [
        ("All 9 tests passed (unittest, 0.1 s)", [], 9, True),
        ("2 of 9 tests failed (unittest, 0.1 s)", ["FAIL: test_a  AssertionError", "FAIL: test_b"], 7, False),
        ("No tests found (unittest, 0.0 s)", [], 0, False),
        ("3 passed in 0.01s (pytest)", [], 3, True),
        ("1 failed, 3 passed in 0.01s (pytest)", ["test_a  assert 1 == 2"], 3, False),
        ("1 error in 0.05s (pytest)", ["ERROR collecting test_a.py"], 0, False),
        ("The tests could not be run:", [], 0, False),
        ("All 3 tests ended with an error (unittest, 0.1 s)", [], 0, False),
    ],
)
def test_how_many_pass_is_read_from_a_verdict(line: str, failing: list[str], passed: int, well: bool):
    found = judged(Verdict(line, failing))
    assert (found.passed, found.well) == (passed, well)


def test_the_conversation_that_goes_on_is_that_of_the_try_that_was_kept(tmp_path: Path):
    seen = tried(tmp_path / "a", [PARTLY, say("The first."), WRONG, say("The second.")], tries=2)
    assert [each["text"] for each in history_of(seen.folder) if each["role"] == "model"][-1] == "The first."
    none = tried(tmp_path / "b", [WRONG, say("The first."), WRONG, say("The second.")], tries=2)
    entries = history_of(none.folder)
    assert [each["role"] for each in entries] == ["user", "model"]
    assert "The " not in entries[-1]["text"]


def test_a_fork_of_a_step_in_a_later_try_begins_with_that_try_alone(tmp_path: Path):
    seen = tried(tmp_path, [WRONG, DONE, PARTLY, REST, DONE])
    steps = steps_of(read_events(seen.folder))
    last_edit = max(number for number, step in enumerate(steps, 1) if step.text == "edit_file")
    forked = fork_at(seen.folder, last_edit)
    assert [len(turn.calls) for turn in forked.turns] == [1, 1]
    assert "n / 2" in str(forked.turns[-1].calls)
    assert "double.py" in forked.stands["result"]


def test_the_summary_on_screen_ends_with_what_stands(tmp_path: Path):
    screen = io.StringIO()
    terminal = Terminal(screen)

    def hears(seen: Seen, event: Event) -> None:
        terminal(event)

    tried(tmp_path, [WRONG, DONE, WRONG, DONE], tries=2, hears=hears)
    assert "Tests: 3 of 3 tests failed -> 2 of 3 tests failed" in screen.getvalue().replace("→", "->")


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_the_page_of_the_run_shows_each_try_with_its_end_and_its_verdict(tmp_path: Path, chromium: Browser):
    seen = tried(tmp_path, [WRONG, DONE, PARTLY, REST, DONE], llm_seed=7)
    chromium.open(write_page([seen.folder]))
    rows = "[...document.querySelectorAll('.tries tbody tr')].map((row) => row.innerText.split('\\t').map((each) => each.trim()).join('|'))"
    assert chromium.run(rows) == [
        "Try 1|7|0|2|answered|3 of 3 tests failed|double.py|put back",
        "Try 2|8|0.3|3|answered|All 3 tests passed|double.py|stays",
    ]
    chromium.run("document.querySelectorAll('.tries button')[1].click()")
    assert chromium.run("document.querySelector('[aria-current]').textContent").startswith("fix the bug")
