"""The small changes that can be made to a file, by cosmic-ray, without those that no test could see."""

from __future__ import annotations

import ast
import difflib
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import yaml

from config import PROJECT

SAME = re.compile(r"_(Eq_Is|NotEq_IsNot|Is_Eq|IsNot_NotEq)$")  # for small numbers, short texts and what is there once
EQUIVALENT = PROJECT / "datasets" / "mutants" / "equivalent.yaml"


@dataclass(frozen=True)
class Mutant:
    """One change: the file, what kind of change, the how-manieth of its kind, and the file's text with it."""

    path: str
    kind: str
    number: int
    text: str

    @property
    def change(self) -> list[str]:
        """The lines that go, each after a "-", and those that come, each after a "+"."""
        before = (PROJECT / self.path).read_text(encoding="utf-8").splitlines()
        return [
            line
            for line in itertools.islice(
                difflib.unified_diff(before, self.text.splitlines(), lineterm="", n=0), 2, None
            )
            if line[0] in "+-"
        ]

    @property
    def lines(self) -> list[int]:
        """The numbers of the lines that it changes, in the file as it was."""
        before = (PROJECT / self.path).read_text(encoding="utf-8").splitlines()
        steps = difflib.SequenceMatcher(None, before, self.text.splitlines(), autojunk=False).get_opcodes()
        return [line + 1 for tag, low, high, *_ in steps if tag != "equal" for line in range(low, max(high, low + 1))]


def places_in(path: str) -> Iterator[tuple[str, int]]:
    """Every place of a file that can be changed: what kind of change, and the how-manieth of its kind."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    nodes = list(ast_nodes(get_ast((PROJECT / path).read_text(encoding="utf-8"))))
    for kind in operator_names():
        operator = get_operator(kind)
        if not operator.arguments() and not SAME.search(kind):
            yield from (
                (kind, number) for number in range(sum(len(list(operator().mutation_positions(n))) for n in nodes))
            )


def mutant_at(path: str, kind: str, number: int) -> Mutant | None:
    """The change, None when the file then means the same, is no Python, or is known to do the same."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    text = (PROJECT / path).read_text(encoding="utf-8")
    try:
        changed = mutate_code(text, get_operator(kind)(), number)
    except AttributeError:  # cosmic-ray's own, at `except module.Error`
        return None
    if not changed or meaning(changed) in ("", meaning(text)):
        return None
    mutant = Mutant(path, kind, number, changed)
    return None if (path, *bare(mutant.change)) in equivalent() else mutant


def bare(change: list[str]) -> tuple[str, ...]:
    """A change as the list of equivalent ones writes it: without what stands at the left."""
    return tuple(f"{line[0]} {line[1:].strip()}" for line in change)


@cache
def equivalent() -> frozenset[tuple[str, ...]]:
    """The changes that do the same, each looked at by a person, who gave the reason: (file, "- before", "+ after")."""
    entries = yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8"))
    return frozenset((path, *each["change"]) for path, changes in entries.items() for each in changes or ())


def meaning(text: str) -> str:
    """What a text does, as its syntax tree without annotations and documentation; "" when it is no Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = ast.Constant(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.arguments):  # how it may be called; who calls it does so as before
            node.args, node.posonlyargs, node.kwonlyargs = node.posonlyargs + node.args + node.kwonlyargs, [], []
            node.defaults, node.kw_defaults = node.defaults + [each for each in node.kw_defaults if each], []
        if isinstance(node, ast.Call):  # strict=True of zip guards what cannot happen
            node.keywords = [each for each in node.keywords if each.arg != "strict"]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(0)
    return ast.dump(tree)
