"""Answers out of several places: the sections that fit best, two sides of a comparison, the path of a request."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from offline.minds.librarian.question import Question
from offline.minds.librarian.quoting import docstring, lines_about, numbered, own, passage, whole_or_lines
from offline.minds.librarian.steps import NOTHING, Piece, Place, Plan, answer, find, names_in, read
from offline.minds.librarian.words import met, share, stems, terms
from offline.wire.conversation import Call

UNSURE = "I am not sure that this answers it; it is the nearest that I found."
SURE = 0.34  # the share of a question's words that a place must hold
_INSIDE = re.compile(r"\b(how does|what happens|makes? sure|which part|why (does|is|are|do|has|have))\b", re.IGNORECASE)
_WHERE_SET = re.compile(r"\b(default|which file|where .* (set|defined))\b", re.IGNORECASE)
_SIDES = re.compile(r"(.+?)\s+(?:and|with|versus|vs\.?|to|from)\s+(.+)", re.IGNORECASE | re.DOTALL)
_HANDLING = ["except", "rais", "try", "httpexcept", "reject", "warn", "log", "error"]
_STATUS = re.compile(r"\b[1-5]\d\d\b")

Pieces = Generator[Sequence[Call], list[str], list[Piece]]


def quote_places(question: Question, prefers_source: bool = False) -> Plan:
    """Search, read the best places, quote the one that fits best; of what goes on inside, documents and source."""
    places = yield from find(question.text)
    documents = [place for place in places if place.is_document]
    source = [place for place in places if not place.is_document]
    first, second = (source, documents) if prefers_source else (documents, source)
    inside = bool(_INSIDE.search(question.text))
    pieces = yield from read(
        *_places(first[:3] if first else second[:3]), *_places(second[:2] if inside and first else [])
    )
    rated = rate(pieces, question.terms)
    if not rated:
        return NOTHING
    wanted_kind = (not prefers_source) if first else prefers_source
    best = next((piece for piece in rated if piece.is_document == wanted_kind), rated[0])
    other = next((piece for piece in rated if piece.is_document != best.is_document), None) if inside else None
    chosen = [best, *([other] if other and share(question.terms, other.text) >= SURE - 0.1 else [])]
    if _WHERE_SET.search(question.text):
        chosen = [*(yield from definitions(chosen, question)), *chosen]
    text = "\n\n".join(quoted(piece, question.terms) for piece in chosen)
    known = " ".join(f"{piece.place} {piece.text}" for piece in chosen)
    unsure = "" if share(question.terms, known) >= SURE else f"{UNSURE}\n\n"
    return answer(f"{unsure}{text}", *(piece.place for piece in chosen))


def rate(pieces: Sequence[Piece], wanted: list[str]) -> list[Piece]:
    """The pieces, those that fit best first. Their order is what the search thought of them."""

    def fit(numbered_piece: tuple[int, Piece]) -> float:
        rank, piece = numbered_piece
        title = piece.text.splitlines()[0] if piece.text.strip() else ""
        text = own(piece) if piece.is_document else piece.text
        return -(1 / (2 + rank) + 0.8 * share(wanted, f"{title} {piece.path}") + 0.8 * share(wanted, text))

    return [piece for _, piece in sorted(enumerate(pieces), key=fit)]


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
        if place.is_document and not question.files and share(about, place.heading.split(" > ")[-1]) == 1:
            (piece,) = yield from read(place.place)
            return answer(passage(piece, question.terms), piece.place)
    if len(question.files) >= 2:
        sides = [[file] for file in question.files[:2]]
    else:
        sides = yield from _two_sides(question)
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


def _two_sides(question: Question) -> Generator[Sequence[Call], list[str], list[list[str]]]:
    """The files that each side of the comparison stands for."""
    split = _SIDES.match(
        re.sub(r"\b(compare|difference between|what is the)\b", "", question.text, flags=re.IGNORECASE)
    )
    if not split:
        return []
    left, right = (re.split(r"\b(?:in|of|by|between)\b", part)[-1].strip(" ?.") for part in split.groups())
    matter = " ".join(term for term in question.terms if term not in terms(f"{left} {right}"))
    sides: list[list[str]] = []
    for side in (left, right):
        places = yield from find(f"{side} {matter}")
        fitting = sorted(places, key=lambda place: (-share(terms(side), f"{place.path} {place.heading}"), place.rank))
        source = [place.path for place in fitting if not place.is_document] or [place.path for place in fitting]
        sides.append([path for path in dict.fromkeys(source) if [path] not in sides][: 2 if sides else 1])
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
    builds = [found[1].strip("./\"' ") for piece in pieces for found in re.finditer(r"build:\s*(\S+)", piece.text)]
    pieces += yield from read(*(f"{folder}/Dockerfile" for folder in builds[:1]))
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
    r'^\s*-?\s*"?\d+:\d+"?\s*$|^\s{0,2}\w[\w-]*:\s*$|reverse_proxy|proxy_pass|^EXPOSE|^CMD|^ENTRYPOINT|= FastAPI\(|= Flask\(|'
    r"include_router|middleware|def require|raise HTTPException|\.connect\(|Depends\(|DATABASE|create_engine"
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


__all__ = ["compare", "met", "quote_places", "request_path"]
