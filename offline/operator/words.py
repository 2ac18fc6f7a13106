"""A task in words, as the operator's mind reads it: clauses, stems, and what stands where in them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

_COMMON = """
a an and any anything everything something are as at be but by can could do does for from has have how i if in into is
it its many me my no not now of on only or our out please so such than that the their them then there these this those
to up us was we were what when where which who will with would you your all every each again also just more less
whatever whichever whose
"""
STOP = frozenset(_COMMON.split())
# Words that a person uses for what a tool's name says.
SAME = (
    ("get", "show", "look", "inspect", "see", "tell", "describe", "view", "display", "print", "read", "check", "give"),
    ("list", "which", "enumerate"),
    ("rollback", "revert"),
    ("scale", "resize", "increase", "decrease", "raise", "bump", "lower", "reduce", "set"),
    ("deploy", "release", "ship", "install", "upgrade"),
    ("restart", "reboot", "bounce", "start"),  # "start": only what is stopped (orders.py)
    ("create", "make", "add", "open", "new", "report", "start", "write", "file", "raise", "submit"),
    ("delete", "remove", "drop", "erase"),
    ("notify", "inform", "message", "alert", "tell", "send"),
    ("search", "find"),
    ("log", "error", "output"),
    ("move", "rename"),
)
QUOTED = re.compile(r"\"([^\"]+)\"|'([^']+)'(?!\w)|“([^”]+)”|`([^`]+)`")
TEXT_AFTER = re.compile(
    r"\b(?:titled|called|saying|says|that reads|with the (?:message|title|text))\s*:?\s+(.+?)\s*[.!]?$", re.I
)
SENTENCE = re.compile(
    r"(?<=[^\d.])[.;!]\s+|(?<=\d)[.;!]\s+(?=[A-Z])|(?<=\?)\s+|[.;!]\s*$|\s*\n+\s*(?:[-*]\s+|\d+[.)]\s+)?"
)
JOIN = re.compile(r",?\s+(?:and\s+)?then\s+|,?\s+and\s+(?=([A-Za-z]+))")
# Before one of these, "and" and "then" do not begin an order of their own: "explain how to stop it and restart it", "is
# it safe to restart it and scale it".
SUBORDINATE = re.compile(
    r"\b(?:if|how|why|whether|what|who|when|would|should|about|says?|said|wrote|asked|told|wants?|plan\w*)\b|:"
    r"|\b(?:tell|notify|inform|alert|message)\b.*\bthat\b|\blet\b.*\bknow\b|\b(?:titled|saying)\s+\w"
    r"|^\W*(?:is|are|am|was|were|does|did|do (?:i|we|you|they)|has|had|may|must|which|where)\b",
    re.IGNORECASE,
)
POLITE = re.compile(
    r"^\W*(?:(?:please|now|first|then|also|and|kindly|okay?|so|go ahead and|let'?s|let us(?! know)"
    r"|i (?:want|need) you to|i(?:'d| would) like you to"
    r"|(?:can|could) you|(?:would|will) you\b(?=.*\bplease))\b[\s,]*)+",
    re.IGNORECASE,
)
# What is told in place of a text: what was just done, which nobody else knows by this name.
SPOKEN_OF = r"(?:(?:about|of) )?(?:it|this|that|them|these|those|what (?:you|we|i) did|what was done|the changes?)"
REQUEST = re.compile(r"^\W*(?:please\W+)?(?:(?:can|could) you|(?:would|will) you\b(?=.*\bplease))\b", re.I | re.S)
EVERY = re.compile(r"\b(every|everything|all|each(?=\s+\w)|any|anything|those|whichever|whatever)\b", re.I)
CONDITION = re.compile(
    r"\bif\s+(it|that|this|(?:[\w'’-]+\s+){0,3}?[\w'’-]+)\s+(?:is|are|has|have)\s+"
    r"(?:(?:still|currently|now)\s+)?(?:(?:on|at)\s+(?:version\s+)?(?=v?\d))?([^,]+?)(?=,|[.!]?$|\s+then\b)",
    re.I,
)


def stem(word: str) -> str:
    """A word without the endings that change nothing of what it says here."""
    word = word.lower()
    for ending, least in (("ies", 5), ("ing", 6), ("ed", 5), ("ly", 5), ("es", 6), ("s", 4)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            word = word[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    return word.rstrip("e") if len(word) > 3 else word


def words_of(text: str) -> list[str]:
    """The words of a text, also those in names such as get_service, getService and get-service."""
    split = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    return re.findall(r"[A-Za-z]+", split)


def stems(text: str) -> set[str]:
    return {stem(word) for word in words_of(text) if word.lower() not in STOP}


def same_as(word: str) -> set[str]:
    """The stems of the words that are said for a word, itself among them."""
    said = stem(word)
    return {said}.union(*({stem(other) for other in group} for group in SAME if said in map(stem, group)))


@dataclass(frozen=True)
class Clause:
    """One thing that is asked for."""

    text: str
    whole: str = field(default="")  # the task that it stands in
    without: tuple[str, ...] = ()  # what it is not to be done to

    @cached_property
    def stems(self) -> set[str]:
        return stems(self.text)

    @cached_property
    def tokens(self) -> list[str]:
        """What may be a name or a value, as it was written, without the punctuation around it."""
        return [token.strip("\"'`,;:!?()“”").rstrip(".") for token in self.text.split()]

    @cached_property
    def quoted(self) -> list[str]:
        return ["".join(found) for found in QUOTED.findall(self.text)] or TEXT_AFTER.findall(self.text)

    @property
    def first(self) -> str:
        """The first word that says what to do."""
        text = POLITE.sub("", CONDITION.sub("", self.text).strip(" ,")).lower()
        return next(iter(re.findall(r"[a-z]+", text)), "")

    @property
    def selects(self) -> bool:
        return bool(EVERY.search(self.text))


def clauses_of(prompt: str, verbs: set[str]) -> list[Clause]:
    """Split a task at the end of sentences, at "then", and at an "and" before a verb that a tool has."""
    quoted = [match.span() for match in QUOTED.finditer(prompt)]
    inside = lambda place: any(begin <= place < end for begin, end in quoted)  # noqa: E731
    ends = [match.span() for match in SENTENCE.finditer(prompt) if not inside(match.start())]
    starts = [0, *(end for _, end in ends)]
    cuts = list(ends)
    for match in JOIN.finditer(prompt):
        begin = max(start for start in starts if start <= match.start())
        end = min((start for start, _ in ends if start >= match.end()), default=len(prompt))
        sentence, asks = prompt[begin : match.start()], prompt[:end].rstrip().endswith("?")
        orders = match[1] is None or stem(match[1]) in verbs
        if asks and not REQUEST.match(prompt[begin:end]):  # "restart it and scale it, right?" asks about both
            continue
        if orders and not inside(match.start()) and not SUBORDINATE.search(QUOTED.sub(" ", sentence)):
            cuts += [match.span(), *([(len(prompt[:end].rstrip()) - 1, end)] if asks else [])]
    parts, begin = [], 0
    for start, end in sorted(cuts):
        parts.append(prompt[begin:start])
        begin = max(begin, end)
    parts.append(prompt[begin:])
    found = [Clause(part.strip(), prompt) for part in parts if part.strip(" .!?")]
    return found or [Clause(prompt, prompt)]
