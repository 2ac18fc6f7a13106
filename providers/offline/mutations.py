"""The space of small changes: a table of operators, each with its likelihood, where it applies and what it makes.

An operator's `make` yields texts that could stand for a node (as edits), likeliest first. `weight` is its share among
one-line fixes as the literature counts them; it orders the search, it excludes nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from . import expressions
from .source import Edit, Source
from .vocabulary import Vocabulary

Edits = tuple[Edit, ...]
Make = Callable[[ast.AST, Source, Vocabulary], Iterator[Edit | Edits]]


@dataclass(frozen=True)
class Operator:
    """One kind of change."""

    name: str
    words: str  # for the explanation: "a different comparison"
    weight: float
    nodes: tuple[type[ast.AST], ...]
    make: Make


OPERATORS: tuple[Operator, ...] = (
    Operator("arithmetic", "a different arithmetic operator", 8, (ast.BinOp, ast.AugAssign), expressions.arithmetic),
    Operator("comparison", "a different comparison", 10, (ast.Compare,), expressions.comparison),
    Operator("connective", "`and` in place of `or`, or the reverse", 4, (ast.BoolOp,), expressions.connective),
    Operator("number", "a different number", 9, (ast.Constant,), expressions.number),
    Operator("text", "a different string", 5, (ast.Constant,), expressions.text),
    Operator("truth", "the opposite truth value", 3, (ast.Constant,), expressions.truth),
    Operator("off by one", "one more or one less", 8, (ast.expr,), expressions.off_by_one),
    Operator("name", "a different variable", 9, (ast.Name,), expressions.name),
    Operator("swapped arguments", "arguments in another order", 5, (ast.Call,), expressions.swapped_arguments),
)
