"""Whether the sources that an answer names say what it says: held against the files and the API's answers themselves.

Nothing of the librarian's own check is used. A line of an answer that stands in its source word for word is evidence;
of every other line the quotations, the code and the figures must stand there. What the question named is no evidence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_ENDPOINT = re.compile(r"API endpoint (?P<method>[A-Z]+) (?P<path>/\S*)")
_PIECE = re.compile(r"`+([^`\n]+)`+|\"([^\"\n]+)\"|\u201c([^\u201d\n]+)\u201d")
_FIGURE = re.compile(r"(?<![\w.#])\d+(?:[.,]\d+)*(?![\w])")
_PLACE = re.compile(r"(?:[\w.-]+/)*[\w.-]+\.\w+:\d+(?:-\d+)?|\blines? \d+(?:-\d+)?")  # where it stands, and not what


def unsaid(question: str, report: Mapping[str, Any], folder: Path) -> list[str]:
    """What an answer says that stands in none of the sources that it names; [] for one that names none."""
    sources = [source for source in report["source"].split(", ") if source]
    if not sources:
        return []
    text = "\n".join(told for source in sources for told in told_by(source, report, folder))
    known, words = text + question, f" {_words(text)} {_words(question)} "
    found = []
    for line in report["answer"].splitlines():
        if f" {_words(line)} " in words or not _words(line):
            continue
        for piece in _PIECE.finditer(line):
            said = next(filter(None, piece.groups()))
            if not all(f" {_words(part)} " in words for part in re.split(r"\.\.\.|\u2026", said) if _words(part)):
                found.append(said)
        rest = _PLACE.sub(" ", _PIECE.sub(" ", line))
        found += [each for each in _FIGURE.findall(rest) if not re.search(rf"(?<!\d){re.escape(each)}(?!\d)", known)]
    return found


def told_by(source: str, report: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """The text of a file, the names in a folder, or what the API answered at an endpoint, and how many that are."""
    endpoint = _ENDPOINT.fullmatch(source)
    if endpoint:
        for call in report["tool_calls"]:
            asked = call["args"] if call["tool"] == "query_api" else {}
            same = str(asked.get("path", "")).partition("?")[0].rstrip("/") == endpoint["path"].rstrip("/")
            if same and str(asked.get("method", "")).upper() == endpoint["method"]:
                yield f"{asked['path']} {call['result']}".replace("\\n", "\n").replace('\\"', '"')
        return
    path = folder / re.sub(r"(#.*|:\d+(-\d+)?)$", "", source)
    if path.is_dir():
        yield json.dumps(sorted(each.name for each in path.iterdir()))
    elif path.is_file():
        yield f"{source}\n{path.read_text(encoding='utf-8', errors='replace')}"


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.lower()))
