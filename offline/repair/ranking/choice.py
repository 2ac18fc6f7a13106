"""Which of several passing changes to trust: likely and small ones, sane and in agreement on inputs near the tests'.

Changes that are right in different words behave alike on any input; those that merely satisfy the tests each go wrong
in a way of their own. So where the likeliest are near each other, they are run on varied tests and vote by what they
do.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import starmap
from math import log
from typing import NamedTuple

from ..reading.project import Project
from ..reading.shapes import never_meant
from ..reading.source import Source
from ..reading.vocabulary import unused_parameters
from ..running.trials import Behaviour, Laboratory
from .candidates import Candidate
from .naturalness import USUAL, cost, events

SIZE = 40.0  # characters of change that cost as much as halving the likelihood
TURNED = (ast.In, ast.NotIn, ast.Is, ast.IsNot, ast.Eq, ast.NotEq)  # what `not` before it has a word for
WORD = re.compile(r"\w+|\S")
NUMBER = re.compile(r"-?\d+(\.\d+)?")
MOST_COMPARED = 6
LEAD = 1.0  # in the logarithm of the likelihood: one so far before the others was never outvoted by what is right
MOST_OF_A_KIND = 2  # of one operator at one line
NATURAL = 0.1  # what a bit of strangeness takes from the logarithm of the likelihood
MOST_STRANGE = 20.0
PLAIN_KINDS = {"str", "int", "float", "bool", "bytes"}
BY_HEART = 2.0  # what a constant that only the tests know takes from it
ROUND = 1000  # numbers of that size are multiples of it more often than one beside one
NUMBERS = ("int", "float")
PLAIN = {"0", "1", "2", "-1", "''", "None", "True", "False"}
ODDITY = 1.5  # what something that nobody writes on purpose takes from the logarithm of the likelihood
SELDOM = 1.3  # what `!=` takes from it: the standard library has 610 of them, and 2,271 `==`
AGREEMENT, CRASHES, CLOSENESS = 2.0, 4.0, 1.0  # weights beside the logarithm of the likelihood


def in_order_of_trust(
    passing: list[Candidate], sources: dict[str, Source], laboratory: Laboratory, project: Project
) -> list[Candidate]:
    """The passing candidates, the most trustworthy first."""
    tested = constants_in([ast.parse(project.files[path]) for path in project.test_paths])
    likely = {one: plausibility(one, sources) - BY_HEART * by_heart(one, sources, tested) for one in passing}
    by_likelihood = sorted(passing, key=lambda one: -likely[one])
    front = _different(by_likelihood)[:MOST_COMPARED]
    rest = [one for one in by_likelihood if one not in front]
    if len(front) < 2 or likely[front[0]] - likely[front[1]] > LEAD:
        return by_likelihood
    laboratory.tell(f"{len(passing)} changes pass all tests; comparing what else they do")
    concerned = laboratory.concerned(front, sources)
    original, *behaviours = laboratory.observe(project, [{}, *(one.texts(sources) for one in front)], concerned)
    scores = _scores([_kind(one) for one in front], behaviours, original)
    order = sorted(range(len(front)), key=lambda index: -(likely[front[index]] + scores[index]))
    return [front[index] for index in order] + rest


def _different(candidates: list[Candidate]) -> list[Candidate]:
    """Candidates without those that are much like two others, or say the same at another line: many of a kind would
    outvote the rest."""
    counts: Counter[tuple[str, str, int]] = Counter()
    said: set[tuple[str, ...]] = set()
    kept = []
    for one in candidates:
        kind, words = _kind(one), (one.operator.name, *(edit.text for edit in one.edits))
        counts[kind] += 1
        if counts[kind] <= MOST_OF_A_KIND and not (words in said and _inserts(one)):
            kept.append(one)
        said.add(words)
    return kept


def _kind(candidate: Candidate) -> tuple[str, str, int]:
    """What those are alike in that pass together readily: the operator and the line."""
    return candidate.operator.name, candidate.path, candidate.line


def _inserts(candidate: Candidate) -> bool:
    return all(edit.start == edit.end for edit in candidate.edits)


def plausibility(candidate: Candidate, sources: Mapping[str, Source]) -> float:
    """The logarithm of how likely a change is right, given that it passes."""
    size = sum(_characters(sources[edit.path].text[edit.start : edit.end], edit.text) for edit in candidate.edits)
    texts = [(sources[path].text, text) for path, text in candidate.texts(sources).items()]
    odd = sum(_looks(after).oddities - _looks(before).oddities for before, after in texts)
    likely = log(candidate.likelihood) - log(candidate.operator.risk) - log(2) * size / SIZE
    seldom = sum(edit.text.strip() == "!=" for edit in candidate.edits)
    return likely - ODDITY * odd - NATURAL * _stranger(texts) - SELDOM * seldom


class _Looks(NamedTuple):
    """What is asked of a program again and again, with each change that passes."""

    oddities: int
    events: Counter[tuple[str, str, str]]
    constants: set[str]


@lru_cache(maxsize=64)
def _looks(text: str) -> _Looks:
    tree = ast.parse(text)
    return _Looks(oddities(tree), Counter(events(tree)), constants_in([tree]))


def _characters(old: str, new: str) -> int:
    """How many characters come and go, word by word: `not (done)` loses five, however it was written down."""
    before, after = WORD.findall(old), WORD.findall(new)
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return sum(len("".join(before[a:b] + after[c:d])) for kind, a, b, c, d in steps if kind != "equal")


def evidence_for(passing: list[Candidate], files: Mapping[str, str]) -> list[float]:
    """What speaks for the first of the changes that pass: how much more plausible it is than the best of those that
    were compared with it, and how many others pass; those that put another number in the same place are one doubt.
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


def _stranger(texts: Iterable[tuple[str, str]]) -> float:
    """By how much a change (of texts before into texts after it) makes a program stranger to a reader of much Python.
    Of what was strange, no more counts as gone than came for it: to take code away makes no program more natural."""
    total = 0.0
    for before, after in ((_looks(old).events, _looks(new).events) for old, new in texts):
        came, gone = ([cost(*one) - USUAL for one in some.elements()] for some in (after - before, before - after))
        strangest = sorted(gone, reverse=True)
        total += sum(came) - sum(strangest[: len(came)]) - sum(one for one in strangest[len(came) :] if one < 0)
    return max(-MOST_STRANGE, min(MOST_STRANGE, total))


def by_heart(candidate: Candidate, sources: Mapping[str, Source], tested: set[str]) -> int:
    """How many constants a change brings in that the tests use and the program did not know: learnt, not understood."""
    count = 0
    for path, text in candidate.texts(sources).items():
        new = _looks(text).constants - _looks(sources[path].text).constants
        count += len(new & tested - PLAIN)
    return count


def constants_in(trees: Iterable[ast.AST]) -> set[str]:
    """The constants of some programs, as they are written."""
    return {repr(node.value) for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}


def oddities(tree: ast.AST) -> int:
    """How often a program does what nobody writes on purpose."""
    count = 0
    for node in ast.walk(tree):
        count += never_meant(node)
        if isinstance(node, ast.BinOp):
            count += ast.dump(node.left) == ast.dump(node.right) and not isinstance(node.op, ast.Mult)
        elif isinstance(node, ast.Constant):
            count += type(node.value) is int and node.value > ROUND and node.value % ROUND in (1, ROUND - 1)
        elif isinstance(node, ast.UnaryOp):
            turned = isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Compare)
            count += turned and isinstance(node.operand.ops[0], TURNED)
        elif isinstance(node, ast.Call):
            names = [ast.dump(one) for one in node.args if isinstance(one, ast.Name | ast.Attribute)]
            count += len(set(names)) < len(names)
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
        elif isinstance(node, ast.Expr):
            count += _is_thrown_away(node.value)
        elif isinstance(node, ast.Assign):
            count += ast.dump(node.targets[0]).replace("Store()", "Load()") == ast.dump(node.value)
        elif isinstance(node, ast.FunctionDef):
            count += len(unused_parameters(node)) + sum(starmap(_is_not_what_it_says, _annotated(node.args)))
        elif isinstance(node, ast.AnnAssign):
            count += _is_not_what_it_says(node.annotation, node.value)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            leaves = (ast.Return, ast.Raise, ast.Break, ast.Continue)
            count += isinstance(block, list) and any(isinstance(one, leaves) for one in block[:-1])
    return count


def _is_thrown_away(value: ast.expr) -> bool:
    """Whether a statement makes a value that nobody gets, `text` or `str(text)`; what other calls do is not known."""
    if isinstance(value, ast.Call):
        called = value.func
        known = isinstance(called, ast.Name) and isinstance(getattr(builtins, called.id, None), type)
        return known or (isinstance(called, ast.Attribute) and isinstance(called.value, ast.Constant))
    return not isinstance(value, ast.Await | ast.Yield | ast.YieldFrom | ast.Constant)


def _annotated(arguments: ast.arguments) -> Iterable[tuple[ast.expr | None, ast.expr | None]]:
    """The annotation and the default of each parameter that has one."""
    some = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(some), reversed(arguments.defaults)), *zip(arguments.kwonlyargs, arguments.kw_defaults)]  # noqa: B905
    return ((one.annotation, default) for one, default in pairs)


def _is_not_what_it_says(annotation: ast.expr | None, value: ast.expr | None) -> bool:
    """Whether a constant is of another kind than its annotation, `name: str = 0`; None may stand for any."""
    if not isinstance(annotation, ast.Name) or not isinstance(value, ast.Constant) or value.value is None:
        return False
    kind = type(value.value).__name__
    return annotation.id in PLAIN_KINDS and kind != annotation.id and (kind, annotation.id) != ("int", "float")


def _scores(kinds: Sequence[object], behaviours: list[Behaviour], original: Behaviour) -> list[float]:
    """For each behaviour: agreement with the others, closeness to the original, fewer crashes than the others. Those of
    one kind agree readily and right or wrong together: what they say of each other does not count."""
    places = sorted(original.seen.keys() | {place for one in behaviours for place in one.seen})
    telling = [place for place in places if len({one.seen.get(place) for one in behaviours}) > 1]
    if not telling:
        return [0.0] * len(behaviours)
    found = list(zip(kinds, behaviours, strict=True))
    return [_score(one, [other for its, other in found if its != kind], original, telling) for kind, one in found]


def _score(one: Behaviour, others: list[Behaviour], original: Behaviour, telling: list[tuple[int, str]]) -> float:
    same = [other.seen.get(place) == one.seen.get(place) for place in telling for other in others]
    kept = [original.seen.get(place) == one.seen.get(place) for place in telling]
    crashed = [place in one.crashed or place not in one.seen for place in telling]
    return AGREEMENT * _mean(same) + CLOSENESS * _mean(kept) - CRASHES * _mean(crashed)


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 0.0
