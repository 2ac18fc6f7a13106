"""Expressions that fit what was seen: conditions that tell situations apart, terms that give wanted values.

Among those that fit, the least far-fetched comes first: what a reader of much Python finds least strange.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any

from ..ranking.naturalness import strangeness
from ..running.snapshots import Hit
from .terms import Term, Values, combine, conditions, evaluated, key_of, leaves

MOST_ATOMS = 6000
LARGEST_DIVISOR = 1000
MOST_PAIRS = 300  # of simple conditions, looked at together
OFFERED = 6  # expressions offered for one place
LARGE = 2500  # terms that are combined once more
EXACT = 5.0  # what asking for one value costs where a range would do
USE = 3.0  # what the use of one more of the given values counts
LIKENESS = 8.0  # what having the same names as an expression that is there counts, beside strangeness


def separating(yes: Sequence[Hit], no: Sequence[Hit], constants: Iterable[Any]) -> Iterator[str]:
    """Conditions that hold in the first situations and in none of the second: one comparison, then two joined."""
    situations = [hit.values for hit in [*yes, *no]]
    if not yes or not situations[0]:
        return
    terms = leaves(situations, constants)[:60]
    atoms = [*islice(conditions(terms), MOST_ATOMS), *_divisible(terms)]
    atoms += [_negated(term) for term in atoms]
    target = (True,) * len(yes) + (False,) * len(no)
    found = [term for term in atoms if term.values == target]
    yield from dict.fromkeys(term.text for term in sorted(found, key=far_fetched))
    for joined, word in ((any, "or"), (all, "and")):
        side = [term for term in atoms if _may_join(term.values, target, joined is any)]
        side.sort(key=far_fetched, reverse=True)
        simplest = sorted({term.values: term for term in side}.values(), key=far_fetched)
        for one, other in islice(combinations(simplest, 2), MOST_PAIRS):
            if tuple(joined(pair) for pair in zip(one.values, other.values, strict=True)) == target:
                yield f"{one.text} {word} {other.text}"


def fitting(hits: Sequence[Hit], wanted: list[Any], constants: Iterable[Any], like: list[str]) -> Iterator[str]:
    """Expressions that give the wanted values; those with the names of the expressions `like` first."""
    situations, target = [hit.values for hit in hits], key_of(tuple(wanted))
    clamped = len(hits) > 2 and all(type(one) in (int, float) for one in wanted)

    def fits(values: Values) -> bool:
        return key_of(values) == target or (clamped and _is_right_when_clamped(values, wanted))

    terms = leaves(situations, constants)
    donors = [one for text in like for one in [evaluated(text, situations)] if one is not None]
    numbers = [term for term in terms if isinstance(term.values[0], int | float)]
    known = {key_of(term.values) for term in terms}
    varied = list(islice(combine(donors, numbers, set(), fits), LARGE))
    twos = list(islice(combine(terms, terms, known, fits), LARGE))
    threes = list(islice(combine(twos, numbers, known, fits), 4 * LARGE))
    differences = [term for term in twos if " - " in term.text][:60]
    ratios = [one for one in islice(combine(differences, differences, set(), fits), 4 * LARGE) if " / " in one.text]
    every = [*terms, *varied, *twos, *threes, *ratios, *islice(combine(ratios, numbers, set(), fits), 8 * LARGE)]
    found = [term for term in every if key_of(term.values) == target]
    low, high = (min(wanted), max(wanted)) if clamped else (0, 0)
    for term in every if clamped else ():
        if _is_right_when_clamped(term.values, wanted):
            found.append(Term(f"max({low}, min({high}, {term.text}))", term.size, ()))
    names, given = [_names(one) for one in like], _given(situations[0])

    def order(term: Term) -> float:
        likeness = max((_shared(_names(term.text), one) for one in names), default=0)
        return far_fetched(term) - LIKENESS * likeness - USE * len(_names(term.text) & given)

    yield from islice(dict.fromkeys(term.text for term in sorted(found, key=order)), OFFERED)


def far_fetched(term: Term) -> float:
    """How strange an expression is; on top numbers that mean nothing, and one value where there may be a range."""
    tree = ast.parse(term.text, mode="eval")
    numbers = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is int]
    odd = sum(number not in (0, 1, 2) for number in numbers)
    remainder = "%" in term.text
    equal = any(isinstance(node, ast.Eq | ast.NotEq | ast.Not) for node in ast.walk(tree))
    exact = equal and not remainder and not _holds_text(tree)
    return strangeness(tree) + term.size + 2.0 * odd + EXACT * exact + 2.0 * remainder


def _holds_text(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.Constant) and isinstance(node.value, str) for node in ast.walk(tree))


def opposite(text: str) -> str:
    """A condition that holds when this one does not."""
    if " or " in text or " and " in text:
        return f"not ({text})"
    for old, new in OPPOSITES:
        if old in text:
            return text.replace(old, new, 1)
    return text.removeprefix("not ") if text.startswith("not ") else f"not {text}"


OPPOSITES = (
    (" is None", " is not None"), (" not in ", " in "), (" in ", " not in "), (" == ", " != "), (" != ", " == "),
    (" <= ", " > "), (" >= ", " < "), (" < ", " >= "), (" > ", " <= "),
)  # fmt: skip


def _is_right_when_clamped(values: Values, wanted: list[Any]) -> bool:
    """Whether values are right once they are kept between the smallest and the largest wanted one."""
    low, high = min(wanted), max(wanted)
    if not all(isinstance(one, int | float) for one in values) or not any(low < one < high for one in values):
        return False
    return [max(low, min(high, one)) for one in values] == wanted


def _divisible(terms: Sequence[Term]) -> Iterator[Term]:
    """`year % 100 == 0`: whether a number divides by one of those the program has, or by a product of two."""
    numbers = [term for term in terms if all(type(one) is int for one in term.values)]
    fixed = sorted({term.values[0] for term in numbers if term.text.isdigit() and term.values[0] > 1})
    divisors = sorted({*fixed, *(one * other for one in fixed for other in fixed if one * other <= LARGEST_DIVISOR)})
    for term in numbers:
        for divisor in divisors if not term.text.isdigit() else ():
            values = tuple(one % divisor == 0 for one in term.values)
            yield Term(f"{term.text} % {divisor} == 0", 3, values, True)


def _may_join(values: tuple[Any, ...], target: tuple[bool, ...], by_or: bool) -> bool:
    """Whether a condition may be a part: of an `or` it never holds wrongly, of an `and` it never fails wrongly."""
    pairs = list(zip(values, target, strict=True))
    wrong = any(one and not other for one, other in pairs) if by_or else any(other and not one for one, other in pairs)
    return not wrong and any(values) and not all(values)


def _negated(term: Term) -> Term:
    return Term(opposite(term.text), term.size, tuple(not one for one in term.values), term.loose)


def _names(text: str) -> set[str]:
    parts = (ast.Name, ast.Subscript, ast.Attribute)
    return {ast.unparse(node) for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, parts)}


def _given(values: Mapping[str, Any]) -> set[str]:
    """The names, and the items of short tuples."""
    items = {f"{name}[{i}]" for name, one in values.items() if isinstance(one, tuple) for i in range(min(len(one), 4))}
    return items | {name for name, one in values.items() if not isinstance(one, tuple)}


def _shared(one: set[str], other: set[str]) -> float:
    """The share of names, fields and items that two expressions have in common."""
    return len(one & other) / max(1, len(one | other))
