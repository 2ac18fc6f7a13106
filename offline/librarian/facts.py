"""Static facts of the source: frameworks, modules, fields, columns, ports, images, routes."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Generator, Sequence

from offline.librarian.question import Question
from offline.librarian.quoting import docstring, lines_about, numbered, passage
from offline.librarian.steps import Piece, Plan, answer, find, names_in, read, source_files
from offline.librarian.together import quote_places, rate
from offline.librarian.words import share
from offline.wire.conversation import Call

FRAMEWORKS = {
    "fastapi": "FastAPI", "flask": "Flask", "django": "Django", "starlette": "Starlette", "aiohttp": "aiohttp",
    "tornado": "Tornado", "sanic": "Sanic", "bottle": "Bottle", "litestar": "Litestar", "falcon": "Falcon",
}  # fmt: skip
MOST_MODULES = 7


def static_fact(question: Question) -> Plan:
    """The plan that fits what is asked for; where none does, or it finds nothing, the places that fit best."""
    for pattern, plan in RECOGNISED:
        if re.search(pattern, question.text, re.IGNORECASE):
            found = yield from plan(question)
            if found:
                return found
    if question.files:
        found = yield from of_named_files(question)
        if found:
            return found
    return (yield from quote_places(question, prefers_source=True))


def framework(question: Question) -> Plan:
    """The framework whose application object is made, by the line that imports it."""
    places = yield from find(" ".join(FRAMEWORKS.values()))
    files = [place.path for place in places if place.path.endswith(".py")]
    if not files:
        files = yield from source_files()
    best: tuple[bool, str] | None = None
    for piece in (yield from read(*list(dict.fromkeys(files))[:4])):
        for found in re.finditer(r"^(?:from|import) (\w+)\b.*$", piece.text, re.MULTILINE):
            name = FRAMEWORKS.get(found[1])
            if name:
                line = piece.text[: found.start()].count("\n") + 1
                is_made = re.search(rf"=\s*{name}\(", piece.text)
                text = f"It uses {name}: {piece.path}, line {line}, says `{found[0].strip()}`"
                made = f", and makes the application with `{_line_at(piece.text, is_made.start())}`" if is_made else ""
                if best is None or (is_made and not best[0]):
                    best = (bool(is_made), answer(f"{text}{made}.", f"{piece.path}:{line}"))
    return best[1] if best else ""


def modules(question: Question) -> Plan:
    """The modules of a folder, each with what it says of itself."""
    what = next(
        (word for word in ("routers", "routes", "models", "services") if word[:-1] in question.text.lower()), "modules"
    )
    places = yield from find(f"{what} {question.text}")
    folders = Counter(place.path.rpartition("/")[0] for place in places if place.path.endswith(".py"))
    named = [folder for folder in folders if folder.rpartition("/")[2] == what]
    folder = named[0] if named else next(iter([each for each, _ in folders.most_common(1)]), "")
    names = [name for name in (yield from names_in(folder or ".")) if name.endswith(".py") and name != "__init__.py"]
    if not names:
        return ""
    pieces = yield from read(*(f"{folder}/{name}" for name in names[:MOST_MODULES]))
    lines = [f"- {piece.path.rpartition('/')[2]}: {docstring(piece) or '(says nothing of itself)'}" for piece in pieces]
    return answer(f"{folder} has {len(names)} modules:\n" + "\n".join(lines), folder)


def fields(question: Question) -> Plan:
    """The fields of a class, from its annotations."""
    name = re.search(
        r"\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)*\b(?=\s+(?:model|class|schema|table))|\b[A-Z][a-z0-9]+[A-Z]\w*\b",
        question.text,
    )
    if not name:
        return ""
    places = yield from find(name[0])
    exact = [place.place for place in places if place.heading.split(".")[-1] == name[0]]
    for piece in (yield from read(*exact[:1])):
        found = re.findall(r"^    (\w+)\s*:\s*(.+)$", piece.text, re.MULTILINE)
        if found:
            listed = "\n".join(f"- {field}: `{kind.strip()}`" for field, kind in found)
            return answer(f"{name[0]} in {piece.path} has {len(found)} fields:\n{listed}", piece.place)
    return ""


def columns(question: Question) -> Plan:
    """The columns of a table, from the statement that creates it."""
    name = re.search(r"\b(\w+)\s+table\b|\btable\s+(?:called\s+|named\s+)?[`'\"]?(\w+)", question.text, re.IGNORECASE)
    if not name:
        return ""
    table = name[1] or name[2]
    places = yield from find(f"CREATE TABLE {table} schema sql columns")
    files = list(dict.fromkeys(place.path for place in places if not place.is_document))
    files.sort(key=lambda file: not file.endswith(".sql"))
    for piece in (yield from read(*files[:3])):
        made = re.search(
            rf"CREATE TABLE (?:IF NOT EXISTS )?[\"`]?{table}[\"`]?\s*\((.+?)\n\s*\)",
            piece.text,
            re.DOTALL | re.IGNORECASE,
        )
        if made:
            line = piece.text[: made.start()].count("\n") + 1
            rows = [row.strip().rstrip(",") for row in made[1].strip().splitlines()]
            rows = [row for row in rows if row and not re.match(r"(PRIMARY|FOREIGN|UNIQUE|CHECK|CONSTRAINT)\b", row)]
            listed = "\n".join(f"- `{row}`" for row in rows)
            return answer(f"{table} in {piece.path} has {len(rows)} columns:\n{listed}", f"{piece.path}:{line}")
    return ""


def routes(question: Question) -> Plan:
    """The method and the path of an endpoint, from its decorator and the prefix that its router is included with."""
    places = yield from find(question.text)
    files = list(dict.fromkeys(place.path for place in places if place.path.endswith(".py")))
    pieces = yield from read(*files[:2], *(place.place for place in places if place.path.endswith(".py")))
    mains = yield from find("include_router prefix application")
    main_files = [place.path for place in mains if place.path.endswith(".py") and place.path not in files[:2]]
    pieces += yield from read(*list(dict.fromkeys(main_files))[:1])
    prefixes = {
        name: prefix
        for piece in pieces
        for name, prefix in re.findall(r"include_router\((\w+)\.\w+.*?prefix=\"([^\"]*)\"", piece.text)
    }
    best: tuple[float, str] = (0.0, "")
    for piece in pieces:
        for method, path, function in re.findall(
            r"@\w+\.(get|post|put|patch|delete|route)\(\s*\"([^\"]*)\".*?\)\n(?:@.*\n)*(?:async )?def (\w+)", piece.text
        ):
            stem_of_file = piece.path.rpartition("/")[2].removesuffix(".py")
            whole = f"{prefixes.get(stem_of_file, '')}{path}"
            said = _function_says(piece.text, function)
            fit = share(question.terms, f"{whole} {function} {said}") + _served(whole, question.urls)
            lines = enumerate(piece.text.splitlines(), piece.first)
            line = next((n for n, text in lines if f'"{path}"' in text), piece.first)
            if fit > best[0]:
                name = whole if method == "route" else f"{method.upper()} {whole}"
                text = f"{name}: `{function}` in {piece.path}, line {line}."
                best = (fit, answer(f"{text} It says: {said}" if said else text, f"{piece.path}:{line}"))
    return best[1]


def of_named_files(question: Question) -> Plan:
    """The lines of the files that the question names; with why, also what the documents say of it."""
    pieces = yield from located(question.files[:3])
    if not pieces:
        return ""
    why = re.search(r"\bwhy\b", question.text, re.IGNORECASE)
    texts, sources = [], []
    for piece in pieces:
        lines = lines_about(piece, question.terms)
        if lines:
            texts.append(f"{piece.path}:\n{ports(lines, piece)}{numbered(lines)}")
            sources.append(f"{piece.path}:{lines[0][0]}" if len(pieces) == 1 else piece.path)
    if why:
        matter = " ".join(term for term in question.terms)
        places = [place for place in (yield from find(f"{question.text} {matter}")) if place.is_document]
        documents = rate((yield from read(*(place.place for place in places[:3]))), places, question.terms)
        for _, document in documents[:1]:
            texts.insert(0, passage(document, question.terms))
            sources.append(document.place)
    return answer("\n\n".join(texts), *sources) if texts else ""


def located(names: Sequence[str]) -> Generator[Sequence[Call], list[str], list[Piece]]:
    """The files of these names, also where only the last part of the path is given."""
    results = yield [Call("read_file", {"path": name}) for name in names]
    pieces, elsewhere = [], []
    for name, result in zip(names, results, strict=True):
        if not result.startswith("Error: "):
            pieces.append(Piece(name, name, 1, result))
        elif meant := re.search(r"Did you mean (\S+?)(?:\?| or )", result):
            elsewhere.append(meant[1])
    return pieces + (yield from read(*elsewhere))


def ports(lines: Sequence[tuple[int, str]], piece: Piece) -> str:
    """What a line such as `"42002:80"` means, said in words."""
    said = []
    for number, line in lines:
        found = re.fullmatch(r"\s*-\s*[\"']?(?:[\d.]+:)?(\d+):(\d+)[\"']?\s*", line)
        if found:
            service = _service(piece.text.splitlines()[: number - piece.first])
            said.append(f"Port {found[1]} of the machine leads to port {found[2]} of {service}.\n")
    return "".join(said)


def _service(before: list[str]) -> str:
    names = [found[1] for line in before if (found := re.fullmatch(r"  (\w[\w-]*):\s*", line))]
    return f"the service {names[-1]}" if names else "the container"


def _function_says(text: str, name: str) -> str:
    try:
        functions = [each for each in ast.walk(ast.parse(text)) if getattr(each, "name", "") == name]
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return " ".join((ast.get_docstring(functions[0]) or "").split()) if functions else ""


def _served(route: str, urls: Sequence[str]) -> bool:
    """Whether a route is one that the question names, whatever stands for its parameters."""
    return any(re.sub(r"[{<].*?[>}]", "", route) == re.sub(r"[{<].*?[>}]", "", url) for url in urls)


def _line_at(text: str, place: int) -> str:
    return text[text.rfind("\n", 0, place) + 1 :].partition("\n")[0].strip()


RECOGNISED: tuple[tuple[str, Callable[[Question], Plan]], ...] = (
    (r"\bframework\b", framework),
    (r"\bmodules\b|\brouters\b(?!.*\b(error|fail))", modules),
    (
        r"\b(fields?|attributes?)\b.*\b(model|class|schema)\b|\b(model|class|schema)\b.*\b(fields?|attributes?)\b",
        fields,
    ),
    (r"\bcolumns?\b", columns),
    (r"\b(method and path|which (endpoint|route)|route)\b", routes),
    (r"\bfunction\b.*\b(answer|serve|handle)s?\b|\bparameters\b.*/\w", routes),
)
