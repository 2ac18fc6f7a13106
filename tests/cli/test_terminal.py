"""What a person sees: the same things on every screen, and nothing that a model says commands the terminal."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from catalogue import CATALOGUE, run_on
from scripted import scripted

from agent.contracts import STOP_REASONS, Reply, TokenUsage, ToolCall
from agent.events import CallStarted
from agent.run import Run
from agent.setup import Setup
from call_functions import run_calls
from cli.screen.seldom import STOPPED
from cli.screen.terminal import Terminal, printable, short_arguments
from cli.screen.verbose import Verbose
from config import PROJECT
from records.folders import folders
from sandbox.files.root import Root
from sandbox.running.reports import failing_tests

Main = Callable[..., subprocess.CompletedProcess[str]]
posix = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
EDIT = ("edit_file", {"file_path": "pkg/calculator.py", "old_text": '"+": 3,', "new_text": '"+": 1,'})
TESTS = ("run_tests", {"path": "."})
READS = [("get_file_content", {"file_path": path}) for path in ("main.py", "tests.py", "pkg/render.py")]
REPAIR = [("I look.", READS), ("", [TESTS]), ("I edit.", [EDIT]), ("", [TESTS]), ("The plus bound too tightly.", [])]
CONTENT = [
    "I look.",
    "get_file_content main.py",
    "get_file_content pkg/render.py",
    "2 of 9 tests failed",
    "FAIL: test_multiplication_comes_before_addition",
    "20.0 != 17",
    "edit_file pkg/calculator.py",
    '-            "+": 3,',
    '+            "+": 1,',
    "The plus bound too tightly.",
    "Changed pkg/calculator.py +1",
    "5 turns, 6 calls, 50 tokens in, 10 out",
    "--view",
    "--undo",
]


def squeezed(lines: list[str]) -> str:
    """Text without the line breaks that a narrow screen puts into it."""
    return re.sub(r"\s+", "", "".join(lines))


def holds_all(text: str, marks: str) -> None:
    for part in CONTENT:
        assert re.sub(r"\s+", "", part) in text, part
    for mark in marks:
        assert mark in text


@pytest.mark.sample(1)
@posix
@pytest.mark.parametrize("columns", [80, 40])
def test_in_a_terminal_the_run_is_seen_with_colours_and_the_status_line_goes_away(columns: int, calculator: Path):
    from pseudo_terminal import in_terminal, screen

    with scripted(*REPAIR) as server:
        place = ["--workdir", str(calculator)]
        written, code = in_terminal(["fix it", *place], columns=columns, **server.environment("lmstudio"))
    assert code == 0
    shown = screen(written, columns)
    assert max(map(len, shown)) <= columns
    holds_all(squeezed(shown), "✓✗┌│└→")
    assert "\x1b[32m" in written, "an added line is green"
    assert "turn 4 · 10 tokens in" in written
    assert "turn 4 ·" not in "\n".join(shown), "the status line is gone in the end"
    assert squeezed(shown).count("Theplusboundtootightly.") == 1, "one screen, one answer"
    assert written.count("\x1b[?25l") == written.count("\x1b[?25h"), "the cursor is shown again"


@pytest.mark.long
@posix
@pytest.mark.parametrize(
    ("options", "environment", "columns"),
    [
        (["--plain"], {}, 40),
        ([], {"NO_COLOR": "1"}, 80),
        ([], {"TERM": "dumb", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}, 40),
    ],
    ids=["--plain", "NO_COLOR", "TERM=dumb and ASCII"],
)
def test_a_plain_terminal_gets_the_same_in_plain_lines(
    options: list[str], environment: dict[str, str], columns: int, calculator: Path
):
    from pseudo_terminal import in_terminal, screen

    with scripted(*REPAIR) as server:
        arguments = ["fix it", *options, "--workdir", str(calculator)]
        written, code = in_terminal(arguments, columns=columns, **server.environment("lmstudio"), **environment)
    assert code == 0
    assert "\x1b" not in written
    ascii_only = "PYTHONIOENCODING" in environment
    assert written.isascii() == ascii_only
    holds_all(squeezed(screen(written, columns)), "" if ascii_only else "✓✗┌│└→")


@pytest.mark.long
def test_a_pipe_gets_the_same_in_plain_lines_and_loads_nothing_that_draws(run_main: Main, calculator: Path):
    with scripted(*REPAIR) as server:
        ran = run_main("fix it", "--workdir", str(calculator), **server.environment("lmstudio"))
    assert ran.stdout == "The plus bound too tightly.\n"
    assert "\x1b" not in ran.stderr
    holds_all(squeezed([ran.stderr]), "✓✗┌│└→")
    program = (
        "import sys\nfrom cli import start as cli\n"
        f"cli.main(['run the tests', '--provider', 'offline', '--workdir', {str(calculator)!r}])\n"
        "sys.exit(bool({'rich', 'prompt_toolkit'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, timeout=120)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.long
@posix
@pytest.mark.parametrize("job", ["auditor", "notekeeper"])
def test_a_job_that_knows_what_to_do_does_it_at_a_terminal_too(job: str, tmp_path: Path):
    from pseudo_terminal import in_terminal

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "key.md").write_text("# Key\n\nThe key hangs behind the boiler.\n", encoding="utf-8")
    (tmp_path / "data" / "one.csv").write_text("name,count\nAnn,1\nBen,2\n", encoding="utf-8")
    what = {
        "auditor": ["--data", str(tmp_path / "data" / "one.csv")],
        "notekeeper": ["--task", "where is the key?", "--workdir", str(tmp_path / "data")],
    }
    written, code = in_terminal(
        ["--job", job, *what[job], "--plain"], LLM_PROVIDER="offline", RUNS_DIRECTORY=str(tmp_path / "kept")
    )
    assert code == 0
    assert "/help" not in written, "it is no conversation"
    assert "turns" in written


HOSTILE = "\x1b]0;owned\x07\x1b[2J[red]markup[/red] \u202eevil\r\x9b31m :smile: [link=http://x]y[/link]"


@posix
def test_what_a_model_says_is_shown_and_never_obeyed(calculator: Path):
    from pseudo_terminal import in_terminal, screen

    calls = [
        ("get_file_content", {"file_path": HOSTILE}),
        (HOSTILE, {}),
        ("write_file", {"file_path": "x", "content": HOSTILE}),
    ]
    with scripted((HOSTILE, calls), (HOSTILE, [])) as server:
        written, _ = in_terminal(["go", "--workdir", str(calculator)], columns=80, **server.environment("lmstudio"))
    for forbidden in ("\x1b]", "\x1b[2J", "\u202e", "\x9b", "\x07"):
        assert forbidden not in written
    text = squeezed(screen(written, 80))
    for shown in (r"\x1b]0;owned", "[red]markup[/red]", r"\u202eevil", ":smile:", "[link=http://x]"):
        assert shown in text


@posix
def test_a_person_is_asked_and_says_yes_no_all_or_what_to_do_instead(calculator: Path):
    from pseudo_terminal import in_terminal

    def write(name: str) -> tuple[str, dict[str, str]]:
        return "write_file", {"file_path": name, "content": f"in {name}\n"}

    replies = [("", [write("one")]), ("", [write("two")]), ("", [write("three")]), ("", [write("four")])]
    replies += [("", [write("five"), TESTS]), ("Done.", [])]
    asked = "say what to do instead: "
    says = [(asked, "y\n"), (asked, "n\n"), (asked, "call it drei\n"), (asked, "a\n"), (asked, "no\n")]
    with scripted(*replies) as server:
        arguments = ["go", "--ask", "--workdir", str(calculator)]
        written, code = in_terminal(arguments, says=says, **server.environment("lmstudio"))
    assert code == 0
    assert [(calculator / name).exists() for name in ("one", "two", "three", "four", "five")] == [1, 0, 0, 1, 1]
    assert "+in one" in written
    results = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
    assert "did not allow this call" in results[1]
    assert "call it drei" in results[2]
    assert "did not allow" in results[5], "all of this kind is not all of every kind"
    assert written.count("May it run ") == 5


@pytest.mark.long
@posix
@pytest.mark.parametrize("typed", ["y\n", "y"])
def test_what_was_typed_before_the_question_is_no_consent(calculator: Path, typed: str):
    from pseudo_terminal import in_terminal

    thinking = threading.Event()
    write = ("write_file", {"file_path": "new", "content": "n"})

    def before_reply(number: int) -> None:
        thinking.wait(1) if number == 0 else None  # long enough for the line to be there before the question

    says = [("> ", "go\n"), ("scripted", typed), ("say what to do instead: ", "n\n"), ("The end.", "/quit\n")]
    with scripted(("", [write]), ("The end.", []), before_reply=before_reply) as server:
        arguments = ["--plain", "--ask", "--workdir", str(calculator)]
        written, code = in_terminal(arguments, says=says, **server.environment("lmstudio"))
    assert code == 0, written
    assert not (calculator / "new").exists()
    remarks = [m["content"] for m in server.requests[1]["messages"] if m["role"] == "user"][1:]
    assert remarks == (["y"] if typed == "y\n" else []), "a whole line is a remark for the agent"


def test_a_line_break_in_a_name_makes_no_line_of_ours(calculator: Path):
    """What was asked, and what the summary says: each on its own line, whatever a name holds."""
    name = "x\nChanged pkg/calculator.py +1 -1\r\x1b[2Jy"
    calls = [ToolCall("a", name, {}), ToolCall("b", "get_file_content", {"file_path": name})]
    out = io.StringIO()
    terminal = Terminal(out)
    with Root(calculator) as root:
        run = run_on(root, [terminal])
        terminal.follow(run)
        run.asking()
        run.replied(Reply("", tuple(calls), TokenUsage(), "tool_calls", {}))
        run_calls(calls, run)
        Verbose(out)(CallStarted(calls[0]))
    assert not [line for line in out.getvalue().splitlines() if line.startswith("Changed")]
    assert "\x1b" not in out.getvalue()
    assert r"x\nChanged" in out.getvalue()


@pytest.mark.long
@posix
@pytest.mark.parametrize(
    ("theme", "seen", "unseen"), [("terminal", "\x1b[90m", "38;"), ("contrast", "\x1b[1m", "\x1b[90m")]
)
def test_the_colours_are_the_themes(calculator: Path, theme: str, seen: str, unseen: str):
    from pseudo_terminal import in_terminal

    with scripted(*REPAIR) as server:
        arguments = ["fix the bug", "--workdir", str(calculator), "--theme", theme]
        written, code = in_terminal(arguments, **server.environment("lmstudio"), TERM="xterm-256color")
    assert code == 0, written
    assert seen in written
    assert unseen not in written


def test_a_theme_that_does_not_exist_is_refused_with_those_that_do(run_main: Main):
    refused = run_main("fix the bug", "--theme", "pink")
    assert refused.returncode == 1
    assert "terminal, light, dark or contrast" in refused.stderr


@pytest.mark.parametrize(("theme", "ground"), [("light", (255, 255, 255)), ("dark", (0, 0, 0))])
def test_a_theme_can_be_read_on_its_ground(theme: str, ground: tuple[int, int, int]):
    """WCAG 2.2, 1.4.3: at least 4.5 to 1."""
    from rich.style import Style

    from cli.screen.rich import THEMES

    colours = [style.color for each in THEMES[theme].values() if (style := Style.parse(each)).color]
    assert len(colours) == 6
    for colour in colours:
        bright, dark = sorted((luminance(colour.get_truecolor()), luminance(ground)), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= 4.5, colour


def luminance(colour: tuple[int, ...]) -> float:
    parts = [value / 255 for value in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@posix
def test_without_a_prompt_it_is_a_conversation_with_commands(calculator: Path, tmp_path: Path):
    from pseudo_terminal import in_terminal

    typed = [
        ("> ", "the first prompt\n"),
        ("It is edited.", "/diff\n"),
        ('+            "+": 1,\r\n', "/undo\n"),
        ("is undone", "/nonsense\n"),
        ("/help   this", "the second prompt\n"),
        ("The second answer.", "/new\n"),
        ("begins anew", "the third prompt\n"),
        ("The third answer.", "/quit\n"),
    ]
    before = (calculator / "pkg" / "calculator.py").read_text()
    answers = [("The second answer.", []), ("The third answer.", [])]
    with scripted(("", [EDIT, TESTS]), ("It is edited.", []), *answers) as server:
        environment = {**server.environment("lmstudio"), "RUNS_DIRECTORY": str(tmp_path / "kept")}
        written, code = in_terminal(["--plain", "--workdir", str(calculator)], says=typed, **environment)
    assert code == 0, written
    assert "There is no command '/nonsense'." in written
    assert (calculator / "pkg" / "calculator.py").read_text() == before
    said = [[m["content"] for m in r["messages"] if m["role"] == "user"] for r in server.requests]
    assert said[2:] == [["the first prompt", "the second prompt"], ["the third prompt"]]
    assert "the second prompt" in (tmp_path / "kept" / "prompts").read_text()


@pytest.mark.long
@posix
@pytest.mark.parametrize(
    "typed",
    ["one\ntwo\nthree\n", "\x1b[200~one\ntwo\nthree\x1b[201~\n"],
    ids=["lines that come at once", "a bracketed paste"],
)
def test_what_is_pasted_is_one_prompt(calculator: Path, tmp_path: Path, typed: str):
    from pseudo_terminal import in_terminal

    says = [("> ", typed), ("The end.", "/quit\n")]
    with scripted(("The end.", [])) as server:
        kept = {**server.environment("lmstudio"), "RUNS_DIRECTORY": str(tmp_path / "kept")}
        _, code = in_terminal(["--plain", "--workdir", str(calculator)], says=says, **kept)
    assert code == 0
    assert [r["messages"][-1]["content"] for r in server.requests] == ["one\ntwo\nthree"]
    assert len(folders(tmp_path / "kept")) == 1


@pytest.mark.long
@posix
def test_a_paste_of_ten_thousand_lines_is_one_run(calculator: Path, tmp_path: Path):
    from pseudo_terminal import in_terminal

    log = "".join(f"line number {number} of a log\n" for number in range(10_000))
    says = [("> ", log), ("The end.", "/quit\n")]
    with scripted(("The end.", [])) as server:
        kept = {**server.environment("lmstudio"), "RUNS_DIRECTORY": str(tmp_path / "kept")}
        _, code = in_terminal(["--plain", "--workdir", str(calculator)], says=says, **kept)
    assert code == 0
    assert len(folders(tmp_path / "kept")) == 1
    assert server.requests[0]["messages"][-1]["content"] == log.strip()


@pytest.mark.long
@posix
def test_a_line_typed_while_the_agent_works_is_taken_after_the_calls(calculator: Path):
    from pseudo_terminal import in_terminal

    says = [("> ", "go\n"), ("first words", "and mind the gap\n"), ("The end.", "/quit\n")]
    (calculator / "wait.py").write_text("import time\nprint('here')\ntime.sleep(1)\n")
    slow = ("run_python_file", {"file_path": "wait.py"})
    with scripted(("first words", [slow]), ("The end.", [])) as server:
        arguments = ["--plain", "--workdir", str(calculator)]
        _, code = in_terminal(arguments, says=says, **server.environment("lmstudio"))
    assert code == 0
    assert [m["role"] for m in server.requests[1]["messages"]][-2:] == ["tool", "user"]
    assert server.requests[1]["messages"][-1]["content"] == "and mind the gap"


@pytest.mark.long
@posix
def test_a_conversation_survives_ctrl_c_in_the_middle_of_a_run(calculator: Path):
    from pseudo_terminal import in_terminal

    (calculator / "endless.py").write_text("import time\nwhile True: time.sleep(1)\n")
    endless = ("run_python_file", {"file_path": "endless.py"})
    says = [("> ", "go\n"), ("Calling function: run_python_file", "\x03"), ("Interrupted.", ""), ("> ", "again\n")]
    with scripted(("", [endless]), ("", [TESTS]), ("Still here.", [])) as server:
        arguments = ["--plain", "--verbose", "--workdir", str(calculator)]
        says += [("Still here.", "/quit\n")]
        written, code = in_terminal(arguments, says=says, **server.environment("lmstudio"))
    assert code == 0, written
    second = server.requests[1]["messages"]
    assert [m["role"] for m in second if m["role"] != "system"] == ["user", "assistant", "tool", "assistant", "user"]
    assert "2 of 9 tests failed" in server.requests[2]["messages"][-1]["content"], "what runs next is not cancelled too"


@posix
def test_ctrl_c_at_the_question_ends_the_run_and_nothing_is_written(calculator: Path):
    from pseudo_terminal import in_terminal

    with scripted(("", [("write_file", {"file_path": "new", "content": "n"})]), ("Done.", [])) as server:
        arguments = ["go", "--ask", "--workdir", str(calculator)]
        says = [("say what to do instead: ", "\x03")]
        written, code = in_terminal(arguments, says=says, **server.environment("lmstudio"))
    assert code == 130, written
    assert "Traceback" not in written
    assert not (calculator / "new").exists()


@posix
def test_ctrl_c_that_comes_just_as_the_answer_begins_to_be_read_is_heeded():
    """Such a signal is noted and ends no read: as one that another thread of the program gets."""
    import pty

    asked = "import signal, threading\nfrom cli.typed import awaited_line\n"
    asked += "threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()\nawaited_line()"
    ours, theirs = pty.openpty()
    ended = subprocess.run([sys.executable, "-c", asked], cwd=PROJECT, stdin=theirs, capture_output=True, timeout=60)
    os.close(ours)
    os.close(theirs)
    assert b"KeyboardInterrupt" in ended.stderr


def test_calls_that_run_together_are_shown_together_in_call_order(calculator: Path):
    out = io.StringIO()
    with Root(calculator) as root:
        terminal = Terminal(out)
        run = run_on(root, [terminal], "offline")
        terminal.follow(run)
        run.asking()
        calls = tuple(
            ToolCall(str(number), name, json.dumps(arguments))
            for number, (name, arguments) in enumerate([*READS, TESTS])
        )
        run.replied(Reply("", calls, TokenUsage(), "tool_calls", {}))
        run_calls(calls, run)
    shown = [line.split("  ")[1] for line in out.getvalue().splitlines() if line.startswith("  ") and line[2] != " "]
    assert shown == [
        "/ ok get_file_content main.py",
        "| ok get_file_content tests.py",
        "\\ ok get_file_content pkg/render.py",
        "failed run_tests .",
    ]


def test_of_long_thought_the_first_lines_are_shown_and_the_others_counted(calculator: Path):
    out = io.StringIO()
    with Root(calculator) as root:
        run = Run(Setup("offline", root), [Terminal(out)])
        for turn in range(2):
            run.asking()
            for number in range(20):
                run.thought(f"thought {turn}.{number}\n")
            run.text("said")
            run.replied(Reply("said", (), TokenUsage(), "stop", {}))
    shown = out.getvalue().splitlines()
    one = [f"thought 0.{number}" for number in range(5)]
    assert shown == [
        *one,
        "and 15 more lines of thought",
        "said",
        *[line.replace("0.", "1.") for line in one],
        *shown[5:7],
    ]


@pytest.mark.parametrize(
    ("said", "answer", "also"),
    [
        ("It added.", "It added.", []),
        ("It added.\n", "It added.\n\nAll tests pass now.", ["All tests pass now."]),
        ('{"name": "answer"}', "All tests\npass now.", ["All tests", "pass now."]),
    ],
)
def test_on_one_screen_what_of_an_answer_is_not_the_models_last_text_is_shown_beside_it(
    said: str, answer: str, also: list[str], calculator: Path, monkeypatch: pytest.MonkeyPatch
):
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    with Root(calculator) as root:
        terminal = Terminal(out, stdout_is_seen=True)
        run = Run(Setup("offline", root), [terminal])
        run.asking()
        run.text(said)
        run.replied(Reply(said, (), TokenUsage(), "stop", {}))
        run.finish("answered", answer)
    assert terminal.showed_answer
    assert [line for line in out.getvalue().splitlines() if not line.startswith("[")] == [said.strip(), *also]


def test_words_that_may_be_left_out_of_an_answer_are_not_shown_as_they_come(
    calculator: Path, monkeypatch: pytest.MonkeyPatch
):
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    with Root(calculator) as root:
        terminal = Terminal(out, stdout_is_seen=True)
        run = Run(Setup("offline", root), [terminal])
        terminal.follow(run)
        run.asking()
        run.told = run.answer_due = "All tests pass now."
        run.text("It added. I set it to 7.")
        run.replied(Reply("It added. I set it to 7.", (), TokenUsage(), "stop", {}))
        run.finish("answered", "It added.\n\nAll tests pass now.")
    said = [line for line in out.getvalue().splitlines() if not line.startswith("[")]
    assert said == ["It added.", "", "All tests pass now."]


def test_failing_tests_of_both_kinds_are_told_by_name_and_reason():
    unittest = "1 of 9 tests failed\n\nFAIL: test_a (tests.T.test_a)\nTraceback\nAssertionError: 1 != 2"
    pytest_style = "1 failed (pytest)\n________ test_b ________\nE   assert 1 == 2\nE   where"
    assert failing_tests(unittest) == ["FAIL: test_a  AssertionError: 1 != 2"]
    assert failing_tests(pytest_style) == ["test_b  E   where"]
    assert failing_tests("All 9 tests passed") == []


def test_arguments_are_short_and_whatever_was_sent_can_be_shown():
    def short(name: str, arguments: object) -> str:
        return short_arguments(ToolCall("x", name, json.dumps(arguments)), CATALOGUE.get(name), 60)

    assert short("edit_file", {"file_path": "a.py", "old_text": "x" * 999}) == "a.py"
    assert short("search_files", {"query": "q", "regex": True}) == "q regex=true"
    assert len(short("edit_file", {"file_path": "a" * 999})) == 60
    assert short("edit_file", [1]) == "[1]"
    assert short("no_such_tool", {"a": 1}) == "a=1"
    assert printable("tab\tis fine, \x00 is not") == "tab\tis fine, \\x00 is not"


def test_for_every_way_to_stop_there_is_a_sentence():
    assert set(STOPPED) == set(STOP_REASONS) - {"answered", "provider_error"}
