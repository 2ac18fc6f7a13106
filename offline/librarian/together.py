"""Answers out of several places: the sections that fit best, two sides of a comparison, the path of a request."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from offline.librarian.question import Question
from offline.librarian.quoting import docstring, lines_about, numbered, own, passage, sentences, whole_or_lines
from offline.librarian.steps import NOTHING, Found, Piece, Place, Plan, answer, find, look, names_in, read, source_files
from offline.librarian.words import met, share, stem, stems, terms
from offline.wire.conversation import Call

MOST_READ, MOST_SOURCE, MOST_SIDE = 5, 3, 3  # documents, source files, files of a side of a comparison that are read

NEARLY = 0.93
UNSURE = "I am not sure that this answers it; it is the nearest that I found."
REFUSED = "I found nothing that answers this."
SURE = 0.5  # of a question's words more must stand in what is quoted
RELATED = 0.25  # the share that a second place must hold
_INSIDE = re.compile(r"\b(how does|what happens|makes? sure|which part|why (does|is|are|do|has|have))\b", re.IGNORECASE)
_WHERE_SET = re.compile(r"\b(default|which file|where .* (set|defined))\b", re.IGNORECASE)
_SIDES = re.compile(r"(.+?)\s+(?:and|with|versus|vs\.?|to|from)\s+(.+)", re.IGNORECASE | re.DOTALL)
_HANDLING = ["except", "rais", "try", "httpexcept", "reject", "warn", "log", "error"]
_BUILD = re.compile(r"build:[ \t]*(?:\n(?:[ \t]+(?!context:).*\n)*?[ \t]+context:[ \t]*)?(\S+)")
_STATUS = re.compile(r"\b[1-5]\d\d\b")

Pieces = Generator[Sequence[Call], list[str], list[Piece]]


def quote_places(question: Question, prefers_source: bool = False) -> Plan:
    """Search, read the best places, quote the one that fits best, and the next where it fits nearly as well; of what
    goes on inside, documents and source."""
    found = yield from look(question.text)
    places = [place for place in found.places if question.scope in ("", "documents" if place.is_document else "source")]
    documents = [place for place in places if place.is_document][:MOST_READ]
    source = [place for place in places if not place.is_document][:MOST_SOURCE]
    if places and places[0].is_document and share(question.terms, places[0].heading) > SURE:
        prefers_source = False  # there is a section about this very thing
    first, second = (source, documents) if prefers_source else (documents, source)
    inside = bool(_INSIDE.search(question.text))
    wanted = [*(first or second), *(second[:2] if inside and first else [])]
    rated = rate((yield from read(*(place.place for place in wanted))), places, question.terms)
    if not rated:
        return refusal(found)
    kind = rated[0][1].is_document if not first else not prefers_source
    same = [each for each in rated if each[1].is_document == kind] or rated
    chosen = [same[0][1], *(piece for fit, piece in same[1:2] if fit >= NEARLY * same[0][0] and piece.is_document)]
    others = [piece for _, piece in rated if piece.is_document != kind]
    chosen += [
        piece for piece in others[:1] if inside and share(question.terms, f"{piece.place} {piece.text}") >= RELATED
    ]
    if _WHERE_SET.search(question.text):
        chosen = [*(yield from definitions(chosen, question)), *chosen]
    text = "\n\n".join(quoted(piece, question.terms) for piece in chosen)
    known = " ".join(f"{piece.place} {piece.text}" for piece in chosen)
    if not _answers(question, found, chosen, known):
        return refusal(found)
    above = " ".join(place.heading for place in found.places if place.place in {piece.place for piece in chosen})
    told = set(stems(f"{above} {known}"))
    named = {stem(name) for name in names_of(question)} & {*question.terms}
    is_sure = share(question.terms, known) > SURE and named <= told
    unsure = "" if is_sure else f"{UNSURE}\n\n"
    return answer(f"{unsure}{text}", *(piece.place for piece in chosen))


def _answers(question: Question, found: Found, chosen: Sequence[Piece], known: str) -> bool:
    """Whether enough of a question stands in what would be quoted. A heading whose words are all the question's does;
    a name that stands nowhere does not, and any other word that stands nowhere counts twice."""
    headings = {place.place: terms(place.heading.split(" > ")[-1]) for place in found.places}
    if any((heading := headings.get(piece.place)) and share(heading, question.text) == 1 for piece in chosen):
        return True
    fits = len(met(question.terms, known)) / max(1, len(question.terms) + len(found.unknown))
    return fits >= (SURE if found.unknown else RELATED) and not names_of(question) & set(found.unknown)


def names_of(question: Question) -> set[str]:
    """What a question names, by its capitals: an answer that is about another thing may be none."""
    return {word.lower() for word in re.findall(r"(?<=\s)[A-Z]\w*", question.text)}


def refusal(found: Found) -> str:
    """That nothing answers, the headings that come nearest, and what was not searched: nothing is quoted."""
    nearest = [f"- {place.heading} ({place.place})" for place in found.places if place.is_document][:3]
    listed = ["The nearest headings:", *nearest] if nearest else []
    return "\n".join(
        [
            REFUSED if found.places else NOTHING,
            *listed,
            *([f"Not searched: {found.left_out}."] if found.left_out else []),
        ]
    )


def rate(pieces: Sequence[Piece], places: Sequence[Place], wanted: list[str]) -> list[tuple[float, Piece]]:
    """The pieces with how well they fit, best first: by the search's order, the likeness in meaning, and how much of
    the question stands in the heading, in the way to it and in the best sentence. The weights were found on nine sets
    of questions, and matter little."""
    known = {place.place: place for place in places}

    def fit(piece: Piece) -> float:
        place = known.get(piece.place) or Place(piece.place, "", "", len(places))
        best = max(
            (share(wanted, each) for each in sentences(own(piece) if piece.is_document else piece.text)), default=0.0
        )
        title = share(wanted, place.heading.split(" > ")[-1])
        way = share(wanted, f"{place.heading} {piece.path}")
        return 1 / (2 + place.rank) + place.likeness + (title + way + best) / 2

    return sorted(((fit(piece), piece) for piece in pieces), key=lambda pair: -pair[0])


def quoted(piece: Piece, wanted: list[str]) -> str:
    """A document's own sentences; of source what it says of itself, and its lines."""
    if piece.is_document:
        return passage(piece, wanted)
    said = docstring(piece)
    return f"{piece.place}{f': {said}' if said else ''}\n{whole_or_lines(piece, wanted)}"


def definitions(pieces: Sequence[Piece], question: Question) -> Pieces:
    """Where a name is given its value that the lines in question use and do not define themselves."""
    found: list[Piece] = []
    lines = [line for piece in pieces if not piece.is_document for _, line in lines_about(piece, question.terms)]
    used = dict.fromkeys(name for line in lines for name in re.findall(r"\.([a-z_]{4,}|[A-Z_]{4,})\b(?!\()", line))
    own = "\n".join(piece.text for piece in pieces)
    for name in [name for name in used if not re.search(rf"\b{name}\s*(:[^=\n]+)?=[^=]", own)][:1]:
        places = yield from find(name)
        for piece in (yield from read(*_places([place for place in places if not place.is_document][:2]))):
            at = re.search(rf"^.*\b{name}\s*(:[^=\n]+)?=[^=].*$", piece.text, re.MULTILINE)
            if at:
                line = piece.first + piece.text[: at.start()].count("\n")
                found.append(Piece(piece.path, f"{piece.path}:{line}", line, at[0]))
    return found[:1]


def compare(question: Question) -> Plan:
    """Both sides are read, and what each says of the matter is quoted side by side."""
    places = yield from find(question.text)
    about = [term for term in question.terms if not term.startswith(("compar", "differ", "vers"))]
    for place in places[:5]:
        if place.is_document and share(about, place.heading.split(" > ")[-1]) == 1:
            (piece,) = yield from read(place.place)
            return answer(passage(piece, question.terms), piece.place)
    if len(question.files) >= 2 and any("/" in file for file in question.files):
        sides = [[file] for file in question.files[:2]]
    else:
        sides = yield from _two_sides(question, places)
    pieces = yield from read(*(path for side in sides for path in side))
    matter = _matter(question)
    texts = []
    for piece in pieces:
        lines = [
            each
            for each in lines_about(piece, matter, 10)
            if piece.is_document or matter != ["status"] or _STATUS.search(each[1])
        ]
        if lines:
            texts.append(f"{piece.path}:\n{numbered(lines)}")
    if len(texts) < 2:
        return answer(f"I could read only one side.\n\n{''.join(texts)}", *(piece.path for piece in pieces))
    return answer("\n\n".join(texts), *(piece.path for piece in pieces))


def _two_sides(question: Question, places: Sequence[Place]) -> Generator[Sequence[Call], list[str], list[list[str]]]:
    """The files that each side of the comparison stands for: by their names, else by what the search found."""
    split = _SIDES.match(
        re.sub(r"\b(compare|difference between|what is the)\b", "", question.text, flags=re.IGNORECASE)
    )
    if not split:
        return []
    known = yield from source_files()
    files = list(dict.fromkeys([*(place.path for place in places if place.path in known), *known]))
    sides: list[list[str]] = []
    for part in split.groups():
        side = terms(re.split(r"\b(?:in|of|by|between)\b", part)[-1])
        named = [file for file in files if met(side, file)]
        if not named:
            named = [place.path for place in (yield from find(" ".join(side)))][:1]
        taken = [file for each in sides for file in each]
        sides.append([file for file in named if file not in taken][:MOST_SIDE])
    return sides


def _matter(question: Question) -> list[str]:
    """The stems to look for on both sides."""
    if set(question.terms) & set(stems("error errors failure failures exception")):
        return _HANDLING
    if "statu" in question.terms or "status" in question.terms or "code" in question.terms:
        return ["401", "403", "404", "422", "500", *question.terms]
    return question.terms


def request_path(question: Question) -> Plan:
    """From the file that opens a port to the one that opens the database, each step with its lines."""
    top = yield from names_in(".")
    outside = [
        name for name in top if re.match(r"(docker-)?compose.*\.ya?ml$|Caddyfile$|nginx.*\.conf$|Dockerfile$", name)
    ]
    pieces = yield from read(*outside)
    builds = [found[1].strip("./\"'") for piece in pieces for found in _BUILD.finditer(piece.text)]
    pieces += yield from read(*(f"{folder}/Dockerfile".lstrip("/") for folder in builds[:1]))
    application = yield from find("application include routers middleware require key authentication")
    database = yield from find("connect open database connection request")
    inside = [*_source_files(application)[:2], *_source_files(database)[:1]]
    pieces += yield from read(*inside)
    steps, sources = [], []
    for piece in pieces:
        if lines := _stations(piece):
            steps.append(f"{len(steps) + 1}. {piece.path}\n{numbered(lines)}")
            sources.append(piece.path)
    if not steps:
        return NOTHING
    return answer("\n".join(steps) + "\n\nThe answer goes back the same way.", *sources)


_STATION = re.compile(
    r'^\s*-?\s*"?\d+:\d+"?\s*$|^\s{0,2}\w[\w-]*:\s*$|reverse_proxy|proxy_pass|^EXPOSE|^CMD|^ENTRYPOINT|'
    r"= FastAPI\(|= Flask\(|include_router|middleware|def require|raise HTTPException|\.connect\(|Depends\(|"
    r"create_engine"
)


def _stations(piece: Piece) -> list[tuple[int, str]]:
    """The lines of a file that hand a request on."""
    lines = enumerate(piece.text.splitlines(), piece.first)
    return [
        (number, line) for number, line in lines if _STATION.search(line) and not line.startswith(("import", "from"))
    ][:9]


def _source_files(places: Sequence[Place]) -> list[str]:
    return list(dict.fromkeys(place.path for place in places if place.path.endswith(".py")))


def _places(places: Sequence[Place]) -> list[str]:
    return [place.place for place in places]
