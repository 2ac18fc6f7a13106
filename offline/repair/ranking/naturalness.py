"""How natural a piece of Python is: a small model of syntax trees, learned from the standard library.

A node is told by a label ("Compare:Lt", "Constant:0", "Attribute:append") and is expected in a context: the label of
its parent and the field it stands in, and the label of the node before it there. The probability of a label in a
context is mixed from the narrow context and the wide one (Jelinek and Mercer's interpolation, with Witten and Bell's
weights). `learn.py` makes the table that is read here.
"""

from __future__ import annotations

import ast
import gzip
import json
from collections.abc import Iterator, Mapping
from functools import cache
from math import log
from pathlib import Path

TABLE = Path(__file__).with_name("naturalness.json.gz")
KEPT = """abs all any
bool bytes callable chr cls dict dir divmod enumerate filter float format frozenset getattr hasattr
hash hex id int isinstance issubclass iter len list map max min next object open ord pow print range repr reversed round
self set setattr sorted str sum super tuple type zip"""
KEPT_NAMES = frozenset(KEPT.split())
KEPT_NUMBERS = (-1, 0, 1, 2, 10, 100)
USUAL = 3.0  # the strangeness (`cost`) of a node that nobody would wonder at
LABELS = 1500  # different labels that the model tells apart in a context; the rest are as likely as one of these


def events(tree: ast.AST) -> Iterator[tuple[str, str, str]]:
    """(narrow context, wide context, label) of every node below a tree."""
    return (event for _, event in _placed(tree))


def surprises(tree: ast.AST) -> dict[ast.AST, float]:
    """How strange each node below a tree is in its place (`cost`)."""
    return {node: cost(*event) for node, event in _placed(tree)}


def _placed(tree: ast.AST) -> Iterator[tuple[ast.AST, tuple[str, str, str]]]:
    for parent in ast.walk(tree):
        above = label(parent)
        for field, value in ast.iter_fields(parent):
            nodes = value if isinstance(value, list) else [value]
            before = "-"
            for node in nodes:
                if isinstance(node, ast.AST) and not isinstance(node, ast.expr_context | ast.operator | ast.cmpop):
                    here = label(node)
                    yield node, (f"{above}.{field}<{_left(parent, field, before)}", f"{above}.{field}", here)
                    before = here


def label(node: ast.AST) -> str:
    """What a node is, with as much of its content as is common to many programs."""
    name = type(node).__name__
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.AugAssign):
        return f"{name}:{type(node.op).__name__}"
    if isinstance(node, ast.Compare):
        return f"{name}:{type(node.ops[0]).__name__}"
    if isinstance(node, ast.Name):
        return f"{name}:{node.id}" if node.id in KEPT_NAMES else name
    if isinstance(node, ast.Attribute):
        return f"{name}:{node.attr}"
    if isinstance(node, ast.Call):
        return f"{name}/{min(len(node.args) + len(node.keywords), 4)}"
    if isinstance(node, ast.Constant):
        return _constant(node.value)
    return name


def strangeness(tree: ast.AST) -> float:
    """How many bits (natural logarithm) a reader who knows the model would need to be told this tree."""
    return sum(cost(*event) for event in events(tree))


@cache
def cost(narrow: str, wide: str, name: str) -> float:
    """How strange one label is in its contexts."""
    return -log(read_table().probability(narrow, wide, name))


class Table:
    """Counts: context -> label -> how often."""

    def __init__(self, narrow: dict[str, dict[str, int]], wide: dict[str, dict[str, int]]) -> None:
        self.narrow, self.wide = narrow, wide

    def probability(self, narrow: str, wide: str, name: str) -> float:
        """How likely a label is in its contexts."""
        return mixed(self.narrow.get(narrow), name, mixed(self.wide.get(wide), name, 1 / LABELS))


@cache
def read_table() -> Table:
    """The shipped table; an empty one, for which all trees of a size are alike, where it is missing."""
    try:
        told = json.loads(gzip.decompress(TABLE.read_bytes()))
    except (OSError, ValueError):
        return Table({}, {})
    return Table(told["narrow"], told["wide"])


def mixed(seen: Mapping[str, int] | None, name: str, otherwise: float) -> float:
    """How likely something is where `seen` was counted, when it is so likely `otherwise`."""
    if not seen:
        return otherwise
    total, kinds = sum(seen.values()), len(seen)
    return (seen.get(name, 0) + kinds * otherwise) / (total + kinds)


def _left(parent: ast.AST, field: str, before: str) -> str:
    """What stands before a node: its neighbour in the list, or the other side of the operator, or what is called."""
    if before != "-":
        return before
    if field in ("right", "comparators"):
        return label(parent.left)  # type: ignore[attr-defined]
    if field in ("args", "keywords") and isinstance(parent, ast.Call):
        return label(parent.func)
    if field == "slice":
        return label(parent.value)  # type: ignore[attr-defined]
    if field == "value" and isinstance(parent, ast.Assign):
        return label(parent.targets[0])
    return before


def _constant(value: object) -> str:
    if type(value) in (int, float):
        return f"Constant:{value}" if value in KEPT_NUMBERS else f"Constant:{type(value).__name__}"
    if isinstance(value, str):
        return "Constant:empty" if not value else "Constant:str"
    return f"Constant:{value}" if value is None or isinstance(value, bool) else f"Constant:{type(value).__name__}"
