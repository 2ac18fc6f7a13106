"""Small bugs of the kinds that mutation tools plant, each one edit. What plants knows nothing of what repairs.

The kinds are those of cosmic-ray and mutmut, and four that they lack: swapped arguments, a name that stands nearby, a
statement or an `await` that is missing, a return that comes too early.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable
from dataclasses import dataclass

from offline.repair.changes.edits import Edit
from offline.repair.reading.project import protected_lines
from offline.repair.reading.source import Source, enclosing, header_lines

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.Pow: "**",
}  # fmt: skip
COMPARISONS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
ALIKE = (("+", "-", "*"), ("/", "//", "%", "*"), ("&", "|", "^"), ("<<", ">>"), ("**", "*"), ("<", "<=", ">", ">="),
         ("==", "!="), ("is", "is not"), ("in", "not in"))  # fmt: skip
EXCEPTIONS = ("ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "RuntimeError", "OSError")
KINDS = (
    "operator", "condition", "constant", "off by one", "swapped arguments", "missing statement", "wrong variable",
    "exception", "early return", "removed await", "wrong default",
)  # fmt: skip


@dataclass(frozen=True)
class Bug:
    """One bug in one package."""

    kind: str
    edit: Edit
    line: int
    right: str
    wrong: str


def plant(path: str, text: str, kind: str, chance: random.Random) -> Edit | None:
    """A bug of a kind at a place of a file, both chosen by chance; None where the file has no place for one."""
    source = Source(path, text)
    protected = protected_lines(source.tree)
    every = (node for node in ast.walk(source.tree) if getattr(node, "lineno", 0) not in {0, *protected})
    nodes = [node for node in every if not _is_annotation(node)]
    chance.shuffle(nodes)
    for node in nodes:
        made = [edit for edit in _changes(kind, node, source) if source.text[edit.start : edit.end] != edit.text]
        if made:
            return chance.choice(made)
    return None


def _changes(kind: str, node: ast.AST, source: Source) -> Iterable[Edit]:
    """Every bug of a kind at a node."""
    if kind == "operator" and isinstance(node, ast.BinOp | ast.AugAssign):
        left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        return _exchanged(source, left, right, OPERATORS.get(type(node.op), ""))
    if kind == "condition" and isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _exchanged(source, node.left, node.comparators[0], COMPARISONS[type(node.ops[0])])
    if kind == "condition" and isinstance(node, ast.BoolOp):
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        return _between(source, node.values[0], node.values[1], word, [other])
    if kind == "condition" and isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [source.replace(node, f"({source.cut(node.operand)})")]
    if kind == "condition" and isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Constant):
        return [source.replace(node.test, f"not ({source.cut(node.test)})")]
    if (
        kind == "constant"
        and isinstance(node, ast.Constant)
        and not isinstance(_parent(node), ast.Expr | ast.JoinedStr)
    ):
        return [source.replace(node, text) for text in _other_constants(node.value)]
    if kind == "off by one":
        return _off_by_one(node, source)
    if kind == "swapped arguments" and isinstance(node, ast.Call) and len(node.args) >= 2:
        pairs = zip(node.args, node.args[1:], strict=False)
        return [_swapped(source, one, other) for one, other in pairs if not isinstance(one, ast.Starred)]
    if kind == "missing statement" and isinstance(node, ast.stmt):
        return _left_out(node, source)
    if kind == "wrong variable" and isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return [source.replace(node, name) for name in _neighbours(node)]
    if kind == "exception" and isinstance(node, ast.Name) and node.id in EXCEPTIONS:
        held = isinstance(_parent(node), ast.ExceptHandler) or enclosing(node, ast.Raise) is not None
        return [source.replace(node, name) for name in EXCEPTIONS if held]
    if kind == "early return" and isinstance(node, ast.Return) and node.value is not None:
        return _early(node, source)
    if kind == "removed await" and isinstance(node, ast.Await):
        return [source.replace(node, source.cut(node.value))]
    if kind == "wrong default" and isinstance(node, FUNCTIONS):
        defaults = [one for one in [*node.args.defaults, *node.args.kw_defaults] if isinstance(one, ast.Constant)]
        return [source.replace(one, text) for one in defaults for text in _other_constants(one.value)]
    return ()


def _exchanged(source: Source, left: ast.AST, right: ast.AST, token: str) -> list[Edit]:
    others = {other for group in ALIKE if token in group for other in group if other != token}
    return _between(source, left, right, token, sorted(others))


def _between(source: Source, left: ast.AST, right: ast.AST, token: str, others: list[str]) -> list[Edit]:
    """Other words in the place of one that stands between two nodes."""
    place = source.find(token, source.span(left)[1], source.span(right)[0]) if token else -1
    return [Edit(source.path, place, place + len(token), other) for other in others if place >= 0]


def _other_constants(value: object) -> list[str]:
    if isinstance(value, bool):
        return [str(not value)]
    if value is None:
        return ["0", "''"]
    if isinstance(value, int | float):
        return ["0", "1", repr(value * 2), repr(-value)]
    return [repr(f"XX{value}"), "''"] if isinstance(value, str) and value else []


def _off_by_one(node: ast.AST, source: Source) -> list[Edit]:
    """One more or less: a number, the bound of a range, an index, a border that belongs or not."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return [source.replace(node, str(node.value + 1)), source.replace(node, str(max(0, node.value - 1)))]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range" and node.args:
        last = node.args[min(1, len(node.args) - 1)]
        return [source.replace(last, f"{source.cut(last)} {sign} 1") for sign in "+-"]
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        borders = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
        token = COMPARISONS[type(node.ops[0])]
        return _between(source, node.left, node.comparators[0], token, [borders[token]]) if token in borders else []
    return []


def _swapped(source: Source, one: ast.AST, other: ast.AST) -> Edit:
    (start, middle), (after, end) = source.span(one), source.span(other)
    text = source.text
    return Edit(source.path, start, end, text[after:end] + text[middle:after] + text[start:middle])


def _left_out(node: ast.stmt, source: Source) -> list[Edit]:
    """`pass` in the place of a statement; of an `if` alone, its body without the question."""
    simple = isinstance(node, ast.Assign | ast.AugAssign | ast.Raise | ast.Continue | ast.Break)
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await)
    guard = isinstance(node, ast.If) and len(node.body) == 1 and not node.orelse and isinstance(node.body[0], ast.Raise)
    return [source.replace(node, "pass")] if (simple or called or guard) and enclosing(node, *FUNCTIONS) else []


def _neighbours(node: ast.Name) -> list[str]:
    """The other parameters and variables of the function around a name that is one of them."""
    function = enclosing(node, *FUNCTIONS)
    if not isinstance(function, FUNCTIONS):
        return []
    names = {one.arg for one in [*function.args.args, *function.args.kwonlyargs]}
    names |= {one.id for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return sorted(names - {node.id}) if node.id in names else []


def _early(node: ast.Return, source: Source) -> list[Edit]:
    """The return of a function at the beginning of the block before it: the first loop is left in its first round."""
    block: list[ast.stmt] = next(
        (b for b in (getattr(_parent(node), n, None) for n in ("body", "orelse")) if b and node in b), []
    )
    loops = [one for one in block if isinstance(one, ast.For | ast.While) and one.lineno < node.lineno]
    if not loops or len(header_lines(loops[-1])) > 1 or loops[-1].body[-1].lineno == loops[-1].lineno:
        return []
    last = loops[-1].body[-1]
    place = source.line_end(last.end_lineno or last.lineno)
    return [Edit(source.path, place, place, f"{' ' * last.col_offset}{' '.join(source.cut(node).split())}\n")]


def _parent(node: ast.AST) -> ast.AST | None:
    return getattr(node, "parent", None)


def _is_annotation(node: ast.AST) -> bool:
    """Whether a node stands where only a reader of types looks."""
    while (above := _parent(node)) is not None and not isinstance(node, ast.stmt):
        if isinstance(above, ast.arg | ast.AnnAssign) and node is above.annotation:
            return True
        if isinstance(above, FUNCTIONS) and node is above.returns:
            return True
        node = above
    return False
