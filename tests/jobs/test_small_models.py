"""What helps a small model: each mechanism acts where it should, on both wires, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from wire_run import Seen, run_script

from agent.gates import unwrapped
from agent.mechanisms import CLAIM, NAMES, is_small, what_was_wrong
from jobs.first_look import is_order
from jobs.small_models import is_to_change
from jobs.take_back import Broken, take_back
from offline.script import Call, Step, call, say
from sandbox.files.root import Root

pytestmark = pytest.mark.usefixtures("the_same_search_is_made_once")
WIRES = ("openai", "gemini")
PROGRAM = "def double(n):\n    return n + 2\n"
PASSES = "def double(n):\n    return n + 2 + 3\n"  # the test
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


def helped(
    script: list[Step],
    wire: str,
    folder: Path,
    *without: str,
    program: str = PROGRAM,
    tests: str = TESTS,
    **changes: Any,
) -> Seen:
    """A run with a small model, on a program whose only test fails."""
    work = folder / "work"
    work.mkdir()
    (work / "double.py").write_text(program, encoding="utf-8")
    (work / "test_double.py").write_text(tests, encoding="utf-8")
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
    done = 'All tests pass now. Successfully edited "double.py" at line 2'  # this program's word beside the model's
    assert (seen.result.stop_reason, seen.result.answer) == ("answered", f"n + 2 had to be n * 2.\n\n{done}")
    assert not seen.result.errors


@pytest.mark.parametrize("wire", WIRES)
def test_a_call_where_the_answer_is_due_is_not_run_and_is_no_answer(wire: str, tmp_path: Path):
    seen = helped([RIGHT, act("run_tests")], wire, tmp_path)
    assert seen.result.stop_reason == "answered"
    assert seen.result.answer.startswith("All tests pass now.")
    assert names(seen).count("run_tests") == 1 + 1  # the opening's, and the one that was asked for and not run
    assert seen.result.tool_calls[-1]["status"] == "called"


@pytest.mark.parametrize(
    ("wrote", "answered"),
    [
        ('```json\n{"result": "It added first."}\n```', "It added first."),
        ('{"name": "answer", "arguments": {"text": "It added first."}}', "It added first."),
        ('```json\n{"name": "answer", "arguments": {}}\n```', "All tests pass now. "),
        ('{"a": 1, "b": "two"}', '{"a": 1, "b": "two"}'),
        ("Precedence {was} wrong.", "Precedence {was} wrong."),
        ('{"cut": "off}', '{"cut": "off}'),
    ],
)
def test_an_answer_is_shown_without_the_json_around_it(wrote: str, answered: str, tmp_path: Path):
    """As Qwen2.5-Coder 1.5B wrote it in four of ten runs on Gemini's wire (2026-11-25)."""
    seen = helped([RIGHT, say(wrote)], "gemini", tmp_path)
    assert seen.result.answer.startswith(answered)


def test_who_asks_for_json_gets_it():
    assert unwrapped('{"result": "yes"}', "Is it right? Answer in JSON.") == '{"result": "yes"}'


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


@pytest.mark.parametrize("wire", WIRES)
def test_a_test_file_that_is_named_for_failing_is_not_changed(wire: str, tmp_path: Path):
    """As the real 1.5B did (datasets/models/records/ablation-begun-*): it put what came where what is right stood."""
    edit = act("edit_file", {"file_path": "test_double.py", "old_text": "10", "new_text": "7"})
    prompt = "test_double.py fails. Please repair the program."
    seen = helped([edit, RIGHT, say("Done.")], wire, tmp_path, prompt=prompt)
    assert (seen.root / "test_double.py").read_text(encoding="utf-8") == TESTS
    assert "n * 2" in (seen.root / "double.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("prompt", "changes"),
    [
        ("add a case for 0 to test_a.py", True),
        ("Update the names in tests/test_a.py. All tests pass now.", True),
        ("in test_a.py 10 must be 7", True),
        ("make test_a.py pass", False),
        ("test_a.py fails. Please repair the program.", False),
        ("fix the bug that test_a.py shows", False),
        ("run test_a.py and repair what is wrong", False),
        ("test_a.py schlägt fehl, bitte beheben", False),
        ("add a case to test_b.py", False),
    ],
)
def test_a_prompt_names_a_test_file_as_what_to_change_or_as_what_judges(prompt: str, changes: bool):
    assert is_to_change("test_a.py", prompt) is changes


def test_an_order_that_is_answered_without_doing_anything_is_asked_again_and_then_no_success(tmp_path: Path):
    seen = helped([say("What is the bug?")] * 3, "openai", tmp_path)
    assert seen.result.stop_reason == "provider_error"
    assert seen.exit_code == 2
    assert "test_double" in seen.last_said(1)
    assert "--assist finish" in seen.result.errors[-1]


def test_an_order_that_changed_nothing_is_asked_once_more_where_all_tests_pass(tmp_path: Path):
    script = [say("It should count twice."), RIGHT, say("Done.")]
    seen = helped(script, "openai", tmp_path, program=PASSES)
    assert "No file was changed yet" in seen.last_said(1)
    assert (seen.root / "double.py").read_text(encoding="utf-8") == PASSES.replace("n + 2", "n * 2")


@pytest.mark.parametrize("wire", WIRES)
def test_where_no_test_failed_a_change_is_not_taken_for_the_end_until_nothing_new_is_done(wire: str, tmp_path: Path):
    more = act("write_file", {"file_path": "other.py", "content": "X = 1\n"})
    look = act("get_file_content", {"file_path": "double.py"})
    same = act("edit_file", {"file_path": "double.py", "old_text": "2 + 3", "new_text": "1 + 4"})
    seen = helped([same, more, look, look, say("Both are done.")], wire, tmp_path, program=PASSES)
    assert (seen.root / "other.py").exists()
    assert "All tests pass, as before" in seen.answers(1)[-1]
    assert [seen.offers_tools(request) for request in range(5)] == [True, True, True, True, False]
    assert seen.result.answer == "Both are done."


def test_where_nothing_fails_a_model_that_only_repeats_itself_is_asked_for_its_answer(tmp_path: Path):
    """Qwen2.5-Coder 1.5B, asked to fix a program whose tests pass, ran them again and again, and then broke it."""
    again = act("run_tests")
    seen = helped([again, again, say("All tests pass, so nothing was changed.")], "openai", tmp_path, program=PASSES)
    assert [seen.offers_tools(request) for request in range(3)] == [True, True, False]
    assert seen.result.answer == "All tests pass, so nothing was changed."
    assert (seen.root / "double.py").read_text(encoding="utf-8") == PASSES


@pytest.mark.parametrize("wire", WIRES)
def test_a_tool_that_is_called_the_same_way_a_third_time_is_withheld_for_a_turn(wire: str, tmp_path: Path):
    listing = act("get_dir_info")
    seen = helped([listing, listing, WRONG, RIGHT, say("Done.")], wire, tmp_path)
    assert ["get_dir_info" in tools_of(seen, request) for request in range(4)] == [True, True, False, True]
    assert "get_dir_info is withheld for a turn" in seen.told


def tools_of(seen: Seen, request: int) -> str:
    return str(seen.requests[request]["tools"])


@pytest.mark.parametrize("wire", WIRES)
def test_a_question_about_a_program_that_was_read_whole_is_answered_at_once_and_nothing_can_be_changed(
    wire: str, tmp_path: Path
):
    """Qwen2.5-Coder 1.5B, asked where precedence is defined, ran every file and then edited main.py."""
    seen = helped([say("In double.py, line 2.")], wire, tmp_path, prompt="where is double defined?")
    assert set(names(seen)) == {"get_dir_info", "get_file_content"}
    assert any(PROGRAM.strip() in each for each in seen.answers(0))
    assert "double.py (double)" in seen.last_said(0)
    assert seen.last_said(0).endswith("where is double defined?")
    assert not seen.offers_tools(0)
    assert "write_file" not in tools_of(seen, 0)
    assert seen.result.answer == "In double.py, line 2."


def test_a_question_about_a_large_program_is_begun_with_a_search(tmp_path: Path):
    program = f"{PROGRAM}\n\nTEXT = '{'long ' * 3000}'\n"
    seen = helped([say("In double.py.")], "openai", tmp_path, prompt="where is double defined?", program=program)
    assert any("double.py:1: def double(n):" in each for each in seen.answers(0))
    assert seen.offers_tools(0)


def test_a_question_that_the_program_does_not_speak_of_leaves_the_tools_that_look(tmp_path: Path):
    seen = helped([say("In long.txt.")], "openai", tmp_path, prompt="which chapter names Icarus?")
    assert seen.offers_tools(0)
    assert "search_files" in tools_of(seen, 0)
    assert "write_file" not in tools_of(seen, 0)


@pytest.mark.parametrize(
    ("prompt", "order"),
    [
        ("fix the bug", True),
        ("where is precedence defined?", False),
        ("Can you fix the bug?", True),
        ("Why do the tests fail? Fix it.", True),
        ("Why does fee() return None, and in which file is that decided? Do not change anything.", False),
        ("How do I add a test?", False),
        ("the total is wrong", True),
    ],
)
def test_what_is_an_order(prompt: str, order: bool):
    assert is_order(prompt) is order


def test_an_untrue_claim_is_objected_to_and_said_where_it_stays(tmp_path: Path):
    claims = [say("I have fixed the bug in double.py.")] * 3
    seen = helped(claims, "openai", tmp_path, "nudge")
    assert "no file was changed" in seen.last_said(1)
    assert any("claims a change" in each for each in seen.result.errors)
    assert "I have fixed" not in seen.result.answer
    assert seen.result.answer.startswith("Nothing was changed.")


@pytest.mark.parametrize("claim", ["This has been fixed.", "The file was modified to do so."])
def test_neither_is_one_made_of_a_change_that_was_taken_back(claim: str, tmp_path: Path):
    """As Qwen2.5-Coder 1.5B told of its edits to recipe_finder in one of three runs (2026-11-26)."""
    claims = [say(f"It was not ignoring case. {claim}")] * 3
    script = [BREAKS_ONE, act("take_back"), *claims]
    seen = helped(script, "openai", tmp_path, program=SOUND, tests=TWO_TESTS, prompt="let it ignore case")
    said = seen.result.answer.replace("\n\nNothing was changed.", "")
    assert said == "It was not ignoring case.\n\nAs before the changes again: double.py."


def test_a_change_by_a_tool_that_is_withheld_since_is_no_untrue_claim(tmp_path: Path):
    seen = helped([WRONG, WRONG, WRONG, say("I have changed line 2.")], "openai", tmp_path, "nudge", "tests")
    assert "edit_file is withheld" in seen.told
    assert seen.result.answer == "I have changed line 2."
    assert "claims a change" not in seen.told


def test_a_question_is_no_order(tmp_path: Path):
    seen = helped([say("In double.py, line 2.")], "openai", tmp_path, prompt="where is double defined?")
    assert seen.result.stop_reason == "answered"
    assert "run_tests" not in names(seen)
    assert any("double.py" in each for each in seen.answers(0))


@pytest.mark.sample(1)
@pytest.mark.parametrize("wire", WIRES)
def test_the_search_is_a_colleague_whose_change_needs_only_a_number(wire: str, tmp_path: Path):
    seen = helped([act("apply_repair", {"number": 1}), say("It added.")], wire, tmp_path, assist="suggest")
    assert names(seen)[-2:] == ["suggest_repair", "apply_repair"]
    assert (seen.root / "double.py").read_text(encoding="utf-8") != PROGRAM
    assert "All 1 tests passed" in seen.outputs[-1]
    assert seen.result.answer.startswith("It added.\n\nAll tests pass now. Changed double.py:2: `return n + 2` becomes")


@pytest.mark.sample(1)
@pytest.mark.parametrize("wire", WIRES)
def test_of_a_change_that_it_did_not_write_the_models_words_are_left_out(wire: str, tmp_path: Path):
    """As Qwen2.5-Coder 1.5B told of its change in one of three runs (2026-11-25 and 26)."""
    script = [act("apply_repair", {"number": 1}), say("It added. The fix was to set the factor to `7`. It works.")]
    seen = helped(script, wire, tmp_path, assist="suggest")
    assert seen.result.answer.startswith("It added.\n\nAll tests pass now. Changed double.py:2: `return n + 2` becomes")
    assert "7" not in seen.result.answer
    assert "is left out; it is in the trace" in seen.told


def test_of_a_change_of_its_own_the_model_tells_in_its_own_words(tmp_path: Path):
    script = [RIGHT, say("I changed the sum to a product.")]
    seen = helped(script, "openai", tmp_path, assist="suggest")
    assert seen.result.answer.startswith("I changed the sum to a product.\n\nAll tests pass now. ")


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("I set the constant to `0`, which is lower.", ""),
        ("It was `3`. This was fixed by changing the precedence to 0.", "It was `3`."),
        ("`+` came first. The '+' operator was replaced with one of a precedence of 0.", "`+` came first."),
        ("It added too early. The change made `+` equal to `*`. All is well.", "It added too early."),
        ("It should have been 2.", ""),
        ("It added too early\nThe corrected version has the constants 1 and 0.", "It added too early"),
        ('```json\n{"wrong": "It added."}\n```', ""),
        ("The precedence was not correctly written.", "The precedence was not correctly written."),
        ("", ""),
    ],
)
def test_what_was_wrong_ends_where_an_answer_begins_to_tell_of_a_change(answer: str, left: str):
    assert what_was_wrong(answer) == left


def test_where_it_may_the_search_finishes_what_the_model_does_not(tmp_path: Path):
    seen = helped([say("I do not know.")] * 3, "openai", tmp_path, assist="finish")
    assert seen.result.stop_reason == "answered"
    assert seen.result.answer.startswith("The model did not finish; the search did.")
    assert "All 1 tests passed" in seen.outputs[-1]


HALF = "def price(n):\n    one = n + 4\n    both = one * 9\n    return both - 1\n"
HALF_TESTS = """\
import unittest

from double import price


class Test(unittest.TestCase):
    def test_price(self):
        self.assertEqual([price(n) for n in (1, 5, 8)], [20, 104, 167])  # n * 3 * 7 - 1

    def test_none(self):
        self.assertEqual(price(0), -1)
"""
HALF_RIGHT = act("edit_file", {"file_path": "double.py", "old_text": "n + 4", "new_text": "n * 3"})


@pytest.mark.long
@pytest.mark.parametrize("wire", WIRES)
def test_the_search_finishes_what_the_model_has_half_done(wire: str, tmp_path: Path):
    """From the start alone it does not: a sign and two numbers at once are too many."""
    given = {"program": HALF, "tests": HALF_TESTS, "assist": "finish"}
    seen = helped([HALF_RIGHT, *[say("I have changed it.")] * 3], wire, tmp_path, **given)
    assert (seen.root / "double.py").read_text(encoding="utf-8") == HALF.replace("n + 4", "n * 3").replace("9", "7")
    assert names(seen)[-2:] == ["suggest_repair", "apply_repair"]
    assert "looks for what your change still lacks" in seen.last_said(2)
    (tmp_path / "alone").mkdir()
    alone = helped([say("I do not know.")] * 3, wire, tmp_path / "alone", **given)
    assert (alone.root / "double.py").read_text(encoding="utf-8") == HALF


@pytest.mark.long
@pytest.mark.parametrize("wire", WIRES)
def test_what_was_found_at_the_start_still_finishes_it_where_the_models_change_leads_nowhere(wire: str, tmp_path: Path):
    astray = act("edit_file", {"file_path": "double.py", "old_text": "return n + 2", "new_text": "print(n)"})
    seen = helped([astray, *[say("I have changed it.")] * 3], wire, tmp_path, assist="finish")
    assert "All 1 tests passed" in seen.outputs[-1]
    assert "what was tried since is taken back" in seen.outputs[-1]
    assert "return" in (seen.root / "double.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("wire", WIRES)
def test_a_model_that_does_everything_right_makes_the_same_calls_and_sends_no_more(wire: str, tmp_path: Path):
    looks = [act("get_dir_info"), act("run_tests"), act("get_file_content", {"file_path": "double.py"})]
    (tmp_path / "alone").mkdir()
    alone = helped([*looks, RIGHT, act("run_tests"), say("Done.")], wire, tmp_path / "alone", model_size="large")
    seen = helped([RIGHT, say("Done.")], wire, tmp_path, assist="off")
    by_itself = [each["name"] for each in alone.result.tool_calls]
    assert names(seen) == by_itself[:-1]  # the tests after the change stand in its own result
    assert sent(seen) <= 1.1 * sent(alone)


def sent(seen: Seen) -> int:
    """Characters of all requests of a run."""
    return sum(len(json.dumps(request)) for request in seen.requests)


def test_a_large_model_gets_none_of_it(tmp_path: Path):
    seen = helped([act("run_tests"), say("One test fails.")], "openai", tmp_path, model_size="large")
    assert names(seen) == ["run_tests"]
    assert seen.result.stop_reason == "answered"


@pytest.mark.sample(2)
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
    assert CLAIM.search("The bug was fixed by adding a check.")  # Qwen2.5-Coder 1.5B, at its limit
    assert not CLAIM.search("The bug can be fixed by changing line 19.")
    assert not CLAIM.search("I would change line 19.")


TWO_TESTS = TESTS + "\n    def test_zero(self):\n        self.assertEqual(double(0), 0)\n"
SOUND = "def double(n):\n    return n * 2\n"
EMPTIED = act("write_file", {"file_path": "double.py", "content": ""})
BREAKS_ONE = act("edit_file", {"file_path": "double.py", "old_text": "n * 2", "new_text": "n * 3"})


@pytest.mark.parametrize("wire", WIRES)
def test_what_breaks_tests_that_passed_is_taken_back_by_one_call(wire: str, tmp_path: Path):
    script = [BREAKS_ONE, act("take_back"), *[say("It was right as it is.")] * 2]
    seen = helped(script, wire, tmp_path, program=SOUND, tests=TWO_TESTS, prompt="make double faster")
    edited, back = seen.result.tool_calls[-2:]
    assert "worse (0 failed before, 1 now). It broke what passed" in edited["result"]
    assert "double.py back as before" in edited["result"]
    assert back["result"].startswith("As before the changes again: double.py\nAll 2 tests passed")
    assert (seen.root / "double.py").read_text(encoding="utf-8") == SOUND
    assert ['"take_back"' in json.dumps(each["tools"]) for each in seen.requests] == [False, True, False, False]
    assert "No file was changed yet" in seen.last_said()
    assert seen.result.answer == "It was right as it is.\n\nAs before the changes again: double.py."


def test_after_changes_were_taken_back_the_model_may_try_again(tmp_path: Path):
    again = act("edit_file", {"file_path": "double.py", "old_text": "n * 2", "new_text": "n + n"})
    script = [BREAKS_ONE, act("take_back"), again, say("It adds now.")]
    seen = helped(script, "openai", tmp_path, program=SOUND, tests=TWO_TESTS, prompt="make double faster")
    assert "n + n" in (seen.root / "double.py").read_text(encoding="utf-8")
    assert "As before" not in seen.result.answer


@pytest.mark.parametrize("wire", WIRES)
def test_a_run_does_not_end_with_tests_that_cannot_be_loaded_any_more(wire: str, tmp_path: Path):
    script = [EMPTIED, *[say("I have made it faster.")] * 3, say("Nothing is changed.")]
    seen = helped(script, wire, tmp_path, program=SOUND, tests=TWO_TESTS, prompt="make double faster")
    assert (seen.root / "double.py").read_text(encoding="utf-8") == SOUND
    assert names(seen)[-1] == "take_back"
    assert "taken back: double.py is as it was" in seen.told
    assert "or say in your answer that nothing is changed there" in seen.last_said()
    assert seen.result.answer == "As before the changes again: double.py."


def test_neither_does_one_that_is_out_of_turns(tmp_path: Path):
    made = {"program": SOUND, "tests": TWO_TESTS, "prompt": "make double faster", "max_iters": 5}
    seen = helped([EMPTIED, *[act("get_file_content", {"file_path": "a.txt"})] * 2], "openai", tmp_path, **made)
    assert seen.result.stop_reason == "max_iters"
    assert (seen.root / "double.py").read_text(encoding="utf-8") == SOUND
    assert "taken back: double.py is as it was" in " ".join(seen.result.errors)


def test_tests_that_fail_and_may_have_been_meant_are_not_taken_back(tmp_path: Path):
    script = [BREAKS_ONE, *[say("It triples now.")] * 3]
    seen = helped(script, "openai", tmp_path, program=SOUND, tests=TWO_TESTS, prompt="let double triple")
    assert "n * 3" in (seen.root / "double.py").read_text(encoding="utf-8")
    assert "take_back" not in names(seen)


def test_a_new_file_that_broke_the_tests_is_gone_again(tmp_path: Path):
    broken = act("write_file", {"file_path": "unittest.py", "content": "TestCase = None\n"})
    script = [broken, act("take_back"), say("Not needed.")]
    seen = helped(script, "openai", tmp_path, program=SOUND, tests=TWO_TESTS, prompt="write a helper")
    assert "take_back" in names(seen), seen.outputs
    assert not (seen.root / "unittest.py").exists()


def test_what_somebody_else_has_changed_since_is_not_taken_back(tmp_path: Path):
    (tmp_path / "double.py").write_text("mine", encoding="utf-8")
    with Root(tmp_path) as root:
        broken = Broken(root)
        broken.add("double.py", (True, SOUND))
        (tmp_path / "double.py").write_text("a person's", encoding="utf-8")
        assert "changed by somebody else" in take_back(broken)
    assert (tmp_path / "double.py").read_text(encoding="utf-8") == "a person's"
