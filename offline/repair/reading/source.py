"""One program file as text and as a tree, and the way between them: a change is always a change of the text."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property

from ..changes.edits import Edit


class Source:
    """A parsed file. Nodes know their parent (`node.parent`) and can be cut out of the text."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.lines = text.splitlines(keepends=True)
        self.tree = ast.parse(text)
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                child.parent = node  # type: ignore[attr-defined]

    @cached_property
    def _line_starts(self) -> list[int]:
        starts, position = [0], 0
        for line in self.text.split("\n"):
            position += len(line) + 1
            starts.append(position)
        return starts

    def offset(self, line: int, column: int) -> int:
        """The character offset of a 1-based line and a column in UTF-8 bytes, as the parser counts them."""
        start = self._line_starts[line - 1]
        text = self.text[start : self._line_starts[line] - 1]
        if text.isascii():
            return start + column
        return start + len(text.encode()[:column].decode(errors="replace"))

    def line_start(self, line: int) -> int:
        """The offset at which a 1-based line begins."""
        return self._line_starts[line - 1]

    def line_end(self, line: int) -> int:
        """The offset just past a line's newline (or the end of the text)."""
        return min(self._line_starts[line], len(self.text))

    def line_of(self, offset: int) -> int:
        """The 1-based line that an offset is in."""
        return bisect_right(self._line_starts, offset)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node begins and ends in the text."""
        start = self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        return start, self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def cut(self, node: ast.AST) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def replace(self, node: ast.AST, text: str) -> Edit:
        """The edit that puts `text` where the node is."""
        return Edit(self.path, *self.span(node), text)

    def find(self, token: str, start: int, end: int) -> int:
        """The offset of a token between two offsets, outside comments and line joins; -1 when absent."""
        position = start
        while position < end:
            if self.text[position] == "#":
                position = self.text.find("\n", position, end)
                if position < 0:
                    return -1
            elif self.text.startswith(token, position):
                return position
            position += 1
        return -1

    def statements(self) -> Iterator[ast.stmt]:
        """Every statement, outer before inner, in the order of the text."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.stmt):
                yield node


def top_of(node: ast.AST, sources: Mapping[str, Source]) -> Source:
    """The source that a node belongs to."""
    while not isinstance(node, ast.Module):
        node = node.parent  # type: ignore[attr-defined]
    return next(source for source in sources.values() if source.tree is node)


def header_lines(statement: ast.stmt) -> range:
    """The lines of a statement without the blocks inside it."""
    last = statement.end_lineno or statement.lineno
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body:
        last = max(statement.lineno, min(first_line(body[0]) - 1, last))
    return range(first_line(statement), last + 1)


def first_line(statement: ast.stmt) -> int:
    """The first line of a statement, decorators included."""
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(node.lineno for node in decorators)])


def enclosing(node: ast.AST, *kinds: type[ast.AST]) -> ast.AST | None:
    """The nearest node around this one that is of one of the kinds."""
    current = getattr(node, "parent", None)
    while current is not None and not isinstance(current, kinds):
        current = getattr(current, "parent", None)
    return current
