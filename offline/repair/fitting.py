"""Expressions that fit what was seen: conditions that tell situations apart, terms that give wanted values.

Among those that fit, the least far-fetched comes first: what a reader of much Python finds least strange.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from .naturalness import strangeness
from .snapshots import Hit
from .terms import Term, combine, conditions, key_of, leaves

MOST_ATOMS = 6000
MOST_PAIRS = 300  # of simple conditions, looked at together
OFFERED = 6  # expressions offered for one place
LARGE = 2500  # terms that are combined once more
LIKENESS = 8.0  # what having the same names as an expression that is there counts, beside strangeness


def separating(yes: Sequence[Hit], no: Sequence[Hit], constants: Iterable[Any]) -> Iterator[str]:
    """Conditions that hold in the first situations and in none of the second: one comparison, then two joined."""
    situations = [hit.values for hit in [*yes, *no]]
    if not yes or not situations[0]:
        return
    terms = leaves(situations, constants)[:60]
    numbers = [term for term in terms if all(type(one) is int for one in term.values)]
    rests = [term for term in combine(numbers, numbers, set()) if " % " in term.text][:40]
    atoms = list(islice(conditions([*terms, *rests]), MOST_ATOMS))
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
    terms = leaves([hit.values for hit in hits], constants)
    target = key_of(tuple(wanted))
    numbers = [term for term in terms if isinstance(term.values[0], int | float)]
    known = {key_of(term.values) for term in terms}
    twos = list(islice(combine(terms, terms, known, target), LARGE))
    threes = list(islice(combine(twos, numbers, known, target), 4 * LARGE))
    differences = [term for term in twos if " - " in term.text][:60]
    ratios = list(islice(combine(differences, differences, known, target), 4 * LARGE))
    ratios = [term for term in ratios if " / " in term.text]
    every = [*terms, *twos, *threes, *ratios, *islice(combine(ratios, numbers, known, target), 4 * LARGE)]
    found = [term for term in every if key_of(term.values) == target]
    if len(hits) > 2 and all(isinstance(one, int | float) for one in wanted):
        found += list(_clamped(every, wanted))
    names = [_names(one) for one in like]

    def order(term: Term) -> float:
        return far_fetched(term) - LIKENESS * max((_shared(_names(term.text), one) for one in names), default=0)

    yield from islice(dict.fromkeys(term.text for term in sorted(found, key=order)), OFFERED)


def far_fetched(term: Term) -> float:
    """How strange an expression is, with numbers that mean nothing on top."""
    tree = ast.parse(term.text, mode="eval")
    numbers = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is int]
    odd = sum(number not in (0, 1, 2) for number in numbers)
    return strangeness(tree) + term.size + 2.0 * odd + 4.0 * ("%" in term.text)


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


def _clamped(terms: list[Term], wanted: list[Any]) -> Iterator[Term]:
    """Terms that are right once they are kept between the smallest and the largest wanted value."""
    low, high = min(wanted), max(wanted)
    for term in terms if low != high else ():
        if all(isinstance(one, int | float) for one in term.values):
            kept = [max(low, min(high, one)) for one in term.values]
            if kept == list(wanted) and any(low < one < high for one in term.values):
                yield Term(f"max({low}, min({high}, {term.text}))", term.size, ())


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


def _shared(one: set[str], other: set[str]) -> float:
    """The share of names, fields and items that two expressions have in common."""
    return len(one & other) / max(1, len(one | other))
