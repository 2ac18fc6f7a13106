"""What a small model is shown before it is asked: the places and the endpoint that its question points to.

Measured with Qwen2.5-Coder 1.5B: asked alone, it answers from memory, or calls a tool whose result it then describes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from agent.contracts import NOTE
from agent.gates import Gate
from agent.mechanisms import Idle, InWords, parts_for
from agent.run import Run
from agent.setup import Help
from config import Settings
from jobs.first_look import Calls, make_calls, opens

MOST_FOUND, MOST_READ = 24, 3  # places
MECHANISMS = ("opening", "idle", "done")
A_FILE = re.compile(r"[\w./-]*\w")
A_PATH = re.compile(r"(?<![\w.])/[\w{}/-]*")
ENDPOINT = re.compile(r"^(?P<method>GET) (?P<path>/[^\s{?]*)(?:\?(?P<names>.*?))?(?: - .*)?$", re.MULTILINE)
COUNTED = re.compile(r"\bhow (?:many|much)\b|\bstatus code\b|\brate\b|\baverage\b|\btotal\b|\bdatabase\b|\bAPI\b", re.I)
WITHOUT_KEY = re.compile(r"\b(?:without|no|missing) (?:an? |the |any )?(?:api )?(?:key|auth\w*|token)\b", re.IGNORECASE)
NO_ANSWER = "The model gave no answer. What was found for it stands in the trace of this run."
# With the search itself as a call before it, the 1.5B makes that call again; with places to name, it reads them again.
ANSWER = (
    f"{NOTE}You have read what there is about it. Answer in plain text, from what you have read, with the exact names, "
    "values, errors and expressions that stand there: {prompt}"
)


def help_for(settings: Settings, run: Run) -> Help | None:
    """Return what this run's model is given, None for one that needs nothing."""
    names = parts_for(settings, run, MECHANISMS)
    if names is None:
        return None
    idle = [Idle()] if "idle" in names else []
    gates: list[Gate] = [*idle, *([InWords()] if "done" in names else [])]
    return Help(gates, idle, look_first) if "opening" in names else Help(gates, idle)


def look_first(context: Any, run: Run) -> None:
    """Search for the question, read the best places, and ask the endpoint that it names or is about."""
    if not opens(run):
        return
    looks = [*asked(run), *read(run)]
    if looks:
        make_calls(context, run, looks)
        run.answer_due = NO_ANSWER  # asked on, a small model makes the same calls again
        context.append(context.wire.user_message(ANSWER.format(prompt=run.prompt)))


def read(run: Run) -> Calls:
    """Calls that read the files that the question names, then the best document and the best source that are found."""
    words = {word.rstrip(".") for word in A_FILE.findall(run.prompt)}
    named = [path for path, entry in run.root.walk() if entry.size and words & {path, PurePosixPath(path).name}]
    best: dict[bool, str] = {}
    for hit in run.resources["index"].search(run.prompt, MOST_FOUND):
        if hit.path not in named:
            best.setdefault(hit.path.endswith(".py"), hit.place)
    return [("read_file", {"path": place}) for place in [*named, *best.values()][:MOST_READ]]


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
