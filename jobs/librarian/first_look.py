"""What a small model is shown before it is asked: the places and the endpoint that its question points to.

Measured with Qwen2.5-Coder 1.5B: asked alone, it answers from memory, or calls a tool whose result it then describes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent.contracts import NOTE
from agent.mechanisms import Idle, is_small
from agent.run import Help, Run
from config import Settings
from index.index import Hit
from jobs.first_look import Calls, make_calls

MOST_READ = 2  # places
MECHANISMS = ("opening", "idle")
A_PATH = re.compile(r"(?<![\w.])/[\w{}/-]*")
ENDPOINT = re.compile(r"^(?P<method>GET) (?P<path>/[^\s{?]*)(?:\?(?P<names>.*?))?(?: - .*)?$", re.MULTILINE)
COUNTED = re.compile(r"\bhow (?:many|much)\b|\bstatus code\b|\brate\b|\baverage\b|\btotal\b|\bdatabase\b|\bAPI\b", re.I)
WITHOUT_KEY = re.compile(r"\b(?:without|no|missing) (?:an? |the |any )?(?:api )?(?:key|auth\w*|token)\b", re.IGNORECASE)
ANSWER = (
    f"{NOTE}What was found for you is above. Answer briefly and only from it, in plain text: {{prompt}}\nEnd with one "
    "line that says which of these it is from: {places}"
)


def help_for(settings: Settings, run: Run) -> Help | None:
    """Return what this run's model is given, None for one that needs nothing."""
    names = [name for name in MECHANISMS if name not in settings.without]
    if not is_small(settings.model_size, run.provider, run.model) or not names:
        return None
    run.notice(f"{run.model} is taken for a small model and helped: {', '.join(names)} (--model-size large: none).")
    idle = [Idle()] if "idle" in names else []
    return Help(idle, idle, look_first) if "opening" in names else Help(idle, idle)


def look_first(context: Any, run: Run) -> None:
    """Search for the question, read the best places, and ask the endpoint that it names or is about."""
    if run.known or run.history:
        return
    make_calls(context, run, [("search_docs", {"query": run.prompt})])
    looks = [*asked(run), *read(run)]
    make_calls(context, run, looks)
    places = [f"Source: {place_of(name, arguments)}" for name, arguments in looks]
    if places:
        context.append(context.wire.user_message(ANSWER.format(prompt=run.prompt, places=" or ".join(places))))


def place_of(name: str, arguments: Mapping[str, Any]) -> str:
    """A call's place, as an answer names its source."""
    if name == "read_file":
        return str(arguments["path"])
    return f"API endpoint {arguments['method']} {arguments['path'].partition('?')[0]}"


def read(run: Run) -> Calls:
    """Calls that read the best places that the search has found, one of each file."""
    hits: Sequence[Hit] = run.resources["index"].search(run.prompt, 8)
    best = {hit.path: hit.place for hit in reversed(hits)}
    places = [place for path, place in best.items() if hits]
    return [("read_file", {"path": place}) for place in list(reversed(places))[:MOST_READ]]


def asked(run: Run) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The call of the endpoint that the question names; where it asks for data, of the one that it is about."""
    if "query_api" not in run.catalogue:
        return
    described = str(run.catalogue["query_api"].schema["description"])
    known = {found["path"]: found["names"] or "" for found in ENDPOINT.finditer(described)}
    named = [path for path in A_PATH.findall(run.prompt) if len(path) > 1 and path.strip("/")]
    words = {word.lower().rstrip("s") for word in re.findall(r"[A-Za-z]+", run.prompt)}
    likeness = {path: len(words & {part.rstrip("s") for part in re.split(r"[/_-]", path) if part}) for path in known}
    if named:
        path = named[0]
    elif COUNTED.search(run.prompt) and max(likeness.values(), default=0):
        path = max(likeness, key=lambda each: (likeness[each], -len(each)))
    else:
        return
    values = [given(name.partition("=")[0], run.prompt) for name in known.get(path, "").split("&")]
    query = "&".join(filter(None, values))
    arguments = {"method": "GET", "path": f"{path}?{query}" if query else path}
    yield "query_api", arguments | ({"auth": False} if WITHOUT_KEY.search(run.prompt) else {})


def given(name: str, prompt: str) -> str:
    """`lab=lab-07` where the question holds a value that begins with the parameter's name; else ""."""
    found = re.search(rf"\b{re.escape(name)}[-_]\w+", prompt, re.IGNORECASE) if name else None
    return f"{name}={found[0]}" if found else ""
