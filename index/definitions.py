"""What a program defines, by name."""

from __future__ import annotations

import ast

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


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
