"""Given in lesson 20: a librarian, made of your own parts. It answers from a folder, and says where it stands."""

import json
import os

import api  # lesson 15
import dispatch  # lesson 5
from confine import inside  # lesson 3
from menu import schema  # lesson 4
from messages import start  # lesson 1
from parallel import run_calls  # lesson 7
from search import by_meaning, by_words, fuse  # lesson 20
from sources import objection, sections  # lesson 16

SYSTEM = (
    "You answer questions from a folder of documents, and from nothing else. Search, read the best place, answer "
    "briefly. End with a line that begins with Source: and names what you have read, such as path#section."
)
MAX_TURNS, PUSH_BACKS, SHOWN = 12, 2, 8
DOCUMENTS = (".md", ".markdown", ".rst", ".txt")
LARGEST = 200_000  # characters of a document that are searched
embed = None  # texts -> vectors, where something on this machine makes them
read = {}  # what was shown to the model in this run


def search_docs(root: str, query: str) -> str:
    """Find places in the documents. Returns place | heading | first line | how it was found."""
    found = places(root)
    texts = [f"{place} {text}" for place, text in found]
    rankings = [by_words(query, texts)]
    if embed and texts:
        vector, *vectors = embed([query, *texts])
        rankings.append(by_meaning(vector, vectors)[:SHOWN])
    lines = []
    for number in fuse(*rankings)[:SHOWN]:
        place, text = found[number]
        how = " and ".join(name for name, each in zip(("words", "meaning"), rankings) if number in each)
        first = " ".join(text.split())[:120].replace(" | ", " ")
        lines.append(f"{place} | {place.partition('#')[2].replace('-', ' ') or 'the whole file'} | {first} | {how}")
    return "\n".join(lines) or "Nothing found. Try other words."


def read_file(root: str, path: str) -> str:
    """Read a document, or one section of it as search_docs names it: wiki/a.md#section."""
    file, _, name = path.partition("#")
    if not inside(root, file):
        return f'Error: "{file}" is outside the documents'
    with open(os.path.join(root, file), encoding="utf-8", errors="replace") as opened:
        text = opened.read()
    if not name:
        read[file] = text
        return text
    cut = sections(text)
    if name not in cut:
        return f'Error: "{file}" has no section "{name}"; it has {", ".join(cut)}'
    read[file] = f"{read.get(file, '')}\n# {name}\n{cut[name]}"
    first = text[: text.find(cut[name].strip())].count("\n") + 1
    return f"[{path}: lines {first}-{first + cut[name].count(chr(10))} of {text.count(chr(10)) + 1}]\n{cut[name]}"


def query_api(root: str, method: str, path: str, auth: bool = True) -> str:
    """Call the project's running API. Returns JSON with status_code and body."""
    read[f"API endpoint {method.upper()} {path.partition('?')[0]}"] = ""
    return counted(api.query_api(method, path, auth))


TOOLS = {tool.__name__: tool for tool in (search_docs, read_file)}  # the walk adds query_api where there is an API


def librarian(ask, question, root):
    """Answer a question from the folder root; ask(messages, menu) is the model."""
    dispatch.ROOT = root
    dispatch.TOOLS.clear()
    dispatch.TOOLS.update(TOOLS)
    read.clear()
    menu = [{"type": "function", "function": schema(tool)} for tool in TOOLS.values()]
    messages, pushed = start(SYSTEM, question), 0
    for _ in range(MAX_TURNS):
        reply = ask(messages, menu)
        messages.append(reply)
        calls = reply.get("tool_calls")
        if calls:
            for call, result in zip(calls, run_calls(calls)):
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
            continue
        problem = objection(reply["content"], read)
        if not problem or pushed == PUSH_BACKS:
            return reply["content"]
        messages.append({"role": "user", "content": problem})
        pushed += 1
    return f"Stopped: no answer after {MAX_TURNS} turns."


def counted(said):
    """The same, with the length of a list beside it: a model counts badly."""
    try:
        answer = json.loads(said)
        rows = json.loads(answer["body"])
    except ValueError:
        return said
    return json.dumps({**answer, "count": len(rows)}) if isinstance(rows, list) else said


def places(root):
    """Every section of every document, as (path#anchor, text); a file without headings is one."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(name for name in names if name.lower().endswith(DOCUMENTS)):
            path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
            try:
                with open(os.path.join(root, path), encoding="utf-8", errors="replace") as opened:
                    text = opened.read(LARGEST)
            except OSError:  # it is not to be read, or a link that leads out: the others can be
                continue
            cut = sections(text)
            found += [(f"{path}#{anchor}", below) for anchor, below in cut.items()] or [(path, text)]
    return found
