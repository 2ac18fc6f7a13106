"""Likeness between answers, measured on the right answers that ship: ten a lesson, written to be unlike each other."""

from __future__ import annotations

import ast
from itertools import combinations
from pathlib import Path
from statistics import median, quantiles

import pytest
from learners import BY_PART, COURSE

from lessons import likeness
from lessons.course import Lesson
from lessons.likeness import ALIKE, LEAST, given, hashes, pairs, winnowed


def right(lesson: Lesson) -> list[Path]:
    return sorted((lesson.folder / "right").glob("*.py"))


class Renamed(ast.NodeTransformer):
    """What somebody does who wants it to look like theirs: every name another, every text and number another."""

    def __init__(self, tree: ast.AST) -> None:
        stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        given_names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        self.names = {name: f"my_{number}" for number, name in enumerate(sorted(stored | given_names | defined))}

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        for field in ("id", "name", "arg", "attr"):
            if getattr(node, field, None) in self.names:
                setattr(node, field, self.names[getattr(node, field)])
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = node.value.upper() + "!"
        return node


def disguised(text: str) -> str:
    """Renamed, with its functions and classes the other way round, and in another layout."""
    tree = ast.parse(text)
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    tree.body = [*(node for node in tree.body if node not in defined), *reversed(defined)]
    return ast.unparse(Renamed(tree).visit(tree))


def share(one: set[int], other: set[int]) -> float:
    return len(one & other) / min(len(one), len(other))


@pytest.mark.long
def test_none_of_the_right_answers_that_ship_are_called_alike_and_nearly_every_disguised_copy_is():
    shares, copied, few = [], [], 0
    for lesson in COURSE:
        common = given(lesson)
        texts = [path.read_text(encoding="utf-8") for path in right(lesson)]
        ours, copies = ([winnowed(hashes(text)) - common for text in each] for each in (texts, map(disguised, texts)))
        shares += [share(one, other) for one, other in combinations(ours, 2) if min(len(one), len(other)) >= LEAST]
        enough = [(one, copy) for one, copy in zip(ours, copies, strict=True) if min(len(one), len(copy)) >= LEAST]
        copied += [share(one, copy) for one, copy in enough]
        few += len(ours) - len(enough)
    named = sum(each >= ALIKE for each in copied)
    print(
        f"{len(shares)} pairs: median {median(shares):.2f}, 99 % below {quantiles(shares, n=100)[-1]:.2f}, "
        f"most {max(shares):.2f}; {len(copied)} copies: median {median(copied):.2f}, least {min(copied):.2f}, "
        f"{named} named; {few} too near to what is given"
    )
    assert len(shares) > 1300
    assert max(shares) < 0.6 < ALIKE
    assert named >= 0.99 * len(copied)
    assert few <= 0.04 * (len(copied) + few)


def test_two_answers_that_are_alike_are_named_with_their_learners(tmp_path: Path):
    lesson = BY_PART["dispatch"]
    one, other = right(lesson)[:2]
    copy = tmp_path / "copy.py"
    copy.write_text(disguised(one.read_text(encoding="utf-8")), encoding="utf-8")
    (found,) = pairs(lesson, [("ada", one), ("bob", other), ("eve", copy)])
    assert found.names == ("ada", "eve")
    assert found.share >= ALIKE


def test_the_courses_own_solution_in_other_words_is_no_likeness(tmp_path: Path):
    lesson = BY_PART["dispatch"]
    copy = tmp_path / "copy.py"
    copy.write_text(disguised(lesson.text("solution.py")), encoding="utf-8")
    assert pairs(lesson, [("ada", lesson.folder / "solution.py"), ("bob", copy), ("eve", copy)]) == []


@pytest.mark.parametrize(
    "text", ["def broken(:", "x = '\ud800'", "(" * 5000, "", "\0", "f(" * 90 + ")" * 90], ids=ascii
)
def test_what_is_no_answer_is_like_nothing(text: str, tmp_path: Path):
    path = tmp_path / "odd.py"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert pairs(COURSE[0], [("ada", path), ("bob", path), ("eve", tmp_path / "none.py")]) == []


def test_a_file_that_is_too_large_is_passed_over(tmp_path: Path):
    path = tmp_path / "large.py"
    path.write_text("\n".join(f"if f({number}): g(h[{number}] + k)" for number in range(9000)))
    assert path.stat().st_size > likeness.LARGEST
    assert pairs(COURSE[0], [("ada", path), ("bob", path)]) == []
