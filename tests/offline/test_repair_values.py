"""Changes that are computed: what tests expect, what was seen at run time, and expressions that fit both."""

from __future__ import annotations

import ast

from offline.repair.changes.fitting import fitting, opposite, separating
from offline.repair.changes.synthesis import COMPUTED, synthesise
from offline.repair.changes.terms import combine, evaluated, leaves
from offline.repair.reading.doctests import with_examples, with_scripts
from offline.repair.reading.examples import Expected, read_examples
from offline.repair.reading.project import read_project
from offline.repair.reading.shapes import function_of
from offline.repair.reading.source import Source
from offline.repair.reading.vocabulary import Vocabulary
from offline.repair.running.snapshots import Hit, read_hits

TESTS = """\
import pytest


def test_them():
    assert area(2, 3) == 6
    assert not is_empty([1])
    self.assertEqual([1], rest([0, 1]))
    self.assertIsNone(find("x"))
    with self.assertRaisesRegex(ValueError, "too much"):
        account.withdraw(6)
    with pytest.raises(KeyError, match="^no .*"):
        look("a")
    self.assertRaises(TypeError, add, 1)
    assert other == area
"""


def hits(*rows: tuple[dict[str, object], str, bool]) -> list[Hit]:
    """Situations: values, what is expected of `f` there, whether it went wrong."""
    return [
        Hit("t", number, values, Expected("f", wanted), wrong) for number, (values, wanted, wrong) in enumerate(rows)
    ]


def test_what_tests_expect_is_read_line_by_line() -> None:
    found = read_examples(ast.parse(TESTS))
    assert found[5] == Expected("area", "6")
    assert found[6] == Expected("is_empty", "False")
    assert found[7] == Expected("rest", "[1]")
    assert found[8] == Expected("find", "None")
    assert found[10] == Expected("withdraw", raises="ValueError", message="too much")
    assert found[12].raises == "KeyError"
    assert found[13] == Expected("add", raises="TypeError")
    assert 14 not in found


def test_a_condition_tells_situations_apart_in_the_plainest_words() -> None:
    yes = hits(({"amount": 6, "self.balance": 5}, "", True), ({"amount": 40, "self.balance": 30}, "", True))
    no = hits(({"amount": 5, "self.balance": 5}, "", False), ({"amount": 10, "self.balance": 30}, "", False))
    assert next(iter(separating(yes, no, [0, 1]))) in ("amount > self.balance", "self.balance < amount")


def test_two_comparisons_are_joined_when_one_is_not_enough() -> None:
    yes = hits(({"month": 0}, "", True), ({"month": 13}, "", True))
    no = hits(*(({"month": number}, "", False) for number in range(1, 13)))
    found = next(iter(separating(yes, no, [0, 1, 12])))
    assert " or " in found
    assert [eval(found, {"month": number}) for number in (-1, 0, 1, 12, 13, 14)] == [
        True,
        True,
        False,
        False,
        True,
        True,
    ]


def test_a_divisor_may_be_a_product_of_two_that_are_there() -> None:
    yes = hits(({"year": 2000}, "", True), ({"year": 1600}, "", True))
    no = hits(*(({"year": year}, "", False) for year in (1900, 2100, 1800, 2023, 2001, 1700)))
    found = list(separating(yes, no, [4, 100]))
    assert found[0] in ("year % 16 == 0", "year % 400 == 0")  # of centuries the same
    assert "year % 400 == 0" in found


def test_an_expression_gives_every_wanted_value() -> None:
    rows = [(15, 10, 20, 50), (10, 10, 20, 0), (30, 10, 20, 100), (0, 10, 20, 0), (6, 4, 12, 25)]
    seen = hits(*(({"value": a, "low": b, "high": c}, str(wanted), True) for a, b, c, wanted in rows))
    text = next(iter(fitting(seen, [row[3] for row in rows], [0, 1, 100], ["100 * value / high"])))
    assert [eval(text, {"value": a, "low": b, "high": c}) for a, b, c, _ in rows] == [row[3] for row in rows]
    assert {"value", "low", "high"} <= {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def test_terms_that_agree_everywhere_are_one_and_texts_are_not_multiplied() -> None:
    terms = leaves([{"a": 2, "b": 2}, {"a": 3, "b": 3}], [])
    assert [term.text for term in terms] == ["a"]
    texts = leaves([{"s": "ab", "n": 10**9}], [])
    assert not any("*" in term.text and "s" in term.text.split() for term in combine(texts, texts, set()))
    assert evaluated("sizes[0] * sizes[1]", [{"sizes": (3, 4)}]).values == (12,)  # type: ignore[union-attr]
    assert evaluated("unknown + 1", [{"x": 1}]) is None


def test_the_opposite_of_a_condition() -> None:
    assert [opposite(one) for one in ("a < b", "x is None", "not y", "a or b", "k in d")] == [
        "a >= b", "x is not None", "y", "not (a or b)", "k not in d"]  # fmt: skip


def test_each_computed_kind_of_change_is_made_where_it_is_due() -> None:
    text = "def f(n, top):\n    if n > 7:\n        return 1\n    return n\n"
    source = Source("a.py", text)
    words = Vocabulary({"a.py": source}, [ast.parse("def test_f():\n    with raises(ValueError):\n        f(-1, 3)\n")])
    statements = {one.lineno: one for one in source.statements() if function_of(one)}
    seen = {
        ("a.py", 2): [
            Hit("a", 1, {"n": -1, "top": 3}, Expected("f", raises="ValueError"), True),
            Hit("b", 1, {"n": 4, "top": 5}, Expected("f", "5"), False),
        ],
        ("a.py", 4): hits(({"n": 4, "top": 5}, "9", True), ({"n": 3, "top": 1}, "4", False)),
    }
    found = {one.operator.name: one.edits[0].text for one in synthesise({statements[2]: 1.0}, words, seen)}
    assert "raise ValueError" in found["computed refusal"]
    assert "computed condition" in found
    found = {
        one.operator.name: one.edits[0].text for one in reversed(list(synthesise({statements[4]: 1.0}, words, seen)))
    }
    assert eval(found["computed return"], {"n": 7, "top": 2}) == 9
    assert "computed guard" in found
    assert {operator.name for operator in COMPUTED} == {
        "computed condition", "computed return", "computed refusal", "computed guard"}  # fmt: skip


def test_the_input_of_a_test_is_not_recognised_by_heart() -> None:
    source = Source("a.py", "def f(text):\n    return text.upper()\n")
    statement = next(one for one in source.statements() if isinstance(one, ast.Return))
    seen = {("a.py", 2): hits(({"text": "a b"}, "''", True), ({"text": "xy"}, "'XY'", False))}
    made = [one.edits[0].text for one in synthesise({statement: 1.0}, Vocabulary({"a.py": source}), seen)]
    assert not any("'a b'" in text for text in made)


def test_the_call_at_which_a_test_failed_is_the_wrong_one() -> None:
    record = {"snapshot": "test_a.T.test", "failed": True, "depth": 8, "hits": [
        ["a.py", 2, 1, {"x": "1"}, 7], ["a.py", 2, 2, {"x": "2"}, 8], ["a.py", 2, 3, {"x": "set("}, 0]]}  # fmt: skip
    found = read_hits([record, {"passed": None}], {"test_a.py": {8: Expected("f", "3")}})[("a.py", 2)]
    assert [(hit.wrong, hit.values) for hit in found] == [(False, {"x": 1}), (True, {"x": 2}), (False, {})]
    assert found[1].expected == Expected("f", "3")


def test_examples_become_tests_that_import_what_they_use() -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": 'def f(x):\n    """Twice.\n\n    >>> y = 2\n    >>> f(y)\n    4\n    >>> f(None)\n'
        '    Traceback (most recent call last):\n    TypeError: no\n    """\n    return x * 2\n',
        "notes.md": ">>> f(1) +\n2\n",
    }
    told = with_examples(files, read_project(files))
    assert told is not None
    text = told["test_what_the_examples_say.py"]
    assert "from pkg.a import f" in text
    assert "self.assertEqual(f(y), 4)" in text
    assert "with self.assertRaises(TypeError)" in text
    ast.parse(text)
    assert with_examples({"a.py": "x = 1\n"}, read_project({"a.py": "x = 1\n"})) is None
    assert with_scripts({"a.py": "x = 1\n"}, read_project({"a.py": "x = 1\n"})) is None
