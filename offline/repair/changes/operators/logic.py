"""Operators on operators, positions and bounds: arithmetic, comparisons, `and`, `or`, one more or less, slices."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...reading.shapes import called_name, changes_nothing, fit, is_number, kind_of_value, needs_parentheses
from ...reading.source import Source, enclosing
from ...reading.vocabulary import Vocabulary
from ..edits import Edit

ARITHMETIC = {
    ast.Add: ("+", ("-", "*", "|")),
    ast.Sub: ("-", ("+", "%", "//", "&", "*")),
    ast.Mult: ("*", ("/", "//", "**", "+", "%", "-")),
    ast.Div: ("/", ("//", "*", "%")),
    ast.FloorDiv: ("//", ("%", "/", "*")),
    ast.Mod: ("%", ("//", "/", "*")),
    ast.Pow: ("**", ("*",)),
    ast.BitAnd: ("&", ("|", "^", "-")),
    ast.BitOr: ("|", ("&", "^", "-", "+")),
    ast.BitXor: ("^", ("|", "&", "**")),
    ast.LShift: ("<<", (">>",)),
    ast.RShift: (">>", ("<<",)),
}

COMPARISON = {
    ast.Lt: ("<", ("<=", ">", ">=", "==", "!=")),
    ast.LtE: ("<=", ("<", ">=", ">", "==", "!=")),
    ast.Gt: (">", (">=", "<", "<=", "==", "!=")),
    ast.GtE: (">=", (">", "<=", "<", "==", "!=")),
    ast.Eq: ("==", ("!=", "<=", ">=", "<", ">", "in", "is")),
    ast.NotEq: ("!=", ("==", "<", ">", "not in", "is not")),
    ast.Is: ("is", ("is not", "==")),
    ast.IsNot: ("is not", ("is", "!=")),
    ast.In: ("in", ("not in", "==")),
    ast.NotIn: ("not in", ("in", "!=")),
}
OPPOSITES = ({"<", ">="}, {"<=", ">"}, {"==", "!="}, {"is", "is not"}, {"in", "not in"})


def arithmetic(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`a + b` -> `a - b`, `n += 1` -> `n -= 1`; of `n * 1` first what does something, of `"a" * b` what joins."""
    token, others = ARITHMETIC.get(type(node.op), ("", ()))
    left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
    if changes_nothing(node) and token not in "+-":
        others = ("+", "-", *others)
    elif token == "*" and {"text", "list", "tuple"} & {kind_of_value(left), kind_of_value(right)}:
        others = ("+", *others)
    yield from _exchange(source, left, right, token, others)


def grouping(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`a + b * c` -> `(a + b) * c`, and `(a + b) * c` -> `a + b * c`."""
    for side in (node.left, node.right):
        if not isinstance(side, ast.BinOp) or type(side.op) is type(node.op):
            continue
        text = source.text
        (start, end), (inner_start, inner_end) = source.span(node), source.span(side)
        if side is node.right and text[inner_start - 1 : inner_start] != "(":
            middle = source.span(side.left)[1]
            yield Edit(source.path, start, inner_end, f"({text[start:middle]}){text[middle:inner_end]}")
        elif side is node.left and text[start:inner_start].strip() == "":
            middle = source.span(side.right)[0]
            yield Edit(source.path, middle, end, f"({text[middle:end]})")
        if text[inner_start - 1 : inner_start] == "(" and text[inner_end : inner_end + 1] == ")":
            yield Edit(source.path, inner_start - 1, inner_end + 1, text[inner_start:inner_end])


def comparison(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`a < b` -> `a <= b`, boundaries first; `not (a == b)` -> `a == b`."""
    operands = [node.left, *node.comparators]
    turned = isinstance(node.parent, ast.UnaryOp) and isinstance(node.parent.op, ast.Not) and len(operands) == 2
    if turned:
        yield fit(node.parent, source.cut(node), source)
    for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
        token, others = COMPARISON[type(operator)]
        others = tuple(other for other in others if not (turned and {token, other} in OPPOSITES))
        yield from _exchange(source, left, right, token, others)


def comparison_and_sum(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[tuple[Edit, ...]]:
    """`a - b >= c` -> `a + b > c`: who takes one of them the wrong way round takes both."""
    sums = [one for one in ast.walk(node) if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Add | ast.Sub)]
    first = source.span(node)[0]  # before it a `not` may stand, and to drop that is another change
    for one in sums if len(node.ops) == 1 else ():
        for edit in [edit for edit in comparison(node, source, words) if edit.start >= first][:3]:
            for other in list(arithmetic(one, source, words))[:1]:
                yield edit, other


def connective(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`a and b` -> `a or b`."""
    token, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in zip(node.values, node.values[1:], strict=False):
        yield from _exchange(source, left, right, token, (other,))


def rounding(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`a // b`, which rounds down, -> `-(-a // b)`, up."""
    if isinstance(node.op, ast.FloorDiv):
        start, end = source.span(node)  # as it stands, with the parentheses of its parts
        at = source.find("//", source.span(node.left)[1], source.span(node.right)[0])
        if "math" in words.known_at_top(source):
            yield fit(node, f"math.ceil({source.text[start:at]}/{source.text[at + 2 : end]})", source)
        yield fit(node, f"-(-{source.text[start:end]})", source)


def given_nothing(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`x or 5`, which is 5 for 0 and "" too, -> `x if x is not None else 5`."""
    if isinstance(node.op, ast.Or) and len(node.values) == 2 and isinstance(node.values[0], ast.Name | ast.Attribute):
        given, other = map(source.cut, node.values)
        yield fit(node, f"{given} if {given} is not None else {other}", source)


def minus(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`x` -> `-x` where a value is returned, compared, assigned or passed."""
    if isinstance(node.ctx if hasattr(node, "ctx") else None, ast.Store | ast.Del):
        return
    places = (ast.Return, ast.Assign, ast.BinOp, ast.Tuple, ast.Call, ast.Lambda, ast.keyword, ast.Subscript, ast.Slice)
    if not isinstance(node.parent, places) or getattr(node.parent, "func", None) is node:
        return
    if isinstance(node.parent, ast.Subscript) and node.parent.value is node:
        return
    text = source.cut(node)
    yield fit(node, f"-({text})" if needs_parentheses(text) else f"-{text}", source)


def off_by_one(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`items[i]` -> `items[i + 1]`, `range(n)` -> `range(n + 1)`, `n - 1` -> `n`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        if is_number(node.right):
            yield fit(node, source.cut(node.left), source)
        if is_number(node.left) and isinstance(node.op, ast.Add):
            yield fit(node, source.cut(node.right), source)
    if _counts(node):
        yield from _one_more_or_less(node, source, words)


def off_by_one_within(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`f(n)` -> `f(n + 1)`, `a * n` -> `a * (n + 1)`: where a value is passed on or multiplied."""
    parent = node.parent
    passed = isinstance(parent, ast.Call) and parent.func is not node and called_name(parent) != "range"
    if passed or (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult | ast.FloorDiv | ast.Mod | ast.Div)):
        yield from _one_more_or_less(node, source, words)


def _one_more_or_less(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    if isinstance(node, ast.Constant | ast.UnaryOp | ast.Slice | ast.Tuple | ast.Starred | ast.GeneratorExp):
        return
    if not _may_be_number(node, words):
        return
    text = source.cut(node)
    inner = f"({text})" if isinstance(node, ast.IfExp | ast.BoolOp | ast.Compare | ast.Lambda) else text
    yield fit(node, f"{inner} + 1", source)
    yield fit(node, f"{inner} - 1", source)


def _may_be_number(node: ast.AST, words: Vocabulary) -> bool:
    """Whether nothing speaks against it: its own kind, or what it is compared with."""
    kinds = [words.kind_of(node, node.id) if isinstance(node, ast.Name) else kind_of_value(node)]
    if isinstance(node.parent, ast.Compare):
        kinds += [kind_of_value(one) for one in (node.parent.left, *node.parent.comparators) if one is not node]
    return all(kind in ("", "number") for kind in kinds)


def range_bounds(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`range(n)` -> `range(1, n)`, `range(1, n)` -> `range(n)`, a step of -1, `enumerate(x)` -> `enumerate(x, 1)`."""
    name = called_name(node)
    if name == "enumerate" and node.args:
        end = source.span(node.args[0])[1]
        if len(node.args) == 1 and not node.keywords:
            yield Edit(source.path, end, end, ", 1")
            yield Edit(source.path, end, end, ", start=1")
        else:
            yield Edit(source.path, end, source.span(node)[1] - 1, "")
    if name != "range":
        return
    cuts = [source.cut(argument) for argument in node.args]
    if len(cuts) == 1:
        options = [f"1, {cuts[0]}", f"1, {cuts[0]} + 1", f"2, {cuts[0]}", f"{cuts[0]} - 1, -1, -1"]
        options += [f"0, {cuts[0]}, 2"]
    elif len(cuts) == 2:
        options = [cuts[1], f"0, {cuts[1]}", f"{cuts[0]}, {cuts[1]}, -1", f"{cuts[1]} - 1, {cuts[0]} - 1, -1"]
        options += [f"{cuts[0]}, {cuts[1]}, {name}" for name in words.names_in_scope(node)[:8]]
    else:
        options = [", ".join(cuts[:2]), f"{cuts[0]}, {cuts[1]}, -{cuts[2]}"]
    for option in options:
        yield Edit(source.path, source.span(node.args[0])[0], source.span(node.args[-1])[1], option)


def slice_bounds(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`x[1:]` -> `x[:]`, `x[a:b]` -> `x[a:]`, `x[:n]` -> `x[n:]`, `x[:]` -> `x[1:]`, a step, a step less."""
    lower, upper, step = (source.cut(part) if part else "" for part in (node.lower, node.upper, node.step))
    options = [(upper, lower, step)] if bool(lower) != bool(upper) else []
    options += [("", upper, step)] if lower else [("1", upper, step), ("-1", upper, step)]
    options += [(lower, "", step)] if upper else [(lower, "-1", step), (lower, "1", step)]
    options += [(lower, f"{upper} + 1", step), (lower, f"{upper} - 1", step)] if upper and not node.step else []
    options += [(lower, upper, ""), (lower, upper, f"-{step}")] if step else [(lower, upper, "-1"), (lower, upper, "2")]
    options += [(lower, name, step) for name in words.names_in_scope(node)[:6] if not upper]
    options += [(name, upper, step) for name in words.names_in_scope(node)[:6] if not lower]
    for low, high, stride in options:
        yield source.replace(node, f"{low}:{high}" + (f":{stride}" if stride else ""))


def index_to_slice(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`x[i]` -> `x[i:]`, `x[:i]`; `x[i:]` -> `x[i]`."""
    part = node.slice
    if isinstance(part, ast.Slice):
        for bound in (part.lower, part.upper):
            if bound is not None and not (part.lower and part.upper):
                yield source.replace(part, source.cut(bound))
    elif not isinstance(part, ast.Tuple) and not (isinstance(part, ast.Constant) and isinstance(part.value, str)):
        yield source.replace(part, f"{source.cut(part)}:")
        yield source.replace(part, f":{source.cut(part)}")


def _exchange(source: Source, left: ast.AST, right: ast.AST, token: str, others: tuple[str, ...]) -> Iterator[Edit]:
    """Put another operator between two operands."""
    begin, finish = source.span(left)[1], source.span(right)[0]
    first, _, second = token.partition(" ")
    start = source.find(first, begin, finish)
    end = source.find(second, start, finish) + len(second) if second else start + len(first)
    if start < 0 or end <= start:
        return
    for other in others:
        yield Edit(source.path, start, end, other)


def _counts(node: ast.AST) -> bool:
    """Whether a node is likely a count or a position: index, bound, side of a comparison, returned, assigned."""
    parent = node.parent
    if isinstance(parent, ast.Subscript):
        return parent.slice is node
    if isinstance(parent, ast.Call):
        return parent.func is not node and called_name(parent) == "range"
    if isinstance(parent, ast.Compare):
        return not isinstance(parent.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn)
    if isinstance(parent, ast.AugAssign | ast.Assign):
        return parent.value is node and enclosing(node, ast.FunctionDef) is not None
    return isinstance(parent, ast.Slice | ast.Return | ast.Tuple | ast.keyword)
