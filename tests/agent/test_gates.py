"""Before an answer is taken: changes were run or tested since. At most two objections, then "not verified"."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogue import CATALOGUE
from wire_run import run_script

from agent.gates import unverified
from offline.script import Call, call, say

WRITE = Call("write_file", {"file_path": "new.py", "content": "print(1)\n"})
RUN = Call("run_python_file", {"file_path": "new.py"})
DONE = say("Done.")
BOTH = pytest.mark.parametrize("wire", ["openai", "gemini"])


def step(name: str, path: str = "", status: str = "completed") -> dict[str, object]:
    return {"name": name, "arguments": {"file_path": path} if path else {}, "status": status}


@pytest.mark.parametrize(
    ("steps", "files"),
    [
        ([], []),
        ([step("write_file", "a.py")], ["a.py"]),
        ([step("write_file", "a.py"), step("edit_file", "b.json"), step("edit_file", "a.py")], ["a.py", "b.json"]),
        ([step("write_file", "a.py"), step("run_tests")], []),
        ([step("run_tests"), step("edit_file", "a.py")], ["a.py"]),
        ([step("edit_file", "a.py"), step("run_python_file", "a.py"), step("edit_file", "b.py")], ["b.py"]),
        ([step("edit_file", "a.py", "error")], []),
        ([step("edit_file", "a.py"), step("run_tests", status="error")], ["a.py"]),
        ([step("edit_file", "a.py"), step("run_tests", status="called")], ["a.py"]),
        ([step("write_file", "README.md"), step("write_file", "notes.TXT")], []),
        ([{"name": "write_file", "arguments": "{cut", "status": "completed"}], []),
    ],
)
def test_what_changed_and_was_not_run_since(steps: list[dict[str, object]], files: list[str]):
    assert unverified(steps, CATALOGUE) == files


@BOTH
def test_the_model_is_told_once_what_is_missing_and_then_answers(wire: str, tmp_path: Path):
    seen = run_script([call(WRITE), DONE, call(RUN), DONE], wire, tmp_path / "work")
    assert seen.result.answer == "Done."
    assert seen.last_said(2).startswith("[Glassbox] You changed new.py")
    assert len(seen.requests) == 4
    assert not seen.result.errors


@BOTH
def test_after_two_objections_the_answer_is_taken_and_the_result_says_not_verified(wire: str, tmp_path: Path):
    seen = run_script([call(WRITE), DONE], wire, tmp_path / "work")
    assert (seen.result.stop_reason, seen.result.answer, seen.exit_code) == ("answered", "Done.", 0)
    assert len(seen.requests) == 4
    assert seen.result.errors == ("Not verified: new.py changed, and nothing was run or tested after that.",)
    assert "Not verified" in seen.told


@BOTH
def test_a_setting_turns_it_off(wire: str, tmp_path: Path):
    seen = run_script([call(WRITE), DONE], wire, tmp_path / "work", verify=False)
    assert len(seen.requests) == 2
    assert not seen.result.errors


@BOTH
def test_at_a_limit_nothing_is_objected_to_but_the_result_says_so(wire: str, tmp_path: Path):
    seen = run_script([call(WRITE), DONE], wire, tmp_path / "work", max_iters=2)
    assert len(seen.requests) == 2
    assert seen.result.stop_reason == "max_iters"
    assert "Not verified" in seen.result.errors[0]
