"""What the built-in model does with what it is asked: it changes what it should, and nothing else; it hints, explains,
renames, and says what it cannot do. Over both wires, through the agent and its tools.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from asking import Person, changes

from offline.coder import fixing
from offline.coder.mind import decide
from offline.coder.verifying import TRY
from offline.script import GEMINI, OPENAI
from offline.wire.conversation import Conversation, Step

SHOP = '''\
"""A small shop."""

RATE = 7


def net(prices):
    """The sum of all prices."""
    return sum(prices)


def gross(prices):
    return net(prices) - net(prices) * RATE // 100


def cheapest(prices):
    if not prices:
        raise ValueError("nothing to sell")
    return max(prices)
'''
TESTS = """\
import unittest

from shop import cheapest, gross, net


class ShopTest(unittest.TestCase):
    def test_net(self):
        self.assertEqual(net([1, 2, 3]), 6)

    def test_gross(self):
        self.assertEqual(gross([100, 200]), 321)
"""
BOTH = "\n    def test_cheapest(self):\n        self.assertEqual(cheapest([3, 1]), 1)\n"
GROSS_IS_RIGHT = SHOP.replace("net(prices) - net", "net(prices) + net")
Make = Callable[[dict[str, str]], Path]


@pytest.fixture(params=[OPENAI, pytest.param(GEMINI, marks=pytest.mark.long)])
def person(request: pytest.FixtureRequest, project: Make, built_in_model: str) -> Person:
    """Somebody with the shop, of which gross is wrong and no test tells that cheapest is, too."""
    return Person(request.param, built_in_model, project({"shop.py": SHOP, "test_shop.py": TESTS}))


@pytest.fixture
def somebody(project: Make, built_in_model: str) -> Callable[[dict[str, str]], Person]:
    return lambda files: Person(OPENAI, built_in_model, project(files))


def test_who_asks_to_fix_gets_the_one_change_and_the_tests_run_again(person: Person):
    result = person.ask("please fix the bug")
    assert changes(result) == ["shop.py"]
    assert person.files()["shop.py"] == GROSS_IS_RIGHT
    assert result.answer.startswith("Fixed. shop.py, line 12")
    assert "Tests now: All 2 tests passed" in result.answer


def test_who_asks_what_is_wrong_gets_the_line_its_values_and_no_change_until_they_say_yes(person: Person):
    result = person.ask("don't fix anything, just tell me what is wrong")
    assert not changes(result)
    assert "it should be: return net(prices) + net(prices) * RATE // 100" in result.answer
    assert "prices = [100, 200] and RATE = 7 it returns 279" in result.answer
    assert "I changed nothing" in result.answer
    assert person.files()["shop.py"] == SHOP
    person.ask("yes please")
    assert person.files()["shop.py"] == GROSS_IS_RIGHT


@pytest.mark.parametrize("asked", ["fix the bug", "why does it fail?", "give me a hint"])
def test_where_pytest_is_missing_that_is_the_answer_and_nothing_is_searched(
    asked: str, somebody: Callable[[dict[str, str]], Person], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("functions.run_tests.find_spec", lambda name: None)
    tests = "import pytest\nfrom shop import net\n\n\ndef test_net():\n    assert net([1]) == 2\n"
    result = somebody({"shop.py": SHOP, "test_shop.py": tests}).ask(asked)
    assert "python -m pip install pytest" in result.answer
    assert not changes(result)


def test_who_does_not_allow_the_tests_to_be_run_gets_no_search_that_runs_them(person: Person):
    why = "the person did not allow this call; do not try it again, ask or find another way"
    person.approve = lambda call, run: why if call.name == "run_tests" else None
    result = person.ask("fix the bug")
    assert "Without running the tests" in result.answer
    assert not changes(result)
    assert person.files()["shop.py"] == SHOP


@pytest.mark.long
def test_three_hints_get_more_exact_and_change_nothing(person: Person):
    first, second, third, again = (person.ask(words) for words in ("give me a hint", "another hint", "more", "hint"))
    assert first.answer.startswith("Hint 1 of 3, about test_gross.")
    assert "self.assertEqual(gross([100, 200]), 321)" in first.answer
    assert "AssertionError: 279 != 321" in first.answer
    assert "the function gross in shop.py" in first.answer
    assert "line 12" not in first.answer
    assert "Hint 2 of 3" in second.answer
    assert "line 12 of shop.py:\n  return net(prices) - net(prices) * RATE // 100" in second.answer
    assert "With prices = [100, 200] and RATE = 7 it returns 279." in second.answer
    assert "operator" in second.answer
    assert " + " not in second.answer
    assert "Hint 3 of 3" in third.answer
    assert "What would happen if line 12 of shop.py said this?\n  return net(prices) + net" in third.answer
    assert again.answer == third.answer
    assert not any(changes(result) for result in (first, second, third, again))
    assert person.files()["shop.py"] == SHOP


def test_a_named_file_bounds_the_change(somebody: Callable[[dict[str, str]], Person]):
    person = somebody({"shop.py": SHOP, "test_shop.py": TESTS, "other.py": "def nothing():\n    return None\n"})
    result = person.ask("fix the bug only in other.py")
    assert not changes(result)
    assert "no change within other.py, lines 1 to 3" in result.answer
    assert person.ask("fix the bug in nowhere.py").answer == 'There is no file "nowhere.py" here. I changed nothing.'


def test_a_named_function_bounds_the_change(somebody: Callable[[dict[str, str]], Person]):
    person = somebody({"shop.py": SHOP, "test_shop.py": TESTS})
    result = person.ask("fix the function net")
    assert not changes(result)
    assert "shop.py, lines 6 to 8" in result.answer


@pytest.mark.long
def test_the_search_itself_stays_within_the_bounds(somebody: Callable[[dict[str, str]], Person]):
    """Either of two functions could make up for the other's mistake: the one that was named does."""
    shop = "def net(x):\n    return x + 1\n\n\ndef gross(x):\n    return net(x) * 2\n"
    tests = "import unittest\nfrom shop import gross\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(gross(5), 10)\n"
    for name, line in (("net", 2), ("gross", 6)):
        person = somebody({"shop.py": shop, "test_shop.py": tests})
        assert f"shop.py, line {line}" in person.ask(f"fix the function {name}").answer


def test_a_file_that_shall_be_left_alone_is(somebody: Callable[[dict[str, str]], Person]):
    person = somebody({"shop.py": SHOP, "test_shop.py": TESTS})
    assert not changes(person.ask("fix the bug, but don't touch shop.py"))


def test_the_test_that_a_person_names_is_the_one_that_counts(somebody: Callable[[dict[str, str]], Person]):
    wrong = TESTS + BOTH.replace("cheapest([3, 1]), 1", "cheapest([3, 1]), 'no change can give this'")
    person = somebody({"shop.py": SHOP, "test_shop.py": wrong})
    person.ask("make test_gross pass")
    assert person.files()["shop.py"] == GROSS_IS_RIGHT


def test_a_claim_repairs_a_program_without_tests_and_the_answer_says_that_nothing_verified_it(
    somebody: Callable[[dict[str, str]], Person],
):
    person = somebody({"shop.py": SHOP})
    person.verify = False
    result = person.ask("cheapest([3, 1]) should be 1, fix it")
    assert "return min(prices)" in person.files()["shop.py"]
    assert "Nothing in the project verifies this" in result.answer
    assert "All" not in result.answer


def test_an_objection_of_the_agent_is_no_wish():
    edit = {"file_path": "shop.py", "old_text": "max(prices)", "new_text": "min(prices)"}
    steps = (
        Step("", "get_dir_info", {"directory": "."}, "- shop.py: file_size=300 bytes, is_dir=False"),
        Step("", "run_tests", {"path": "."}, 'Error: no tests found in "."'),
        Step("I found it. shop.py, line 18: another function.", "edit_file", edit, "Successfully edited"),
    )
    tools = frozenset(("run_tests", "edit_file", "get_dir_info"))
    objected = Conversation(
        "cheapest([3, 1]) should be 1, fix it",
        steps,
        remarks=("You changed shop.py and have not run anything since. Run the tests (run_tests).",),
        tools=tools,
    )
    answer = decide(objected, print, None)  # type: ignore[arg-type]
    assert not answer.calls
    assert answer.text.startswith("Changed. shop.py, line 18")
    assert "Nothing in the project verifies this" in answer.text


FAILS = "{} of 3 tests failed (unittest, 0.1 s)\n\n{}"
ONE, OTHER = (
    f'FAIL: {name} (test_shop.T.{name})\nTraceback (most recent call last):\n  File "/x/test_shop.py", line 3, in {name}\n'
    "    self.fail()\nAssertionError: no\n\n"
    for name in ("test_one", "test_other")
)


def after_an_edit(before: str, after: str, *more: Step) -> Conversation:
    edit = {"file_path": "shop.py", "old_text": "a + b", "new_text": "a - b"}
    steps = (
        Step("", "get_dir_info", {"directory": "."}, "- test_shop.py: file_size=300 bytes, is_dir=False"),
        Step("", "run_tests", {"path": "."}, before),
        Step("I found it. shop.py, line 3: another operator.", "edit_file", edit, "Successfully edited"),
        Step("I run the tests again.", "run_tests", {"path": "."}, after),
    )
    return Conversation("fix the bug", (*steps, *more), tools=frozenset(("run_tests", "edit_file")))


def test_a_change_that_breaks_what_passed_is_taken_back():
    told = FAILS.format(1, ONE), FAILS.format(1, OTHER)
    decision = decide(after_an_edit(*told), print, None)  # type: ignore[arg-type]
    back = {"file_path": "shop.py", "old_text": "a - b", "new_text": "a + b"}
    assert [dict(call.arguments) for call in decision.calls] == [back]
    taken_back = Step(decision.text, "edit_file", back, "Successfully edited")
    answer = decide(after_an_edit(*told, taken_back), print, None)  # type: ignore[arg-type]
    assert not answer.calls
    assert answer.text.startswith("I found a change, but it broke test_other. I took it back.")


def test_what_is_not_named_among_many_failures_was_not_broken_unless_more_fail_now():
    named_some = FAILS.format(2, ONE)
    answer = decide(after_an_edit(named_some, FAILS.format(1, OTHER)), print, None)  # type: ignore[arg-type]
    assert not answer.calls
    assert answer.text.startswith("My change did not make all tests pass")
    assert decide(after_an_edit(named_some, FAILS.format(3, ONE + OTHER)), print, None).calls  # type: ignore[arg-type]


SHELVES = """\
SHELVES = {"low": 1, "high": 2}


def shelf(name):
    return SHELVES[name]


HIGHEST = shelf("XXhigh")
"""
SHELF_TESTS = """\
from pathlib import Path

from shelves import HIGHEST, shelf


def test_low():
    assert shelf("low") == 1


def test_highest():
    assert HIGHEST == 2


def test_picture():
    assert Path(__file__).with_name("picture.bin").read_bytes()[:1] == b"\\0"
"""


def test_what_only_a_file_that_is_no_text_keeps_from_passing_is_tried_where_that_is(
    somebody: Callable[[dict[str, str]], Person], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(fixing, "REPAIR_SECONDS", 8.0)
    person = somebody({"shelves.py": SHELVES, "test_shelves.py": SHELF_TESTS, "picture.bin": "\0\0"})
    result = person.ask("fix the bug")
    assert person.files()["shelves.py"] == SHELVES.replace("XX", "")
    assert result.answer.startswith("Fixed. shelves.py, line 8: a different string.")
    assert "Tests now: 3 passed" in result.answer


def test_where_no_file_was_left_out_a_change_that_does_not_do_in_the_copy_is_not_tried(
    somebody: Callable[[dict[str, str]], Person], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(fixing, "REPAIR_SECONDS", 8.0)
    result = somebody({"shelves.py": SHELVES, "test_shelves.py": SHELF_TESTS}).ask("fix the bug")
    assert not changes(result)
    assert "it is only a part, so I did not apply it: shelves.py line 8" in result.answer


def test_the_nearest_change_is_taken_back_where_not_all_tests_pass_with_it_after_all():
    def tried(after: str, *more: Step) -> Conversation:
        steps = after_an_edit(FAILS.format(2, ONE + OTHER), after, *more).steps
        edit = replace(steps[2], said=f"{TRY}shop.py, line 3: another operator. I am about 80 % sure of it.")
        return Conversation("fix the bug", (*steps[:2], edit, *steps[3:]), tools=frozenset(("run_tests", "edit_file")))

    half = FAILS.format(1, OTHER)
    decision = decide(tried(half), print, None)  # type: ignore[arg-type]
    assert [call.name for call in decision.calls] == ["edit_file"]
    back = Step(decision.text, "edit_file", dict(decision.calls[0].arguments), "Successfully edited")
    answer = decide(tried(half, back), print, None)  # type: ignore[arg-type]
    assert not answer.calls
    assert answer.text.startswith(
        "I found a change, but not all tests passed with it (1 of 3 tests failed (unittest, 0.1 s)). I took it back."
    )
    whole = decide(tried("All 3 tests passed (unittest, 0.1 s)"), print, None)  # type: ignore[arg-type]
    assert whole.text.startswith("Fixed. shop.py, line 3: another operator.")


def test_a_test_that_is_expected_to_fail_is_none_that_a_change_broke():
    after = "508 passed, 34 skipped, 9 xfailed, 1 xpassed in 4.61s (pytest)"
    before = f"1 failed, 507 passed, 34 skipped, 9 xfailed in 4.70s (pytest)\n\n{ONE}"
    answer = decide(after_an_edit(before, after), print, None)  # type: ignore[arg-type]
    assert answer.text.startswith("Fixed.")
    assert not answer.calls


def test_a_change_that_no_test_speaks_of_is_not_called_verified_by_tests_that_passed_before():
    passed = "All 3 tests passed (unittest, 0.1 s)"
    answer = decide(after_an_edit(passed, passed), print, None).text  # type: ignore[arg-type]
    assert answer.startswith("Changed. shop.py, line 3")
    assert "Nothing in the project verifies this" in answer


def test_what_still_fails_after_a_change_is_not_called_fixed():
    both = FAILS.format(2, ONE + OTHER)
    answer = decide(after_an_edit(both, FAILS.format(1, OTHER)), print, None).text  # type: ignore[arg-type]
    assert answer.startswith("My change did not make all tests pass; --undo takes it back.")


COUNT = """\
import sys


def count(text):
    words = {}
    for word in text.split():
        words[word] = words[word] + 1
    return words


def main():
    for word, number in sorted(count(" ".join(sys.argv[1:]) or "a b a").items()):
        print(word, number)


if __name__ == "__main__":
    main()
"""
TRACEBACK = """\
what is wrong here?

Traceback (most recent call last):
  File "/home/me/words.py", line 17, in <module>
    main()
  File "/home/me/words.py", line 12, in main
    for word, number in sorted(count(" ".join(sys.argv[1:]) or "a b a").items()):
  File "/home/me/words.py", line 7, in count
    words[word] = words[word] + 1
KeyError: 'a'
"""


@pytest.mark.long
@pytest.mark.parametrize(
    "prompt",
    [
        pytest.param(TRACEBACK, id="pasted"),
        pytest.param("the program crashes", id="found by running it"),
    ],
)
def test_a_script_that_ends_with_an_error_is_looked_at_where_it_does(
    prompt: str, somebody: Callable[[dict[str, str]], Person]
):
    person = somebody({"words.py": COUNT.replace("words[word] + 1", "word + 1")})
    result = person.ask(prompt.replace("words[word] + 1", "word + 1").replace("KeyError: 'a'", "TypeError: no"))
    assert not changes(result)
    assert "words.py, line 7" in result.answer
    assert "Shown by running the program." in result.answer


def test_what_is_explained_is_read_off_the_program(somebody: Callable[[dict[str, str]], Person]):
    person = somebody({"shop.py": SHOP, "test_shop.py": TESTS, "README.md": "# Shop\n\nSells things.\n"})
    cheapest = person.ask("explain the function cheapest").answer
    for part in (
        "cheapest is a function in shop.py, line 15.",
        "It takes: prices",
        "It returns: `max(prices)`",
        "It raises: `ValueError('nothing to sell')`",
    ):
        assert part in cheapest
    assert "- test_shop.py:11:" in person.ask("who calls gross?").answer
    assert "- net(prices), line 6: The sum of all prices." in person.ask("which functions are in shop.py?").answer
    about = person.ask("what does this project do?").answer
    assert about.startswith("Shop\nSells things.")
    assert "- shop.py: A small shop." in about


def test_a_name_is_changed_through_the_project_and_the_tests_still_say_the_same(
    somebody: Callable[[dict[str, str]], Person],
):
    person = somebody({"shop.py": SHOP, "test_shop.py": TESTS})
    result = person.ask("rename net to total_of")
    assert result.answer.startswith("Renamed net to total_of: 4 changes in shop.py, test_shop.py.")
    assert person.files()["shop.py"] == SHOP.replace("net(", "total_of(")
    assert "from shop import cheapest, gross, total_of" in person.files()["test_shop.py"]


def test_an_example_becomes_a_test_in_the_way_of_the_tests_beside_it(somebody: Callable[[dict[str, str]], Person]):
    person = somebody({"shop.py": SHOP, "test_shop.py": TESTS})
    result = person.ask("add a test that cheapest([3, 1]) should be 1")
    added = "    def test_cheapest_3_1(self):\n        self.assertEqual(cheapest([3, 1]), 1)\n"
    assert person.files()["test_shop.py"] == f"{TESTS}\n{added}"
    assert "It fails now, which shows a bug" in result.answer
    assert changes(result) == ["test_shop.py"]


@pytest.mark.parametrize(
    ("prompt", "part"),
    [
        ("fix the spelling in README.md", "can't judge prose"),
        ("format the code", "formatter"),
        ("undo the fix", "--undo"),
        ("write me a web server", "language model"),
        ("what can you do?", "rename"),
    ],
)
def test_what_it_cannot_do_is_said_at_once_with_what_would(
    prompt: str, part: str, somebody: Callable[[dict[str, str]], Person]
):
    result = somebody({"shop.py": SHOP}).ask(prompt)
    assert part in result.answer
    assert not result.tool_calls


INTERNAL = ("Traceback", "KeyboardInterrupt", "last words", "HintUnusable", "test_what_the", "Finding", "status")


@pytest.mark.long
def test_no_answer_holds_internal_words(somebody: Callable[[dict[str, str]], Person]):
    person = somebody({"shop.py": SHOP})
    for prompt in ("fix the bug", "gross([100]) should be 107", "give me a hint", "fix the function solve", "more"):
        answer = person.ask(prompt).answer
        assert answer
        assert not [word for word in INTERNAL if word in answer], answer
