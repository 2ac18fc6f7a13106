"""Where a person allows a change: in the file or function that was named, and nowhere that was named as left alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from offline.coder.wish import Wish
from offline.repair.reading.project import read_project
from offline.repair.repair import Repair


@dataclass(frozen=True)
class Bounds:
    """`only` maps a path to the first and last line that may change; empty means everywhere but in `avoid`."""

    only: Mapping[str, tuple[int, int]]
    avoid: tuple[str, ...] = ()

    def allowed(self, files: Mapping[str, str]) -> Mapping[str, tuple[int, int]] | None:
        """The files and lines that may change, None for all."""
        if not self.only and not self.avoid:
            return None
        only = self.only or {path: (1, text.count("\n") + 1) for path, text in files.items()}
        return {path: lines for path, lines in only.items() if path not in self.avoid}

    def hold(self, change: Repair | None) -> bool:
        return change is not None and all(self._hold(one) for one in (change, *change.also))

    def _hold(self, change: Repair) -> bool:
        if change.path in self.avoid:
            return False
        first, last = self.only.get(change.path, (1, 0)) if self.only else (1, change.line)
        return first <= change.line <= last

    def __str__(self) -> str:
        places = [f"{path}, lines {first} to {last}" for path, (first, last) in self.only.items()]
        return " or ".join(places) or (f"what is not {', '.join(self.avoid)}" if self.avoid else "")


def bounds_of(wish: Wish, files: Mapping[str, str]) -> Bounds | str:
    """The bounds that a wish sets, or the sentence that says why they cannot be kept."""
    avoid = tuple(path for named in wish.avoid for path in meant(named, files))
    paths = meant(wish.path, files) if wish.path else list(files)
    if wish.path and not paths:
        return f'There is no file "{wish.path}" here. I changed nothing.'
    tests = read_project(files).test_paths
    if wish.path and all(path in tests for path in paths):
        return Bounds({}, avoid)
    if not wish.name or is_test(wish.name):
        return Bounds({path: (1, files[path].count("\n") + 1) for path in paths} if wish.path else {}, avoid)
    only = {path: lines for path in paths if path not in tests and (lines := lines_of(wish.name, files[path]))}
    if not only and not wish.is_sure and "." not in wish.name:  # a word such as "crash"
        return bounds_of(replace(wish, name=""), files)
    if not only:
        return f"There is no function or class {wish.name} in {wish.path or 'this project'}. I changed nothing."
    return Bounds(only, avoid)


def is_test(name: str) -> bool:
    return name.rpartition(".")[2].startswith("test")


def meant(name: str, files: Mapping[str, str]) -> list[str]:
    """The files that a name may mean: the path itself, or all that end with it."""
    name = name.removeprefix("./")
    return [name] if name in files else [path for path in files if path.endswith(f"/{name}")]


def lines_of(name: str, text: str) -> tuple[int, int] | None:
    """First and last line of a function, class or method ("Cart.add") of this name."""
    owner, _, last = name.rpartition(".")
    for inside, node in definitions(text):
        if node.name == last and (not owner or inside == owner):
            return min([node.lineno, *(one.lineno for one in node.decorator_list)]), node.end_lineno or node.lineno
    return None


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions(text: str) -> list[tuple[str, Definition]]:
    """Every function and class with the class that it stands in ("" for none), in the order of the text."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    found: list[tuple[str, Definition]] = []

    def look(node: ast.AST, inside: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Definition):
                found.append((inside, child))
            look(child, child.name if isinstance(child, ast.ClassDef) else inside)

    look(tree, "")
    return found


def without_tests(text: str, names: set[str]) -> str:
    """A test file without the tests of these names: what fails beside the one that the person named."""
    lines = text.split("\n")
    for _, node in definitions(text):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in names:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            indent = " " * node.col_offset
            lines[first - 1 : node.end_lineno] = [f"{indent}pass"] + [""] * ((node.end_lineno or first) - first)
    return "\n".join(lines)
