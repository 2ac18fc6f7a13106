"""What a person asks the notekeeper for, read from plain words: a table of patterns, the first that fits wins."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAKE_A_NOTE = "Make a note of this:"  # what the command line puts before a text that becomes a note
NOTE_WORDS = 12  # a text of as many words that asks for nothing is meant to be kept

_FILE = r"[\"'`]?(?P<path>[\w.][\w ./-]*?\.\w{1,5})[\"'`]?"
_TO = r"[\"'`]?(?P<to>[\w.][\w ./-]*?)[\"'`]?"
_ABOUT = r"(?:about|on|of|for|regarding)\s+[\"'`]?(?P<topic>.+?)[\"'`]?"
PATTERNS = (
    ("address", r"^\s*(?:(?:read|fetch|save|keep|note)\s+)?(?P<topic>https?://\S+)\s*$"),
    (
        "write",
        rf"\b(?:create|make|write|add)\b.*?\bfile\b(?:\s+(?:named|called))?\s+{_FILE}\s+(?:with|containing)\s+"
        r"(?:the\s+)?(?:content|text)?s?:?\s*(?P<quote>[\"'`]?)(?P<content>.+)(?P=quote)\s*$",
    ),
    ("delete", rf"^\s*(?:please\s+)?(?:delete|remove)\s+(?:the\s+)?(?:note|file)?\s*{_FILE}[.!]?\s*$"),
    ("move", rf"^\s*(?:please\s+)?(?:move|rename)\s+(?:the\s+)?(?:note|file)?\s*{_FILE}\s+(?:in)?to\s+{_TO}[.!]?\s*$"),
    (
        "summary",
        rf"\b(?:find|take|collect|gather)?\b.*\bnotes?\s+{_ABOUT}\s+and\s+(?:create|write|make)\s+(?:me\s+)?an?\s+"
        r"(?:summary|overview)",
    ),
    ("summary", rf"\b(?:create|write|make|give)\b.*\b(?:summary|overview)\b.*?\b{_ABOUT}[.!?]?\s*$"),
    ("summary", rf"^\s*summar(?:ise|ize)\s+(?:(?:all|my|the)\s+)*notes?\s+{_ABOUT}[.!?]?\s*$"),
    ("move", rf"^\s*(?:please\s+)?(?:merge|join)\s+(?:the\s+)?(?:note|file)?\s*{_FILE}\s+(?:in)?to\s+{_TO}[.!]?\s*$"),
    ("links", r"\b(?:fix|repair|mend|correct)\b.*\blinks?\b"),
    ("repeated", r"\b(?:merge|remove|join|find)\b.*\b(?:duplicates?|double|repeated)\b"),
    ("tidy", r"\b(?:tidy|clean)\b|\bput\b.*\bin order\b|\b(?:reorganise|reorganize|sort out)\b"),
    ("check", r"\b(?:check|what is wrong with|problems (?:in|with))\b.*\b(?:notes?|folder|knowledge base|links?)\b"),
    ("remember", r"^\s*(?:please\s+)?(?:remember|don'?t forget)(?:\s+that)?[:,]?\s+(?P<content>.+)$"),
    ("recall", r"\bwhat do you (?:know|remember) (?:about|of) me\b|\bwhat did I (?:tell|ask) you to remember\b"),
    ("commit", r"^\s*(?:please\s+)?commit\b(?:.*?(?:message|with|as|:)\s*[\"'`]?(?P<content>.+?)[\"'`]?)?[.!]?\s*$"),
    ("push", r"^\s*(?:please\s+)?push\b"),
    ("pull", r"^\s*(?:please\s+)?pull\b"),
    ("status", r"\b(?:git status|what (?:has )?changed since)\b"),
    ("structure", r"\b(?:which|what|list|show)\b.*\b(?:folders|categories|topics|structure)\b"),
    ("find", rf"^\s*(?:find|search|look for|list|show)(?:\s+me)?(?:\s+(?:all|my|the))*\s+notes?\s+{_ABOUT}[.!?]?\s*$"),
    ("read", rf"^\s*(?:read|show|open|print)(?:\s+me)?(?:\s+the)?(?:\s+(?:note|file))?\s+{_FILE}[.!]?\s*$"),
    (
        "ask",
        r"[?？]\s*$|(?:吗|呢|か)[。.]?\s*$|^\s*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|do|does|did|can|could|should|must|may|"
        r"tell me|explain|describe)\b(?=.{0,200}$)",
    ),
)


@dataclass(frozen=True)
class Wish:
    """What is asked for: "note", a kind of PATTERNS, or "unknown"; and what goes with it, "" where nothing does."""

    kind: str
    topic: str = ""
    path: str = ""
    to: str = ""
    content: str = ""


def read_wish(prompt: str) -> Wish:
    """Read the prompt. A text that asks for nothing and is long enough is one to keep."""
    if prompt.lstrip().startswith(MAKE_A_NOTE):
        text = prompt.lstrip().removeprefix(MAKE_A_NOTE).strip()
        address = re.fullmatch(r"https?://\S+", text)
        return Wish("address", topic=text) if address else Wish("note", content=text)
    for kind, pattern in PATTERNS:
        found = re.search(pattern, prompt, re.IGNORECASE | re.DOTALL)
        if found:
            groups = {name: (value or "").strip() for name, value in found.groupdict().items() if name != "quote"}
            return Wish(kind, **groups)
    unspaced = len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff]", prompt)) // 2  # a word is about two signs
    if len(prompt.split()) + unspaced >= NOTE_WORDS:
        return Wish("note", content=prompt.strip())
    return Wish("unknown")
