"""The tools that a request offers, as the operator's mind sees them: words to match, and arguments to fill in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from offline.operator.records import called_by, records_of
from offline.operator.words import QUOTED, SPOKEN_OF, STOP, Clause, same_as, stem, stems, words_of

OWN = ("read_skill", "read_more")
LOOKING = frozenset(("get", "list", "show", "read", "find", "search", "view", "fetch", "query", "inspect", "echo"))
# A name that holds one of these does more than look: search_and_replace, get_and_reset.
CHANGING = frozenset(("and", "delete", "remove", "replace", "reset", "clear", "purge", "update", "write", "set"))
QUESTION = frozenset(
    (
        *("what", "which", "how", "is", "are", "do", "does", "did", "who", "where", "when", "has", "have", "why"),
        *("was", "were", "should", "would", "will", "may", "must", "had"),
    )
)
TEXTS = frozenset(("title", "message", "text", "content", "body", "description", "comment", "summary", "note", "query"))
NAMES = frozenset(("name", "service", "id", "identifier", "key", "path", "file", "entity", "resource", "host"))
LEAST_SCORE = 3
KNOWN = "known"  # beside the schema of a parameter: the values of it that lists of what there is have


@dataclass(frozen=True)
class Offered:
    """One tool. `verbs` and `nouns` are the stems of its name's first word and of the others."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    @property
    def short(self) -> str:
        return short_of(self.name)

    @cached_property
    def verbs(self) -> set[str]:
        return same_as(words_of(self.short)[0]) if words_of(self.short) else set()

    @cached_property
    def nouns(self) -> list[str]:
        return [stem(word) for word in words_of(self.short)[1:]]

    @property
    def looks(self) -> bool:
        """Whether it only looks, as far as its name tells."""
        words = [word.lower() for word in words_of(self.short)]
        return stem((words or [""])[0]) in LOOKING and not CHANGING.intersection(words)

    @property
    def lists(self) -> bool:
        return (
            self.looks and not self.required and stem((words_of(self.short) or [""])[0]) in ("list", "search", "read")
        )

    @property
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        return self.parameters.get("properties") or {}

    @property
    def required(self) -> list[str]:
        return list(self.parameters.get("required") or ())

    @cached_property
    def entity(self) -> str:
        """The parameter that says which thing it is about; "" where there is none."""
        named = [name for name in self.texts if set(words_of(name.lower())) & NAMES]
        return next(iter([*named, *self.texts]), "")

    @property
    def texts(self) -> list[str]:
        """Its required parameters that are texts, those with choices apart."""
        return [name for name in self.required if is_text(self.properties.get(name, {}))]

    def knowing(self, value: str) -> list[str]:
        """The parameters that a list has a value for, in whatever letters."""
        known = {name: map(str.lower, part.get(KNOWN, ())) for name, part in self.properties.items()}
        return [name for name, values in known.items() if value.lower() in values]

    def score(self, clause: Clause) -> float:
        """How well it fits."""
        said = clause.stems
        verb = bool(self.verbs & said) or (self.looks and clause.first in QUESTION)
        nouns = sum(bool((same_as(noun) if self.looks else {noun}) & said) for noun in set(self.nouns))
        values = sum(value.lower() in clause.text.lower().split() for value in self.choices())
        about = len(stems(self.description) & said) + len(stems(" ".join(self.properties)) & said)
        fits = 3 * verb + 3 * nouns + values + 0.5 * about - 0.2 * len(self.nouns)
        return fits if verb or nouns or about > 1 else 0

    def choices(self) -> list[str]:
        return [str(value) for part in self.properties.values() for value in part.get("enum") or ()]

    def entity_in(self, clause: Clause) -> str:
        return (
            str(self.value_of(self.entity, clause, []))
            if self.entity and self.value_of(self.entity, clause, [])
            else ""
        )

    def fill(self, clause: Clause, records: Sequence[Mapping[str, Any]], said_in_step: str = "") -> dict[str, Any]:
        """Return the arguments that the task says, then those that earlier results hold. A step of a skill wins."""
        arguments: dict[str, Any] = {}
        for name in self.properties:
            value = explicit(name, self.properties[name], Clause(said_in_step)) if said_in_step else None
            value = self.value_of(name, clause, records) if value is None else value
            if value is None and (said_in_step or self.looks) and name in self.required and self.is_told(name):
                value = (clause.whole or clause.text).strip()
            if value is not None:
                arguments[name] = value
        return arguments

    @property
    def tells(self) -> bool:
        """Whether it takes a text that a person may give in words of their own."""
        return any(map(self.is_told, self.properties))

    def is_told(self, name: str) -> bool:
        """Whether a parameter is a text in a person's own words, by its name; not where a list has its values."""
        return is_told(name) and not self.properties.get(name, {}).get(KNOWN)

    @property
    def counted(self) -> list[str]:
        """Its parameters that are numbers."""
        return [name for name, part in self.properties.items() if part.get("type") in ("integer", "number")]

    def missing(self, arguments: Mapping[str, Any]) -> list[str]:
        return [name for name in self.required if name not in arguments]

    def value_of(self, name: str, clause: Clause, records: Sequence[Mapping[str, Any]]) -> Any:
        """The value of a parameter, None where nothing says it."""
        schema = self.properties.get(name, {})
        value = explicit(name, schema, clause, optional=name not in self.required)
        if value is not None or not is_text(schema):
            return value
        needed = name in self.required
        if self.is_told(name):
            return free_text(clause) if needed else None
        kept = "name" if name == self.entity else name
        seen = next(
            (record[key] for record in records for key in (name, kept) if isinstance(record.get(key), str)), None
        )
        if name == self.entity and needed and (seen is None or set(words_of(name.lower())) & NAMES):
            return thing_in(clause, self) or seen
        return seen if needed else None


def menu_of(schemas: Mapping[str, Mapping[str, Any]]) -> list[Offered]:
    """The tools of servers among those that are offered; where there are none, all that are strange."""
    of_servers = any("__" in name for name in schemas)
    return [
        Offered(name, str(schema.get("description", "")), lowered(schema.get("parameters") or {}))
        for name, schema in schemas.items()
        if name not in OWN and ("__" in name or not of_servers)
    ]


def enriched(menu: Sequence[Offered], results: Mapping[str, str]) -> list[Offered]:
    """The tools, each text parameter with the values that lists have of it: the names of what a lister is about, as it
    calls them (an incident's title is none of a service's names), or what stands in its field. `results` are what the
    lists say, by the name of the tool."""
    listed = {name: records_of(result) for name, result in results.items()}
    called = {name: called_by(result) for name, result in results.items()}
    nouns = {tool.name: set(tool.nouns) for tool in menu}

    def values(tool: Offered, name: str) -> list[str]:
        about = set(tool.nouns)
        if not any(about & nouns[lister] for lister in listed):
            about |= stems(tool.description)
        found: dict[str, None] = {}
        for lister, records in listed.items():
            named = stem(name) in nouns[lister] or (name == called[lister] and nouns[lister] & about)
            found |= dict.fromkeys(str(record["name"]) for record in records if named and "name" in record)
            fields = (record.get(name) for record in records if not is_told(name))  # what was told before is no choice
            found |= dict.fromkeys(value for value in fields if isinstance(value, str))
        return sorted(found, key=len, reverse=True)

    def filled(tool: Offered) -> Offered:
        parts = {
            name: {**part, KNOWN: values(tool, name)} if is_text(part) else part
            for name, part in tool.properties.items()
        }
        return replace(tool, parameters={**tool.parameters, "properties": parts})

    return [filled(tool) for tool in menu]


def lowered(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with the names of types in small letters: one wire writes them in capitals. What may also be null is
    what else it may be."""
    other = [part for part in schema.get("anyOf") or () if not isinstance(part, dict) or part.get("type") != "null"]
    schema = {**schema, **(other[0] if len(other) == 1 and isinstance(other[0], dict) else {})}
    copy = {**schema, "type": str(schema.get("type", "")).lower()}
    if "properties" in schema:
        copy["properties"] = {name: lowered(part) for name, part in schema["properties"].items()}
    return copy


def short_of(name: str) -> str:
    return name.split("__", 1)[-1]


def best(clause: Clause, menu: Sequence[Offered]) -> Offered | None:
    """The tool among those that only look that fits best; where a thing is named, one that is about one thing."""

    def fitness(tool: Offered) -> tuple[float, bool]:
        named = bool(tool.entity and tool.entity_in(clause)) and not clause.selects
        many = tool.lists and asks_for_many(clause, tool)
        return tool.score(clause) + 2 * named + 4 * many, not tool.missing(tool.fill(clause, []))

    tool = max((each for each in menu if each.looks), key=fitness, default=None)
    return tool if tool and fitness(tool)[0] >= LEAST_SCORE else None


def asks_for_many(clause: Clause, tool: Offered) -> bool:
    """Whether it asks "which services", or whether "anything" is so, and not for one of them."""
    if re.search(r"\b(?:any|every|some)(?:thing|one|body)\b", clause.text, re.IGNORECASE):
        return True
    plural = "|".join(re.escape(word) for word in words_of(tool.short)[1:] if word.endswith("s"))
    return bool(plural and re.search(rf"\b(which|what|list|show|how many|give)\b.*\b({plural})\b", clause.text, re.I))


def explicit(name: str, schema: Mapping[str, Any], clause: Clause, *, optional: bool = False) -> Any:
    """A value that stands beside the parameter's name ("severity high", "5 replicas", "of the team payments"), or that
    is one of its choices."""
    if len(known := known_in(schema, clause.text)) == 1:
        return known[0]
    places = {str(choice): rf"(?<![\w-]){re.escape(str(choice))}s?(?![\w-])" for choice in schema.get("enum") or ()}
    choices = [choice for choice, place in places.items() if re.search(place, clause.text, re.IGNORECASE)]
    if choices:
        unsure = len(choices) > 1 or re.search(r"\bnot\b|n['’]t\b|\bneither\b", clause.text, re.IGNORECASE)
        return None if optional and unsure else choices[0]
    kind, spoken = schema.get("type"), re.escape(name.replace("_", " ")).rstrip("s")
    if kind in ("integer", "number"):
        places = (r"\bto\s+(\d+)\b(?!\.\d)", rf"\b(\d+)\s+{spoken}s?\b", rf"\b{spoken}s?\s+(?:of|=|:)?\s*(\d+)\b")
        places += (r"\bby\s+(?:a factor of\s+)?(\d+)\b(?!\.\d)",)
        number = next(filter(None, (re.search(place, clause.text, re.IGNORECASE) for place in places)), None)
        only = re.findall(r"(?<![\w.])\d+(?![\w.:/]*\w)", clause.text)  # where nothing says more or less
        if (
            number is None
            and len(only) == 1
            and not optional
            and not re.search(r"\b(?:up|down|by|more|less|fewer)\b", clause.text, re.I)
        ):
            return int(only[0])
        return int(number[1]) if number else None
    if spoken == "version":
        number = re.search(r"(?<![\w.])v?\d+(?:\.\d+)+(?![\w.]*\w)", clause.text)
        return number[0] if number else None
    if kind == "boolean" or is_told(name):
        return None
    named = re.search(
        rf"\b{spoken}s?\s+(?:is\s+|=\s*|:\s*|to\s+|named\s+|called\s+)?[\"'`]?([\w][\w.:/@-]*)",
        QUOTED.sub(lambda quoted: " " if " " in quoted[0] else quoted[0], clause.text),  # a title names nothing
        re.IGNORECASE,
    )
    if (
        named
        and named[1].lower() not in STOP
        and stem(named[1]) not in stems("team service version status level severity")
    ):
        return named[1].rstrip(".:")
    return None


def known_in(schema: Mapping[str, Any], text: str) -> list[str]:
    """The values of a parameter that lists have and that a text names, before what is told to somebody."""
    text = re.split(r"\bthat\b|[:\"“]", text, maxsplit=1)[0]
    found: list[str] = []
    for value in (one for one in schema.get(KNOWN, ()) if one.lower() in text.lower()):
        place = rf"(?<![\w-]){re.escape(value)}(?![\w-])"
        if re.search(place, text, re.IGNORECASE):
            found, text = [*found, value], re.sub(place, " ", text, flags=re.IGNORECASE)
    return found


def thing_in(clause: Clause, tool: Offered) -> str | None:
    """The word of the task that is the thing's name: no word of the tool, no common word, no value of another
    parameter."""
    titled = r"\b(?:titled|saying|says|reads|message|title|text)\W+"
    quoted = [text for text in clause.quoted if not re.search(titled + re.escape(text), clause.text, re.IGNORECASE)]
    quoted = [text for text in quoted if re.fullmatch(r"[\w.:/@-]+", text)]
    if quoted and not any(set(words_of(name)) & TEXTS for name in tool.required):
        return quoted[0]
    spoken = tool.verbs | set(tool.nouns) | stems(tool.description) | stems(" ".join(tool.properties))
    others = {str(explicit(name, part, clause)) for name, part in tool.properties.items() if name != tool.entity}
    text = clause.text
    for quotation in clause.quoted:
        text = text.replace(quotation, " ")
    kinds = "|".join(re.escape(word) for word in words_of(tool.short)[1:]) or "thing"
    places = (rf"\b(?:{kinds})\s+([\w-]+)", r"\b(?:of|about|for|on|does|with|in|is)\s+(?:the\s+)?([\w-]+)")
    likely = [name for place in places for name in re.findall(place, text, re.IGNORECASE)]
    tokens = [*likely, *(token for token in Clause(text).tokens if token.lower() != clause.first)]
    fitting = [
        token
        for token in tokens
        if re.fullmatch(r"[A-Za-z][\w.:/@-]*", token)
        and token.lower() not in STOP
        and token not in others
        and stem(token) not in spoken
        and not any(stem(token) in same_as(word) for word in ("get", "list", "status", "error", "wrong"))
        and stem(token)
        not in stems("degraded running stopped safely careful severity previous wrong current version replica")
    ]
    return fitting[0] if fitting else None


def free_text(clause: Clause) -> str | None:
    """A text that the task gives; None where it gives none, or only a word for what it spoke of ("about it")."""
    told = re.search(
        r"\b(?:tell|notify|inform|alert|message|write|send)\b.+?(?:\bthat\b|:)\s+(.+?)\s*$", clause.text, re.I | re.S
    )
    after = re.search(r"\w\s*:\s+(\S.*?)\s*$", clause.text, re.DOTALL)
    said = [] if not told or QUOTED.search(clause.text) else [told[1]]
    texts = [*said, *clause.quoted, *([after[1]] if after else [])] or Clause(clause.whole).quoted
    return next((text for text in texts if not re.fullmatch(rf"{SPOKEN_OF}\W*", text, re.IGNORECASE)), None)


def is_told(name: str) -> bool:
    """Whether a parameter is a text in a person's own words, by its name."""
    return bool(set(words_of(name.lower())) & TEXTS)


def is_text(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "string" and not schema.get("enum")
