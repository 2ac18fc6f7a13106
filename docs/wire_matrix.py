"""Writes docs/wire-matrix.md, and its summary in the README, from the tests: python docs/wire_matrix.py.

The table is the tests' names, so that it cannot say more than they do; tests/providers/test_wire_table.py holds it.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
TABLE = PROJECT / "docs" / "wire-matrix.md"
README = PROJECT / "README.md"
BEGIN, END = "<!-- the wire matrix: begin -->\n", "<!-- the wire matrix: end -->\n"
WIRES = ("openai", "gemini")

HEAD = """\
# The wire matrix

What real servers, models and SDKs do, and what comes of it here. Every line is a test that runs the real SDK against a
server that misbehaves on purpose: `pytest tests/providers/test_wire_matrix.py -v`. This file is generated from their
names by `python docs/wire_matrix.py`.

| # | when | what happens | LM Studio (openai) | Gemini |
|---|---|---|---|---|
"""


def behaviours() -> tuple[dict[int, str], list[tuple[int, str, tuple[str, ...]]]]:
    """Return what each row is about, and row, behaviour and wires of each test, in the order of the rows."""
    for path in (PROJECT, PROJECT / "tests"):
        sys.path.insert(0, str(path))
    from wire_cases import CASES, ROWS

    found = [(case.row, case.behaviour, case.wires) for case in CASES]
    found += alone((PROJECT / "tests" / "providers" / "test_wire_matrix.py").read_text(encoding="utf-8"))
    return ROWS, sorted(found, key=lambda item: item[0])


def table() -> str:
    """Return the whole document."""
    rows, found = behaviours()
    lines = [
        f"| {row} | {rows[row]} | {behaviour} | {' | '.join('yes' if wire in wires else '' for wire in WIRES)} |"
        for row, behaviour, wires in found
    ]
    return HEAD + "\n".join(lines) + "\n"


def summary() -> str:
    """Return the README with its table made anew: how many tests hold each row, on each wire."""
    rows, found = behaviours()
    lines = ["| # | when | tests with openai | tests with google-genai |", "|---|---|---|---|"]
    for row in sorted(rows):
        counts = [sum(number == row and wire in wires for number, _, wires in found) for wire in WIRES]
        lines.append(f"| {row} | {rows[row]} | {' | '.join(str(count or '') for count in counts)} |")
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    return before + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1]


def alone(source: str) -> list[tuple[int, str, tuple[str, ...]]]:
    """The tests that stand by themselves: `test_row_18_a_signal_...`, on both wires."""
    names = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    rows = [name.removeprefix("test_row_").split("_", 1) for name in names if name.startswith("test_row_")]
    return [(int(number), rest.replace("_", " "), WIRES) for number, rest in rows]


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
    README.write_text(summary(), encoding="utf-8")
