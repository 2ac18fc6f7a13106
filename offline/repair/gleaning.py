"""What can be picked up from a piece of program: its names, constants, conditions, places and attributes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from typing import Any

from .kinds import kind_of_value
from .source import Source, enclosing


def answers(definition: ast.FunctionDef) -> bool:
    """Whether a function answers yes or no, by its name or by what it returns."""
    if definition.name.lstrip("_").startswith(("is_", "has_", "can_", "in_", "all_", "any_", "should_")):
        return True
    values = [one.value for one in ast.walk(definition) if isinstance(one, ast.Return) and one.value is not None]
    return bool(values) and all(kind_of_value(value) == "truth" for value in values)


def places_in(scope: ast.AST, source: Source) -> list[str]:
    """Fields and items that a function reads or writes, commonest first: `job.owner`, `product["count"]`."""
    places = [
        source.cut(node)
        for node in ast.walk(scope)
        if isinstance(node, ast.Attribute | ast.Subscript)
        and not (isinstance(node.parent, ast.Call) and node.parent.func is node)
        and not enclosing(node, ast.JoinedStr)
        and not isinstance(getattr(node, "slice", None), ast.Slice)
    ]
    return [text for text, _ in Counter(places).most_common() if len(text) <= 30 and "\n" not in text]


def names_in(node: ast.AST) -> list[ast.Name]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Name)]


def conditions_on(name: str, kind: str) -> list[str]:
    if kind == "number":
        return [f"{name} > 0", f"{name} < 0", f"{name} == 0", f"{name} != 0", f"{name} <= 0", f"{name} >= 0"]
    if kind in ("list", "set", "dict", "text"):
        return [f"not {name}", name, f"len({name}) > 1", f"len({name}) == 1"]
    return [f"not {name}", name, f"{name} is None", f"{name} is not None", f"{name} > 0", f"{name} < 0", f"{name} == 0"]


def bound_names(scope: ast.AST) -> list[str]:
    arguments = scope.args  # type: ignore[attr-defined]
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    names = [argument.arg for argument in every if argument is not None]
    stored = [node.id for node in ast.walk(scope) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return list(dict.fromkeys(names + stored))


def conditions_in(scope: ast.AST) -> list[str]:
    """The tests that a function (or a file) makes, and their opposites, in its own words."""
    tests = [node.test for node in ast.walk(scope) if isinstance(node, ast.If | ast.While | ast.IfExp)]
    parts = [part for test in tests for part in (test.values if isinstance(test, ast.BoolOp) else [test])]
    texts = [ast.unparse(part) for part in parts]
    return list(dict.fromkeys(text for text in texts if len(text) <= 60))[:10]


def attributes_in(scope: ast.AST) -> Any:
    """For each object (as a dumped expression): which attributes are taken of it, counted."""
    found: dict[str, Counter[str]] = _Counters()
    for node in ast.walk(scope):
        if isinstance(node, ast.Attribute):
            found[ast.dump(node.value).replace("Store()", "Load()")][node.attr] += 1
    return found


class _Counters(dict[str, "Counter[str]"]):
    def __missing__(self, key: str) -> Counter[str]:
        self[key] = Counter()
        return self[key]


def count_constants(trees: Iterable[ast.Module]) -> list[Any]:
    counts: Counter[tuple[type, Any]] = Counter()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, int | float | str):
                counts[type(node.value), node.value] += 1
    return [value for (_, value), _ in counts.most_common()]
