"""Operators on what an object or a function remembers: what is asked for and never changed, what is filled and never
emptied.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...reading.remembered import begun_only, fields_that_begin_empty, filled_and_kept, is_self
from ...reading.shapes import function_of, insert_after, insert_before, stands_alone
from ...reading.source import Source, enclosing
from ...reading.vocabulary import Vocabulary, names_in, set_in
from ..edits import Edit

ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
GROWS = {"append", "add", "insert", "appendleft", "extend", "update", "push"}


def forgotten_change(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """A field or an item that the file compares with something and never changes: its change, at the end of a function.

    `product["count"] -= 1` where the file asks `product["count"] == 0`, and `self.last = job.owner` where it asks
    `job.owner == self.last`.
    """
    scope = function_of(node)
    if scope is None or scope.body[-1] is not node or scope.name == "__init__" or not stands_alone(node, source):
        return
    known = set(words.names_in_scope(node)) | words.known_at_top(source)
    for text in words.forgotten_changes(source):
        if {name.id for name in names_in(ast.parse(text))} <= known:
            yield insert_before(node, text, source) if isinstance(node, ENDS) else insert_after(node, text, source)


def forgotten_reset(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Where one field of an object grows, another that began as empty as this one is emptied."""
    field = _grown(node)
    around = enclosing(node, ast.ClassDef)
    if field is None or around is None or not stands_alone(node, source):
        return
    empty = fields_that_begin_empty(around)
    for other in empty if field in empty else ():
        if other != field:
            yield insert_after(node, f"self.{other}.clear()", source)


def forgotten_local(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """What a function begins, `count = 0`, asks and never changes: its change at the end of a loop or a branch."""
    scope = function_of(node)
    begun = begun_only(scope) if scope is not None else {}
    values = [name for name in set_in(node) if name not in begun][:4]
    blocks = [node.body, *(one.body for one in ast.walk(node) if isinstance(one, ast.If))][:5]
    for name, value in begun.items():
        for block in blocks if stands_alone(node, source) else ():
            for text in _changed(name, value, words.kind_of(node, name), values):
                last = block[-1]
                yield insert_before(last, text, source) if isinstance(last, ENDS) else insert_after(last, text, source)


def _changed(name: str, begun: ast.expr, kind: str, values: list[str]) -> list[str]:
    """How what begins as this may go on, with the values that a loop has."""
    if isinstance(begun, ast.Constant) and isinstance(begun.value, bool):
        return [f"{name} = {not begun.value}"]
    ways = {"list": ["{}.append({})"], "set": ["{}.add({})"], "text": ["{} += {}"], "number": ["{} += {}", "{} = {}"]}
    by_one = [f"{name} += 1", f"{name} -= 1"] if kind == "number" else []
    return by_one + [way.format(name, value) for value in values for way in ways.get(kind, ())]


def forgotten_emptying(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """A list that a loop fills, that is handed on and filled again: emptied, or another, below where that is."""
    scope = function_of(node)
    if scope is None or not stands_alone(node, source):
        return
    handed_on = (one for one in names_in(node.value) if not isinstance(one.parent, ast.Attribute))
    for name in dict.fromkeys(one.id for one in handed_on):
        if filled_and_kept(name, scope):
            yield insert_after(node, f"{name}.clear()", source)
            yield insert_after(node, f"{name} = []", source)


def _grown(node: ast.AST) -> str | None:
    """The field of self that a statement `self.field.append(x)` or the like makes longer."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in GROWS:
        return None
    holder = call.func.value
    return holder.attr if isinstance(holder, ast.Attribute) and is_self(holder.value) else None
