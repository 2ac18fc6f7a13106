"""What is asked where nothing shall be changed: a table of patterns, the first that fits wins."""

from __future__ import annotations

import re
import shlex

from offline.coder.wish import FILE, FOLDER, NAME, NO_NAMES, THING, Wish, place_in

PROGRAM = r"(?:project|program|code ?base|code|app|application|package|repo|repository|library|calculator)"
SUBJECT = r"[\"'`]?(?P<query>.+?)[\"'`]?"
PLEASE = r"^\s*(?:please |can you |could you )*"
IN_FILE = rf"(?:\s+in\s+{FILE.replace('path', 'place')})?"
IS_NAME = r"(?!(?:it|this|that|the|my|what|how)\b)"

TABLE = (
    ("more", r"^\s*(?:more|next|another(?: one)?|one more|go on|again|continue)\b[\s.!?]*(?:please)?[\s.!?]*$"),
    (
        "yes",
        r"^\s*(?:yes|yep|sure|ok|okay|do it|do that|go ahead|apply (?:it|that|the change))\b"
        r"(?:[\s,]+(?:please|do it|do that|go ahead|thanks))*[\s.!]*$",
    ),
    ("unknown", rf"{PLEASE}(?:undo|revert|roll back|take back|delete|remove)\b"),
    ("help", r"^\s*(?:help|hello|hi|hey)[\s!.?]*$|\bwhat can you do\b|\bwho are you\b|\bhow can you help\b"),
    (
        "run",
        rf"{PLEASE}(?:run|execute|start)\s+[\"'`]?(?P<path>[\w./-]+\.py)[\"'`]?"
        r"(?:\s+(?:with\s+)?(?P<query>.+?))?[.?!]?\s*$",
    ),
    (
        "about",
        rf"\bwhat(?:'s| is| does)\s+(?:this|the) {PROGRAM}\b(?!\.)|\b(?:overview|summar(?:y|i[sz]e))\b|"
        rf"\bexplain (?:to me )?(?:what )?(?:this|the|the whole|me this) {PROGRAM}(?: does| is)?\s*[.!?]*$|"
        r"^\s*what is this[?\s]*$",
    ),
    (
        "uses",
        r"\b(?:who|what|which (?:files?|functions?|modules?))\s+(?:calls?|uses?|imports?|mentions?|contains?)\s+"
        rf"{THING}{NAME}",
    ),
    ("uses", rf"\bwhere\s+(?:is|are|do we)\s+{THING}{NAME}\s+(?:used|called|imported|mentioned)\b"),
    ("uses", rf"\b(?:uses|usages?|callers|references|calls)\s+(?:of|to)\s+{THING}{NAME}"),
    (
        "outline",
        rf"\b(?:functions|classes|methods|definitions)\b.*?\b(?:in|of|from)\s+(?:the )?(?:file |module )?{FILE}",
    ),
    ("outline", r"\b(?:which|what|list|show)\b[\w\s]*\b(?:functions|classes|methods)\b[\w\s]*\?*$"),
    (
        "search",
        r"\bwhere\s+(?:is|are|do|does|did)\s+(?:the\s+)?(?:function |class |method |variable |constant )?"
        rf"{SUBJECT}\s+(?:defined|declared|set|implemented|come from|live|stand)\b",
    ),
    (
        "search",
        r"^\s*(?:please )?(?:search(?:\s+for)?|grep(?:\s+for)?|look\s+for)\s+(?:the\s+)?"
        rf"(?!(?:any |a )?(?:bugs?|mistakes?|errors?)\b){SUBJECT}[?.!]?\s*$",
    ),
    ("search", r"^\s*(?:please )?find\s+[\"'`](?P<query>[^\"'`]+)[\"'`][?.!]?\s*$"),
    ("diagnose", r"^\s*why\b|\bwhy\b\s*\??$"),
    ("test", r"\b(?:run|execute|check|launch|start|rerun)\b[^.?!]*\btests?\b"),
    ("test", r"^\s*(?:do|are|did|will)\b.*\btests?\b.*\b(?:pass|green|ok|okay|succeed|run)\b"),
    (
        "explain",
        rf"\bwhat\s+(?:\w+\s+)?does\s+{THING}{IS_NAME}{NAME}{IN_FILE}\s+"
        r"(?:do|return|take|raise|call|expect|compute|need)\b",
    ),
    ("explain", rf"\bwhat\s+{THING}{IS_NAME}{NAME}{IN_FILE}\s+does\b"),
    ("explain", rf"\bhow\s+does\s+{THING}{IS_NAME}{NAME}{IN_FILE}\s+work\b"),
    ("explain", rf"\bexplain\s+(?:to me )?(?:what |how )?{FILE}"),
    (
        "explain",
        rf"\bexplain\s+(?:to me )?(?:what |how )?{THING}{IS_NAME}{NAME}(?:\s+(?:does|works))?{IN_FILE}"
        r"\s*(?:to me)?[.!?]*\s*$",
    ),
    (
        "diagnose",
        r"\b(?:bugs?|wrong|incorrect|broken|fails?|failing|failure|crash(?:es|ed)?|mistakes?|errors?|correct|right|debug)\b",
    ),
    (
        "diagnose",
        r"\b(?:should(?:n'?t| not)? (?:be|give|return|equal|print|raise)|instead of|expected)\b|"
        r"\w\([^)]*\)\s*(?:==|->|→|\b(?:is|returns|gives|raises)\b)",
    ),
    (
        "diagnose",
        r"\b(?:(?:is|are|do|does)(?:n'?t| not)|don'?t)\s+(?:work|working|pass|passing|run|running)\b|"
        r"^\s*does \w+ work",
    ),
    (
        "diagnose",
        r"\b(?:fix(?:ed|es|ing)?|repair(?:ed|ing)?)\b(?!\.\w)(?!\s+(?:the )?(?:spelling|typos|grammar|format))",
    ),
    ("diagnose", r"Traceback \(most recent call last\)|^\w*(?:Error|Exception)\b"),
    (
        "read",
        r"\b(?:read|show|print|cat|open|display|view)\b(?:\s+me)?(?:\s+the)?"
        rf"(?:\s+(?:file|contents?(?: of)?|text of|source of))*\s+{FILE}",
    ),
    (
        "read",
        r"\bwhat(?:'s| is| does| stands)\s+(?:in(?:side)?\s+|the contents? of\s+)?(?:the\s+)?(?:file\s+)?" + FILE,
    ),
    (
        "list",
        r"\b(?:what|which|list|show|see)\b.*\b(?:files?|folders?|director(?:y|ies))\b"
        rf"(?:.*\b(?:in|of|under|below|inside)\s+(?:the\s+)?(?:folder\s+|directory\s+)?{FOLDER})?",
    ),
    ("list", rf"^\s*(?:ls|dir)\b(?:\s+{FOLDER})?"),
    ("search", rf"^\s*(?:where\s+(?:is|are)|find)\s+(?:the\s+)?{SUBJECT}[?.!]?\s*$"),
)
PATTERNS = [(kind, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for kind, pattern in TABLE]
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
        "program",
    )
)


def wish_to_know(text: str) -> Wish:
    """What is asked where nothing shall be changed."""
    for kind, pattern in PATTERNS:
        found = pattern.search(text)
        groups = found.groupdict() if found else {}
        if found is None or (kind == "explain" and (groups.get("name") or "x").lower() in NO_NAMES):
            continue
        path = (groups.get("path") or groups.get("place") or "").rstrip("./").replace("\\", "/")
        if kind == "list":
            path = "." if path.lower() in TOP else path or "."
        if kind == "test":
            path = place_in(text).get("path", "")
        query = (groups.get("query") or "").strip(" \"'`?")
        words = command_words(groups.get("query") or "") if kind == "run" else ()
        return Wish(kind, path, groups.get("name") or "", query=query, words=words)
    return Wish("unknown")


def command_words(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError:
        return tuple(text.split())
