"""What a regular expression cannot match is passed over early, and nothing that it can."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sandbox.files.pattern import literal_of

PIECES = [
    *"abc {}]?*+^$.|()-",
    "[ab]",
    "[^a]",
    "[]a]",
    r"[\]b]",
    r"\(",
    r"\\",
    r"\w",
    r"\b",
    r"\s",
    r"\x41",
    "{1,2}",
    "{0}",
]
GROUPS = ["(?:", "(?P<a>", "(?i)", "(?=", "(?!", "(?#a)", "a" * 3]


@given(st.lists(st.sampled_from(PIECES + GROUPS), max_size=9).map("".join), st.text("abcA ()\\]{}-", max_size=9))
def test_every_match_holds_the_literal_of_its_expression(expression: str, line: str):
    try:
        found = re.search(expression, line)
    except (re.error, OverflowError):
        found = None
    assume(found)
    assert literal_of(expression) in line.encode()


@pytest.mark.parametrize(
    ("expression", "literal"),
    [
        ("needle_[a-z]+_hay", "needle_"),
        (r"def \w+\(self\)", "(self)"),
        ("(abc)?def", "def"),
        ("ab+c", "a"),
        ("colou?r", "colo"),
        ("x{2,3}yz", "yz"),
        (r"\x41BC", "ABC"),
        (r"caf\u00e9", "café"),
        (r"\101BC", "ABC"),
        ("(?x) a b # c", "ab"),
        ("one|two", ""),
        ("(?i)abc", ""),
        (r"\d+", ""),
    ],
)
def test_the_literal_is_the_longest_that_every_match_holds(expression: str, literal: str):
    assert literal_of(expression) == literal.encode()
