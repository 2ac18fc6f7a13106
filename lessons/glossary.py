"""The words of the course, each explained in two sentences: lessons/glossary.md."""

from __future__ import annotations

import difflib
import re

from lessons.course import LESSONS

FILE = LESSONS / "glossary.md"


def entries() -> dict[str, str]:
    """Each word with its explanation, as Markdown."""
    parts = re.split(r"^## ", FILE.read_text(encoding="utf-8"), flags=re.M)[1:]
    return {word.strip(): text.strip() for word, _, text in (part.partition("\n") for part in parts)}


def look_up(wanted: str, known: dict[str, str]) -> list[str]:
    """The words that are meant: the one itself, those that begin so or hold it, else the nearest; none when none is."""
    wanted = wanted.strip().lower().replace("_", " ")
    for fits in (wanted.__eq__, lambda word: word.startswith(wanted), lambda word: wanted.rstrip("s") in word):
        if found := [word for word in known if fits(word.lower())]:
            return found
    near = difflib.get_close_matches(wanted, [word.lower() for word in known], n=1)
    return [word for word in known if word.lower() in near]
