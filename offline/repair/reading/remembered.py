"""What an object remembers, by the text of a file: what is compared and never changed, what begins empty."""

from __future__ import annotations

import ast
from collections import Counter

from .shapes import FUNCTION_STATEMENTS, function_of
from .source import Source, enclosing

EMPTY = ("[]", "{}", "set()", "list()", "dict()", "deque()")


def changes_forgotten_in(source: Source) -> list[str]:
    """Statements that change what a file compares and never changes after it was made."""
    changed = {_key(one) for one in ast.walk(source.tree) if _changes(one)}
    found: list[str] = []
    for compare in ast.walk(source.tree):
        if not isinstance(compare, ast.Compare) or len(compare.ops) != 1:
            continue
        sides = compare.left, compare.comparators[0]
        for place, other in (sides, sides[::-1]):
            if _key(place) and _key(place) not in changed:
                found += _after_which(source.cut(place), other, compare.ops[0], source)
    return [one for one in dict.fromkeys(found) if len(one) <= 60 and "\n" not in one]


def _after_which(place: str, other: ast.expr, operator: ast.cmpop, source: Source) -> list[str]:
    """What could happen to a place that is compared with something."""
    if isinstance(other, ast.Constant) and type(other.value) is int:
        return [f"{place} -= 1", f"{place} += 1"]
    if isinstance(other, ast.Name | ast.Attribute | ast.Subscript) and isinstance(operator, ast.Eq | ast.NotEq):
        return [f"{place} = {source.cut(other)}"]
    return []


def fields_that_begin_empty(around: ast.ClassDef) -> list[str]:
    """Fields of self that `__init__` makes an empty list, dict or set."""
    first = next((one for one in around.body if isinstance(one, FUNCTION_STATEMENTS) and one.name == "__init__"), None)
    made = [one for one in ast.walk(first) if isinstance(one, ast.Assign)] if first else []
    targets = [one.targets[0] for one in made if ast.unparse(one.value) in EMPTY]
    return [target.attr for target in targets if isinstance(target, ast.Attribute) and is_self(target.value)]


def begun_only(scope: ast.AST) -> dict[str, ast.expr]:
    """The names that a function sets once, to what things begin with (a constant, nothing in a list), reads and changes
    nowhere: each with that value."""
    names = [one for one in ast.walk(scope) if isinstance(one, ast.Name)]
    set_at = Counter(one.id for one in names if not isinstance(one.ctx, ast.Load))
    touched = {one.id for one in names if _may_change(one)}
    read = {one.id for one in names if isinstance(one.ctx, ast.Load)}
    made = [one for one in ast.walk(scope) if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)]
    begun = {one.targets[0].id: one.value for one in made if _is_beginning(one.value)}
    return {name: value for name, value in begun.items() if set_at[name] == 1 and name in read - touched}


def filled_and_kept(name: str, scope: ast.AST) -> bool:
    """Whether the outermost function around makes an empty list of this name, fills it in a loop, never empties it."""
    while (around := function_of(scope)) is not None:
        scope = around
    nodes = [one for one in ast.walk(scope) if isinstance(one, ast.Name) and one.id == name]
    methods = {(one.parent.attr, enclosing(one, ast.For, ast.While) is not None) for one in nodes
               if isinstance(one.parent, ast.Attribute)}  # fmt: skip
    made = [one.parent for one in nodes if isinstance(one.ctx, ast.Store)]
    began_empty = len(made) == 1 and isinstance(made[0], ast.Assign) and ast.unparse(made[0].value) in EMPTY
    return began_empty and ("append", True) in methods and not {("clear", True), ("clear", False)} & methods


def _may_change(name: ast.Name) -> bool:
    """Whether what a name holds may be changed here without setting the name: by a method, an item, a function."""
    around = name.parent  # type: ignore[attr-defined]
    if isinstance(around, ast.Subscript):
        return not isinstance(around.ctx, ast.Load)
    return isinstance(around, ast.Attribute | ast.Global | ast.Nonlocal)


def _is_beginning(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is not None or ast.unparse(value) in EMPTY


def _key(node: ast.AST) -> str | None:
    """What a field or an item is known by, whoever holds it: its name or its key."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return repr(node.slice.value)
    return None


def _changes(node: ast.AST) -> bool:
    """Whether something gets another value here: not where it is made."""
    if not isinstance(node, ast.Attribute | ast.Subscript) or not isinstance(node.ctx, ast.Store | ast.Del):
        return False
    scope = function_of(node)
    return scope is not None and scope.name != "__init__"


def is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
