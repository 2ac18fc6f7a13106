"""The main job, as a person starts it: the built-in model repairs the calculator, over every wire."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
RIGHT, WRONG = '"+": 1,', '"+": 3,'


def calculator_tests(calculator: Path) -> str:
    ran = subprocess.run(
        [sys.executable, "tests.py"], cwd=calculator, capture_output=True, encoding="utf-8", timeout=60
    )
    return ran.stderr.strip().split("\n")[-1]


def wire(name: str, address: str) -> dict[str, str]:
    if name == "gemini":
        return {"LLM_PROVIDER": "gemini", "GEMINI_API_KEY": "x", "GEMINI_BASE_URL": address}
    if name == "lmstudio":
        return {"LLM_PROVIDER": "lmstudio", "LMSTUDIO_BASE_URL": f"{address}/v1"}
    return {}


@pytest.mark.parametrize(
    "provider", ["nothing configured", *(pytest.param(each, marks=pytest.mark.long) for each in ("lmstudio", "gemini"))]
)
def test_the_bug_is_found_fixed_and_verified(
    provider: str, run_main: Run, calculator: Path, built_in_model: str, tmp_path: Path
):
    before = (calculator / "pkg" / "calculator.py").read_text()
    kept = {"RUNS_DIRECTORY": str(tmp_path / "kept")}
    ran = run_main("fix the bug", "--workdir", str(calculator), **wire(provider, built_in_model), **kept)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Fixed. ")
    assert "Tests before: 2 of 9 tests failed" in ran.stdout
    assert "Tests now: All 9 tests passed" in ran.stdout
    assert calculator_tests(calculator) == "OK"
    assert (calculator / "pkg" / "calculator.py").read_text() == before.replace(WRONG, RIGHT)
    assert ("built-in" in ran.stderr) == (provider == "nothing configured")
    result = json.loads(run_main("--result", "fix-the-bug", **kept).stdout)
    assert (result["provider"] == "offline") == (provider == "nothing configured")
    the_steps_are_list_read_test_edit_test_in_this_order(result)


def the_steps_are_list_read_test_edit_test_in_this_order(result: dict[str, Any]) -> None:
    names = [call["name"] for call in result["tool_calls"]]
    order = list(dict.fromkeys(names))
    assert order == ["get_dir_info", "search_files", "get_file_content", "run_tests", "edit_file"]
    assert names[-2:] == ["edit_file", "run_tests"]
    assert {call["status"] for call in result["tool_calls"]} == {"completed"}
    assert result["stop_reason"] == "answered"
    assert result["tokens"]["input"] > 0
    reads = [call["turn"] for call in result["tool_calls"] if call["name"] == "get_file_content"]
    assert len(reads) > 2
    assert len(set(reads)) == 1


def test_a_program_that_is_right_is_left_alone(run_main: Run, calculator: Path):
    source = calculator / "pkg" / "calculator.py"
    source.write_text(source.read_text().replace(WRONG, RIGHT))
    before = source.read_bytes()
    ran = run_main("fix the bug", "--workdir", str(calculator), "--provider", "offline")
    assert ran.returncode == 0
    assert "nothing" in ran.stdout
    assert source.read_bytes() == before


QUESTIONS = [
    ("fix the bug: 3 + 7 * 2 shouldn't be 20", ["Fixed.", "All 9 tests passed"]),
    ("run the tests", ["2 of 9 tests failed", "20.0 != 17"]),
    ("what files are in the root?", ["main.py", "lorem.txt", "pkg/"]),
    ("read pkg/render.py", ["def render_result", "def format_number"]),
    ("where is precedence defined?", ["pkg/calculator.py:18:"]),
    ('run main.py "3 + 5"', ["= 8"]),
    ("why does 3 + 7 * 2 give 20?", ["pkg/calculator.py, line 19", "changed nothing"]),
    ("write me a web server", ["can't", "language model", "LLM_PROVIDER=gemini"]),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("prompt", "parts"),
    # A search with a claim of the person's takes as long as the one without, above.
    [pytest.param(*each, marks=[pytest.mark.long] * each[0].startswith("fix"), id=each[0]) for each in QUESTIONS],
)
def test_plain_words_get_a_right_answer_or_an_honest_no(prompt: str, parts: list[str], run_main: Run, calculator: Path):
    before = (calculator / "pkg" / "calculator.py").read_bytes()
    ran = run_main(prompt, "--workdir", str(calculator), "--provider", "offline")
    assert ran.returncode == 0, ran.stderr
    for part in parts:
        assert part in ran.stdout
    if not prompt.startswith("fix"):
        assert (calculator / "pkg" / "calculator.py").read_bytes() == before


def test_the_limit_of_requests_ends_the_run_with_what_there_is(run_main: Run, calculator: Path):
    ran = run_main("fix the bug", "--max-iters", "3", "--workdir", str(calculator), "--provider", "offline", "--json")
    result = json.loads(ran.stdout)
    assert ran.returncode == 3
    assert (result["stop_reason"], result["turns"]) == ("max_iters", 3)
    assert "not allowed another step" in result["answer"]
