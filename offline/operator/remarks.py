"""What people say beside an order: greetings, thanks, and why they want it.

A remark says how things are ("smtp is stuck again", "we have a sale at noon"): it orders nothing. What may deny, quote,
doubt or put off is no remark, and is asked about as before.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from offline.operator.menu import Offered
from offline.operator.orders import DENIES, is_question, order_in, own_verb, same_words, verb_of
from offline.operator.sayings import FIRST
from offline.operator.words import QUOTED, STOP, Clause, stem, words_of

LONGEST = 1_000  # characters of what may be an order; the patterns below take the square of a run of blanks
_GREETING = re.compile(
    r"^(?:\W*(?:(?:hi|hey|hello)(?: (?:there|all|team|everyone))?|(?:good )?(?:morning|afternoon|evening)"
    r"|it['’]?s me(?: again)?|sorry to bother you|ok so|pls)\b[\s,!.]*)+(?:so\b[\s,]*)?",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"(?:[\s,]+(?:pls|plz|please|thx|cheers|thanks|thank you|for now|if you (?:can|have time)"
    r"|when you (?:can|have (?:a |the )?(?:moment|minute|time))))+(?=[.!]*$)"
    r"|[\s,]+(?:would|will|could|can) you(?: please)?\?$",
    re.IGNORECASE,
)
_IS_SO = re.compile(
    r"(?:(?:the|our|a|an|my|their|we|they|he|she|it|there|people|users|customers|[a-z][\w-]*)\s+){0,4}?"
    r"(?:[a-z][\w-]*(?:['’](?:s|re|ve|m))|[a-z][\w-]*\s+(?:is|are|am|has|have|had|was|were|keeps?|kept|looks?|seems?|feels?"
    r"|expects?|got|gets|went|came))\s+\w",
    re.IGNORECASE,
)
_THINKING = re.compile(r"\s+(?=i think\b)|,\s+|\s+[–—-]+\s+", re.IGNORECASE)
_TOLD = re.compile(r"\b(?:that|titled|called|saying|reads?)\b|[:\"“`]", re.IGNORECASE)
_DOUBT = re.compile(
    r"\b(?:this|these|those|that|what|which|who|you|your|yours|said|says?|wrote|writes?|asks?|asked|told|tells?|typed"
    r"|meant|means?|quotes?|examples?|jok\w*|kidding|exercise|question|mistake|wrong|bad|plans?|planned|idea|proposal"
    r"|option|draft|mail|chat|ticket|message|order|command|staging|test\w*|pretend\w*|imagin\w*|suppos\w*|theor\w*"
    r"|hypothe\w*|only|later|tomorrow|yesterday|tonight|soon|next|yet|done(?! with)|finished|already|sorted|fixed"
    r"|solved|resolved|fine|ok|okay|good|healthy|sure|approv\w*|permission|allow\w*|forbid\w*|over|gone|window|should|must"
    r"|would|could|may|might|ought|will|shall|if|unless|until|before|after|whether|perhaps|maybe|about to|going to"
    r"|need\w*(?! (?:it|them) (?:back|again|now|up|running)\b)|want\w*|try\w*|hop\w*|wish\w*|lol|ha|change\w*)\b"
    r"|\?|n['’]t\b",
    re.IGNORECASE,
)
_SAME = re.compile(r"\W*(?:and )?(?:do )?(?:the )?same (?:with|for|to) (?:the )?([\w-]+)\W*", re.IGNORECASE)
_OH = r"(?:oh|oops|sorry|correction|no|wait|hm+)\b"
_MEANT = re.compile(
    rf"(?:(?P<order>(?!\W*{_OH}).*?\w),?\s+)?\W*(?:{_OH}\W+)*(?:i (?:mean|meant)|make (?:it|that))\W+"
    r"(?:to |for )?(?P<value>[\w.-]+?)\W*",
    re.IGNORECASE,
)
_NAMES = r"(?:the )?([\w-]+(?:(?:,| and| or|, and|, or) (?:the )?[\w-]+)*)"
_EXCEPT = re.compile(
    rf",? (?:(?:except|excluding|apart from|other than|but not)(?: for)? {_NAMES}"
    rf"|(?:but|and) (?:(?:do not|don['’]t) (?:touch|change) {_NAMES}|leave {_NAMES} alone))(?=\W*$)",
    re.IGNORECASE,
)
_PAIR = r"(?:[\w-]+ to v?\d[\w.]*|v?\d[\w.]* to [a-z][\w-]*)"


def is_remark(text: str, acts: Collection[str]) -> bool:
    """Whether a text only says how things are. `acts` are the stems of what can be ordered: "the restart is due" may be
    an order, and is none that is plain."""
    text = re.sub(r"^\W*(?:so|well|fyi|i think)\b[\s,]*", "", text, flags=re.IGNORECASE)
    plain = re.sub(r"\bstart(?:s|ing)(?= (?:at|on|in)\b)", "", text, flags=re.IGNORECASE)
    doubtful = DENIES.search(text) or _DOUBT.search(text) or QUOTED.search(text) or is_question(text)
    return bool(_IS_SO.match(text)) and not doubtful and not {stem(word) for word in words_of(plain)} & set(acts)


def heard(
    clauses: Sequence[Clause], menu: Sequence[Offered], counted: Collection[str]
) -> tuple[list[Clause], set[Clause]]:
    """The clauses of a task without greetings and thanks, each remark a clause of its own, and what is said by the last
    order ("and the same with catalog", "sorry, I meant 6") said out; and which of them are remarks. `counted` are the
    numbers that tools take."""
    acts = {stem(word) for tool in menu if not tool.looks for word in (own_verb(tool), *same_words(tool))} - {"new"}
    found: list[Clause] = []
    remarks: set[Clause] = set()
    for clause in clauses:
        if len(clause.text) > LONGEST:
            found.append(clause)
            continue
        text = _with_comma(_THANKS.sub("", _GREETING.sub("", clause.text, count=1)), acts)
        if (without := _EXCEPT.search(text)) and not _TOLD.search(text):
            named = re.split(r",? (?:and |or )?(?:the )?|, ", without[1] or without[2] or without[3])
            clause, text = replace(clause, without=tuple(named)), text[: without.start()]
        if not text.strip(" .!?,"):
            continue
        for part in _parts(replace(clause, text=text), acts, counted):
            orders = [each for each in found if each not in remarks]
            if is_remark(part.text, acts):
                remarks.add(part)
            elif meant := _MEANT.fullmatch(part.text):
                order = replace(part, text=meant["order"]) if meant["order"] else orders[-1] if orders else None
                if order and (corrected := _corrected(order, meant["value"], menu)):
                    if not meant["order"]:
                        found[found.index(order)] = corrected
                        continue
                    part = corrected
            elif orders and (same := _SAME.fullmatch(part.text)):
                part = _corrected(orders[-1], same[1], menu) or part
            found.append(part)
    return (found, remarks) if len(found) > len(remarks) else (list(clauses), set())


def _with_comma(text: str, acts: Collection[str]) -> str:
    """ "If search is degraded restart it" with the comma before what is ordered."""
    if not re.match(r"\W*if\b", text, re.IGNORECASE) or "," in text:
        return text
    words = [found.start() for found in re.finditer(r"(?<!\S)[a-z]", text, re.IGNORECASE)][4:]
    begin = next((at for at in words if stem(verb_of(text[at:])) in acts), None)
    return text if begin is None else f"{text[:begin].rstrip()}, {text[begin:]}"


def _corrected(order: Clause, value: str, menu: Sequence[Offered]) -> Clause | None:
    """An order with another number, or another name, in place of the only one that it has."""
    understood = order_in(order, menu)
    if isinstance(understood, str) or value.lower() in STOP:
        return None
    tool, known = understood.tool, understood.tool.knowing(value)
    said = {**understood.arguments, tool.entity: understood.names[0] if len(understood.names) == 1 else ""}
    numbers = re.findall(r"(?<![\w.])v?\d[\d.]*(?<!\.)", order.text)
    words = [said.get(name) for name in known] if known else [said[tool.entity]] if len(tool.texts) == 1 else []
    old = numbers if value[0].isdigit() else [str(word) for word in words if word]
    if len(old) != 1 or order.text.count(old[0]) != 1:
        return None
    return replace(order, text=order.text.replace(old[0], value))


def _parts(clause: Clause, acts: Collection[str], counted: Collection[str]) -> Iterator[Clause]:
    """A clause without the remarks before and behind it, each by itself; "gateway to 6, search to 4" by its pairs."""
    pair = rf"{_PAIR}(?: (?:{'|'.join(counted) or '(?!)'}))?"
    pairs = re.fullmatch(rf"([a-z]+ )?({pair}(?:(?:,| and|, and) {pair})+)\W*", clause.text, re.IGNORECASE)
    if pairs and (pairs[1] or len(counted) == 1):
        for said in re.findall(pair, pairs[2]):
            named = pairs[1] or said.endswith(tuple(counted))  # what is counted, if anything is
            yield replace(clause, text=f"{pairs[1] or 'set '}{said}{'' if named else f' {next(iter(counted))}'}")
        return
    parts = _THINKING.split(clause.text)
    ordered = any(stem(verb_of(part)) in acts or verb_of(part) in FIRST for part in parts[1:])
    if _TOLD.search(clause.text) or (is_remark(clause.text, acts) and not ordered):
        yield clause
        return
    begin = next((at for at, part in enumerate(parts) if not is_remark(part, acts)), 0)
    end = next((at for at in range(len(parts), begin, -1) if not is_remark(parts[at - 1], acts)), len(parts))
    for part in (*parts[:begin], ", ".join(parts[begin:end]), *parts[end:]):
        yield replace(clause, text=_THANKS.sub("", part))
