"""The measurement of small models: every task is sound, and what a run leaves behind is judged as it must be."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from quick_runs import Passes, quick_runs
from scripted import scripted

from bench.attempts import is_test
from bench.many.task import pack, unpack
from bench.models import command, judge, table
from bench.models.attempt import DETAILS, attempt, task_of
from bench.models.other_jobs import JOBS
from bench.models.tasks import FIRST, KINDS, SETS, ModelTask, packed_texts, tasks_of
from bench.operating import WORKPLACE
from bench.peers.walled import holds, walled
from bench.record import read
from config import ConfigError

EVERY = tasks_of("all")
CHANGED = [task for task in EVERY if task.kind not in judge.UNTOUCHED]
IN_WORDS = [task for task in EVERY if task.kind in judge.UNTOUCHED]
CALL = {"name": "get_file_content", "arguments": {}, "status": "completed", "result": "text"}


@pytest.fixture(scope="module")
def running() -> Iterator[Passes]:
    if sys.platform == "win32":  # it has no fork(2)
        yield judge.passes
        return
    with quick_runs() as passes:
        yield passes


@pytest.fixture(autouse=True)
def passes(running: Passes, monkeypatch) -> Passes:
    """Runs of the tasks' tests in this file. A measurement has processes of its own, behind the sandbox as ever."""
    monkeypatch.setattr(judge, "passes", running)
    return running


def solved_texts(task: ModelTask) -> dict[str, str]:
    """The files that the reference solution changes, as it leaves them."""
    before = {path: judge.text_of(task.packed(), path) for path in task.packed()}
    after = {}
    for path, change in task.solution.items():
        if isinstance(change, str):
            after[path] = change
            continue
        text = before[path]
        for old, new in change:
            assert text.count(old) == 1, f"{path}: {old!r}"
            text = text.replace(old, new)
        after[path] = text
    return after


def left(task: ModelTask, folder: Path, texts: Mapping[str, str] = {}, **result: Any) -> dict[str, Any]:  # noqa: B006
    """How a run is judged that has left the program with these files in it."""
    unpack(task.packed(), folder)
    unpack(packed_texts(texts), folder)
    ended = {"stop_reason": "answered", "answer": "", "calls": [CALL], **result}
    return judge.judged(task_of(task), folder, ended)


def named(name: str) -> ModelTask:
    return next(task for task in EVERY if task.name == name)


def test_there_are_enough_tasks_of_each_kind_and_a_third_is_held():
    assert len(EVERY) >= 30
    assert min(Counter(task.kind for task in EVERY).values()) >= 5
    assert {task.kind for task in EVERY if task.held} == KINDS.keys()
    assert len(EVERY) == 3 * sum(task.held for task in EVERY)
    assert (EVERY[0].name, EVERY[0].prompt) == (FIRST, "fix the bug")
    assert len({task.name for task in EVERY}) == len(EVERY)


@pytest.mark.parametrize("task", EVERY, ids=lambda task: task.name)
def test_a_program_is_a_file_or_two_and_what_judges_it_names_files_that_are_there(task: ModelTask):
    files = {path for path in task.packed() if path.endswith(".py") and not is_test(path)}
    lines = sum(len(judge.text_of(task.packed(), path).splitlines()) for path in task.packed())
    assert task.program or (len(files) <= 3 and 15 <= lines <= 70), lines
    assert {*task.keep, *task.solution} <= task.packed().keys()
    assert not {*task.keep} & {*task.solution}
    assert not task.hidden.keys() & task.packed().keys()
    assert bool(task.hidden) == (task in CHANGED)


@pytest.mark.sample(2)
@pytest.mark.parametrize(  # a quarter each time, all of them with the long tests
    "task",
    [
        pytest.param(task, marks=[pytest.mark.long] if index % 4 else [], id=task.name)
        for index, task in enumerate(CHANGED)
    ],
)
def test_hidden_tests_fail_before_and_the_reference_solution_is_taken(task: ModelTask, tmp_path: Path, passes: Passes):
    unpack({**task.packed(), **packed_texts(task.hidden)}, tmp_path / "before")
    assert not passes(tmp_path / "before", task.hidden)
    own = [path for path in task.packed() if is_test(path)]
    assert own
    assert passes(tmp_path / "before", own) == (task.kind in ("sentence", "feature"))
    assert left(task, tmp_path / "after", solved_texts(task)) == {
        "solved": True,
        "cause": "",
        "changed": sorted(task.solution),
    }
    if task.kind == "feature":
        assert len(task.solution) == 2
        for path, text in solved_texts(task).items():
            assert not left(task, tmp_path / path, {path: text})["solved"], "one of the two files is enough"


@pytest.mark.parametrize("task", IN_WORDS, ids=lambda task: task.name)
def test_a_right_answer_is_taken_a_wrong_one_is_not_and_no_file_may_change(task: ModelTask, tmp_path: Path):
    assert left(task, tmp_path, answer=task.right) == {"solved": True, "cause": "", "changed": []}
    assert not left(task, tmp_path, answer=task.wrong)["solved"]
    assert left(task, tmp_path, {"new.py": "x = 1\n"}, answer=task.right)["cause"] == "wrong change"


@pytest.mark.parametrize("task", [task for task in EVERY if task.kind == "leave"], ids=lambda task: task.name)
def test_what_is_to_be_left_alone_is_right_and_nobody_can_know_without_looking(
    task: ModelTask, tmp_path: Path, passes: Passes
):
    unpack(task.packed(), tmp_path / "program")
    assert passes(tmp_path / "program", [path for path in task.packed() if is_test(path)])
    assert left(task, tmp_path / "unseen", answer=task.right, calls=[])["cause"] == "no call"


FIXED = "I have fixed the bug in pkg/calculator.py."
EDIT = {"name": "edit_file", "arguments": {"old_text": "x"}, "status": "error", "result": "Error: not found"}


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("texts", "result", "cause"),
    [
        ({}, {"calls": [], "answer": "Understood. What is the bug?"}, "no call"),
        ({}, {"calls": [], "answer": FIXED}, "false claim"),
        ({}, {"answer": FIXED}, "false claim"),
        ({}, {"calls": [CALL, EDIT]}, "edit not found"),
        ({}, {"calls": [CALL] * 3}, "same call again"),
        ({}, {"stop_reason": "repeating"}, "same call again"),
        ({}, {"stop_reason": "max_iters"}, "ran out"),
        ({}, {"stop_reason": ""}, "ran out"),
        ({}, {"answer": "I could not find it."}, "no change"),
        ({}, {"stop_reason": "provider_error"}, "provider error"),
        ({"tests.py": "def test_it(): pass\n"}, {"answer": FIXED}, "test edited"),
        ({"pkg/calculator.py": "class Calculator(\n"}, {"answer": FIXED}, "broken syntax"),
        ({"pkg/calculator.py": "class Calculator: pass\n"}, {"answer": FIXED}, "wrong change"),
        ({"pkg/calculator.py": "class Calculator: pass\n"}, {"stop_reason": ""}, "ran out"),
    ],
)
def test_what_is_not_solved_is_told_by_how_it_ended(texts, result, cause: str, tmp_path: Path):
    assert left(named(FIRST), tmp_path, texts, **result)["cause"] == cause
    assert cause in judge.CAUSES


def test_a_right_change_counts_however_the_run_ended_but_not_when_it_never_did(tmp_path: Path):
    task = named(FIRST)
    texts = solved_texts(task)
    assert left(task, tmp_path / "a", texts, stop_reason="max_iters")["solved"]
    late = left(task, tmp_path / "b", texts, stop_reason="")
    assert (late["solved"], late["cause"], late["was_right"]) == (False, "ran out", True)
    assert not left(task, tmp_path / "c", {**texts, "lorem.txt": "gone"})["solved"]
    more = judge.text_of(task.packed(), "tests.py") + "\n# one more\n"
    assert left(task, tmp_path / "d", {**texts, "tests.py": more})["solved"]


@pytest.mark.parametrize(
    ("answer", "claimed"),
    [
        (FIXED, True),
        ("The bug has been fixed.", True),
        ("I've updated the precedence of + to 1.", True),
        ("The function is now corrected.", True),
        ("Fixed the precedence.", True),
        ("The precedence was changed from 3 to 1.", True),
        ("Nothing was changed.", False),
        ("No changes have been made.", False),
        ("I have not changed anything.", False),
        ("You should change 3 to 1. It can be fixed so.", False),
        ("All tests pass.", False),
        ("It is already fixed.", False),
        ("", False),
    ],
)
def test_a_claim_is_told_from_a_proposal_and_from_a_denial(answer: str, claimed: bool):
    assert judge.claims(answer) == claimed


REPAIR = {"file_path": "pkg/calculator.py", "old_text": '"+": 3', "new_text": '"+": 1'}
SOLVING = [("", [("edit_file", REPAIR)]), ("", [("run_tests", {})]), ("Done: + binds as - does now.", [])]
IDLE = [("Understood. What is the bug?", [])]


def measured(replies, out: Path, monkeypatch, *more: str) -> int:
    with scripted(*replies) as model:
        for name, value in model.environment("lmstudio").items():
            monkeypatch.setenv(name, value)
        return command.main(["--only", FIRST, "--out", str(out), "--seconds", "60", *more])


@pytest.mark.long
def test_a_model_that_solves_it_and_one_that_does_not_are_measured_and_a_record_goes_on(
    tmp_path: Path, monkeypatch, capsys
):
    out = tmp_path / "record.jsonl"
    assert measured(SOLVING, out, monkeypatch) == 0
    told = capsys.readouterr().out
    assert "glassbox, open     1       1  21-100      3" in told
    lines = [line for line in read(out) if line["kind"] == "attempt"]
    assert [(line["solved"], line["changed"], line["turns"]) for line in lines] == [(True, ["pkg/calculator.py"], 3)]
    assert str(tmp_path) not in json.dumps(lines)
    assert measured(IDLE, out, monkeypatch, "--repeats", "2") == 0
    lines = [line for line in read(out) if line["kind"] == "attempt"]
    assert [line["cause"] for line in lines] == ["", "no call"], "the first was not made again"
    assert "calculator       1/2" in capsys.readouterr().out


@pytest.mark.long
def test_several_tries_of_an_order_are_one_attempt(tmp_path: Path, monkeypatch):
    out = tmp_path / "record.jsonl"
    assert measured([*IDLE, *SOLVING], out, monkeypatch, "--tries", "2") == 0
    lines = [line for line in read(out) if line["kind"] == "attempt"]
    assert [(line["subject"], line["solved"], line["turns"]) for line in lines] == [("glassbox in 2 tries", True, 4)]


@pytest.mark.long
@pytest.mark.parametrize("provider", ["lmstudio", pytest.param("gemini", marks=pytest.mark.long)])
def test_the_bare_loop_tries_the_same_and_is_judged_the_same(provider: str, monkeypatch):
    edit = {"path": "pkg/calculator.py", "old_text": '"+": 3', "new_text": '"+": 1'}
    replies = [("", [("list_files", {})]), ("", [("edit_file", {"path": "x"})]), ("", [("edit_file", edit)])]
    replies += [("", [("run_tests", {})]), ("It works now.", [])]
    with scripted(*replies) as model:
        for name, value in model.environment(provider).items():
            monkeypatch.setenv(name, value)
        words = ["--only", FIRST, "--peers", "bare", "--seconds", "60", "--provider", provider]
        options, asked = command.parser().parse_args(words), command.model_of(provider)
        bare = [*command.attempts([named(FIRST)], [*command.peers(options)], options, {}, asked)]
        assert [task.name for task in bare] == ["bare: calculator"]
        line = attempt({**bare[0].data, "seed": 0})
    assert (line["solved"], line["turns"], line["tokens"]) == (True, 5, {"input": 50, "output": 10})
    assert [call["status"] for call in line["calls"]] == ["completed", "error", "completed", "completed"]
    assert "tests.py" in line["calls"][0]["result"]
    assert line["calls"][-1]["result"].startswith("exit code 0")


def test_of_a_held_task_no_more_is_recorded_than_whether_it_was_solved():
    task = next(task for task in EVERY if task.held)
    lines = [
        {"kind": "attempt", "task": f"glassbox: {each.name}", "repeat": 0, "subject": "glassbox", "sort": each.kind,
         "held": each.held, "solved": False, **({} if each.held else {"cause": "no call"})}
        for each in (task, named(FIRST))
    ]  # fmt: skip
    told = table.report(lines)
    assert task.name not in told
    assert "glassbox, held" in told
    assert {"cause", "calls", "answer"} <= {*DETAILS}


def test_what_each_mechanism_is_worth_is_told_with_what_chance_explains():
    def line(subject: str, number: int, solved: bool) -> dict[str, Any]:
        known = {"kind": "attempt", "task": f"{subject}: {number}", "repeat": 0, "subject": subject, "held": False}
        return {**known, "solved": solved, "turns": 3, "tokens": {"input": 100, "output": 10}}

    lines = [line("glassbox", number, True) for number in range(12)]
    lines += [line("glassbox without opening", number, False) for number in range(12)]
    lines += [line("glassbox without idling", number, number > 0) for number in range(12)]
    told = table.ablation(lines, "glassbox").splitlines()
    assert [row.split("  ")[0] for row in told[1:]] == ["all on", "without opening", "without idling"]
    assert "+100" in told[2]
    assert "helps" in told[2]
    assert "cannot tell" in told[3]


def test_without_needs_a_program_that_has_mechanisms_and_one_that_is_known(tmp_path: Path):
    (tmp_path / "agent").mkdir()
    with pytest.raises(ConfigError, match="no mechanisms to leave out"):
        command.mechanisms(tmp_path)
    (tmp_path / "agent" / "mechanisms.py").write_text('NAMES = ("opening", "idling")\n')
    assert command.mechanisms(tmp_path) == ["opening", "idling"]

    def options(*words: str):
        return command.parser().parse_args(["--program", str(tmp_path), *words])

    with pytest.raises(ConfigError, match="no mechanism 'x'; there are opening, idling"):
        command.ours(options("--without", "x"))
    assert [each.name for each in command.ours(options())] == ["glassbox"]
    assert [each.without for each in command.ours(options("--without", "idling"))] == [("idling",)]
    assert [(each.name, each.without) for each in command.ours(options("--ablate"))] == [
        ("glassbox", ()),
        ("glassbox without opening", ("opening",)),
        ("glassbox without idling", ("idling",)),
    ]
    assert [each.without for each in command.ours(options("--ablate", "idling"))] == [(), ("idling",)]
    with pytest.raises(ConfigError, match="no mechanism 'x'"):
        command.ours(options("--ablate", "idling,x"))


def test_an_unknown_peer_set_or_program_is_answered_with_what_there_is(tmp_path: Path, capsys):
    with pytest.raises(ConfigError, match="there are bare, mini-swe-agent"):
        [*command.peers(command.parser().parse_args(["--peers", "x"]))]
    with pytest.raises(ConfigError, match="with --provider lmstudio alone"):
        [*command.peers(command.parser().parse_args(["--peers", "mini-swe-agent", "--provider", "gemini"]))]
    assert command.main(["--tasks", "none"]) == 1
    assert "there are all, open, held and jobs" in capsys.readouterr().err
    assert command.main(["--program", str(tmp_path)]) == 1
    assert "no checkout of this program" in capsys.readouterr().err


def test_a_record_that_is_kept_names_no_machine_and_shows_its_tables_again(tmp_path: Path, capsys):
    machine = {
        "kind": "machine",
        "date": "2026-11-22",
        "python": "3.12",
        "system": "Linux 6",
        "processor": "x",
        "cores": 2,
    }
    line = {"kind": "attempt", "task": "glassbox: calculator", "repeat": 0, "subject": "glassbox", "sort": "repair",
            "held": False, "solved": False, "cause": "no call", "machine": "host-7", "calls": [CALL], "turns": 1}  # fmt: skip
    wanted = {("glassbox: calculator", 0)}
    kept = [command.published(each, wanted) for each in (machine, line)]
    assert "host-7" not in json.dumps(kept)
    assert kept[1]["calls"] == [["get_file_content", {}, "completed"]]
    assert command.published({**line, "repeat": 1}, wanted) == {}
    record = tmp_path / "kept.jsonl"
    record.write_text("".join(json.dumps(each) + "\n" for each in kept))
    assert command.main(["--show", str(record)]) == 0
    assert "no call" in capsys.readouterr().out


@pytest.mark.parametrize("record", sorted((SETS / "records").glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_record_of_the_repository_is_small_and_names_no_place(record: Path):
    text = record.read_text(encoding="utf-8")
    assert len(text) < 300_000
    assert not any(place in text for place in ("/tmp/", "/root/", "/home/", "/Users/"))
    assert all("machine" not in line for line in read(record))


def test_a_packed_text_is_the_text():
    assert base64.b64decode(packed_texts({"a": "ü\n"})["a"]).decode() == "ü\n"
    assert pack(SETS / "records") is not None


@pytest.mark.skipif(not holds(), reason="no namespaces for a shell of a model here")
def test_a_shell_of_a_model_writes_its_folder_and_nothing_else_and_has_no_network(tmp_path: Path):
    inside, beside = tmp_path / "inside", tmp_path / "beside"
    inside.mkdir()
    tries = [
        "echo yes > here",
        f"echo no > {beside}",
        f"mount -o remount,bind,rw {tmp_path} && echo no > {beside}",
        f"unshare --user --map-root-user --mount sh -c 'umount -a; echo no > {beside}'",
        "(exec 3<>/dev/tcp/127.0.0.1/1) 2>&1 | grep -q unreachable && echo alone",
    ]
    ran = subprocess.run(walled(inside, "; ".join(tries)), capture_output=True, encoding="utf-8", timeout=60)
    assert (inside / "here").read_text() == "yes\n"
    assert not beside.exists()
    assert ran.stdout.strip() == "alone"


OTHERS = tasks_of("jobs")
AT_ONCE = (
    "late_work",
    "wrong_totals",
    "tomato_seed",
    "scale_search",
)  # one of each job, the others with the long tests
UNSOLVED = ("secret_committed",)  # the built-in librarian takes other pages for it


def test_each_other_job_has_four_tasks_and_one_or_two_are_held():
    assert Counter(task.kind for task in OTHERS) == dict.fromkeys(JOBS, 4)
    assert {task.kind for task in OTHERS if task.held} == JOBS.keys()
    assert sum(task.held for task in OTHERS) == len(OTHERS) // 3


@pytest.mark.long
@pytest.mark.parametrize(
    "task",
    [
        pytest.param(task, marks=[] if task.name in AT_ONCE else [pytest.mark.long], id=task.name)
        for task in OTHERS
        if task.name not in UNSOLVED
    ],
)
def test_the_built_in_model_solves_the_tasks_of_the_other_jobs(task: ModelTask):
    options = command.parser().parse_args(["--tasks", "jobs", "--provider", "offline", "--seconds", "120"])
    (made,) = command.attempts([task], command.ours(options), options, {}, "built-in")
    line = attempt({**made.data, "seed": 0})
    assert line["solved"], line


def other(name: str, folder: Path, change: Mapping[str, str] = {}, **result: Any) -> bool:  # noqa: B006
    return left(next(task for task in OTHERS if task.name == name), folder, change, **result)["solved"]


def test_an_end_of_another_job_that_is_not_what_was_asked_for_is_not_solved(tmp_path: Path):
    late = "Seven days, and it costs 20 %."
    assert other("late_work", tmp_path / "a", answer=late, source="wiki/deadlines.md#late-work")
    assert not other("late_work", tmp_path / "b", answer=late)
    assert not other("late_work", tmp_path / "c", {"new.md": "x"}, answer=late, source="wiki/deadlines.md")
    note = {"garden/seed.md": "Tomatoes: sow in March."}
    assert other("tomato_seed", tmp_path / "d", note)
    assert not other("tomato_seed", tmp_path / "e", {"kitchen/seed.md": "Tomatoes: sow in March."})
    assert not other("tomato_seed", tmp_path / "f", {**note, "garden/again.md": "Tomatoes: sow in March."})
    assert not other("tomato_seed", tmp_path / "g", {"garden/seed.md": "Sow."})


def test_of_the_fleet_all_but_what_was_asked_for_must_be_as_it_was(tmp_path: Path):
    fleet = json.loads((WORKPLACE / "fleet.json").read_text(encoding="utf-8"))
    state = tmp_path / "state.json"
    assert not other("scale_search", tmp_path / "a")
    fleet["services"]["search"]["replicas"] = 5
    state.write_text(json.dumps(fleet))
    assert other("scale_search", tmp_path / "b")
    fleet["services"]["billing"]["replicas"] = 5
    state.write_text(json.dumps(fleet))
    assert not other("scale_search", tmp_path / "c")
