"""How a program behaves on inputs near those of the tests: what its functions return to the tests and how they fail.

The inputs come from the test files with some constants changed. What the right answer would be nobody knows then; but
changes of a program can be compared by what they do.
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

from .failures import Failure
from .watches import Facts, arm_limit

VARIANTS = 10  # changed test files, each with other constants changed
SHARE = 0.5  # of the constants, in each variant
MOST_CALLS = 30  # observed in one test
ADDRESS = re.compile(r"0x[0-9a-f]+")


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


class Observer:
    """A watch that records, for each test, what the program returned to it and how it ended."""

    def __init__(
        self, facts: Facts, report: Callable[[dict[str, Any]], None], test_files: set[str], own: set[str]
    ) -> None:
        self.facts = facts
        self.report = report
        self.test_files = test_files  # absolute names
        self.own = own
        self.stop = False
        self.seen: dict[str, list[str]] = {}
        self.calls: list[str] = []

    def order(self, names: list[str]) -> list[str]:
        """All tests, in their own order."""
        return names

    def started(self, name: str) -> None:
        """Begin to listen."""
        self.calls = self.seen.setdefault(name, [])
        arm_limit(self.facts.default_limit)
        sys.setprofile(self._listen)

    def finished(self, name: str, failure: Failure | None) -> None:
        """Record how the test ended."""
        sys.setprofile(None)
        arm_limit(0)
        kind = "passed" if failure is None else failure.text.partition(":")[0]
        self.calls.append(kind)
        self.report({"observed": name, "calls": self.calls, "end": kind})

    def done(self) -> None:
        """Say that everything ran."""
        self.report({"passed": None})

    def _listen(self, frame: FrameType, event: str, argument: Any) -> None:
        if event != "return" or len(self.calls) >= MOST_CALLS or frame.f_code.co_filename not in self.own:
            return
        caller = frame.f_back
        if caller is not None and caller.f_code.co_filename in self.test_files:
            sys.setprofile(None)
            try:
                text = ADDRESS.sub("", repr(argument))[:200]
            except Exception:
                text = "?"
            sys.setprofile(self._listen)
            self.calls.append(f"{frame.f_code.co_name} {text}")
