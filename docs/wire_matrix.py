"""Writes docs/wire-matrix.md from the tests of the wire matrix: python docs/wire_matrix.py.

The table is the tests' names, so that it cannot say more than they do; tests/test_wire_table.py holds it to that.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
TABLE = PROJECT / "docs" / "wire-matrix.md"
WIRES = ("openai", "gemini")

HEAD = """\
# The wire matrix

What real servers, models and SDKs do, and what comes of it here. Every line is a test that runs the real SDK against a
server that misbehaves on purpose: `pytest tests/test_wire_matrix.py -v`. This file is generated from their names by
`python docs/wire_matrix.py`.

| # | when | what happens | LM Studio (openai) | Gemini |
|---|---|---|---|---|
"""


def table() -> str:
    """Return the whole document."""
    for path in (PROJECT, PROJECT / "tests"):
        sys.path.insert(0, str(path))
    from wire_cases import CASES, ROWS

    behaviours = [(case.row, case.behaviour, case.wires) for case in CASES]
    behaviours += alone((PROJECT / "tests" / "test_wire_matrix.py").read_text(encoding="utf-8"))
    lines = [
        f"| {row} | {ROWS[row]} | {behaviour} | {' | '.join('yes' if wire in wires else '' for wire in WIRES)} |"
        for row, behaviour, wires in sorted(behaviours, key=lambda item: item[0])
    ]
    return HEAD + "\n".join(lines) + "\n"


def alone(source: str) -> list[tuple[int, str, tuple[str, ...]]]:
    """The tests that stand by themselves: `test_row_18_a_signal_...`, on both wires."""
    names = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    rows = [name.removeprefix("test_row_").split("_", 1) for name in names if name.startswith("test_row_")]
    return [(int(number), rest.replace("_", " "), WIRES) for number, rest in rows]


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
