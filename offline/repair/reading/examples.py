"""What the tests expect, as far as it can be read: at which line a call has which value, or which error."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

EQUAL = {"assertEqual", "assertEquals", "assertAlmostEqual", "assertListEqual", "assertDictEqual", "assertTupleEqual",
         "assertSetEqual", "assertCountEqual", "assertIs", "assertSequenceEqual"}  # fmt: skip

EXPECTING = ("raises", "assertRaises", "assertRaisesRegex")


@dataclass(frozen=True)
class Expected:
    """What a call of `function` should do: give a value (a literal's text), or raise an exception with a message."""

    function: str
    value: str = ""
    raises: str = ""
    message: str = ""


def read_examples(tree: ast.Module) -> dict[int, Expected]:
    """Line of a test file -> what is expected of the call there. Lines with several claims have the first."""
    found: dict[int, Expected] = {}
    for node in ast.walk(tree):
        for line, expected in _claims(node):
            found.setdefault(line, expected)
    return found


def _claims(node: ast.AST) -> Iterator[tuple[int, Expected]]:
    if isinstance(node, ast.Assert):
        yield from _claim(node.test)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield from _claim_of_method(node.value)
    elif isinstance(node, ast.With):
        for item in node.items:
            error = expected_error(item.context_expr)
            for inner in ast.walk(ast.Module(node.body, [])) if error else ():
                if isinstance(inner, ast.Call) and _name(inner):
                    yield inner.lineno, Expected(_name(inner), raises=error[0], message=error[1])


def _claim(test: ast.expr) -> Iterator[tuple[int, Expected]]:
    """`f(x) == 3`, `f(x) is None`, `f(x)`, `not f(x)`, and several of them joined by `and`."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for part in test.values:
            yield from _claim(part)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.Is):
        yield from _pair(test.left, test.comparators[0])
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and _name(test.operand):
        yield test.lineno, Expected(_name(test.operand), "False")
    elif _name(test):
        yield test.lineno, Expected(_name(test), "True")


def _claim_of_method(call: ast.Call) -> Iterator[tuple[int, Expected]]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in EQUAL and len(call.args) >= 2:
        yield from _pair(call.args[0], call.args[1])
    elif name in ("assertTrue", "assertFalse", "assertIsNone") and call.args and _name(call.args[0]):
        value = {"assertTrue": "True", "assertFalse": "False", "assertIsNone": "None"}[name]
        yield call.lineno, Expected(_name(call.args[0]), value)
    elif name in EXPECTING and len(call.args) >= 2:
        error, tested = expected_error(call), call.args[2 if name == "assertRaisesRegex" else 1 :]
        if error and tested and isinstance(tested[0], ast.Name | ast.Attribute):
            function = tested[0].id if isinstance(tested[0], ast.Name) else tested[0].attr
            yield call.lineno, Expected(function, raises=error[0], message=error[1])


def _pair(one: ast.expr, other: ast.expr) -> Iterator[tuple[int, Expected]]:
    for call, literal in ((one, other), (other, one)):
        if _name(call) and _is_literal(literal):
            yield call.lineno, Expected(_name(call), ast.unparse(literal))
            return


def _name(node: ast.AST) -> str:
    """The name of the called function or method."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _is_literal(node: ast.AST) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return False
    return True


def expected_error(node: ast.expr) -> tuple[str, str] | None:
    """Exception and message of `assertRaises(E)`, `assertRaisesRegex(E, "..")`, `pytest.raises(E, match="..")`, and of
    `pytest.raises(E, ..).match("..")`. The message is "" where there is none, or it is no simple pattern."""
    name = _name(node)
    if name == "match" and isinstance(node.func, ast.Attribute):  # type: ignore[attr-defined]
        known, patterns = expected_error(node.func.value), node.args[:1]  # type: ignore[attr-defined]
        return (known[0], _told(patterns)) if known else None
    if name not in EXPECTING or not node.args:  # type: ignore[attr-defined]
        return None
    kind, patterns = ast.unparse(node.args[0]), [word.value for word in node.keywords if word.arg == "match"]  # type: ignore[attr-defined]
    if name == "assertRaisesRegex":
        patterns = node.args[1:2]  # type: ignore[attr-defined]
    return kind, _told(patterns)


def _told(patterns: list[ast.expr]) -> str:
    told: Any = patterns[0].value if patterns and isinstance(patterns[0], ast.Constant) else ""
    return _plain(told) if isinstance(told, str) else ""


def _plain(pattern: str) -> str:
    """A text that a simple pattern matches, "" when it is not simple."""
    text = pattern.removeprefix("^").removesuffix("$").replace(".*", " ")
    text = re.sub(r"\\([^\w])", r"\1", text)
    return text if re.search(pattern, text) and not re.search(r"[\[\]{}|+?\\]", text) else ""
