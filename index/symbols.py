"""A map of the source: its classes and functions, those that other files name most first, cut to a budget of tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from typing import Any

from index.documents import SOURCE

CHARACTERS_A_TOKEN = 4
_NAME = re.compile(r"[^\W\d]\w{2,}")
_SIGNATURE = re.compile(r"^[ \t]*((?:async )?def|class)\b.*$", re.MULTILINE)
DEFINED = "SELECT path, heading, line, text FROM sections WHERE anchor = '' AND heading <> '' ORDER BY path, line"
NAMED_ELSEWHERE = "SELECT count(*) FROM mentions WHERE name = ? AND path <> ?"


def names_in(path: str, text: str) -> set[str]:
    """The names that a source file holds, its own and those of others; none for a document."""
    return set(_NAME.findall(text)) if path.lower().endswith(SOURCE) else set()


def symbol_map(rows: Callable[..., list[tuple[Any, ...]]], tokens: int = 1_000) -> str:
    """Return files with their most named symbols, `line: signature`, and how many found no room. `rows` is
    `Index.rows`: all that is needed lies in the index, so that no file is read again for a question."""
    symbols = [
        (rows(NAMED_ELSEWHERE, (heading.rpartition(".")[2], path))[0][0], path, line, _signature(heading, text))
        for path, heading, line, text in rows(DEFINED)
    ]
    chosen, room, files = [], tokens * CHARACTERS_A_TOKEN, set()
    for symbol in sorted(symbols, key=lambda each: (-each[0], each[1:])):
        _, path, line, signature = symbol
        room -= len(f"  {line}: {signature}\n") + (0 if path in files else len(path) + 1)
        if room < 0:
            break
        files.add(path)
        chosen.append(symbol)
    by_file = groupby(sorted(chosen, key=lambda each: each[1:3]), key=lambda each: each[1])
    lines = [
        line
        for path, several in by_file
        for line in (path, *(f"  {number}: {signature}" for _, _, number, signature in several))
    ]
    left = len(symbols) - len(chosen)
    return "\n".join([*lines, f"[{left} more symbols, named less often]"] if left else lines)


def _signature(heading: str, text: str) -> str:
    found = _SIGNATURE.search(text)
    return found[0].strip().rstrip(":") if found else heading
