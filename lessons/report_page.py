"""The report on a class as a page: one file, no script, nothing loaded from anywhere."""

from __future__ import annotations

import html

from lessons import words

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem;color:#1b1b1b;background:#fff}"
    "div{overflow-x:auto}table{border-collapse:collapse}th,td{padding:.25rem .6rem;text-align:center;"
    "border-bottom:1px solid #8884}th:first-child,td:first-child{text-align:left;position:sticky;left:0;"
    "background:inherit}"
    ".done{background:#2a9d5c33}.fallen{background:#d6452e55}.more{background:#2a6fdb33}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#16181c}}"
)
LOOKS = {"x": "done", "-": "fallen", "+": "more"}


def page_of(rows: list[list[str]], stuck: list[str], verified: bool) -> str:
    """The table, whose first row is its head, and the lines on where the class is stuck, as HTML."""
    head = "".join(f"<th scope=col>{html.escape(cell)}" for cell in rows[0])
    body = "\n".join(
        f"<tr><th scope=row>{html.escape(row[0])}" + "".join(cell_of(cell) for cell in row[1:]) for row in rows[1:]
    )
    lines = "".join(f"<li>{html.escape(line)}" for line in stuck or [words.REPORT_ALL_THROUGH])
    return (
        "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\n"
        f"<title>{words.REPORT_TITLE}</title><style>{STYLE}</style>\n<h1>{words.REPORT_TITLE}</h1>\n"
        f"<div><table><thead><tr>{head}</thead>\n<tbody>{body}</tbody></table></div>\n"
        f"<p>{html.escape(words.REPORT_MARKS)}. {words.REPORT_VERIFIED if verified else words.REPORT_BELIEVED}\n"
        f"<h2>{html.escape(words.REPORT_STUCK)}</h2><ul>{lines}</ul>\n</html>\n"
    )


def cell_of(cell: str) -> str:
    look = f' class="{LOOKS[cell]}"' if cell in LOOKS else ""
    return f"<td{look}>{html.escape(cell)}"
