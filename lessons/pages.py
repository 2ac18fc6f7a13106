"""A lesson's text as blocks: Markdown read by markdown-it, ready to be drawn in a terminal of any width.

What is drawn keeps every word of the page. A link is its text, and the place it leads to unless the text says it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

Span = tuple[str, str]  # a text, and how it looks: "", "code", "strong", "link"
LOOKS = {"em_open": "strong", "strong_open": "strong"}


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph ("text") or a block of code. A list's item is a paragraph that begins with `first`; what
    belongs to it stands under its text, behind `indent`."""

    kind: str
    spans: tuple[Span, ...]
    first: str = ""
    indent: str = ""

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.spans)


def blocks(text: str) -> list[Block]:
    """Read Markdown as CommonMark has it: headings, paragraphs, lists of both kinds, code, links."""
    from markdown_it import MarkdownIt

    return list(read(MarkdownIt("commonmark").parse(text)))


def read(tokens: Sequence[Token]) -> Iterator[Block]:
    lists: list[int | None] = []  # the number of the coming item in each list that is open; None where it has no number
    marks: list[str] = []  # what each open item begins with
    fresh = False  # whether the mark of the innermost item is still to be drawn
    heading = False
    for token in tokens:
        kind = token.type
        if kind in ("ordered_list_open", "bullet_list_open"):
            lists.append(int(token.attrGet("start") or 1) if kind == "ordered_list_open" else None)
        elif kind in ("ordered_list_close", "bullet_list_close"):
            lists.pop()
        elif kind == "list_item_open":
            number, fresh = lists[-1], True
            marks.append("- " if number is None else f"{number}. ")
            lists[-1] = None if number is None else number + 1
        elif kind == "list_item_close":
            marks.pop()
        elif kind in ("heading_open", "heading_close"):
            heading = kind == "heading_open"
        elif kind in ("inline", "fence", "code_block"):
            indent = "".join(" " * len(mark) for mark in marks)
            first = indent[: len(indent) - len(marks[-1])] + marks[-1] if fresh and marks else indent
            fresh = False
            if kind == "inline":
                yield Block("heading" if heading else "text", tuple(spans(token.children or ())), first, indent)
            else:
                yield Block("code", ((token.content.rstrip("\n"), ""),), indent, indent)


def spans(tokens: Sequence[Token]) -> Iterator[Span]:
    look, place, said = [""], "", ""
    for token in tokens:
        if token.type in LOOKS:
            look.append(LOOKS[token.type])
        elif token.type in ("em_close", "strong_close"):
            look.pop()
        elif token.type == "link_open":
            place, said = str(token.attrGet("href") or ""), ""
            look.append("link")
        elif token.type == "link_close":
            look.pop()
            if shown := place_beside(place, said):
                yield f" ({shown})", ""
        elif token.type in ("softbreak", "hardbreak"):
            yield " ", look[-1]
        elif token.content:
            said += token.content
            yield token.content, "code" if token.type == "code_inline" else look[-1]


def place_beside(place: str, said: str) -> str:
    """Where a link leads, as a person would type it from the project's folder; "" where its text says so already."""
    shown = place if "://" in place else posixpath.normpath(place).replace("../", "")
    return "" if shown == said else shown


def fold(spans: Sequence[Span], width: int, first: str = "", indent: str = "") -> list[list[Span]]:
    """The spans as lines of at most `width` columns, broken at spaces. A word that is wider than a line stays whole."""
    lines: list[list[Span]] = [[(first, "")] if first else []]
    used, empty = len(first), True
    for word in words_of(spans):
        length = sum(len(text) for text, _ in word)
        if not empty and used + 1 + length > width:
            lines.append([(indent, "")] if indent else [])
            used, empty = len(indent), True
        if not empty:
            lines[-1].append((" ", lines[-1][-1][1] if lines[-1][-1][1] == word[0][1] else ""))
            used += 1
        lines[-1] += word
        used, empty = used + length, False
    return lines


def words_of(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """The words, each in the pieces that look different."""
    word: list[Span] = []
    for text, look in spans:
        for number, piece in enumerate(text.split(" ")):
            if number and word:
                yield word
                word = []
            if piece:
                word.append((piece, look))
    if word:
        yield word


def cut(text: str, width: int) -> list[str]:
    """One line of code or data as lines of at most `width` columns: broken at a space, after a sign, or anywhere.

    What goes on stands further in. A line that would fit further left is moved there."""
    inner = text.lstrip(" ")
    indent = len(text) - len(inner)
    if indent + len(inner) <= width:
        return [text]
    indent = min(indent, width - len(inner)) if len(inner) <= width else min(indent, width // 3)
    lines, lead = [], " " * indent
    while len(lead) + len(inner) > width:
        room = max(width - len(lead), 4)
        end = inner.rfind(" ", 1, room + 1)
        for signs in (",;/.:&?=([{", "_-"):
            if end < room // 3:
                end = max(inner.rfind(sign, 0, room) for sign in signs) + 1
        if end < room // 3:
            end = room
        lines.append(lead + inner[:end].rstrip())
        inner, lead = inner[end:].lstrip(" "), " " * min(indent + 2, width // 2)
    return [*lines, lead + inner] if inner else lines
