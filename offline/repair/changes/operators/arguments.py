"""Operators on arguments and order: swapped, missing, excess; operands, elements and branches the wrong way round."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from itertools import combinations

from ...reading.shapes import called_name, fit
from ...reading.source import Source
from ...reading.vocabulary import Vocabulary
from ..edits import Edit

NOT_COMMUTATIVE = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Add, ast.LShift, ast.RShift, ast.MatMult)
KEYWORDS = {
    "sorted": ("reverse=True", "key=len", "key=str.lower", "key=lambda item: item[1]", "key=lambda item: item[0]"),
    "sort": ("reverse=True", "key=len", "key=str.lower", "key=lambda item: item[1]", "key=lambda item: item[0]"),
    "max": ("default=0", "default=None", "key=len", "key=abs"),
    "min": ("default=0", "default=None", "key=len", "key=abs"),
    "split": ('","', '" "', "1"), "round": ("2", "1", "0"), "zip": ("strict=True",), "sum": ("[]", "()", "1"),
    "dumps": ("indent=2", "sort_keys=True", "ensure_ascii=False"), "open": ('encoding="utf-8"',),
    "int": ("2", "16", "10"),
    "pop": ("0", "-1", "None"), "get": ("0", "[]", "None", '""'), "next": ("None",), "splitlines": ("True",),
    "getattr": ("None",), "rstrip": ('"\\n"',), "strip": ('"\\n"', '"\\"\'"'), "print": ('end=""',), "index": ("1",),
    "findall": ("re.IGNORECASE",), "compile": ("re.MULTILINE", "re.IGNORECASE", "re.DOTALL"), "insert": ("0",),
}  # fmt: skip

OF_A_FUNCTION = ("map", "filter", "reduce", "starmap", "takewhile", "dropwhile")  # it comes before its values


def swapped_arguments(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[tuple[Edit, ...]]:
    """`f(a, b)` -> `f(b, a)`, what looks alike first, then neighbours; values of keywords too."""
    places = [*node.args, *(keyword.value for keyword in node.keywords)]
    pairs = combinations(enumerate(places), 2)
    for (_, one), (_, other) in sorted(pairs, key=lambda pair: _apart(*pair[0], *pair[1])):
        yield swap(one, other, source)
    if isinstance(node.func, ast.Attribute) and node.args:
        yield swap(node.func.value, node.args[0], source)


def _apart(here: int, one: ast.AST, there: int, other: ast.AST) -> tuple[bool, bool, int]:
    """How little two arguments at their places are taken for each other: calls of the same function most readily."""
    unlike = (type(one), called_name(one)) != (type(other), called_name(other))
    return unlike, not called_name(one), there - here


def misnamed_arguments(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[tuple[Edit, ...]]:
    """`area(height, width)` -> `area(width, height)` of `def area(width, height)`, `area(width=size)` ->
    `area(width=width)`: the names say where they belong (Rice and others, "Detecting argument selection defects",
    2017)."""
    if called_name(node) in OF_A_FUNCTION and [_makes_or_tells(one) for one in node.args[:2]] == [False, True]:
        yield swap(*node.args[:2], source)
    named = [*zip(words.parameters_of(node, source), node.args, strict=False)]
    named += [(keyword.arg, keyword.value) for keyword in node.keywords]
    for (first, one), (second, other) in combinations(named, 2):
        mine, its = _spoken(one), _spoken(other)
        if mine != first and its != second and (mine == second or its == first):
            yield swap(one, other, source)
    in_scope = words.names_in_scope(node)
    for name, value in named:
        if name in in_scope and isinstance(value, ast.Name) and _spoken(value) != name:
            yield (source.replace(value, name),)


def misnamed_value(node: ast.Dict, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`{"tpl_email": TPL_HOST}` -> `{"tpl_email": TPL_EMAIL}`: a name that is called like the key that it stands at."""
    known = {name.lower().strip("_"): name for name in (*words.globals_of(source), *words.names_in_scope(node))}
    for key, value in zip(node.keys, node.values, strict=True):
        said = known.get(str(getattr(key, "value", "")).lower().strip("_"))
        if said and isinstance(value, ast.Name) and value.id != said:
            yield source.replace(value, said)


def _makes_or_tells(node: ast.AST) -> bool:
    """Whether a node names a class or function that everybody knows."""
    return isinstance(node, ast.Name) and callable(getattr(builtins, node.id, None))


def _spoken(node: ast.AST) -> str:
    """The name that an expression ends in, without what marks it as private."""
    return str(getattr(node, "id", getattr(node, "attr", ""))).strip("_")


def swapped_operands(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[tuple[Edit, ...]]:
    """`a - b` -> `b - a`, `key in table` -> `table in key`."""
    if isinstance(node, ast.Compare):
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            yield swap(node.left, node.comparators[0], source)
    elif isinstance(node.op, NOT_COMMUTATIVE):
        left = node.left
        yield swap(left, node.right, source)
        if isinstance(left, ast.BinOp):  # a - b - c: the parts that look alike
            yield swap(left.right, node.right, source)


def swapped_elements(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[tuple[Edit, ...]]:
    """`return a, b` -> `return b, a`, `for key, value in` -> `for value, key in`."""
    for one, other in list(combinations(node.elts, 2))[:12]:
        yield swap(one, other, source)


def swapped_pair(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[tuple[Edit, ...]]:
    """`{k: v}` -> `{v: k}`, `a if c else b` -> `b if c else a`, `grid[x][y]` -> `grid[y][x]`, `d[k]` of `d[v]`."""
    if isinstance(node, ast.DictComp):
        yield swap(node.key, node.value, source)
    elif isinstance(node, ast.IfExp):
        yield swap(node.body, node.orelse, source)
        yield (fit(node, source.cut(node.body), source),)
        yield (fit(node, source.cut(node.orelse), source),)
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
        yield swap(node.slice, node.value.slice, source)
    elif isinstance(node, ast.Dict):
        values = [value for value in node.values if value is not None]
        for one, other in list(combinations(values, 2))[:30]:
            yield swap(one, other, source)


def excess_argument(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`f(a, b)` -> `f(a)`, `sorted(x, reverse=True)` -> `sorted(x)`."""
    places = [*node.args, *node.keywords]
    for index in range(len(places) - 1, -1, -1):
        start, end = source.span(places[index])
        if index:
            start = source.span(places[index - 1])[1]
        elif len(places) > 1:
            end = source.span(places[1])[0]
        yield Edit(source.path, start, end, "")


def missing_argument(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`sorted(x)` -> `sorted(x, reverse=True)`; a parameter of the called function that the call leaves out."""
    places = [*node.args, *node.keywords]
    if any(isinstance(place, ast.GeneratorExp) for place in places):
        return
    end = source.span(places[-1])[1] if places else source.span(node)[1] - 1
    comma = ", " if places else ""
    for option in _options(node, source, words):
        yield Edit(source.path, end, end, f"{comma}{option}")


def _options(node: ast.Call, source: Source, words: Vocabulary) -> list[str]:
    name, names = called_name(node), words.names_in_scope(node)
    given = {keyword.arg for keyword in node.keywords}
    options = [option for option in KEYWORDS.get(name, ()) if option.partition("=")[0] not in given]
    definition = words.definition_of(name, source)
    if definition is not None:
        parameters = [one.arg for one in (*definition.args.args, *definition.args.kwonlyargs) if one.arg != "self"]
        left = [one for one in parameters[len(node.args) :] if one not in given]
        fields = words.self_fields(node)
        for parameter in left:
            options += [f"{parameter}={one}" for one in sorted(names, key=lambda one: one != parameter)[:5]]
            options += [f"{parameter}=self.{one}" for one in fields if one.strip("_") == parameter]
            options += [f"{parameter}={value}" for value in ("True", "False", "0", "1")]
        if len(left) == 1:
            options += names[:8]
    elif len(node.args) < 3:
        options += [one for one in names if one != "self"][:4]
    return options


def swap(one: ast.AST, other: ast.AST, source: Source) -> tuple[Edit, ...]:
    """Two nodes in each other's place."""
    return fit(one, source.cut(other), source), fit(other, source.cut(one), source)
