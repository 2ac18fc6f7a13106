"""Operators on calls that are confused with others: what changes in place and returns nothing, what returns and changes
nothing, a number without its unit, a key that is not there yet, a name that has moved to another module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...reading.shapes import called_name, fit, function_of, needs_parentheses
from ...reading.source import Source
from ...reading.vocabulary import Vocabulary
from ..edits import Edit
from ..families import MOVED_NAMES

IN_PLACE = {"sort": "sorted", "reverse": "reversed", "append": "", "extend": "", "add": "", "update": "", "insert": ""}
ANEW = """strip lstrip rstrip lower upper title capitalize replace casefold swapcase zfill ljust rjust center copy
removeprefix removesuffix union intersection difference symmetric_difference translate expandtabs"""
RETURN_ANEW = frozenset(ANEW.split())
UNITS = ("minutes", "seconds", "hours", "days", "weeks", "milliseconds")


def missing_await(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`read()` -> `await read()`, in a coroutine."""
    if isinstance(function_of(node), ast.AsyncFunctionDef) and not isinstance(node.parent, ast.Await):
        yield fit(node, f"await {source.cut(node)}", source)


def dropped_result(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`word.strip()` as a statement -> `word = word.strip()`; `sorted(items)` -> `items = sorted(items)`."""
    call = node.value
    if not isinstance(call, ast.Call):
        return
    start, _ = source.span(node)
    if isinstance(call.func, ast.Attribute) and call.func.attr in RETURN_ANEW:
        yield Edit(source.path, start, start, f"{source.cut(call.func.value)} = ")
    elif called_name(call) in ("sorted", "reversed", "list", "set", "round", "abs", "str", "int") and call.args:
        yield Edit(source.path, start, start, f"{source.cut(call.args[0])} = ")


def result_in_place(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`return items.sort()` -> `return sorted(items)`, `items = items.append(x)` -> `items.append(x)`."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in IN_PLACE:
        return
    held, (start, _) = source.cut(call.func.value), source.span(node)
    makes = IN_PLACE[call.func.attr]
    if makes:
        inner = held[1:-1] if held.startswith("(") and held.endswith(")") and needs_parentheses(held[1:-1]) else held
        rest = "".join(f", {source.cut(part)}" for part in [*call.args, *call.keywords])
        made = f"{makes}({inner}{rest})"
        yield source.replace(call, made if makes == "sorted" else f"list({made})")
    if isinstance(node, ast.Assign):
        yield source.replace(node, source.cut(call))
    elif isinstance(node, ast.Return):
        indent = source.text[source.line_start(node.lineno) : start]
        if not indent.strip():
            yield source.replace(node, f"{source.cut(call)}\n{indent}return {held}")


def unit_of_time(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`timedelta(minutes)` (which are days) -> `timedelta(minutes=minutes)`; another unit."""
    if called_name(node) != "timedelta":
        return
    for argument in node.args:
        told = source.cut(argument).lower()
        for unit in sorted(UNITS, key=lambda unit: unit.rstrip("s") not in told):
            yield source.replace(argument, f"{unit}={source.cut(argument)}")
    for keyword in node.keywords:
        start = source.span(keyword)[0]
        for unit in UNITS:
            if keyword.arg in UNITS and unit != keyword.arg:
                yield Edit(source.path, start, start + len(keyword.arg), unit)


def absent_key(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`counts[key] += 1` -> `counts[key] = counts.get(key, 0) + 1`; `lists[key].append(x)` -> `lists.setdefault(...)`.

    And `counts.get(key, 1)` -> another default is left to "initial value".
    """
    if isinstance(node, ast.AugAssign):
        if not isinstance(node.target, ast.Subscript) or isinstance(node.target.slice, ast.Slice):
            return
        held, key = source.cut(node.target.value), source.cut(node.target.slice)
        sign = source.text[source.span(node.target)[1] : source.span(node.value)[0]].strip().removesuffix("=")
        value = source.cut(node.value)
        value = f"({value})" if needs_parentheses(value) else value
        for empty in ("0", '""', "[]", "1"):
            yield source.replace(node, f"{held}[{key}] = {held}.get({key}, {empty}) {sign} {value}")
        return
    place = node.func.value if isinstance(node.func, ast.Attribute) else None
    if isinstance(place, ast.Subscript) and node.func.attr in ("append", "add", "extend", "update"):
        empty = {"append": "[]", "extend": "[]", "add": "set()", "update": "{}"}[node.func.attr]
        yield source.replace(place, f"{source.cut(place.value)}.setdefault({source.cut(place.slice)}, {empty})")


def moved_import(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`from collections import Mapping` -> `from collections.abc import Mapping`; `import X` likewise."""
    if isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            home = MOVED_NAMES.get(f"{node.module}.{alias.name}")
            if home is None:
                continue
            module, _, name = home.rpartition(".")
            told = f"{name} as {alias.asname or alias.name}" if name != alias.name or alias.asname else name
            moved = f"from {module} import {told}" if module else f"import {told}"
            rest = [source.cut(other) for other in node.names if other is not alias]
            indent = source.text[source.line_start(node.lineno) : source.span(node)[0]]
            kept = f"from {node.module} import {', '.join(rest)}\n{indent}" if rest else ""
            yield source.replace(node, kept + moved)
    elif isinstance(node, ast.Import):
        for alias in node.names:
            home = MOVED_NAMES.get(alias.name)
            if home is not None:
                yield source.replace(alias, f"{home} as {alias.asname or alias.name}")
    elif isinstance(node, ast.Attribute):
        home = MOVED_NAMES.get(source.cut(node))
        if home is not None and home.split(".")[0] == source.cut(node).split(".")[0]:
            yield source.replace(node, home)


def condition_of_one(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`x == 4 or 6 or 9` -> `x in (4, 6, 9)`; `if is_leap:` (a function, always true) -> `if is_leap(year):`."""
    if isinstance(node, ast.BoolOp):
        first, rest = node.values[0], node.values[1:]
        plain = all(isinstance(one, ast.Constant) for one in rest)
        if isinstance(first, ast.Compare) and len(first.ops) == 1 and plain:
            options = ", ".join(source.cut(one) for one in [first.comparators[0], *rest])
            if isinstance(first.ops[0], ast.Eq):
                yield fit(node, f"{source.cut(first.left)} in ({options})", source)
            elif isinstance(first.ops[0], ast.NotEq):
                yield fit(node, f"{source.cut(first.left)} not in ({options})", source)
        return
    definition = words.functions(source).get(node.id)
    if definition is None or not isinstance(node.parent, ast.If | ast.While | ast.BoolOp | ast.UnaryOp | ast.IfExp):
        return
    names = [name for name in words.names_in_scope(node) if name != "self"]
    own = [argument.arg for argument in definition.args.args]
    scope = function_of(node)
    parameters = [argument.arg for argument in scope.args.args] if scope else []
    if len(own) == 1:
        for name in dict.fromkeys([*(one for one in names if one == own[0]), *parameters, *names]):
            yield source.replace(node, f"{node.id}({name})")
    elif own and set(own) <= set(names):
        yield source.replace(node, f"{node.id}({', '.join(own)})")


def literal_identity(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`x is ""` -> `x is None`, `x == ""`: identity with a literal is never meant (CPython warns of it since 3.8)."""
    for operator, right in zip(node.ops, node.comparators, strict=True):
        plain = isinstance(right, ast.Constant) and isinstance(right.value, str | bytes | int | float | complex)
        plain = plain and not isinstance(right.value, bool)
        if plain and isinstance(operator, ast.Is | ast.IsNot):
            yield source.replace(right, "None")
            start, end = source.span(node)
            if len(node.ops) == 1:
                token = "==" if isinstance(operator, ast.Is) else "!="
                yield Edit(source.path, start, end, f"{source.cut(node.left)} {token} {source.cut(right)}")
