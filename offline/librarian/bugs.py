"""A failure seen through the API, and the expression in the source that causes it."""

from __future__ import annotations

import ast
import re
from collections.abc import Generator, Sequence

from offline.librarian.causes import Cause, cause_of, error_in, functions_in, serves
from offline.librarian.data import cited, filled, missing_in, path_of, values_of
from offline.librarian.question import Endpoint, Question, named_endpoint
from offline.librarian.quoting import fenced
from offline.librarian.responses import ERROR as MISFIT
from offline.librarian.responses import misfit_of, model_of
from offline.librarian.steps import NOTHING, Piece, Plan, Said, answer, ask, find, read
from offline.librarian.words import share, stems
from offline.wire.conversation import Call

MOST_TRIES = 6  # calls of the API; three more list the values, find the source and read it
UNSEEN = "I am not sure: the API took no call that I could make, for what it needs I do not know."
_ZERO = re.compile(r"\bdivid\w+\b|ZeroDivision", re.IGNORECASE)

Tried = list[tuple[str, Said]]


def explain_failure(question: Question) -> Plan:
    """Call the endpoint as the question says, read the error, find the function by its route, name the expression."""
    endpoint = named_endpoint(question, by_value=False)
    tried = yield from _try(question, endpoint)
    failing = [(path, said) for path, said in tried if said.status >= 500]
    if tried and not failing:
        seen = "\n".join(f"- GET {path} answers with status code {said.status}" for path, said in tried)
        refused = [said for _, said in tried if said.status == 422]
        told = UNSEEN if len(refused) == len(tried) else "I saw no failure:"
        return answer(f"{told}\n{seen}", *({cited(path) for path, _ in tried}))
    path = failing[0][0] if failing else ""
    error = (
        error_in(str(failing[0][1].body)) if failing else ("ZeroDivisionError" if _ZERO.search(question.text) else "")
    )
    pieces = yield from _source_of(question, path or (endpoint.path if endpoint else ""))
    found = yield from _misfit(pieces, path, error, failing)
    found = found or _cause(pieces, path, error, question)
    seen = "\n".join(f"GET {where} answers with status code {said.status}: {_detail(said)}" for where, said in failing)
    if found is None:
        return answer(
            f"{seen}\nI am not sure why: I did not find the function that answers it." if seen else NOTHING,
            cited(path) if path else "",
        )
    file, function, cause, *more = found
    where = f"In {file}, line {cause.line}, `{function}` {cause.does} `{cause.expression}`."
    healthy = [each for each, said in tried if said.status < 500]
    well = f"\nIt works for {', '.join(healthy)}." if healthy and len(failing) <= len(healthy) else ""
    text = f"{seen}\n\n{where} {cause.why}\n{fenced(cause.lines)}\n{cause.remedy}{well}"
    return answer(text, f"{file}:{cause.line}", *more, cited(path) if path else "")


def _misfit(
    pieces: Sequence[Piece], path: str, error: str, failing: Tried
) -> Generator[Sequence[Call], list[str], tuple[str, str, Cause, str] | None]:
    """What the function of the route returns that its response model does not take. The model's file is looked for."""
    if not path or error not in ("", MISFIT):
        return None
    sources = {piece.path: piece.text for piece in pieces}
    models = {model_of(each) for text in sources.values() for each in functions_in(text) if serves(each, path)} - {""}
    for name in [name for name in models if not any(f"class {name}" in text for text in sources.values())][:1]:
        places = yield from find(f"class {name}")
        files = dict.fromkeys(
            place.path for place in places if place.path.endswith(".py") and place.path not in sources
        )
        sources |= {piece.path: piece.text for piece in (yield from read(*list(files)[:2]))}
    return misfit_of(sources, path, str(failing[0][1].body) if failing else "")


def _try(question: Question, endpoint: Endpoint | None) -> Generator[Sequence[Call], list[str], Tried]:
    """The endpoint with the values that the question gives; with each value, or each endpoint, where it asks which."""
    if endpoint:
        path = yield from path_of(question, endpoint, by_value=False)
        needed = sorted(endpoint.required)
        if "?" in path or not needed:
            (said,) = yield from ask(path)
            paths = [(yield from filled(question, path, missing_in(said)))]
        else:
            values = yield from values_of(question, needed[0])
            paths = [f"{endpoint.path}?{needed[0]}={value}" for value in values[-MOST_TRIES:]]
    else:
        paths = []
        for each in _group(question):
            paths.append((yield from path_of(question, each, by_value=False)))
    if not paths:
        return []
    answers = yield from ask(*paths[:MOST_TRIES])
    return [(path, said) for path, said in zip(paths, answers, strict=False) if said is not None]


def _group(question: Question) -> list[Endpoint]:
    """The endpoints below a path that the question names, such as all of analytics."""
    asked = stems(question.text)
    return [
        each
        for each in question.endpoints
        if each.method == "GET" and "{" not in each.path and each.path.count("/") >= 2 and stems(each.path)[0] in asked
    ]


def _source_of(question: Question, path: str) -> Generator[Sequence[Call], list[str], list[Piece]]:
    """The files, whole, in which the function of a route may stand."""
    route = path.partition("?")[0]
    places = yield from find(f"{route} {' '.join(stems(route))}" if route else question.text)
    files = list(dict.fromkeys(place.path for place in places if place.path.endswith(".py")))
    named = sorted(files, key=lambda file: -share(stems(route) or question.terms, file))
    return (yield from read(*named[:2]))


def _cause(pieces: Sequence[Piece], path: str, error: str, question: Question) -> tuple[str, str, Cause] | None:
    """The function of the route and the expression in it that gives this error; without a route the best of all."""
    candidates: list[tuple[float, str, str, Cause]] = []
    for piece in pieces:
        for function in functions_in(piece.text):
            said = "" if path else ast.get_source_segment(piece.text, function) or ""
            fits = serves(function, path) if path else share(question.terms, said)
            if fits and (cause := cause_of(function, error, piece.text)):
                candidates.append((fits, piece.path, function.name, cause))
    best = max(candidates, key=lambda each: each[0], default=None)
    return best[1:] if best else None


def _detail(said: Said) -> str:
    if isinstance(said.body, dict):
        return ": ".join(str(said.body[name]) for name in ("type", "detail") if said.body.get(name)) or str(said.body)
    return str(said.body)[:300]
