"""What is found and cited: a file cut into sections. Markdown, reStructuredText and AsciiDoc by their headings, Python
by its functions and classes, anything else whole.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import PurePosixPath
from typing import Any

_TITLE = re.compile(r"^(title|description):[ \t]*[\"']?(.+?)[\"']?[ \t]*$", re.MULTILINE)
_FRONT_MATTER = re.compile(r"---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*\Z")  # a row of one punctuation character
_LONGEST = 1_000  # characters of a heading that is parsed: the parser takes its time at each bracket of a longer one
_SEEN = {"text", "code_inline", "softbreak"}  # of a heading, what is seen: no tag, no address, no picture


@dataclass(frozen=True)
class Section:
    """A piece of a file that answers for itself."""

    heading: str  # its own: a heading's text, `Class.method`, or "" for what stands before the first one
    above: tuple[str, ...]  # the headings that it stands under, outermost first
    anchor: str  # as in `wiki/git.md#anchor`; "" for the top of a file, and for source
    line: int  # its first line, from 1
    end: int  # its last line
    text: str  # what stands in it, without its heading and without the sections below it

    @property
    def place(self) -> str:
        """The whole way to it: `Git workflow > Resolving merge conflicts`."""
        return " > ".join(filter(None, (*self.above, self.heading)))


def sections_of(path: str, text: str) -> list[Section]:
    """Return the sections of a file in order, at least one. `path` only says what kind of file it is."""
    cut = CUTTERS.get(PurePosixPath(path).suffix.lower(), whole)
    return cut(text) or whole(text)


def whole(text: str) -> list[Section]:
    return [Section("", (), "", 1, max(1, len(lines_of(text))), text.strip())]


def markdown(text: str) -> list[Section]:
    front = _FRONT_MATTER.match(text)
    blank = "\n" * front[0].count("\n") if front else ""  # the lines keep their numbers
    tokens = _blocks().parse(blank + text[front.end() :] if front else text)
    headings = [
        (int(token.tag[1]), _seen(tokens[number + 1].content), token.map[0], token.map[1])
        for number, token in enumerate(tokens)
        if token.type == "heading_open" and token.map
    ]
    return _nested(text, headings, github_anchor, _title(front[0]) if front else "")


def restructured(text: str) -> list[Section]:
    """Headings by their underlines; which level an underline means is settled by the order of appearance."""
    lines = lines_of(text)
    levels: dict[tuple[str, bool], int] = {}
    headings = []
    for number, (title, below) in enumerate(zip(lines, lines[1:], strict=False)):
        row = _UNDERLINE.match(below)
        if not row or not title.strip() or _UNDERLINE.match(title) or len(below.rstrip()) < len(title.rstrip()):
            continue
        over = number > 0 and lines[number - 1].rstrip() == below.rstrip()
        if title[0].isspace() and not over:
            continue
        level = levels.setdefault((row[1], over), len(levels) + 1)
        headings.append((level, title.strip(), number - over, number + 2))
    return _nested(text, headings, docutils_anchor)


def asciidoc(text: str) -> list[Section]:
    """Headings by the signs of equality before them, as many as their level; none within a delimited block."""
    headings, inside = [], ""
    for number, line in enumerate(lines_of(text)):
        if fence := re.fullmatch(r"(-{4,}|\.{4,}|={4,}|\+{4,}|/{4,}|\*{4,}|_{4,}|```)\s*", line):
            inside = "" if inside == fence[1] else inside or fence[1]
        elif not inside and (found := re.match(r"(={1,6})[ \t]+(\S.*)", line)):
            headings.append((len(found[1]), found[2].strip(), number, number + 1))
    return _nested(text, headings, docutils_anchor)


def python(text: str) -> list[Section]:
    """The top of the module, each function, and each class without its methods. [] for what is not Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = lines_of(text)
    found = list(_definitions(tree, ()))
    inner = {line for node, _ in found for line in range(_first(node), node.end_lineno + 1)}
    top = "\n".join(line for number, line in enumerate(lines, 1) if number not in inner)
    sections = [Section("", (), "", 1, max(1, len(lines)), top.strip())]
    for node, above in found:
        below = [each for each in ast.iter_child_nodes(node) if isinstance(node, ast.ClassDef) and _defines(each)]
        hidden = {line for each in below for line in range(_first(each), each.end_lineno + 1)}
        own = [lines[number - 1] for number in range(_first(node), node.end_lineno + 1) if number not in hidden]
        name = ".".join((*above, node.name))
        sections.append(Section(name, (), "", _first(node), node.end_lineno, "\n".join(own)))
    return sections


def lines_of(text: str) -> list[str]:
    """The lines as the parsers count them and as a file is shown: neither a form feed nor a separator of Unicode ends
    one."""
    return re.split(r"\r\n?|\n", text.removesuffix("\n"))


def github_anchor(heading: str) -> str:
    """As GitHub makes it: lower case, letters, marks, digits, `_` and `-` kept, each space a `-`."""
    kept = (letter for letter in heading.lower() if letter in " -" or _belongs(letter))
    return "".join(kept).replace(" ", "-")


def docutils_anchor(heading: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def _belongs(letter: str) -> bool:
    category = unicodedata.category(letter)
    return category[0] in "LMN" or category == "Pc"


def _nested(
    text: str, headings: list[tuple[int, str, int, int]], anchor_of: Callable[[str], str], title: str = ""
) -> list[Section]:
    """Sections from headings (level, title, first line from 0, first line below it). `title` stands above them all."""
    lines = lines_of(text)
    first = headings[0][2] if headings else len(lines)
    before = "\n".join(lines[:first]).strip()
    sections = [Section("", (), "", 1, first, before)] if before else []
    above = [(0, title)] if title else []
    for number, (level, heading, start, body) in enumerate(headings):
        end = headings[number + 1][2] if number + 1 < len(headings) else len(lines)
        above = [each for each in above if each[0] < level]
        own = "\n".join(lines[body:end]).strip()
        parents = tuple(name for _, name in above)
        sections.append(Section(heading, parents, anchor_of(heading), start + 1, max(end, start + 1), own))
        above.append((level, heading))
    return _told_apart(sections)


def _title(front_matter: str) -> str:
    """What a page says of itself before its first heading: `npm-ci: Clean install a project`."""
    said = dict(_TITLE.findall(front_matter))
    return ": ".join(said[name] for name in ("title", "description") if name in said)


def _told_apart(sections: list[Section]) -> list[Section]:
    """The second of two anchors that are the same ends in `-1`, the next in `-2`; one that is taken is skipped."""
    seen: dict[str, int] = {}
    apart = []
    for section in sections:
        anchor = section.anchor
        while anchor and anchor in seen:
            seen[section.anchor] += 1
            anchor = f"{section.anchor}-{seen[section.anchor]}"
        seen[anchor] = 0
        apart.append(replace(section, anchor=anchor))
    return apart


@cache
def _blocks() -> Any:
    """A parser that finds the headings, also in lists and quotations, and takes no code for one."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.disable(["inline"], True)
    return parser


@cache
def _inline() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def _seen(heading: str) -> str:
    if len(heading) > _LONGEST or not re.search(r"[\\`*_\[<&!]", heading):
        return heading.strip()
    children = _inline().parseInline(heading)[0].children or []
    return "".join(" " if child.type == "softbreak" else child.content for child in children if child.type in _SEEN)


def _definitions(node: ast.AST, above: tuple[str, ...]) -> Iterator[tuple[Any, tuple[str, ...]]]:
    for child in ast.iter_child_nodes(node):
        if _defines(child):
            yield child, above
            if isinstance(child, ast.ClassDef):
                yield from _definitions(child, (*above, child.name))
        elif isinstance(child, (ast.If, ast.Try, ast.With)):
            yield from _definitions(child, above)


def _defines(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))


def _first(node: Any) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


CUTTERS: dict[str, Callable[[str], list[Section]]] = {
    ".md": markdown,
    ".mdx": markdown,
    ".adoc": asciidoc,
    ".markdown": markdown,
    ".rst": restructured,
    ".ipynb": markdown,  # of its cells
    ".py": python,
}
