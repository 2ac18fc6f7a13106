"""The bench: what it measures is there, what it says of chance holds, and an interrupted record goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from bench import agents, attempts, chart, places, quality, speed, subjects, summary
from bench.__main__ import MEASUREMENTS
from bench.__main__ import main as bench_main
from bench.chance import compare, wilson
from bench.compiled import compile_all
from bench.many.task import pack
from bench.progress import Task, run_all
from bench.record import Record, read
from bench.subjects import OURS
from bench.zero_latency import Script
from config import PROJECT

needs_wait4 = pytest.mark.skipif(sys.platform == "win32", reason="the meter needs wait4(2)")


@pytest.mark.long
@needs_wait4
@pytest.mark.parametrize("subject", OURS, ids=[subject.name for subject in OURS])
def test_a_loop_does_every_turn_of_the_script_and_is_measured(subject, tmp_path: Path):
    line = agents.run(subject, Script(3), agents.notes(tmp_path, 3))
    assert "failed" not in line, line
    assert line["process_seconds"] > 0
    assert line["peak_bytes"] > 5e6
    assert 0 < line["first_request_seconds"] < line["seconds"]
    assert line["tokens_per_request"] > line["first_request_tokens"]


@needs_wait4
def test_eight_calls_of_100_ms_are_really_waited_for(tmp_path: Path):
    line = agents.run(OURS[0], Script(1, 8, waiting=True), agents.notes(tmp_path, 0))
    assert line["results_after_seconds"] >= 0.1


@needs_wait4
def test_an_agent_that_fails_is_recorded_as_failed_and_not_as_fast(tmp_path: Path):
    broken = OURS[1].__class__("broken", "", "no_such_script.py")
    line = agents.run(broken, Script(1), tmp_path)
    assert "exit code 2, 0 requests" in line["failed"]
    assert summary.figures([{"kind": "run", "subject": "broken", "turns": 0, "repeat": 0, **line}]) == []


def test_every_subject_is_compiled_and_none_is_told_otherwise_by_the_environment(
    tmp_path: Path, capsys, bare_python: str
):
    fresh = Path(bare_python).parents[1]
    site = next(fresh.glob("lib/python*/site-packages"))
    (site / "fresh_module.py").write_text("x = 1\n")
    compile_all([bare_python, bare_python], {"PYTHONDONTWRITEBYTECODE": "1"})
    assert list((site / "__pycache__").glob("fresh_module.*.pyc"))
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert "no bytecode" not in told[0]
    (site / "broken.py").write_text("x = = 1\n")
    compile_all([bare_python], {})
    assert "1 have no bytecode" in capsys.readouterr().err
    (site / "broken.py").unlink()


def test_search_is_measured_on_files_that_hold_what_is_looked_for(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(places, "FILES", 300)
    actions = places.searches(tmp_path / "hay")
    places.hay(tmp_path / "hay")
    assert actions["search_files, text"]().count("needle_in_hay") == 2
    assert actions["search_files, regular expression"]().count("needle_in_hay") == 2


@pytest.mark.parametrize(
    ("passed", "tried", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (8, 10, 0.4902, 0.9433), (50, 100, 0.4038, 0.5962)],
)
def test_wilsons_interval_has_the_published_values(passed: int, tried: int, low: float, high: float):
    assert wilson(passed, tried) == pytest.approx((low, high), abs=1e-3)


def results(passed: int, tried: int) -> list[bool]:
    return [True] * passed + [False] * (tried - passed)


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [((4, 20), (17, 20), "better"), ((17, 20), (4, 20), "worse"), ((6, 10), (7, 10), "cannot tell")],
)
def test_a_difference_is_only_called_one_when_chance_seldom_makes_it(before, after, verdict: str):
    assert compare({"one": results(*before)}, {"one": results(*after)}) == verdict


def test_tasks_that_differ_much_do_not_hide_a_difference_within_each():
    before = {"easy": results(18, 20), "hard": results(0, 20)}
    after = {"easy": results(20, 20), "hard": results(6, 20)}
    assert compare(before, after) == "better"


def test_without_a_common_task_nothing_can_be_told():
    assert compare({"one": [True]}, {"two": [False]}) == "cannot tell"


def test_an_interrupted_record_goes_on_and_drops_the_line_that_was_torn(tmp_path: Path):
    path, measured = tmp_path / "record.jsonl", []

    def tasks(count: int) -> list[Task]:
        return [
            Task({"kind": "run", "repeat": number}, lambda n=number: measured.append(n) or {"value": n})
            for number in range(count)
        ]

    with Record(path, ("kind", "repeat")) as record:
        run_all(tasks(2), record)
    with path.open("a") as file:
        file.write('{"kind": "run", "repe')
    with Record(path, ("kind", "repeat")) as record:
        run_all(tasks(4), record)
    assert measured == [0, 1, 2, 3]
    assert [line.get("value") for line in read(path)] == [None, 0, 1, 2, 3]


def test_a_part_of_the_speed_bench_is_called_what_it_is_and_a_wrong_one_is_answered_with_the_others(capsys):
    assert speed.part_of({"kind": "run", "turns": 0}) == "start"
    assert speed.part_of({"kind": "run", "turns": 50}) == "run"
    assert speed.part_of({"kind": "start"}) == "sandbox"
    with pytest.raises(SystemExit):
        speed.parser().parse_args(["--only", "begin"])
    said = capsys.readouterr().err
    assert all(part in said for part in ("start", "run", "parallel", "search", "sandbox"))


@pytest.mark.long
def test_a_reader_who_leaves_early_sees_no_traceback():
    """As in `python -m bench path --files | head -1`; here the reader has left before the first line comes."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "bench", "path"]
    ended = subprocess.run(command, cwd=PROJECT, stdout=writing, stderr=subprocess.PIPE, timeout=120, text=True)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_figures_are_a_table_with_a_row_a_measurement_and_a_column_for_each_that_is_measured():
    rows = [
        summary.Figure("start", "ours", 0.5, "s", 1.1, "bare", 1.15),
        summary.Figure("start", "bare", 0.45, "s"),
        summary.Figure("memory", "ours", 60.0, "MB", 1.4, "bare", 1.3),
        summary.Figure("memory", "bare", 43.0, "MB"),
        summary.Figure("search", "ripgrep", 20.0, "ms"),
    ]
    assert summary.tables(rows).splitlines() == [
        "                           ours     bare",
        "start        0.50 s, 1.10x, met   0.45 s",
        "memory  60.0 MB, 1.40x, NOT met  43.0 MB",
        "",
        "        ripgrep",
        "search  20.0 ms",
    ]


@pytest.mark.long
def test_what_an_installer_says_reaches_a_person_only_when_it_fails(tmp_path: Path, capfd):
    with pytest.raises(OSError, match="could not be installed"):
        subjects.install(tmp_path / "new", tmp_path / "new" / "bin" / "python", ["no such requirement at all"])
    assert capfd.readouterr().err == ""


def test_eight_calls_are_compared_with_one_call_of_the_same_agent():
    def line(calls: int, seconds: float) -> dict:
        known = {"kind": "parallel", "subject": OURS[0].name, "repeat": 0}
        return {**known, "turns": calls, "results_after_seconds": seconds}

    figure = summary.figures([line(1, 0.2), line(8, 0.25)])[0]
    assert (figure.ratio, figure.met) == (pytest.approx(1.25), True)


def test_charts_are_well_formed_say_in_words_what_they_show_and_have_a_dark_side():
    bars = chart.bars("Memory <now>", [("this agent", 60.0, "MB"), ("another", 120.0, "MB")])
    curves = chart.lines("Time", "turns", "ms", {"this agent": [(50, 1.0), (200, 1.0)], "a": [(50, 9.0), (200, 40.0)]})
    for svg in (bars, curves):
        root = ElementTree.fromstring(svg)
        assert root.attrib["role"] == "img"
        assert "this agent" in root.find("{*}desc").text
        assert "prefers-color-scheme: dark" in svg
    widths = [float(bar.attrib["width"]) for bar in ElementTree.fromstring(bars).findall(".//{*}rect")]
    assert widths[1] == pytest.approx(2 * widths[0], abs=0.2)


def test_ratios_are_taken_within_a_repeat_so_that_a_slow_moment_hurts_both():
    def line(subject: str, repeat: int, seconds: float) -> dict:
        values = {"first_request_seconds": seconds, "peak_bytes": 1, "first_request_tokens": 1}
        return {
            "kind": "run",
            "subject": subject,
            "turns": 0,
            "repeat": repeat,
            "process_seconds": 1.0,
            "tokens_per_request": 1,
            **values,
        }

    ours, floor = OURS[0].name, OURS[1].name
    lines = [line(ours, 0, 1.1), line(floor, 0, 1.0), line(ours, 1, 3.3), line(floor, 1, 3.0)]
    figure = next(each for each in summary.figures(lines) if each.subject == ours)
    assert figure.ratio == pytest.approx(1.1)
    assert figure.met is True


BROKEN = {"adder.py": "def add(a, b):\n    return a - b\n", "test_adder.py": "import adder\n\n\ndef test_add():\n"}
BROKEN["test_adder.py"] += "    assert adder.add(2, 3) == 5\n"


@pytest.fixture
def problem(tmp_path: Path) -> attempts.Problem:
    hidden = "import adder\n\n\ndef test_more():\n    assert adder.add(-1, 1) == 0\n"
    written({f"program/{path}": text for path, text in BROKEN.items()}, tmp_path / "case")
    written({"hidden/test_hidden.py": hidden}, tmp_path / "case")
    return next(iter(attempts.problems(tmp_path)))


def written(files: dict[str, str], folder: Path) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("left_behind", "cause"),
    [
        ({}, "changed nothing"),
        ({"adder.py": "def add(a, b):\n    return a + b\n"}, ""),
        ({"adder.py": "def add(a, b):\n    return a * b\n"}, "its tests still fail"),
        ({"adder.py": "def add(a, b):\n    return 5\n"}, "held-back tests fail"),
        ({"test_adder.py": "def test_add():\n    pass\n"}, "changed a test"),
    ],
)
def test_a_program_is_judged_by_its_own_tests_as_they_were_and_by_those_held_back(
    left_behind: dict[str, str], cause: str, problem: attempts.Problem, tmp_path: Path
):
    folder = written({**BROKEN, **left_behind}, tmp_path / "left")
    assert attempts.judge(pack(problem.program), pack(problem.hidden), folder) == cause


@pytest.mark.long
def test_one_bug_gives_the_same_calls_on_both_wires(problem: attempts.Problem, tmp_path: Path, capsys):
    records = [tmp_path / f"{provider}.jsonl" for provider in ("offline", "offline-gemini")]
    for record in records:
        assert quality.main(["--provider", record.stem, "--tasks", str(tmp_path), "--out", str(record)]) == 0
    assert capsys.readouterr().out.count("solved     1 of 1") == 2
    assert quality.main(["--same", *map(str, records)]) == 0
    changed = [json.loads(line) for line in records[1].read_text().splitlines()]
    next(line for line in changed if "calls" in line)["calls"][0]["name"] = "write_file"
    records[1].write_text("".join(json.dumps(line) + "\n" for line in changed))
    assert quality.main(["--same", *map(str, records)]) == 1
    assert "call 1: get_dir_info" in capsys.readouterr().out


def test_the_list_of_measurements_parts_each_name_from_what_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_main(["--help"]) == 0
    listed = capsys.readouterr().err.splitlines()[2:]
    assert [line.split("  ")[1] for line in listed] == [*MEASUREMENTS]
