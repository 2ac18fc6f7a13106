"""The real agent in place of the learner's sections() and objection(): its cutter of pages, and the rule of its gate."""

from __future__ import annotations

import tempfile
from pathlib import Path

from index.sections import sections_of
from jobs.librarian import citing
from sandbox.files.root import Root


def sections(text: str) -> dict[str, str]:
    return {section.anchor: section.text for section in sections_of("page.md", text) if section.anchor}


def objection(answer: str, read: dict[str, str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        for path, text in read.items():
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_text(text, encoding="utf-8")
        seen = citing.seen_in((path, [(1, text.count("\n") + 1)]) for path, text in read.items())
        with Root(folder) as root:
            return citing.objection(citing.cited(answer).sources, seen, root)
