"""What a person asks for, read from plain words.

Changing files takes a clear wish: a sentence that tells somebody to do it. A question, a negation or a doubt is none.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace

from offline.coder.languages import in_english

EXTENSIONS = "py|md|rst|txt|toml|cfg|ini|json|ya?ml|csv|html|css|js|sh|log|pyi|ipynb"
FILE = rf"[\"'`]?(?P<path>[\w./\\-]*\w\.(?:{EXTENSIONS})|README|LICENSE)\b[\"'`]?"
PATH = r"[\"'`]?(?P<path>[\w.][\w./\\-]*)[\"'`]?"
NAME = r"[\"'`]?(?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)?)(?:\(\))?[\"'`]?"
THING = (
    r"(?:the )?(?:function|method|class|variable|constant|name|module|parameter|argument|attribute|field|code of)?\s*"
)
PROGRAM = r"(?:project|program|code ?base|code|app|application|package|repo|repository|library|calculator)"

# What begins a sentence that tells somebody to do something, however politely.
COURTESY = re.compile(
    r"^(?:please|kindly|hey|hi|hello|ok|okay|now|just|then|so|and|also|well|go ahead and|go ahead|let's|try to|simply|"
    r"pls|plz|instead|today|first|finally|do|don't forget to|thanks|only)\b[\s,]*",
    re.IGNORECASE,
)
REQUEST = re.compile(
    r"^(?:(?:can|could|will|would) you(?: mind)?|i(?: would|'d)? (?:want|need|like) you to|"
    r"you (?:should|must|may|can|could|have to|need to)(?: now)?|i ask you to|be so kind (?:as )?to)\b\s*",
    re.IGNORECASE,
)
FIX = r"(?:fix|repair|correct|mend|patch|resolve)(?:ing)?\b"
MAKE_PASS = r"(?:make|get|let)\b.*\b(?:tests?\w*|it|them|this|code|program|everything|all)\b.*\b(?:pass\w*|works?|green|succeed|run)\b"
MAKE_PASS_TOO = r"make\b.*\bpass\b"
SOLVE = r"(?:solve|remove|eliminate|get rid of)\s+(?:the|this|that|my|our|all|every)?\s*(?:bugs?|problems?|errors?|issues?|mistakes?|failures?)\b"
PROSE = re.compile(
    r"\b(?:spelling|typos?|grammar|wording|format(?:ting)?|indentation|style|docs?|documentation|docstrings?|comments?|"
    r"readme|license|whitespace|lint\w*|type hints?|translation|layout|design|colou?rs?)\b",
    re.IGNORECASE,
)
NEVER = (
    r"(?:do not|don'?t|never|not|without|no need to|nothing|avoid)\b(?: (?:even|yet|please|you|ever|to|just|go and))*"
)
CHANGE = r"(?:chang|edit|modify|touch|alter|writ|fix|repair|correct|apply|rewrit|updat)(?:e|es|ing|ting)?\b"
ALL = r"(?:it|anything|nothing|any ?thing|any of it|(?:the|my|any|your|our|a|single)?\s*(?:code|files?|programs?|source|bugs?|line|project)|them|this|that|yet|)"
FORBIDDEN = re.compile(
    rf"\b{NEVER} {CHANGE}(?: {ALL})?(?: (?:yet|now|please|for me|at all|myself|yourself|without \w+|itself))*\s*$|"
    rf"\b(?:fix|change|edit|touch|repair|correct|modify)(?:ing)? nothing\b|\bno (?:changes|edits|fix|fixes|fixing)\b|\bread[- ]only\b|"
    r"\bhands off\b|\bleave (?:it|everything|the code|all|the files?) (?:alone|as|unchanged)",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:how|whether|to|would|could|should|might|if|when|did|have|has|had|i|we|they|he|she|who|somebody|"
    r"someone|says?|said|asks?|asked|writes|wrote|told|reads|means)\b",
    re.IGNORECASE,
)

JOINTS = ("and", "or", "then")

PATTERNS = (
    ("more", r"^\s*(?:more|next|another(?: one)?|one more|go on|again|continue)\b[\s.!?]*(?:please)?[\s.!?]*$"),
    ("yes", r"^\s*(?:yes|yep|sure|ok|okay|do it|do that|go ahead|apply (?:it|that|the change))\b(?:[\s,]+(?:please|do it|do that|go ahead|thanks))*[\s.!]*$"),
    ("unknown", r"^\s*(?:please |can you )*(?:undo|revert|roll back|take back|delete|remove)\b"),
    ("help", r"^\s*(?:help|hello|hi|hey)[\s!.?]*$|\bwhat can you do\b|\bwho are you\b|\bhow can you help\b"),
    ("run", r"^\s*(?:please |can you |could you )*(?:run|execute|start)\s+[\"'`]?(?P<path>[\w./-]+\.py)[\"'`]?(?:\s+(?:with\s+)?(?P<query>.+?))?[.?!]?\s*$"),
    ("about", rf"\bwhat(?:'s| is| does)\s+(?:this|the) {PROGRAM}\b(?!\.)(?: do| about| for)?|\b(?:overview|summar(?:y|i[sz]e))\b|\bexplain (?:to me )?(?:this|the|the whole|me this) {PROGRAM}\s*[.!?]*$|^\s*what is this[?\s]*$"),
    ("outline", rf"\b(?:functions|classes|methods|definitions)\b.*?\b(?:in|of|from)\s+(?:the )?(?:file |module )?{FILE}"),
    ("outline", r"\b(?:which|what|list|show)\b[\w\s]*\b(?:functions|classes|methods)\b[\w\s]*\?*$"),
    ("uses", rf"\b(?:who|what|which (?:files?|functions?|modules?))\s+(?:calls?|uses?|imports?|mentions?|contains?)\s+{THING}{NAME}"),
    ("uses", rf"\bwhere\s+(?:is|are|do we)\s+{THING}{NAME}\s+(?:used|called|imported|mentioned)\b"),
    ("uses", rf"\b(?:uses|usages?|callers|references|calls)\s+(?:of|to)\s+{THING}{NAME}"),
    ("search", r"\bwhere\s+(?:is|are|do|does|did)\s+(?:the\s+)?(?:function |class |method |variable |constant )?[\"'`]?(?P<query>.+?)[\"'`]?\s+(?:defined|declared|set|implemented|come from|live|stand)\b"),
    ("search", r"^\s*(?:please )?(?:search(?:\s+for)?|grep(?:\s+for)?|look\s+for)\s+(?:the\s+)?(?!(?:any |a )?(?:bugs?|mistakes?|errors?)\b)[\"'`]?(?P<query>.+?)[\"'`]?[?.!]?\s*$"),
    ("search", r"^\s*(?:please )?find\s+(?:[\"'`](?P<query>[^\"'`]+)[\"'`])[?.!]?\s*$"),
    ("diagnose", r"^\s*why\b|\bwhy\b\s*\??$"),
    ("test", r"\b(?:run|execute|check|launch|start|rerun)\b[^.?!]*\btests?\b"),
    ("test", r"^\s*(?:do|are|did|will)\b.*\btests?\b.*\b(?:pass|green|ok|okay|succeed|run)\b"),
    ("explain", rf"\bwhat\s+(?:\w+\s+)?does\s+{THING}(?!(?:it|this|that|the|my)\b){NAME}(?: in {FILE.replace('path', 'place')})?\s+(?:do|return|take|raise|call|expect|compute|need)\b"),
    ("explain", rf"\bhow\s+does\s+{THING}(?!(?:it|this|that|the|my)\b){NAME}(?: in {FILE.replace('path', 'place')})?\s+work\b"),
    ("explain", rf"\bexplain\s+(?:to me )?(?:what |how )?{FILE}"),
    ("explain", rf"\bexplain\s+(?:to me )?(?:what |how )?{THING}(?!(?:it|this|that|the|my|what|how)\b){NAME}(?:\s+(?:does|works))?(?:\s+in\s+{FILE.replace('path', 'place')})?\s*(?:to me)?[.!?]*\s*$"),
    ("diagnose", r"\b(?:bugs?|wrong|incorrect|broken|fails?|failing|failure|crash(?:es|ed)?|mistakes?|correct|right|debug)\b"),
    ("diagnose", r"\b(?:should(?:n'?t| not)? (?:be|give|return|equal|print|raise)|instead of|expected)\b|\w\([^)]*\)\s*(?:==|->|→|\b(?:is|returns|gives|raises)\b)"),
    ("diagnose", r"\b(?:(?:is|are|do|does)(?:n'?t| not)|don'?t)\s+(?:work|working|pass|passing|run|running)\b|^\s*does \w+ work"),
    ("diagnose", r"\b(?:fix(?:ed|es|ing)?|repair(?:ed|ing)?)\b(?!\.\w)(?!\s+(?:the )?(?:spelling|typos|grammar|format))"),
    ("diagnose", r"Traceback \(most recent call last\)|^\w*(?:Error|Exception)\b"),
    ("read", rf"\b(?:read|show|print|cat|open|display|view)\b(?:\s+me)?(?:\s+the)?(?:\s+(?:file|contents?(?: of)?|text of|source of))*\s+{FILE}"),
    ("read", rf"\bwhat(?:'s| is| does| stands)\s+(?:in(?:side)?\s+|the contents? of\s+)?(?:the\s+)?(?:file\s+)?{FILE}"),
    ("list", rf"\b(?:what|which|list|show|see)\b.*\b(?:files?|folders?|director(?:y|ies))\b(?:.*\b(?:in|of|under|below|inside)\s+(?:the\s+)?(?:folder\s+|directory\s+)?{PATH})?"),
    ("list", rf"^\s*(?:ls|dir)\b(?:\s+{PATH})?"),
    ("search", r"^\s*(?:where\s+(?:is|are)|find)\s+(?:the\s+)?[\"'`]?(?P<query>.+?)[\"'`]?[?.!]?\s*$"),
)  # fmt: skip
HINT = re.compile(
    r"^\s*(?:hint|clue)s?\b[\s.!?]*|\b(?:a|another|one more|next|more|some|any|the next|further)"
    r"(?: (?:small|little|first|second|better|short))* (?:hint|clue|tip)s?\b|\bgive (?:me )?hints?\b",
    re.IGNORECASE,
)
TOP = frozenset(
    "root top project here this it working directory folder the repo repository there all . program".split()
)
NO_NAMES = frozenset(
    "it this that the bug bugs error errors problem issue mistake program code test tests everything anything something "
    "nothing what whatever project app all them me my failing broken a an one so and or function only please".split()
)
EDITS = frozenset(("fix", "rename", "add_test"))


@dataclass(frozen=True)
class Wish:
    """What is asked for.

    `kind` is a key of PLANS in minds/coder.py; only those in EDITS may change files. `path` is a file or folder that
    bounds it, `name` a function, class, variable or test (for sure, or a word that may be one), `new_name` what it shall be called; `avoid` are files that
    must not be changed; `query` is what is looked for, `words` are arguments of a command line.
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


@dataclass(frozen=True)
class Clause:
    """A part of a sentence; whether it tells somebody to do something, and whether it goes on from the one before."""

    text: str
    is_order: bool


def read_wish(prompt: str) -> Wish:
    """Read the prompt. Nothing is guessed: what no pattern fits is unknown."""
    text = in_english(own_words(prompt))
    if HINT.search(text):
        return Wish("hint", **place_in(text))
    clauses = list(clauses_of(text))
    if not any(FORBIDDEN.search(clause.text) for clause in clauses):
        for clause in clauses:
            if clause.is_order and (wish := wish_to_change(clause.text, text)):
                return replace(wish, avoid=avoided(clauses))
    return wish_to_know(text)


def own_words(prompt: str) -> str:
    """The prompt without what is pasted into it: code, tracebacks, quotations of lines. What they say is no wish."""
    text = prompt.replace("’", "'").replace("“", '"').replace("”", '"').replace("„", '"')
    text = re.sub(r"```.*?(?:```|\Z)", " ", text, flags=re.DOTALL)
    text = re.sub(
        r"^Traceback \(most recent call last\):\n(?:[ \t].*\n?)*.*$", "\nit crashes\n", text, flags=re.MULTILINE
    )
    return re.sub(r"^(?:\s*(?:>|#|\$)|    |\t).*$", "", text, flags=re.MULTILINE)


def clauses_of(text: str) -> Iterator[Clause]:
    """Cut a text into clauses. Quotations and the arguments of calls are not cut."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"§{len(kept) - 1}§"

    masked = re.sub(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'|[\w.]+\([^()]*\)", keep, text)
    for sentence in re.findall(r"[^.!?;\n]+(?:\.(?=\S)[^.!?;\n]+)*[.!?;\n]*", masked):
        asks = "?" in sentence
        polite = reported = False
        for joint, part in parts_of(sentence.strip().rstrip(".!?;")):
            before, part = part, without_courtesy(part)
            request = REQUEST.match(part)
            if request:
                polite, before, part = True, part, without_courtesy(part[request.end() :])
            polite = bool(request) or (polite and joint in JOINTS)
            goes_on = joint in (*JOINTS, ":")
            is_order = (polite or not asks) and not (goes_on and reported)
            yield Clause(re.sub(r"§(\d+)§", lambda found: kept[int(found[1])], part), is_order)
            reported = bool(REPORTED.search(part if polite else before)) or (goes_on and reported)


def parts_of(sentence: str) -> Iterator[tuple[str, str]]:
    """The parts of a sentence, each with the word that joins it to the one before."""
    pieces = re.split(r"\s*(,|:|\s[-–—]\s|\b(?:but|and|or|then|so that)\b)\s*", sentence, flags=re.IGNORECASE)
    joint = ""
    for index in range(0, len(pieces), 2):
        if pieces[index].strip():
            yield joint, pieces[index].strip()
            joint = ""
        if index + 1 < len(pieces) and pieces[index + 1].strip() not in ",":
            joint = pieces[index + 1].strip().lower()
        elif index + 1 < len(pieces):
            joint = ""


def without_courtesy(text: str) -> str:
    while (found := COURTESY.match(text)) and found.end() and found.end() < len(text):
        text = text[found.end() :]
    return text


def wish_to_change(clause: str, text: str) -> Wish | None:
    """The change that a clause orders, None when it orders none. One that this program cannot make is unknown."""
    between = r"\s+(?:to|into|in|en|a|as|в|zu|->|→)\s+"
    new = r"[\"'`]?(?P<new>[^\W\d]\w*)[\"'`]?"
    renamed = re.match(rf"(?:rename|change the name of)\s+{THING}{NAME}{between}{new}", clause, re.IGNORECASE)
    if renamed:
        return Wish("rename", name=renamed["name"], new_name=renamed["new"], **place_in(clause[renamed.end() :]))
    if re.match(
        r"(?:add|write|create|make (?=an? ))\s*(?:\w+\s+){0,3}tests?\b(?! (?:framework|runner))", clause, re.IGNORECASE
    ):
        return Wish("add_test", **place_in(clause))
    fix = re.match(FIX, clause, re.IGNORECASE)
    # German puts the verb last: "can you the bug fix"
    fix = fix or re.search(rf"^(?:the|this|a)\b.*\b{FIX}$", clause, re.IGNORECASE)
    makes = re.match(f"{MAKE_PASS}|{MAKE_PASS_TOO}|{SOLVE}", clause, re.IGNORECASE)
    if not fix and not makes:
        return None
    rest = clause[fix.end() :] if fix else clause
    if fix and re.match(r"\s*(?:me\b|nothing\b|$)", rest) and rest.strip():
        return None
    place = place_in(clause) or place_in(text if "only in" in text else "")
    if fix and (PROSE.search(rest) or not place.get("path", "x.py").endswith(".py")):
        return Wish("unknown", path=place.get("path", ""))
    tests = re.findall(r"\btest_\w+", text)
    name, is_sure = named_in(rest)
    return Wish("fix", name=name or (tests[0] if len(set(tests)) == 1 else ""), is_sure=is_sure, **place)


def named_in(text: str) -> tuple[str, bool]:
    """The function, class or test that an order names ("" when it names none), and whether it is one for sure."""
    plain = re.sub(FILE, " ", text)
    explicit = re.search(rf"\b(?:function|method|class|test)\s+{NAME}", plain, re.IGNORECASE)
    called = re.search(r"([^\W\d][\w.]*)\(\)", plain)
    direct = re.match(rf"\s*(?:the )?{NAME}(?=\s*$|\s+in\b)", plain)
    sure = (explicit and explicit["name"]) or (called and called[1]) or ""
    found = sure or (direct and direct["name"]) or ""
    return ("", False) if found.lower() in NO_NAMES else (found, bool(sure))


def place_in(text: str) -> dict[str, str]:
    """{"path": ...} where a text names a file, else {}."""
    found = re.search(FILE, text)
    return {"path": found["path"].replace("\\", "/").removeprefix("./")} if found else {}


def avoided(clauses: list[Clause]) -> tuple[str, ...]:
    """The files that the person wants left alone."""
    forbidding = (clause.text for clause in clauses if re.search(rf"\b{NEVER} {CHANGE}", clause.text, re.IGNORECASE))
    return tuple(place["path"] for text in forbidding if (place := place_in(text)))


def wish_to_know(text: str) -> Wish:
    """What is asked where nothing shall be changed."""
    for kind, pattern in PATTERNS:
        found = re.search(pattern, text, re.IGNORECASE | re.DOTALL)
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
