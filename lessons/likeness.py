"""How alike two answers are beyond what everybody was given: told as a fact, for which there are many reasons.

Winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003): each
run of RUN tokens is hashed, and of NEIGHBOURS such hashes the smallest is kept. One name is as good as another, so is a
text and a number; comments, docstrings, annotations and layout do not count; where a run stands does not matter.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from zlib import crc32

from lessons.course import Lesson

RUN, NEIGHBOURS = 8, 4  # whatever two files share over RUN + NEIGHBOURS - 1 tokens is found
LEAST = 16  # fingerprints of an answer's own; of fewer nothing can be said
ALIKE = 0.75  # of these; tests/lessons/test_likeness.py says what unrelated answers have, and copies
LARGEST = 100_000  # bytes of a file that is looked at
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
GIVEN = ("start.py", "solution.py", "README.md", "hints.md")


@dataclass(frozen=True)
class Pair:
    """Two learners whose answers to a lesson are alike; `share` is the part of the smaller one that both have."""

    lesson: Lesson
    names: tuple[str, str]
    share: float


class Plain(ast.NodeTransformer):
    """Takes out of a tree what differs between an answer and a copy of it in other words."""

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        for name in ("id", "attr", "arg", "name", "asname"):
            now = getattr(node, name, None)
            if isinstance(now, str) and not (name == "id" and hasattr(builtins, now)):
                setattr(node, name, "n")
        for name in ("returns", "annotation"):
            if getattr(node, name, None) and not isinstance(node, ast.AnnAssign):
                setattr(node, name, None)
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Name):
            node.body = body[1:] or [ast.Pass()]  # type: ignore[attr-defined]  # it was a docstring
        if isinstance(node, ast.JoinedStr):
            return ast.Name("s")
        if isinstance(node, ast.Constant) and not isinstance(node.value, bool | None):
            return ast.Name("s" if isinstance(node.value, str | bytes) else "0")
        if isinstance(node, ast.AnnAssign):
            return ast.Assign([node.target], node.value) if node.value else ast.Pass()
        return node


def hashes(text: str) -> list[int]:
    """A hash of each run of tokens; none where the text is no Python."""
    try:
        plain = ast.unparse(ast.fix_missing_locations(Plain().visit(ast.parse(text))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    tokens = re.findall(r"\w+|[^\w\s]", plain)
    return [crc32(" ".join(tokens[index : index + RUN]).encode()) for index in range(len(tokens) - RUN + 1)]


def winnowed(found: Sequence[int]) -> set[int]:
    """The fingerprints of a text: of each few neighbours the smallest hash."""
    return {min(found[index : index + NEIGHBOURS]) for index in range(max(0, len(found) - NEIGHBOURS) + 1) if found}


def given(lesson: Lesson) -> set[int]:
    """What everybody has from the lesson: its start, its solution, and the code on its page and in its hints."""
    texts = [lesson.text(name) for name in GIVEN]
    code = [*texts[:2], *(block for text in texts[2:] for block in BLOCK.findall(text))]
    return {one for text in code for one in hashes(text)}


def pairs(lesson: Lesson, answers: Iterable[tuple[str, Path]]) -> list[Pair]:
    """Which of these answers, each with its learner's name, are alike: the most alike first."""
    common = given(lesson)
    own = [(name, winnowed(hashes(text_of(path))) - common) for name, path in answers]
    known = [(name, prints) for name, prints in own if len(prints) >= LEAST]
    found = [
        Pair(lesson, (one, other), len(ours & theirs) / min(len(ours), len(theirs)))
        for (one, ours), (other, theirs) in combinations(known, 2)
    ]
    return sorted((pair for pair in found if pair.share >= ALIKE), key=lambda pair: -pair.share)


def text_of(path: Path) -> str:
    """A learner's file as text; "" for none, for one that is too large and one that is no text."""
    try:
        return path.read_text(encoding="utf-8") if path.stat().st_size <= LARGEST else ""
    except (OSError, UnicodeDecodeError):
        return ""
