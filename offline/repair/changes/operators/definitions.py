"""Operators on definitions: decorators, names, imports, defaults, what belongs to a class or an outer function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...reading.shapes import function_of, insert_after, insert_before, is_docstring, lines_of, stands_alone, unit_of
from ...reading.source import Source
from ...reading.vocabulary import Vocabulary
from ..edits import Edit

CHANGING = {"append", "extend", "insert", "pop", "remove", "sort", "reverse", "clear", "add", "update", "popitem",
            "discard", "setdefault"}  # fmt: skip
Edits = tuple[Edit, ...]


def excess_decorator(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Without a decorator; with one that its neighbours have."""
    for decorator in node.decorator_list:
        yield Edit(source.path, source.line_start(decorator.lineno), source.line_end(decorator.end_lineno), "")
    if isinstance(node.parent, ast.ClassDef):
        for name in ("property", "staticmethod", "classmethod"):
            yield insert_before(node, f"@{name}", source)


def definition_name(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """The name under which the tests look for a function or class that nobody defines."""
    start = source.find(node.name, source.span(node)[0], len(source.text))
    for name in words.wanted_by_tests():
        yield Edit(source.path, start, start + len(node.name), name)


def import_name(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another name imported from a module of the project, or the module under another name."""
    modules = [path.removesuffix(".py").replace("/", ".") for path in words.sources]
    if isinstance(node, ast.ImportFrom):
        for other in modules:
            if node.module and other.rpartition(".")[2] != node.module.rpartition(".")[2]:
                start = source.find(node.module, source.span(node)[0], source.span(node)[1])
                yield Edit(source.path, start, start + len(node.module), other)
                yield Edit(source.path, start, start + len(node.module), other.rpartition(".")[2])
        for alias in node.names:
            for other in words.definitions():
                if other != alias.name and alias.asname is None:
                    yield source.replace(alias, f"{other} as {alias.name}" if alias.name in words.fields() else other)


def mutable_default(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edits]:
    """`def f(x, seen=[])` -> `seen=None` and a new list inside."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    pairs = list(zip(arguments[len(arguments) - len(node.args.defaults) :], node.args.defaults, strict=True))
    pairs += [
        (one, default) for one, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if default
    ]
    body = node.body[1:] if is_docstring(node.body[0]) and len(node.body) > 1 else node.body
    for argument, default in pairs:
        mutable = isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call)
        if mutable and stands_alone(body[0], source):
            name, made = argument.arg, source.cut(default)
            text = f"if {name} is None:\n{unit_of(source)}{name} = {made}"
            yield source.replace(default, "None"), insert_before(body[0], text, source)


def own_copy(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """A function that changes what it was given works on a copy: `one = list(one)` at its top."""
    body = node.body[1:] if is_docstring(node.body[0]) and len(node.body) > 1 else node.body
    parameters = [argument.arg for argument in node.args.args if argument.arg not in ("self", "cls")]
    changed = [name for name in parameters if name in _changed_in_place(node)]
    if not changed or not stands_alone(body[0], source):
        return
    for made in ("list({})", "{}.copy()", "dict({})", "[row[:] for row in {}]"):
        if len(changed) > 1:
            values = ", ".join(made.format(name) for name in changed)
            yield insert_before(body[0], f"{', '.join(changed)} = {values}", source)
        for name in changed:
            yield insert_before(body[0], f"{name} = {made.format(name)}", source)


def _changed_in_place(node: ast.AST) -> set[str]:
    """Names whose values a function changes: by a method, an item, `del`."""
    found = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in CHANGING:
            found.add(getattr(one.func.value, "id", ""))
        elif isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store | ast.Del):
            found |= {name.id for name in ast.walk(one.value) if isinstance(name, ast.Name)}
    return found


def declaration(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`nonlocal count` or `global count` at the top of a function that assigns to it."""
    body = node.body[1:] if is_docstring(node.body[0]) and len(node.body) > 1 else node.body
    if not stands_alone(body[0], source):
        return
    parameters = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
    stored = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    outer = words.names_in_scope(node) if function_of(node) else []
    for name in sorted(stored - parameters):
        if name in outer:
            yield insert_before(body[0], f"nonlocal {name}", source)
        if name in words.globals_of(source):
            yield insert_before(body[0], f"global {name}", source)


def shared_class_value(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edits]:
    """A list or dictionary that all objects of a class share -> one for each, made in `__init__`."""
    if not isinstance(node.parent, ast.ClassDef) or not isinstance(node.targets[0], ast.Name):
        return
    maker = next((one for one in node.parent.body if getattr(one, "name", "") == "__init__"), None)
    if maker is None or not isinstance(node.value, ast.List | ast.Dict | ast.Set | ast.Call):
        return
    start, end = lines_of(node, source)
    made = f"self.{node.targets[0].id} = {source.cut(node.value)}"
    yield Edit(source.path, start, end, ""), insert_after(maker.body[-1], made, source)
