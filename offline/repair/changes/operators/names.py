"""Operators on names and calls: a wrong variable, attribute, method or function; a call too many or too few."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from difflib import SequenceMatcher

from ...reading.shapes import called_name, fit, function_of, kind_of_value, needs_parentheses
from ...reading.source import Source, enclosing
from ...reading.vocabulary import Vocabulary, names_in, never_read
from ..edits import Edit
from ..families import FUNCTION_FAMILIES, METHOD_FAMILIES, WRAPPERS

METHOD_CALLS = (
    "strip()",
    "lower()",
    "copy()",
    "upper()",
    "items()",
    "rstrip()",
    "split()",
    "values()",
    "keys()",
    "pop()",
)
MOST_NAMES, FAR = 24, 20  # names; lines from which on it does not matter how far away one is used


def variable(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another name in scope, what is used near by and of the same kind first; then constants of the file."""
    if isinstance(node.ctx, ast.Del) or _is_called(node):
        return
    names = words.names_in_scope(node)
    names += [name for name in words.globals_of(source) if name not in names]
    names = names if node.id in names or isinstance(node.ctx, ast.Load) else []
    lines = words.lines_of_names(function_of(node) or source.tree)
    apart = {name: min((abs(at - node.lineno) for at in lines.get(name, ())), default=FAR) for name in names}
    nearest = sorted(enumerate(names), key=lambda pair: min(apart[pair[1]], FAR) + pair[0] / 4)
    for _, other in nearest[:MOST_NAMES]:
        if other != node.id and (other != "self" or isinstance(node.ctx, ast.Load)):
            yield source.replace(node, other)


def unused_name(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """The parameter that the function does nothing with, for a name that it uses more than once."""
    scope = function_of(node)
    unused = words.unused_parameters(scope) if scope is not None else []
    if not unused or not isinstance(node.ctx, ast.Load) or _is_called(node):
        return
    if sum(one.id == node.id and isinstance(one.ctx, ast.Load) for one in names_in(scope)) > 1:
        for other in unused:
            yield source.replace(node, other)


def field_for_name(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`total` -> `self.total`, and `self.total` -> `total`."""
    if isinstance(node, ast.Attribute):
        if node.attr in words.names_in_scope(node) and not _is_called(node):
            yield source.replace(node, node.attr)
        return
    if _is_called(node) or node.id == "self":
        return
    fields = words.self_fields(node)
    for name in sorted(fields, key=lambda name: name.strip("_") != node.id.strip("_"))[:8]:
        yield source.replace(node, f"self.{name}")
    for owner in words.names_in_scope(node)[:6]:
        if node.id in words.fields() and owner not in (node.id, "self"):
            yield source.replace(node, f"{owner}.{node.id}")


def member_of_name(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`node` -> `node.next`: a field that the file takes of the same name elsewhere; `node.next` -> `node`."""
    if isinstance(node, ast.Attribute):
        if not _is_called(node):
            yield source.replace(node, source.cut(node.value))
        return
    if _is_called(node) or isinstance(node.parent, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return
    probe = ast.Attribute(ast.Name(node.id, ast.Load()), "x", ast.Load())
    probe.parent = node  # type: ignore[attr-defined]
    for name in words.attributes_of(probe)[:8]:
        if name in words.fields():
            yield source.replace(node, f"{node.id}.{name}")


def attribute(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another attribute: of the same object elsewhere in the file, then any that the program uses."""
    if _is_called(node):
        return
    end = source.span(node)[1]
    family = [name for group in METHOD_FAMILIES if node.attr in group for name in group]
    others = [*words.attributes_of(node), *family, *[name for name, _ in words.fields().most_common(16)]]
    for other in dict.fromkeys(others):
        if other != node.attr and not (other.startswith("__") and other.endswith("__")):
            yield Edit(source.path, end - len(node.attr), end, other)


def method(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another method: of its family, then of the program's own classes."""
    if not isinstance(node.func, ast.Attribute):
        return
    name, end = node.func.attr, source.span(node.func)[1]
    family = [other for group in METHOD_FAMILIES + FUNCTION_FAMILIES if name in group for other in group]
    family.sort(key=lambda other: -SequenceMatcher(None, name, other).ratio())
    own = [other for other in words.methods() if not other.startswith("__")] if name in words.methods() else []
    own = sorted(own, key=lambda other: abs(_arity(words.methods()[other]) - _arity(words.methods()[name])))
    for other in dict.fromkeys([*family, *own[:12]]):
        if other != name:
            yield Edit(source.path, end - len(name), end, other)
    functions = words.functions(source)
    for other in functions:
        if _arity(functions[other]) == len(node.args) and functions[other] is not function_of(node):
            yield source.replace(node.func, other)


def function(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another function: one that was chosen or handed in and is called nowhere, or that the branch asks for; then of
    its family, and of the program, the ones that take as many arguments first."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    own = words.functions(source)
    if (not _is_called(node) and node.id not in own) or _is_raised(node):
        return
    given = len(node.parent.args) if _is_called(node) else 1
    family = [other for group in FUNCTION_FAMILIES if node.id in group for other in group if _exists(other, source)]
    others = sorted(own, key=lambda other: abs(_arity(own[other]) - given))
    classes = [one.name for one in source.tree.body if isinstance(one, ast.ClassDef)]
    around = function_of(node)
    chosen = [*never_read(around), *words.unused_parameters(around)] if around and _is_called(node) else []
    branch = enclosing(node, ast.If) if _is_called(node) else None
    asked = [one.id for one in names_in(branch.test) if one.id in words.names_in_scope(node)] if branch else []
    others = [*chosen, *asked, *family, *others, *(classes if node.id in classes else [])]
    for other in dict.fromkeys(others):
        if other != node.id:
            yield source.replace(node, other)


def excess_call(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`int(x)` -> `x`, `text.strip()` -> `text`."""
    if isinstance(node.func, ast.Attribute):
        yield source.replace(node, source.cut(node.func.value))
        if not node.args and not node.keywords:
            yield source.replace(node, source.cut(node.func))
    for argument in node.args[:2]:
        if not isinstance(argument, ast.Starred | ast.GeneratorExp):
            yield fit(node, source.cut(argument), source)


def missing_call(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`x` -> `abs(x)`, `line` -> `line.strip()`, `self.size` -> `self.size()`."""
    if not _is_value(node) or isinstance(node.parent, ast.Raise):
        return
    text, kind = source.cut(node), _kind(node, words)
    if isinstance(node, ast.Name | ast.Attribute):
        known = words.methods() if isinstance(node, ast.Attribute) else words.functions(source)
        last = node.attr if isinstance(node, ast.Attribute) else node.id
        if last in known:
            yield source.replace(node, f"{text}()")
    own = [name for name, one in words.functions(source).items() if _arity(one) == 1 and one is not function_of(node)]
    for name in [*own[:4], *WRAPPERS.get(kind, WRAPPERS[""])]:
        if not (isinstance(node.parent, ast.Call) and called_name(node.parent) == name):
            yield source.replace(node, f"{name}({text})")
    inner = f"({text})" if needs_parentheses(text) else text
    if kind in ("", "text", "dict", "list"):
        for name in METHOD_CALLS:
            yield source.replace(node, f"{inner}.{name}")
    owner = enclosing(node, ast.ClassDef)
    for name in words.methods() if owner is not None else ():
        if _arity(words.methods()[name]) == 1 and not name.startswith("__"):
            yield source.replace(node, f"self.{name}({text})")


def call_order(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`f(x).lower()` -> `f(x.lower())` and back; `f(g(x))` -> `g(f(x))`."""
    inner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if isinstance(inner, ast.Call) and len(inner.args) == 1:
        rest = source.text[source.span(inner)[1] : source.span(node)[1]]
        argument = source.cut(inner.args[0])
        argument = f"({argument})" if needs_parentheses(argument) else argument
        yield source.replace(node, f"{source.cut(inner.func)}({argument}{rest})")
    for argument in node.args[:1]:
        if not isinstance(argument, ast.Call):
            continue
        if isinstance(argument.func, ast.Attribute):
            value = source.cut(argument.func.value)
            rest = source.text[source.span(argument.func.value)[1] : source.span(argument)[1]]
            yield source.replace(node, f"{source.cut(node.func)}({value}){rest}")
        if len(argument.args) == 1 and len(node.args) == 1:
            yield source.replace(
                node, f"{source.cut(argument.func)}({source.cut(node.func)}({source.cut(argument.args[0])}))"
            )


def copy(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`items` -> `list(items)`, `items[:]`, `dict(items)` where a shared object would be changed."""
    if not _is_value(node):
        return
    text = source.cut(node)
    for option in (f"list({text})", f"dict({text})", f"set({text})", f"{text}.copy()", f"{text}[:]"):
        yield source.replace(node, option)
    if isinstance(node, ast.Name):
        yield source.replace(node, f"[row[:] for row in {text}]")


def ingredient(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another expression of the same function in place of one: the likeliest source of a fix is the code around it."""
    scope = function_of(node)
    if scope is None or not _is_value(node) and not isinstance(node, ast.BinOp):
        return
    kind, text = _kind(node, words), source.cut(node)
    options: dict[str, int] = {}
    for other in ast.walk(scope):
        if isinstance(other, ast.Attribute | ast.Subscript | ast.Call | ast.BinOp | ast.Name):
            if (
                isinstance(getattr(other, "ctx", None), ast.Store)
                or _is_called(other)
                or isinstance(other.parent, ast.Expr)
            ):
                continue
            option = source.cut(other)
            if option != text and len(option) <= 50 and "\n" not in option:
                options[option] = options.get(option, 0) + (3 if kind and _kind(other, words) == kind else 1)
    for option in sorted(options, key=lambda one: -options[one]):
        yield fit(node, option, source)


def _is_raised(node: ast.AST) -> bool:
    """Whether a name is that of a class of errors: `raise Name`, `raise Name(...)`."""
    return isinstance(node.parent, ast.Raise) or (_is_called(node) and isinstance(node.parent.parent, ast.Raise))


def _is_called(node: ast.AST) -> bool:
    return isinstance(node.parent, ast.Call) and node.parent.func is node


def _is_value(node: ast.AST) -> bool:
    """Whether a node is read as a value, not called, bound, or part of a longer name."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or _is_called(node):
        return False
    if isinstance(node.parent, ast.Attribute | ast.FormattedValue | ast.Expr) or enclosing(node, ast.JoinedStr):
        return False
    if isinstance(node.parent, ast.Subscript) and node.parent.value is node:
        return False
    return enclosing(node, ast.stmt, ast.expr) is not None and not isinstance(node.parent, ast.arguments | ast.arg)


def _kind(node: ast.AST, words: Vocabulary) -> str:
    if isinstance(node, ast.Name):
        return words.kind_of(node, node.id)
    return kind_of_value(node)


def _arity(definition: ast.FunctionDef) -> int:
    """How many arguments a definition takes, `self` not counted."""
    names = [argument.arg for argument in (*definition.args.posonlyargs, *definition.args.args)]
    return len(names) - (names[:1] == ["self"])


def _exists(name: str, source: Source) -> bool:
    """Whether a bare name can be called in a file."""
    return hasattr(builtins, name) or any(
        (alias.asname or alias.name) == name
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )
