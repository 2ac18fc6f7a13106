"""The page of a run, in a real browser: what it shows, how it is used, and what cannot be done through it."""

from __future__ import annotations

import html
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Browser, untroubled
from catalogue import CATALOGUE
from scripted import scripted

from agent.contracts import Reply, TokenUsage, ToolCall, ToolResult
from agent.run import Run
from agent.setup import Setup
from records.folders import folders
from records.page import TEMPLATE, page_of, run_data, write_page
from records.trace import Trace, new_folder
from sandbox.files.root import Root

Main = Callable[..., subprocess.CompletedProcess[str]]
EDIT = ("edit_file", {"file_path": "pkg/calculator.py", "old_text": '"+": 3,', "new_text": '"+": 1,'})
READS = [("get_file_content", {"file_path": path}) for path in ("main.py", "tests.py", "gone.py")]
REPLIES = [("I look.", READS), ("I edit.", [EDIT]), ("", [("run_tests", {"path": "."})]), ("It is fixed.", [])]
STEP = "document.getElementById('where').textContent"
CURRENT = "document.querySelector('[aria-current]').textContent"
CONTENT = "document.getElementById('content').innerText"

needs_browser = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]


def in_browser(test: Callable) -> Callable:
    for mark in needs_browser:
        test = mark(test)
    return test


@pytest.fixture
def runs(run_main: Main, calculator: Path, tmp_path: Path) -> list[Path]:
    """Two real runs, one over each wire, the newest first."""
    kept = tmp_path / "kept"
    for provider, replies in (("lmstudio", REPLIES), ("gemini", REPLIES[:1] + REPLIES[2:])):
        with scripted(*replies) as server:
            environment = {**server.environment(provider), "RUNS_DIRECTORY": str(kept)}
            ran = run_main(f"fix it over {provider}", "--workdir", str(calculator), **environment)
            assert ran.returncode == 0, ran.stderr
    return folders(kept)


@in_browser
def test_a_run_is_stepped_through_with_the_keyboard_alone(chromium: Browser, runs: list[Path]):
    chromium.open(write_page([runs[1]]))
    assert chromium.run(STEP) == "1 of 10"
    assert "fix it over lmstudio" in chromium.run(CONTENT)
    chromium.press("ArrowRight")
    assert chromium.run(CURRENT).startswith("I look.")
    assert f"{len(CATALOGUE)} tools" in chromium.run(CONTENT)
    assert '"role": "system"' not in chromium.run(CONTENT), "the raw request is one key away"
    chromium.press("r")
    assert '"role": "system"' in chromium.run(CONTENT), "and stands beside"
    chromium.press("j", "j", "j")
    assert "gone.py" in chromium.run(CURRENT)
    assert "failed" in chromium.run(CURRENT)
    assert "File not found" in chromium.run(CONTENT)
    chromium.press("n")
    assert chromium.run(CURRENT).startswith("I edit.")
    chromium.press("k", "p", "End", "ArrowRight")
    assert chromium.run(STEP) == "10 of 10"
    assert "It is fixed." in chromium.run(CONTENT)
    chromium.press("2")
    assert "What the model had before it in turn 4" in chromium.run(CONTENT)
    assert chromium.run("document.querySelectorAll('#content details').length") == 11
    chromium.press("3")
    assert chromium.run("document.querySelectorAll('#content svg polyline').length") == 1
    chromium.press("4")
    assert '"+": 1,' in chromium.run(CONTENT)
    chromium.press("5")
    assert "You are a careful coding agent." in chromium.run(CONTENT)
    assert "pkg/calculator.py: lines 19" in chromium.run(CONTENT)
    chromium.press("?")
    assert chromium.run("document.getElementById('keys').open") is True
    chromium.press("Escape", "Home", "1")
    assert chromium.run("document.getElementById('keys').open") is False
    assert chromium.run(STEP) == "1 of 10"
    untroubled(chromium)


@in_browser
def test_letters_that_are_keys_can_be_turned_off_and_stay_so(chromium: Browser, runs: list[Path]):
    """WCAG 2.1.4: who speaks to the computer says letters by chance."""
    page, closed = write_page([runs[1]]), "!document.querySelector('dialog[open]')"
    chromium.open(page)
    try:
        chromium.press("?", "Tab", " ", "Escape")
        chromium.until(closed)
        chromium.press("j", "4", "n")
        assert chromium.run(STEP) == "1 of 10"
        chromium.press("ArrowRight")
        assert chromium.run(STEP) == "2 of 10", "the other keys go on"
        chromium.open(page)
        chromium.press("j")
        assert chromium.run(STEP) == "1 of 10"
        chromium.run("document.getElementById('help').focus()")  # "?" is no key any more either
        chromium.press("Enter", "Tab", " ", "Escape")
        chromium.until(closed)
        chromium.press("j")
        assert chromium.run(STEP) == "2 of 10"
        untroubled(chromium)
    finally:
        chromium.run("localStorage.clear()")  # the other tests press letters in the same browser


SENTENCE = "document.querySelector('.sentence').textContent"


@in_browser
def test_each_step_says_in_one_sentence_what_happened(
    chromium: Browser, run_main: Main, calculator: Path, tmp_path: Path
):
    tests = ("", [("run_tests", {"path": "."})])
    read = ("", [("get_file_content", {"file_path": "pkg/calculator.py"}), READS[2]])
    kept = {"RUNS_DIRECTORY": str(tmp_path / "kept")}
    with scripted(tests, read, ("", [EDIT]), tests, ("**Fixed**: `+` binds less.\n\n- one\n- two", [])) as model:
        ran = run_main("fix it", "--workdir", str(calculator), **model.environment("lmstudio"), **kept)
        assert ran.returncode == 0, ran.stderr
    chromium.open(write_page(folders(tmp_path / "kept")))
    said = []
    for _ in range(12):
        said.append(chromium.run(SENTENCE))
        chromium.press("j")
    assert said == [
        "You ask. The model gets your words, its instructions and the list of its tools.",
        "It runs the tests.",
        "The tests fail at line 28: 1 instead of 20. In all 2 of 9 tests failed.",
        "The tests fail at line 28: 1 instead of 20. It reads pkg/calculator.py and 1 more.",
        "It reads pkg/calculator.py: 59 lines, which the model reads before its next step.",
        'It reads gone.py, and that fails: File not found or is not a regular file: "gone.py". '
        "The model is told, and may try otherwise.",
        'That failed: File not found or is not a regular file: "gone.py". It changes pkg/calculator.py.',
        "It changes pkg/calculator.py, at line 19. Nothing has shown yet that this is right.",
        "It runs the tests.",
        "The tests pass now: the change helped.",
        "The tests pass. It answers you, and the run is over.",
        "The tests pass. It answers you, and the run is over.",
    ]
    shown = (
        "[...document.querySelectorAll('.rendered b, .rendered code, .rendered li')].map((each) => each.textContent)"
    )
    assert chromium.run(shown) == ["Fixed", "+", "one", "two"], "the answer as it is meant"
    untroubled(chromium)


@in_browser
def test_every_control_is_reached_and_worked_with_tab_and_enter(chromium: Browser, runs: list[Path]):
    chromium.open(write_page([runs[1]]))
    reached = []
    for _ in range(14):
        chromium.press("Tab")
        reached.append(chromium.run("document.activeElement.id || document.activeElement.textContent.slice(0, 12)"))
    for control in ("theme", "help", "previous", "next", "Context", "fix it over "):
        assert control in reached
    chromium.run("document.getElementById('next').focus()")
    chromium.press("Enter")
    assert chromium.run(STEP) == "2 of 10"
    assert chromium.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@in_browser
def test_the_theme_can_be_switched_and_every_text_has_enough_contrast_in_both(chromium: Browser, runs: list[Path]):
    chromium.open(write_page(runs))
    for _ in range(2):
        theme = chromium.run("document.documentElement.dataset.theme")
        for tab in "12345":
            chromium.press(tab)
            for step in ("Home", "j", "j", "End"):
                chromium.press(step)
                assert chromium.run(CONTRAST) == [], f"{theme}, tab {tab}"
        chromium.press("t")
        assert chromium.run("document.documentElement.dataset.theme") != theme
    untroubled(chromium)


@pytest.mark.long
def test_the_page_of_the_readmes_run_weighs_at_most_150_kb(run_main: Main, calculator: Path, tmp_path: Path):
    kept = tmp_path / "kept"
    where = ("--provider", "offline", "--workdir", str(calculator))
    assert run_main("fix the bug", *where, RUNS_DIRECTORY=str(kept)).returncode == 0
    weight = write_page(folders(kept)[:1]).stat().st_size
    print(
        f"\nthe page of the README's run: {weight:,} bytes, {TEMPLATE.stat().st_size:,} of them the page without a run"
    )
    assert weight <= 150_000


# WCAG 2: contrast of each text with the ground that it stands on; 4.5 to 1 is AA.
CONTRAST = """(() => {
  const rgb = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (el) => { for (; el; el = el.parentElement) { const c = rgb(getComputedStyle(el).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const poor = [];
  for (const el of document.querySelectorAll('body *')) {
    const says = [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!says || ['SCRIPT', 'STYLE'].includes(el.tagName)) continue;
    if (el.closest('svg') || !el.checkVisibility()) continue;
    const pair = [light(rgb(getComputedStyle(el).color)), light(ground(el))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) poor.push(`${el.tagName}.${el.className} ${el.textContent.slice(0, 20)} ${ratio.toFixed(2)}`);
  }
  return poor;
})()"""


@in_browser
@pytest.mark.parametrize("width", [360, 768, 1440, 3840])
def test_it_fits_every_screen(width: int, chromium: Browser, runs: list[Path]):
    for chosen in (runs[:1], runs):
        chromium.open(write_page(chosen), width, 900 if width < 3840 else 2160)
        for tab in "12345":
            chromium.press(tab, "j")
            wide = chromium.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"tab {tab} is {wide} px too wide"
    chromium.size(1280, 900)


@in_browser
def test_two_runs_are_compared_side_by_side(chromium: Browser, runs: list[Path], run_main: Main):
    kept = {"RUNS_DIRECTORY": str(runs[0].parent)}
    ran = run_main("--view", "over-lmstudio", "--against", "over-gemini", DISPLAY="", WAYLAND_DISPLAY="", **kept)
    assert ran.returncode == 0, ran.stderr
    chromium.open(Path(ran.stdout.strip()))
    heads = chromium.run("[...document.querySelectorAll('h1')].map((each) => each.textContent)")
    assert heads == ["fix it over lmstudio", "fix it over gemini"]
    assert chromium.run("document.querySelectorAll('.pane').length") == 2
    chromium.press("j", "r")
    left, right = chromium.run("[...document.querySelectorAll('.pane')].map((pane) => pane.innerText)")
    assert "Request as sent (openai)" in left
    assert "Request as sent (gemini)" in right
    assert "thoughtSignature" in right
    assert "They part at step 1." in chromium.run("document.getElementById('runs').innerText")
    chromium.press("End")
    assert chromium.run(STEP) == "10 of 10"
    untroubled(chromium)


def write(text: str) -> tuple[str, dict[str, str]]:
    return "write_file", {"file_path": "a.py", "content": text}


@in_browser
@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ([("It is 4.", [])], [("It is 4.", [])], "to the same files and the same answer"),
        ([("It is 4.", [])], [("It is 5, and I deleted your files.", [])], "They part at step 2."),
        ([("", [write("good")]), ("Done.", [])], [("", [write("evil")]), ("Done.", [])], "They part at step 3."),
        ([("", [write("good")]), ("Done.", [])], [("", [write("good")]), ("Done.", [])], "to the same files"),
    ],
    ids=["the same", "another answer", "another argument", "the same call"],
)
def test_two_runs_are_the_same_when_calls_results_files_and_answers_are(
    chromium: Browser, run_main: Main, tmp_path: Path, one: list[Any], other: list[Any], told: str
):
    kept = {"RUNS_DIRECTORY": str(tmp_path / "kept"), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    for name, replies in (("one", one), ("other", other)):
        (tmp_path / name).mkdir()
        with scripted(*replies) as model:
            ran = run_main("what is it?", "--workdir", str(tmp_path / name), **model.environment("lmstudio"), **kept)
            assert ran.returncode == 0, ran.stderr
    second, first = folders(tmp_path / "kept")
    ran = run_main("--view", first.name, "--against", second.name, **kept)
    chromium.open(Path(ran.stdout.strip()))
    assert told in chromium.run("document.getElementById('runs').innerText")


@in_browser
def test_the_same_steps_to_other_files_are_not_the_same(chromium: Browser, run_main: Main, tmp_path: Path):
    """What is told of a call may be the same where what it left is not: a program that writes something else."""
    kept = {"RUNS_DIRECTORY": str(tmp_path / "kept"), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.py").write_text(f"open('out.txt', 'w').write('{name}')\n", encoding="utf-8")
        with scripted(("", [("run_python_file", {"file_path": "p.py"})]), ("Done.", [])) as model:
            run_main("go", "--workdir", str(tmp_path / name), **model.environment("lmstudio"), **kept)
    second, first = folders(tmp_path / "kept")
    ran = run_main("--view", first.name, "--against", second.name, **kept)
    chromium.open(Path(ran.stdout.strip()))
    assert "left other files" in chromium.run("document.getElementById('runs').innerText")


FILES = "[...document.querySelectorAll('.files li')].map((each) => each.innerText.replaceAll('\\n', ' '))"
LINES = "[...document.querySelectorAll('.files .plus, .files .minus')].map((each) => each.textContent)"


@in_browser
def test_the_scrubber_moves_the_files(chromium: Browser, run_main: Main, tmp_path: Path):
    """Tree, diff and content at every step, also of what a program made, and of a file that came and went."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    program = "import os\nopen('made.txt', 'w').write('by code')\nos.remove('b.py')\n"
    replies = [
        ("", [("get_file_content", {"file_path": "a.txt"})]),
        ("", [("edit_file", {"file_path": "a.txt", "old_text": "two", "new_text": "2"}), write_to("b.py", "b = 1\n")]),
        ("", [write_to("p.py", program), ("run_python_file", {"file_path": "p.py"})]),
        ("", [("edit_file", {"file_path": "a.txt", "old_text": "three", "new_text": "3"})]),
        ("Done.", []),
    ]
    kept = {"RUNS_DIRECTORY": str(tmp_path / "kept")}
    with scripted(*replies) as model:
        ran = run_main("go", "--workdir", str(tmp_path / "work"), **model.environment("lmstudio"), **kept)
        assert ran.returncode == 0, ran.stderr
    chromium.open(write_page(folders(tmp_path / "kept")))
    chromium.press("4")
    seen = []
    steps = int(chromium.run(STEP).split()[-1])
    for step in range(1, steps + 1):
        chromium.run(f"scrub.value = {step}; scrub.dispatchEvent(new Event('input'))")
        assert chromium.run(STEP) == f"{step} of {steps}"
        seen.append((chromium.run(FILES), chromium.run(LINES)))
    code = program.splitlines()
    assert seen[:4] == [(["a.txt as it was"], [])] * 4
    assert seen[4:] == [
        (["a.txt changed, here"], ["-two", "+2"]),
        (["a.txt changed", "b.py new, here"], ["+b = 1"]),
        (["a.txt changed", "b.py new"], ["-two", "+2"]),
        (["a.txt changed", "b.py new", "p.py new, here"], [f"+{line}" for line in code]),
        (["a.txt changed", "b.py deleted, here", "made.txt new, here", "p.py new"], ["-b = 1"]),
        (["a.txt changed", "made.txt new", "p.py new"], ["-two", "+2"]),
        (["a.txt changed, here", "made.txt new", "p.py new"], ["-three", "+3"]),
        (["a.txt changed", "made.txt new", "p.py new"], ["-two", "-three", "+2", "+3"]),
    ]
    # A file that one has chosen stays chosen; its whole text is that of the step.
    chromium.run("scrub.value = 5; scrub.dispatchEvent(new Event('input'))")
    chromium.run("document.querySelector('.files li button').click()")
    chromium.run("document.querySelector('.files details summary').click()")
    whole = "document.querySelector('.files details pre').textContent"
    assert chromium.run(whole) == "one\n2\nthree\n"
    chromium.press("End")
    chromium.run("document.querySelector('.files details summary').click()")
    assert chromium.run(whole) == "one\n2\n3\n"
    untroubled(chromium)


def write_to(path: str, text: str) -> tuple[str, dict[str, str]]:
    return "write_file", {"file_path": path, "content": text}


TRACKS = "[...document.querySelectorAll('#steps .between')].map((each) => each.textContent)"


@in_browser
def test_two_runs_stand_as_aligned_tracks_with_what_differs(chromium: Browser, run_main: Main, tmp_path: Path):
    look, tests = ("", [("get_dir_info", {})]), ("", [("search_files", {"query": "x"})])
    one = [look, tests, ("", [write("good\nsame\n")]), ("It is good.", [])]
    other = [look, ("", [write("evil\nsame\n")]), ("It is good.", [])]
    kept = {"RUNS_DIRECTORY": str(tmp_path / "kept"), "DISPLAY": "", "WAYLAND_DISPLAY": "", "GLASSBOX_VERIFY": "off"}
    for name, replies in (("one", one), ("other", other)):
        (tmp_path / name).mkdir()
        with scripted(*replies) as model:
            run_main("what is it?", "--workdir", str(tmp_path / name), **model.environment("lmstudio"), **kept)
    second, first = folders(tmp_path / "kept")
    chromium.open(write_page([first, second]))
    left = "only on the left"
    assert chromium.run(TRACKS) == ["same"] * 3 + ["same", left, left, "other arguments", "same"]
    assert "They part at step" in chromium.run("document.getElementById('runs').innerText")
    assert "5 are the same" in chromium.run("document.getElementById('runs').innerText")
    assert "This run has no step here." in chromium.run(CONTENT)
    chromium.run("scrub.value = 7; scrub.dispatchEvent(new Event('input'))")
    differs = "[...document.querySelectorAll('.differs .minus, .differs .plus')].map((each) => each.textContent)"
    assert [line.strip("+- ") for line in chromium.run(differs)] == [
        '"content": "good\\nsame\\n",',
        '"content": "evil\\nsame\\n",',
    ]
    chromium.press("End")
    assert "The same on both sides." in chromium.run(CONTENT)
    untroubled(chromium)


ATTACKS = [
    "</script><script>window.owned = 1</script>",
    "<!--<script>",
    "<img src=x onerror='window.owned = 2'>",
    "<svg onload='window.owned = 3'>",
    "<iframe src='javascript:parent.owned = 4'></iframe>",
    "javascript:window.owned=5",
    "${window.owned = 6}",
    "<style>@import 'http://127.0.0.1:9/x.css'; body { display: none }</style>",
    "<link rel=stylesheet href='http://127.0.0.1:9/y.css'><meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
    "{{policy}} {{data}}",
    "\u2028\u2029\x00\x1b[31m \ud800 ]]> -->",
    "__proto__",
]


def attacked(folder: Path, directory: Path) -> Path:
    """A run in which everything that can be said is an attack."""
    directory.mkdir()
    everything = " ".join(ATTACKS)
    with Root(directory) as root:
        trace = Trace(folder, {"prompt": everything, "provider": everything, "system_prompt": everything, "tools": []})
        run = Run(Setup("offline", root), [trace])
        run.started(everything, everything)
        messages: list[dict[str, Any]] = [{"role": "user", "content": everything}]
        run.message(messages[0])
        for attack in ATTACKS:
            run.asking()
            run.request("openai", {"model": attack, "messages": messages, attack: attack})
            run.thought(attack)
            run.text(attack)
            calls = tuple(
                ToolCall(name, name, json.dumps(arguments))
                for name, arguments in (
                    (attack, {attack: attack}),
                    ("edit_file", {"file_path": attack, "old_text": attack, "new_text": attack}),
                )
            )
            message = {"role": attack, "content": attack, "tool_calls": [{"id": attack, "function": {"name": attack}}]}
            messages.append(message)
            run.message(message)
            run.replied(Reply(attack, calls, TokenUsage(1, 1), attack, message))
            for call in calls:
                run.call_started(call)
                run.call_finished(ToolResult(call, attack, True, 0.1))
            run.notice(attack)
            run.error(attack)
        run.finish("provider_error", everything)
    return folder


@in_browser
def test_attacks_in_every_place_are_text_and_nothing_else(chromium: Browser, tmp_path: Path):
    folder = attacked(new_folder(tmp_path / "runs", "attacks"), tmp_path / "work")
    chromium.open(write_page([folder, folder]))
    total = int(chromium.run(STEP).split()[-1])
    assert total == 1 + len(ATTACKS) * 6
    for tab in "12345":
        chromium.press(tab, "Home")
        for _ in range(total if tab in "12" else 3):
            chromium.press("j")
    chromium.run("document.querySelectorAll('details').forEach((each) => each.open = true)")
    assert chromium.run("window.owned") is None
    assert chromium.run("document.querySelectorAll('img, iframe, link, script:not(#data)').length") == 1
    assert chromium.run("document.querySelectorAll('meta[http-equiv]').length") == 1
    assert "onerror" in chromium.run("document.body.innerText"), "what was said is shown as it was said"
    untroubled(chromium)
    # And were something to slip through: the policy lets no other script and no request pass.
    chromium.run(
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.owned = 7'}))"
    )
    chromium.run("document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/'}))")
    chromium.run("document.body.setAttribute('onclick', 'window.owned = 8'); document.body.click()")
    assert chromium.run("window.owned") is None
    assert len([text for text in chromium.complaints() if "Content Security Policy" in text]) >= 3


@in_browser
def test_a_run_of_500_turns_opens_at_once(chromium: Browser, tmp_path: Path):
    folder = new_folder(tmp_path / "runs", "long")
    (tmp_path / "work").mkdir()
    with Root(tmp_path / "work") as root:
        run = Run(Setup("offline", root), [Trace(folder, {"prompt": "long", "provider": "offline"})])
        messages: list[dict[str, Any]] = [{"role": "user", "content": "long"}]
        run.message(messages[0])
        for number in range(500):
            run.asking()
            run.request("openai", {"model": "m", "messages": messages})
            calls = tuple(ToolCall(f"{number}-{i}", "get_file_content", '{"file_path": "a.py"}') for i in range(2))
            message = {"role": "assistant", "content": "I read.", "tool_calls": [{"id": call.id} for call in calls]}
            messages.append(message)
            run.message(message)
            run.replied(Reply("I read.", calls, TokenUsage(number, 5), "tool_calls", message))
            for call in calls:
                run.call_started(call)
                run.call_finished(ToolResult(call, "x" * 10_000, True, 0.1))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": "x" * 10_000})
                run.message(messages[-1])
        run.finish("max_iters")
    chromium.open(write_page([folder]))
    took = chromium.run("performance.getEntriesByType('navigation')[0].loadEventEnd")
    chromium.press("End", "2")
    print(f"\n500 turns, 1,000 results of 10 kB: opened in {took:.0f} ms")
    assert "500" in chromium.run(CONTENT)
    assert took < 20_000  # a hang guard; what is printed is to be under 2,000
    untroubled(chromium)


@in_browser
@pytest.mark.parametrize("answer", ["It added.\n\nAll tests pass now.", "It added. I set it to 7."])
def test_what_is_answered_is_shown_also_where_it_is_not_the_models_last_text(
    answer: str, chromium: Browser, tmp_path: Path
):
    folder, said = new_folder(tmp_path / "runs", "short"), "It added. I set it to 7."
    (tmp_path / "work").mkdir()
    with Root(tmp_path / "work") as root:
        run = Run(Setup("offline", root), [Trace(folder, {"prompt": "fix", "provider": "offline"})])
        run.message({"role": "user", "content": "fix"})
        run.asking()
        run.replied(Reply(said, (), TokenUsage(), "stop", {"role": "assistant", "content": said}))
        run.finish("answered", answer)
    chromium.open(write_page([folder]))
    chromium.press("End", "1")
    shown = chromium.run(CONTENT)
    assert said in shown
    assert ("Answer, as this program gives it" in shown and "All tests pass now." in shown) == (answer != said)
    untroubled(chromium)


def test_the_page_asks_for_nothing_and_its_policy_names_its_own_script_and_style(runs: list[Path]):
    page = page_of([run_data(runs[0])])
    policy = html.unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', page)[0])
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"(src|href|url)\s*[=(]\s*[\"']?https?:", TEMPLATE.read_text(encoding="utf-8"))
    assert "innerHTML =" not in page


def test_data_in_the_page_closes_no_script_and_fills_no_gap(tmp_path: Path):
    folder = attacked(new_folder(tmp_path / "runs", "attacks"), tmp_path / "work")
    page = page_of([run_data(folder)])
    before, after = TEMPLATE.read_text(encoding="utf-8").split("{{data}}")
    assert page.endswith(after)
    data = page[page.index('id="data">') + len('id="data">') : len(page) - len(after)]
    assert "<" not in data
    assert json.loads(data)["runs"][0]["events"][0]["prompt"] == " ".join(ATTACKS)


@in_browser
def test_the_context_says_what_was_left_out_and_what_begins_as_before(chromium: Browser, tmp_path: Path):
    def request(turn: int, spans: list[list[int]]) -> list[dict[str, Any]]:
        sent = {"wire": "openai", "history": "messages", "messages": spans, "set": {}, "unset": []}
        return [{"kind": "asking", "turn": turn, "window": 3000}, {"kind": "request", "turn": turn, **sent}]

    def message(number: int, role: str, content: str, **more: Any) -> dict[str, Any]:
        return {"kind": "message", "number": number, "message": {"role": role, "content": content}, **more}

    def replied(turn: int, number: int, text: str) -> list[dict[str, Any]]:
        reply = {"turn": turn, "text": text, "calls": [], "usage": {"input": 9, "output": 1}, "finish_reason": "stop"}
        return [message(number, "assistant", text), {"kind": "replied", **reply, "message": number}]

    events = [
        *[{"kind": "run", "prompt": "look"}, message(0, "user", "look"), message(1, "tool", "x" * 4000)],
        *[*request(1, [[0, 2]]), *replied(1, 2, "I see."), message(3, "user", "go on")],
        *[*request(2, [[0, 4]]), *replied(2, 4, "I go on."), message(5, "user", "and now?")],
        *[
            message(6, "tool", "left out", only_sent=True),
            *request(3, [[0, 1], [6, 7], [2, 6]]),
            *replied(3, 7, "Done."),
        ],
    ]
    folder = new_folder(tmp_path, "look")
    lines = [json.dumps({"at": float(number), **event}) for number, event in enumerate(events)]
    (folder / "trace.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    chromium.open(write_page([folder]))
    chromium.press("n", "2")
    assert "The first request: a server reads all of it." in chromium.run(CONTENT)
    chromium.press("n")
    assert re.search(r"≈ 1,0\d\d tokens begin as in the request before", chromium.run(CONTENT))
    assert "left out" not in chromium.run(CONTENT).lower()
    chromium.press("n")
    assert re.search(r"≈ \d+ tokens begin as in the request before", chromium.run(CONTENT))
    assert "Left out, to fit the window: ≈ 998 tokens" in chromium.run(CONTENT)
    assert chromium.run("document.querySelector('.held').offsetWidth") > 0
    untroubled(chromium)


@in_browser
def test_the_timeline_of_one_turn_fills_the_width_and_goes_along(chromium: Browser, runs: list[Path]):
    chromium.open(write_page([runs[1]]))
    chromium.press("n")
    wide = "Math.max(...[...document.querySelectorAll('#timeline rect.model')].map((each) => Number(each.getAttribute('width'))))"
    bars = "document.querySelectorAll('#timeline rect.model').length"
    whole = chromium.run(wide)
    chromium.press("z")
    assert chromium.run(bars) == 1
    assert chromium.run(wide) > whole
    assert chromium.run("document.querySelectorAll('#timeline rect:is(.tool, .bad)').length") == 3
    chromium.press("n")
    assert chromium.run("document.querySelectorAll('#timeline rect.tool').length") == 1, "the next turn has one call"
    chromium.run("document.getElementById('zoom').focus()")
    chromium.press("Enter")
    assert chromium.run(bars) == 4
    assert chromium.run("document.activeElement.id") == "zoom"
    untroubled(chromium)
