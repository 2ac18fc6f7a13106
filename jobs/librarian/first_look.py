"""What a small model is shown before it is asked: the places and the endpoint that its question points to.

Measured with Qwen2.5-Coder 1.5B: asked alone, it answers from memory, or calls a tool whose result it then describes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product, zip_longest
from pathlib import PurePosixPath
from typing import Any

from agent.contracts import NOTE, ToolResult
from agent.gates import Gate
from agent.mechanisms import Idle, InWords, parts_for
from agent.run import Run
from agent.setup import Help
from config import Settings
from index.documents import is_written
from jobs.first_look import Calls, looks_anew, made_for, text_of
from jobs.librarian.citation import place_asked
from jobs.librarian.tools.read_file import place_of
from jobs.librarian.tools.search_docs import places

MOST_READ, MOST_SOURCES, MOST_LISTED = 5, 2, 2  # places, those of them that are source, directories
SAYS_NOTHING = 120  # bytes: a source file that is shorter tells nothing of its program
BEGINNING = re.compile(r"(?:main|app|__main__|index)\.\w+")  # where a program begins, by its name
MECHANISMS = ("opening", "idle", "done")
A_FILE = re.compile(r"[\w./-]*\w")
A_PATH = re.compile(r"(?<![\w.])/[\w{}/-]*")
ENDPOINT = re.compile(r"^(?P<method>GET) (?P<path>/[^\s{?]*)(?:\?(?P<names>.*?))?(?: - .*)?$", re.MULTILINE)
COUNTED = re.compile(r"\bhow (?:many|much)\b|\bstatus code\b|\brate\b|\baverage\b|\btotal\b|\bdatabase\b|\bAPI\b", re.I)
FAILED = re.compile(r'\{"status_code": 5\d\d')
WITHOUT_KEY = re.compile(r"\b(?:without|no|missing) (?:an? |the |any )?(?:api )?(?:key|auth\w*|token)\b", re.IGNORECASE)
NO_ANSWER = "The model gave no answer."
NEAREST = NO_ANSWER + " The nearest to the question that was found:\n\n{text}\n\nSource: {place}"
MOST_SHOWN, CUT = 2_000, "[...]\n\nIts beginning is shown; the rest stands in the source."  # characters of it
WHERE = re.compile(r"\A\[.*: lines \d+-\d+ of \d+(?:, .*)?\]\n")  # what read_file begins a part of a file with
# With calls in the conversation the 1.5B goes on with calls: the more of them, the surer. So it is shown texts.
ANSWER = (
    NOTE + "This was read about it:\n\n{read}\n\n{cause}Answer in plain text, from this alone, with the exact names, "
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
    if not looks_anew(run):
        return
    looks = [*asked(run), *read(run)]
    if looks:
        results = made_for(context, run, looks)
        run.answer_due = nearest(results)  # asked on, a small model makes the same calls again
        told = "\n\n".join(f"{named(result)}:\n{result.content}" for result in results)
        context.append(context.wire.user_message(ANSWER.format(read=told, cause=cause(run), prompt=run.prompt)))


def nearest(results: Iterable[ToolResult]) -> str:
    """What stands in the place of an answer: what the API said, else the first document that was read, without the line
    that says where."""
    for result in results:
        place = place_asked(result.call.name, result.call.readable)
        said = result.call.name == "query_api" and not FAILED.match(result.content)
        if result.ok and (said or (result.call.name == "read_file" and is_written(place_of(place)[0]))):
            text = WHERE.sub("", result.content).strip()
            shown = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN].rstrip()} {CUT}"
            return NEAREST.format(text=shown, place=place)
    return NO_ANSWER


def named(result: ToolResult) -> str:
    """What a call looked at, as an answer names it."""
    arguments = result.call.readable
    return place_asked(result.call.name, arguments) or f"The names in {arguments['path']}"


def read(run: Run) -> Calls:
    """Calls that list the directories that a question names, and read the files that it names, where the program in
    such a directory begins, and the best documents and sources that are found, by turns."""
    words = {word.rstrip(".") for word in A_FILE.findall(run.prompt)}
    sizes = {path: entry.size for path, entry in run.root.walk() if entry.size}
    named = [path for path in sizes if words & {path, PurePosixPath(path).name}]
    folders = named_folders(run.prompt, sizes)
    inside = [path for folder in folders for path in sizes if path.startswith(f"{folder}/")]
    begins = [path for path in inside if BEGINNING.fullmatch(PurePosixPath(path).name)]
    found: dict[bool, list[str]] = {True: [], False: []}
    for hit in places(run.resources["index"], run.prompt):
        if hit.path not in (*named, *begins[:1]) and (is_written(hit.path) or sizes.get(hit.path, 0) > SAYS_NOTHING):
            found[is_written(hit.path)].append(hit.place)
    turns = (place for pair in zip_longest(found[True], found[False][:MOST_SOURCES]) for place in pair if place)
    wanted = list(dict.fromkeys([*named, *begins[:1], *turns]))[:MOST_READ]
    return [*(("list_files", {"path": folder}) for folder in folders), *(("read_file", {"path": at}) for at in wanted)]


def named_folders(prompt: str, paths: Iterable[str]) -> list[str]:
    """The directories whose names a question says, in the singular or the plural, the outermost first."""
    words = {word.lower().rstrip("s") for word in re.findall(r"[A-Za-z]\w{2,}", prompt)}
    folders = dict.fromkeys(str(parent) for path in paths for parent in reversed(PurePosixPath(path).parents))
    named = [folder for folder in folders if PurePosixPath(folder).name.lower().rstrip("s") in words]
    return sorted(named, key=lambda folder: folder.count("/"))[:MOST_LISTED]


def cause(run: Run) -> str:
    """Where the API failed, the expression of the source that was read which can raise its error, and why; else ""."""
    from offline.librarian.causes import cause_of, error_in, functions_in, serves
    from offline.librarian.responses import misfit_of

    entries = [entry for entry in run.trajectory if entry["status"] == "completed"]
    failed = [each for each in entries if each["name"] == "query_api" and FAILED.match(str(each["result"]))]
    if not failed:
        return ""
    files = dict.fromkeys(
        place_of(str(each["arguments"]["path"]))[0] for each in entries if each["name"] == "read_file"
    )
    texts = {file: text_of(run, file) for file in files if file.endswith(".py")}
    for entry in failed:
        if misfit := misfit_of(texts, str(entry["arguments"]["path"]), str(entry["result"])):
            file, function, found, _ = misfit
            what = f"`{function}` in line {found.line} of {file} returns `{found.expression}`"
            return f"The API fails, and {what}. {found.why} "
    for entry, (file, text) in product(failed, texts.items()):
        error = error_in(str(entry["result"]))
        for function in functions_in(text):
            if serves(function, str(entry["arguments"]["path"])) and (found := cause_of(function, error, text)):
                what = f"`{found.expression}` in line {found.line} of {file} raises {error or 'it'}"
                return f"The API fails, and {what}. {found.why} "
    return ""


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
    """`lab=lab-07` where the question holds a value that begins with the parameter's name, `group=B24-02` where such a
    code follows it; else ""."""
    if not name:
        return ""
    found = re.search(rf"\b{re.escape(name)}[-_]\w+", prompt, re.IGNORECASE)
    code = re.search(rf"\b{re.escape(name)} ((?=[\w-]*\d)[A-Za-z][\w-]*)", prompt)
    return f"{name}={found[0]}" if found else f"{name}={code[1]}" if code else ""
