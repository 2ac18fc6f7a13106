"""What matters in a text, by counting words: its title, its tags, its best sentences."""

from __future__ import annotations

import re
from collections import Counter

SHORT = 4  # sentences: a text of fewer is its own summary
POINTS = 3
LONGEST_TITLE = 60  # characters
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[^\sa-z])|\n+")
_CLAUSE = re.compile(r"[:;]\s|\s[-–—]\s|[.!?](?:\s|$)")
# What has a full stop that ends no sentence: a title, an abbreviation, an initial before a name, a German date. Of some
# it may be the end: "We live in Mill St. The key is with Anna."
_BEGINS = (
    r"(?!\s+(?:A|I|It|The|This|We|You|He|She|They|My|Our|In|On|Das|Der|Die|Ein|Er|Es|Ich|Sie|Wir|Le|La|Les|Il|On|Nous|El"
    r"|Los|Las|Мы|Он|Она|Они|Это|Я)\b)"
)
_SHORTENED = re.compile(
    r"\b(?:[Mm](?:rs?|s)|Prof|Rev|Hr|Fr|MM|S(?:rt?a?)|e\. ?g|i\. ?e|[zZ]\. ?B|[dD]\. ?h|u\. ?a|p\. ?ex|p\. ?ej|т\. ?е"
    r"|ca|bzw|vgl|vs|inkl|approx|aprox|env|ул|им|просп|тел)\."
    rf"|\b(?:[Dd]ra?|Ste?|Av|Tel|Jan|Feb|Aug|Sept?|Okt|Oct|Nov|De[cz])\.{_BEGINS}(?=\s)"
    rf"|\b(?!I\b)[A-ZÀ-ÞА-ЯЁ]\.{_BEGINS}(?=\s*[^\W\d_])|\b(?:Nos?|N[rº°]|[Nn]úm|[Ff]igs?|[Vv]ol|pp?|[Aa]rt|д|кв|стр)\.(?=\s*\d)"
    r"|\d\.(?=\s(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)"
)
_DOT = "\ufdd0"  # stands for one meanwhile: no text has it
# A table, or a block of code: no sentence, and nothing without its other lines.
_WHOLE = re.compile(
    r"^([^\S\n]*(?:```|~~~)[\s\S]*?(?:\n[^\S\n]*(?:```|~~~)[^\S\n]*$|\Z)|(?:[^\S\n]*\|.*(?:\n|\Z)){2,})", re.M
)
# Front matter: between two lines of hyphens keys with a text, or with a list of texts behind or below it.
_FRONT = re.compile(r"\A---[ \t\r]*\n(?=[\w-]+:)(.*?)^---[ \t\r]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"(?P<key>[\w-]+):(?: +(?P<value>.*))?\s*\n(?P<below>(?:[ \t]*- .*\n)*)")
_PLAIN = re.compile(r"\"([^\"\\]*)\"|'([^']*)'|(?!-\s|[\[\]{}|>&*!%@`\"'#])((?:[^#\n]|(?<=\S)#)*)")
_RULES = re.compile(r"\A(?:[-*_]{3,}\s*\n)+")  # lines that only part
_TERM = re.compile(r"\d+月|[^\W\d_]+|\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_MARK = re.compile(r"^(?:correction|update|korrektur|rectification|corrección|исправление|更正|訂正)\s*[:：]\s*", re.I)
# The commonest words of English, and of the languages that the notes here are tried in.
_COMMON = """
a about above after again all also always am an and another any are as at away back be because been before begin
begins behind being best better between both but by can cannot change changes come comes coming could day days did
different do does done down during each either else even every few find first five for four from further get gets give
gives go goes good great had has have he her here high him his hour hours how however i if in into is it its itself
just keep keeps kept know last later least leave left less let like little long look low made make makes many me mean
means minutes more most much must my near nearly need needs never new next no nor not nothing now of off often old on
once one ones only or other others our out over own part people per put rather read right said same second see seen
set several shall she should show shows side since small so some something soon start still such take takes tell ten
than that the their them then there these they thing things this those though three through time times to together too
turn turns two under until up upon us use used uses using usually very want was way we week weeks well were what when
where whether which while who whole whose why will with within without work works would year years yet you your der
die das und oder ist ein eine einen nicht mit auf für von zu im den dem des sich auch nach bei aus als wie noch nur
wir sie ihr ihre sein seine mein meine unser hat haben habe wird werden wurde kann muss müssen soll sind war alle
alles jede jeden jeder braucht brauchen gegen ohne über unter vor bis zum zur vom beim dann neue neuen neuer seit
wegen durch schon mehr immer heute morgen zwei drei vier fünf sechs sieben acht neun zehn uhr stunde stunden tag tage
tagen woche wochen monat monate jahr jahre euro euros cent prozent grad pounds pound dollars le la les une dans pour
avec sur est sont aux par que qui pas plus son ses mon mes notre leur cette chez entre avant après faut doit tous tout
très deux trois quatre cinq huit dix heure heures jour jours semaine semaines mois ans année los las una uno con por
para del como este esta más menos antes cada hay tiene tienen sus mis nuestra desde hasta sobre dos tres cuatro cinco
seis siete ocho diez hora horas día días semana semanas meses año años и в на не что с по для из за от до это как так
же или но при его её их если
"""
# The names of months and days: "Feb" in a table is the February of a question.
_CALENDAR = """
january february march april may june july august september october november december monday tuesday wednesday
thursday friday saturday sunday januar februar märz juni juli oktober dezember montag dienstag mittwoch donnerstag
freitag samstag sonntag janvier février avril juin juillet août septembre octobre novembre décembre lundi mardi
mercredi jeudi vendredi samedi dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
diciembre lunes martes miércoles jueves viernes sábado domingo январе феврале марте апреле июне июле августе сентябре
октябре ноябре декабре
"""
CALENDAR = frozenset(_CALENDAR.split())
COMMON = CALENDAR | frozenset(_COMMON.split())


def front_in(text: str) -> tuple[dict[str, list[str]], str]:
    """What the front matter of a text says, the texts of each key, and what stands below it. Nothing, and all of the
    text, where there is none, nothing below it, or more in it than texts and lists of texts."""
    block, said, end = _FRONT.match(text), dict[str, list[str]](), 0
    while block and (entry := _ENTRY.match(block[1], end)):
        key, value = entry["key"].casefold(), (entry["value"] or "").strip()
        several = re.findall(r"- (.*)", entry["below"])
        if not several and value[:1] == "[" and value[-1:] == "]":
            value, several = "", value[1:-1].split(",")
        parts = [_PLAIN.fullmatch(part.strip()) for part in several or [value]]
        if key in said or None in parts or (several and (value or re.search(r":(?:\s|$)", ",".join(several)))):
            break
        said[key], end = [next(filter(None, part.groups()), "") for part in parts if part], entry.end()
    rest = text[block.end() :] if block else ""
    return (said, rest) if block and end == len(block[1]) and rest.strip() else ({}, text)


def pieces(text: str, ends: re.Pattern[str]) -> list[str]:
    """A text parted where `ends` matches, but not behind a full stop that ends no sentence, as in "Dr. May"."""
    kept = _SHORTENED.sub(lambda found: found[0].replace(".", _DOT), text)
    return [part.replace(_DOT, ".") for part in ends.split(kept)]


def sentences(text: str) -> list[str]:
    """The sentences of a text, without headings and the signs of lists; each table and each block of code is one."""
    found = []
    for number, part in enumerate(_WHOLE.split(text)):
        plain = [part.strip()] if number % 2 else pieces(part, _SENTENCE)
        found += [re.sub(r"^\s*(?:[-*>]|\d+\.)\s+", "", each.strip()) for each in plain]
    return [part for part in found if part and not part.startswith("#")]


def words(text: str) -> list[str]:
    """The words that say what a text is about, in lower case."""
    found = (word.strip("'-").casefold().removesuffix("'s") for word in _WORD.findall(text))
    return [word for word in found if len(word) > 2 and word not in COMMON]


def title(text: str) -> str:
    """A title: the first line where it looks like one, else the beginning of the first sentence."""
    text = _RULES.sub("", _FRONT.sub("", text.strip()).strip() or text.strip())
    text = _MARK.sub("", text)
    if whole := _WHOLE.match(text):  # what stands below it tells more than its first line
        inside = re.sub(r"\s*\|\s*", ", ", re.sub(r"^(?:```|~~~).*\n", "", whole[1]).strip(" |").partition("\n")[0])
        text = text[whole.end() :].strip() or inside.strip(", ")
    first, _, rest = text.partition("\n")
    heading = re.match(r"#+\s+(.+)", first)
    if heading or (rest.strip() and len(first) <= LONGEST_TITLE and not first.endswith((".", ","))):
        return (heading[1] if heading else first).strip().rstrip("#:").strip()
    sentence = (sentences(text) or [first])[0]
    clause = pieces(sentence, _CLAUSE)[0].strip()
    if len(clause) > LONGEST_TITLE:
        clause = re.split(r",\s|\s(?:because|since|when|where|which|that|until|so that|und|weil|wenn)\s", clause)[0]
    if len(clause) > LONGEST_TITLE:
        clause = clause[: LONGEST_TITLE + 1].rpartition(" ")[0]
        while " " in clause and clause.rpartition(" ")[2].casefold() in COMMON:  # a title does not end in "and the"
            clause = clause.rpartition(" ")[0]
    return clause.strip().rstrip(",.?!") or "Note"


def tags(text: str, most: int = 3) -> list[str]:
    """The words that say most often what it is about; of those that stand once, the first."""
    counts = Counter(words(text))
    order = {word: place for place, word in reversed(list(enumerate(words(text))))}
    first_line = set(words(text.strip().split("\n")[0][:80]))
    ranked = sorted(counts, key=lambda word: (-counts[word] - (word in first_line), order[word]))
    return ranked[:most]


def best(text: str, most: int, about: str = "") -> list[str]:
    """The sentences that hold most of what the text (or the question `about`) is about, in the text's order; of a table
    the rows that fit the question."""
    every = [rows_for(each, about) for each in sentences(text)]
    weights = Counter(words(about or text))

    def worth(place: int) -> float:
        own = set(words(every[place]))
        hits = sum(weights[word] for word in own) + sum(
            0.7 for word in own for wanted in weights if about and word != wanted and alike(word, wanted)
        )
        return hits / (1 + len(own)) ** 0.5 - place * 0.01

    chosen = sorted(range(len(every)), key=lambda place: -worth(place))[:most]
    return [every[place] for place in sorted(chosen)]


def rows_for(table: str, question: str) -> str:
    """The rows of a table that fit a question best, below its header; all where none does, and what is no table."""
    head, *rows = re.split(r"\n(?![\s|:-]+$)", table, flags=re.M) if table.startswith("|") else [table]
    asked, *rowed = (set(map(str.casefold, _TERM.findall(each))) - (COMMON - CALENDAR) for each in (question, *rows))
    asked -= set(map(str.casefold, _TERM.findall(head)))
    fits = [sum(any(word == each or alike(word, each) for each in own) for word in asked) for own in rowed]
    return "\n".join([head, *(row for row, fit in zip(rows, fits, strict=True) if fit == max(fits))])


def in_one(lines: list[str]) -> str:
    """Sentences as one paragraph, tables and code among them set apart."""
    whole = "".join(f"\n\n{each}\n\n" if "\n" in each else f"{each} " for each in lines)
    return re.sub(" *\n{2,}", "\n\n", whole).rstrip()


def alike(left: str, right: str) -> bool:
    """Whether two words are forms of one: the same beginning, other endings; or the short name of a month or a day."""
    short, long = sorted((left, right), key=len)
    if len(short) > 1 and long in CALENDAR and long.startswith(short):
        return True
    same = max(4, len(short) - 2)
    return len(short) >= 4 and short[:same] == long[:same]


def note_of(text: str) -> str:
    """The text as a note says it: with the summary and the key points before it, where it is long enough for any."""
    body = re.sub(r"\A#+\s+.+\n+", "", text.strip())
    told = "\n".join(each for each in sentences(body) if "\n" not in each)
    if len(sentences(told)) <= SHORT:
        return body
    points = "\n".join(f"- {sentence}" for sentence in best(told, POINTS))
    return f"**In short:** {best(told, 1)[0]}\n\n## Key points\n\n{points}\n\n## In full\n\n{body}"
