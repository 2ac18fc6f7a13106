"""Changes that are computed from values instead of guessed: what a return should give, when a guard should act.

The tests say what a call should give or raise (`examples`), a look at the run says which values there were at each
line (`snapshots`); an expression that fits all of them at once is a candidate.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import inf
from typing import Any

from ..ranking.candidates import Candidate
from ..reading.shapes import fit, function_of, insert_before, is_docstring, stands_alone, unit_of
from ..reading.source import Source, top_of
from ..reading.vocabulary import Vocabulary
from ..running.snapshots import Hit
from .edits import Edit
from .fitting import OFFERED, fitting, opposite, separating
from .mutations import Operator
from .terms import NO_VALUE, value_in

MOST_CONSTANTS = 14
EMPTY = ("None", "True", "False", "0", "1", "-1", "''", "[]", "{}", "()", "0.0")
Hits = Mapping[tuple[str, int], list[Hit]]


def synthesise(
    ranks: Mapping[ast.stmt, float], words: Vocabulary, hits: Hits, until: float = inf
) -> Iterator[Candidate]:
    """Candidates for the statements with hits, in the order of suspicion; none begun after `until` (of the clock)."""
    for statement in sorted(ranks, key=lambda one: -ranks[one]):
        source = top_of(statement, words.sources)
        seen = hits.get((source.path, statement.lineno), [])
        if not any(hit.wrong for hit in seen) or function_of(statement) is None:
            continue
        for operator in COMPUTED:
            if time.monotonic() > until:
                return
            for position, edit in enumerate(islice(operator.make(statement, source, words, seen), 6 * OFFERED)):
                likelihood = ranks[statement] ** 2 * operator.weight / (position + 1)
                yield Candidate((edit,), operator, statement.lineno, likelihood)


def _returns(node: ast.stmt, source: Source, words: Vocabulary, hits: list[Hit]) -> Iterator[Edit]:
    """Another returned expression: it gives in every call what the test expects."""
    if not isinstance(node, ast.Return) or node.value is None:
        return
    told = [hit for hit in hits if hit.expected and hit.expected.value and _is_called(node, hit)]
    if any(hit.wrong for hit in told):
        for text in fitting(told, _wanted(told), _constants(source, words), [source.cut(node.value)]):
            yield fit(node.value, text, source)


def _guards(node: ast.stmt, source: Source, words: Vocabulary, hits: list[Hit]) -> Iterator[Edit]:
    """`if condition: return value` above a statement, for the calls that went wrong and no other."""
    told = [hit for hit in hits if hit.wrong and hit.expected and hit.expected.value and _is_called(node, hit)]
    wanted, scope = _wanted(told), function_of(node)
    if not wanted or scope is None:
        return
    plain = len(set(map(repr, wanted))) == 1 and repr(wanted[0]) in EMPTY
    results = [repr(wanted[0])] if plain else []
    returns = [source.cut(one.value) for one in ast.walk(scope) if isinstance(one, ast.Return) and one.value]
    results += fitting(told, wanted, _constants(source, words), returns)
    yield from _guarded(node, source, words, hits, [f"return {result}" for result in results])


def _refusals(node: ast.stmt, source: Source, words: Vocabulary, hits: list[Hit]) -> Iterator[Edit]:
    """`if condition: raise Error("message")` above a statement, as the tests expect it."""
    wrong = [hit for hit in hits if hit.wrong]
    told = [hit.expected for hit in wrong if hit.expected is not None and _is_called(node, hit)]
    errors = sorted({(one.raises, one.message) for one in told if one.raises})
    actions = [f'raise {kind}("{message or _message_like(source, kind)}")' for kind, message in errors]
    yield from _guarded(node, source, words, hits, actions)


def _guarded(node: ast.stmt, source: Source, words: Vocabulary, hits: list[Hit], actions: list[str]) -> Iterator[Edit]:
    if not actions or not _may_precede(node, source):
        return
    wrong, right = [hit for hit in hits if hit.wrong], [hit for hit in hits if not hit.wrong]
    every = separating(wrong, right, _constants(source, words, hits))
    tests = list(islice((test for test in every if not _learnt_by_heart(test, node, source)), OFFERED))
    for _, i, j in sorted((i + j, i, j) for i in range(len(tests)) for j in range(len(actions))):
        yield insert_before(node, f"if {tests[i]}:\n{unit_of(source)}{actions[j]}", source)


def _learnt_by_heart(test: str, node: ast.stmt, source: Source) -> bool:
    """Whether a condition only recognises the input of a test: it names a value that the file does not know (nor one
    beside it), or asks for a remainder where nothing else does.

    Where a function asks a name for one text after the other, one text more is no such thing.
    """
    constants = [one.value for one in ast.walk(source.tree) if isinstance(one, ast.Constant)]
    known, asked = {one for one in constants if type(one) in (int, str)}, _asked_for_texts(function_of(node))
    numbers = {one + step for one in known if type(one) is int for step in (-1, 0, 1)} | {0, 1, 2}
    if "%" in test:
        return "%" not in source.text
    for compare in ast.walk(ast.parse(test, mode="eval")):
        if not isinstance(compare, ast.Compare):
            continue
        parts = [compare.left, *compare.comparators]
        values = [part.value for part in parts if isinstance(part, ast.Constant) and part.value not in (None, "")]
        names = {ast.unparse(part) for part in parts if not isinstance(part, ast.Constant)}
        if any(type(one) is int and one not in numbers for one in values):
            return True
        if any(type(one) is str and one not in known for one in values) and not names & asked:
            return True
    return False


def _asked_for_texts(scope: ast.AST | None) -> set[str]:
    """What a function compares with texts."""
    compares = [one for one in ast.walk(scope) if isinstance(one, ast.Compare)] if scope is not None else []
    return {
        ast.unparse(one.left)
        for one in compares
        if isinstance(one.comparators[0], ast.Constant) and isinstance(one.comparators[0].value, str)
    }


def _conditions(node: ast.stmt, source: Source, words: Vocabulary, hits: list[Hit]) -> Iterator[Edit]:
    """Another condition of an `if` or `while`: as before in calls that were right, the opposite in wrong ones."""
    returned = isinstance(node, ast.Return) and isinstance(node.value, ast.Compare | ast.BoolOp)
    test = node.value if returned else getattr(node, "test", None)  # type: ignore[attr-defined]
    if test is None:
        return
    told = [(hit, truth) for hit in hits for truth in [_truth(test, hit)] if truth is not None]
    constants, text = _constants(source, words, hits), source.cut(test)
    alone = f"({text})" if isinstance(test, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr) else text
    for truth, joined in ((False, "or"), (True, "and")):  # it holds once too rarely, once too often
        flipped = [hit for hit, was in told if hit.wrong and was is truth]
        kept = [hit for hit, was in told if not hit.wrong and was is truth]
        for extra in islice(separating(flipped, kept, constants), OFFERED):
            yield source.replace(test, f"{alone} {joined} {extra if joined == 'or' else opposite(extra)}")
    yes, no = [hit for hit, was in told if was is not hit.wrong], [hit for hit, was in told if was is hit.wrong]
    for whole in islice(separating(yes, no, constants), OFFERED) if no else ():
        yield fit(test, whole, source)


def _constants(source: Source, words: Vocabulary, hits: Sequence[Hit] = ()) -> list[Any]:
    """Numbers and short texts to compare with: those of the file, the ends of what was seen, texts that went wrong."""
    own = [one for one in words.own_constants(source) if len(repr(one)) <= 20 and not isinstance(one, bool)]
    ends: list[Any] = []
    for name in dict.fromkeys(name for hit in hits for name in hit.values):
        right = [hit.values[name] for hit in hits if not hit.wrong and type(hit.values.get(name)) is int]
        ends += [min(right), max(right)] if right else []
        ends += [hit.values[name] for hit in hits if hit.wrong and isinstance(hit.values.get(name), str)][:2]
    return list({(type(one), one): one for one in [0, 1, 2, *own[:MOST_CONSTANTS], *ends]}.values())


def _wanted(hits: list[Hit]) -> list[Any]:
    return [ast.literal_eval(hit.expected.value) for hit in hits if hit.expected is not None]


def _is_called(node: ast.stmt, hit: Hit) -> bool:
    """Whether what the test expects is said of the function that a statement is in."""
    return hit.expected is not None and getattr(function_of(node), "name", "") in (hit.expected.function, "__init__")


def _truth(test: ast.expr, hit: Hit) -> bool | None:
    """What a condition was in a situation, None when that cannot be told from plain values."""
    value = value_in(ast.unparse(test), hit.values)
    return None if value is NO_VALUE else bool(value)


def _message_like(source: Source, kind: str) -> str:
    """The message with which the file raises the same exception elsewhere, else a plain one."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            first = node.exc.args[0]
            if ast.unparse(node.exc.func) == kind and isinstance(first, ast.Constant):
                return str(first.value).replace('"', "'")
    return "invalid value"


def _may_precede(node: ast.stmt, source: Source) -> bool:
    if is_docstring(node) or not stands_alone(node, source) or isinstance(node, ast.FunctionDef | ast.ClassDef):
        return False
    return not (isinstance(node, ast.If) and source.text.startswith("elif", source.span(node)[0]))


COMPUTED: tuple[Operator, ...] = (
    Operator("computed condition", "a condition computed from the values", 30, (), _conditions, 2),
    Operator("computed return", "a result computed from the values", 30, (), _returns, 3),
    Operator("computed refusal", "an error for what must not be", 30, (), _refusals),
    Operator("computed guard", "a case of its own", 8, (), _guards, 10),
)
