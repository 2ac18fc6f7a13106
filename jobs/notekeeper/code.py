"""Which parts of a note are code: nothing in them is a link, a heading or the end of a paragraph."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_SIGNS = ("```", "~~~", "    ", "\t")  # one of which stands in every block of code
_WITHIN_A_LINE = re.compile(r"(?<![`\\])(`+)(?!`)(?:(?!\n[ \t\r]*\n).)*?(?<!`)\1(?!`)", re.DOTALL)
_LINES = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")


def without_code(text: str) -> str:
    """The text with a space for each sign of code, be it fenced, indented or within a line."""
    if blocks := code_in(text):
        lines = _LINES.split(text)
        for first, last in blocks:
            lines[first:last] = map(_blank, lines[first:last])
        text = "".join(lines)
    return _WITHIN_A_LINE.sub(lambda code: _blank(code[0]), text) if "`" in text else text


def code_in(text: str) -> list[list[int]]:
    """The lines that are code, fenced or indented: each time the first, and the first after it."""
    if not any(sign in text for sign in _SIGNS):
        return []
    tokens = _markdown().parse(text)
    return [token.map for token in tokens if token.type in ("fence", "code_block") and token.map]


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable("inline")


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
