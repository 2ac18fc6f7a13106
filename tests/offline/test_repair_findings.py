"""Programs as people really break them, each repaired: what is missing, confused, in several places, or only told."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from offline.repair.repair import Finding, repair


def run(finding: Finding, files: dict[str, str], path: str) -> dict[str, Any]:
    """The names that a repaired file defines."""
    assert finding.status == "repaired", finding.message
    assert finding.repair is not None
    changed = dict(files)
    for part in (finding.repair, *finding.repair.also):
        for old, new in part.edits:
            assert changed[part.path].count(old) == 1
            changed[part.path] = changed[part.path].replace(old, new)
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(changed[path], namespace)
    return namespace


def written(**files: str) -> dict[str, str]:
    """Files by name (`_py` at the end stands for ".py"), with their common indentation taken away."""
    return {name.replace("_py", ".py"): textwrap.dedent(text).lstrip("\n") for name, text in files.items()}


@pytest.mark.long
def test_two_interfaces_that_were_confused_at_once() -> None:
    files = written(
        diary_py="""
            import json
            from datetime import datetime, timedelta


            def read(text):
                return [(datetime.fromisoformat(one["at"]), one["minutes"]) for one in json.load(text)]


            def ends(text):
                return [at + timedelta(minutes) for at, minutes in read(text)]
        """,
        test_diary_py="""
            from datetime import datetime
            from diary import ends, read

            TEXT = '[{"at": "2024-05-01T10:00:00", "minutes": 90}]'


            def test_read():
                assert read(TEXT) == [(datetime(2024, 5, 1, 10), 90)]


            def test_ends():
                assert ends(TEXT) == [datetime(2024, 5, 1, 11, 30)]
        """,
    )
    names = run(repair(files), files, "diary.py")
    assert str(names["ends"]('[{"at": "2024-05-01T23:30:00", "minutes": 45}]')[0]) == "2024-05-02 00:15:00"


@pytest.mark.long
def test_a_field_that_has_another_name_is_corrected_in_every_file() -> None:
    files = written(
        model_py="""
            from dataclasses import dataclass


            @dataclass
            class Item:
                name: str
                price_cents: int
                quantity: int = 1
        """,
        billing_py="def subtotal(items):\n    return sum(item.price * item.quantity for item in items)\n",
        report_py="""
            from billing import subtotal


            def line(item):
                return f"{item.name}: " + "%.2f" % (item.price / 100)


            def report(items):
                return "\\n".join([*(line(item) for item in items), "total %.2f" % (subtotal(items) / 100)])
        """,
        test_shop_py="""
            from billing import subtotal
            from model import Item
            from report import line, report

            ITEMS = [Item("tea", 350, 2), Item("jam", 420)]


            def test_subtotal():
                assert subtotal(ITEMS) == 1120


            def test_names():
                assert Item(name="tea", price_cents=3).price_cents == 3


            def test_line():
                assert line(ITEMS[0]) == "tea: 3.50"


            def test_report():
                assert report(ITEMS).endswith("total 11.20")
        """,
    )
    finding = repair(files)
    assert finding.repair is not None
    assert {part.path for part in (finding.repair, *finding.repair.also)} == {"billing.py", "report.py"}


def test_examples_in_a_docstring_are_tests() -> None:
    files = written(
        roman_py='''
            """Roman numerals.

            >>> to_roman(4)
            'IV'
            >>> to_roman(9)
            'IX'
            """

            TABLE = [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


            def to_roman(number):
                """Return the numeral.

                >>> to_roman(3)
                'III'
                >>> to_roman(-1)
                Traceback (most recent call last):
                ValueError: no
                """
                if number < 0:
                    raise ValueError("no")
                text = ""
                for value, letters in TABLE:
                    while number > value:
                        text += letters
                        number -= value
                return text
        '''
    )
    assert run(repair(files), files, "roman.py")["to_roman"](14) == "XIV"


def test_examples_in_a_text_file_are_tests() -> None:
    files = (
        written(
            plural_py="def plural(word, count):\n    return word if count != 1 else word + 's'\n",
            README_md="Use it so:\n\n    >>> from plural import plural\n    >>> plural('cat', 2)\n    'cats'\n"
            "    >>> plural('cat', 0)\n    'cats'\n"
            "    >>> print(plural('cat', 1))\n    cat\n",
        )
        | {}
    )
    files["README.md"] = files.pop("README_md")
    assert run(repair(files), files, "plural.py")["plural"]("dog", 0) == "dogs"


@pytest.mark.usefixtures("can_fork")
def test_a_script_that_ends_with_an_error_needs_no_test() -> None:
    files = written(
        count_py="""
            import sys


            def count(text):
                words = {}
                for word in text.split():
                    words[word] += 1
                return words


            if __name__ == "__main__":
                for word, number in sorted(count(" ".join(sys.argv[1:]) or "a b a").items()):
                    print(word, number)
        """
    )
    finding = repair(files)
    assert finding.status == "repaired"
    assert finding.repair is not None
    assert "words[word]" in finding.repair.new_line
    assert repair(written(fine_py="if __name__ == '__main__':\n    print(1)\n")).status == "no_tests"


def test_a_guard_with_the_error_and_the_words_that_the_test_expects() -> None:
    files = written(
        bank_py="""
            class Account:
                def __init__(self, balance=0):
                    self.balance = balance

                def deposit(self, amount):
                    if amount <= 0:
                        raise ValueError("amount must be positive")
                    self.balance += amount

                def withdraw(self, amount):
                    if amount <= 0:
                        raise ValueError("amount must be positive")
                    self.balance -= amount
        """,
        test_bank_py="""
            import unittest
            from bank import Account


            class AccountTest(unittest.TestCase):
                def test_deposit(self):
                    account = Account(5)
                    account.deposit(3)
                    self.assertEqual(account.balance, 8)

                def test_withdraw(self):
                    account = Account(5)
                    account.withdraw(5)
                    self.assertEqual(account.balance, 0)

                def test_too_much(self):
                    account = Account(5)
                    with self.assertRaisesRegex(ValueError, "insufficient funds"):
                        account.withdraw(6)
                    self.assertEqual(account.balance, 5)
        """,
    )
    account = run(repair(files), files, "bank.py")["Account"](100)
    with pytest.raises(ValueError, match="insufficient funds"):
        account.withdraw(101)
    account.withdraw(100)
    assert account.balance == 0


@pytest.mark.long
def test_a_name_that_moved_in_the_standard_library() -> None:
    files = written(
        groups_py="""
            from collections import Mapping


            def flat(tree):
                return not any(isinstance(value, Mapping) for value in tree.values())
        """,
        test_groups_py="from groups import flat\n\n\ndef test_flat():\n    assert flat({1: 2}) and not flat({1: {}})\n",
    )
    finding = repair(files)
    assert finding.repair is not None
    assert finding.repair.new_line == "from collections.abc import Mapping"


@pytest.mark.long
def test_a_missing_branch_asks_for_the_text_that_the_test_uses() -> None:
    files = written(
        shapes_py="""
            def area(kind, *sizes):
                if kind == "square":
                    return sizes[0] ** 2
                elif kind == "rectangle":
                    return sizes[0] * sizes[1]
                raise ValueError(f"unknown shape: {kind}")
        """,
        test_shapes_py="""
            import pytest
            from shapes import area


            def test_known():
                assert area("square", 3) == 9 and area("rectangle", 3, 4) == 12


            def test_triangle():
                assert area("triangle", 3, 4) == 6


            def test_unknown():
                with pytest.raises(ValueError):
                    area("blob", 1)
        """,
    )
    area = run(repair(files), files, "shapes.py")["area"]
    assert area("triangle", 5, 6) == 15
    with pytest.raises(ValueError, match="unknown"):
        area("circle", 1)


@pytest.mark.long
def test_an_expression_that_must_be_clamped() -> None:
    files = written(
        geo_py="def percent(value, low, high):\n    return 100 * value / high\n",
        test_geo_py="""
            from geo import percent


            def test_middle():
                assert percent(15, 10, 20) == 50


            def test_low():
                assert percent(10, 10, 20) == 0


            def test_above():
                assert percent(30, 10, 20) == 100


            def test_below():
                assert percent(0, 10, 20) == 0


            def test_other_ends():
                assert percent(6, 4, 12) == 25
        """,
    )
    percent = run(repair(files), files, "geo.py")["percent"]
    assert percent(7, 0, 10) == 70
    assert percent(-1, 0, 10) == 0


@pytest.mark.long
def test_a_suite_that_sleeps_is_repaired_within_the_time() -> None:
    files = written(
        pulse_py="""
            import time


            def beat(times):
                seen = []
                for i in range(times):
                    time.sleep(0.25)
                    seen.append(i * 2)
                return seen


            def total(times):
                return sum(beat(times)) + 1
        """,
        test_pulse_py="""
            from pulse import beat, total


            def test_beat():
                assert beat(4) == [0, 2, 4, 6]


            def test_total():
                assert total(4) == 12


            def test_total_of_two():
                assert total(2) == 2
        """,
    )
    assert run(repair(files, seconds=60), files, "pulse.py")["total"](3) == 6
