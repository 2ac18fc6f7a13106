"""Operators on conditions: `not`, a condition more, less, or another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...reading.shapes import fit, function_of
from ...reading.source import Source
from ...reading.vocabulary import Vocabulary
from ..edits import Edit


def negation(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`if done:` -> `if not done:`, and `not x` -> `x` wherever it stands."""
    if isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            text = source.cut(node.operand)
            yield fit(node, f"({text})" if "\n" in text else text, source)
        return
    if not _is_condition(node) or isinstance(node, ast.Compare | ast.Constant):
        return
    text = source.cut(node)
    yield source.replace(node, f"not ({text})" if isinstance(node, ast.BoolOp | ast.IfExp) else f"not {text}")


def excess_condition(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`a and b` -> `a`, or `b`."""
    for index in range(len(node.values) - 1, -1, -1):
        if len(node.values) == 2:
            yield fit(node, source.cut(node.values[1 - index]), source)
        elif index:
            start = source.span(node.values[index - 1])[1]
            yield Edit(source.path, start, source.span(node.values[index])[1], "")
        else:
            yield Edit(source.path, source.span(node.values[0])[0], source.span(node.values[1])[0], "")


def missing_condition(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`if a:` -> `if a and b:` or `if a or b:`, with conditions that the function uses or that its names suggest."""
    if not _is_condition(node) or isinstance(node.parent, ast.BoolOp | ast.UnaryOp):
        return
    text = source.cut(node)
    alone = f"({text})" if isinstance(node, ast.BoolOp | ast.IfExp | ast.NamedExpr | ast.Lambda) else text
    joined_by_and = text if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else alone
    joined_by_or = text if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) else alone
    for extra in dict.fromkeys([*_none_yet(node), *words.conditions_at(node)]):
        if extra == text:
            continue
        yield source.replace(node, f"{joined_by_and} and {extra}")
        yield source.replace(node, f"{joined_by_or} or {extra}")
        yield source.replace(node, f"{extra} and {joined_by_and}")


def other_condition(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another condition in place of one: those the function uses, those its names suggest, at last True or False."""
    if not _is_condition(node) or isinstance(node.parent, ast.UnaryOp):
        return
    for other in [*words.conditions_at(node), "True", "False"]:
        if other != source.cut(node):
            yield fit(node, other, source)


def _none_yet(node: ast.AST) -> list[str]:
    """That a name is there at last, for those that the function sets to None and the branch below a condition uses."""
    scope, branch = function_of(node), node.parent
    if scope is None or not isinstance(branch, ast.If | ast.While):
        return []
    made = [one for one in ast.walk(scope) if isinstance(one, ast.Assign) and _is_none(one.value)]
    empty = {target.id for one in made for target in one.targets if isinstance(target, ast.Name)}
    used = [one.id for part in branch.body for one in ast.walk(part) if isinstance(one, ast.Name)]
    asked = {one.id for one in ast.walk(branch.test) if isinstance(one, ast.Name)}
    return [f"{name} is not None" for name in dict.fromkeys(used) if name in empty - asked]


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_condition(node: ast.AST) -> bool:
    """Whether a node decides something: the test of if, while, a comprehension or a conditional expression."""
    parent = node.parent
    if isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert):
        return parent.test is node
    if isinstance(parent, ast.comprehension):
        return node in parent.ifs
    if isinstance(parent, ast.BoolOp) or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)):
        return True
    return isinstance(parent, ast.Return) and isinstance(node, ast.Compare | ast.BoolOp | ast.Call | ast.UnaryOp)
