"""Read a question: what kind it is, and which files, endpoints and values it names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from offline.librarian.words import share, stems, terms

_ENDPOINT = re.compile(
    r"^(GET|POST|PUT|PATCH|DELETE) (/[^\s?]*)(?:\?((?:\([^()\n]*(?:\)|$)|[^\s(])*))? ?(?:- (.*))?$", re.MULTILINE
)
_PARAMETER = re.compile(r"(\w+)=(?:\((required)?\s*([\w.|-]*?)\s*(?:at most (\d+))?\))?")
_URL = re.compile(r"(?<![\w./-])/[a-z][\w/{}-]*/?(?:\?[\w=&%.-]+)?")
_SUFFIXES = "py|md|ya?ml|toml|sql|json|rst|txt|cfg|ini|ipynb|jsx?|tsx?|go|rs|java|kt|swift|cs|php|rb|[ch]|cc|[ch]pp"
_FILE = re.compile(rf"(?<![\w/])(?:[\w.-]+/)*[\w-]+\.(?:{_SUFFIXES})\b|\bDockerfile\b|\bCaddyfile\b")
_FAILS = re.compile(
    r"\b(fail\w*|crash\w*|bugs?|broken|breaks?|errors?|(not|n.t) work|exception|traceback|500|divid\w+|\w+Error)\b",
    re.I,
)
_GIVES = re.compile(r"\b(return|respond|answer|say|give|sen[dt])s?\b", re.I)
_COMPARES = re.compile(r"\b(compare[ds]?|comparison|differences?|differ|versus|vs\.?)\b", re.I)
_PATH = re.compile(
    r"\b(path|journey|way|life ?cycle|flow) of (a|the|an) (\w+ )?request|request('s)? (path|journey|life ?cycle|flow)",
    re.I,
)
_DATA = re.compile(
    r"\bhow many\b|\bcount\b|\bnumber of\b|\bstatus code\b|\b(average|rate|score|total)\b|\bin the database\b", re.I
)
_SOURCE = re.compile(
    r"\b(source|framework|librar(y|ies)|modules?|routers?|decorator|middleware|headers?|class(es)?|functions?|"
    r"method and path|models?|fields?|columns?|tables?|imports?|base image|port|publish\w*|"
    r"compose|implemented|defined|in which file|which file|code)\b",
    re.I,
)

_NAME = re.compile(r"\b\w+_\w+\b|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z0-9]+[A-Z]\w+|\b\w+\(\)")  # as source writes it
_SET = re.compile(r"\b(defaults?|value|types?|parameters?|arguments?|raises?|inherits?|calls?)\b", re.I)
_HOW_TO = re.compile(r"\b(how|where|what|can|may|should) (do |can |may |should )?(I|we|you|one)\b", re.I)
_IN_DOCUMENTS = re.compile(
    r"\b(?:in|from|does|read|to|per) the (?:project )?(?:wiki|docs|documents|documentation|manual)\b", re.I
)
_IN_SOURCE = re.compile(r"\b(?:in|from|does|read|at) the (?:\w+ )?(?:source|code)\b", re.I)


@dataclass(frozen=True)
class Endpoint:
    """A line of query_api's description."""

    method: str
    path: str
    parameters: dict[str, int | None]  # name, and the most that a number may be
    says: str
    required: frozenset[str] = frozenset()  # of the parameters
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)  # what may stand there, where the API says so

    @property
    def name(self) -> str:
        """As it is cited."""
        return f"API endpoint {self.method} {self.path}"


@dataclass(frozen=True)
class Question:
    text: str
    kind: str  # wiki, source, data, bug, compare, path
    terms: list[str]
    files: list[str]
    urls: list[str]  # paths of the API that it names, with their parameters
    endpoints: list[Endpoint]  # of the API, all that are known

    @property
    def scope(self) -> str:
        """Where the question says that the answer stands: documents, source, or "" for anywhere."""
        return "documents" if _IN_DOCUMENTS.search(self.text) else "source" if _IN_SOURCE.search(self.text) else ""


def read_question(text: str, description: str) -> Question:
    """`description` is that of query_api, with the API's endpoints, or "" where there is no API. A path of it that the
    question names and the API does not list is an endpoint, too: an answer of 404 is one."""
    endpoints = endpoints_in(description)
    files = list(dict.fromkeys(_FILE.findall(text)))
    urls = [url.rstrip(".,") for url in _URL.findall(_FILE.sub(" ", text))]
    question = Question(text, "", terms(text), files, urls, endpoints)
    if description and urls and _listed(question) is None:
        question = replace(question, endpoints=[*endpoints, Endpoint("GET", urls[0].partition("?")[0], {}, "")])
    return replace(question, kind=_kind(question))


def endpoints_in(description: str) -> list[Endpoint]:
    found = []
    for method, path, query, says in _ENDPOINT.findall(description):
        told = _PARAMETER.findall(query)
        parameters = {name: int(most) if most else None for name, _, _, most in told}
        required = frozenset(name for name, needed, _, _ in told if needed)
        choices = {name: each.split("|") for name, _, each, _ in told if each}
        found.append(Endpoint(method, path, parameters, says, required, choices))
    return found


def named_endpoint(question: Question, by_value: bool = True) -> Endpoint | None:
    """The endpoint that reads and that the question means: by its path, else by the words of its path, else (with
    `by_value`) by a value that it can be narrowed to."""
    if listed := _listed(question):
        return listed
    reads = [each for each in question.endpoints if each.method == "GET"]
    rated = [(_likeness(question, each, by_value), each) for each in reads if "{" not in each.path]
    best = max(rated, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] > 0 else None


def _listed(question: Question) -> Endpoint | None:
    """The endpoint whose path the question names."""
    for url in question.urls:
        path = url.partition("?")[0].rstrip("/")
        for each in question.endpoints:
            pattern = re.sub(r"\\\{\w+\\\}", r"[^/]+", re.escape(each.path.rstrip("/")))
            if each.method == "GET" and re.fullmatch(pattern, path):
                return each
    return None


def _likeness(question: Question, endpoint: Endpoint, by_value: bool) -> float:
    """More than 1 where the last part of its path stands in the question, or where the question gives a value for it
    and has most words of what it says of itself; less for a value alone; 0 for none."""
    last = stems(endpoint.path.strip("/").split("/")[-1])
    asked = stems(question.text)
    if not last:
        return 0.0
    told = share(terms(endpoint.says), question.text)
    given = 2 * any(re.search(rf"\b{name}-\w*\d", question.text) for name in endpoint.parameters)
    if set(last) <= set(asked):
        return 1 + len(last) + told + given + 1 / (1 + min(asked.index(each) for each in last))
    if told >= 0.5 and given:
        return 1 + told + given
    return 0.9 * by_value * _by_value(asked, endpoint)


def _by_value(asked: list[str], endpoint: Endpoint) -> float:
    """A value that it can be narrowed to, such as "lab" for "those of one type: lab or task"."""
    values = stems(endpoint.says.partition(":")[2])
    return 1.0 if set(values) & set(asked) else 0.0


def _kind(question: Question) -> str:
    text = question.text
    meant = named_endpoint(question)
    if question.scope == "documents" and not _COMPARES.search(text):
        return "wiki"
    if _PATH.search(text):
        return "path"
    if _COMPARES.search(text) and not meant:
        return "compare"
    named = named_endpoint(question, by_value=False)
    if _FAILS.search(text) and named and not _COMPARES.search(text) and not _asks_for_status(text):
        return "bug"
    if re.search(r"\bdivid\w+ by zero|ZeroDivisionError|TypeError\b", text):
        return "bug"
    if _FAILS.search(text) and question.endpoints and re.search(r"\b(endpoints?|API)\b", text):
        return "bug"
    if _COMPARES.search(text):
        return "compare"
    about_source = _SOURCE.search(text)
    gives_value = meant and any(re.search(rf"\b{name}-\w*\d", text) for name in meant.parameters)
    if meant and (
        _asks_for_status(text) or ((_DATA.search(text) or gives_value) and not (about_source and question.files))
    ):
        return "data"
    asks_source = question.files or (_NAME.search(text) and _SET.search(text)) or "{" in "".join(question.urls)
    asks_source = asks_source or re.search(r"\bparameters\b.*/\w", text)
    if question.endpoints and question.urls and not asks_source and (_GIVES.search(text) or not about_source):
        return "data"
    if asks_source or question.scope == "source" or (about_source and not _HOW_TO.search(text)):
        return "source"
    return "wiki"


def _asks_for_status(text: str) -> bool:
    asks_why = re.search(r"\bwhy\b", text, re.I) and _FAILS.search(text)
    named = re.search(r"\bstatus code\b|\bHTTP status\b", text, re.I)
    return bool(named) and not asks_why and not _FILE.search(text)
