"""What a person asks for, read from plain words: a table of patterns, the first that fits wins."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

PATH = r"[\"'`]?(?P<path>[\w.][\w./\\-]*)[\"'`]?"
FILE = r"[\"'`]?(?P<path>[\w./-]*\.\w{1,5}|README|LICENSE)[\"'`]?"
SUBJECT = r"[\"'`]?(?P<query>.+?)[\"'`]?"

PATTERNS = (
    ("fix", r"\b(fix|repair|debug|correct|mend|solve)\b(?!\s+(spelling|typos))"),
    ("fix", r"\bmake\b.*\b(tests?|it|them)\b.*\b(pass|work|green)"),
    (
        "run",
        r"^\s*(please\s+)?(run|execute|start)\s+"
        + r"[\"'`]?(?P<path>[\w./-]+\.py)[\"'`]?(\s+(with\s+)?(?P<query>.+?))?[.?!]?\s*$",
    ),
    ("test", r"\b(run|execute|check|do|are|how)\b.*\btests?\b"),
    (
        "search",
        r"\bwhere\s+(is|are|do|does|did)\s+(the\s+)?"
        + SUBJECT
        + r"\s+(defined|declared|set|used|called|implemented|imported|come from|live|stand)\b",
    ),
    ("diagnose", r"^\s*why\b|\b(bug|bugs|wrong|incorrect|broken|fails?|failing|failure|crash(es)?)\b"),
    ("diagnose", r"\b(should(n'?t| not)? (be|give|return|equal)|instead of|expected)\b"),
    (
        "read",
        r"\b(read|show|print|cat|open|display|view)\b(\s+me)?(\s+the)?(\s+(file|contents?( of)?|text of|source of))*\s+"
        + FILE,
    ),
    ("read", r"\bwhat('s| is| does| stands)\s+(in(side)?\s+|the contents? of\s+)?(the\s+)?(file\s+)?" + FILE),
    (
        "list",
        r"\b(what|which|list|show|see)\b.*\b(files?|folders?|director(y|ies))\b(.*\b(in|of|under|below|inside)\s+(the\s+)?(folder\s+|directory\s+)?"
        + PATH
        + r")?",
    ),
    ("list", r"^\s*(ls|dir)\b(\s+" + PATH + r")?"),
    (
        "search",
        r"\b(where\s+(is|are)|find|search(\s+for)?|grep(\s+for)?|look\s+for|which\s+files?\s+(use|mention|contain)s?)\s+(the\s+)?"
        + SUBJECT
        + r"[?.!]?\s*$",
    ),
)
TOP = frozenset(
    (
        "root",
        "top",
        "project",
        "here",
        "this",
        "it",
        "working",
        "directory",
        "folder",
        "the",
        "repo",
        "repository",
        "there",
        "all",
        ".",
    )
)


@dataclass(frozen=True)
class Wish:
    """What is asked for: "fix", "diagnose", "test", "run", "read", "list", "search" or "unknown"."""

    kind: str
    path: str = ""
    query: str = ""
    words: tuple[str, ...] = field(default=())


def read_wish(prompt: str) -> Wish:
    """Read the prompt. Nothing is guessed: what no pattern fits is unknown."""
    for kind, pattern in PATTERNS:
        found = re.search(pattern, prompt, re.IGNORECASE | re.DOTALL)
        if found is None:
            continue
        groups = found.groupdict()
        path = (groups.get("path") or "").rstrip("./").replace("\\", "/") or "."
        query = (groups.get("query") or "").strip(" \"'`?")
        if kind == "list" and path.lower() in TOP:
            path = "."
        return Wish(kind, path, query, command_words(groups.get("query") or "") if kind == "run" else ())
    return Wish("unknown")


def command_words(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError:
        return tuple(text.split())
