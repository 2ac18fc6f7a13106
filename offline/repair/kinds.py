"""What kind of value a name likely holds, guessed from how it is written: "number", "text", "list", "dict", "set"."""

from __future__ import annotations

import ast

from .shapes import called_name

BY_CALL = {
    "len": "number", "int": "number", "float": "number", "sum": "number", "abs": "number", "round": "number",
    "ord": "number", "index": "number", "find": "number", "count": "number",
    "str": "text", "join": "text", "strip": "text", "lower": "text", "upper": "text", "replace": "text",
    "format": "text",
    "chr": "text", "repr": "text",
    "list": "list", "sorted": "list", "split": "list", "splitlines": "list", "deque": "list",
    "dict": "dict", "defaultdict": "dict", "Counter": "dict", "set": "set", "frozenset": "set",
}  # fmt: skip
BY_ANNOTATION = {"int": "number", "float": "number", "str": "text", "Sequence": "list", "Iterable": "list"}


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
