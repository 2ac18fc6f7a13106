"""What a person wants, as data, and the patterns for what they name: files, functions, folders."""

from __future__ import annotations

import re
from dataclasses import dataclass

EXTENSIONS = "py|md|rst|txt|toml|cfg|ini|json|ya?ml|csv|html|css|js|sh|log|pyi|ipynb"
FILE = rf"[\"'`]?(?P<path>[\w./\\-]*\w\.(?:{EXTENSIONS})|README|LICENSE)\b[\"'`]?"
FOLDER = r"[\"'`]?(?P<path>[\w.][\w./\\-]*)[\"'`]?"
NAME = r"[\"'`]?(?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)?)(?:\(\))?[\"'`]?"
THING = (
    r"(?:the )?(?:function|method|class|variable|constant|name|module|parameter|argument|attribute|field|code of)?\s*"
)
NO_NAMES = frozenset(
    (
        "it",
        "this",
        "that",
        "the",
        "bug",
        "bugs",
        "error",
        "errors",
        "problem",
        "issue",
        "mistake",
        "program",
        "code",
        "test",
        "tests",
        "everything",
        "anything",
        "something",
        "nothing",
        "what",
        "whatever",
        "project",
        "app",
        "all",
        "them",
        "me",
        "my",
        "failing",
        "broken",
        "a",
        "an",
        "one",
        "so",
        "and",
        "or",
        "function",
        "only",
        "please",
    )
)
EDITS = frozenset(("fix", "rename", "add_test"))


@dataclass(frozen=True)
class Wish:
    """What is asked for.

    `kind` is a key of PLANS in minds/coder.py; only those in EDITS may change files. `path` is a file or folder that
    bounds it, `name` a function, class, variable or test (for sure, or a word that may be one), `new_name` what it
    shall be called; `avoid` are files that must not be changed; `query` is what is looked for, `words` are arguments
    of a command line.
    """

    kind: str
    path: str = ""
    name: str = ""
    is_sure: bool = False
    new_name: str = ""
    query: str = ""
    words: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()

    @property
    def edits(self) -> bool:
        return self.kind in EDITS


def place_in(text: str) -> dict[str, str]:
    """{"path": ...} where a text names a file, else {}."""
    found = re.search(FILE, text)
    return {"path": found["path"].replace("\\", "/").removeprefix("./")} if found else {}
