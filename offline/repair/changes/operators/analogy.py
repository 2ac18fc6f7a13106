"""What the program does elsewhere in such a place: under the same question, before or after the same statement, or for
the other of two.

A program repeats itself: of the statements that a commit adds to a file, a third to a half stand there already (Barr,
Brun, Devanbu, Harman and Sarro, "The plastic surgery hypothesis", 2014), and more where names may differ.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from ...reading.shapes import FUNCTION_STATEMENTS, siblings
from ...reading.source import Source, enclosing
from ...reading.vocabulary import Vocabulary, names_in

SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Raise, ast.Continue, ast.Break, ast.Delete)
LONGEST = 160  # characters of a statement that is taken over
MOST = 16
Place = tuple[str, str, str]  # the head of the block around, the statement before, the statement after: "" where none


def by_analogy(node: ast.AST, source: Source, words: Vocabulary) -> list[str]:
    """Statements for the place of a statement, likeliest first: those in places like its own, with the names that are
    there in place of theirs."""
    place, scope = _place(node, source), enclosing(node, *FUNCTION_STATEMENTS)
    known = {*words.names_in_scope(node), *words.unbound(), *words.known_at_top(source), *dir(builtins)}
    found: Counter[str] = Counter()
    for text in (text for _, text, function in _statements(source) if function is scope):
        found |= Counter({said: 6 for name in words.unbound() if (said := _counterpart(name, text))})
    for other in words.sources.values():
        for there, text, function in _statements(other):
            for alike, said in _alike(place, there, text):
                found[said] = max(found[said], 2 * alike + (other is source))
                if adapted := _exchanged(scope.name, function.name, said):
                    found[adapted] = max(found[adapted], 2 * alike + 2)
    return [text for text, _ in found.most_common() if _names(text) <= known][:MOST]


def above(node: ast.AST, source: Source, words: Vocabulary) -> list[str]:
    """Statements that stand above the same statement elsewhere, and under the same question or after the same one."""
    head, before, _ = _place(node, source)
    known = {*words.names_in_scope(node), *words.known_at_top(source), *dir(builtins)}
    found = [
        text
        for other in words.sources.values()
        for there, text, _ in _before(other).get(_head(node, source), ())
        if (head and there[0] == head) or (before and there[1] == before)
    ]
    return [text for text in dict.fromkeys(found) if _names(text) <= known][:MOST]


def _counterpart(name: str, text: str) -> str:
    """What sets a name as a statement sets one that differs in a part: of `y_keys = f(y)` `x_keys = f(x)`."""
    target = re.match(r"(\w+)\s*=(?!=)", text)
    return _exchanged(name, target[1], text) if target else ""


def _exchanged(mine: str, its: str, text: str) -> str:
    """A text that goes with one name as it would go with another that differs in one part; "" where that is not so."""
    one, other = (re.findall(r"[A-Za-z]+|\d+", each) for each in (mine, its))
    parts = {b: a for a, b in zip(one, other, strict=False) if a != b}
    if len(one) != len(other) or len(parts) != 1:
        return ""
    ((theirs, ours),) = parts.items()
    before, after = (r"(?<=[A-Za-z_])", r"(?!\d)") if theirs.isdigit() else ("(?<![A-Za-z])", "(?![A-Za-z])")
    said = re.sub(f"{before}{re.escape(theirs)}{after}", ours, text)
    return said if said != text else ""


def _alike(place: Place, there: Place, text: str) -> Iterator[tuple[int, str]]:
    """How alike two places are, and what the statement at the second would be at the first."""
    for index, weight in ((0, 3), (1, 2), (2, 2)):
        mine, theirs = place[index], there[index]
        if not mine or not theirs:
            continue
        if mine == theirs:
            yield weight + sum(one == two != "" for one, two in zip(place, there, strict=True)), text
        elif renamed := _renaming(mine, theirs):
            said = re.sub(r"\w+", lambda found: renamed.get(found[0], found[0]), text)
            yield weight - 1, said


@cache
def _renaming(mine: str, theirs: str) -> Mapping[str, str]:
    """The names of one text for those of another that is the same but for them; none where it is not."""
    one, two = re.findall(r"\w+|[^\w\s]", mine), re.findall(r"\w+|[^\w\s]", theirs)
    if len(one) != len(two) or len(one) < 3:
        return {}
    pairs = {b: a for a, b in zip(one, two, strict=True) if a != b}
    same = all(pairs.get(b, b) == a for a, b in zip(one, two, strict=True))
    plain = all(a.isidentifier() and b.isidentifier() for b, a in pairs.items())
    return pairs if same and plain and 1 <= len(pairs) <= 2 else {}


@cache
def _statements(source: Source) -> list[tuple[Place, str, ast.AST]]:
    """The simple statements of a file's functions: where they stand, what they say, and in which."""
    return [
        (_place(node, source), text, function)
        for function in ast.walk(source.tree)
        if isinstance(function, FUNCTION_STATEMENTS)
        for node in ast.walk(function)
        if isinstance(node, SIMPLE) and len(text := source.cut(node)) <= LONGEST and "\n" not in text
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]


@cache
def _before(source: Source) -> dict[str, list[tuple[Place, str, ast.AST]]]:
    found = defaultdict(list)
    for one in _statements(source):
        found[one[0][2]].append(one)
    return found


def _place(node: ast.AST, source: Source) -> Place:
    block = siblings(node)
    at = block.index(node)
    before, after = block[at - 1] if at else None, block[at + 1] if at + 1 < len(block) else None
    return _head(node.parent, source), *(_head(one, source) for one in (before, after))


def _head(node: ast.AST | None, source: Source) -> str:
    """A statement, or what stands above its block; "" of a definition."""
    if node is None or isinstance(node, (*FUNCTION_STATEMENTS, ast.ClassDef)) or not hasattr(node, "lineno"):
        return ""
    body = getattr(node, "body", None)
    if not isinstance(body, list) or not body:
        return source.cut(node) if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass) else ""
    return source.text[source.span(node)[0] : source.span(body[0])[0]].rstrip(" \n\t:")


@cache
def _names(text: str) -> frozenset[str]:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return frozenset((text,))
    stored = {one.id for one in names_in(tree) if isinstance(one.ctx, ast.Store)}
    return frozenset(one.id for one in names_in(tree) if one.id not in stored)
