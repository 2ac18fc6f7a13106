"""How the notekeeper does from an empty folder, in six languages: `python -m bench from_nothing`.

The messages of datasets/note_texts/from_nothing.txt are sent to the built-in mind, a folder a language; then the
questions are asked. Counted apart is what nobody looked at ("held"), and what was written after the code ("after"). A
message is right when it lies in a topic folder most of whose messages are of its topic; a question when the answer says
what it must, and the note that it names, too.
"""

from __future__ import annotations

import posixpath
import re
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.notekeeper import TEXTS, Keeper, keeper

Row = list[str]


def main(arguments: list[str]) -> int:
    """Print the figures a language, then all."""
    from offline.wire.server import serve

    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place, serve() as model:
        for language in dict.fromkeys(row[0] for row in rows("from_nothing.txt")):
            began = time.perf_counter()
            (folder := Path(place, language)).mkdir()
            with keeper(folder, model) as held:
                counted = filed(held, language) + answered(held, language)
            total += counted
            print(f"{language}: {told(counted)}, {time.perf_counter() - began:.0f} s", flush=True)
    print(f"all: {told(total)}")
    return 0


def rows(name: str) -> list[Row]:
    lines = (TEXTS / name).read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in line.split("|")] for line in lines if not line.startswith("#")]


def filed(held: Keeper, language: str) -> Counter[str]:
    """Send a language's messages; how many lie right, open and held, in how many folders."""
    own = [row for row in rows("from_nothing.txt") if row[0] == language]
    for *_, text in own:
        held.process(text)
    notes = dict(held.resources["kb"].notes())
    where = {text: posixpath.dirname(path) for *_, text in own for path, note in notes.items() if holds(note, text)}
    topics = {folder: Counter(row[2] for row in own if where.get(row[3]) == folder) for folder in where.values()}
    counted: Counter[str] = Counter()
    for _, kind, topic, text in own:
        folder = where.get(text, "")
        counted[f"{kind} filed"] += folder not in ("", "general") and topics[folder].most_common(1)[0][0] == topic
        counted[f"{kind} sent"] += 1
    counted["folders"] = len({posixpath.dirname(path) for path in notes})
    return counted


def holds(note: str, text: str) -> bool:
    """Whether it is the note that was made of a text, and not one that only tells that it supersedes it."""
    return any(line == text for line in note.split("\n"))


def answered(held: Keeper, language: str) -> Counter[str]:
    """Ask a language's questions; how many are answered right, with the right source."""
    counted: Counter[str] = Counter()
    for _, kind, question, wanted in (row for row in rows("from_nothing_questions.txt") if row[0] == language):
        answer = held.task(question).answer
        source = re.search(r"^From (.+)\.$", answer, re.MULTILINE)
        said = wanted.casefold() in answer.partition("\n\nFrom ")[0].casefold()
        counted[f"{kind} right"] += bool(
            said and source and wanted.casefold() in held.resources["kb"].text(source[1]).casefold()
        )
        counted[f"{kind} asked"] += 1
    return counted


def told(counted: Counter[str]) -> str:
    parts = [
        f"{kind}: {counted[f'{kind} filed']} of {counted[f'{kind} sent']} filed right, "
        f"{counted[f'{kind} right']} of {counted[f'{kind} asked']} answered right"
        for kind in ("open", "held")
    ]
    parts += [f"written after the code: {counted['after filed']} of {counted['after sent']} filed right"]
    return f"{'; '.join(parts)}; {counted['folders']} folders"
