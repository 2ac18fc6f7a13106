"""Which expression of a function can give an error, and why: read from its syntax tree, nothing is run."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Cause:
    line: int
    expression: str
    why: str
    remedy: str
    lines: str  # the lines of the source that show it
    does: str = "computes"  # what the function does with the expression


def cause_of(function: Function, error: str, source: str) -> Cause | None:
    """The first expression of a function that can raise this error; with error "" one that
    is hardly ever meant: a division by what may be 0, a comparison with None."""
    kinds = [KINDS[error]] if error in KINDS else [] if error else [divisions, comparisons]
    for kind in kinds:
        for cause in kind(function, source):
            return cause
    return None


def serves(function: Any, path: str) -> float:
    """Whether a function's decorator names the end of the path."""
    for decorator in function.decorator_list:
        for argument in getattr(decorator, "args", [])[:1]:
            route = getattr(argument, "value", None)
            if isinstance(route, str) and route.strip("/"):
                pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(route.rstrip("/")))
                if re.search(f"{pattern}$", path.partition("?")[0].rstrip("/")):
                    return 1.0
    return 0.0


def functions_in(text: str) -> list[Function]:
    """The functions of a file; [] for one that is no Python."""
    try:
        nodes = ast.walk(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [node for node in nodes if isinstance(node, Function)]


def error_in(answer: str) -> str:
    """The name of the exception that an API's answer tells, or ""."""
    found = re.search(r"\b[A-Z]\w*(?:Error|Exception)\b", answer)
    return found[0] if found else ("ZeroDivisionError" if "division by zero" in answer else "")


def divisions(function: ast.AST, source: str) -> Iterator[Cause]:
    """A division by what may be 0, with no condition around it that looks at the same."""
    guarded = _guarded(function)
    for node in inside(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            divisor = node.right
            if (
                isinstance(divisor, ast.Constant)
                or isinstance(node.left, ast.Constant)
                and isinstance(node.left.value, str)
            ):
                continue
            if node in guarded:
                continue
            by = ast.unparse(divisor)
            name = _measured(divisor)
            when = f"when `{name}` is empty" if name else "for some data"
            made = (
                f" `{name}` is made here: {_assignment(function, name)}."
                if name and _assignment(function, name)
                else ""
            )
            yield Cause(
                node.lineno,
                ast.unparse(node),
                f"It divides by `{by}`, which is 0 {when}.{made}",
                f"Remedy: look whether `{name or by}` is empty before dividing.",
                _lines(source, node, function, name),
            )


def comparisons(function: ast.AST, source: str) -> Iterator[Cause]:
    """A sort, or a smallest or largest, over values that may be None; then a comparison or a sum with such a value."""
    for node in inside(function):
        if isinstance(node, ast.Call) and _called(node) in ("sorted", "sort", "min", "max"):
            key = next((each.value for each in node.keywords if each.arg == "key"), None)
            by = (
                ast.unparse(key.body) if isinstance(key, ast.Lambda) else ast.unparse(node.args[0]) if node.args else ""
            )
            field = _field(key.body) if isinstance(key, ast.Lambda) else ""
            may = _may_be_none(function, field) if field else ""
            if may or field:
                origin = f" `{field}` is None for some: {may}." if may else f" `{field}` may be None."
                yield Cause(
                    node.lineno,
                    ast.unparse(node),
                    f"`{_called(node)}` compares `{by}`, and None cannot be compared.{origin}",
                    f"Remedy: leave out what has no `{field}`, or give the key a value for None.",
                    _lines(source, node, function, field),
                )


def lookups(function: ast.AST, source: str) -> Iterator[Cause]:
    """A key or a place that may not be there."""
    for node in inside(function):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            what = ast.unparse(node)
            missing = f"`{ast.unparse(node.value)}` may not hold `{ast.unparse(node.slice)}`."
            yield Cause(
                node.lineno,
                what,
                missing,
                "Remedy: look whether it is there first.",
                _lines(source, node, function, ""),
            )


def attributes(function: ast.AST, source: str) -> Iterator[Cause]:
    """An attribute of what may be None, or of what has no such field."""
    for node in inside(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and not isinstance(node.value, ast.Name):
            why = f"`{ast.unparse(node.value)}` may be None, or have no `{node.attr}`."
            yield Cause(
                node.lineno,
                ast.unparse(node),
                why,
                "Remedy: look what it is first.",
                _lines(source, node, function, ""),
            )


def inside(function: ast.AST) -> Iterator[ast.AST]:
    """What a function does, without its decorators, annotations and defaults."""
    for statement in getattr(function, "body", []):
        yield from ast.walk(statement)


KINDS: dict[str, Callable[[ast.AST, str], Iterator[Cause]]] = {
    "ZeroDivisionError": divisions,
    "TypeError": comparisons,
    "KeyError": lookups,
    "IndexError": lookups,
    "AttributeError": attributes,
}


def _guarded(function: ast.AST) -> set[ast.AST]:
    """The divisions inside a condition that looks at what they divide by."""
    found: set[ast.AST] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.IfExp | ast.If):
            names = {each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)}
            for inner in ast.walk(node):
                if isinstance(inner, ast.BinOp) and names & {
                    n.id for n in ast.walk(inner.right) if isinstance(n, ast.Name)
                }:
                    found.add(inner)
    return found


def _measured(divisor: ast.AST) -> str:
    """`began` of `len(began)` or `began`, "" for anything else."""
    if isinstance(divisor, ast.Call) and _called(divisor) == "len" and divisor.args:
        return ast.unparse(divisor.args[0])
    return divisor.id if isinstance(divisor, ast.Name) else ""


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def _field(key: ast.AST) -> str:
    """`avg_score` of `each["avg_score"]`, `each.avg_score` or `each.get("avg_score")`."""
    if isinstance(key, ast.Subscript) and isinstance(key.slice, ast.Constant):
        return str(key.slice.value)
    if isinstance(key, ast.Call) and key.args and isinstance(key.args[0], ast.Constant):
        return str(key.args[0].value)
    return key.attr if isinstance(key, ast.Attribute) else ""


def _may_be_none(function: ast.AST, field: str) -> str:
    """The expression that gives a field None for some data."""
    for node in ast.walk(function):
        pairs: list[tuple[object, ast.AST]] = []
        if isinstance(node, ast.Dict):
            pairs = [(getattr(key, "value", None), value) for key, value in zip(node.keys, node.values, strict=True)]
        elif isinstance(node, ast.Call):
            pairs = [(each.arg, each.value) for each in node.keywords]
        for name, value in pairs:
            if name == field and isinstance(value, ast.IfExp) and _none_branch(value):
                return f"`{ast.unparse(value)}`"
    return ""


def _none_branch(choice: ast.IfExp) -> bool:
    return any(isinstance(branch, ast.Constant) and branch.value is None for branch in (choice.body, choice.orelse))


def _assignment(function: ast.AST, name: str) -> str:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == name for target in node.targets):
            return f"`{ast.unparse(node)}`"
    return ""


def _lines(source: str, node: ast.AST, function: ast.AST, name: str) -> str:
    """The line of the expression, and the one that gives the name its value."""
    lines = source.splitlines()
    wanted = set(range(node.lineno, node.end_lineno + 1))
    for each in ast.walk(function):
        if name and isinstance(each, ast.Assign) and any(getattr(target, "id", "") == name for target in each.targets):
            wanted |= set(range(each.lineno, each.end_lineno + 1))
    first = getattr(function, "lineno", node.lineno)
    return "\n".join(lines[number - 1] for number in sorted(wanted | {first}) if number <= len(lines))
