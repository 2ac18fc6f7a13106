"""What a plain order is. Only a plain order changes anything; what else is said is answered by looking, or is asked.

A plain order begins with what to do, denies nothing, is about now, and holds no word that nobody here understands: not
"Do not restart billing", "Why was it restarted?", "Undo the restart" or "Restart billing in staging". A tool is taken
by its own verb or one that means the same, never by its opposite: to roll out is to deploy, not to roll back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from offline.operator.menu import KNOWN, LOOKING, QUESTION, TEXTS, Offered, explicit, known_in
from offline.operator.words import (
    CONDITION,
    POLITE,
    QUOTED,
    REQUEST,
    SAME,
    STOP,
    Clause,
    same_as,
    stem,
    stems,
    words_of,
)

GREETING = re.compile(
    r"\W*(?:please|thanks|thank you|hello|hi|ok|okay|good (?:morning|evening))(?: (?:all|there|a lot|very much))?\W*",
    re.IGNORECASE,
)
DENIES = re.compile(
    r"\b(?:not|no|never|nobody|none|nothing|neither|nor|without|avoid|except|unless|until|cancel|stop|refrain|instead"
    r"|wait|forget|leave|keep|hold|cannot)\b|n['’]t\b|\b(?:do|does|did|is|are|wo|ca|should|must)nt\b",
    re.IGNORECASE,
)
UNREAL = re.compile(
    r"\b(?:if|when|whenever|while|once|after|before\s+\w|tomorrow|tonight|later|next|soon|yesterday|already|was|were|been"
    r"|had|did|should|may|might|must|would|could|will|failed|happened)\b",
    re.IGNORECASE,
)
SELECTION = re.compile(r"\b(?:that|which)\s+(?:is|are|isn['’]t|aren['’]t)\s+(?:not\s+)?[\w-]+", re.IGNORECASE)
REASON = re.compile(r"[,\s]+(?:because|since|so that)\b.*$", re.IGNORECASE | re.DOTALL)
MESSAGE = re.compile(
    r"\b(?:titled|called|saying|that reads|with the (?:message|title|text))\b.*$"
    r"|(?<=\w)\s*:.*$|(?:(?<=^tell)|(?<=^send)|(?<=^notify)|(?<=^inform)|(?<=^alert)|(?<=^message)|(?<=^write))\b(?P<whom>.*?)\bthat\b.*$",
    re.IGNORECASE | re.DOTALL,
)
GIVEN = re.compile(
    r"(?:\b(?:titled|called|saying|that reads|with the (?:message|title|text))\b|:|\bthat\b)\s*\"\"", re.I
)
PRONOUN = re.compile(r"\b(?:it|its|that one|this one|the same|this|that)\b", re.IGNORECASE)
PART = re.compile(
    r"\b(?:one|two|three|four|five|half|some|any|any one|either|a few|several|part|most) of\b", re.IGNORECASE
)  # of several: which?
ELSEWHERE = re.compile(
    r"\b(?:there|here)\b|\b(?:of|in|at|on|from|for) (?:that|this|these|those|the same) [\w-]+", re.IGNORECASE
)
EXTREME = re.compile(r"\b(?:most|fewest|highest|lowest|least)\b", re.IGNORECASE)
# As sayings.py has them: "to its maximum", "to as many as gateway".
LIMIT = re.compile(r"\bto (?:its (?P<end>max|min)imum|as many as (?P<like>[\w-]+))", re.IGNORECASE)
BY = re.compile(r"\bby\s+(a factor of\s+)?(\d+)\b", re.IGNORECASE)
QUOTING = re.compile(r"[^:\"“]*\b(?:says?|said|reads?|wrote|writes|asks?|asked|told)\b[^:\"“]*[:\"“]", re.IGNORECASE)
TELLING = frozenset(("he", "she", "they", "somebody", "someone", "everybody", "everyone"))
UNKNOWN = "I do not understand "
NOTHING = "{!r} says nothing to do"
UP, DOWN = ("increase", "raise", "bump", "up"), ("decrease", "lower", "reduce", "down")
# These order something only with a value that says what: "run mailer with 3 replicas", "bring catalog to 2.5.0".
SETTING = frozenset(
    (*("set", "bring", "put", "run", "update", "change", "adjust", "switch", "push", "move", "take"), *UP, *DOWN)
)
PLAIN = re.compile(r"[\s*•–-]*\w")  # how an order begins; what begins with ">", "$" or "#" is quoted from somewhere
MANNER = stems(
    "immediately right away quickly carefully gently asap service thing called named back previous thanks again over"
    " afterwards"
)


@dataclass(frozen=True)
class Order:
    """A change to make: with which tool, its values, and to what: `names`, or all that `clause` selects (`every`), or
    what was spoken of before (`it`). `condition` is what must be so of `subject`; `direction` 1 is more, -1 less.
    `limit`: "max" or "min" is the most or the least that it may have, a name what that has. `one`: one is selected."""

    tool: Offered
    clause: Clause
    arguments: dict[str, Any]
    names: tuple[str, ...] = ()
    every: bool = False
    it: bool = False
    subject: str = ""
    condition: str = ""
    direction: int = 0
    limit: str = ""
    one: bool = False
    known: frozenset[str] = field(default=frozenset())


def is_question(text: str) -> bool:
    if re.match(r"\W*do (?:i|we|you|they)\b", text, re.IGNORECASE):
        return True
    first = (re.findall(r"[a-z']+", POLITE.sub("", text).lower()) or [""])[0].split("'")[0]
    return (text.rstrip().endswith("?") and not REQUEST.match(text)) or first in QUESTION - {"do"}


def bare(text: str, *, selection: bool = False, message: bool = False) -> str:
    """A text without what it quotes, tells somebody, gives as a reason or as a condition, and selects by; with the last
    or with what it tells where that is wanted."""
    text = POLITE.sub("", REASON.sub("", CONDITION.sub("", QUOTED.sub('""', text)).strip(" ,")))
    if not message:  # where it is quoted it ends with the quotation, else with the text
        quoted = GIVEN.sub("", text)
        text = MESSAGE.sub(lambda match: match["whom"] or "", text) if quoted == text else quoted
    text = text.replace('""', " ")
    return (text if selection else SELECTION.sub(" ", text)).strip(" ,")


def denies(text: str) -> bool:
    return not is_question(text) and bool(DENIES.search(bare(text)))


def verb_of(text: str) -> str:
    """What a bare text begins with; "roll" is one of two opposites, and its other word says which."""
    verb = (re.findall(r"[a-z]+", text.lower()) or [""])[0]
    if verb == "roll":
        other = re.search(r"\b(back|out|forward)\b", text.lower())
        return {"back": "rollback", "out": "deploy", "forward": "deploy"}[other[1]] if other else verb
    return verb


def looks_for(text: str) -> bool:
    """Whether it only asks to see something."""
    if is_question(text) or re.match(r"tell (?:me|us)\b", bare(text), re.IGNORECASE):
        return True
    seeing = LOOKING.union(*(same_as(word) for word in ("get", "list", "search"))) - {"tell"}
    return stem(verb_of(bare(text))) in seeing


def order_in(
    clause: Clause, menu: Sequence[Offered], seen: Sequence[str] = (), done: str = "", there: Collection[str] = ()
) -> Order | str:
    """The plain order that a clause is, or why it is none. `seen` are the names that "it" may mean, `done` is what is
    told where a text is wanted and none is given, `there` the names, in small letters, that are known to be real."""
    text = bare(clause.text)
    verb, rest = verb_of(text), rest_of(text)
    if why := unreal(clause, text):
        return why
    if not (fitting := [tool for tool in menu if does(tool, verb, rest)] or only(verb, rest, menu)):
        return what_else(clause.text, verb) or (f"none of them can {verb}" if verb else NOTHING.format(clause.text))
    tool = max(fitting, key=lambda each: each.score(clause))
    text = bare(clause.text, message=not tool.tells)
    rest = rest_of(text)
    if why := unreal(clause, text):
        return why
    if ": " in text:
        return f"I do not understand what stands after the colon of {clause.text!r}"
    if other := next((word for word in words_of(rest) if of_another(word, tool, menu)), ""):
        return f"{other!r} beside {verb!r} could mean something else"
    if place := ELSEWHERE.search(rest):
        return f"{place[0]!r} does not say where"
    if part := PART.search(rest):
        return f"{part[0]!r} does not say which"
    condition = CONDITION.search(clause.text)
    said = replace(clause, text=REASON.sub("", CONDITION.sub("", clause.text)))
    arguments = {name: value for name, value in tool.fill(said, []).items() if name != tool.entity}
    given = explicit_entity(tool, said)
    known = tool.verbs | set(tool.nouns) | stems(tool.description) | stems(" ".join(tool.properties)) | MANNER
    plain = [given, *(value for name, value in arguments.items() if not tool.is_told(name))]
    known |= {word for value in plain for word in str(value).lower().split()} | {stem(verb)}
    every, direction = said.selects, direction_of(verb, rest)
    if BY.search(said.text) and not direction and same_words(tool) & {*UP, *DOWN}:
        return f"{BY.search(said.text)[0]!r} may be up or down"
    known |= {"factor"} if direction else set()
    limit = LIMIT.search(rest) if len(tool.counted) == 1 else None
    rest = LIMIT.sub(" ", rest) if limit else rest
    given = explicit_entity(tool, replace(said, text=LIMIT.sub(" ", said.text))) if limit else given
    left = [token for token in Clause(PRONOUN.sub(" ", rest)).tokens if token and not is_known(token, known, direction)]
    left += [] if tool.tells else Clause(said.text).quoted
    names = tuple(dict.fromkeys([*([given] if given and not every else []), *left]))
    plural = "|".join(word for word in words_of(tool.short)[1:])
    kinds = rf"(?:(?:{plural or '(?!)'}|{'|'.join(words_of(tool.entity)) or '(?!)'})s?)"
    joining = rf"(?:\s+{kinds})?(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:the\s+)?(?:{kinds}\s+)?"
    joined = re.search(joining.join(map(re.escape, names)), rest)
    if EXTREME.search(rest) or (
        re.search(rf"\b(?:{plural or '(?!)'})s\b", rest, re.I) and not (len(names) > 1 and joined)
    ):
        every = True  # "the degraded services", "the service with the most replicas": those that it selects, if any
    listed = {value.lower() for value in tool.properties.get(tool.entity, {}).get(KNOWN, ())}
    one = bool(listed and plural and not every and not listed.intersection(map(str.lower, names)))
    one = one and bool(re.search(rf"\bthe\b.*\b(?:{plural})\b", rest, re.IGNORECASE))  # "the degraded service"
    every |= one
    if every or not tool.entity:
        names = ()
    elif len(names) > 1 and not joined:
        return not_understood(left, there)
    if not tool.entity and left:
        return not_understood(left, there)
    if odd := next((name for name in names if name != given and not re.fullmatch(r"[A-Za-z][\w.:/@-]*", name)), ""):
        return f"I do not understand {odd!r}"
    if listed and (odd := [name for name in names if name.lower() not in listed]):
        return not_understood(odd, ())
    it = bool(not names and (condition or PRONOUN.search(rest)) and not every)
    subject = subject_of(condition[1], known, tool) if condition else ""
    if tool.entity and not (names or every or (it and (subject or len(seen) == 1))):
        return f"{tool.short} needs {tool.entity}, and the task does not say which"
    arguments |= {name: done for name in tool.missing(arguments) if done and tool.is_told(name)}
    found = {tool.entity, *(tool.counted if limit else ())}  # these are found by looking
    if missing := [name for name in tool.missing(arguments) if name not in found]:
        return f"{tool.short} needs {', '.join(missing)}, and the task does not say"
    state = condition[2] if condition else "stopped" if verb == "start" != own_verb(tool) else ""
    end = (limit["end"] or limit["like"]).lower() if limit else ""
    return Order(tool, said, arguments, names, every, it, subject, state, direction, end, one, frozenset(known))


def rest_of(text: str) -> str:
    """What stands after the verb."""
    return re.sub(r"^\W*[A-Za-z]*", "", text)


def unreal(clause: Clause, text: str) -> str:
    """Why a text orders nothing now; "" where it may."""
    if DENIES.search(text) or not PLAIN.match(clause.text):
        return f"{clause.text!r} {'denies something' if DENIES.search(text) else 'is quoted from somewhere'}"
    wrong = UNREAL.search(rest_of(text))
    return f"{wrong[0]!r} makes it no plain order" if wrong else ""


def what_else(text: str, verb: str) -> str:
    """What a text is that does not begin as an order does; "" for one that does."""
    if UNREAL.match(text.lstrip()):
        return f"{text!r} is a condition, or of another time"
    if QUOTING.match(text):
        return f"{text!r} quotes what is said or written elsewhere"
    return f"{text!r} tells something, and orders nothing" if verb in STOP | TELLING else ""


def not_understood(words: Sequence[str], there: Collection[str]) -> str:
    """Why an order with unknown words is none; a name that is known is not among them."""
    odd = [word for word in words if word.lower() not in there]
    return UNKNOWN + ", ".join(map(repr, odd)) if odd else f"{' '.join(words)!r} may be several things, or one"


def does(tool: Offered, verb: str, rest: str) -> bool:
    """Whether a tool does what a verb says, to what is spoken of: what it makes must be named, unless the thing that it
    is about is what its name speaks of."""
    if tool.looks or not verb:
        return False
    if verb in SETTING and verb != own_verb(tool) and not set(tool.nouns) & stems(rest):
        return any(is_set(name, tool, rest) for name in tool.required if name != tool.entity)
    if verb not in (own_verb(tool), *same_words(tool)):
        return False
    about = set(words_of(tool.entity.lower()))
    generic = about & {"name", "id", "identifier", "key", "path"}
    return bool(set(tool.nouns) & (stems(rest) | {stem(word) for word in about}) or generic or not tool.nouns)


def only(verb: str, rest: str, menu: Sequence[Offered]) -> list[Offered]:
    """The one tool that has a verb for its own, or whose description begins with it and has more of the words."""
    acting = [tool for tool in menu if not tool.looks]
    own = [tool for tool in acting if own_verb(tool) == verb]
    told = [tool for tool in acting if words_of(tool.description.lower())[:1] == [verb]]
    found = own or [tool for tool in told if len(stems(tool.description) & stems(rest)) > 1]
    return found if len(found) == 1 else []


def is_set(name: str, tool: Offered, rest: str) -> bool:
    """Whether a value of a parameter is said, and of what: "to 3 replicas"; "2.5.0" can only be a version."""
    value = explicit(name, tool.properties[name], Clause(rest))
    return bool(re.search(r"\d", str(value))) and (stem(name) in stems(rest) or "." in str(value))


def own_verb(tool: Offered) -> str:
    return (words_of(tool.short.lower()) or [""])[0]


def same_words(tool: Offered) -> set[str]:
    return {word for group in SAME if own_verb(tool) in group for word in group}


def of_another(word: str, tool: Offered, menu: Sequence[Offered]) -> bool:
    """Whether a word is what another tool does: "undo the restart" is no order to undo, and none to restart."""
    others = {stem(own_verb(other)) for other in menu if not other.looks} - tool.verbs - set(tool.nouns)
    others |= {"roll"} if "rollback" in others else set()
    return stem(word) in others


def is_known(token: str, known: set[str], direction: int) -> bool:
    word = re.sub(r"['’]s$", "", token).lower()
    moves = direction != 0 and word in ("by", *UP, *DOWN)
    return word in STOP or word in known or stem(word) in known or moves or word in "-–—&"


def explicit_entity(tool: Offered, clause: Clause) -> str:
    if not tool.entity or (
        set(words_of(tool.entity)) & (TEXTS | {"name"}) and not tool.properties[tool.entity].get(KNOWN)
    ):
        return ""
    return str(explicit(tool.entity, tool.properties[tool.entity], clause) or "")


def subject_of(words: str, known: set[str], tool: Offered) -> str:
    """The name of what a condition is about; "" where that is what the order is about."""
    if listed := known_in(tool.properties.get(tool.entity, {}), words):
        return listed[0]
    names = [word for word in words.split() if word.lower() not in STOP and stem(word) not in known]
    return names[-1] if names else ""


def direction_of(verb: str, rest: str) -> int:
    said = {verb, *re.findall(r"[a-z]+", rest.lower())}
    return bool(said & set(UP)) - bool(said & set(DOWN))
