"""Inputs near those of the tests: the test files with some constants changed, and nothing asserted.

What the right answer would be nobody knows then; but changes of a program can be compared by what they do.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping
from typing import Any

VARIANTS = 10  # changed test files, each with other constants changed
SHARE = 0.5  # of the constants, in each variant


def varied_tests(files: Mapping[str, str], test_paths: tuple[str, ...]) -> list[dict[str, str]]:
    """The test files with constants changed, in several variants. The same files give the same variants."""
    variants = []
    for seed in range(VARIANTS):
        texts = {}
        for path in test_paths:
            tree = ast.parse(files[path])
            texts[path] = ast.unparse(ast.fix_missing_locations(_Vary(random.Random(seed)).visit(tree)))
        variants.append(texts)
    return variants


class _Vary(ast.NodeTransformer):
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def visit_Constant(self, node: ast.Constant) -> ast.AST:  # noqa: N802
        if self.chance.random() > SHARE:
            return node
        return ast.copy_location(ast.Constant(self._varied(node.value)), node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:  # noqa: N802
        """What is asserted is computed, and nobody minds the answer, so that the test goes on."""
        return ast.copy_location(ast.Expr(self.visit(node.test)), node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:  # noqa: N802
        call = node.value
        asserts = (
            isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr.startswith("assert")
        )
        if asserts and "Raises" not in call.func.attr and not any(isinstance(one, ast.Starred) for one in call.args):
            node.value = ast.Tuple(call.args, ast.Load())
        self.generic_visit(node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:  # noqa: N802
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:  # noqa: N802
        node.values = [self.visit(value) for value in node.values]  # keys often name what must exist
        return node

    def visit_List(self, node: ast.List) -> ast.AST:  # noqa: N802
        self.generic_visit(node)
        if len(node.elts) > 1 and self.chance.random() < SHARE / 2:
            node.elts = self.chance.choice([node.elts[:-1], node.elts[1:], node.elts[::-1], node.elts + node.elts[:1]])
        return node

    def _varied(self, value: Any) -> Any:
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, int):
            return self.chance.choice([value + 1, value - 1, 0, value * 2, value + 3])
        if isinstance(value, float):
            return self.chance.choice([value + 0.5, value - 1, value * 2])
        if isinstance(value, str) and value:
            return self.chance.choice(
                [value[:-1], value + value[-1:], value[1:], value + " ", value.upper(), value[::-1]]
            )
        return value
