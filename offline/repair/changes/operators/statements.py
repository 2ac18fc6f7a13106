"""Operators on whole statements: one too many, one in the wrong place, the wrong one of its kind."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...reading.shapes import (
    FUNCTION_STATEMENTS,
    LOOPS,
    cuts_off,
    function_of,
    in_loop,
    indent_of,
    is_docstring,
    lines_of,
    siblings,
    stands_alone,
)
from ...reading.source import Source, first_line
from ...reading.vocabulary import Vocabulary
from ..edits import Edit

Edits = tuple[Edit, ...]


def excess_statement(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Without the statement; without the `if` around it; without the `else` branch."""
    if not stands_alone(node, source) or is_docstring(node) or isinstance(node, (*FUNCTION_STATEMENTS, ast.ClassDef)):
        return
    start, end = lines_of(node, source)
    if isinstance(node, ast.If) and source.text.startswith("elif", source.span(node)[0]):
        if not node.orelse:
            yield Edit(source.path, start, end, "")
        return
    if isinstance(node, ast.If) and not node.orelse:
        yield Edit(source.path, start, end, _moved(node.body, source, indent_of(node, source)))
    alone = len(siblings(node)) == 1
    yield Edit(source.path, start, end, f"{indent_of(node, source)}pass\n" if alone else "")


def cut_off(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Without a `return` that keeps what stands below it from ever running, or a loop from a second round."""
    if cuts_off(node) and stands_alone(node, source):
        yield Edit(source.path, *lines_of(node, source), "")


def wrong_indentation(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """One level out (after its block), one level in (to the end of the block before it)."""
    if not stands_alone(node, source) or isinstance(node, (*FUNCTION_STATEMENTS, ast.ClassDef)):
        return
    block = siblings(node)
    index = block.index(node)
    start, _ = lines_of(node, source)
    tail = block[index:]
    if not isinstance(node.parent, (*FUNCTION_STATEMENTS, ast.ClassDef, ast.Module, ast.match_case)) and index:
        outer = node.parent
        last = outer.end_lineno == tail[-1].end_lineno
        if last and stands_alone(outer, source):
            yield Edit(
                source.path, start, lines_of(tail[-1], source)[1], _moved(tail, source, indent_of(outer, source))
            )
        elif isinstance(outer, ast.If) and outer.orelse:
            yield _carry_past(tail, outer, source)
    if index and isinstance(block[index - 1], (ast.If, *LOOPS, ast.With, ast.Try)):
        inner = _last_block(block[index - 1])
        if stands_alone(inner[-1], source):
            yield Edit(
                source.path, start, lines_of(node, source)[1], _moved([node], source, indent_of(inner[-1], source))
            )
            if len(tail) > 1:
                end = lines_of(tail[-1], source)[1]
                yield Edit(source.path, start, end, _moved(tail, source, indent_of(inner[-1], source)))


def wrong_order(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """After its next neighbour instead of before it; first or last of its block."""
    block = siblings(node)
    index = block.index(node)
    if not all(stands_alone(one, source) for one in block):
        return
    here = lines_of(node, source)
    text = _whole(node, source)
    for other in block[index + 1 : index + 3]:
        end = lines_of(other, source)[1]
        yield Edit(source.path, here[0], end, _with_newline(source.text[here[1] : end]) + text)
    if index > 1 and not is_docstring(block[0]):
        start = lines_of(block[0], source)[0]
        yield Edit(source.path, start, here[1], text + source.text[start : here[0]])


def loop_control(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`break` -> `continue`, `return x` in a loop -> `break`, `continue`, ..."""
    if not in_loop(node):
        return
    for other in ("break", "continue", "pass", "return"):
        if source.cut(node) != other and (other != "return" or function_of(node)):
            yield source.replace(node, other)


def keyword_of_branch(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`elif` <-> `if`, `if` <-> `while`."""
    start = source.span(node)[0]
    changes = [("elif", "if"), ("if", "while"), ("while", "if")]
    block = siblings(node)
    index = block.index(node)
    if index and isinstance(block[index - 1], ast.If) and not block[index - 1].orelse:
        changes.append(("if", "elif"))
    for old, new in changes:
        if source.text.startswith(old + " ", start) or source.text.startswith(old + "(", start):
            yield Edit(source.path, start, start + len(old), new)


def assignment(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`total = x` -> `total += x`, `total += x` -> `total = x`; `x = f(y)` -> `x |= ...`, a union or a maximum."""
    target = source.cut(node.target if isinstance(node, ast.AugAssign) else node.targets[-1])
    value = source.cut(node.value)
    target_end = source.span(node.target if isinstance(node, ast.AugAssign) else node.targets[-1])[1]
    value_start = source.span(node.value)[0]
    opening = source.find("=", target_end, value_start)
    if opening < 0:
        return
    if isinstance(node, ast.AugAssign):
        yield Edit(source.path, target_end, opening + 1, " =")
        return
    if len(node.targets) == 1 and not isinstance(node.targets[0], ast.Tuple):
        twin = _twin(node, source)
        for operator in ("+", "-", "*", "|", "&", "//"):
            yield Edit(source.path, opening, opening, operator)
            if twin:  # `row.won = mine`, `row.lost = theirs`: who forgot one forgot both
                yield Edit(source.path, opening, opening, operator), Edit(source.path, twin, twin, operator)
        for option in (f"max({target}, {value})", f"min({target}, {value})", f"{target} or {value}"):
            yield source.replace(node.value, option)


def _twin(node: ast.Assign, source: Source) -> int:
    """Where the `=` stands of the next statement, where that sets another field or item of the same thing; else 0."""
    block, target = siblings(node), node.targets[0]
    after = block[block.index(node) + 1] if node in block and node is not block[-1] else None
    if not isinstance(after, ast.Assign) or not isinstance(target, ast.Attribute | ast.Subscript):
        return 0
    other = after.targets[0]
    if type(other) is not type(target) or ast.dump(other.value) != ast.dump(target.value):
        return 0
    return max(0, source.find("=", source.span(other)[1], source.span(after.value)[0]))


def returned(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`f(x)` -> `return f(x)`, `total = x` -> `return x`, `return x` -> `yield x`, `yield x` -> `yield from x`."""
    if function_of(node) is None:
        return
    start, end = source.span(node)
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Yield) and node.value.value is not None:
            yield Edit(source.path, start, start + len("yield"), "yield from")
            yield Edit(source.path, start, start + len("yield"), "return")
        elif isinstance(node.value, ast.YieldFrom):
            yield source.replace(node, f"yield {source.cut(node.value.value)}")
        elif not is_docstring(node):
            yield Edit(source.path, start, start, "return ")
            yield Edit(source.path, start, start, "yield from ")
    elif isinstance(node, ast.Assign):
        yield Edit(source.path, start, end, f"return {source.cut(node.value)}")
    elif isinstance(node, ast.Return) and node.value is not None:
        value = source.cut(node.value)
        for option in (value, f"yield {value}", f"yield from {value}"):
            yield source.replace(node, option)


def exception(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another exception raised or caught, one more caught."""
    common = (
        "ValueError",
        "KeyError",
        "IndexError",
        "TypeError",
        "ZeroDivisionError",
        "AttributeError",
        "StopIteration",
    )
    likeliest = words.escaped() if isinstance(node, ast.ExceptHandler) else words.expected()
    names = list(dict.fromkeys([*likeliest, *words.raised(source), *common, "OSError", "LookupError", "Exception"]))
    place = _exception_of(node)
    if not isinstance(place, ast.Name | ast.Tuple | ast.Attribute):
        return
    for name in names:
        if name != source.cut(place):
            yield source.replace(place, name)
            if isinstance(node, ast.ExceptHandler) and isinstance(place, ast.Name):
                yield source.replace(place, f"({source.cut(place)}, {name})")


def escaped_exception(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`except OSError` -> `except ValueError`, where a failing test ended with a ValueError; the same of `raise`, where
    one ended with that OSError, for what tests expect."""
    place = _exception_of(node)
    if not isinstance(place, ast.Name | ast.Attribute):
        return
    caught = isinstance(node, ast.ExceptHandler)
    for name in words.escaped() if caught else words.expected() if source.cut(place) in words.escaped() else []:
        yield source.replace(place, name)
        if caught:
            yield source.replace(place, f"({source.cut(place)}, {name})")


def _exception_of(node: ast.AST) -> ast.AST | None:
    place = node.type if isinstance(node, ast.ExceptHandler) else node.exc  # type: ignore[attr-defined]
    return place.func if isinstance(place, ast.Call) else place


def raised_or_returned(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`return None` -> `raise ValueError`, `pass` -> `raise`, `raise` -> `return None`."""
    if isinstance(node, ast.Raise):
        options = ["return None", "return False", "pass", "continue" if in_loop(node) else "return", "raise"]
    else:
        options = [f"raise {name}" for name in words.raised(source)[:3]] + ["raise"]
    for option in options:
        if option != source.cut(node):
            yield source.replace(node, option)


def _moved(statements: list[ast.stmt], source: Source, indent: str) -> str:
    """The lines of statements, at another indentation."""
    start, end = source.line_start(first_line(statements[0])), source.line_end(statements[-1].end_lineno or 1)
    old = indent_of(statements[0], source)
    lines = _with_newline(source.text[start:end]).splitlines(keepends=True)
    return "".join(indent + line.removeprefix(old) if line.strip() else line for line in lines)


def _carry_past(tail: list[ast.stmt], outer: ast.If, source: Source) -> Edit:
    """Statements of a branch moved behind the whole `if`."""
    top = outer
    while source.text.startswith("elif", source.span(top)[0]) and isinstance(top.parent, ast.If):
        top = top.parent
    start, middle = lines_of(tail[0], source)[0], lines_of(tail[-1], source)[1]
    end = lines_of(top, source)[1]
    moved = _moved(tail, source, indent_of(top, source))
    return Edit(source.path, start, end, _with_newline(source.text[middle:end]) + moved)


def _last_block(statement: ast.stmt) -> list[ast.stmt]:
    for name in ("finalbody", "orelse", "body"):
        block = getattr(statement, name, None)
        if block:
            return block
    return [statement]


def _whole(statement: ast.stmt, source: Source) -> str:
    return _with_newline(source.text[slice(*lines_of(statement, source))])


def _with_newline(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
