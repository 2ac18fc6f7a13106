"""What a person asks the notekeeper for, read from plain words: a table of patterns, the first that fits wins.

What changes anything must be a plain order: it begins with what to do, speaks of notes and of nothing else, and is to
be done now, on no condition. "When did I clean the boiler?", "Do not tidy up", "Tidy up?" and "Move a.md to old if you
agree" are none, and "Pull the carrots on 12 May" is a text to keep.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from offline.notekeeper.told import tells

MAKE_A_NOTE = "Make a note of this:"  # what the command line puts before a text that becomes a note
NOTE_WORDS = 12  # a text of as many words that asks for nothing is meant to be kept
FACT_WORDS = 3  # the same, where it holds a number or tells something

_PLEASE = (
    r"^\W*(?:(?:please|now|then|kindly|(?:can|could) you|(?:would|will) you(?=.*\bplease\b)|i (?:want|need) you to"
    r"|i(?:'d| would) like you to|let'?s|go ahead and|git)\W+)*"
)
_NOTES = (  # what of the folder is spoken of, and nothing else
    r"(?:\W+(?:up|all|any|of|my|the|our|your|this|these|that|which|are|repeat|each|other|whole|everything|it|here|in|into"
    r"|one|among|from|for|and|with|to|please|now|broken|dead|wrong|duplicate[sd]?|doubled?|repeated|entries|links?|notes?"
    r"|folders?|files?|documents?|knowledge|base|changes?|commits?|remote|origin|main|branch))*\W*$"
)
_FILE = r"[\"'`]?(?P<path>[\w.][\w ./-]*?\.\w{1,5})[\"'`]?"
_FOLDER = r"(?:folder|directory|category)"
_TO = (
    rf"(?:(?:an?|the|my|our)\s+)?(?:new\s+)?(?:{_FOLDER}\s+(?:(?:called|named)\s+)?)?"
    rf"[\"'`]?(?P<to>[\w.][\w ./-]*?)[\"'`]?(?:\s+{_FOLDER})?"
)
_CALLED = r"(?:about|on|of|for|with|called|named|titled)"
_NOTE = (  # one that is named in words
    rf"(?:the|my|our)\s+(?P<topic>\w[^.!?\n]{{0,60}}?\s+note|note\s+(?:{_CALLED}\s+|(?=[\"'`]))[^!?\n]{{1,80}}?)"
)
_ABOUT = r"(?:about|on|of|for|regarding)\s+[\"'`]?(?P<topic>.+?)[\"'`]?"
_ASKING = (
    r"¿?(?:(?:in|on|at|to|with|for|from|by|bei|mit|zu|für|von|à|de|avec|pour|con|para|у|с|к|о|в|на|за|при)\s+)?(?:who|whom|whose"
    r"|what|when|where|which|why|how|is|are|was|do|does|did|can|could|should|must|may(?!\s+\d)|has|have|wer|we[nm]|wann|wo"
    r"|wohin|woher|wie|warum|wieso|welche[mnrs]?|qui|où|quand|comment|pourquoi|combien|quel(?:le)?s?|d[oó]nde|qui[eé]n(?:es)?"
    r"|cu[aá](?:ndo|nt[oa]s?|l)|cómo|qué|где|кто|кого|кем|куда|откуда|когда|почему|зачем|скольк\w+|как|что|как(?:ой|ая|ие))\b"
)
_NO_STOP = r"(?=(?:[^.!:,\n]|\.(?=\S)){0,200}$)"
PATTERNS = (
    ("address", r"^\s*(?:(?:read|fetch|save|keep|note)\s+)?(?P<topic>https?://\S+)\s*$"),
    (
        "write",
        rf"{_PLEASE}(?:create|make|write|add)\b[^.?]*?\bfile\b(?:\s+(?:named|called))?\s+{_FILE}\s+(?:with|containing)\s+"
        r"(?:the\s+)?(?:content|text)?s?:?\s*(?P<quote>[\"'`]?)(?P<content>.+)(?P=quote)\s*$",
    ),
    ("delete", rf"{_PLEASE}(?:delete|remove)\s+(?:the\s+)?(?:note|file)?\s*{_FILE}[.!]?\s*$"),
    (
        "move",
        rf"{_PLEASE}(?:move|rename|merge|join)\s+(?:the\s+)?(?:note|file)?\s*{_FILE}\s+(?:in)?to\s+{_TO}[.!]?\s*$",
    ),
    (
        "summary",
        rf"{_PLEASE}(?:find|take|collect|gather|read)\b.*\bnotes?\s+{_ABOUT}\s+and\s+(?:create|write|make)\s+(?:me\s+)?an?\s+"
        r"(?:summary|overview)",
    ),
    (
        "summary",
        rf"{_PLEASE}(?:create|write|make|give)\b(?:\s+(?:me|us|an?|the|short))*\s+(?:summary|overview)\b.*?\b{_ABOUT}[.!?]?\s*$",
    ),
    ("summary", rf"{_PLEASE}summar(?:ise|ize)\s+(?:(?:all|my|the)\s+)*notes?\s+{_ABOUT}[.!?]?\s*$"),
    ("links", rf"{_PLEASE}(?:fix|repair|mend|correct)\b(?=.*\blinks?\b){_NOTES}"),
    ("repeated", rf"{_PLEASE}(?:merge|remove|join|find|show)\b(?=.*\b(?:duplicate[sd]?|doubled?|repeat\w*)\b){_NOTES}"),
    ("tidy", rf"{_PLEASE}(?:tidy|clean|reorgani[sz]e|sort out){_NOTES}"),
    (
        "tidy",
        rf"{_PLEASE}put(?:\s+(?:all|my|the|these|of|notes?|folders?|everything|it))*\s+in order\W*(?:please\W*)?$",
    ),
    ("delete", rf"{_PLEASE}(?:delete|remove)\s+{_NOTE}[.!]?\s*$"),
    ("move", rf"{_PLEASE}(?:move|merge|join)\s+{_NOTE}\s+(?:in)?to(?=(?:\s+\S+){{1,6}}\s*$)\s+{_TO}[.!]?\s*$"),
    ("check", rf"{_PLEASE}(?:check|what(?: is|'s) wrong with|(?:are there )?(?:any )?problems (?:in|with)){_NOTES}"),
    (
        "remember",
        r"^\s*(?:please\s+)?(?:remember|don'?t forget)(?:\s+that)?[:,]?\s+(?P<content>.+(?<![?？]))\s*$",
    ),
    (
        "forget",
        rf"{_PLEASE}forget\s+(?:that|what i (?:said|told you) about)\s+(?P<content>.+(?<![?？]))\s*$",
    ),
    ("recall", r"\bwhat do you (?:know|remember) (?:about|of) me\b|\bwhat did I (?:tell|ask) you to remember\b"),
    (
        "commit",
        rf"{_PLEASE}commit(?:{_NOTES}|(?:\s+(?:all|my|the|these|notes?|changes?|it|everything))*"
        r"(?:\s+with(?:\s+(?:the|a))?\s+message|\s+as|\s+with(?=\s*[\"'`])|\s*:)\W*?\s*[\"'`]?(?P<content>\w.*?)[\"'`]?[.!]?\s*$)",
    ),
    ("push", rf"{_PLEASE}push{_NOTES}"),
    ("pull", rf"{_PLEASE}pull{_NOTES}"),
    ("status", r"\b(?:git status|what (?:has )?changed since)\b"),
    (
        "structure",
        rf"{_PLEASE}(?:which|what|list|show)\b[^.]{{0,40}}\b(?:folders|categories|topics|structure)\b[^.]{{0,40}}$",
    ),
    (
        "structure",
        rf"{_PLEASE}(?:(?:list|show)(?:\s+me)?(?:\s+(?:all|of|my|our|the))*\s+notes|(?:what|which)\s+notes\s+(?:are\s+there"
        r"|do\s+(?:i|we|you)\s+have)|what(?:'s|\s+is)\s+(?:there|(?:in\s+)?here|in\s+(?:my|our|the)\s+notes))\W*$",
    ),
    (
        "find",
        rf"{_PLEASE}(?:find|search|look for|list|show)(?:\s+me)?(?:\s+(?:all|my|the))*\s+notes?\s+{_ABOUT}[.!?]?\s*$",
    ),
    ("read", rf"{_PLEASE}(?:read|show|open|print)(?:\s+me)?(?:\s+the)?(?:\s+(?:note|file))?\s+{_FILE}[.!]?\s*$"),
    (
        "ask",
        rf"[?？]\s*$|(?:吗|呢|か)[。.]?\s*$|^\s*(?:tell me|explain|describe)\b(?=.{{0,200}}$)|^\s*{_ASKING}{_NO_STOP}",
    ),
    (
        "ask",
        r"^[^。，、]*(?:什么|哪|怎么|多[少久长远]|几点|[誰谁](?!も)|どこ(?!も)|いつ(?!も)|なぜ|どう|いくら)[^。，、]*$",
    ),
)
CHANGING = ("write", "delete", "move", "summary", "links", "repeated", "tidy", "commit", "push", "pull")
_QUOTED = re.compile(r"\"[^\"\n]*\"|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)")
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|week|month|year)\b"
_CONDITION = re.compile(  # also another time than now; behind "to", and within a folder's path, each is a name
    r"(?<!to )(?<!called )(?<!named )(?<![\w/.-])(?:if|unless|when(?:ever)?|while|after(?:wards)?|before|until|till"
    rf"|(?<!at )once|provided|providing|in case|as (?:soon|long) as|but|except|tomorrow|tonight|later|soon"
    rf"|next (?:time|{_DAY}))\b(?![/-])",
    re.IGNORECASE,
)
_ANOTHER_TIME = re.compile(  # of a place: a title may well hold one of these
    rf" (?:(?:on|by|this|every) {_DAY}|at (?:\d|noon|night)|in (?:an?|\w+) (?:hour|day|week|month)s?\b)", re.IGNORECASE
)
_ASKED_FOR = re.compile(r"\b(?:(?:can|could|would|will) you|please|kindly)\b", re.IGNORECASE)
# What begins so is an order, though none of those above: it is not kept as if it were a fact.
_ORDER = re.compile(
    rf"{_PLEASE}(?:(?:do not|don'?t|never)\W+)?(?:tidy|clean|merge|join|delete|remove|move|rename|commit|push|pull|fix"
    r"|create|make|write|add|find|search|show|list|read|open|print|summari[sz]e|check|undo)\b",
    re.IGNORECASE,
)
_OF_NOTES = re.compile(r"\b(?:my|our|the|all|these|those)\s+(?:[\w-]+\s+)?notes?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Wish:
    """What is asked for: "note", a kind of PATTERNS, or "unknown"; and what goes with it, "" where nothing does."""

    kind: str
    topic: str = ""
    path: str = ""
    to: str = ""
    content: str = ""


def name_in(words: str) -> str:
    """The name in "insurance note" and in "note about insurance"; "" where no note is named so."""
    named = re.fullmatch(rf"note\s+(?:{_CALLED}\s+|(?=[\"'`]))(?P<last>.+)|(?P<first>.+)\s+note", words, re.IGNORECASE)
    return (named["last"] or named["first"]).strip("\"'` ") if named else ""


def is_plain(prompt: str, wish: Wish) -> bool:
    """Whether an order is to be carried out now and on no condition. What is quoted, the name of a file, and what is to
    be written are none of its words."""
    said = _QUOTED.sub("", prompt).strip().rstrip(".!").removesuffix(wish.content.rstrip(".!"))
    said = " ".join(said.replace(wish.path, "").replace(wish.to if wish.to.endswith(".md") else "", "").split())
    asks = said.endswith(("?", "？")) and not _ASKED_FOR.search(said)
    return not (asks or _CONDITION.search(said) or _ANOTHER_TIME.search(wish.to))


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
            wish = Wish(kind, **groups)
            return wish if kind not in CHANGING or is_plain(prompt, wish) else Wish("unknown")
    unspaced = len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff]", prompt)) // 2  # a word is about two signs
    words = len(prompt.split()) + unspaced
    is_order = _ORDER.match(prompt)
    if is_order and _OF_NOTES.search(prompt):
        return Wish("unknown")
    short_note = words >= FACT_WORDS and (re.search(r"\d", prompt) or tells(prompt)) and not is_order
    return Wish("note", content=prompt.strip()) if words >= NOTE_WORDS or short_note else Wish("unknown")
