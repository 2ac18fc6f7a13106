"""The trace: what is written, when, and what is read back of a run that ended in any way."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from catalogue import run_alone
from scripted import scripted

from agent.contracts import Reply, TokenUsage, ToolCall, ToolResult, files_and_lines
from agent.run import Run
from agent.setup import Setup
from config import PROJECT, ConfigError, load_settings
from functions import Verdict
from jobs.auditor.settings import AuditorSettings
from records.folders import find, folders, prune, read_events, result_of, summary
from records.trace import Trace, new_folder, plain_settings, secrets
from sandbox.files.root import Root

Main = Callable[..., subprocess.CompletedProcess[str]]
SCHEMA = json.loads((PROJECT / "docs" / "result.schema.json").read_text(encoding="utf-8"))


def valid(result: dict[str, Any]) -> dict[str, Any]:
    jsonschema.Draft202012Validator(SCHEMA).validate(result)
    return result


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    directory = tmp_path / "work"
    directory.mkdir()
    with Root(directory) as root:
        yield root


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return new_folder(tmp_path / "runs", "Fix the größte bug, please: now & here!")


def turn(run: Run, messages: list[dict[str, Any]], content: str = "text", ok: bool = True) -> None:
    """One turn with one call, as the loops report it."""
    run.asking()
    run.request("openai", {"model": "m", "messages": messages, "tools": [{"name": "t"}]})
    call = ToolCall(f"id{run.turns}", "get_file_content", '{"file_path": "a.py"}')
    message = {"role": "assistant", "content": "", "tool_calls": [{"id": call.id}]}
    messages.append(message)
    run.message(message)
    run.replied(Reply("", (call,), TokenUsage(5, 1), "tool_calls", message))
    run.call_started(call)
    run.call_finished(ToolResult(call, content, ok, 0.01))
    messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    run.message(messages[-1])


def test_a_runs_name_is_its_time_and_the_first_words_of_its_prompt(folder: Path):
    assert folder.name[8] == "-"
    assert folder.name[16:] == "fix-the-grote-bug-please"
    assert new_folder(folder.parent, "Fix the größte bug, please").name != folder.name


def test_every_event_stands_on_the_disk_before_the_next_one(folder: Path, root: Root):
    run = Run(Setup("offline", root), [Trace(folder, {"prompt": "p"})])
    for number in range(3):
        run.notice(f"note {number}")
        assert [event["text"] for event in read_events(folder) if event["kind"] == "notice"][-1] == f"note {number}"


def test_a_request_can_be_put_together_again_from_the_differences(folder: Path, root: Root):
    run, messages = Run(Setup("offline", root), [Trace(folder, {})]), [{"role": "user", "content": "p"}]
    run.message(messages[0])
    sent = []
    for _ in range(4):
        turn(run, messages)
        sent.append([dict(message) for message in messages[:-2]])
    shortened = [messages[0], {"role": "user", "content": "shortened"}, *messages[3:]]
    run.asking()
    run.request("openai", {"model": "m", "messages": shortened})
    sent.append(shortened)
    events = list(read_events(folder))
    numbered = {event["number"]: event["message"] for event in events if event["kind"] == "message"}
    requests = [event for event in events if event["kind"] == "request"]
    for request, expected in zip(requests, sent, strict=True):
        assert [numbered[n] for first, end in request["messages"] for n in range(first, end)] == expected
    assert requests[0]["set"] == {"model": "m", "tools": [{"name": "t"}]}
    assert (requests[1]["set"], requests[4]["unset"]) == ({}, ["tools"])
    assert max(len(json.dumps(request)) for request in requests[1:]) < 300


def test_streamed_text_is_written_soon_and_in_order(folder: Path, root: Root):
    trace = Trace(folder, {})
    run = Run(Setup("offline", root), [trace])
    run.asking()
    run.thought("hm ")
    run.thought("hm")
    run.text("a" * 2000)
    run.text("b")
    written = [(event["kind"], event["text"]) for event in read_events(folder) if event["kind"] in ("text", "thought")]
    assert written == [("thought", "hm hm"), ("text", "a" * 2000)]
    trace.close()
    assert list(read_events(folder))[-1]["text"] == "b"


def test_a_key_never_stands_in_a_trace_whatever_repeats_it(folder: Path, root: Root):
    key = 'sk-"quoted"\\and-ümlaut'
    run = Run(Setup("offline", root), [Trace(folder, {"prompt": f"use {key}"}, secrets=[key, "kind"])])
    run.error(f"401: {key} is wrong")
    text = (folder / "trace.jsonl").read_text()
    assert key not in text
    assert "mlaut" not in text
    assert [event["kind"] for event in read_events(folder)] == ["run", "error"]


@pytest.mark.parametrize(
    "spelt",
    [
        lambda key: json.dumps({"key": key}),
        lambda key: json.dumps({"key": key}, ensure_ascii=False),
        lambda key: json.dumps({"key": key}).replace("/", r"\/"),
        lambda key: json.dumps({"body": json.dumps({"key": key})}),
    ],
    ids=["ascii", "letters", "slashes", "within"],
)
def test_a_key_is_found_however_the_json_of_a_calls_arguments_spells_it(
    folder: Path, root: Root, spelt: Callable[[str], str]
):
    key = 'abc/"quoted"\\and-ümlaut/def'
    run = Run(Setup("offline", root), [Trace(folder, {}, secrets=[key])])
    run.call_started(ToolCall("id", "query_api", spelt(key)))
    [_, event] = read_events(folder)
    assert "[key removed]" in event["call"]["arguments"]
    assert not [part for part in ("quoted", "mlaut", "def") if part in (folder / "trace.jsonl").read_text()]
    assert "key removed" in str(json.loads(event["call"]["arguments"])), "the rest is as it was"


def test_of_an_address_the_password_is_secret_as_it_stands_there_and_as_it_is_meant():
    read = load_settings({}, {"AUDIT_DATA": "postgresql://ann:hers%40lone@host/clinic"}, Path("/nonexistent/.env"))
    assert set(secrets(read, {})) == {"hers%40lone", "hers@lone"}


def test_what_is_secret_of_any_job_is_left_out_and_of_a_strangers_address_nothing_is():
    keys = {"LMS_API_KEY": "of-the-library", "GITHUB_TOKEN": "of-the-hub", "JUDGE_API_KEY": "of-the-judge"}
    addresses = {
        "AUDIT_DATA": "postgresql://ann:hers-alone@host/clinic",
        "DATABASE_URL": "postgresql://x:postgres@host",
    }
    read = load_settings({}, {**keys, **addresses}, Path("/nonexistent/.env"))
    assert set(secrets(read, {})) == {*keys.values(), "hers-alone"}
    of_auditor = replace(read, jobs=(read.of(AuditorSettings),))
    told = plain_settings(of_auditor)
    assert told["audit_data"] == "postgresql://host/clinic"
    assert not [text for text in keys.values() if text in str(told)]


@pytest.mark.parametrize("size", [1, 6, 13, 100])
def test_a_key_that_is_streamed_in_pieces_cannot_be_put_together_again(folder: Path, root: Root, size: int):
    key = "my-own-my-own-key-0123456789"  # its beginning comes twice
    text = f"The key is my-own {key} and {key[:9]}, ok {key[:-1]}"
    trace = Trace(folder, {"prompt": "x"}, secrets=[key])
    trace.text_seconds = -1.0  # as when it is watched: each piece is a line
    run = Run(Setup("offline", root), [trace])
    run.asking()
    for at in range(0, len(text), size):
        run.text(text[at : at + size])
        run.notice("something else happens meanwhile") if at == 18 else None
    run.replied(Reply(text, (), TokenUsage(), "stop", {}))
    trace.close()
    pieces = [event["text"] for event in read_events(folder) if event["kind"] == "text"]
    assert "".join(pieces) == text.replace(key, "[key removed]")
    assert key not in (folder / "trace.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("provider", ["lmstudio", "gemini"])
def test_the_key_of_a_real_run_is_not_kept(provider: str, run_main: Main, calculator: Path, tmp_path: Path):
    with scripted(("done", [])) as server:
        environment = {**server.environment(provider), "RUNS_DIRECTORY": str(tmp_path / "kept")}
        ran = run_main("tell me", "--workdir", str(calculator), **environment)
    assert ran.returncode == 0, ran.stderr
    kept = [path for path in (tmp_path / "kept").rglob("*") if path.is_file()]
    assert [path.name for path in kept].count("trace.jsonl") == 1
    assert not [path for path in kept if b"a-secret-key" in path.read_bytes()]


def test_a_full_disk_is_told_once_and_the_run_goes_on(folder: Path, root: Root, monkeypatch: pytest.MonkeyPatch):
    told: list[str] = []
    trace = Trace(folder, {}, tell=told.append)

    def full(descriptor: int, data: memoryview) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("records.trace.os.write", full)
    run = Run(Setup("offline", root), [trace])
    run.notice("one")
    run.notice("two")
    assert run.finish("answered", "fine").answer == "fine"
    assert len(told) == 1
    assert "No space left" in told[0]


def test_runs_that_cannot_be_kept_are_told_once_and_work(run_main: Main, calculator: Path, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    ran = run_main(
        "run the tests", "--provider", "offline", "--workdir", str(calculator), RUNS_DIRECTORY=str(tmp_path / "file")
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count("This run is not kept") == 1
    assert ran.stdout.startswith("2 of 9 tests failed")


@pytest.mark.parametrize("place", [".", "runs", "deep/link"])
def test_no_run_is_kept_where_the_agent_could_change_what_undo_believes(
    run_main: Main, calculator: Path, tmp_path: Path, place: str
):
    """Undo puts back what the record says, outside the sandbox and with the person's rights."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "link").symlink_to(calculator)
    runs = tmp_path / place if place.startswith("deep") else calculator / place
    before = sorted(calculator.rglob("*"))
    asked = ("run the tests", "--provider", "offline", "--workdir", str(calculator))
    ran = run_main(*asked, RUNS_DIRECTORY=str(runs))
    assert ran.returncode == 1
    assert "inside the working directory" in ran.stderr
    assert "GLASSBOX_RUNS_DIRECTORY" in ran.stderr
    assert sorted(calculator.rglob("*")) == before


def test_half_a_line_is_passed_over(folder: Path, root: Root):
    run, messages = Run(Setup("offline", root), [Trace(folder, {"provider": "offline"})]), []
    turn(run, messages, content="seen")
    with (folder / "trace.jsonl").open("ab") as file:
        file.write(b'{"kind": "call_fini')
    result = valid(result_of(folder))
    assert result["stop_reason"] == "interrupted"
    assert result["tool_calls"][0]["result"] == "seen"
    assert result["tokens"] == {"input": 5, "output": 1}
    assert summary(folder).stop_reason == ""


def test_the_result_of_a_killed_run_is_the_one_that_it_would_have_printed(folder: Path, root: Root):
    run, messages = Run(Setup("offline", root), [Trace(folder, {"provider": "offline"})]), []
    run.started("p", "model")
    turn(run, messages, content="one")
    turn(run, messages, content="Error: two", ok=False)
    rebuilt, whole = result_of(folder), run.finish("interrupted").to_json()
    same = set(whole) - {"seconds", "errors"}
    assert {name: rebuilt[name] for name in same} == {name: whole[name] for name in same}
    assert result_of(folder) == whole


@pytest.mark.long
def test_a_run_is_pruned_whatever_code_left_in_its_quarantine(tmp_path: Path):
    old, new = (tmp_path / f"2026010{day}-000000" for day in (1, 2))
    for run in (old, new):
        run.mkdir()
        (run / "trace.jsonl").touch()
    here = os.open(old, os.O_RDONLY)
    for _ in range(3000):  # deeper than a recursion, and than a path can be long
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    prune(tmp_path, 1)
    assert list(tmp_path.iterdir()) == [new]


def test_old_runs_are_pruned_and_nothing_else(tmp_path: Path):
    (tmp_path / "before-reset-20260101-000000-1").mkdir()
    for number in range(5):
        Trace(new_folder(tmp_path, f"run {number}"), {}).close()
    prune(tmp_path, 2)
    assert [folder.name[16:] for folder in folders(tmp_path)] == ["run-4", "run-3"]
    assert (tmp_path / "before-reset-20260101-000000-1").exists()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="no other time zone for one program here")
def test_the_newest_run_is_the_last_that_began_also_where_the_clock_of_the_wall_went_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for zone in ("Europe/Berlin", "America/New_York"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        Trace(new_folder(tmp_path, zone), {}).close()
    monkeypatch.undo()
    time.tzset()
    newest, before = folders(tmp_path)
    assert (newest.name[16:], before.name[16:]) == ("america-new-york", "europe-berlin")
    assert newest.name < before.name
    (before / "trace.jsonl").write_bytes(b"\0 damaged\n")  # then its name tells, which no program can put right
    assert folders(tmp_path) == [before, newest]


def test_what_was_moved_aside_is_not_pruned_but_for_compiled_python(tmp_path: Path):
    for name, listed in (("repository", ".git/HEAD"), ("cache", "a.pyc")):
        folder = new_folder(tmp_path, name)
        (folder / "quarantine").mkdir()
        (folder / "quarantine" / "contents.txt").write_text(f"00001  {listed}\n", encoding="utf-8")
        Trace(folder, {}).close()
    prune(tmp_path, 0)
    assert [folder.name[16:] for folder in folders(tmp_path)] == ["repository"]


@pytest.mark.skipif(os.name == "nt", reason="no locks that go with a process here")
def test_a_run_that_is_under_way_is_not_pruned_and_one_that_was_killed_is(tmp_path: Path):
    killed, running = (new_folder(tmp_path, name) for name in ("killed", "running"))
    Trace(killed, {}).close()
    trace = Trace(running, {})
    new = new_folder(tmp_path, "new", 1)
    assert {folder.name for folder in tmp_path.iterdir()} == {running.name, new.name}
    trace.close()
    prune(tmp_path, 0)
    assert [folder.name for folder in tmp_path.iterdir()] == [new.name], "which has no trace yet"


@pytest.mark.skipif(os.name == "nt", reason="no forks here")
def test_what_a_person_put_into_a_fork_is_not_pruned(tmp_path: Path):
    untouched, worked_in = (new_folder(tmp_path, name) for name in ("untouched", "worked in"))
    for fork in (untouched, worked_in):
        (fork / "files" / "deep").mkdir(parents=True)
        (fork / "files" / "deep" / "a.txt").write_text("a copy")
        while time.time_ns() <= (fork / "files" / "deep" / "a.txt").stat().st_ctime_ns + 20_000_000:
            pass  # a run is longer than a tick of the clock of files
        Trace(fork, {}).close()
    (worked_in / "files" / "deep" / "mine.txt").write_text("a person's work")
    prune(tmp_path, 0)
    assert [folder.name for folder in tmp_path.iterdir()] == [worked_in.name]


def test_a_run_that_vanishes_while_the_runs_are_read_is_no_error(tmp_path: Path):
    gone = new_folder(tmp_path, "gone")
    assert list(read_events(gone)) == []
    assert summary(gone).stop_reason == ""


def test_a_run_is_found_by_part_of_its_name_and_a_wrong_one_is_a_clear_error(tmp_path: Path):
    with pytest.raises(ConfigError, match="no runs yet"):
        find(tmp_path, "")
    made = [new_folder(tmp_path, words) for words in ("one thing", "another thing")]
    for folder in made:
        Trace(folder, {}).close()
    assert find(tmp_path, "another") == made[1]
    assert find(tmp_path, "") == made[1]
    assert find(tmp_path / "none", str(made[0])) == made[0]
    with pytest.raises(ConfigError, match="fits 2 runs"):
        find(tmp_path, "thing")
    with pytest.raises(ConfigError, match="--runs"):
        find(tmp_path, "nothing")


def test_a_whole_name_means_that_run_though_it_is_part_of_another(tmp_path: Path):
    made = [new_folder(tmp_path, "one thing") for _ in range(2)]
    for folder in made:
        Trace(folder, {}).close()
    assert made[0].name in made[1].name
    assert find(tmp_path, made[0].name) == made[0]


@pytest.mark.parametrize("keep", [1, 3])
def test_as_many_runs_are_kept_as_was_asked_for_the_new_one_included(tmp_path: Path, keep: int):
    for number in range(5):
        Trace(new_folder(tmp_path, f"run {number}", keep), {}).close()
    assert [folder.name[16:] for folder in folders(tmp_path)] == [f"run-{number}" for number in range(4, 4 - keep, -1)]


def test_json_fits_its_schema_with_sources_however_the_run_ends(run_main: Main, calculator: Path, tmp_path: Path):
    runs = {"RUNS_DIRECTORY": str(tmp_path / "kept")}
    place = ["--json", "--workdir", str(calculator)]
    ran = run_main("read pkg/render.py", *place, "--provider", "offline", **runs)
    result = valid(json.loads(ran.stdout))
    lines = (calculator / "pkg" / "render.py").read_text().count("\n")
    assert result["sources"] == [{"path": "pkg/render.py", "lines": [[1, lines]]}]
    assert json.loads(run_main("--result", "read-pkg", **runs).stdout) == result
    failed = valid(json.loads(run_main("x", *place, "--provider", "lmstudio", **runs).stdout))
    assert failed["stop_reason"] == "provider_error"
    refused = run_main("x", *place, "--provider", "gemini", **runs)
    assert refused.returncode == 1
    assert "GEMINI_API_KEY" in valid(json.loads(refused.stdout))["errors"][0]
    listed = run_main("--runs", **runs).stdout
    assert [line.split()[1] for line in listed.splitlines()][-1] == "answered"


CALLS: list[tuple[str, Any]] = [
    ("get_file_content", {"file_path": "a.py"}),
    ("get_file_content", {"file_path": "gone.py"}),
    ("search_files", {"query": "needle"}),
    ("edit_file", {"file_path": "./b.py", "old_text": "needle 1", "new_text": "y\nz"}),
    ("write_file", {"file_path": "c.py", "content": "1\n2\n"}),
    ("run_python_file", {"file_path": "c.py"}),
    ("get_file_content", {"file_path": "empty.py"}),
    ("get_file_content", "no object"),
    ("get_file_content", {"file_path": "long.py", "start_line": 100}),
]


def test_sources_are_the_files_and_lines_that_the_calls_read_found_and_wrote(
    project: Callable[[dict[str, str]], Path],
):
    long = "".join(f"{number:099d}\n" for number in range(1, 901))  # 100 characters a line: 100 of them a page
    files = {"a.py": "1\n2\n3\n4\n5", "b.py": "\n" * 6 + "needle 1\n\nneedle 2\n", "empty.py": "", "long.py": long}
    place = project(files)
    drawn = [run_alone(ToolCall("", name, arguments), place).sources for name, arguments in CALLS]
    assert files_and_lines(drawn) == [
        {"path": "a.py", "lines": [[1, 5]]},
        {"path": "b.py", "lines": [[7, 9]]},
        {"path": "c.py", "lines": [[1, 2]]},
        {"path": "empty.py", "lines": []},
        {"path": "long.py", "lines": [[100, 199]]},
    ]


def test_what_a_file_says_of_further_lines_is_no_source(project: Callable[[dict[str, str]], Path]):
    said = "[Lines 500-900 of 1000 shown. Read on with start_line=901.]"
    place = project({"notes.md": f"one\ntwo\n{said}\n"})
    read = run_alone(ToolCall("", "get_file_content", {"file_path": "notes.md"}), place)
    assert files_and_lines([read.sources]) == [{"path": "notes.md", "lines": [[1, 3]]}]


def test_of_a_line_that_was_cut_that_line_alone_is_a_source(project: Callable[[dict[str, str]], Path]):
    place = project({"a.js": "1\n" + "x" * 15_001 + "\n" + "3\n" * 7})
    read = run_alone(ToolCall("", "get_file_content", {"file_path": "a.js", "start_line": 2}), place)
    assert "Line 2 of 9 is cut" in read.content
    assert files_and_lines([read.sources]) == [{"path": "a.js", "lines": [[2, 2]]}]


def test_what_a_person_sees_of_a_result_at_once_stands_in_the_trace(folder: Path, root: Root):
    trace = Trace(folder, {})
    run = Run(Setup("test", root), [trace])
    call = ToolCall("a", "run_tests", {})
    run.call_finished(ToolResult(call, "1 failed", True, 0.0, verdict=Verdict("1 failed", ["FAIL: test_a"])))
    trace.close()
    told = next(event for event in read_events(folder) if event["kind"] == "call_finished")
    assert told["verdict"] == {"line": "1 failed", "failing": ["FAIL: test_a"]}


@pytest.mark.long
def test_a_long_runs_trace_costs_little_and_holds_nothing_in_memory(folder: Path, root: Root):
    """300 turns with results of 10 kB: the trace itself, apart from the conversation that the loop holds anyway."""
    trace, messages = Trace(folder, {}), []
    spent: list[float] = []

    def timed(event: Any) -> None:
        began = time.process_time()
        trace(event)
        spent.append(time.process_time() - began)

    run = Run(Setup("offline", root), [timed])
    content = "x" * 10_000
    for _ in range(300):
        turn(run, messages, content)
    cost = sum(spent) / 300
    tracemalloc.start()
    before = tracemalloc.take_snapshot()
    for _ in range(300):
        turn(run, messages, content)
    after = tracemalloc.take_snapshot()
    tracemalloc.stop()
    only = [tracemalloc.Filter(True, "*/records/trace.py")]
    grown = sum(d.size_diff for d in after.filter_traces(only).compare_to(before.filter_traces(only), "lineno"))
    print(f"\ntrace: {1000 * cost:.3f} ms a turn, {grown / 300:.0f} bytes a turn held")
    assert grown < 400_000  # two small entries a turn, where the results are 3 MB
    assert cost < 0.02  # a guard against growth with the length; the figure is printed
