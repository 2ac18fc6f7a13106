"""Operators on expressions: what stands at one place is exchanged for something near it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from .source import Edit, Source
from .vocabulary import Vocabulary

ARITHMETIC = {
    ast.Add: ("+", ("-", "*")),
    ast.Sub: ("-", ("+", "%", "//")),
    ast.Mult: ("*", ("/", "//", "**", "+")),
    ast.Div: ("/", ("//", "*", "%")),
    ast.FloorDiv: ("//", ("%", "/", "*")),
    ast.Mod: ("%", ("//", "/", "*")),
    ast.Pow: ("**", ("*",)),
    ast.BitAnd: ("&", ("|", "^", "-")),
    ast.BitOr: ("|", ("&", "^")),
    ast.BitXor: ("^", ("|", "&")),
    ast.LShift: ("<<", (">>",)),
    ast.RShift: (">>", ("<<",)),
}

COMPARISON = {
    ast.Lt: ("<", ("<=", ">", ">=", "==")),
    ast.LtE: ("<=", ("<", ">=", ">", "==")),
    ast.Gt: (">", (">=", "<", "<=", "==")),
    ast.GtE: (">=", (">", "<=", "<", "==")),
    ast.Eq: ("==", ("!=", "<=", ">=", "<", ">", "in")),
    ast.NotEq: ("!=", ("==", "<", ">")),
    ast.Is: ("is", ("is not", "==")),
    ast.IsNot: ("is not", ("is", "!=")),
    ast.In: ("in", ("not in", "==")),
    ast.NotIn: ("not in", ("in", "!=")),
}


def arithmetic(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`a + b` -> `a - b`, `n += 1` -> `n -= 1`."""
    token, others = ARITHMETIC.get(type(node.op), ("", ()))
    left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
    yield from _exchange(source, left, right, token, others)


def comparison(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`a < b` -> `a <= b`, boundaries first."""
    operands = [node.left, *node.comparators]
    for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
        token, others = COMPARISON[type(operator)]
        yield from _exchange(source, left, right, token, others)


def connective(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`a and b` -> `a or b`."""
    token, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in zip(node.values, node.values[1:], strict=False):
        yield from _exchange(source, left, right, token, (other,))


def number(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`10` -> `11`, `9`, `0`, `1`, and the numbers that the file and the tests use."""
    value = node.value
    if not isinstance(value, int | float) or isinstance(value, bool):
        return
    near = [value + 1, value - 1, 0, 1, 2, -value]
    seen = [one for one in words.constants(source) + words.test_constants if type(one) is type(value)]
    for other in dict.fromkeys(near + seen[:40]):
        if other != value:
            yield source.replace(node, _literal(other, node))


def text(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another string that the file or the tests use."""
    if not isinstance(node.value, str) or isinstance(node.parent, ast.Expr | ast.JoinedStr):
        return
    for other in [one for one in words.constants(source) + words.test_constants if isinstance(one, str)][:40]:
        if other != node.value:
            yield source.replace(node, repr(other))


def truth(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`True` -> `False`."""
    if isinstance(node.value, bool):
        yield source.replace(node, str(not node.value))


def off_by_one(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`items[i]` -> `items[i + 1]`, `range(n)` -> `range(n + 1)`, `n - 1` -> `n`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and _is_one(node.right):
        yield source.replace(node, source.cut(node.left))
    if isinstance(node, ast.Constant) or not _counts(node):
        return
    cut = source.cut(node)
    inner = cut if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.BinOp) else f"({cut})"
    yield source.replace(node, f"{inner} + 1")
    yield source.replace(node, f"{inner} - 1")


def name(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another name in scope."""
    if not isinstance(node.ctx, ast.Load) or (isinstance(node.parent, ast.Call) and node.parent.func is node):
        return
    for other in words.names_in_scope(node):
        if other != node.id:
            yield source.replace(node, other)


def swapped_arguments(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[tuple[Edit, ...]]:
    """`f(a, b)` -> `f(b, a)`."""
    for one, other in combinations(node.args, 2):
        yield source.replace(one, source.cut(other)), source.replace(other, source.cut(one))


def _exchange(source: Source, left: ast.AST, right: ast.AST, token: str, others: tuple[str, ...]) -> Iterator[Edit]:
    """Put another operator between two operands."""
    start = source.find(token, source.span(left)[1], source.span(right)[0])
    if start < 0:
        return
    for other in others:
        yield Edit(source.path, start, start + len(token), other)


def _literal(value: float, node: ast.AST) -> str:
    """The text of a number; a negative one in parentheses where it could be read as a subtraction or power."""
    text = repr(value)
    return f"({text})" if text.startswith("-") and isinstance(node.parent, ast.BinOp | ast.UnaryOp) else text


def _is_one(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _counts(node: ast.AST) -> bool:
    """Whether a node is an index, a slice bound, an argument of range or one side of a comparison."""
    parent = node.parent
    if isinstance(parent, ast.Subscript):
        return parent.slice is node and not isinstance(node, ast.Slice | ast.Tuple)
    if isinstance(parent, ast.Call):
        return isinstance(parent.func, ast.Name) and parent.func.id == "range"
    return isinstance(parent, ast.Slice) or (isinstance(parent, ast.Compare) and not isinstance(node, ast.Compare))
