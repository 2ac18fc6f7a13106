"""Every operator of the table has a bug here that it repairs alone, most of them one that no other operator repairs."""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from providers.offline.mutations import OPERATORS, Operator
from providers.offline.source import Source, apply_edits
from providers.offline.vocabulary import Vocabulary

MOST_LINES = 3000  # run by one candidate before it counts as an endless loop

# Operator -> a buggy program and what must hold once it is repaired.
BUGS: dict[str, tuple[str, str]] = {
@@CASES@@}

# Where other operators reach the same repair in other words: a statement or a call can be right in several ways.
REACHED_BY_OTHERS: dict[str, tuple[str, ...]] = {
@@SHARED@@}


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_the_operator_alone_repairs_its_bug(operator: Operator) -> None:
    program, check = _bug(operator.name)
    assert not _holds(program, check)
    assert any(_holds(changed, check) for changed in _changes(operator, program, check))


@pytest.mark.parametrize("operator", [one for one in OPERATORS if one.name not in REACHED_BY_OTHERS], ids=lambda o: o.name)
def test_no_other_operator_repairs_this_bug(operator: Operator) -> None:
    program, check = _bug(operator.name)
    others = [one for one in OPERATORS if one is not operator]
    assert [one.name for one in others if any(_holds(text, check) for text in _changes(one, program, check))] == []


def test_the_table_names_every_operator_once_and_every_bug_belongs_to_one() -> None:
    names = [operator.name for operator in OPERATORS]
    assert len(names) == len(set(names))
    assert set(BUGS) == set(names)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_an_operator_leaves_everything_else_in_the_text_alone(operator: Operator) -> None:
    program, check = _bug(operator.name)
    spaced = "# a comment above\n" + program + "\n\n# a comment below\n"
    for changed in _changes(operator, spaced, check):
        assert changed.startswith("# a comment above\n")
        assert changed.endswith("# a comment below\n")


def _bug(name: str) -> tuple[str, str]:
    program, check = BUGS[name]
    return textwrap.dedent(program).lstrip("\n"), textwrap.dedent(check).lstrip("\n")


def _changes(operator: Operator, program: str, check: str) -> Iterator[str]:
    """The program with each change that the operator makes of it."""
    source = Source("program.py", program)
    words = Vocabulary({"program.py": source}, [ast.parse(check)])
    for node in ast.walk(source.tree):
        if isinstance(node, operator.nodes) and hasattr(node, "lineno"):
            for made in operator.make(node, source, words):
                yield apply_edits(program, made if isinstance(made, tuple) else (made,))


def _holds(program: str, check: str) -> bool:
    """Whether the check passes after the program, within a number of lines."""
    try:
        code = compile(f"{program}\n{check}", "program.py", "exec")
    except (SyntaxError, ValueError):
        return False
    left = MOST_LINES

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise TimeoutError
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        exec(code, {})
    except BaseException:
        return False
    finally:
        sys.settrace(before)
    return True
