"""The command line: every mistake gets one clear line with the next step, and no traceback."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.reset import put_calculator
from cli.start import parsed
from config import PROJECT

Run = Callable[..., subprocess.CompletedProcess[str]]
PARTS = ("main.py", "session.py", "config.py", "prompts.py", "call_functions.py", "list_functions.py")
FOLDERS = ("agent", "cli", "functions", "index", "jobs", "offline", "providers", "reach", "records", "sandbox")


@pytest.fixture
def another_home(tmp_path: Path) -> Path:
    """A copy of the whole program in a folder with a space and an umlaut in its name."""
    home = tmp_path / "mein schönes Projekt"
    home.mkdir()
    for name in PARTS:
        shutil.copy(PROJECT / name, home)
    put_calculator(home / "calculator")
    (home / "samples").mkdir()
    shutil.copy(PROJECT / "samples" / "calculator.zip", home / "samples")
    for name in FOLDERS:
        shutil.copytree(PROJECT / name, home / name, ignore=shutil.ignore_patterns("*.pyc.*", "bugs"))
    return home


def fails_well(ran: subprocess.CompletedProcess[str], code: int, *hints: str) -> None:
    assert ran.returncode == code, ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.stdout == ""
    error = [line for line in ran.stderr.split("\n") if line.startswith("Error: ")]
    assert len(error) == 1, ran.stderr
    for hint in hints:
        assert hint in error[0]


MISTAKES = [
    ("no prompt", [], {}, 1, ["nothing to do", 'main.py "fix the bug"']),
    ("an empty prompt", ["  "], {}, 1, ["nothing to do"]),
    ("an empty prompt on stdin", ["-"], {}, 1, ["nothing to do"]),
    ("unknown provider", ["x", "--provider", "openai"], {}, 1, ["LLM_PROVIDER", "lmstudio, gemini, offline or cli"]),
    ("unknown option", ["x", "--fast"], {}, 1, ["--fast", "--help"]),
    ("a prompt for a fork", ["--fork", "7", "do", "it"], {}, 1, ["--fork has no use for 'do it'", "nothing was done"]),
    ("people without commas", ["--page", "ann", "ben"], {}, 1, ["--page has no use for 'ben'"]),
    ("missing key", ["x"], {"LLM_PROVIDER": "gemini"}, 1, ["GEMINI_API_KEY", ".env", "--provider offline"]),
    ("nothing listening", ["x"], {"LLM_PROVIDER": "lmstudio"}, 2, ["Nothing answers at", "--provider offline"]),
    ("a bad number", ["x"], {"MAX_ITERS": "many"}, 1, ["MAX_ITERS", "whole number"]),
    ("a bad number as option", ["x", "--max-iters", "-3"], {}, 1, ["MAX_ITERS", "whole number"]),
    (
        "an unknown part of the help",
        ["x", "--without", "luck"],
        {},
        1,
        ["--without luck", "opening, tests, done"],
    ),
    ("a working directory that is not there", ["x", "--workdir", "nothing/here"], {}, 1, ["nothing/here"]),
    ("a working directory that is a file", ["x", "--workdir", "main.py"], {}, 1, ["not a directory"]),
    ("the whole disk", ["x", "--workdir", "/"], {}, 1, ["Cannot work in", "choose"]),
    ("this program itself", ["x", "--workdir", "."], {}, 1, ["Cannot work in", "choose"]),
]


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "hints"), [m[1:] for m in MISTAKES], ids=[m[0] for m in MISTAKES]
)
def test_a_mistake_is_one_clear_line_with_the_next_step(
    arguments: list[str], environment: dict[str, str], code: int, hints: list[str], run_main: Run
):
    fails_well(run_main(*arguments, **environment), code, *hints)


def test_a_bad_number_in_the_env_file_is_one_clear_line(another_home: Path, run_main: Run):
    (another_home / ".env").write_text("LMSTUDIO_MAX_TOKENS=lots\n")
    ran = run_main("x", main=another_home / "main.py")
    fails_well(ran, 1, "LMSTUDIO_MAX_TOKENS", "whole number")


@pytest.mark.parametrize(("provider", "package"), [("offline", "openai"), ("gemini", "google.genai")])
def test_without_its_packages_it_says_how_to_get_them(
    provider: str, package: str, run_main: Run, bare_python: str, tmp_path: Path
):
    kept = tmp_path / "kept"
    ran = run_main("x", "--provider", provider, python=bare_python, RUNS_DIRECTORY=str(kept))
    fails_well(ran, 1, f"the package {package} is not installed", "uv run main.py", "pip install -r requirements.txt")
    assert not kept.exists()


def test_without_its_packages_it_still_helps_and_does_not_pass_over_a_settings_file(
    another_home: Path, run_main: Run, bare_python: str
):
    main = another_home / "main.py"
    assert "examples:" in run_main("--help", main=main, python=bare_python).stdout
    assert run_main("--reset", main=main, python=bare_python).returncode == 0
    (another_home / ".env").write_text("MAX_ITERS=3\n")
    fails_well(run_main("x", main=main, python=bare_python), 1, "the package dotenv is not installed")


@pytest.mark.parametrize("start", ["run_path('main.py', run_name='__main__')", "run_module('lessons')"])
def test_a_python_that_is_too_old_is_told_so(start: str):
    code = f"import runpy, sys; sys.version_info = (3, 9, 6); runpy.{start}"
    ran = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, encoding="utf-8")
    fails_well(ran, 1, "Python 3.11 or later is needed, and this is 3.9", "uv run main.py")
    for name in ("main.py", "config.py", "agent/__init__.py", "lessons/__init__.py", "lessons/__main__.py"):
        ast.parse((PROJECT / name).read_text(encoding="utf-8"), feature_version=(3, 7))


def test_it_works_from_another_folder_and_with_a_space_and_an_umlaut_in_the_path(
    another_home: Path, run_main: Run, soon_repaired: dict[str, str], tmp_path: Path
):
    shutil.rmtree(another_home / "calculator")
    for path, text in soon_repaired.items():
        (another_home / "calculator" / path).parent.mkdir(parents=True, exist_ok=True)
        (another_home / "calculator" / path).write_text(text)
    ran = run_main("fix the bug", "--provider", "offline", main=another_home / "main.py", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Fixed.")
    assert "All 2 tests passed" in ran.stdout


def test_reset_puts_the_calculator_back_and_keeps_what_was_there(another_home: Path, run_main: Run):
    main = another_home / "main.py"
    assert "nothing to reset" in run_main("--reset", main=main).stderr
    (another_home / "calculator" / "pkg" / "calculator.py").write_text("my work")
    (another_home / "calculator" / "mine.txt").write_text("my notes")
    ran = run_main("--reset", main=main)
    assert ran.returncode == 0
    assert '"+": 3,' in (another_home / "calculator" / "pkg" / "calculator.py").read_text()
    assert not (another_home / "calculator" / "mine.txt").exists()
    kept = another_home / ran.stderr.strip().rsplit(" ", 1)[1].rstrip(".")
    assert (kept / "mine.txt").read_text() == "my notes"
    assert (kept / "pkg" / "calculator.py").read_text() == "my work"


@pytest.mark.parametrize(
    ("said", "prompt"),
    [
        ("--watch fix the bug", ["fix", "the", "bug"]),
        ("--watch fix --continue", ["fix"]),
        ("--watch fix --continue now", ["fix"]),
        ("--watch", []),
        ("fix --watch", ["fix"]),
    ],
)
def test_no_word_behind_watch_is_lost_where_it_is_one_of_a_prompt(said: str, prompt: list[str]):
    assert parsed(said.split()).prompt == prompt


def test_a_prompt_comes_from_standard_input_with_a_dash(run_main: Run, calculator: Path):
    ran = run_main("-", "--provider", "offline", "--workdir", str(calculator), stdin="what files are in the root?\n")
    assert ran.returncode == 0
    assert "lorem.txt" in ran.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a command line is text")
def test_a_byte_of_the_prompt_that_is_no_text_ends_neither_the_run_nor_those_that_go_on_with_it(
    run_main: Run, calculator: Path
):
    for options in ([], ["--continue"]):
        ended = run_main(*options, "--workdir", str(calculator), "what does calc\udcff do?")
        assert ended.returncode == 0, ended.stderr


def test_json_is_one_object_alone_on_standard_output(run_main: Run, calculator: Path):
    ran = run_main("run the tests", "--json", "--provider", "offline", "--workdir", str(calculator))
    result = json.loads(ran.stdout)
    assert set(result) >= {
        "answer", "stop_reason", "turns", "tool_calls", "tokens", "seconds", "provider", "model", "errors",
    }  # fmt: skip
    assert result["tool_calls"][0]["name"] == "run_tests"


def test_json_is_printed_also_when_the_provider_fails(run_main: Run):
    ran = run_main("x", "--json", "--provider", "lmstudio")
    assert ran.returncode == 2
    result = json.loads(ran.stdout)
    assert result["stop_reason"] == "provider_error"
    assert "Nothing answers" in result["errors"][0]


def test_json_is_printed_also_when_the_command_line_is_wrong(run_main: Run):
    ran = run_main("x", "--fast", "--json")
    assert ran.returncode == 1
    assert "--fast" in json.loads(ran.stdout)["errors"][0]


def test_an_address_that_was_named_and_does_not_answer_is_told_before_the_built_in_model_is_taken(
    run_main: Run, calculator: Path, closed_port: int
):
    ran = run_main("list the files", "--workdir", str(calculator))
    assert ran.returncode == 0
    assert f"Nothing answers at http://127.0.0.1:{closed_port}/v1." in ran.stderr
    assert "LMSTUDIO_BASE_URL" in ran.stderr


def test_verbose_shows_prompt_calls_results_and_tokens(run_main: Run, calculator: Path):
    ran = run_main("run the tests", "--verbose", "--provider", "offline", "--workdir", str(calculator))
    for part in ("User prompt: run the tests", "Prompt tokens: ", "Response tokens: ", "Final response:"):
        assert part in ran.stderr
    assert 'Calling function: run_tests(path=".")' in ran.stderr
    assert "-> 2 of 9 tests failed" in ran.stderr
    assert ran.stdout.startswith("2 of 9 tests failed")


def test_version_and_help(run_main: Run):
    assert run_main("--version").stdout.startswith("glassbox ")
    shown = run_main("--help").stdout
    for option in ("--provider", "--workdir", "--max-iters", "--verbose", "--json", "--reset", "exit codes"):
        assert option in shown


def test_a_terminal_that_knows_only_ascii_is_no_obstacle(run_main: Run, calculator: Path):
    source = calculator / "pkg" / "render.py"
    source.write_text(source.read_text() + "# größer → ✓\n", encoding="utf-8")
    ran = run_main(
        "read pkg/render.py", "--provider", "offline", "--workdir", str(calculator), PYTHONIOENCODING="ascii"
    )
    assert ran.returncode == 0, ran.stderr
    assert r"gr\xf6\xdfer" in ran.stdout


def test_json_is_json_whatever_encoding_the_output_has(run_main: Run, calculator: Path, tmp_path: Path):
    (calculator / "pkg" / "render.py").write_text("# größer → ✓ 😀\n", encoding="utf-8")
    more = {"PYTHONIOENCODING": "ascii", "RUNS_DIRECTORY": str(tmp_path / "kept")}  # as little as a code page holds
    options = ("--json", "--provider", "offline", "--workdir", str(calculator))
    ran = run_main("read pkg/render.py", *options, **more)
    again = run_main("--result", "", **more)
    wrong = run_main("x", "--json", "--workdir", "größer 😀", **more)
    for each in (ran, again):
        assert "# größer → ✓ 😀" in json.loads(each.stdout)["tool_calls"][0]["result"]
    assert "größer 😀" in json.loads(wrong.stdout)["errors"][0]


def test_what_a_file_says_cannot_command_the_terminal(run_main: Run, calculator: Path):
    (calculator / "evil.py").write_text("print('\\x1b]0;owned\\x07\\x1b[2J', '\\u202e')")
    ran = run_main("run evil.py", "--verbose", "--provider", "offline", "--workdir", str(calculator))
    assert "\x1b" not in ran.stderr
    assert "\u202e" not in ran.stderr
    assert r"\x1b]0;owned" in ran.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM"])
def test_a_signal_in_the_middle_of_a_tool_ends_the_run_and_the_tool(
    signal_name: str, project: Callable, closed_port: int
):
    import signal

    root = project(
        {"endless.py": "import os, time\nopen('pid', 'w').write(str(os.getpid()))\nwhile True: time.sleep(1)\n"}
    )
    process = subprocess.Popen(
        [
            sys.executable,
            str(PROJECT / "main.py"),
            "run endless.py",
            "--provider",
            "offline",
            "--workdir",
            str(root),
            "--json",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    while not (root / "pid").exists() or not (root / "pid").read_text():
        assert process.poll() is None
        os.sched_yield()
    process.send_signal(getattr(signal, signal_name))
    stdout, stderr = process.communicate(timeout=20)
    assert process.returncode == 130, stderr
    assert json.loads(stdout)["stop_reason"] == "interrupted"
    assert "Traceback" not in stderr
    assert not processes_in(root)


def processes_in(directory: Path) -> list[str]:
    """The processes of this system whose working directory is this one (none where there is no /proc)."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            inside = (process / "cwd").readlink() == directory
        except OSError:  # it ended while we looked, or is not ours
            continue
        found += [process.name] if inside else []
    return found


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="a closed pipe of another kind")
@pytest.mark.parametrize("closed", ["pipe", "none"])
def test_when_nobody_reads_standard_error_any_more_the_answer_is_still_given(calculator: Path, closed: str):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, str(PROJECT / "main.py"), "list the files", "--provider", "offline"]
    try:
        ran = subprocess.run(
            [*command, "--workdir", str(calculator)],
            stdout=subprocess.PIPE,
            stderr=writer,
            preexec_fn=(lambda: os.close(2)) if closed == "none" else None,
            timeout=120,
        )
    finally:
        os.close(writer)
    assert ran.returncode == 0
    assert b"tests.py" in ran.stdout
    assert b"turns" not in ran.stdout, "what belongs to standard error is not said on standard output"


def test_what_answers_at_the_address_may_be_no_web_server(run_main: Run, calculator: Path):
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def greet() -> None:
            for _ in range(3):
                with contextlib.suppress(OSError):
                    connection, _ = listening.accept()
                    connection.recv(10_000)
                    connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
                    connection.close()

        threading.Thread(target=greet, daemon=True).start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        ran = run_main("list the files", "--workdir", str(calculator), LMSTUDIO_BASE_URL=address)
        assert ran.returncode == 0
        assert "built-in" in ran.stderr
        assert "Traceback" not in ran.stderr


def test_the_home_of_nobody_is_a_clear_line(run_main: Run):
    ran = run_main("list the files", "--workdir", "~nobody-of-that-name/x")
    assert ran.returncode == 1
    assert ran.stderr.startswith("Error: ~nobody-of-that-name/x begins with the home directory of somebody")


def test_without_a_key_there_is_no_run_that_did_not_end(run_main: Run, calculator: Path, tmp_path: Path):
    place = {"RUNS_DIRECTORY": str(tmp_path / "runs")}
    ran = run_main("x", "--workdir", str(calculator), LLM_PROVIDER="gemini", **place)
    assert ran.returncode == 1
    assert "GEMINI_API_KEY is not set" in ran.stderr
    assert "no runs yet" in run_main("--runs", **place).stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("arguments", [["--runs"], ["list the files", "--provider", "offline"]])
def test_a_full_disk_under_standard_output_is_a_clear_line(calculator: Path, arguments: list[str]):
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, str(PROJECT / "main.py"), *arguments, "--workdir", str(calculator)]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert ran.returncode == 1
    assert "cannot be written" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a closed pipe of another kind")
@pytest.mark.parametrize("output", ["closed", "full"])
def test_a_mistake_is_told_also_where_nobody_can_read_the_object_of_it(output: str):
    reader, closed = os.pipe()
    os.close(reader)
    command = [sys.executable, str(PROJECT / "main.py"), "--json", "--nosuch"]
    with Path("/dev/full").open("w") as full:
        stdout = closed if output == "closed" else full
        ran = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=120)
    os.close(closed)
    assert ran.returncode == 1
    assert "unrecognized arguments: --nosuch" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("program", [["librarian.py", "--provider", "offline", "x"], ["-m", "lessons", "list"]])
def test_a_full_disk_under_the_other_programs_is_a_clear_line_too(program: list[str]):
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, *program]
        ran = subprocess.run(command, cwd=PROJECT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert ran.returncode == 1
    assert "cannot be written" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.sample(1)
@pytest.mark.skipif(os.name != "posix", reason="a shell that closes an output")
@pytest.mark.parametrize(
    "program",
    [
        ["main.py", "--provider", "offline", "hello"],
        ["librarian.py", "--provider", "offline", "x"],
        ["-m", "lessons", "list"],
    ],
)
def test_an_output_that_was_closed_before_the_start_is_no_trouble(program: list[str]):
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, *program]
    ran = subprocess.run(command, cwd=PROJECT, stderr=subprocess.PIPE, text=True, timeout=120)
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr


@pytest.mark.skipif(os.name != "posix", reason="a shell that closes an input")
def test_an_input_that_was_closed_before_the_start_holds_nothing_to_do():
    command = ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "main.py", "-"]
    ran = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 1
    assert "there is nothing to do. Say what, for example:" in ran.stderr
    assert "Traceback" not in ran.stderr
