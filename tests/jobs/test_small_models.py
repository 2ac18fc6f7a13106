"""What helps a small model: each mechanism acts where it should, on both wires, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from wire_run import Seen, run_script

from agent.mechanisms import CLAIM, NAMES, is_small
from cli.reset import put_calculator
from offline.script import Call, Step, call, say

WIRES = ("openai", "gemini")
PROGRAM = "def double(n):\n    return n + 2\n"
TESTS = """\
import unittest

from double import double


class Test(unittest.TestCase):
    def test_double(self):
        self.assertEqual(double(5), 10)
"""


def act(name: str, arguments: dict[str, Any] | None = None) -> Step:
    """A reply of the model with one call."""
    return call(Call(name, arguments or {}))


RIGHT = act("edit_file", {"file_path": "double.py", "old_text": "n + 2", "new_text": "n * 2"})
WRONG = act("edit_file", {"file_path": "double.py", "old_text": "n + 2", "new_text": "n + 3"})


def helped(script: list[Step], wire: str, folder: Path, *without: str, **changes: Any) -> Seen:
    """A run with a small model, on a program whose only test fails."""
    work = folder / "work"
    work.mkdir()
    (work / "double.py").write_text(PROGRAM, encoding="utf-8")
    (work / "test_double.py").write_text(TESTS, encoding="utf-8")
    given = {"prompt": "fix the bug", "model_size": "small", "assist": "off", "without": without, **changes}
    return run_script(script, wire, work, **given)


def names(seen: Seen) -> list[str]:
    return [each["name"] for each in seen.result.tool_calls]


@pytest.mark.parametrize("wire", WIRES)
def test_the_listing_and_the_tests_are_there_before_the_model_is_asked(wire: str, tmp_path: Path):
    seen = helped([RIGHT, say("n + 2 had to be n * 2.")], wire, tmp_path)
    assert names(seen)[:2] == ["get_dir_info", "run_tests"]
    assert names(seen)[-1] == "edit_file"
    first = seen.answers(0)
    assert any("double.py" in each for each in first)
    assert any("1 of 1 tests failed" in each for each in first)


@pytest.mark.parametrize("wire", WIRES)
def test_a_changes_own_result_says_what_the_tests_say_and_the_next_turn_asks_for_the_answer(wire: str, tmp_path: Path):
    seen = helped([RIGHT, say("n + 2 had to be n * 2.")], wire, tmp_path)
    assert "better (1 failed before, 0 now)" in seen.outputs[-1]
    assert seen.offers_tools(0)
    assert not seen.offers_tools(1)
    assert (seen.result.stop_reason, seen.result.answer) == ("answered", "n + 2 had to be n * 2.")
    assert not seen.result.errors


@pytest.mark.parametrize("wire", WIRES)
def test_a_call_where_the_answer_is_due_is_not_run_and_is_no_answer(wire: str, tmp_path: Path):
    seen = helped([RIGHT, act("run_tests")], wire, tmp_path)
    assert seen.result.stop_reason == "answered"
    assert seen.result.answer.startswith("All tests pass now.")
    assert names(seen).count("run_tests") == 1 + 1  # the opening's, and the one that was asked for and not run
    assert seen.result.tool_calls[-1]["status"] == "called"


def test_the_same_call_with_nothing_changed_is_one_line(tmp_path: Path):
    seen = helped([act("run_tests"), RIGHT, say("Done.")], "openai", tmp_path)
    idle = next(each for each in seen.result.tool_calls[2:] if each["name"] == "run_tests")
    assert idle["status"] == "error"
    assert "nothing has changed since this same call" in idle["result"]
    assert len(idle["result"]) < 300


def test_after_a_change_the_same_call_is_run_again(tmp_path: Path):
    seen = helped(
        [WRONG, act("run_tests"), say("I give up."), say("I give up."), say("I give up.")], "openai", tmp_path
    )
    again = [each for each in seen.result.tool_calls if each["name"] == "run_tests"][-1]
    assert again["status"] == "completed"


def test_a_test_that_was_there_is_not_changed_unless_the_prompt_names_it(tmp_path: Path):
    edit = act("edit_file", {"file_path": "test_double.py", "old_text": "10", "new_text": "7"})
    seen = helped([edit, RIGHT, say("Done.")], "openai", tmp_path)
    refused = next(each for each in seen.result.tool_calls if each["arguments"].get("file_path") == "test_double.py")
    assert refused["status"] == "error"
    assert (seen.root / "test_double.py").read_text(encoding="utf-8") == TESTS
    (tmp_path / "other").mkdir()
    named = helped([edit, say("Done.")], "openai", tmp_path / "other", prompt="in test_double.py 10 must be 7")
    assert "7)" in (named.root / "test_double.py").read_text(encoding="utf-8")


def test_an_order_that_is_answered_without_doing_anything_is_asked_again_and_then_no_success(tmp_path: Path):
    seen = helped([say("What is the bug?")] * 3, "openai", tmp_path)
    assert seen.result.stop_reason == "provider_error"
    assert seen.exit_code == 2
    assert "test_double" in seen.last_said(1)
    assert "--assist finish" in seen.result.errors[-1]


def test_an_untrue_claim_is_objected_to_and_said_where_it_stays(tmp_path: Path):
    claims = [say("I have fixed the bug in double.py.")] * 3
    seen = helped(claims, "openai", tmp_path, "nudge")
    assert "no file was changed" in seen.last_said(1)
    assert any("claims a change" in each for each in seen.result.errors)


def test_a_question_is_no_order(tmp_path: Path):
    seen = helped([say("In double.py, line 2.")], "openai", tmp_path, prompt="where is double defined?")
    assert seen.result.stop_reason == "answered"
    assert "run_tests" not in names(seen)
    assert any("double.py" in each for each in seen.answers(0))


@pytest.mark.parametrize("wire", WIRES)
def test_the_search_is_a_colleague_whose_change_needs_only_a_number(wire: str, tmp_path: Path):
    put_calculator(tmp_path / "work")
    script = [act("apply_repair", {"number": 1}), say("The precedence of + was wrong.")]
    seen = run_script(script, wire, tmp_path / "work", prompt="fix the bug", model_size="small")
    assert names(seen)[-2:] == ["suggest_repair", "apply_repair"]
    assert '"+": 1,' in (tmp_path / "work" / "pkg" / "calculator.py").read_text(encoding="utf-8")
    assert seen.result.answer == "The precedence of + was wrong."


def test_where_it_may_the_search_finishes_what_the_model_does_not(tmp_path: Path):
    put_calculator(tmp_path / "work")
    script = [say("I do not know.")] * 3
    seen = run_script(script, "openai", tmp_path / "work", prompt="fix the bug", model_size="small", assist="finish")
    assert seen.result.stop_reason == "answered"
    assert seen.result.answer.startswith("The model did not finish; the search did.")
    assert '"+": 1,' in (tmp_path / "work" / "pkg" / "calculator.py").read_text(encoding="utf-8")


def test_a_large_model_gets_none_of_it(tmp_path: Path):
    seen = helped([act("run_tests"), say("One test fails.")], "openai", tmp_path, model_size="large")
    assert names(seen) == ["run_tests"]
    assert seen.result.stop_reason == "answered"


@pytest.mark.parametrize("name", NAMES)
def test_each_part_can_be_left_out_and_the_person_is_told_which_are_on(name: str, tmp_path: Path):
    seen = helped([RIGHT, say("Done: n * 2."), say("Done."), say("Done.")], "openai", tmp_path, name)
    told = next(line for line in seen.told.splitlines() if "taken for a small model" in line)
    assert name not in told.partition("helped: ")[2].partition(" (")[0].split(", ")


@pytest.mark.parametrize(
    ("choice", "provider", "model", "small"),
    [
        ("auto", "lmstudio", "qwen2.5-coder-1.5b-instruct", True),
        ("auto", "lmstudio", "qwen/qwen3-coder-30b", True),
        ("auto", "lmstudio", "llama-3.3-70b-instruct", False),
        ("auto", "lmstudio", "phi-4", True),
        ("auto", "lmstudio", "openai/gpt-oss-20b", True),
        ("auto", "lmstudio", "gpt-5-mini", False),
        ("auto", "lmstudio", "anthropic/claude-sonnet", False),
        ("auto", "gemini", "gemini-2.5-flash", False),
        ("auto", "gemini", "qwen1.5b", True),
        ("large", "lmstudio", "qwen2.5-coder-1.5b-instruct", False),
        ("small", "gemini", "gemini-2.5-flash", True),
        ("auto", "offline", "glassbox-offline", False),
    ],
)
def test_what_counts_as_small(choice: str, provider: str, model: str, small: bool):
    assert is_small(choice, provider, model) is small


def test_a_claim_is_told_from_a_plan():
    assert CLAIM.search("I have fixed the bug.")
    assert CLAIM.search("The constant has been changed.")
    assert not CLAIM.search("The bug can be fixed by changing line 19.")
    assert not CLAIM.search("I would change line 19.")
