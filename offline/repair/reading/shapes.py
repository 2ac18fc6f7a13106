"""Small questions about nodes and text that several operators ask; what kind of value a name likely holds."""

from __future__ import annotations

import ast
import builtins

from ..changes.edits import Edit
from .source import Source, enclosing, first_line

LOOPS = (ast.For, ast.AsyncFor, ast.While)
FUNCTION_STATEMENTS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOSE = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.Starred, ast.NamedExpr, ast.Await)
TIGHT_PARENTS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Attribute, ast.Starred, ast.Await, ast.IfExp)

# What kind of value a call gives or an annotation names: "number", "text", "list", "dict", "set".
BY_CALL = {
    "len": "number", "int": "number", "float": "number", "sum": "number", "abs": "number", "round": "number",
    "ord": "number", "index": "number", "find": "number", "count": "number",
    "str": "text", "join": "text", "strip": "text", "lower": "text", "upper": "text", "replace": "text",
    "format": "text",
    "chr": "text", "repr": "text",
    "list": "list", "sorted": "list", "split": "list", "splitlines": "list", "deque": "list",
    "dict": "dict", "defaultdict": "dict", "Counter": "dict", "set": "set", "frozenset": "set",
}  # fmt: skip
# Numbers on the right with which an operation leaves what it is given, or nothing of it.
NEUTRAL = {
    ast.Add: (0,), ast.Sub: (0,), ast.Mult: (0, 1), ast.Div: (1,), ast.FloorDiv: (1,), ast.Mod: (1,), ast.Pow: (1,),
}  # fmt: skip
BY_ANNOTATION = {"int": "number", "float": "number", "str": "text", "Sequence": "list", "Iterable": "list"}


def fit(node: ast.AST, text: str, source: Source) -> Edit:
    """The edit that puts an expression where a node is, in parentheses where it would bind differently."""
    parent = node.parent
    tight = isinstance(parent, TIGHT_PARENTS) or (
        isinstance(parent, ast.Call | ast.Subscript) and _is_head(parent, node)
    )
    if tight and needs_parentheses(text):
        text = f"({text})"
    return source.replace(node, text)


def needs_parentheses(text: str) -> bool:
    """Whether an expression falls apart when something binds to its end."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return False
    if isinstance(tree, ast.Constant):
        return text.startswith("-")
    return isinstance(tree, LOOSE) and not (text.startswith("(") and text.endswith(")") and _is_wrapped(text))


def _is_wrapped(text: str) -> bool:
    """Whether the first parenthesis of a text closes at its end."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return position == len(text) - 1
    return False


def _is_head(parent: ast.AST, node: ast.AST) -> bool:
    return getattr(parent, "func", None) is node or getattr(parent, "value", None) is node


def indent_of(statement: ast.stmt, source: Source) -> str:
    """The white space before a statement."""
    start = source.line_start(statement.lineno)
    return source.text[start : source.span(statement)[0]]


def stands_alone(statement: ast.stmt, source: Source) -> bool:
    """Whether a statement has its lines to itself (not `if x: return` on one line, not `a; b`)."""
    start, end = source.span(statement)
    before = source.text[source.line_start(statement.lineno) : start]
    after = source.text[end : source.line_end(statement.end_lineno or statement.lineno)].strip()
    return not before.strip() and (not after or after.startswith("#"))


def siblings(statement: ast.stmt) -> list[ast.stmt]:
    """The block that a statement stands in, itself included."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement.parent, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return [statement]


def cuts_off(statement: ast.AST) -> bool:
    """Whether a statement leaves a block before its end, or a loop at the end of its first round."""
    block, parent = siblings(statement), statement.parent  # type: ignore[arg-type, attr-defined]
    if not isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue) or len(block) == 1:
        return False
    if block[-1] is not statement:
        return True
    again = isinstance(parent, ast.While) and any(isinstance(one, ast.Continue) for one in ast.walk(parent))
    return isinstance(statement, ast.Return) and isinstance(parent, LOOPS) and not again


def changes_nothing(node: ast.AST) -> bool:
    """Whether a node is `x * 1`, `x *= 1` or the like: nobody writes that on purpose."""
    right = node.right if isinstance(node, ast.BinOp) else node.value if isinstance(node, ast.AugAssign) else None
    return isinstance(right, ast.Constant) and right.value in NEUTRAL.get(type(node.op), ())  # type: ignore[attr-defined]


def never_meant(node: ast.AST) -> bool:
    """Whether a node is what nobody writes on purpose, wherever it stands."""
    return changes_nothing(node) or turned_round(node)


def turned_round(node: ast.AST) -> bool:
    """Whether a well-known call has its arguments the wrong way round: `isinstance(str, x)`, `map(items, len)`,
    `warnings.warn(UserWarning, text)`."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return False
    first, second = node.args[:2]
    if called_name(node) == "warn":
        return isinstance(first, ast.Name) and first.id.endswith("Warning")
    if not isinstance(node.func, ast.Name):
        return False
    if node.func.id in ("isinstance", "issubclass"):
        return _is_builtin(first) and not _is_builtin(second)
    if node.func.id in ("map", "filter"):
        return isinstance(second, ast.Lambda) or (_is_builtin(second) and not _is_builtin(first))
    return node.func.id in ("getattr", "hasattr", "setattr", "delattr") and isinstance(first, ast.Constant)


def _is_builtin(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and callable(getattr(builtins, node.id, None))


def lines_of(statement: ast.stmt, source: Source) -> tuple[int, int]:
    """Where the whole lines of a statement begin and end, decorators and newline included."""
    return source.line_start(first_line(statement)), source.line_end(statement.end_lineno or statement.lineno)


def insert_before(statement: ast.stmt, text: str, source: Source) -> Edit:
    """New lines above a statement, at its indentation."""
    start = source.line_start(first_line(statement))
    return Edit(source.path, start, start, indented(text, indent_of(statement, source)))


def insert_after(statement: ast.stmt, text: str, source: Source) -> Edit:
    """New lines below a statement, at its indentation."""
    end = source.line_end(statement.end_lineno or statement.lineno)
    text = indented(text, indent_of(statement, source))
    if end == len(source.text) and not source.text.endswith("\n"):
        text = "\n" + text[:-1]
    return Edit(source.path, end, end, text)


def indented(text: str, indent: str) -> str:
    """Lines at an indentation, each with its newline."""
    return "".join(f"{indent}{line}\n" if line.strip() else "\n" for line in text.split("\n"))


def unit_of(source: Source) -> str:
    """One step of indentation in this file."""
    for line in source.lines:
        width = len(line) - len(line.lstrip(" \t"))
        if width and line.strip():
            return line[:width] if width <= 8 else "    "
    return "    "


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a statement is a bare string."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def in_loop(node: ast.AST) -> bool:
    """Whether `break` and `continue` are allowed here."""
    around = enclosing(node, *LOOPS, *FUNCTION_STATEMENTS)
    return isinstance(around, LOOPS)


def in_handler(node: ast.AST) -> bool:
    """Whether `raise` alone has an error to raise here."""
    return isinstance(enclosing(node, ast.ExceptHandler, *FUNCTION_STATEMENTS), ast.ExceptHandler)


def function_of(node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function that a node stands in."""
    return enclosing(node, *FUNCTION_STATEMENTS)  # type: ignore[return-value]


def is_number(node: ast.AST, value: object = None) -> bool:
    """Whether a node is a number (that number, if one is given)."""
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, float):
        return False
    return value is None or node.value == value


def called_name(node: ast.AST) -> str:
    """`f` of `f(x)`, `m` of `o.m(x)`, else nothing."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def kinds_of_names(scope: ast.AST) -> dict[str, str]:
    """Name -> kind for the names of a function or a file, as far as assignments, loops and annotations tell."""
    kinds: dict[str, str] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.arg) and node.annotation is not None:
            kinds.setdefault(node.arg, _annotated(node.annotation))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                _bind(target, node.value, kinds)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            kinds[node.target.id] = _annotated(node.annotation)
        elif isinstance(node, ast.For | ast.comprehension):
            _bind_loop(node.target, node.iter, kinds)
    return kinds


def kind_of_value(node: ast.AST, kinds: dict[str, str] | None = None) -> str:
    """The kind of an expression, "" when unknown."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or node.value is None:
            return "truth" if node.value is not None else ""
        return "number" if isinstance(node.value, int | float) else "text" if isinstance(node.value, str) else ""
    if isinstance(node, ast.Name):
        return (kinds or {}).get(node.id, "")
    if isinstance(node, ast.BinOp):
        return kind_of_value(node.left, kinds) or kind_of_value(node.right, kinds)
    if isinstance(node, ast.Compare | ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        return "truth"
    shapes = {ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.DictComp: "dict"}
    shapes |= {ast.Set: "set", ast.SetComp: "set", ast.JoinedStr: "text", ast.Tuple: "tuple", ast.UnaryOp: "number"}
    return shapes.get(type(node), "") or BY_CALL.get(called_name(node), "")


def _bind(target: ast.AST, value: ast.AST, kinds: dict[str, str]) -> None:
    if isinstance(target, ast.Name):
        kinds[target.id] = kind_of_value(value, kinds) or kinds.get(target.id, "")
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, part in zip(target.elts, value.elts, strict=True):
            _bind(one, part, kinds)


def _bind_loop(target: ast.AST, iterable: ast.AST, kinds: dict[str, str]) -> None:
    name = called_name(iterable)
    if name == "enumerate" and isinstance(target, ast.Tuple):
        target, name = target.elts[0], "range"
    if name == "range" and isinstance(target, ast.Name):
        kinds[target.id] = "number"


def _annotated(annotation: ast.AST) -> str:
    text = ast.unparse(annotation).partition("[")[0].rpartition(".")[2]
    return BY_ANNOTATION.get(text) or BY_CALL.get(text, "")
