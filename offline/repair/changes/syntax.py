"""A program that does not parse: texts near the place that the parser names which do parse, likeliest first."""

from __future__ import annotations

import ast
import difflib
import io
import keyword
import re
import tokenize
from collections.abc import Iterator
from itertools import chain

from .edits import Edit

HEADERS = (
    "if",
    "elif",
    "else",
    "for",
    "while",
    "def",
    "class",
    "try",
    "except",
    "finally",
    "with",
    "async",
    "match",
    "case",
)
INSERTED = (
    ":",
    ")",
    "]",
    "}",
    ",",
    "(",
    "[",
    "{",
    '"',
    "'",
    "=",
    "==",
    ".",
    "+",
    "in ",
    "def ",
    "import ",
    "not ",
    '"""',
)
SLIPS = (
    ("&&", "and"), ("||", "or"), ("=<", "<="), ("=>", ">="), ("<>", "!="), ("===", "=="), ("!==", "!="), ("++", "+= 1"),
    ("--", "-= 1"), ("else if", "elif"), ("elseif", "elif"), ("elsif", "elif"), ("function ", "def "), ("!", "not "),
    ("=", "=="), ("==", "="), ("=", ":="), (";", ":"), (":", ""), (";", ""), ("then", ""), ("->", ":"), (",", ""),
    (".", ","),
    (",", "."), (":", ","), (",", ":"), ("=", ":"), (":", "="), ("(", "["), (")", "]"), ("]", ")"), ("}", ")"),
    ("[", "("),
    ("”", '"'), ("“", '"'), ("'", '"'), ('"', "'"), (" is ", " in "), ("== =", "=="),
)  # fmt: skip
LINES_BACK = 6  # an unclosed bracket is reported far below


def syntax_error(text: str) -> SyntaxError | None:
    """What the compiler says of a text, None when nothing."""
    try:
        compile(text, "<program>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError):
        return SyntaxError("the text cannot be parsed")
    return None


def syntax_repairs(path: str, text: str) -> Iterator[Edit]:
    """Single edits after which the file compiles."""
    error = syntax_error(text)
    if error is None or error.lineno is None:
        return
    seen = set()
    for edit in chain(_by_message(path, text, error), _by_neighbourhood(path, text, error)):
        changed = text[: edit.start] + edit.text + text[edit.end :]
        if changed not in seen and _parses(changed):
            seen.add(changed)
            yield edit


def _by_message(path: str, text: str, error: SyntaxError) -> Iterator[Edit]:
    """What the parser's message asks for."""
    starts = _line_starts(text)
    number = min(error.lineno or 1, len(starts) - 1)
    message = str(error.msg)
    for line in _lines_near(number, starts):
        start, end = starts[line - 1], starts[line]
        content = text[start:end].rstrip("\n")
        code_end = start + len(_without_comment(content).rstrip())
        word = content.split()[0].rstrip(":(") if content.split() else ""
        if word in HEADERS and not text[start:code_end].endswith(":"):
            yield Edit(path, code_end, code_end, ":")
        if "expected an indented block" in message:
            yield from _deeper(path, text, starts, line)
        if "never closed" in message or "EOF" in message or "unterminated" in message or "forgot a comma" in message:
            for closing in (")", "]", "}", '"', "'", "):", ","):
                yield Edit(path, code_end, code_end, closing)
    if "indent" in message:
        yield from _reindented(path, text, starts, number)


def _by_neighbourhood(path: str, text: str, error: SyntaxError) -> Iterator[Edit]:
    """Every small slip on the line of the error and the lines above it: keywords, brackets, quotes, operators."""
    starts = _line_starts(text)
    number = min(error.lineno or 1, len(starts) - 1)
    for line in _lines_near(number, starts):
        start, end = starts[line - 1], starts[line]
        content = text[start:end].rstrip("\n")
        yield from _respelled(path, start, content)
        for old, new in SLIPS:
            for match in re.finditer(re.escape(old), content):
                yield Edit(path, start + match.start(), start + match.end(), new)
        places = _boundaries(content)
        for inserted in INSERTED:
            for place in reversed(places):
                yield Edit(path, start + place, start + place, inserted)
        for match in re.finditer(r"[()\[\]{}:,'\"=.+*/-]|\b\w+\b ?", content):
            yield Edit(path, start + match.start(), start + match.end(), "")
        yield from _reindented(path, text, starts, line)


def _respelled(path: str, start: int, content: str) -> Iterator[Edit]:
    """Words that are nearly keywords."""
    for match in re.finditer(r"[A-Za-z_]+", content):
        if keyword.iskeyword(match.group()):
            continue
        for near in difflib.get_close_matches(match.group().lower(), keyword.kwlist, n=2, cutoff=0.6):
            yield Edit(path, start + match.start(), start + match.end(), near)


def _deeper(path: str, text: str, starts: list[int], line: int) -> Iterator[Edit]:
    """The lines from here to the next blank or outer one, one step in; or `pass` above them."""
    first = text[starts[line - 1] : starts[line]]
    width = len(first) - len(first.lstrip())
    end = line
    for end in range(line, len(starts)):
        content = text[starts[end - 1] : starts[end]]
        if content.strip() and len(content) - len(content.lstrip()) < width:
            break
        block = text[starts[line - 1] : starts[end]]
        moved = "".join("    " + one if one.strip() else one for one in block.splitlines(True))
        yield Edit(path, starts[line - 1], starts[end], moved)
    yield Edit(path, starts[line - 1], starts[line - 1], " " * (width + 4) + "pass\n")


def _reindented(path: str, text: str, starts: list[int], line: int) -> Iterator[Edit]:
    """This line at the indentation of the lines around it, or one step in or out."""
    start, content = starts[line - 1], text[starts[line - 1] : starts[line]]
    here = len(content) - len(content.lstrip(" \t"))
    widths = [here + 4, here - 4]
    for other in range(max(1, line - 8), min(len(starts), line + 4)):
        near = text[starts[other - 1] : starts[other]]
        if near.strip():
            widths.insert(0, len(near) - len(near.lstrip(" \t")))
    for width in dict.fromkeys(widths):
        if width >= 0 and width != here:
            yield Edit(path, start, start + here, " " * width)


def _lines_near(number: int, starts: list[int]) -> list[int]:
    """The line of the error, the line above, then further up, then below."""
    near = [number, *range(number - 1, max(0, number - LINES_BACK), -1), number + 1]
    return [line for line in near if 1 <= line < len(starts)]


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _without_comment(content: str) -> str:
    try:
        for token in tokenize.generate_tokens(io.StringIO(content + "\n").readline):
            if token.type == tokenize.COMMENT:
                return content[: token.start[1]]
    except (tokenize.TokenError, SyntaxError):
        position = content.find("#")
        return content[:position] if position > 0 and content.count('"') + content.count("'") == 0 else content
    return content


def _boundaries(content: str) -> list[int]:
    """Where one thing ends and the next begins."""
    ends = {match.end() for match in re.finditer(r"\w+|[^\w\s]", content)}
    return sorted(ends | {match.start() for match in re.finditer(r"\w+|[^\w\s]", content)})


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
