"""Going on from a step of a kept run: the same to the byte where nothing is changed, and what follows where something is."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from snapshots import snapshot

from cli import start
from config import ConfigError
from offline.script import OPENAI, Call, Step, call
from offline.scripted import serving
from records.folders import find, folders, read_events, result_of, summary
from records.fork import KEPT, fork_at
from records.page import page_of, run_data
from records.steps import steps_of

Main = Callable[..., subprocess.CompletedProcess[str]]
EDIT = ("edit_file", {"file_path": "a.py", "old_text": "1", "new_text": "2"})
AGAIN = ("edit_file", {"file_path": "a.py", "old_text": "2", "new_text": "3"})
RUN = ("run_python_file", {"file_path": "a.py"})
READ = ("get_file_content", {"file_path": "a.py"})
LOOK = ("get_dir_info", {})
NEW = (
    "write_file",
    {"file_path": "new/b.py", "content": "import os\nos.remove('gone.txt')\nopen('made', 'w').write('x')\n"},
)
RUN_NEW = ("run_python_file", {"file_path": "new/b.py"})
FILES = {"a.py": "print(1)\n", "gone.txt": "here\n", "notes/c.md": "text\n"}

# What each recorded run's model says: texts and calls, one reply after the other.
RECORDED: dict[str, list[tuple[str, list[tuple[str, Any]]]]] = {
    "an answer alone": [("Hello.", [])],
    "reads together": [("I look.", [READ, LOOK, ("get_file_content", {"file_path": "notes/c.md"})]), ("Done.", [])],
    "edits and runs": [("", [READ]), ("", [EDIT]), ("", [RUN]), ("", [AGAIN, RUN]), ("Done.", [])],
    "an answer that a gate objects to": [("", [EDIT]), ("Done.", []), ("", [RUN]), ("Done.", [])],
    "code that makes and removes files": [("", [NEW]), ("", [RUN_NEW]), ("", [LOOK]), ("Done.", [])],
    "calls that fail": [("", [("get_file_content", {"file_path": "no"}), ("nothing", {}), ("edit_file", {})]), ("Sorry.", [])],
    "the same call twice in one message": [("", [EDIT, EDIT, READ, READ]), ("", [RUN]), ("Done.", [])],
    "one call again and again": [("", [READ])] * 5 + [("Done.", [])],
    "a reply that is empty": [("", []), ("", [LOOK]), ("Done.", [])],
    "a call that stands in the text": [('<tool_call>{"name": "get_dir_info", "arguments": {}}</tool_call>', []), ("Done.", [])],
}  # fmt: skip


@dataclass
class Recorded:
    """A scripted model whose reply depends on how many replies it is shown, and what it was asked, with the files then."""

    replies: list[tuple[str, list[tuple[str, Any]]]]
    workplace: Path
    bodies: list[dict[str, Any]] = field(default_factory=list)
    files: list[dict[str, bytes]] = field(default_factory=list)

    def __call__(self, wire: str, body: dict[str, Any]) -> Step:
        self.bodies.append(json.loads(json.dumps(body)))
        self.files.append(snapshot(self.workplace))
        said = sum(
            message.get("role") in ("assistant", "model") for message in body.get("messages") or body["contents"]
        )
        text, calls = self.replies[min(said, len(self.replies) - 1)]
        named = (
            Call(name, arguments, f"id-{said}-{number}" if wire == OPENAI else "missing", f"signature {said}.{number}")
            for number, (name, arguments) in enumerate(calls)
        )
        return call(*named, text=text, usage=(10, 2))


class Bench:
    """A working directory, a folder of runs, and the program in this process."""

    def __init__(self, base: Path, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.base, self.provider, self.work, self.runs = base, provider, base / "work", base / "runs"
        for path, text in FILES.items():
            (self.work / path).parent.mkdir(parents=True, exist_ok=True)
            (self.work / path).write_text(text, encoding="utf-8")
        self.environment = monkeypatch
        self.set(GLASSBOX_RUNS_DIRECTORY=str(self.runs), LLM_PROVIDER=provider, GEMINI_API_KEY="a-secret-key-of-google")
        self.set(GLASSBOX_MAX_REPEATS="4", MAX_ITERS="", LMSTUDIO_MODEL="", GEMINI_MODEL="", GLASSBOX_KEEP_RUNS="0")

    def set(self, **variables: str) -> None:
        for name, value in variables.items():
            self.environment.setenv(name, value)

    def main(self, *arguments: str) -> int:
        return start.main([*arguments, "--plain"])

    def served(self, model: Recorded) -> Any:
        server = serving(script=model)
        return _Served(server, self)

    def record(self, name: str) -> Recorded:
        model = Recorded(RECORDED[name], self.work)
        with self.served(model):
            self.main("go", "--workdir", str(self.work))
        return model

    def newest(self) -> Path:
        return folders(self.runs)[0]


class _Served:
    def __init__(self, server: Any, bench: Bench) -> None:
        self.server, self.bench = server, bench

    def __enter__(self) -> None:
        address = self.server.__enter__().address
        self.bench.set(LMSTUDIO_BASE_URL=f"{address}/v1", GEMINI_BASE_URL=address)

    def __exit__(self, *what: object) -> None:
        self.server.__exit__(*what)


@pytest.fixture(params=["lmstudio", "gemini"])
def bench(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, request.param, monkeypatch)


def steps_in(folder: Path) -> int:
    return len(steps_of(read_events(folder)))


def untimed(value: Any) -> Any:
    return json.loads(re.sub(r"\d+\.\d+ ?s\b", "", json.dumps(value)))


def essence(folder: Path, *apart: str) -> dict[str, Any]:
    """How a run ended, without how long it took."""
    result, apart = untimed(result_of(folder)), ("seconds", *apart)
    calls = [{name: value for name, value in call.items() if name not in apart} for call in result["tool_calls"]]
    return {**result, "seconds": 0, "tool_calls": calls}


def without_others(result: dict[str, Any]) -> dict[str, Any]:
    """How a run ended, without how many other repairs passed, and the tokens that say so: a test's limit of processor
    time is short, and on a machine that is busy one repair of several may miss it."""
    told = re.sub(r"\n(Another change passes|\d+ other changes pass) the tests too; [^\n]*", "", result["answer"])
    return {**result, "answer": told, "tokens": None}


def messages(folder: Path) -> list[Any]:
    return [event["message"] for event in read_events(folder) if event["kind"] == "message"]


def fork_everywhere(bench: Bench, name: str) -> None:
    parent_model = bench.record(name)
    parent = bench.newest()
    whole = snapshot(bench.work)
    for step in range(1, steps_in(parent) + 1):
        known = fork_at(parent, step).turns
        live = any(len(turn.results) < len(turn.calls) for turn in known)  # calls are run anew, and take their own time
        model = Recorded(RECORDED[name], bench.base / f"fork-{step}")
        with bench.served(model):
            bench.main("--fork", f"{parent.name}:{step}", "--workdir", str(model.workplace))
        fork, about = bench.newest(), f"{name}, step {step}"
        assert summary(fork).parent == parent.name, about
        assert len(model.bodies) == len(parent_model.bodies) - len(known), f"{about}: what is known costs no request"
        expected = parent_model.bodies[len(known) :]
        assert untimed(model.bodies) == untimed(expected), about
        assert live or model.bodies[:1] == expected[:1], f"{about}: byte for byte"
        assert model.files == parent_model.files[len(known) :], about
        assert snapshot(model.workplace) == whole, about
        assert untimed(messages(fork)) == untimed(messages(parent)), about
        assert essence(fork) == essence(parent), about
        assert snapshot(bench.work) == whole, f"{about}: the working directory is left alone"


def test_a_fork_at_every_step_that_changes_nothing_is_its_parent(bench: Bench):
    fork_everywhere(bench, "code that makes and removes files")


@pytest.mark.long
@pytest.mark.parametrize("name", RECORDED)
def test_a_fork_at_every_step_of_every_recorded_run_is_its_parent_byte_for_byte(name: str, bench: Bench):
    fork_everywhere(bench, name)


@pytest.mark.long
@pytest.mark.parametrize("prompt", ["fix the bug", "what files are in the root?"])
def test_with_the_built_in_model_a_fork_at_every_step_ends_as_its_parent(
    prompt: str,
    project: Callable[[dict[str, str]], Path],
    soon_repaired: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    bench, work = Bench(tmp_path, "offline", monkeypatch), project(soon_repaired)
    assert bench.main(prompt, "--workdir", str(work)) == 0
    parent, whole = bench.newest(), snapshot(work)
    assert steps_in(parent) >= 3
    for step in range(1, steps_in(parent) + 1):
        place = tmp_path / f"fork-{step}"
        assert bench.main("--fork", f"{parent.name}:{step}", "--workdir", str(place)) == 0
        fork = essence(bench.newest(), "id")  # the built-in model's ids are random
        assert without_others(fork) == without_others(essence(parent, "id")), step
        assert snapshot(place) == whole, step


HELPED = {
    "calc.py": "def double(n):\n    return n + 2\n",
    "test_calc.py": "import unittest\nfrom calc import double\n\n\nclass Test(unittest.TestCase):\n"
    "    def test_double(self):\n        self.assertEqual(double(5), 10)\n",
}
APPLY = ("apply_repair", {"number": 1})


@pytest.mark.long
@pytest.mark.parametrize(
    ("prompt", "replies"),
    [
        ("fix the bug", [("", [("run_tests", {})]), ("", [APPLY]), ("It adds no more.", [])]),
        ("where is double defined?", [("In calc.py.", [])]),
    ],
)
def test_a_fork_at_every_step_of_a_helped_run_is_its_parent(
    bench: Bench, prompt: str, replies: list[tuple[str, list[tuple[str, Any]]]]
):
    for path, text in HELPED.items():
        (bench.work / path).write_text(text, encoding="utf-8")
    looks = 3 if len(replies) > 1 else 2  # turns that the program makes before it asks
    looks += len(replies) > 1  # the search
    model = Recorded([("", [])] * looks + replies, bench.work)
    with bench.served(model):
        bench.main(prompt, "--workdir", str(bench.work), "--model-size", "small")
        parent, whole = bench.newest(), snapshot(bench.work)
        assert result_of(parent)["turns"] == looks + len(replies)
        for step in range(1, steps_in(parent) + 1):
            place = bench.base / f"fork-{step}"
            bench.main("--fork", f"{parent.name}:{step}", "--workdir", str(place))
            assert untimed(messages(bench.newest())) == untimed(messages(parent)), step
            assert snapshot(place) == whole, step


def test_a_fork_gives_the_model_the_help_that_its_parent_had(bench: Bench):
    helped = ["--model-size", "small", "--without", "tests", "--without", "nudge", "--assist", "off"]
    with bench.served(Recorded([("I do not know.", [])], bench.work)):
        bench.main("fix the bug", "--workdir", str(bench.work), *helped)
        parent = bench.newest()
        bench.main("--fork", f"{parent.name}:{steps_in(parent)}")
    fork = bench.newest()
    assert fork != parent
    assert [[*each["text"].partition("helped: ")][2] for each in notices(fork)] == [
        [*each["text"].partition("helped: ")][2] for each in notices(parent)
    ]


def test_a_fork_has_its_parents_limits_unless_they_are_set(bench: Bench):
    with bench.served(Recorded([("I do not know.", [])], bench.work)):
        bench.main("go", "--workdir", str(bench.work), "--max-seconds", "600", "--max-iters", "7")
        parent = bench.newest()
        bench.main("--fork", f"{parent.name}:{steps_in(parent)}", "--max-iters", "8")
    settings = next(read_events(bench.newest()))["settings"]
    assert (settings["max_seconds"], settings["max_iters"]) == (600, 8)


def notices(folder: Path) -> list[Any]:
    return [each for each in read_events(folder) if each["kind"] == "notice" and "taken for a small" in each["text"]]


def test_a_changed_result_is_what_the_model_is_told(bench: Bench, tmp_path: Path):
    bench.record("edits and runs")
    parent = bench.newest()
    step = next(n for n, each in enumerate(steps_of(read_events(parent)), 1) if each.text == "run_python_file")
    (tmp_path / "changed").write_text("it printed 42", encoding="utf-8")
    model = Recorded([("I see.", [])], tmp_path / "none")
    with bench.served(model):
        bench.main("--fork", f"{parent.name}:{step}", "--edit", str(tmp_path / "changed"))
    fork = bench.newest()
    assert "it printed 42" in json.dumps(model.bodies[0])
    assert result_of(fork)["tool_calls"][2]["result"] == "it printed 42"
    assert next(read_events(fork))["forked"] == {"from": parent.name, "step": step, "turns": 3, "changed": ["result"]}
    assert (fork / "files" / "a.py").read_text("utf-8") == "print(2)\n", "the files as they were at that step"
    assert (bench.work / "a.py").read_text("utf-8") == "print(3)\n"


def test_a_model_that_is_made_to_claim_is_objected_to_by_the_gate(bench: Bench, tmp_path: Path):
    bench.record("edits and runs")
    parent = bench.newest()
    asks = next(n for n, each in enumerate(steps_of(read_events(parent)), 1) if each.kind == "model" and each.turn == 3)
    (tmp_path / "changed").write_text('{"text": "All tests pass.", "calls": []}', encoding="utf-8")
    model = Recorded([("", [RUN])] * 4 + [("Done.", [])], tmp_path / "none")
    with bench.served(model):
        bench.main("--fork", f"{parent.name}:{asks}", "--edit", str(tmp_path / "changed"))
    assert "[Glassbox] You changed a.py and have not run anything since" in json.dumps(model.bodies[0])
    assert [call["name"] for call in result_of(bench.newest())["tool_calls"]][-1] == "run_python_file"


def test_a_changed_call_is_run_on_the_copy(bench: Bench, tmp_path: Path):
    bench.record("edits and runs")
    parent = bench.newest()
    calls = [{"name": "write_file", "arguments": {"file_path": "other.py", "content": "print('other')\n"}}]
    (tmp_path / "changed").write_text(json.dumps({"calls": calls, "prompt": "go elsewhere"}), encoding="utf-8")
    model = Recorded(
        [("", [])] + [("", [("run_python_file", {"file_path": "other.py"})])] * 2 + [("Done.", [])], tmp_path
    )
    with bench.served(model):
        bench.main("--fork", f"{parent.name}:4", "--edit", str(tmp_path / "changed"))
    fork = bench.newest()
    assert (fork / "files" / "other.py").exists()
    assert not (bench.work / "other.py").exists()
    assert summary(fork).prompt == "go elsewhere"
    assert "go elsewhere" in json.dumps(model.bodies[0])
    assert "print('other')" in json.dumps(model.bodies[0])


@pytest.mark.parametrize("other", ["lmstudio", "gemini"])
def test_another_provider_goes_on_in_its_own_words(bench: Bench, other: str, tmp_path: Path):
    if other == bench.provider:
        pytest.skip("the same")
    bench.record("edits and runs")
    parent = bench.newest()
    model = Recorded([("Taken over.", [])], tmp_path / "none")
    with bench.served(model):
        assert bench.main("--fork", f"{parent.name}:6", "--provider", other, "--model", "another") == 0
    body = model.bodies[0]
    assert "signature 0.0" not in json.dumps(body)
    assert ("contents" in body) == (other == "gemini")
    assert "Successfully" in json.dumps(body) or "print" in json.dumps(body)


def test_a_fork_can_be_forked_when_its_parent_is_gone(bench: Bench, tmp_path: Path):
    bench.record("edits and runs")
    parent = bench.newest()
    model = Recorded(RECORDED["edits and runs"], tmp_path / "none")
    with bench.served(model):
        bench.main("--fork", f"{parent.name}:8")
        fork = bench.newest()
        parent.rename(tmp_path / "pruned")
        bench.main("--fork", f"{fork.name}:3")
    assert essence(bench.newest()) == essence(fork)
    assert (bench.newest() / "files" / "a.py").read_text("utf-8") == "print(3)\n"


def test_files_that_later_runs_changed_are_as_they_were(bench: Bench, tmp_path: Path):
    bench.record("reads together")
    first = bench.newest()
    bench.record("edits and runs")
    (bench.work / "mine.txt").write_text("mine", encoding="utf-8")
    model = Recorded([("Hello.", [])], tmp_path / "none")
    with bench.served(model):
        bench.main("--fork", f"{first.name}:1")
    assert (bench.newest() / "files" / "a.py").read_text("utf-8") == "print(1)\n"


def test_the_list_of_runs_shows_the_tree(bench: Bench, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    bench.record("an answer alone")
    parent = bench.newest()
    with bench.served(Recorded([("Hello.", [])], tmp_path / "none")):
        bench.main("--fork", f"{parent.name}:1")
    capfd.readouterr()
    bench.main("--runs")
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].startswith(parent.name)
    assert re.match(r"  \d{8}-\d{6}-go\S*  +answered .* from step 1: go", lines[1])


@pytest.mark.skipif(sys.platform == "win32", reason="no socket is a file there")
def test_a_repository_is_copied_without_its_socket_and_what_cannot_be_read_is_named(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    subprocess.run(["git", "init", "-q", bench.work], check=True)
    bench.record("an answer alone")
    monkeypatch.chdir(bench.work / ".git")  # a socket's path may have a hundred characters
    copied = shutil.copyfile

    def copyfile(source: str, target: str, **more: bool) -> str:
        if Path(source).name == "description":
            raise PermissionError(13, "Permission denied", source)
        return copied(source, target, **more)

    monkeypatch.setattr(shutil, "copyfile", copyfile)
    with socket.socket(socket.AF_UNIX) as server, bench.served(Recorded([("Hello.", [])], tmp_path / "none")):
        server.bind("fsmonitor--daemon.ipc")
        assert bench.main("--fork", f"{bench.newest().name}:1") == 0
    assert "Not in the copy, too large or not readable: '.git/description'." in capfd.readouterr().err
    copy = bench.newest() / "files" / ".git"
    assert (copy / "HEAD").read_bytes() == (bench.work / ".git" / "HEAD").read_bytes()
    assert not (copy / "fsmonitor--daemon.ipc").exists()


@pytest.mark.parametrize("there", [True, False])
def test_tools_that_the_parent_had_and_the_fork_has_not_are_named(bench: Bench, tmp_path: Path, there: bool):
    """As those of servers, where the person names no server for the fork; here those for a repository."""
    subprocess.run(["git", "init", "-q", bench.work], check=True)
    bench.record("an answer alone")
    if not there:
        shutil.rmtree(bench.work / ".git")
    with bench.served(Recorded([("Hello.", [])], tmp_path / "none")):
        assert bench.main("--fork", f"{bench.newest().name}:1") == 0
    notices = [event["text"] for event in read_events(bench.newest()) if event["kind"] == "notice"]
    gone = "Not here, though the parent had it: git_status, git_diff. Servers are named again with --mcp."
    assert notices == ([] if there else [gone])


def test_a_misspelt_name_in_a_file_of_changes_is_refused(
    bench: Bench, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    bench.record("edits and runs")
    parent, before = bench.newest(), len(folders(bench.runs))
    step = next(n for n, each in enumerate(steps_of(read_events(parent)), 1) if each.text == "run_python_file")
    (tmp_path / "changed").write_text('{"resutl": "boom"}', encoding="utf-8")
    assert bench.main("--fork", f"{parent.name}:{step}", "--edit", str(tmp_path / "changed")) == 1
    said = capfd.readouterr().err
    assert "names 'resutl'" in said
    assert f"at step {step} stands: result, " in said
    assert len(folders(bench.runs)) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--fork", "nonsense"], "takes RUN:STEP"),
        (["--fork", ":" + "9" * 5_000], "takes RUN:STEP"),
        (["--fork", "nothing:1"], "there is no run"),
        (["--fork", ":99"], "has no step 99"),
        (["--fork", ":1", "--workdir", "{work}"], "is not empty"),
        (["--fork", ":1", "--edit", "{work}/missing"], "cannot be read"),
        (["--fork", ":1", "--edit"], "EDITOR"),
    ],
)
def test_what_cannot_be_forked_is_said_in_a_sentence(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    bench = Bench(tmp_path, "lmstudio", monkeypatch)
    bench.record("an answer alone")
    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    before = sorted(bench.runs.iterdir())
    assert bench.main(*(each.format(work=bench.work) for each in arguments)) == 1
    told = capfd.readouterr().err
    assert said in told
    assert KEPT not in told
    assert sorted(bench.runs.iterdir()) == before, "nothing is left lying about"


def test_where_no_branch_can_be_kept_the_place_is_told_with_the_command_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    bench = Bench(tmp_path, "lmstudio", monkeypatch)
    bench.record("an answer alone")
    parent = bench.newest()
    (tmp_path / "file").touch()
    bench.set(GLASSBOX_RUNS_DIRECTORY=str(tmp_path / "file"))
    assert bench.main("--fork", f"{parent}:1") == 1
    told = capfd.readouterr().err
    assert f"no branch can be kept in {tmp_path / 'file'} (" in told
    assert f"GLASSBOX_RUNS_DIRECTORY, and say: --fork {parent}:1\n" in told


def test_the_editor_is_shown_what_stands_there_and_what_it_leaves_is_taken(bench: Bench, tmp_path: Path):
    bench.record("edits and runs")
    parent = bench.newest()
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i "s/print(1)/print(99)/" "$1"\n', encoding="utf-8")
    editor.chmod(0o755)
    bench.set(EDITOR=str(editor), VISUAL="")
    model = Recorded([("I see.", [])], tmp_path / "none")
    with bench.served(model):
        bench.main("--fork", f"{parent.name}:3", "--edit")
    assert next(read_events(bench.newest()))["forked"]["changed"] == ["result"]
    assert "print(99)" in json.dumps(model.bodies[0])


def test_what_cannot_be_changed_at_a_step_is_said(bench: Bench):
    bench.record("edits and runs")
    with pytest.raises(ConfigError, match="at step 1 'result' cannot be changed, but prompt, system prompt"):
        fork_at(find(bench.runs, ""), 1).with_changes({"result": "x"})


def test_the_page_shows_a_fork_as_a_whole_run(bench: Bench, tmp_path: Path):
    bench.record("edits and runs")
    parent = bench.newest()
    with bench.served(Recorded(RECORDED["edits and runs"], tmp_path / "none")):
        bench.main("--fork", f"{parent.name}:5")
    data = run_data(bench.newest())
    assert sum(event["kind"] == "replayed" for event in data["events"]) == 2
    assert sum(event["kind"] == "request" for event in data["events"]) == 5
    assert "print(3)" in page_of([data])
    assert data["patch"] == run_data(parent)["patch"]
