"""What a program keeps from one run of its tests to the next is noticed."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from offline.repair.running.kept import Kept

SHOP = """
import functools
import unittest

KEPT = {}
SEEN = set()
ORDER = []
TABLE = {number: str(number) for number in range(1000)}
count = 0


class Till:
    known = {}

    def __init__(self):
        self.sales = []
        self.opened = False


TILL = Till()


@functools.lru_cache
def squared(number):
    return number * number


def once(function):
    results = {}

    def inner(number):
        return results.setdefault(number, function(number))

    return inner


@once
def doubled(number):
    return number + number


def counted():
    global count
    count += 1


def tripled(number, memory=[]):
    memory.append(number)
    return 3 * number


def plain(number):
    found = {number: TABLE[number]}
    return [*found, Till()]


class Odd(dict):
    def __getattribute__(self, name):
        raise RuntimeError(name)

    def __iter__(self):
        raise RuntimeError

    __len__ = __eq__ = __bool__ = values = __iter__
    __hash__ = None


ODD = Odd()


class PriceTest(unittest.TestCase):
    prices = None
"""


@pytest.mark.parametrize(
    ("does", "noticed"),
    [
        ("KEPT['a'] = 1", True),
        ("SEEN.add('a')", True),
        ("ORDER.append(1)", True),
        ("TABLE[3] = 'three'", True),
        ("counted()", True),
        ("Till.known['a'] = 1", True),
        ("Till.rate = 3", True),
        ("TILL.sales.append(1)", True),
        ("TILL.opened = True", True),
        ("squared(3)", True),
        ("doubled(3)", True),
        ("tripled(3)", True),
        ("dict.__setitem__(ODD, 'a', 1)", True),
        ("plain(3)", False),
        ("ORDER.append(1); ORDER.pop()", False),
        ("PriceTest.prices = [1, 2]", False),
        ("__warningregistry__ = {}", False),
    ],
)
def test_what_a_program_keeps_is_noticed_and_what_it_uses_once_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, noticed: bool
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "shop_that_keeps.py"
    path.write_text(SHOP, encoding="utf-8")
    shop = importlib.import_module("shop_that_keeps")
    try:
        kept = Kept([str(path)])
        assert not kept.changed()
        exec(does, vars(shop))
        assert kept.changed() is noticed
    finally:
        del sys.modules["shop_that_keeps"]
