"""A long file in pages: as many whole lines as fit, and a note that says where to read on. And fields in a row."""

from __future__ import annotations

import re

from config import MAX_CHARACTERS
from functions.tool import Arguments

_BAR = re.compile(r"(?:(?<= )|^)\|(?= |$)")


def split_lines(text: str) -> list[str]:
    """Split at line feeds alone: a form feed or a Unicode separator is part of its line, as in Python's parser."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] or len(lines) == 1 else lines[:-1]


def page(file_path: str, lines: list[str], start_line: int) -> tuple[str, int]:
    """Return as many whole lines from `start_line` on as fit, and the last of them; a line that alone is too long is
    cut."""
    taken: list[str] = []
    room = MAX_CHARACTERS
    for line in lines[start_line - 1 :]:
        if len(line) > room:
            break
        taken.append(line)
        room -= len(line)
    last = start_line - 1 + len(taken)
    if last == len(lines):
        return "".join(taken), last
    truncated = f'[...File "{file_path}" truncated at {MAX_CHARACTERS} characters]'
    if not taken:
        cut = lines[start_line - 1]
        note = f"Line {start_line} of {len(lines)} is cut: it has {len(cut)} characters"
        more = f"Read on with start_line={start_line + 1}" if start_line < len(lines) else "No line comes after it"
        return f"{cut[:MAX_CHARACTERS]}\n{truncated}\n[{note}. {more}.]", start_line
    note = f"Lines {start_line}-{last} of {len(lines)} shown"
    return f"{''.join(taken)}{truncated}\n[{note}. Read on with start_line={last + 1}.]", last


def read_on(arguments: Arguments, kept: str) -> str:
    """What stands behind the whole lines that are kept of a result."""
    first = int(arguments.get("start_line") or 1)
    own = kept.splitlines()[-1].startswith("[...File ")  # the first line of a page's own note
    last = first + kept.count("\n") - 1 - own
    truncated = f'[...File "{arguments["file_path"]}" truncated at {len(kept)} characters]'
    return f"{truncated}\n[Lines {first}-{last} shown. Read on with start_line={last + 1}.]"


def row(*fields: str) -> str:
    """Fields in a line, with ` | ` between them. Where that stands in a field, as in most pages' titles, the bar gets a
    backslash, as in a table of Markdown."""
    return " | ".join(_BAR.sub(r"\\|", field.replace("\n", " ")) for field in fields)
