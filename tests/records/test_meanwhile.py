"""A person who saves while the agent works on the very same file: nothing is lost, and nothing is reverted."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from catalogue import CATALOGUE, run_on

from agent.contracts import Reply, TokenUsage, ToolCall, ToolResult
from agent.events import Event
from call_functions import run_calls
from config import PROJECT, ConfigError
from functions.tool import Catalogue, Tool
from records.folders import folders, summary
from records.trace import Trace, new_folder
from records.undo import tree
from records.undo.keep import Keeper
from records.undo.meanwhile import first_difference
from records.undo.undo import Conflict, undo, undoable, undone_names
from sandbox.files import replace
from sandbox.files.root import Refusal, Root

pytestmark = pytest.mark.skipif(not tree.AVAILABLE, reason="no descriptors of directories here")
HOUR = "an hour of the person's work\n"


class Session:
    """A run on a directory of its own; `meanwhile` happens when a call has begun, before its tool does anything."""

    def __init__(self, base: Path, catalogue: Catalogue = CATALOGUE) -> None:
        self.top, self.runs, self.told = base / "work", base / "runs", []
        self.top.mkdir(exist_ok=True)
        self.root = Root(self.top)
        self.folder = new_folder(self.runs, "change things")
        self.trace = Trace(self.folder, {"prompt": "change things", "working_directory": str(self.root.path)})
        self.meanwhile: Callable[[], object] = lambda: None
        keeper = Keeper(self.folder, self.root, self.told.append, catalogue)
        self.run = run_on(self.root, [self.trace, keeper, self._listen], "offline", catalogue=catalogue)

    def _listen(self, event: Event) -> None:
        if event.kind == "call_started":
            self.meanwhile()

    def call(self, name: str, **arguments: object) -> ToolResult:
        return run_calls([ToolCall("id", name, arguments)], self.run)[0]

    def finish(self) -> None:
        self.run.finish("answered", "done")
        self.trace.close()

    def kept(self) -> str:
        return "".join(path.read_text() for path in (self.folder / "kept").iterdir() if not path.suffix)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = Session(tmp_path)
    (made.top / "a.txt").write_text("one\ntwo\n")
    yield made
    made.root.close()


def test_a_whole_file_is_not_written_over_what_was_saved_since_the_call_began(session: Session):
    a = session.top / "a.txt"
    session.meanwhile = lambda: a.write_text(f"one\n{HOUR}")
    result = session.call("write_file", file_path="a.txt", content="model\n")
    assert not result.ok
    assert result.content == (
        'Error: Cannot write to "a.txt" as somebody else changed it meanwhile (line 2 is now '
        '"an hour of the person\'s work"); read it again, then decide anew'
    )
    session.meanwhile = lambda: None
    session.finish()
    assert a.read_text() == f"one\n{HOUR}"
    assert not session.told


def test_nor_over_what_was_saved_while_the_person_was_asked(session: Session):
    call = ToolCall("id", "write_file", {"file_path": "a.txt", "content": "model\n"})
    session.run.replied(Reply("", (call,), TokenUsage(), "tool_calls", {}))
    (session.top / "a.txt").write_text(HOUR)
    assert "meanwhile" in run_calls([call], session.run)[0].content
    assert (session.top / "a.txt").read_text() == HOUR
    again = ToolCall("id2", "write_file", {"file_path": "a.txt", "content": "model\n"})
    session.run.replied(Reply("", (again,), TokenUsage(), "tool_calls", {}))
    assert run_calls([again], session.run)[0].ok, "who has heard of it may decide to write all the same"
    session.finish()
    undo(session.folder, session.runs)
    assert (session.top / "a.txt").read_text() == HOUR


def reply(session: Session, name: str, **arguments: object) -> ToolResult:
    """A whole turn, in which the person does what `meanwhile` says while the model thinks."""
    call = ToolCall("id", name, arguments)
    session.run.asking()
    session.meanwhile()
    session.run.replied(Reply("", (call,), TokenUsage(), "tool_calls", {}))
    meanwhile, session.meanwhile = session.meanwhile, lambda: None
    result = run_calls([call], session.run)[0]
    session.meanwhile = meanwhile
    return result


@pytest.mark.parametrize("before", ["nothing", "read", "written", "read, and code ran"])
def test_nor_over_what_was_saved_while_the_model_thought(session: Session, before: str):
    a = session.top / "a.txt"
    if before == "written":
        assert reply(session, "write_file", file_path="a.txt", content="one\ntwo\nthree\n").ok
    if before.startswith("read"):
        assert reply(session, "get_file_content", file_path="a.txt").ok
    if before.endswith("code ran"):
        assert reply(session, "write_file", file_path="code.py", content="print(1)\n").ok
        assert reply(session, "run_python_file", file_path="code.py").ok
    session.meanwhile = lambda: a.write_text(f"one\ntwo\n{HOUR}")
    result = reply(session, "write_file", file_path="a.txt", content="ONE\ntwo\n")
    assert "somebody else changed it meanwhile" in result.content
    assert a.read_text() == f"one\ntwo\n{HOUR}"
    session.meanwhile = lambda: None
    assert reply(session, "write_file", file_path="a.txt", content="ONE\n").ok, "it has heard of it"
    session.finish()
    if before != "written":  # else it is somebody's too
        undo(session.folder, session.runs, force=True)
        assert a.read_text() == f"one\ntwo\n{HOUR}"


@pytest.mark.parametrize("looked", [True, False])
def test_nor_over_what_the_person_made_while_the_model_thought(session: Session, looked: bool):
    if looked:
        assert not reply(session, "get_file_content", file_path="new.txt").ok
    session.meanwhile = lambda: (session.top / "new.txt").write_text(HOUR)
    assert "meanwhile" in reply(session, "write_file", file_path="new.txt", content="model\n").content
    assert (session.top / "new.txt").read_text() == HOUR


def test_what_the_runs_own_code_has_written_may_be_written_over(session: Session):
    assert reply(session, "get_file_content", file_path="a.txt").ok
    assert reply(session, "write_file", file_path="code.py", content="open('a.txt', 'w').write('by code')\n").ok
    assert reply(session, "run_python_file", file_path="code.py").ok
    assert reply(session, "write_file", file_path="a.txt", content="by a tool\n").ok


def test_a_file_that_was_renamed_while_code_ran_has_one_name_after_undo(session: Session):
    (session.top / "code.py").write_text(
        "import os, time\nopen('began', 'w').close()\nwhile not os.path.exists('b.txt'): time.sleep(0.01)\n"
    )

    def person() -> None:
        while not (session.top / "began").exists():
            time.sleep(0.01)
        (session.top / "a.txt").rename(session.top / "b.txt")

    thread = threading.Thread(target=person)
    thread.start()
    assert session.call("run_python_file", file_path="code.py").ok
    thread.join()
    session.finish()
    with pytest.raises(Conflict, match=r"a\.txt(.|\n)*b\.txt(.|\n)*--force"):
        undo(session.folder, session.runs)
    undo(session.folder, session.runs, force=True)
    assert (session.top / "a.txt").read_text() == "one\ntwo\n"
    assert not (session.top / "b.txt").exists()


def test_a_save_by_way_of_another_name_while_code_ran_leaves_no_second_copy_after_undo(session: Session):
    """As editors save: the whole text under another name, which then takes the file's place."""
    aside = session.top / ".a.txt.swp"
    aside.write_text(HOUR)
    (session.top / "code.py").write_text(
        "import os, time\nopen('began', 'w').close()\nwhile os.path.exists('.a.txt.swp'): time.sleep(0.01)\n"
    )

    def person() -> None:
        while not (session.top / "began").exists():
            time.sleep(0.01)
        aside.replace(session.top / "a.txt")

    assert session.call("write_file", file_path="new.txt", content="by a tool\n").ok
    thread = threading.Thread(target=person)
    thread.start()
    assert session.call("run_python_file", file_path="code.py").ok
    thread.join()
    session.finish()
    undone = undo(session.folder, session.runs)
    assert (undone.paths, undone.left) == (["new.txt"], [".a.txt.swp", "a.txt", "began"])
    assert (session.top / "a.txt").read_text() == HOUR
    assert not aside.exists()
    undo(session.folder, session.runs, force=True)
    assert (session.top / "a.txt").read_text() == "one\ntwo\n"


def test_two_writes_of_one_reply_to_a_file_are_no_meanwhile_for_each_other(session: Session):
    calls = [
        ToolCall("1", "write_file", {"file_path": "a.txt", "content": "first\n"}),
        ToolCall("2", "write_file", {"file_path": "code.py", "content": "open('a.txt', 'w').write('by code')"}),
        ToolCall("3", "run_python_file", {"file_path": "code.py"}),
        ToolCall("4", "write_file", {"file_path": "a.txt", "content": "second\n"}),
        ToolCall("5", "write_file", {"file_path": "a.txt", "content": "third\n"}),
    ]
    session.run.replied(Reply("", tuple(calls), TokenUsage(), "tool_calls", {}))
    assert [result.content for result in run_calls(calls, session.run) if not result.ok] == []


@pytest.mark.parametrize("change", ["deleted", "made"])
def test_a_file_that_the_person_deleted_or_made_meanwhile_stays_so(session: Session, change: str):
    path = "a.txt" if change == "deleted" else "new.txt"
    file = session.top / path
    session.meanwhile = file.unlink if change == "deleted" else lambda: file.write_text(HOUR)
    result = session.call("write_file", file_path=path, content="model\n")
    assert f"somebody else {change} it meanwhile" in result.content
    assert not file.exists() if change == "deleted" else file.read_text() == HOUR


def test_an_edit_is_made_in_the_text_that_was_saved_meanwhile_and_undo_takes_back_the_edit_alone(session: Session):
    a = session.top / "a.txt"
    session.meanwhile = lambda: a.write_text(f"one\ntwo\n{HOUR}")
    assert session.call("edit_file", file_path="a.txt", old_text="one", new_text="1").ok
    session.meanwhile = lambda: None
    session.finish()
    assert a.read_text() == f"1\ntwo\n{HOUR}"
    undo(session.folder, session.runs)
    assert a.read_text() == f"one\ntwo\n{HOUR}"


def test_between_two_edits_of_a_run_what_the_person_saved_is_not_reverted_unasked(session: Session):
    a = session.top / "a.txt"
    session.call("edit_file", file_path="a.txt", old_text="one", new_text="1")
    session.meanwhile = lambda: a.write_text(a.read_text() + HOUR)
    session.call("edit_file", file_path="a.txt", old_text="two", new_text="2")
    session.meanwhile = lambda: None
    session.finish()
    assert a.read_text() == f"1\n2\n{HOUR}"
    with pytest.raises(Conflict, match=r"a\.txt"):
        undo(session.folder, session.runs)
    assert a.read_text() == f"1\n2\n{HOUR}"


def test_a_person_who_appends_all_the_time_loses_no_line(tmp_path: Path):
    for number in range(10):
        session = Session(tmp_path / str(number)) if (tmp_path / str(number)).mkdir() is None else None
        assert session
        file, stop, lines = session.top / "a.txt", threading.Event(), []
        file.write_text("one\n" + "filler\n" * 2000)

        def person(file: Path = file, stop: threading.Event = stop, lines: list[str] = lines) -> None:
            while not stop.wait(0.0007):
                with file.open("a") as appended:
                    appended.write(f"P{len(lines)}\n")
                lines.append(f"\nP{len(lines)}\n")

        thread = threading.Thread(target=person)
        thread.start()
        while len(lines) < 3:
            os.sched_yield()
        session.call("edit_file", file_path="a.txt", old_text="one", new_text="two")
        stop.set()
        thread.join()
        session.finish()
        assert [line for line in lines if line not in file.read_text()] == []
        with contextlib.suppress(ConfigError):  # a conflict, or the edit was refused each time
            undo(session.folder, session.runs)
        assert [line for line in lines if line not in file.read_text()] == []
        session.root.close()


# One write, compared and swapped


@pytest.fixture(params=["all", "no exchange", "no lease", "neither"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param in ("no exchange", "neither"):
        monkeypatch.setattr(replace, "_renameat2", lambda: None)
    if request.param in ("no lease", "neither"):
        monkeypatch.setattr(replace, "_lease", lambda descriptor: False)
    return request.param


SAVES: dict[str, Callable[[Path], object]] = {
    "into the file": lambda file: file.write_text(HOUR),
    "of the same size": lambda file: file.write_text("ONE\nTWO\n"),
    "by another in its place": lambda file: (file.with_name("n").write_text(HOUR), file.with_name("n").replace(file)),
    "by deleting it": lambda file: file.unlink(),
}


@pytest.mark.parametrize("save", SAVES)
@pytest.mark.parametrize("change", ["change_text", "write_text", "remove"])
def test_a_save_between_the_look_and_the_swap_is_what_is_there_afterwards_or_what_was_worked_on(
    tmp_path: Path, system: str, save: str, change: str
):
    file, looks = tmp_path / "a.txt", []
    file.write_text("one\ntwo\n")

    def looked(
        path: str, kind: str, data: bytes = b"", held: replace.Held | None = None, computed: bool = False
    ) -> None:
        assert held
        looks.append(held.data)
        if len(looks) == 1:
            SAVES[save](file)

    with Root(tmp_path) as root:
        root.before_change = looked
        do: Callable[[], object] = {
            "remove": lambda: root.remove("a.txt"),
            "write_text": lambda: root.write_text("a.txt", "new"),
            "change_text": lambda: root.change_text("a.txt", lambda text: text + "more"),
        }[change]
        if save == "by deleting it" and change != "write_text":
            with pytest.raises(Refusal) as refused:
                do()
            assert refused.value.reason == "missing"
        else:
            do()
        saved = {"of the same size": b"ONE\nTWO\n", "by deleting it": None}.get(save, HOUR.encode())
        assert looks[0] == b"one\ntwo\n"
        assert looks[1:] == ([saved] if saved or change == "write_text" else []), (
            "what is replaced was told, to the byte"
        )
        assert [path.name for path in tmp_path.iterdir()] in (["a.txt"], [])
        if change == "change_text":
            assert saved is None or file.read_bytes() == saved + b"more"


@pytest.mark.parametrize("change", ["change_text", "write_text"])
def test_a_file_that_is_put_there_in_the_very_moment_of_the_swap_goes_back_to_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
):
    renamed, saves = replace._renamed, [SAVES["by another in its place"]]

    def saved_first(*arguments: object) -> bool:
        if saves:
            saves.pop()(tmp_path / "a.txt")
        return renamed(*arguments)

    (tmp_path / "a.txt").write_text("one\n")
    monkeypatch.setattr(replace, "_renamed", saved_first)
    seen = []
    with Root(tmp_path) as root:
        if change == "write_text":
            root.before_change = lambda path, kind, data, held, computed: seen.append(held.data)
            root.write_text("a.txt", "new")
            assert seen == [b"one\n", HOUR.encode()], "what was replaced was told"
        else:
            root.change_text("a.txt", lambda text: text + "more")
            assert (tmp_path / "a.txt").read_text() == f"{HOUR}more"
    assert not saves
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_who_opens_the_file_in_the_very_moment_of_the_swap_waits_and_writes_into_what_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file, waiting = tmp_path / "a.txt", threading.Event()
    file.write_text("one\n")
    renamed, threads = replace._renamed, []

    def person() -> None:
        waiting.set()
        with file.open("a") as appended:
            appended.write(HOUR)

    def opened_meanwhile(*arguments: object) -> bool:
        if not threads:
            threads.append(threading.Thread(target=person))
            threads[0].start()
            waiting.wait()
            until = time.monotonic() + 5
            while replace._still_leased(descriptors[0]) and time.monotonic() < until:
                os.sched_yield()
        return renamed(*arguments)

    descriptors, lease = [], replace._lease

    def leased(descriptor: int) -> bool:
        descriptors.insert(0, descriptor)
        return lease(descriptor)

    monkeypatch.setattr(replace, "_renamed", opened_meanwhile)
    monkeypatch.setattr(replace, "_lease", leased)
    with Root(tmp_path) as root:
        root.change_text("a.txt", lambda text: text.replace("one", "1"))
    threads[0].join()
    assert file.read_text() == f"1\n{HOUR}"


def test_who_has_the_file_open_for_writing_is_waited_for_and_not_passed_over(tmp_path: Path):
    (tmp_path / "log").write_text("one\n")
    with Root(tmp_path) as root, (tmp_path / "log").open("a") as log:
        with pytest.raises(Refusal, match="another program holds it"):
            root.write_text("log", "new")
        log.write("two\n")
    assert (tmp_path / "log").read_text() == "one\ntwo\n"


def test_two_processes_that_change_one_file_at_once_lose_nothing_of_each_other(tmp_path: Path):
    program = """if True:
        import sys
        from sandbox.files.root import Refusal, Root
        with Root(sys.argv[1]) as root:
            for number in range(60):
                while True:
                    try:
                        root.change_text("a.txt", lambda text: f"{text}{sys.argv[2]} {number}\\n")
                        break
                    except Refusal as refusal:
                        assert refusal.reason in ("changed", "busy"), refusal
    """
    (tmp_path / "a.txt").write_text("")
    command = [sys.executable, "-c", program, str(tmp_path)]
    processes = [subprocess.Popen([*command, name], cwd=PROJECT) for name in ("A", "B", "C")]
    assert [process.wait(120) for process in processes] == [0, 0, 0]
    lines = (tmp_path / "a.txt").read_text().splitlines()
    for name in ("A", "B", "C"):
        assert [line for line in lines if line[0] == name] == [f"{name} {number}" for number in range(60)]
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


# Undo is a transaction with a verdict


def stuck(path: Path) -> bool:
    return shutil.which("chattr") is not None and subprocess.run(["chattr", "+i", path], check=False).returncode == 0


def test_an_undo_that_failed_in_a_part_is_not_counted_as_done_and_can_be_tried_again(session: Session):
    (session.top / "b.txt").write_text("b\n")
    session.call("edit_file", file_path="a.txt", old_text="one", new_text="1")
    session.call("edit_file", file_path="b.txt", old_text="b", new_text="c")
    session.finish()
    if not stuck(session.top / "a.txt"):
        pytest.skip("no file can be made immutable here")
    try:
        undone = undo(session.folder, session.runs)
    finally:
        subprocess.run(["chattr", "-i", session.top / "a.txt"], check=True)
    assert (undone.paths, undone.whole) == (["b.txt"], False)
    assert [line for line in undone.failed if line.startswith("a.txt (")]
    assert undoable(session.runs) == session.folder, "it is not undone yet"
    again = undo(session.folder, session.runs)
    assert (again.paths, again.failed, again.whole) == (["a.txt"], [], True)
    assert (session.top / "a.txt").read_text() == "one\ntwo\n"


def test_an_undo_of_which_nothing_came_leaves_no_run(session: Session, tmp_path: Path):
    (session.top / "sub").mkdir()
    (session.top / "sub" / "x").write_text("one\n")
    session.call("edit_file", file_path="sub/x", old_text="one", new_text="two")
    session.finish()
    shutil.rmtree(session.top / "sub")
    (tmp_path / "elsewhere").mkdir()
    (session.top / "sub").symlink_to(tmp_path / "elsewhere")
    undone = undo(session.folder, session.runs, force=True)
    assert (undone.name, undone.paths, undone.whole) == ("", [], False)
    assert [path.name for path in session.runs.iterdir()] == [session.folder.name]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_the_person_saves_while_undo_is_at_work_is_not_replaced(session: Session, monkeypatch: pytest.MonkeyPatch):
    from records.undo import undo as module

    session.call("edit_file", file_path="a.txt", old_text="one", new_text="1")
    session.finish()
    put_back = module.put_back

    def saved_before(*arguments: object) -> dict[str, str]:
        (session.top / "a.txt").write_text(HOUR)
        return put_back(*arguments)

    monkeypatch.setattr(module, "put_back", saved_before)
    undone = undo(session.folder, session.runs)
    assert undone.failed == ["a.txt (somebody else has changed it just now)"]
    assert (session.top / "a.txt").read_text() == HOUR


def test_undo_without_a_name_is_about_the_persons_directory_and_not_about_a_forks_copy(
    session: Session, tmp_path: Path
):
    session.call("edit_file", file_path="a.txt", old_text="one", new_text="1")
    session.finish()
    fork = new_folder(session.runs, "fork")
    copy = fork / "files"
    copy.mkdir()
    with Root(copy) as root:
        trace = Trace(fork, {"prompt": "fork", "working_directory": str(copy), "forked": {"from": session.folder.name}})
        run = run_on(root, [trace, Keeper(fork, root, session.told.append, CATALOGUE)], "offline")
        assert run_calls([ToolCall("id", "write_file", {"file_path": "b.txt", "content": "b"})], run)[0].ok
        run.finish("answered", "done")
    assert undoable(session.runs) == session.folder
    assert undoable(session.runs, copy) == fork, "who names it means it"


def test_force_leaves_what_it_could_not_give_back(session: Session, monkeypatch: pytest.MonkeyPatch):
    session.call("write_file", file_path="data.bin", content="small")
    session.finish()
    monkeypatch.setattr(tree, "LARGEST_FILE", 1000)
    (session.top / "data.bin").write_bytes(os.urandom(2000))
    before = hashlib.sha256((session.top / "data.bin").read_bytes()).digest()
    undone = undo(session.folder, session.runs, force=True)
    assert not undone.whole
    assert "too large to be given back" in undone.failed[0]
    assert hashlib.sha256((session.top / "data.bin").read_bytes()).digest() == before


def test_a_file_that_is_too_large_to_keep_is_named_before_a_tool_overwrites_it(
    session: Session, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tree, "LARGEST_FILE", 1000)
    (session.top / "big.txt").write_bytes(b"line\n" * 1000)
    told: list[list[str]] = []
    session.meanwhile = lambda: told.append(list(session.told))
    assert session.call("write_file", file_path="big.txt", content="line\n" * 900).ok
    assert told == [["Undo cannot put back 'big.txt': too large to keep."]]


# At any moment


FILLER = "filler\n" * 500


def agents_work(base: Path) -> None:
    """One file, written, edited and deleted by three tools in turn, until somebody ends it."""

    def delete(root: Root, file_path: str) -> str:
        root.remove(file_path)
        return "deleted"

    schema = {"type": "object", "properties": {"file_path": {"type": "string"}}, "required": ["file_path"]}
    about = {"name": "delete", "description": "Delete.", "parameters": schema}
    tools = [CATALOGUE["write_file"], CATALOGUE["edit_file"]]
    catalogue = Catalogue(
        [*tools, Tool("delete", delete, about, reads_only=False, path="file_path", changes_files=True)]
    )
    session = Session(base, catalogue)
    for number in itertools.count():
        path = {"file_path": "shared.txt"}
        call = [
            ToolCall("id", "edit_file", {**path, "old_text": "BEGIN", "new_text": f"BEGIN\nM{number}"}),
            ToolCall("id", "edit_file", {**path, "old_text": f"M{number - 1}\n", "new_text": "done\n"}),
            ToolCall("id", "write_file", {**path, "content": f"BEGIN\n{number}\n{FILLER}"}),
            ToolCall("id", "delete", path),
        ][min(number % 9, 3) if number % 9 > 1 else number % 9]
        session.run.replied(Reply("", (call,), TokenUsage(), "tool_calls", {}))
        run_calls([call], session.run)


def in_a_process(work: Callable[[], object]) -> int:
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            work()
        os._exit(0)
    return child


class Person:
    """Adds lines to one file, in one of three ways of saving, and remembers which."""

    def __init__(self, file: Path, chance: random.Random) -> None:
        self._file, self._chance, self.lines = file, chance, list[str]()

    def saves(self) -> None:
        line, way = f"P{len(self.lines)}\n", self._chance.randrange(3)
        if way == 0:
            with self._file.open("a") as file:
                file.write(line)
        else:
            text = self._text()
            beside = self._file.with_name("shared.swp") if way == 1 else None
            if beside:  # another in its place, as long as that is still the text that was loaded
                beside.write_text(f"{text}{line}")
                if self._text() != text:
                    beside.unlink()
                    return
                beside.replace(self._file)
            else:
                with self._file.open("a") as file:
                    file.write(line[:1])
                    file.flush()
                    file.write(line[1:])
        self.lines.append(line)

    def _text(self) -> str:
        try:
            return self._file.read_text()
        except FileNotFoundError:  # the agent has deleted it
            return ""

    def missing(self, *places: Path) -> list[str]:
        """Those of the lines that are nowhere below these places."""
        texts = [path.read_bytes() for place in places for path in [place, *place.rglob("*")] if path.is_file()]
        return [line for line in self.lines if not any(b"\n" + line.encode() in b"\n" + text for text in texts)]


@pytest.mark.long
def test_a_person_who_saves_the_file_that_the_agent_works_on_at_any_moment_loses_nothing(tmp_path: Path):
    """Edits of the very file, kills, and undo at the same time: no line of the person's is lost, and none that stood in
    the file is reverted by an undo without --force."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance, moments, counted = random.Random(seed), 0, {True: 0, False: 0}
    for number in range(300):
        base = tmp_path / str(number)
        (base / "work").mkdir(parents=True)
        file, where = base / "work" / "shared.txt", f"seed {seed}, round {number}"
        file.write_text(f"BEGIN\n{FILLER}")
        person = Person(file, chance)
        child = in_a_process(lambda base=base: agents_work(base))
        try:
            while not list((base / "runs").glob("*/kept/before.json")):
                assert os.waitpid(child, os.WNOHANG) == (0, 0), where
                time.sleep(0.001)
            for _ in range(chance.choice([0, 0, 0, 2, 3, 4, 5, 6])):
                time.sleep(chance.uniform(0, 0.02))
                person.saves()
            time.sleep(chance.uniform(0, 0.06))
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        moments += len(person.lines)
        assert person.missing(base) == [], where
        folder = next(path for path in (base / "runs").iterdir() if not path.name.endswith("undo"))
        before = [line for line in person.lines if line not in person.missing(file)]
        undoing = in_a_process(lambda folder=folder, base=base: undo(folder, base / "runs"))
        also_now = chance.random() < 0.5
        while os.waitpid(undoing, os.WNOHANG) == (0, 0):
            time.sleep(chance.uniform(0, 0.003))
            if not also_now:
                continue
            saved = len(person.lines)
            person.saves()
            before += person.lines[saved:]
            if chance.random() < 0.1:
                os.kill(undoing, signal.SIGKILL)
        with contextlib.suppress(ConfigError):
            undo(folder, base / "runs")
        counted[folder.name in undone_names(map(summary, folders(base / "runs")))] += 1
        assert [line for line in person.missing(file) if line in before] == [], where
        assert person.missing(base) == [], where
        shutil.rmtree(base)
    print(f"{moments} moments while the agent worked; {counted[True]} undone, {counted[False]} refused")
    assert moments >= 500
    assert min(counted.values()) > 10


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (b"a\nb\n", b"a\nc\n", (2, "c")),
        (b"a\nb\n", b"a\n", (2, None)),
        (b"", "🙂".encode() * 100, (1, "🙂" * 80)),
        (b"a\n", b"a\n" + b"x" * 500 + b"\ny\n", (2, "x" * 80)),
    ],
)
def test_the_first_line_that_is_another_is_told_with_at_most_80_characters(
    before: bytes, now: bytes, told: tuple[int, str | None]
):
    assert first_difference(before, now) == told


def test_the_largest_file_that_is_kept_is_the_one_that_the_documentation_names():
    assert tree.LARGEST_FILE == 33_554_432  # 32 MiB
