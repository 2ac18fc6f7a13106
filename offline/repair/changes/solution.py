"""Parts of a correct program of the same task, in the words of the one that is repaired.

A function of the solution is renamed to the names of its counterpart (parameters by place, other names by how they are
used); what then differs, hunk by hunk of lines, are the changes, the fewest and smallest first.
"""

from __future__ import annotations

import ast
import difflib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations

from ..reading.shapes import indent_of, is_docstring, unit_of
from ..reading.source import Source
from .edits import difference

MOST_HUNKS = 7  # all choices of so many are tried; of more only few at once
Function = ast.FunctionDef


def whole_functions(source: Source, solution: Mapping[str, str]) -> dict[str, Function]:
    """Name -> function of the solution, for the functions that the file has too."""
    theirs = {node.name: node for text in solution.values() for node in _functions(ast.parse(text))}
    return {node.name: theirs[node.name] for node in _functions(source.tree) if node.name in theirs}


def variants(source: Source, name: str, theirs: Function) -> Iterator[str]:
    """Texts of the file with ever more of one function taken from the solution; the last has all of it."""
    mine = next(node for node in _functions(source.tree) if node.name == name)
    first = mine.body[1] if is_docstring(mine.body[0]) and len(mine.body) > 1 else mine.body[0]
    start, end = source.line_start(first.lineno), source.line_end(mine.end_lineno or mine.lineno)
    old = source.text[start:end].splitlines(keepends=True)
    new = _body(_renamed(theirs, _names_for(mine, theirs)), indent_of(first, source), unit_of(source))
    hunks = [one for one in _opcodes(old, new) if one[0] != "equal"]
    for chosen in _choices(hunks):
        text = source.text[:start] + "".join(_merged(old, new, chosen)) + source.text[end:]
        if _parses(text):
            yield text


def changed_lines_of(source: Source, text: str) -> int:
    """How much a text differs from the file, in characters."""
    return sum(edit.end - edit.start + len(edit.text) for edit in difference(source.path, source.text, text))


def _choices(hunks: list[tuple[str, int, int, int, int]]) -> Iterator[list[tuple[str, int, int, int, int]]]:
    counts = range(1, len(hunks) + 1) if len(hunks) <= MOST_HUNKS else (1, 2, len(hunks) - 1, len(hunks))
    every = [list(chosen) for count in counts for chosen in combinations(hunks, count)]
    yield from sorted(every, key=lambda chosen: sum(b - a + d - c for _, a, b, c, d in chosen))


def _merged(old: list[str], new: list[str], chosen: list[tuple[str, int, int, int, int]]) -> Iterator[str]:
    place = 0
    for _, first, last, new_first, new_last in chosen:
        yield from old[place:first]
        yield from new[new_first:new_last]
        place = last
    yield from old[place:]


def _opcodes(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    """What differs, line by line; quotes, blanks and comments at the end do not count."""
    keys = [[_key(line) for line in lines] for lines in (old, new)]
    return difflib.SequenceMatcher(None, *keys, autojunk=False).get_opcodes()


def _key(line: str) -> str:
    return line.rstrip().partition("  #")[0].replace("'", '"').replace("((", "(").replace("))", ")")


def _body(function: Function, indent: str, unit: str) -> list[str]:
    body = function.body[1:] if is_docstring(function.body[0]) and len(function.body) > 1 else function.body
    lines = "\n".join(ast.unparse(one) for one in body).split("\n")
    return [indent + line.replace("    ", unit) + "\n" for line in lines]


def _renamed(function: Function, names: Mapping[str, str]) -> Function:
    copy = ast.parse(ast.unparse(function)).body[0]
    assert isinstance(copy, ast.FunctionDef)
    for node in ast.walk(copy):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
    return copy


def _names_for(mine: Function, theirs: Function) -> dict[str, str]:
    """Names of the solution -> names of the student: parameters by place, then those used most alike."""
    pairs = zip(theirs.args.args, mine.args.args, strict=False)
    found = {their.arg: my.arg for their, my in pairs}
    uses, my_uses = _uses(theirs), _uses(mine)
    free = [name for name in my_uses if name not in found.values()]
    scored = [
        (sum((uses[their] & my_uses[my]).values()), their, my) for their in uses if their not in found for my in free
    ]
    for score, their, my in sorted(scored, key=lambda one: -one[0]):
        if score and their not in found and my not in found.values():
            found[their] = my
    return found


def _uses(function: Function) -> dict[str, Counter[str]]:
    """For each name that a function binds: the shapes of the places where it stands."""
    bound = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for parent in ast.walk(function):
        for field, value in ast.iter_fields(parent):
            for node in value if isinstance(value, list) else [value]:
                if isinstance(node, ast.Name) and node.id in bound:
                    found[node.id][f"{type(parent).__name__}.{field}"] += 1
                    found[node.id][type(parent).__name__] += 1
    return dict(found)


def _functions(tree: ast.Module) -> list[Function]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
