"""The prompt of a conversation: edited where the terminal can draw, plain where not; what stands behind a slash."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from scripted import scripted

from cli.completion import AtTheCursor
from cli.edited_prompt import LONGEST_KEPT, history_in
from records.folders import folders, read_events, summary
from sandbox.files.root import Root

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
MARKED = "\x1b[200~{}\x1b[201~"  # a paste, as a terminal marks it
READY = "\x1b[?2004h"  # the prompt is there: it asks for pastes to be marked
COLOUR = re.compile(r"\x1b\[[0-9;]*[34][0-9][0-9;]*m|\x1b\[[0-9;]*9[0-9]m")
END = ("", "\x04")  # Ctrl-D


def talked(
    replies: Sequence[tuple[str, list]], says: Sequence[tuple[str, str]], place: Path, *options: str, **more: str
) -> tuple[list[list[str]], str]:
    """What the person said in each request of a conversation, and what was written to the terminal. Its runs are kept
    beside the working directory."""
    from pseudo_terminal import in_terminal

    with scripted(*replies) as server:
        environment = {**server.environment("lmstudio"), "RUNS_DIRECTORY": str(place.parent / "kept"), **more}
        written, code = in_terminal(["--workdir", str(place), *options], says=says, **environment)
        said = [[m["content"] for m in each["messages"] if m["role"] == "user"] for each in server.requests]
    assert code == 0, written
    assert "Traceback" not in written
    return said, written


@pytest.mark.parametrize(
    "pasted",
    [
        pytest.param(MARKED.format("one\ntwo\nthree"), id="marked"),
        pytest.param(MARKED.format("one\r\ntwo\r\nthree"), id="marked, other ends of lines", marks=pytest.mark.long),
        pytest.param("one\rtwo\rthree", id="not marked", marks=pytest.mark.long),
    ],
)
def test_a_paste_is_one_prompt_and_stands_there_until_enter(calculator: Path, pasted: str):
    says = [(READY, pasted), ("three", "\r"), ("The end.", ""), (READY, "\x04")]
    said, _ = talked([("The end.", [])], says, calculator)
    assert said == [["one\ntwo\nthree"]]


@pytest.mark.long
def test_earlier_prompts_come_back_also_of_several_lines_and_no_answer_to_a_question_is_kept(calculator: Path):
    write = ("write_file", {"file_path": "new", "content": "n"})
    first = [(READY, "first\nsecond"), ("second", "\r"), ("say what to do instead: ", "my secret\n"), ("Well.", "")]
    talked([("", [write]), ("Well.", [])], [*first, (READY, "\x04")], calculator, "--ask")
    kept = calculator.parent / "kept" / "prompts.edited"
    assert "+first\n+second\n" in kept.read_text()
    assert "secret" not in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600
    again = [(READY, "\x1b[A"), ("second", "\r"), ("The end.", ""), (READY, "\x04")]
    assert talked([("The end.", [])], again, calculator)[0] == [["first\nsecond"]]


def test_what_is_very_long_is_not_kept_for_the_arrow_keys(tmp_path: Path):
    history = history_in(tmp_path / "runs" / "prompts.edited")
    for text in ("short", "x" * (LONGEST_KEPT + 1)):
        history.store_string(text)
    assert list(history.load_history_strings()) == ["short"]
    (tmp_path / "file").write_text("")
    assert list(history_in(tmp_path / "file" / "prompts").load_history_strings()) == [], "and no error"


def test_what_no_run_has_taken_is_given_back_to_be_changed(calculator: Path):
    """Whole lines typed after the last call, and half of one."""
    (calculator / "wait.py").write_text("import time\nprint('here')\ntime.sleep(1)\n")
    says = [
        (READY, "go"),
        ("go", "\r"),
        ("lmstudio: ", "a line that comes too late\nand half"),
        ("The end.", ""),
        (READY, ""),
        ("and half", " of another"),
        ("of another", "\r"),
        ("The second end.", ""),
        (READY, "\x04"),
    ]
    said, _ = talked([("The end.", []), ("The second end.", [])], says, calculator)
    assert said[-1] == ["go", "a line that comes too late\nand half of another"]


@pytest.mark.parametrize("options", [(), ("--plain",)], ids=["edited", "plain"])
def test_ctrl_d_while_the_last_answer_comes_ends_the_conversation_after_it(calculator: Path, options: tuple[str, ...]):
    says = [(">", "go"), ("go", "\r"), ("lmstudio: ", "\x04"), ("The end.", "")]
    said, written = talked([("The end.", [])], says, calculator, *options)
    assert said == [["go"]]
    assert "The end." in written


def test_lines_and_ctrl_d_that_no_run_has_taken_are_a_last_prompt_of_the_plain_terminal(calculator: Path):
    says = [("> ", "go\n"), ("lmstudio: ", "one\ntwo\n\x04"), ("The end.", ""), ("The second end.", "")]
    said, written = talked([("The end.", []), ("The second end.", [])], says, calculator, "--plain")
    assert said == [["go"], ["go", "one\ntwo"]]
    assert "> one\r\n> two\r\n" in written


@pytest.mark.parametrize("options", [["--plain"], []], ids=["plain", "edited"])
def test_a_request_to_end_ends_a_conversation_at_its_prompt(calculator: Path, options: list[str]):
    from pseudo_terminal import in_terminal

    arguments = ["--provider", "offline", "--workdir", str(calculator), *options]
    written, code = in_terminal(arguments, says=[(READY, signal.SIGTERM), END])
    assert code == 130, written
    assert "Traceback" not in written


def test_a_request_to_end_ends_the_run_and_its_conversation(calculator: Path, tmp_path: Path):
    from pseudo_terminal import in_terminal

    (calculator / "endless.py").write_text("import time\nwhile True: time.sleep(1)\n")
    says = [(READY, "go\n"), ("Calling function: run_python_file", signal.SIGTERM), ("Interrupted.", "\x04")]
    with scripted(("", [("run_python_file", {"file_path": "endless.py"})])) as server:
        environment = {**server.environment("lmstudio"), "RUNS_DIRECTORY": str(tmp_path / "kept")}
        arguments = ["--plain", "--verbose", "--workdir", str(calculator)]
        written, code = in_terminal(arguments, says=says, **environment)
    assert code == 130, written
    assert summary(folders(tmp_path / "kept")[0]).stop_reason == "interrupted"


@pytest.mark.long
def test_the_prompt_is_written_in_the_persons_editor(calculator: Path, tmp_path: Path):
    editor = tmp_path / "editor"
    editor.write_text(f"#!{sys.executable}\nimport sys\nopen(sys.argv[1], 'a').write(' with\\nthe editor')\n")
    editor.chmod(0o700)
    says = [(READY, "begun"), ("begun", "\x18\x05"), ("the editor", "\r"), ("The end.", ""), (READY, "\x04")]
    said, _ = talked([("The end.", [])], says, calculator, EDITOR=str(editor), VISUAL="")
    assert said == [["begun with\nthe editor"]]


def test_a_command_and_a_file_are_completed(calculator: Path):
    says = [
        (READY, "/mo"),
        ("ask another model", "\t\r\r"),  # goes to what is offered, takes it, sends it
        ("lmstudio: ", ""),
        (READY, "read @lore"),
        ("lorem.txt", "\t\r\r"),
        ("The end.", ""),
        (READY, "\x04"),
    ]
    said, _ = talked([("The end.", [])], says, calculator)
    assert said == [["read lorem.txt"]]


@pytest.mark.long
def test_without_colours_the_prompt_has_all_its_keys_and_no_colour(calculator: Path):
    says = [
        (READY, "/mo"),
        ("ask another model", "\x03"),
        (READY, "go"),
        ("go", "\r"),
        ("The end.", ""),
        (READY, "\x04"),
    ]
    assert "\x1b[0;38;5;" in talked([("The end.", [])], says, calculator)[1], "the list is shown in colours"
    assert not COLOUR.search(talked([("The end.", [])], says, calculator, NO_COLOR="1")[1])


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "environment"), [(["--plain"], {}), ([], {"TERM": "dumb"})], ids=["--plain", "TERM=dumb"]
)
def test_a_plain_terminal_gets_no_command_but_lines(calculator: Path, options: list[str], environment: dict[str, str]):
    says = [("> ", "go\n"), ("The end.", "/help\n"), ("this", "/quit\n")]
    said, written = talked([("The end.", [])], says, calculator, *options, **environment)
    assert said == [["go"]]
    assert "\x1b" not in written.replace("\x1b[?2004h", "").replace("\x1b[?2004l", ""), "but readline's own"
    assert "Ctrl-X" not in written, "it has no such key"


@pytest.mark.long
def test_without_the_package_the_prompt_is_plain(calculator: Path, tmp_path: Path):
    (tmp_path / "none" / "prompt_toolkit").mkdir(parents=True)
    hidden = "import sys\nfrom importlib.machinery import PathFinder\nfind = PathFinder.find_spec\n"
    hidden += "PathFinder.find_spec = lambda name, *more: None if name == 'prompt_toolkit' else find(name, *more)\n"
    (tmp_path / "none" / "sitecustomize.py").write_text(hidden)
    (tmp_path / "none" / "prompt_toolkit").rmdir()
    says = [("> ", "one\ntwo\n"), ("The end.", "/quit\n")]
    said, _ = talked([("The end.", [])], says, calculator, PYTHONPATH=str(tmp_path / "none"))
    assert said == [["one\ntwo"]]
    assert (tmp_path / "kept" / "prompts").exists()


def offered(completer: AtTheCursor, text: str) -> list[str]:
    found = completer.get_completions(Document(text), CompleteEvent(text_inserted=True))
    return [text[: len(text) + each.start_position] + each.text for each in found]


def test_files_are_offered_from_the_working_directory_alone(project: Callable[[dict[str, str]], Path], tmp_path: Path):
    place = project(
        {"pkg/reader.py": "", "read me.md": "", "already_read/other.py": "", ".git/read": "", "re\x1b[2Jad": ""}
    )
    (tmp_path / "read_outside.py").write_text("")
    (place / "read_link.py").symlink_to(tmp_path / "read_outside.py")
    (place / "read_up").symlink_to(tmp_path)
    with Root(place) as root:
        completer = AtTheCursor({}, lambda: (path for path, _ in root.walk(".")))
        first = ["see pkg/reader.py", "see read me.md"]  # whose names begin so
        assert offered(completer, "see @read") == [*first, "see already_read/other.py"]
        assert offered(completer, "see @ALREADY_READ/") == ["see already_read/other.py"]
        for nothing in ("see @../", "see @outside", "see@read", "see @read me", "@read "):
            assert offered(completer, nothing) == [], nothing
        (place / "reading").write_text("")
        assert "reading" not in offered(completer, "@read")
        completer.forget()
        assert "reading" in offered(completer, "@read"), "the next prompt looks again"


def test_commands_are_offered_at_the_beginning_and_their_words_behind_them():
    commands = {"/undo": ("", lambda: ["run-a", "run-b"]), "/use": ("", tuple), "/new": ("", tuple)}
    completer = AtTheCursor(commands, tuple)
    assert offered(completer, "/u") == ["/undo", "/use"]
    assert offered(completer, "/undo b") == ["/undo run-b"]
    assert offered(completer, "say /u") == offered(completer, "/unknown x") == offered(completer, "/undo a b") == []


def test_commands_list_fork_and_undo_runs_and_go_over_to_another_job(calculator: Path):
    edit = ("edit_file", {"file_path": "pkg/calculator.py", "old_text": '"+": 3,', "new_text": '"+": 1,'})
    before = (calculator / "pkg" / "calculator.py").read_text()
    says = [
        ("> ", "go\n"),
        ("It is edited.", "/runs\n"),
        ("answered", "/fork 99\n"),
        ("Error: ", "/fork 4\n"),
        ("goes on where it was", "/fork\n"),
        ("expected one argument", "/undo\n"),
        ("is undone", "/model other\n"),
        ("lmstudio: other", "/job nobody\n"),
        ("no job 'nobody'", "/job notekeeper\n"),
        ("Working in", "/quit\n"),
    ]
    replies = [("", [edit]), ("It is edited.", []), ("It is edited.", []), ("In the fork.", []), ("In the fork.", [])]
    environment = {"GLASSBOX_VERIFY": "off"}
    talked(replies, says, calculator, "--plain", **environment)
    assert (calculator / "pkg" / "calculator.py").read_text() == before
    kept = [next(iter(read_events(folder))) for folder in folders(calculator.parent / "kept")]
    assert sum(bool(first.get("forked")) for first in kept) == 1
