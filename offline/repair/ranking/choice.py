"""Which of several passing changes to trust: those that are likely, do nothing odd, and say what their file says
elsewhere.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping
from functools import lru_cache
from math import log

from ..reading.shapes import never_meant
from ..reading.source import Source
from ..reading.vocabulary import unused_parameters
from ..reading.words import defaults_in
from .candidates import Candidate
from .nearby import unusual

TURNED = (ast.In, ast.NotIn, ast.Is, ast.IsNot, ast.Eq, ast.NotEq)  # what `not` before it has a word for
NUMBER = re.compile(r"-?\d+(\.\d+)?")
MOST_COMPARED = 6
PLAIN_KINDS = {"str", "int", "float", "bool", "bytes"}
ROUND = 1000  # numbers of that size are multiples of it more often than one beside one
NUMBERS = ("int", "float")
COMPARED = (
    {"__lt__": ast.Lt, "__le__": ast.LtE, "__gt__": ast.Gt, "__ge__": ast.GtE},
    {"__eq__": ast.Eq, "__ne__": ast.NotEq},
)
MADE = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
ODDITY = 1.5  # what something that nobody writes on purpose takes from the logarithm of the likelihood
LESS, AVOIDING = 0.5, ("function", "method")  # of that, where what is odd is dropped, or asked of another, not mended
UNUSUAL = 0.2  # what a bit of `nearby.unusual` takes from it
MOST_USUAL, MOST_UNUSUAL = -3.0, 6.0  # of it; to take code away makes every file more usual


def plausibility(candidate: Candidate, sources: Mapping[str, Source]) -> float:
    """The logarithm of how likely a change is right, given that it passes."""
    texts = [(sources[path].text, text) for path, text in candidate.texts(sources).items()]
    odd: float = sum(_oddities_of(after) - _oddities_of(before) for before, after in texts)
    name, most_usual = candidate.operator.name, MOST_USUAL
    if name.startswith("excess"):  # what is gone is not strange
        most_usual = 0.0
    if name.startswith("excess") or name in AVOIDING:
        odd = max(odd, odd * LESS)
    strange = max(most_usual, min(MOST_UNUSUAL, sum(unusual(before, after) for before, after in texts)))
    return log(candidate.likelihood) - log(candidate.operator.risk) - ODDITY * odd - UNUSUAL * strange


@lru_cache(maxsize=64)
def _oddities_of(text: str) -> int:
    """Asked again and again, with each change that passes."""
    return oddities(ast.parse(text))


def evidence_for(passing: list[Candidate], files: Mapping[str, str]) -> list[float]:
    """What speaks for the first of the changes that pass: how much more plausible it is than the best of the next
    few, and how many others pass; those that put another number in the same place are one doubt.
    From these `repair.how_sure` makes a probability. (How plausible it is by itself says nothing: mistakes that people
    make look as odd as changes that merely pass.)"""
    compared = passing[:MOST_COMPARED]
    if len(compared) == 1:
        return [0.0, 0.0]
    sources = {path: Source(path, files[path]) for path in {edit.path for one in compared for edit in one.edits}}
    first, *others = [plausibility(one, sources) for one in compared]
    return [first - max(others), float(len(set(map(_doubt, passing[1:]))))]


def _doubt(candidate: Candidate) -> object:
    """What is the same for changes that put another number in the same place."""
    if all(NUMBER.fullmatch(edit.text) for edit in candidate.edits):
        return tuple((edit.path, edit.start, edit.end) for edit in candidate.edits)
    return candidate


def oddities(tree: ast.AST) -> int:
    """How often a program does what nobody writes on purpose."""
    count = 0
    made = {each.name for each in getattr(tree, "body", ()) if isinstance(each, MADE)}
    for node in ast.walk(tree):
        count += never_meant(node)
        if isinstance(node, ast.BinOp):
            count += ast.dump(node.left) == ast.dump(node.right) and not isinstance(node.op, ast.Mult)
        elif isinstance(node, ast.Constant):
            count += type(node.value) is int and node.value > ROUND and node.value % ROUND in (1, ROUND - 1)
        elif isinstance(node, ast.UnaryOp):
            count += isinstance(node.op, ast.Not) and _is_turned(node.operand)
        elif isinstance(node, ast.Call):
            names = [ast.dump(one) for one in node.args if isinstance(one, ast.Name | ast.Attribute)]
            count += len(set(names)) < len(names)
            count += _asks_the_class(node, made)
        elif isinstance(node, ast.Raise):  # what an error says is no number: that would raise another
            said = node.exc.args if isinstance(node.exc, ast.Call) else []
            count += any(isinstance(one, ast.Call) and ast.unparse(one.func) in NUMBERS for one in said)
        elif isinstance(node, ast.Compare):
            count += ast.dump(node.left) == ast.dump(node.comparators[0])
        elif isinstance(node, ast.BoolOp):
            count += len({ast.dump(value) for value in node.values}) < len(node.values)
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            count += isinstance(node.test, ast.Constant) and node.test.value is not True
            count += isinstance(node, ast.If | ast.IfExp) and isinstance(node.test, ast.Constant)
            count += isinstance(node.test, ast.Name) and (node.test.id in made or _is_type(node.test.id))  # `if str:`
        elif isinstance(node, ast.Expr):
            count += _is_thrown_away(node.value)
        elif isinstance(node, ast.Assign):
            count += ast.dump(node.targets[0]).replace("Store()", "Load()") == ast.dump(node.value)
        elif isinstance(node, ast.FunctionDef):
            count += _belies_its_name(node)
            count += len(unused_parameters(node)) + sum(
                _is_not_what_it_says(one.annotation, value) for one, value in defaults_in(node.args)
            )
        elif isinstance(node, ast.AnnAssign):
            count += _is_not_what_it_says(node.annotation, node.value)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            leaves = (ast.Return, ast.Raise, ast.Break, ast.Continue)
            count += isinstance(block, list) and any(isinstance(one, leaves) for one in block[:-1])
    return count


def _is_turned(what: ast.expr) -> bool:
    """Whether `not` before something has a shorter word: `not (a == b)`, `not (not a or b)`."""
    if isinstance(what, ast.Compare):
        return isinstance(what.ops[0], TURNED)
    parts = what.values if isinstance(what, ast.BoolOp) else [what]
    return any(isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not) for one in parts)


def _belies_its_name(method: ast.FunctionDef) -> bool:
    """Whether `__gt__` answers with `>=`, `__eq__` with `!=`, or the like."""
    meant = next((one for kinds in COMPARED for name, one in kinds.items() if name == method.name), None)
    answers = [one.value for one in ast.walk(method) if isinstance(one, ast.Return) and meant]
    parts = [part for one in answers for part in (one.values if isinstance(one, ast.BoolOp) else [one])]
    ops = {type(part.ops[0]) for part in parts if isinstance(part, ast.Compare)}
    return any(meant in kinds.values() and ops & {*kinds.values()} - {meant} for kinds in COMPARED)


def _asks_the_class(node: ast.Call, made: set[str]) -> bool:
    """Whether a call is `isinstance(Shop, other)`, where the file has the class or function `Shop`."""
    if ast.unparse(node.func) not in ("isinstance", "issubclass") or len(node.args) != 2:
        return False
    first, second = node.args
    own = isinstance(first, ast.Name) and first.id in made
    return own and isinstance(second, ast.Name) and second.id not in made and not _is_type(second.id)


def _is_thrown_away(value: ast.expr) -> bool:
    """Whether a statement makes a value that nobody gets, `text` or `str(text)`; what other calls do is not known."""
    if isinstance(value, ast.Call):
        called = value.func
        known = isinstance(called, ast.Name) and _is_type(called.id)
        return known or (isinstance(called, ast.Attribute) and isinstance(called.value, ast.Constant))
    return not isinstance(value, ast.Await | ast.Yield | ast.YieldFrom | ast.Constant)


def _is_type(name: str) -> bool:
    return isinstance(getattr(builtins, name, None), type)


def _is_not_what_it_says(annotation: ast.expr | None, value: ast.expr | None) -> bool:
    """Whether a constant is of another kind than its annotation, `name: str = 0`; None may stand for any."""
    if not isinstance(annotation, ast.Name) or not isinstance(value, ast.Constant) or value.value is None:
        return False
    kind = type(value.value).__name__
    return annotation.id in PLAIN_KINDS and kind != annotation.id and (kind, annotation.id) != ("int", "float")
