"""Undo: what a run changed comes back exactly, what a person changed is never lost."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import random
import shutil
import stat
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, browser, untroubled
from catalogue import CATALOGUE, run_on
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scripted import scripted
from warm_start import Started, WarmStart

from agent.contracts import ToolCall, ToolResult
from agent.events import CallFinished, CallStarted
from call_functions import run_calls
from cli import commands
from config import PROJECT, ConfigError, Settings
from functions.tool import Catalogue, Tool
from records.folders import read_events, result_of
from records.page import page_of, run_data
from records.trace import Trace, new_folder
from records.undo import tree
from records.undo.keep import Keeper
from records.undo.put_back import CHANGED, put_back
from records.undo.tree import Place, identity_of
from records.undo.undo import Conflict, diff, undo, undoable
from sandbox.files.root import Root

Main = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = pytest.mark.skipif(not tree.AVAILABLE, reason="no descriptors of directories here")


def fingerprint(directory: Path) -> str:
    """A hash of every name, kind, mode and content below a directory."""
    digest = hashlib.sha256()
    for path in sorted(directory.rglob("*")):
        status = path.lstat()
        digest.update(f"{path.relative_to(directory)!r} {status.st_mode}".encode("utf-8", "surrogateescape"))
        if stat.S_ISLNK(status.st_mode):
            digest.update(os.fsencode(path.readlink()))
        elif stat.S_ISREG(status.st_mode):
            digest.update(path.read_bytes())
    return digest.hexdigest()


class Agent:
    """A run on a directory of its own, told by the test what to call."""

    def __init__(self, base: Path) -> None:
        self.top, self.runs, self.told = base / "work", base / "runs", []
        self.top.mkdir(exist_ok=True)
        self.root = Root(self.top)
        self.folder = new_folder(self.runs, "change things")
        self.keeper = Keeper(self.folder, self.root, self.told.append, CATALOGUE)
        trace = Trace(self.folder, {"prompt": "change things", "working_directory": str(self.root.path)})
        self.run = run_on(self.root, [trace, self.keeper], "offline")

    def call(self, name: str, **arguments: object) -> str:
        calls = [ToolCall("id", name, arguments)]
        result = run_calls(calls, self.run)[0]
        assert result.ok, result.content
        return result.content

    def code(self, text: str) -> str:
        """Run code of the model's, which is no file of its working directory's before the run."""
        self.call("write_file", file_path="run_me.py", content=f"import os, pathlib\n{text}\n")
        return self.call("run_python_file", file_path="run_me.py")

    def finish(self) -> None:
        self.run.finish("answered", "done")

    def undo(self, force: bool = False) -> str:
        return undo(self.folder, self.runs, force=force).name


def wrote(base: Path, path: str, content: str) -> Agent:
    """A run that has written one file, and is over."""
    made = Agent(base)
    made.call("write_file", file_path=path, content=content)
    made.finish()
    return made


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    made = Agent(tmp_path)
    (made.top / "pkg").mkdir()
    (made.top / "pkg" / "a.py").write_text("one\ntwo\nthree\n")
    (made.top / "binary").write_bytes(bytes(range(256)))
    (made.top / "script.sh").write_text("#!/bin/sh\n")
    (made.top / "script.sh").chmod(0o750)
    (made.top / "empty").mkdir()
    yield made
    made.root.close()


CHANGES = """
pathlib.Path("made/deep").mkdir(parents=True)
pathlib.Path("made/deep/new.txt").write_text("new")
pathlib.Path("binary").write_bytes(b"\\0" * 10)
os.chmod("script.sh", 0o700)
os.remove("pkg/a.py"); os.rmdir("pkg")
os.rmdir("empty"); pathlib.Path("empty").write_text("a file now")
os.mkdir("ümlaut"); os.symlink("..", "ümlaut/out")
"""


def test_everything_that_code_did_is_put_back_and_the_undo_can_be_undone(agent: Agent):
    before = fingerprint(agent.top)
    agent.code(CHANGES)
    agent.finish()
    after = fingerprint(agent.top)
    assert after != before
    name = agent.undo(force=True)
    assert fingerprint(agent.top) == before
    redone = undo(agent.runs / name, agent.runs).name
    assert fingerprint(agent.top) == after
    undo(agent.runs / redone, agent.runs)
    assert fingerprint(agent.top) == before


@pytest.mark.parametrize("instead", ["pathlib.Path('pkg').write_text('a file now')", "os.symlink('empty', 'pkg')"])
def test_a_full_folder_in_whose_place_code_put_something_else_comes_back_whole(agent: Agent, instead: str):
    before = fingerprint(agent.top)
    agent.code(f"os.remove('pkg/a.py'); os.rmdir('pkg'); {instead}")
    agent.finish()
    after = fingerprint(agent.top)
    undone = undo(agent.folder, agent.runs, force=True)
    assert (undone.failed, undone.whole) == ([], True)
    assert fingerprint(agent.top) == before
    undo(agent.runs / undone.name, agent.runs)
    assert fingerprint(agent.top) == after


def test_a_folder_alone_is_taken_back_though_there_are_no_bytes_of_it_to_keep(agent: Agent):
    (agent.top / "make.py").write_text("import os; os.mkdir('made')\n")
    before = fingerprint(agent.top)
    agent.call("run_python_file", file_path="make.py")
    agent.finish()
    name = agent.undo(force=True)
    assert fingerprint(agent.top) == before
    undo(agent.runs / name, agent.runs)
    assert (agent.top / "made").is_dir()


def test_what_a_run_never_touched_is_not_in_its_folder(agent: Agent):
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.call("edit_file", file_path="pkg/a.py", old_text="2", new_text="zwei")
    agent.finish()
    copies = {path.name for path in (agent.folder / "kept").iterdir()}
    contents = [b"one\ntwo\nthree\n", b"one\n2\nthree\n", b"one\nzwei\nthree\n"]
    assert copies == {
        "before.json",
        "after.json",
        "calls.jsonl",
        *(hashlib.sha256(each).hexdigest() for each in contents),
    }


def test_a_person_who_changed_a_file_since_is_asked_first(agent: Agent):
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.call("write_file", file_path="new.txt", content="n")
    agent.finish()
    (agent.top / "pkg" / "a.py").write_text("mine\n")
    (agent.top / "untouched by the run").write_text("mine too\n")
    with pytest.raises(Conflict, match=r"pkg/a\.py(.|\n)*--force") as refused:
        agent.undo()
    assert "new.txt" not in str(refused.value)
    assert (agent.top / "new.txt").exists(), "nothing may be undone when something is refused"
    name = agent.undo(force=True)
    assert (agent.top / "pkg" / "a.py").read_text() == "one\ntwo\nthree\n"
    assert (agent.top / "untouched by the run").read_text() == "mine too\n"
    undo(agent.runs / name, agent.runs)
    assert (agent.top / "pkg" / "a.py").read_text() == "mine\n"


def test_what_the_person_changed_during_the_run_is_the_persons(agent: Agent):
    agent.call("write_file", file_path="new.txt", content="n")
    (agent.top / "binary").write_bytes(b"saved in an editor")
    (agent.top / "new.txt").write_text("the person's")
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.finish()
    with pytest.raises(Conflict, match=r"new\.txt"):
        agent.undo()
    agent.undo(force=True)
    assert (agent.top / "binary").read_bytes() == b"saved in an editor"
    assert (agent.top / "pkg" / "a.py").read_text() == "one\ntwo\nthree\n"


def test_what_a_person_saves_after_undo_has_looked_is_left(agent: Agent, monkeypatch: pytest.MonkeyPatch):
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.finish()
    file = agent.top / "pkg" / "a.py"

    def saved_meanwhile(*arguments: Any) -> Path:  # after the look for conflicts, before the files are read to be kept
        file.write_text("the person's")
        return new_folder(*arguments)

    monkeypatch.setattr("records.undo.undo.new_folder", saved_meanwhile)
    undone = undo(agent.folder, agent.runs)
    assert file.read_text() == "the person's"
    assert (undone.name, undone.paths, undone.whole) == ("", [], False)
    assert undone.failed == [f"pkg/a.py ({CHANGED})"]


@pytest.mark.parametrize("target", ["a.py", "z.py"])
def test_a_link_that_a_person_turns_elsewhere_while_undo_works_is_left(
    target: str, agent: Agent, monkeypatch: pytest.MonkeyPatch
):
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.finish()
    link = agent.top / "pkg" / "a.py"
    link.unlink()
    link.symlink_to("m.py")

    def turned_meanwhile(*arguments: Any) -> dict[str, str]:
        link.unlink()
        link.symlink_to(target)
        return put_back(*arguments)

    monkeypatch.setattr("records.undo.undo.put_back", turned_meanwhile)
    undone = undo(agent.folder, agent.runs, force=True)
    assert str(link.readlink()) == target
    assert undone.failed == [f"pkg/a.py ({CHANGED})"]


def test_undo_follows_no_link_that_stands_where_a_directory_was(agent: Agent, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.py").write_text("not yours")
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.finish()
    (agent.top / "pkg").rename(agent.top / "moved")
    (agent.top / "pkg").symlink_to(outside)
    undone = undo(agent.folder, agent.runs, force=True)
    assert (outside / "a.py").read_text() == "not yours"
    assert undone.failed


def test_a_file_too_large_to_keep_is_named_and_left(agent: Agent, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tree, "LARGEST_FILE", 1000)
    (agent.top / "large").write_bytes(b"x" * 5000)
    agent.code("pathlib.Path('large').write_bytes(b'y' * 5000)")
    agent.finish()
    undone = undo(agent.folder, agent.runs, force=True)
    assert [line for line in undone.failed if line.startswith("large (too large")]
    assert undone.whole, "what could never be put back is nothing for another time"
    assert [line for line in agent.told if "'large'" in line], "it is told before the code runs, and at the end"
    assert (agent.top / "large").read_bytes() == b"y" * 5000
    assert not (agent.top / "run_me.py").exists()


def test_in_a_directory_of_very_many_files_the_tools_own_writes_are_kept(agent: Agent, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tree, "MOST_ENTRIES", 3)
    before = fingerprint(agent.top)
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.call("write_file", file_path="brand/new.txt", content="n")
    agent.finish()
    agent.undo()
    assert fingerprint(agent.top) == before


def test_where_there_are_too_many_files_for_codes_changes_it_is_said_before_and_after(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tree, "MOST_ENTRIES", 3)
    agent.code("pathlib.Path('binary').write_bytes(b'y')")
    assert [line for line in agent.told if "does not cover what code changes" in line]
    said_before = len(agent.told)
    agent.finish()
    assert len(agent.told) == said_before + 1
    agent.undo()
    assert not (agent.top / "run_me.py").exists()
    assert (agent.top / "binary").read_bytes() == b"y"


@pytest.mark.parametrize("killed", [False, True])
def test_code_cannot_switch_undo_off_by_making_too_many_files(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, killed: bool
):
    monkeypatch.setattr(tree, "MOST_ENTRIES", 20)
    agent.code("pass")
    many = "pathlib.Path('binary').write_bytes(b'y'); os.remove('script.sh')\nfor n in range(30): open(f'{n}', 'w').close()"
    if killed:
        agent.keeper(CallStarted(ToolCall("id", "run_python_file", {"file_path": "x.py"})))
        (agent.top / "binary").write_bytes(b"y")
        (agent.top / "script.sh").unlink()
        for number in range(30):
            (agent.top / str(number)).touch()
    else:
        agent.code(many)
        assert [line for line in agent.told if line.startswith("Code made more than")]
        agent.finish()
    undo(agent.folder, agent.runs, force=True)
    assert (agent.top / "binary").read_bytes() == bytes(range(256))
    assert stat.S_IMODE((agent.top / "script.sh").stat().st_mode) == 0o750
    assert (agent.top / "29").exists(), "which is what was told"


def test_without_anything_to_undo_it_says_so(agent: Agent):
    agent.finish()
    with pytest.raises(ConfigError, match="changed no file"):
        agent.undo()
    with pytest.raises(ConfigError, match="no run left"):
        undoable(agent.runs)


def test_undo_without_a_name_takes_back_one_run_after_the_other(tmp_path: Path):
    first, second = wrote(tmp_path, "a", "1"), wrote(tmp_path, "a", "2")
    assert undoable(first.runs) == second.folder
    name = second.undo()
    assert undoable(first.runs) == first.folder
    undo(first.runs / name, first.runs)
    assert undoable(first.runs) == second.folder


def applied(patch: bytes, directory: Path, *options: str) -> None:
    subprocess.run(["git", "apply", *options, "-"], cwd=directory, input=patch, check=True, timeout=60)


@pytest.fixture
def copy(agent: Agent, tmp_path: Path) -> Path:
    """What git apply works on: the directory as it was, outside of any repository."""
    made = tmp_path / "copy"
    subprocess.run(["cp", "-a", str(agent.top), str(made)], check=True)
    return made


def test_the_patch_of_a_run_is_one_that_git_applies_both_ways(agent: Agent, copy: Path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(copy.parent))
    agent.code(CHANGES.replace('os.rmdir("empty"); ', "").replace('Path("empty")', 'Path("a \\"name\\"\\twith ü")'))
    agent.finish()
    patch = diff(agent.folder)
    applied(patch, copy)
    files = {path.relative_to(agent.top): path for path in agent.top.rglob("*") if not path.is_dir()}
    assert {path.relative_to(copy) for path in copy.rglob("*") if not path.is_dir()} == set(files)
    for name, path in files.items():
        assert path.is_symlink() or (copy / name).read_bytes() == path.read_bytes()
    applied(patch, copy, "--reverse")
    assert (copy / "binary").read_bytes() == bytes(range(256))


def test_a_place_never_leaves_the_directory_when_folders_are_moved_away_or_replaced_by_links(tmp_path: Path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside / "a" / "b", inside / "a" / "c", inside / "e", outside / "c", outside / "b"):
        folder.mkdir(parents=True)
    (inside / "l").symlink_to(outside)
    top = os.open(inside, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with Place(top) as place:
            place.go(["a", "b"])
            (inside / "a" / "b").rename(outside / "moved")
            assert identity_of(place.go(["a", "c"])) == identity(inside / "a" / "c"), "and not outside/c"
            for way in (["l"], ["l", "c"], ["a", "gone"]):
                with pytest.raises(OSError, match="link|directory"):
                    place.go(way)
            assert identity_of(place.go(["e"])) == identity(inside / "e")
            assert identity_of(place.go([])) == identity(inside)
    finally:
        os.close(top)


def identity(path: Path) -> tuple[int, int]:
    return path.stat().st_dev, path.stat().st_ino


lines = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\r\n", b"\xff\n", b"last"]), max_size=30).map(b"".join)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=lines, new=lines)
def test_any_change_of_lines_is_a_patch_that_git_applies(old: bytes, new: bytes, tmp_path: Path):
    from records.undo.patch import patch
    from records.undo.tree import Entry

    pair = Entry("file", 0o644, "old"), Entry("file", 0o644, "new")
    text = patch({"f": pair}, {"old": old, "new": new}.__getitem__)
    (tmp_path / "f").write_bytes(old)
    if old != new:
        applied(text, tmp_path, "--unsafe-paths", f"--directory={tmp_path}")
    assert (tmp_path / "f").read_bytes() == new


def test_diff_and_undo_from_the_command_line(run_main: Main, calculator: Path, tmp_path: Path):
    runs = {"RUNS_DIRECTORY": str(tmp_path / "kept")}
    before = fingerprint(calculator)
    assert run_main("--undo", **runs).returncode == 1
    edit = ("edit_file", {"file_path": "pkg/calculator.py", "old_text": '"+": 3,', "new_text": '"+": 1,'})
    with scripted(("", [edit, ("run_tests", {})]), ("Done.", [])) as server:
        ran = run_main("fix the bug", "--workdir", str(calculator), **server.environment("lmstudio"), **runs)
    assert "Changed pkg/calculator.py +1" in ran.stderr
    patch = run_main("--diff", **runs).stdout
    assert '-            "+": 3,' in patch
    undone = run_main("--undo", **runs)
    assert undone.returncode == 0, undone.stderr
    assert "Put back pkg/calculator.py" in undone.stderr
    assert fingerprint(calculator) == before
    assert "(undone)" in run_main("--runs", **runs).stdout
    assert run_main("--undo", undone.stderr.split()[-1], **runs).returncode == 0
    assert fingerprint(calculator) != before


def test_a_disk_that_cannot_keep_is_told_once_and_the_tools_go_on(agent: Agent):
    (agent.folder / "kept").write_text("in the way")
    agent.call("write_file", file_path="new.txt", content="n")
    agent.call("write_file", file_path="new.txt", content="m")
    agent.finish()
    assert len(agent.told) == 1
    assert "cannot be undone" in agent.told[0]


def test_what_a_call_did_that_a_kill_left_at_work_is_undone_when_the_person_says_so(agent: Agent):
    before = fingerprint(agent.top)
    call = ToolCall("id", "run_python_file", {"file_path": "x.py"})
    agent.keeper(CallStarted(call))
    (agent.top / "half").write_text("written by the call, when the agent was killed")
    assert b"half" in diff(agent.folder)
    with pytest.raises(Conflict, match="half"):
        agent.undo()
    agent.undo(force=True)
    assert fingerprint(agent.top) == before


def test_what_the_person_saved_while_code_ran_is_left(agent: Agent):
    call = ToolCall("id", "run_python_file", {"file_path": "x.py"})
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.keeper(CallStarted(call))
    (agent.top / "binary").write_bytes(b"an hour of work")
    (agent.top / "script.sh").unlink()
    agent.keeper(CallFinished(ToolResult(call, "", True, 0.0)))
    agent.finish()
    undone = undo(agent.folder, agent.runs)
    assert undone.left == ["binary"]
    assert (agent.top / "binary").read_bytes() == b"an hour of work"
    assert (agent.top / "pkg" / "a.py").read_text() == "one\ntwo\nthree\n"
    assert (agent.top / "script.sh").exists(), "what was deleted comes back: nothing is lost by that"
    undo(agent.folder, agent.runs, force=True)
    assert (agent.top / "binary").read_bytes() == bytes(range(256))


def test_a_folder_is_left_that_holds_what_is_left(agent: Agent):
    agent.call("write_file", file_path="new/mine.txt", content="the run's")
    agent.code("pathlib.Path('new/out.txt').write_text('from code')")
    agent.finish()
    undone = undo(agent.folder, agent.runs)
    assert undone.left == ["new", "new/out.txt"]
    assert undone.failed == []
    assert [path.name for path in (agent.top / "new").iterdir()] == ["out.txt"]
    undo(agent.folder, agent.runs, force=True)
    assert not (agent.top / "new").exists()


def test_a_folder_of_the_runs_in_which_the_person_put_a_file_is_left_and_all_is_undone(tmp_path: Path):
    first, second = wrote(tmp_path, "a", "1"), wrote(tmp_path, "made/b.txt", "2")
    (second.top / "made" / "mine.txt").write_text("the person's")
    undone = undo(second.folder, second.runs)
    assert (undone.failed, undone.whole) == (["made (it holds what is not the run's)"], True)
    assert [path.name for path in (second.top / "made").iterdir()] == ["mine.txt"]
    assert undoable(first.runs) == first.folder


def test_what_the_person_changed_between_two_calls_belongs_to_what_was_there(agent: Agent):
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    (agent.top / "script.sh").write_text("#!/bin/sh\n# my own line\n")
    agent.call("edit_file", file_path="script.sh", old_text="#!/bin/sh", new_text="#!/bin/bash")
    agent.finish()
    agent.undo()
    assert (agent.top / "script.sh").read_text() == "#!/bin/sh\n# my own line\n"


@pytest.mark.parametrize("later", ["the same file again", "code"])
def test_what_both_changed_is_not_put_back_unasked(agent: Agent, later: str):
    agent.call("write_file", file_path="new.txt", content="n")
    (agent.top / "new.txt").write_text("the person's, n")
    if later == "code":
        agent.code("print('nothing to do with it')")
    else:
        agent.call("edit_file", file_path="new.txt", old_text=", n", new_text=", m")
    agent.finish()
    left = (agent.top / "new.txt").read_text()
    with pytest.raises(Conflict, match=r"new\.txt"):
        agent.undo()
    assert (agent.top / "new.txt").read_text() == left
    agent.undo(force=True)
    assert not (agent.top / "new.txt").exists()


def test_what_was_there_when_a_tool_refused_is_not_the_runs(agent: Agent):
    call = ToolCall("id", "write_file", {"file_path": "made/by/me.txt", "content": "x"})
    agent.keeper(CallStarted(call))
    (agent.top / "made" / "by").mkdir(parents=True)
    (agent.top / "made" / "by" / "me.txt").write_text("the person's")
    agent.keeper(CallFinished(ToolResult(call, "Error: no", False, 0.0)))
    agent.call("write_file", file_path="other.txt", content="x")
    agent.finish()
    agent.undo()
    assert (agent.top / "made" / "by" / "me.txt").read_text() == "the person's"


def test_environments_and_installed_packages_are_watched_too(agent: Agent):
    (agent.top / "node_modules" / "left").mkdir(parents=True)
    (agent.top / "node_modules" / "left" / "index.js").write_text("old\n")
    (agent.top / "venv").mkdir()
    (agent.top / "venv" / "keep.txt").write_text("precious\n")
    before = fingerprint(agent.top)
    agent.call("write_file", file_path="node_modules/left/index.js", content="new\n")
    agent.code("os.remove('venv/keep.txt')")
    agent.finish()
    assert b"-precious" in diff(agent.folder)
    agent.undo()
    assert fingerprint(agent.top) == before


def test_an_environment_too_large_to_keep_is_told_before_code_runs(agent: Agent, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tree, "MOST_BYTES_MADE", 1000)
    (agent.top / "venv" / "lib").mkdir(parents=True)
    (agent.top / "venv" / "lib" / "large").write_bytes(b"x" * 2000)
    agent.code("os.remove('venv/lib/large'); os.remove('binary')")
    agent.finish()
    assert [line for line in agent.told if "'venv'" in line]
    agent.undo()
    assert (agent.top / "binary").exists()
    assert not (agent.top / "venv" / "lib" / "large").exists()


@pytest.mark.long
def test_a_tree_of_any_depth_is_seen_and_taken_back(agent: Agent, request: pytest.FixtureRequest):
    before = fingerprint(agent.top)
    # What a failure leaves behind is deeper than shutil.rmtree can go.
    request.addfinalizer(lambda: subprocess.run(["rm", "-rf", str(agent.top / "d")], check=True))
    agent.code("for _ in range(1500): os.mkdir('d'); os.chdir('d')")
    agent.finish()
    patch_and_page = diff(agent.folder)
    assert b"run_me.py" in patch_and_page
    undone = undo(agent.folder, agent.runs, force=True)
    assert undone.failed == []
    assert fingerprint(agent.top) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_comes_back_with_the_file(agent: Agent):
    os.chown(agent.top / "script.sh", 1000, 1001)
    agent.call("write_file", file_path="script.sh", content="#!/bin/bash\n")
    agent.finish()
    agent.undo()
    status = (agent.top / "script.sh").stat()
    assert (status.st_uid, status.st_gid) == (1000, 1001)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_comes_back_with_what_had_been_deleted(agent: Agent):
    (agent.top / "pkg" / "link").symlink_to("a.py")
    for path in ("pkg", "pkg/a.py", "pkg/link"):
        os.chown(agent.top / path, 1000, 1001, follow_symlinks=False)
    agent.code("import shutil; shutil.rmtree('pkg')")
    agent.finish()
    agent.undo()
    for path in ("pkg", "pkg/a.py", "pkg/link"):
        status = (agent.top / path).lstat()
        assert (status.st_uid, status.st_gid) == (1000, 1001), path


def test_files_are_not_put_into_a_directory_that_took_the_place_of_the_runs(agent: Agent):
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.top.rename(agent.top.with_name("away"))
    (agent.top / "pkg").mkdir(parents=True)
    (agent.top / "pkg" / "a.py").write_text("one\n2\nthree\n")
    agent.call("write_file", file_path="more.txt", content="into the directory that is held")
    agent.finish()
    with pytest.raises(ConfigError, match="another has taken its place"):
        agent.undo()
    assert (agent.top / "pkg" / "a.py").read_text() == "one\n2\nthree\n"
    agent.top.joinpath("pkg", "a.py").unlink()
    agent.top.joinpath("pkg").rmdir()
    agent.top.rmdir()
    agent.top.with_name("away").rename(agent.top)
    agent.undo()
    assert not (agent.top / "more.txt").exists()
    assert (agent.top / "pkg" / "a.py").read_text() == "one\ntwo\nthree\n"


@pytest.mark.long
def test_a_run_killed_at_any_moment_leaves_a_trace_that_reads_and_is_undone_byte_for_byte(
    calculator: Path, tmp_path: Path, start: Start
):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    moments, runs = random.Random(seed), tmp_path / "kept"
    (calculator / "scribble.py").write_text(
        "import os, time\n"
        "for number in range(200):\n"
        "    os.makedirs(f'out/{number % 7}', exist_ok=True)\n"
        "    open(f'out/{number % 7}/{number}', 'w').write('x' * number * 50)\n"
        "    open('lorem.txt', 'a').write('more')\n"
        "    time.sleep(0.002)\n"
    )
    before = fingerprint(calculator)
    changed = 0
    for number in range(50):
        prompt = ["fix the bug", "run scribble.py"][number % 2]
        process = start(prompt, calculator, runs)
        folder = wait_for_run(process, runs, number)
        moment = Moment(moments, 25)
        while process.poll() is None and not moment.has_come(folder):
            time.sleep(0.002)
        process.kill()
        process.wait()
        wait_for_the_children(calculator)
        assert result_of(folder)["stop_reason"] in ("interrupted", "answered")
        (tmp_path / f"{number}.html").write_text(page_of([run_data(folder)]), encoding="utf-8")
        if fingerprint(calculator) != before:
            changed += 1
            undo(folder, runs, force=True)
        assert fingerprint(calculator) == before, f"seed {seed}, round {number}, {folder}"
    print(f"{changed} of 50 had changed something")
    assert changed > 5
    if CHROMIUM:
        every_page_opens([tmp_path / f"{number}.html" for number in range(50)], tmp_path / "profile")


SCRIBBLE = """\
import os, time
for number in range(60):
    os.makedirs(f'out/{number % 7}', exist_ok=True)
    open(f'out/{number % 7}/{number}', 'w').write('x' * number * 50)
    open('lorem.txt', 'a').write('more')
    time.sleep(0.01)
"""


def contents(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.mark.long
def test_two_hundred_kills_and_two_hundred_edits_of_a_person_lose_nothing_of_the_persons(
    calculator: Path, tmp_path: Path, start: Start
):
    """In each round a run, an edit at any moment, a kill at any moment. Undo leaves what the person wrote, and with
    --force puts back everything else to the byte."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    moments, runs = random.Random(seed), tmp_path / "kept"
    (calculator / "scribble.py").write_text(SCRIBBLE)
    pristine = tmp_path / "pristine"
    shutil.copytree(calculator, pristine)
    before = contents(calculator)
    counted = {"changed": 0, "left": 0, "conflict": 0}
    for number in range(200):
        process = start(["fix the bug", "run scribble.py"][number % 2], calculator, runs)
        folder = wait_for_run(process, runs, number)
        edit, kill = Edit(calculator, moments, number), Moment(moments, 25)
        while process.poll() is None and not kill.has_come(folder):
            if edit.moment.has_come(folder):
                edit.now()
            time.sleep(0.002)
        process.kill()
        process.wait()
        wait_for_the_children(calculator)
        edit.now()
        where = f"seed {seed}, round {number}, {folder}, {edit}"
        counted["changed"] += contents(calculator) != {**before, **edit.as_a_file()}
        for force in (False, True):
            try:
                undone = undo(folder, runs, force=force)
                counted["left"] += bool(undone.left) and not force
            except Conflict:
                assert not force, where
                counted["conflict"] += 1
            except ConfigError:  # there is nothing to undo, or nothing is left of it
                pass
            if not force:
                assert edit.stands(), where
        after = contents(calculator)
        assert {**after, edit.path: b""} == {**before, edit.path: b""}, where
        shutil.rmtree(calculator)
        shutil.copytree(pristine, calculator)
    print(counted)
    assert counted["changed"] > 40
    assert counted["left"] + counted["conflict"] > 20


class Moment:
    """A random moment of a run, by how far it has come, so that a slow machine sees the same: this many lines of its
    trace, and a little later."""

    def __init__(self, moments: random.Random, most: int) -> None:
        self._lines, self._later = moments.randint(2, most), moments.uniform(0, 0.4)
        self._at = 0.0

    def has_come(self, folder: Path) -> bool:
        if not self._at and (folder / "trace.jsonl").read_bytes().count(b"\n") >= self._lines:
            self._at = time.monotonic() + self._later
        return bool(self._at) and time.monotonic() >= self._at


class Edit:
    """What the person writes into one file, at a random moment of a run, or after it."""

    def __init__(self, top: Path, moments: random.Random, number: int) -> None:
        self.path = moments.choice(["README.md", "lorem.txt", "mine.txt", "pkg/render.py", "main.py"])
        self._file, self._mark = top / self.path, f"# the person's line {number}\n".encode()
        self.moment, self._written = Moment(moments, 20), b""

    def __repr__(self) -> str:
        return self.path

    def now(self) -> None:
        if not self._written:
            old = self._file.read_bytes() if self._file.exists() else b""
            self._written = self._mark + old
            self._file.write_bytes(self._written)

    def stands(self) -> bool:
        return self._file.exists() and self._file.read_bytes().startswith(self._mark)

    def as_a_file(self) -> dict[str, bytes]:
        return {self.path: self._written}


def every_page_opens(pages: list[Path], profile: Path) -> None:
    with browser(profile) as opened:
        for page in pages:
            opened.open(page)
            untroubled(opened)
            assert "of" in opened.run("document.getElementById('where').textContent")


Start = Callable[[str, Path, Path], "Started | subprocess.Popen[bytes]"]


@pytest.fixture
def start(warm_start: WarmStart | None) -> Start:
    """Begins a run, from a prompt, where it works and where it is kept."""

    def begin(prompt: str, calculator: Path, runs: Path) -> Started | subprocess.Popen[bytes]:
        main, words = PROJECT / "main.py", [prompt, "--provider", "offline", "--workdir", str(calculator)]
        environment = {**os.environ, "RUNS_DIRECTORY": str(runs)}
        if warm_start and warm_start.can(environment):
            return warm_start.start(main, words, PROJECT, environment)
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([sys.executable, str(main), *words], cwd=PROJECT, env=environment, **streams)

    return begin


def wait_for_run(process: Started | subprocess.Popen[bytes], runs: Path, number: int) -> Path:
    known = set(os.listdir(runs)) if number else set()  # noqa: PTH208 - by name: it is looked at all the time
    while process.poll() is None:
        for name in set(os.listdir(runs)) - known if runs.exists() else ():  # noqa: PTH208
            with contextlib.suppress(OSError):
                if (runs / name / "trace.jsonl").stat().st_size:
                    return runs / name
        time.sleep(0.002)
    return max((path.parent for path in runs.glob("*/trace.jsonl")), key=lambda path: next(read_events(path))["began"])


def wait_for_the_children(directory: Path) -> None:
    """Code that the killed agent had running ends by itself within its 30 seconds; here it is ended at once."""
    import signal

    deadline = time.monotonic() + 40
    while time.monotonic() < deadline:
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if (process / "cwd").readlink() == directory:
                    found.append(int(process.name))
            except OSError:
                continue
        if not found:
            return
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
    raise AssertionError("processes are left")


def test_the_trace_and_what_is_kept_are_for_the_person_alone(agent: Agent):
    agent.call("write_file", file_path="new.txt", content="n")
    agent.finish()
    assert stat.S_IMODE(agent.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((agent.folder / "kept").stat().st_mode) == 0o700
    assert json.loads((agent.folder / "kept" / "after.json").read_text())["under_way"] == ""


def begun(agent: Agent, tool: str = "write_file", path: str = "pkg/a.py") -> ToolCall:
    """A call that is about to do something, and of which a kill will leave no end."""
    call = ToolCall("id", tool, {"file_path": path, "content": "x"})
    agent.keeper(CallStarted(call))
    return call


@pytest.mark.parametrize("path", ["pkg/a.py", "brand/new/file.txt"])
def test_what_a_tool_wrote_before_it_was_killed_is_undone_unasked(agent: Agent, path: str):
    before = fingerprint(agent.top)
    begun(agent, path=path)
    agent.root.write_text(path, "written, and killed")
    assert fingerprint(agent.top) != before
    agent.undo()
    assert fingerprint(agent.top) == before


@pytest.mark.parametrize("code", [False, True], ids=["a tool", "code"])
def test_a_file_half_put_in_place_by_a_killed_process_is_taken_away_and_no_other_of_such_a_name(
    agent: Agent, code: bool
):
    begun(agent, *(("run_python_file", "x.py") if code else ()))
    mine = agent.top / "pkg" / f".{'0a' * 16}.tmp"
    if not code:
        mine.write_text("the person's")
    before = fingerprint(agent.top)
    agent.root.before_change("pkg/a.py", "file", b"x")
    (agent.top / "pkg" / agent.keeper.kept.temporary).write_text("whole, and not in its place yet")
    if code:
        mine.write_text("the person's")
    undone = undo(agent.folder, agent.runs)
    assert mine.read_text() == "the person's"
    assert undone.left == (["pkg/" + mine.name] if code else [])
    assert not (agent.top / "pkg" / agent.keeper.kept.temporary).exists()
    assert code or fingerprint(agent.top) == before


@pytest.mark.parametrize("killed", [False, True])
def test_a_mode_comes_back_that_a_write_took_away(agent: Agent, killed: bool):
    (agent.top / "script.sh").chmod(0o4750)
    if killed:
        begun(agent, path="script.sh")
        agent.root.write_text("script.sh", "new")
    else:
        agent.call("write_file", file_path="script.sh", content="new")
        agent.finish()
    assert stat.S_IMODE((agent.top / "script.sh").stat().st_mode) == 0o750
    undone = undo(agent.folder, agent.runs)
    assert undone.left == []
    assert stat.S_IMODE((agent.top / "script.sh").stat().st_mode) == 0o4750


def test_a_mode_that_the_person_changed_after_the_kill_is_left(agent: Agent):
    begun(agent)
    agent.root.write_text("pkg/a.py", "the tool's")
    (agent.top / "pkg" / "a.py").chmod(0o600)
    with pytest.raises(Conflict, match=r"pkg/a\.py"):
        agent.undo()
    assert stat.S_IMODE((agent.top / "pkg" / "a.py").stat().st_mode) == 0o600


def test_what_the_person_wrote_after_the_kill_is_left(agent: Agent):
    begun(agent)
    agent.root.write_text("pkg/a.py", "the tool's")
    (agent.top / "pkg" / "a.py").write_text("the person's")
    with pytest.raises(Conflict, match=r"pkg/a\.py"):
        agent.undo()
    assert (agent.top / "pkg" / "a.py").read_text() == "the person's"
    agent.undo(force=True)
    assert (agent.top / "pkg" / "a.py").read_text() == "one\ntwo\nthree\n"


def test_a_line_of_what_was_announced_that_a_kill_cut_short_announced_nothing(agent: Agent):
    begun(agent)
    agent.root.write_text("pkg/a.py", "the tool's")
    with (agent.folder / "kept" / "announced.jsonl").open("a") as lines:
        lines.write('["pkg/b.py", "fi')
    agent.undo()
    assert (agent.top / "pkg" / "a.py").read_text() == "one\ntwo\nthree\n"


def test_what_the_person_saved_while_a_tool_of_several_files_worked_is_not_the_runs(agent: Agent):
    def tidy(root: Root) -> str:
        root.write_text("pkg/b.py", "moved\n")
        root.remove("pkg/a.py")
        root.make_folder("made")
        root.remove_folder("empty")
        (agent.top / "binary").write_bytes(b"an hour of the person's work")
        (agent.top / "pkg" / "b.py").write_text("the tool's, and then the person's\n")
        return "tidied"

    schema = {"name": "tidy", "description": "Tidy up.", "parameters": {"type": "object", "properties": {}}}
    tool = Tool("tidy", tidy, schema, reads_only=False, changes_files=True)
    catalogue = Catalogue([tool])
    keeper = Keeper(agent.folder, agent.root, agent.told.append, catalogue)
    agent.run = run_on(agent.root, [keeper], catalogue=catalogue)
    agent.call("tidy")
    agent.finish()
    undone = undo(agent.folder, agent.runs)
    assert undone.left == ["pkg/b.py"]
    assert (agent.top / "pkg" / "a.py").read_text() == "one\ntwo\nthree\n"
    assert (agent.top / "empty").is_dir()
    assert not (agent.top / "made").exists()
    assert (agent.top / "binary").read_bytes() == b"an hour of the person's work"
    undo(agent.folder, agent.runs, force=True)
    assert not (agent.top / "pkg" / "b.py").exists()
    assert (agent.top / "binary").read_bytes() == b"an hour of the person's work", "never the run's"


def test_an_undo_that_was_killed_undid_nothing_yet(agent: Agent):
    agent.call("write_file", file_path="new.txt", content="n")
    agent.finish()
    name = agent.undo()
    trace = agent.runs / name / "trace.jsonl"
    trace.write_bytes(trace.read_bytes().splitlines(keepends=True)[0])  # as far as a kill before its end leaves it
    (agent.top / "new.txt").write_text("n")
    assert undoable(agent.runs) == agent.folder
    agent.undo()
    assert not (agent.top / "new.txt").exists()


@pytest.mark.parametrize(("damage", "why"), [(lambda copy: copy.write_bytes(b"one"), "damaged"), (Path.unlink, "gone")])
def test_a_copy_that_is_damaged_is_told_and_never_put_in_place_of_what_is_there(
    agent: Agent, damage: Callable[[Path], object], why: str
):
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.call("edit_file", file_path="script.sh", old_text="/bin/sh", new_text="/bin/bash")
    agent.finish()
    damage(agent.folder / "kept" / hashlib.sha256(b"one\ntwo\nthree\n").hexdigest())
    undone = undo(agent.folder, agent.runs)
    assert (agent.top / "pkg" / "a.py").read_text() == "one\n2\nthree\n"
    assert (agent.top / "script.sh").read_text() == "#!/bin/sh\n"
    assert (undone.paths, undone.failed) == (["script.sh"], [f"pkg/a.py (the copy that was kept of it is {why})"])
    with pytest.raises(ConfigError, match=f"cannot be shown: the copy that was kept of it is {why}"):
        diff(agent.folder)
    assert run_data(agent.folder)["patch"] == ""


def test_what_somebody_writes_in_the_moment_after_undo_is_theirs_and_what_was_before_is_kept(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
):
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.finish()

    def and_a_person(*args: Any, **more: Any) -> Any:
        failed = put_back(*args, **more)
        (agent.top / "pkg" / "a.py").write_text("the person's\n")
        return failed

    monkeypatch.setattr("records.undo.undo.put_back", and_a_person)
    undone = undo(agent.folder, agent.runs)
    monkeypatch.undo()
    assert undone.failed == ["pkg/a.py (it did not become what it was)"]
    with pytest.raises(Conflict):
        undo(agent.runs / undone.name, agent.runs)
    assert (agent.top / "pkg" / "a.py").read_text() == "the person's\n"
    undo(agent.runs / undone.name, agent.runs, force=True)
    assert (agent.top / "pkg" / "a.py").read_text() == "one\n2\nthree\n"


def test_a_full_disk_begins_no_undo(agent: Agent, monkeypatch: pytest.MonkeyPatch):
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.finish()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("records.undo.kept.Kept._put", full)
    with pytest.raises(ConfigError, match="is not begun: No space left"):
        undo(agent.folder, agent.runs)
    assert (agent.top / "pkg" / "a.py").read_text() == "one\n2\nthree\n"
    assert list(agent.runs.iterdir()) == [agent.folder]


@pytest.mark.parametrize("path", ["../outside", "pkg/../../outside", "/outside", "pkg//a.py", "", "."])
@pytest.mark.parametrize("name", ["before.json", "after.json"])
def test_a_record_that_names_a_path_outside_is_damaged_and_nothing_is_put_there(agent: Agent, name: str, path: str):
    """It is read outside the sandbox, with the person's rights."""
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.finish()
    file = agent.folder / "kept" / name
    kept = json.loads(file.read_text())
    entries = kept["entries" if name == "before.json" else "changed"]
    entries[path] = entries["pkg/a.py"]
    file.write_text(json.dumps(kept))
    with pytest.raises(ConfigError, match="is damaged"):
        undo(agent.folder, agent.runs, force=True)
    with pytest.raises(ConfigError, match="is damaged"):
        diff(agent.folder)
    assert not (agent.top.parent / "outside").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", "\0" * 40, '{"format": 2}', "[" * 100_000])
@pytest.mark.parametrize("name", ["before.json", "after.json"])
def test_a_damaged_record_is_told_in_a_sentence(agent: Agent, name: str, text: str):
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    agent.finish()
    (agent.folder / "kept" / name).write_text(text)
    with pytest.raises(ConfigError, match=f"what was kept of {agent.folder.name} is damaged"):
        undo(agent.folder, agent.runs)
    assert run_data(agent.folder)["files"] == {"before": {}, "calls": [], "texts": {}}
    assert (agent.top / "pkg" / "a.py").read_text() == "one\n2\nthree\n"


def test_a_run_that_is_still_under_way_is_not_undone_unasked(agent: Agent, capsys: pytest.CaptureFixture[str]):
    """What it changes after that would stand in a run that counts as undone."""
    agent.call("edit_file", file_path="pkg/a.py", old_text="two", new_text="2")
    settings, options = Settings(runs_directory=agent.runs), Namespace(undo=agent.folder.name, force=False, workdir="")
    with pytest.raises(ConfigError, match="is still under way"):
        commands.undo(settings, options)
    assert (agent.top / "pkg" / "a.py").read_text() == "one\n2\nthree\n"
    agent.finish()
    assert commands.undo(settings, options) == 0
    assert (agent.top / "pkg" / "a.py").read_text() == "one\ntwo\nthree\n"
