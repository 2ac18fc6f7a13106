"""Answers from the API: a count, a value, a status code."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from typing import Any

from offline.librarian.question import Endpoint, Question, named_endpoint
from offline.librarian.steps import Plan, Said, answer, ask
from offline.librarian.words import stem, stems
from offline.wire.conversation import Call

_WITHOUT_KEY = re.compile(
    r"\b(without|no|missing|not authenticated)\b.*\b(key|auth\w*|token|header|login)\b|\bunauthenticated",
    re.I,
)
_STATUS = re.compile(r"\bstatus code\b|\bHTTP status\b", re.I)
_DIFFERENT = re.compile(r"\b(?:different|distinct|unique)\s+(\w+)", re.I)
_COUNTS = re.compile(r"\bhow many\b|\bcount\b|\bnumber of\b|\btotal\b", re.I)
_VALUE = re.compile(r"\b[A-Za-z]+\d*-\d+\b")
_EACH = re.compile(r"\b(per|each|every|by) \w+", re.I)
LONGEST = 600  # characters of an answer of the API that are quoted

Values = Generator[Sequence[Call], list[str], list[str]]


def count_or_value(question: Question) -> Plan:
    """Call the endpoint that the question means, and compute what it asks for."""
    endpoint = _counted_in(question) or named_endpoint(question)
    if endpoint is None:
        return "The API has no endpoint for this that I can recognise, so I cannot answer it."
    path = yield from path_of(question, endpoint)
    if _STATUS.search(question.text):
        return (yield from _status(question, path))
    most = endpoint.parameters.get("limit")
    if _COUNTS.search(question.text) and "limit" in endpoint.parameters and "limit=" not in path:
        path = with_parameter(path, "limit", str(most or 1000))
    (said,) = yield from ask(path)
    if missing := missing_in(said):
        path = yield from filled(question, path, missing)
        (said,) = yield from ask(path)
    if said is not None and said.status >= 500:
        from offline.librarian.bugs import explain_failure  # here: it needs this module, too

        return (yield from explain_failure(question))
    if said is None or said.status >= 400:
        return _failed(path, said)
    different = _DIFFERENT.search(question.text)
    counted = _different(said, different[1]) if different else None
    if different and counted:
        name, number = counted
        text = f"There are {number} different {different[1]}: so many different values has `{name}` in GET {path}."
    elif _COUNTS.search(question.text) and said.count is not None and not _EACH.search(question.text):
        text = _counted(question, path, said)
    else:
        text = f"{_value(question, said)}GET {path} answers {_shown(said.body)}"
    return answer(text, cited(path))


def cited(path: str) -> str:
    """An endpoint as a source, by the path that was called."""
    return f"API endpoint GET {path.partition('?')[0]}"


def _counted(question: Question, path: str, said: Said) -> str:
    """How many entries there are; of a list that could not be narrowed to a value of the question, those that hold
    it."""
    rows = [row for row in said.body if isinstance(row, dict)] if isinstance(said.body, list) else []
    left = [value for value in _VALUE.findall(question.text) if value not in path]
    if left and rows:
        holding = [row for row in rows if any(left[0] in str(each) for each in row.values())]
        return f"There are {len(holding)}: so many of the {said.count} entries of GET {path} hold {left[0]}."
    unsure = f" I could not narrow it to {left[0]}." if left else ""
    return f"There are {said.count}: GET {path} returns {said.count} entries.{unsure}"


def path_of(question: Question, endpoint: Endpoint, by_value: bool = True) -> Generator[Sequence[Call], list[str], str]:
    """The path with the parameters that the question gives values for."""
    for url in question.urls:
        if "?" in url or "{" in endpoint.path and "{" not in url:  # the question gives what stands there
            return url
    path = endpoint.path
    for name in endpoint.parameters:
        value = _literal(name, question.text)
        if value is None and (number := re.search(rf"\b{name}s?\s+(?:number\s+)?(\d+)\b", question.text, re.I)):
            known = yield from values_of(question, name)
            value = next((each for each in known if re.search(rf"\D0*{number[1]}$", each)), number[1])
        if value is None and by_value:
            value = _choice(name, endpoint, question)
        if value is not None:
            path = with_parameter(path, name, value)
    return path


def missing_in(said: Said | None) -> list[str]:
    """The parameters of the query that an answer of 422 says are missing."""
    detail = said.body.get("detail") if said and said.status == 422 and isinstance(said.body, dict) else None
    places = [each.get("loc") for each in detail if isinstance(each, dict)] if isinstance(detail, list) else []
    return [str(place[1]) for place in places if isinstance(place, list) and len(place) == 2 and place[0] == "query"]


def filled(question: Question, path: str, names: Sequence[str]) -> Generator[Sequence[Call], list[str], str]:
    """The path with a value for each of these parameters: of the question, else the first that it may have."""
    for name in names:
        value = _literal(name, question.text)
        if value is None:
            known = yield from values_of(question, name)
            value = known[0] if known else None
        if value is not None:
            path = with_parameter(path, name, value)
    return path


def values_of(question: Question, name: str) -> Values:
    """The values that a parameter such as `lab` may have: those that the API's description names, else those of a list
    of such things, where it has one."""
    for endpoint in question.endpoints:
        if endpoint.choices.get(name):
            return list(endpoint.choices[name])
    for endpoint in question.endpoints:
        if endpoint.method == "GET" and stem(name) in stems(endpoint.says.partition(":")[2]):
            narrowed = next((each for each in endpoint.parameters if each in endpoint.says), None)
            (said,) = yield from ask(with_parameter(endpoint.path, narrowed, name) if narrowed else endpoint.path)
            rows = said.body if said and isinstance(said.body, list) else []
            texts = [
                str(value) for row in rows if isinstance(row, dict) for value in row.values() if isinstance(value, str)
            ]
            return [text for text in dict.fromkeys(texts) if re.fullmatch(rf"{name}-?\w+", text)]
    return []


def with_parameter(path: str, name: str, value: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{name}={value}"


def _literal(name: str, text: str) -> str | None:
    """`lab-01` for lab, `B24-02` in "group B24-02" for group."""
    found = re.search(rf"\b{name}-\w+\b", text) or re.search(rf"\b{name}s?\s+((?=\w*\d)\w*[A-Z]\w*(?:-\w+)*)", text)
    return (found[1] if found.lastindex else found[0]) if found else None


def _choice(name: str, endpoint: Endpoint, question: Question) -> str | None:
    """One of the values that the endpoint says it can be narrowed to, in its schema or its words: "those of one type:
    lab or task"."""
    asked = set(stems(question.text))
    if name in endpoint.choices:
        return next((each for each in endpoint.choices[name] if set(stems(each)) <= asked), None)
    before, _, after = endpoint.says.partition(":")
    if name not in before.split():
        return None
    counted = re.search(r"\bhow many (?:different )?(\w+)", question.text, re.I)
    asked = set(stems(counted[1])) if counted else asked
    return next((word for word in re.findall(r"\w+", after) if word != "or" and stem(word) in asked), None)


def _counted_in(question: Question) -> Endpoint | None:
    """Of "different items that have interactions" the endpoint of the second: there the first are counted."""
    different = _DIFFERENT.search(question.text)
    if not different:
        return None
    rest = Question("", "", [], [], [], question.endpoints)
    after = question.text[different.end() :]
    return named_endpoint(Question(after, "", stems(after), [], [], rest.endpoints))


def _different(said: Said, what: str) -> tuple[str, int] | None:
    """How many different values the field has that points to `what`."""
    rows = said.body if isinstance(said.body, list) else []
    names = list(said.fields) or list(dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row))
    for name in sorted(names, key=lambda each: (not each.endswith("_id"), each)):
        if stem(what.lower()) in stems(name):
            if said.fields:
                return name, said.fields[name]["different"]
            return name, len({json.dumps(row.get(name)) for row in rows} - {"null"})
    return None


def _status(question: Question, path: str) -> Plan:
    auth = not _WITHOUT_KEY.search(question.text)
    url = next((url for url in question.urls), path)
    (said,) = yield from ask(url, auth=auth)
    (other,) = yield from ask(url, auth=not auth)
    if said is None:
        return _failed(url, said)
    how, else_ = ("", "Without the key") if auth else (" without the key", "With the key")
    text = f"GET {url}{how} answers with status code {said.status}: {_shown(said.body)}"
    more = f"\n{else_} it is {other.status}." if other and other.status != said.status else ""
    return answer(f"{text}{more}", cited(url))


def _failed(path: str, said: Said | None) -> str:
    if said is None:
        return f"GET {path} gave no answer, so I cannot say it."
    return answer(f"GET {path} answers with status code {said.status}: {_shown(said.body)}", cited(path))


def _value(question: Question, said: Said) -> str:
    """The field of an object that the question names: `completion_rate: 26.7`."""
    if not isinstance(said.body, dict):
        return ""
    asked = set(question.terms)
    named = [(len(set(stems(name)) & asked), name) for name, value in said.body.items() if set(stems(name)) <= asked]
    if not named:
        return ""
    name = max(named)[1]
    return f"{name} is {json.dumps(said.body[name], ensure_ascii=False)}. "


def _shown(body: Any) -> str:
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
