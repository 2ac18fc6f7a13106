"""What a plan asks for and what it gets: places, pieces of files, answers of the API."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from offline.wire.conversation import Call, fields_of

Plan = Generator[Sequence[Call], list[str], str]  # yields calls, is sent their results, returns the answer
DOCUMENTS = frozenset((".ipynb", ".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt"))
_MORE = re.compile(r"\n?\[\.\.\.File \"[^\n]*\" truncated at \d+ characters\]\n\[[^\n]*\]\s*\Z")
_HEADER = re.compile(r"\[(?P<place>.+): lines (?P<first>\d+)-(?P<last>\d+) of \d+(?:, .*)?\]\n")
_NO_END = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")  # what ends a line for Python's splitlines alone
NOTHING = "I found nothing about this, so I cannot answer it."


@dataclass(frozen=True)
class Place:
    """A line of what search_docs returned."""

    place: str
    heading: str
    line: str
    rank: int
    likeness: float = 0.0  # in meaning, where the search knows it

    @property
    def path(self) -> str:
        return re.sub(r"(#[^#/.]*|:\d+)$", "", self.place)

    @property
    def is_document(self) -> bool:
        return PurePosixPath(self.path).suffix.lower() in DOCUMENTS


@dataclass(frozen=True)
class Piece:
    """A file, or a part of one, as read_file showed it."""

    path: str
    place: str  # as it is cited
    first: int  # the number of its first line
    text: str

    @property
    def is_document(self) -> bool:
        return PurePosixPath(self.path).suffix.lower() in DOCUMENTS


@dataclass(frozen=True)
class Said:
    """What the API answered."""

    status: int
    body: Any  # data where it is JSON, else the text
    count: int | None
    fields: dict[str, Any]


@dataclass(frozen=True)
class Found:
    """What search_docs returned."""

    places: list[Place]  # best first
    unknown: list[str]  # the words of the query that stand nowhere
    left_out: str  # the files that are not searched, each with why


def find(query: str) -> Generator[Sequence[Call], list[str], list[Place]]:
    """Search; the places, best first."""
    return (yield from look(query)).places


def look(query: str) -> Generator[Sequence[Call], list[str], Found]:
    """Search; the places, and what the search cannot have found."""
    (result,) = yield [Call("search_docs", {"query": query})]
    places = []
    for rank, line in enumerate(result.splitlines()):
        parts = fields_of(line)
        if len(parts) >= 4:
            likeness = re.search(r"meaning (\d\.\d+)", parts[-1])
            places.append(Place(parts[0], parts[1], parts[2], rank, float(likeness[1]) if likeness else 0.0))
    unknown = re.search(r"^\[Stands nowhere: (.+)\]$", result, re.MULTILINE)
    left_out = re.search(r"^\[Not searched: (.+)\]$", result, re.MULTILINE)
    return Found(places, unknown[1].split(", ") if unknown else [], left_out[1] if left_out else "")


def source_files() -> Generator[Sequence[Call], list[str], list[str]]:
    """The source files, as the map of the source names them: those that others use most."""
    (result,) = yield [Call("search_docs", {"query": ""})]
    return [line for line in result.splitlines() if line.endswith(".py") and not line.startswith(" ")]


def read(*places: str) -> Generator[Sequence[Call], list[str], list[Piece]]:
    """Read several places at once; those that are not there are left out."""
    wanted = list(dict.fromkeys(places))
    if not wanted:
        return []
    results = yield [Call("read_file", {"path": place}) for place in wanted]
    return [piece(place, text) for place, text in zip(wanted, results, strict=True) if not text.startswith("Error: ")]


def piece(place: str, text: str) -> Piece:
    """What stands in the file, in lines as the tool counts them; its own note, that there is more, does not."""
    text = _NO_END.sub(" ", _MORE.sub("", text))
    path = re.sub(r"(#[^#/.]*|:\d+)$", "", place)
    header = _HEADER.match(text)
    if not header:
        return Piece(path, path, 1, text)
    first = int(header["first"])
    cited = place if "#" in place or place == path else f"{path}:{first}"
    return Piece(path, cited, first, text[header.end() :])


def names_in(folder: str) -> Generator[Sequence[Call], list[str], list[str]]:
    """What is in a directory; [] where there is none."""
    (result,) = yield [Call("list_files", {"path": folder})]
    return [] if result.startswith("Error: ") else result.splitlines()


def ask(*paths: str, auth: bool = True) -> Generator[Sequence[Call], list[str], list[Said | None]]:
    """GET several paths at once; None where no answer came."""
    more = {} if auth else {"auth": False}
    results = yield [Call("query_api", {"method": "GET", "path": path, **more}) for path in paths]
    return [said(result) for result in results]


def said(result: str) -> Said | None:
    try:
        answer = json.loads(result)
    except ValueError:
        return None
    if not isinstance(answer, dict) or not isinstance(answer.get("status_code"), int):
        return None
    body = str(answer.get("body", ""))
    with suppress(ValueError):
        body = json.loads(body)
    return Said(answer["status_code"], body, answer.get("count"), answer.get("fields") or {})


def answer(text: str, *sources: str) -> str:
    """An answer with the line that says where it is from."""
    named = ", ".join(dict.fromkeys(filter(None, sources)))
    return f"{text.strip()}\n\nSource: {named}" if named else text.strip()
