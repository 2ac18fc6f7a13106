"""The finale: the parts that the learner has built, each with its lines of code beside those of the shipped one."""

from __future__ import annotations

import html
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

from lessons import words
from lessons.course import PROJECT, CourseError, Lesson
from lessons.learner import Learner
from lessons.progress import reason_of, write_whole

LINK = re.compile(r"\]\(\.\./\.\./([\w./-]+\.py)\)")
LAYOUT = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENDMARKER}
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;"
    "background:#fff}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .75rem .25rem 0}"
    "td:nth-child(3),td:nth-child(5){text-align:right;font-variant-numeric:tabular-nums}"
    "pre{background:#f4f4f4;padding:1rem;overflow:auto}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#16181c}pre{background:#23262b}}"
)


@dataclass(frozen=True)
class Row:
    """One part. Lines of code: no blank lines, no comments, no docstrings."""

    lesson: Lesson
    mine: int
    shipped: str
    theirs: int


def rows_of(learner: Learner, last: Lesson) -> list[Row]:
    """The parts up to a lesson, each beside the first file of the project that its page names."""
    rows = []
    for lesson in learner.lessons:
        if lesson.number > last.number:
            break
        ending = lesson.readme[lesson.readme.rfind("The same thing in the real agent") :]
        shipped = next(iter(LINK.findall(ending)), "")
        theirs = code_lines(PROJECT / shipped) if shipped else 0
        rows.append(Row(lesson, code_lines(learner.file(lesson)), shipped, theirs))
    return rows


def code_lines(path: Path) -> int:
    """The lines of a Python file that hold code; 0 when it is not there or is no Python."""
    try:
        text = path.read_text(encoding="utf-8")
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (OSError, SyntaxError, ValueError, tokenize.TokenError):
        return 0
    lines: set[int] = set()
    before = tokenize.NEWLINE
    for token in tokens:
        docstring = token.type == tokenize.STRING and before in LAYOUT
        if token.type not in LAYOUT and not docstring:
            lines.update(range(token.start[0], token.end[0] + 1))
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            before = token.type
    return len(lines)


def write_page(learner: Learner, rows: list[Row]) -> Path:
    """Write the page to keep, with the learner's own code in it. Raises CourseError where there is no room for it."""
    heads = "".join(f"<th scope=col>{html.escape(head)}" for head in words.FINALE_HEADS)
    body = "\n".join(
        f"<tr><td>{row.lesson.number}. {html.escape(row.lesson.title)}<td>{html.escape(row.lesson.file)}<td>{row.mine}"
        f"<td>{html.escape(row.shipped)}<td>{row.theirs or ''}"
        for row in rows
    )
    steps = "".join(f"<li>{html.escape(step)}" for step in words.FINALE_NEXT)
    files = [(html.escape(row.lesson.file), html.escape(text_of(learner, row))) for row in rows]
    code = "\n".join(f"<details><summary>{name}</summary><pre>{text}</pre></details>" for name, text in files)
    total = html.escape(words.FINALE_SUM.format(mine=sum(row.mine for row in rows)))
    page = (
        "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\n"
        f"<title>My agent</title><style>{STYLE}</style>\n<h1>My agent</h1>\n<p>{html.escape(words.FINALE)}\n"
        f"<table><tr>{heads}\n{body}\n</table>\n<p>{total}\n<h2>{words.FINALE_STEPS}</h2><ol>{steps}</ol>\n{code}\n</html>\n"
    )
    path = learner.folder / "finale.html"
    try:
        write_whole(path, page)
    except OSError as error:
        raise CourseError(words.NO_PAGE.format(reason=reason_of(error))) from None
    return path


def text_of(learner: Learner, row: Row) -> str:
    try:
        return learner.file(row.lesson).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
