"""Expressions over values that were seen: made from small to larger, one for each different list of values.

An expression is judged by what it gives in every situation at once ("modulo observed equality": of two that agree in
all of them only the simpler one is kept), so that thousands are looked through without running the program.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LARGEST = 10**12
ARITHMETIC: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    ("+", operator.add), ("-", operator.sub), ("*", operator.mul), ("/", operator.truediv),
    ("//", operator.floordiv), ("%", operator.mod),
)  # fmt: skip
COMPARISONS: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    ("==", operator.eq), ("!=", operator.ne), ("<", operator.lt), ("<=", operator.le), (">", operator.gt),
    (">=", operator.ge),
)  # fmt: skip
Values = tuple[Any, ...]


@dataclass(frozen=True)
class Term:
    """An expression and its value in each situation. `size` counts names and constants."""

    text: str
    size: int
    values: Values
    loose: bool = False  # needs parentheses as a part of another


def leaves(situations: Sequence[Mapping[str, Any]], constants: Iterable[Any]) -> list[Term]:
    """Names, constants, and what is one step from a name: `len(x)`, `x[0]`, `sum(x)`."""
    names = [name for name in situations[0] if all(name in one for one in situations)]
    plain = [Term(name, 1, tuple(one[name] for one in situations)) for name in names]
    fixed = [Term(repr(one), 1, (one,) * len(situations)) for one in constants]
    return _different([*plain, *fixed, *(one for term in plain for one in _near(term, plain))])


def combine(
    lefts: Iterable[Term],
    rights: Sequence[Term],
    known: set[Any],
    fits: Callable[[Values], bool] = lambda values: False,
) -> Iterator[Term]:
    """Sums, products and so on of two terms, those with values that are new, and all that fit."""
    for left in lefts:
        for right in rights:
            if _is_fixed(left) and _is_fixed(right):
                continue
            for sign, apply in ARITHMETIC:
                if sign in "+*" and left.text > right.text and _numeric(left) and _numeric(right):
                    continue
                values = _each(apply, left.values, right.values)
                key = None if values is None else key_of(values)
                if values is None or (key in known and not fits(values)):
                    continue
                known.add(key)
                text = f"{_part(left, left.loose and sign not in '+-')} {sign} {_part(right, right.loose)}"
                yield Term(text, left.size + right.size, values, loose=True)


def conditions(terms: Sequence[Term]) -> Iterator[Term]:
    """Terms that are true or false in themselves, comparisons of two, membership."""
    for term in terms:
        if not _is_fixed(term):
            yield Term(term.text, term.size, tuple(bool(one) for one in term.values), term.loose)
            yield Term(f"{term.text} is None", term.size, tuple(one is None for one in term.values))
    for left in terms:
        for right in terms if not _is_fixed(left) else ():
            if right is left or (not _is_fixed(right) and right.text < left.text):
                continue
            size = left.size + right.size
            for sign, apply in COMPARISONS if _kinds(left) == _kinds(right) else ():
                if sign in ("==", "!=") or not isinstance(left.values[0], str):
                    values = _each(apply, left.values, right.values)
                    if values is not None:
                        yield Term(f"{left.text} {sign} {right.text}", size, values, True)
            for one, other in ((left, right), (right, left)):
                if all(isinstance(value, list | tuple | dict | set | str) for value in other.values):
                    values = _each(_is_in, one.values, other.values)
                    if values is not None:
                        yield Term(f"{one.text} in {other.text}", size, values, True)


def evaluated(text: str, situations: Sequence[Mapping[str, Any]]) -> Term | None:
    """An expression of the program as a term; None where it has no value in a situation."""
    tree = ast.parse(text, mode="eval")
    names = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute | ast.Subscript)}
    values = tuple(value_in(text, values) for values in situations)
    if any(one is NO_VALUE for one in values) or not names:
        return None
    return Term(text, len(names), values, loose=isinstance(tree.body, ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp))


def value_in(text: str, values: Mapping[str, Any]) -> Any:
    """What an expression is in a situation, NO_VALUE when that cannot be told from plain values."""
    for name in sorted((name for name in values if "." in name), key=len, reverse=True):
        text = text.replace(name, f"({values[name]!r})")
    names = {name: value for name, value in values.items() if "." not in name}
    try:
        return eval(compile(text, "<expression>", "eval"), {"__builtins__": KNOWN}, names)
    except Exception:
        return NO_VALUE


NO_VALUE = object()
KNOWN = {one.__name__: one for one in (len, abs, min, max, sum, sorted, int, float, str, isinstance, bool, any, all)}


def key_of(values: Values) -> Any:
    """What makes two lists of values alike."""
    return tuple((type(one).__name__, repr(one)) if not isinstance(one, int | float) else float(one) for one in values)


def _near(term: Term, plain: list[Term]) -> Iterator[Term]:
    """What is one step from a name, by the kind of its values."""
    text, first = term.text, term.values[0]
    if all(isinstance(one, list | tuple | str | dict | set) for one in term.values):
        yield from _step(term, f"len({text})", len)
    if isinstance(first, list | tuple | str):
        for place in (0, 1, -1):
            yield from _step(term, f"{text}[{place}]", operator.itemgetter(place))
        for other in plain:
            values = _each(operator.getitem, term.values, other.values)
            if values is not None and all(type(one) is int for one in other.values):
                yield Term(f"{text}[{other.text}]", 2, values)
    if isinstance(first, dict):
        for other in plain:
            values = None if other is term else _each(operator.getitem, term.values, other.values)
            if values is not None:
                yield Term(f"{text}[{other.text}]", 2, values)
    if isinstance(first, list | tuple):
        for name, function in (("sum", sum), ("max", max), ("min", min), ("sorted", sorted)):
            yield from _step(term, f"{name}({text})", function)
    if isinstance(first, str):
        for name in ("lower", "strip", "upper", "isdigit", "isalpha", "isupper", "islower", "isspace"):
            yield from _step(term, f"{text}.{name}()", operator.methodcaller(name))
    if isinstance(first, float):
        yield from _step(term, f"round({text})", round)


def _step(term: Term, text: str, function: Callable[[Any], Any]) -> Iterator[Term]:
    values = _each(lambda one, _: function(one), term.values, term.values)
    if values is not None:
        yield Term(text, 1 if text.startswith("len(") else 2, values)


def _each(apply: Callable[[Any, Any], Any], lefts: Values, rights: Values) -> Values | None:
    """The values of an operation in all situations; None when one fails or grows."""
    found = []
    for left, right in zip(lefts, rights, strict=True):
        if apply is operator.mul and not (isinstance(left, int | float) and isinstance(right, int | float)):
            return None  # a text repeated a million times
        try:
            value = apply(left, right)
        except Exception:
            return None
        if isinstance(value, complex) or (isinstance(value, int | float) and not abs(value) <= LARGEST):
            return None
        found.append(value)
    return tuple(found)


def _different(terms: Iterable[Term]) -> list[Term]:
    known: set[Any] = set()
    return [one for term in terms for one in _new(term, known)]


def _new(term: Term, known: set[Any]) -> Iterator[Term]:
    key = key_of(term.values)
    if key not in known:
        known.add(key)
        yield term


def _kinds(term: Term) -> set[str]:
    return {"number" if isinstance(one, int | float) else type(one).__name__ for one in term.values}


def _is_in(part: Any, whole: Any) -> bool:
    return part in whole


def _numeric(term: Term) -> bool:
    return isinstance(term.values[0], int | float)


def _is_fixed(term: Term) -> bool:
    return term.text[:1] in "-0123456789'\"" or term.text in ("True", "False", "None")


def _part(term: Term, wrapped: bool) -> str:
    return f"({term.text})" if wrapped else term.text
