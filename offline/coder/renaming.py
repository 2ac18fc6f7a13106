"""Renaming a function, class, method, attribute or variable: where the name means that thing, and nowhere else."""

from __future__ import annotations

import ast
import builtins
import keyword
import symtable
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Place = tuple[int, int]  # line from 1, column in characters from 0


@dataclass(frozen=True)
class Renaming:
    """What is renamed. `kind` is "name" (at the top of the modules `homes`), "member" (of a class) or "local"."""

    kind: str
    old: str
    new: str
    homes: frozenset[str] = frozenset()


def renaming_of(old: str, new: str, files: Mapping[str, str], only: str = "") -> Renaming | str:
    """What a person means by a name, or the sentence that says why it is not renamed."""
    if not new.isidentifier() or keyword.iskeyword(new) or hasattr(builtins, new):
        return f"{new} cannot be used as a name here: Python has a meaning for it. I changed nothing."
    last = old.rpartition(".")[2]
    trees = {path: tree for path, text in files.items() if path.endswith(".py") and (tree := parsed(text))}
    taken = [path for path, tree in trees.items() if new in names_in(tree)]
    if taken:
        return f"{new} is used already, in {', '.join(taken[:3])}, so nothing was renamed. Choose another name."
    at_the_top = frozenset(path for path, tree in trees.items() if last in names_made(tree.body))
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    owners = [node.name for node in classes if last in members(node)]
    if "." in old or (owners and not at_the_top):
        if len(set(owners)) > 1:
            both = " and ".join(sorted(set(owners)))
            return f"{both} have a {last}, and I cannot tell which is meant where it is used. I changed nothing."
        return Renaming("member", last, new) if owners else f"There is no {old} in this project. I changed nothing."
    if at_the_top:
        return Renaming("name", last, new, at_the_top)
    if any(last in names_in(tree) for path, tree in trees.items() if not only or path == only):
        return Renaming("local", last, new)
    return f"There is no {old} in {only or 'this project'}. I changed nothing."


def parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def names_in(tree: ast.Module) -> set[str]:
    """Every name, attribute, parameter and definition in a module."""
    found: set[str] = set()
    for node in ast.walk(tree):
        found |= {
            text
            for field in ("id", "attr", "arg", "name", "asname")
            if isinstance(text := getattr(node, field, None), str)
        }
    return found


def names_made(body: list[ast.stmt]) -> set[str]:
    """What the statements of a body define, at its own level, within `if` and `try` too."""
    made: set[str] = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            made |= {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        elif isinstance(node, ast.If | ast.Try):
            made |= names_made([*node.body, *node.orelse])
    return made


def members(node: ast.ClassDef) -> set[str]:
    """The methods and attributes of a class: what its body defines and what is assigned to self."""
    assigned = {
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) and ast.unparse(one.value) == "self"
    }
    return names_made(node.body) | assigned


def renamed(path: str, text: str, change: Renaming) -> str:
    """The text of a file with the name replaced where it means the thing. Comments and strings stay as they are."""
    tree = parsed(text)
    if tree is None:
        return text
    lines = text.split("\n")
    for line, column in sorted(set(places(path, text, tree, change)), reverse=True):
        found = lines[line - 1].find(change.old, column)
        if found >= 0:
            lines[line - 1] = f"{lines[line - 1][:found]}{change.new}{lines[line - 1][found + len(change.old) :]}"
    return "\n".join(lines)


def places(path: str, text: str, tree: ast.Module, change: Renaming) -> Iterator[Place]:
    if change.kind == "member":
        yield from member_places(tree, text, change.old)
    elif change.kind == "local":
        yield from name_places(text, tree, change.old, local=True)
    elif path in change.homes:
        yield from name_places(text, tree, change.old, local=False)
        yield from exported(tree, text, change.old)
    else:
        yield from foreign_places(text, tree, change)


def member_places(tree: ast.Module, text: str, old: str) -> Iterator[Place]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == old:
            yield at_its_end(text, node)
        elif isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name == old:
                    yield one.lineno, column(text, one.lineno, one.col_offset) + len("def ")
                elif isinstance(one, ast.AnnAssign | ast.Assign):
                    targets = one.targets if isinstance(one, ast.Assign) else [one.target]
                    yield from (at(text, each) for each in targets if isinstance(each, ast.Name) and each.id == old)
        elif isinstance(node, ast.keyword) and node.arg == old:  # a field of a dataclass
            yield at(text, node)


def name_places(text: str, tree: ast.Module, old: str, *, local: bool) -> Iterator[Place]:
    """Where a name means that of the module (or, with `local`, that of a function), by Python's own scopes."""
    scopes = local_scopes(text, old)
    for node, inside in with_scope(tree):
        is_local = any(scope in scopes for scope in inside)
        if is_local != local:
            continue
        if (isinstance(node, ast.Name) and node.id == old) or (isinstance(node, ast.arg) and node.arg == old):
            yield at(text, node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == old:
            yield node.lineno, column(text, node.lineno, node.col_offset) + 4
        elif isinstance(node, ast.Global | ast.Nonlocal) and old in node.names:
            yield at(text, node)
    if local:
        names = {name for name, _ in scopes}
        for node in ast.walk(tree):  # a parameter that is given by its name
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in names:
                yield from (at(text, one) for one in node.keywords if one.arg == old)


Scope = tuple[str, int]  # the name of a function and the line on which it begins


def local_scopes(text: str, name: str) -> set[Scope]:
    """The functions in which a name is their own."""
    found: set[Scope] = set()
    waiting = [symtable.symtable(text, "file", "exec")]
    while waiting:
        table = waiting.pop()
        waiting += table.get_children()
        if table.get_type() == "function" and name in table.get_identifiers() and table.lookup(name).is_local():
            found.add((table.get_name(), table.get_lineno()))
    return found


def with_scope(tree: ast.Module) -> Iterator[tuple[ast.AST, tuple[Scope, ...]]]:
    """Every node with the functions that it stands in, outermost first."""

    def look(node: ast.AST, inside: tuple[Scope, ...]) -> Iterator[tuple[ast.AST, tuple[Scope, ...]]]:
        for child in ast.iter_child_nodes(node):
            yield child, inside
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
                yield from look(child, (*inside, (child.name, child.lineno), (child.name, first)))
            elif isinstance(child, ast.Lambda):
                yield from look(child, (*inside, ("lambda", child.lineno)))
            else:
                yield from look(child, inside)

    yield from look(tree, ())


def foreign_places(text: str, tree: ast.Module, change: Renaming) -> Iterator[Place]:
    """Where another module uses the name: what it imports from the home, and `home.name`."""
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in change.homes}
    stems = {module.rpartition(".")[2] for module in modules}
    plainly = False
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] in stems | {""}:
            for alias in node.names:
                if alias.name == change.old:
                    yield at(text, alias)
                    plainly = plainly or alias.asname is None
        elif isinstance(node, ast.Attribute) and node.attr == change.old and last_of(node.value) in stems:
            yield at_its_end(text, node)
    if plainly:
        yield from name_places(text, tree, change.old, local=False)


def exported(tree: ast.Module, text: str, old: str) -> Iterator[Place]:
    """The name in `__all__`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            yield from (at(text, one) for one in ast.walk(node) if isinstance(one, ast.Constant) and one.value == old)


def at(text: str, node: ast.AST) -> Place:
    return node.lineno, column(text, node.lineno, node.col_offset)  # type: ignore[attr-defined]


def at_its_end(text: str, node: ast.Attribute) -> Place:
    return node.end_lineno or node.lineno, column(text, node.end_lineno, node.end_col_offset) - len(node.attr)


def last_of(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def column(text: str, line: int | None, offset: int | None) -> int:
    """A column in characters: the parser counts bytes."""
    return len(text.split("\n")[(line or 1) - 1].encode()[: offset or 0].decode(errors="ignore"))
