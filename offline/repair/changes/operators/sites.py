"""Operators that make the same change at every place of its kind: a mistake that was made once is often made again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...reading.shapes import fit
from ...reading.source import Source, enclosing
from ...reading.vocabulary import Vocabulary
from ..edits import Edit
from . import logic, names, values

MOST_SITES = 12
CHANGES = {
    ast.Attribute: (names.attribute, names.field_for_name, names.member_of_name),
    ast.Name: (names.variable, names.function),
    ast.Constant: (values.number, values.text, values.truth),
    ast.BinOp: (logic.arithmetic,),
    ast.Compare: (logic.comparison,),
}


def every_site(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[tuple[Edit, ...]]:
    """One change of an expression at all places where the same stands in the same surroundings."""
    groups = [group for group in _groups(node, source, words) if 1 < len(group) <= MOST_SITES]
    if not groups:
        return
    (start, end), text = source.span(node), source.cut(node)
    for make in CHANGES[type(node)]:
        for made in list(make(node, source, words))[:10]:
            if not start <= made.start <= made.end <= end:
                continue
            changed = text[: made.start - start] + made.text + text[made.end - start :]
            for group in groups:
                yield tuple(sorted(fit(one, changed, home) for one, home in group))


def _groups(node: ast.AST, source: Source, words: Vocabulary) -> list[list[tuple[ast.AST, Source]]]:
    """The places like this one: in the same larger expression; in the same class or file; of that attribute."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return []
    around, text = enclosing(node, ast.ClassDef, ast.Module), ast.dump(node)
    alike = words.expressions(around)[text] if around else []
    wide = [one for one in alike if isinstance(node.parent, ast.expr) and _same(one.parent, node.parent)]
    groups = [[(one, source) for one in wide]]
    if not isinstance(node, ast.Constant) and len(alike) > len(wide):
        groups.append([(one, source) for one in alike])
    if isinstance(node, ast.Attribute) and node.attr not in words.defined_fields():
        homes = words.sources.values()
        groups.append([(one, home) for home in homes for one in words.expressions(home.tree)[text]])
    return groups


def _same(one: ast.AST, other: ast.AST) -> bool:
    return type(one) is type(other) and ast.dump(one) == ast.dump(other)
