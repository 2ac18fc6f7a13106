"""What a mutation may draw on: the names, attributes, constants and functions that the project itself uses."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from .source import Source, enclosing

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Vocabulary:
    """Words of the project, each with how often it occurs; asked by the operators."""

    def __init__(self, sources: Mapping[str, Source], tests: Iterable[ast.Module] = ()) -> None:
        self.sources = sources
        self.tests = list(tests)

    @cached_property
    def test_constants(self) -> list[Any]:
        """Constants in the tests, commonest first."""
        return _constants(self.tests)

    @cached_property
    def attributes(self) -> Counter[str]:
        """Attribute names used in the program."""
        trees = [source.tree for source in self.sources.values()]
        return Counter(node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute))

    def constants(self, source: Source) -> list[Any]:
        """Constants of a file, commonest first."""
        key = source.path
        if key not in self._constants_of:
            self._constants_of[key] = _constants([source.tree])
        return self._constants_of[key]

    @cached_property
    def _constants_of(self) -> dict[str, list[Any]]:
        return {}

    def names_in_scope(self, node: ast.AST) -> list[str]:
        """Names that may stand for a variable at a node: parameters and locals first (nearest first), then globals."""
        names: list[str] = []
        scope = enclosing(node, *FUNCTIONS)
        while scope is not None:
            names += self._local_names(scope)
            scope = enclosing(scope, *FUNCTIONS)
        return list(dict.fromkeys(names))

    def _local_names(self, scope: ast.AST) -> list[str]:
        if scope not in self._locals:
            self._locals[scope] = _bound_names(scope)
        return self._locals[scope]

    @cached_property
    def _locals(self) -> dict[ast.AST, list[str]]:
        return {}


def _bound_names(scope: ast.AST) -> list[str]:
    arguments = scope.args  # type: ignore[attr-defined]
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    names = [argument.arg for argument in every if argument is not None]
    stored = [node.id for node in ast.walk(scope) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return list(dict.fromkeys(names + stored))


def _constants(trees: Iterable[ast.Module]) -> list[Any]:
    counts: Counter[tuple[str, Any]] = Counter()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, int | float | str | bytes | bool):
                counts[type(node.value).__name__, node.value] += 1
    return [value for (_, value), _ in counts.most_common()]
