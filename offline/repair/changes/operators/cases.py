"""Operators for a case that was forgotten: an element that is taken over as it is, a branch like its neighbour."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...reading.shapes import called_name, indent_of, indented, insert_before, stands_alone, unit_of
from ...reading.source import Source
from ...reading.vocabulary import Vocabulary
from ..edits import Edit

QUESTIONS = ("isalpha", "isdigit", "isspace", "isalnum", "isupper", "islower")
GATHERING = ("append", "add", "extend")


def forgotten_element(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """In a loop that gathers: `else: found.append(item)`, or `if not item.isalpha(): found.append(item); continue`."""
    if not isinstance(node.target, ast.Name) or not stands_alone(node.body[0], source):
        return
    item, unit = node.target.id, unit_of(source)
    gathered = list(_gathering(node, item, source))
    for last in node.body[-1:]:
        if isinstance(last, ast.If) and not last.orelse or _open_chain(last):
            for text in gathered:
                indent = indent_of(node.body[-1], source)
                end = source.line_end(last.end_lineno or last.lineno)
                yield Edit(source.path, end, end, f"{indent}else:\n{indented(text, indent + unit)}")
    asked = sorted(QUESTIONS, key=lambda name: f".{name}(" not in source.cut(node))
    for condition in [f"not {item}.{name}()" for name in asked]:
        for text in gathered:
            yield insert_before(node.body[0], f"if {condition}:\n{unit}{text}\n{unit}continue", source)


def another_branch(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """After `elif kind == "b": return f(y)`: the same for a text that the tests use and the function does not know."""
    test = node.test
    plain = isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant) and len(node.body) == 1
    if not plain or not isinstance(test.comparators[0].value, str) or not stands_alone(node.body[0], source):
        return
    known = set(words.own_constants(source))
    texts = [one for one in words.strings(source) if one not in known][:6]
    start, end = source.line_start(node.body[0].lineno), source.line_end(node.body[0].end_lineno or 0)
    head, body = f"{source.cut(test.left)} ==", source.text[start:end]
    indent = source.text[source.line_start(node.lineno) : source.span(node)[0]]
    for text in texts:
        for changed in _varied(body):
            yield Edit(source.path, end, end, f'{indent}elif {head} "{text}":\n{changed}')


def _varied(body: str) -> list[str]:
    """The body of a branch, and the body with half or twice of what it gives."""
    line = body.rstrip("\n")
    return [f"{line}\n", f"{line} / 2\n", f"{line} * 2\n", f"{line} // 2\n"]


def _open_chain(node: ast.stmt) -> bool:
    """Whether a statement is an `if` with branches, the last of which is no `else`."""
    while isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
    return isinstance(node, ast.If) and not node.orelse


def _gathering(loop: ast.AST, item: str, source: Source) -> Iterator[str]:
    """What the loop gathers with, taking the element itself: `found.append(item)`, `text += item`."""
    seen = set()
    for node in ast.walk(loop):
        text = ""
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
            text = f"{node.target.id} += {item}"
        elif called_name(node) in GATHERING and len(node.args) == 1 and isinstance(node.parent, ast.Expr):
            text = f"{source.cut(node.func)}({item})"
        if text and text not in seen:
            seen.add(text)
            yield text
