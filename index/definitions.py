"""A whole function or class, put into a file in the place of the one with its name."""

from __future__ import annotations

import ast
import re
import textwrap
from typing import NamedTuple

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

COMMENT = re.compile(r"#[^\n]*")
FENCED = re.compile(r"```[\w+-]*\n(.*?)```", re.DOTALL)


class Change(NamedTuple):
    """Lines `first` to `last` of a text (counted from 1; none where `last` is less) become `new`."""

    first: int
    last: int
    new: list[str]
    said: str


class NotPlaced(Exception):
    """Why some code cannot be put into a file: a sentence for a model."""


def with_code(text: str, code: str) -> tuple[str, list[str]]:
    """Return a file's text with the functions and classes of `code` in it, and what was done with each, in words.

    One that is there is replaced, any other added; of a class that is there only the methods that stand in `code` are.
    Imports are added where they are missing. Raises NotPlaced for anything else.
    """
    wanted, there = parsed(code), tree_of(text)
    changes: list[Change] = []
    for node in wanted.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            changes += import_added(node, there)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            changes += placed(node, lines_in(code, node), there, text)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            raise NotPlaced(
                f"line {node.lineno} of the code is neither a function nor a class nor an import: "
                f"{ast.unparse(node)[:80]}"
            )
    if not any(isinstance(node, Definition) for node in wanted.body):
        raise NotPlaced("the code holds no function and no class")
    lines = text.split("\n")
    for change in sorted(changes, key=lambda each: each.first, reverse=True):
        lines[change.first - 1 : change.last] = change.new
    return "\n".join(lines), [change.said for change in changes]


def parsed(code: str) -> ast.Module:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0) or 0
        shown = "".join(code.split("\n")[line - 1 : line])
        raise NotPlaced(f"the code is no Python: {getattr(error, 'msg', error)}, line {line}: {shown}") from None


def plain_code(code: str) -> str:
    """The code without a fence and an indentation that were copied along, newlines as newlines."""
    fenced = FENCED.search(code)
    code = fenced[1] if fenced else code
    if "\n" not in code.strip() and "\\n" in code:
        code = code.replace("\\n", "\n")
    return textwrap.dedent(code.replace("\r\n", "\n")).strip("\n")


def tree_of(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        raise NotPlaced("the file does not compile as it is; mend that first, with edit_file or write_file") from None


def names_in(code: str) -> list[str]:
    """The names of the functions and classes of some code, then of its methods; [] where it is no code."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError):
        return []
    found = [each for each in body if isinstance(each, Definition)]
    inside = [
        each.name
        for owner in found
        if isinstance(owner, ast.ClassDef)
        for each in owner.body
        if isinstance(each, Definition)
    ]
    return [each.name for each in found] + inside


def same_code(one: str, other: str) -> bool:
    """Whether two texts say the same: in other quotes, on other lines, but with the same comments."""
    if one == other or COMMENT.findall(one) != COMMENT.findall(other):
        return one == other
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, ValueError, RecursionError):
        return False


def placed(node: Definition, new: list[str], there: ast.Module, text: str) -> list[Change]:
    """Where a definition goes: over the one with its name, into the class that it is a method of, or to the end."""
    old = named(node.name, there.body)
    if isinstance(node, ast.ClassDef) and isinstance(old, ast.ClassDef):
        return members(node, new, old)
    classes = [each for each in there.body if isinstance(each, ast.ClassDef)]
    owners = [(each, found) for each in classes if (found := named(node.name, each.body))]
    method = not isinstance(node, ast.ClassDef) and bool(node.args.args) and node.args.args[0].arg in ("self", "cls")
    if old is not None and not (method and owners):
        return [over(old, node, new, node.name)]
    if len(owners) == 1 and (method or "staticmethod" in ast.unparse(owners[0][1])[:20]):
        return [over(owners[0][1], node, new, f"{owners[0][0].name}.{node.name}")]
    if method and len(classes) == 1 and not owners:
        return [into(classes[0], new, node.name)]
    if method:
        names = ", ".join(each.name for each in classes) or "none"
        raise NotPlaced(f"{node.name} is a method: write it inside of its class (the classes of this file: {names})")
    last = there.body[-1] if there.body else None
    if isinstance(last, ast.If) and "__main__" in ast.unparse(last.test):  # what is defined behind it comes too late
        return [Change(last.lineno, last.lineno - 1, [*new, "", ""], f"{node.name} is new")]
    end = len(text.rstrip("\n").split("\n")) if text.strip() else 0
    return [Change(end + 1, end, [*(["", ""] if end else []), *new], f"{node.name} is new")]


def members(node: ast.ClassDef, new: list[str], old: ast.ClassDef) -> list[Change]:
    """A class in the place of the old one; or, where it holds methods alone and not all of them, these methods."""
    there, wanted = contents(old), contents(node)
    missing = [name for name in there if name not in wanted]
    if not missing:
        return [over(old, node, new, node.name)]
    methods = [each for each in node.body if isinstance(each, Definition)]
    others = [name for name, said in wanted.items() if said and said != there.get(name)]
    if others or not methods:
        raise NotPlaced(f"{node.name} would lose {', '.join(missing)}; write the whole class, or a method alone")
    first = start_of(node)
    changes: list[Change] = []
    for each in methods:
        lines = new[start_of(each) - first : (each.end_lineno or 0) - first + 1]
        lines = textwrap.dedent("\n".join(lines)).split("\n")
        found = named(each.name, old.body)
        changes += [over(found, each, lines, f"{old.name}.{each.name}") if found else into(old, lines, each.name)]
    return changes


def contents(owner: ast.ClassDef) -> dict[str, str]:
    """What a class defines: of a field how, of a method nothing."""
    found: dict[str, str] = {}
    for each in owner.body:
        if isinstance(each, Definition):
            found[each.name] = ""
        elif isinstance(each, ast.AnnAssign | ast.Assign):
            targets = [each.target] if isinstance(each, ast.AnnAssign) else each.targets
            found |= {ast.unparse(target): ast.unparse(each) for target in targets}
    return found


def over(old: Definition, node: Definition, new: list[str], name: str) -> Change:
    """A definition in the place of the old one, whose decorators stay where the new one has none."""
    first = start_of(old) if node.decorator_list else old.lineno
    return Change(first, old.end_lineno or first, indented(new, old.col_offset), f"{name} replaced at line {first}")


def into(owner: ast.ClassDef, new: list[str], name: str) -> Change:
    end = owner.end_lineno or owner.lineno
    lines = ["", *indented(new, owner.body[0].col_offset)]
    return Change(end + 1, end, lines, f"{owner.name}.{name} is new, line {end + 2}")


def import_added(node: ast.Import | ast.ImportFrom, there: ast.Module) -> list[Change]:
    """An import goes behind those that are there, or behind the file's own description."""
    line = ast.unparse(node)
    ahead = [each for each in there.body if isinstance(each, ast.Import | ast.ImportFrom)]
    if line in map(ast.unparse, ahead):
        return []
    first = there.body[0] if there.body else None
    described = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    behind = (ahead[-1].end_lineno if ahead else first.end_lineno if described and first else 0) or 0
    return [Change(behind + 1, behind, [line] if ahead or not behind else ["", line], f"{line} is new")]


def named(name: str, body: list[ast.stmt]) -> Definition | None:
    """The last definition with a name, which is the one that counts."""
    found = [each for each in body if isinstance(each, Definition) and each.name == name]
    return found[-1] if found else None


def start_of(node: Definition) -> int:
    """The line of a definition's first decorator, or its own."""
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def lines_in(code: str, node: Definition) -> list[str]:
    return code.split("\n")[start_of(node) - 1 : node.end_lineno]


def indented(lines: list[str], columns: int) -> list[str]:
    return [" " * columns + line if line.strip() else "" for line in lines]
