"""What people ask is understood as it was meant, and nothing is changed that nobody asked to have changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from offline.coder.phrases import read_wish
from offline.coder.wish import Wish

Row = tuple[str, bool, str, str, str]


def rows() -> list[Row]:
    lines = Path(__file__).with_name("prompts.txt").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.split("|", 4)] for line in lines if line and not line.startswith("#")]
    return [(kind, writes == "w", path, name, prompt) for kind, writes, path, name, prompt in cells]


ROWS = rows()


def named(wish: Wish) -> str:
    return f"{wish.name}>{wish.new_name}" if wish.new_name else wish.name or wish.query


def is_right(wish: Wish, row: Row) -> bool:
    kind, _, path, name, _ = row
    return wish.kind == kind and (kind == "unknown" or wish.path == path) and (not name or named(wish) == name)


def test_the_table_is_large_and_in_five_languages():
    assert len(ROWS) >= 150
    assert len({row[-1] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", [row for row in ROWS if not row[1]], ids=lambda row: row[-1])
def test_who_did_not_ask_for_a_change_gets_none(row: Row):
    assert not read_wish(row[-1]).edits


def test_at_least_95_of_100_prompts_are_understood_as_they_were_meant():
    wrong = [(row, read_wish(row[-1])) for row in ROWS if not is_right(read_wish(row[-1]), row)]
    for row, wish in wrong:
        print(f"{row[-1]!r}: {row[:4]} was read as {wish}")
    assert len(wrong) <= len(ROWS) * 0.05
