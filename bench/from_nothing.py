"""How the notekeeper does from an empty folder, in six languages: `python -m bench from_nothing`.

Messages of datasets/note_texts are sent to the built-in mind, a folder a language; those that have questions (ASKED)
are then asked about. Counted apart is what nobody looked at ("held"), and what was written after the code of its day
("after"). A message is right when it lies in a topic folder most of whose messages are of its topic; a question when
the answer says what it must, and the note that it names, too. Folders of one message each would be right by that, so
pairs are counted as well: of those that lie together, how many are of one topic ("pure"), and of those of one topic,
how many are together. "With notes" is a half of the others sent where the other half lies in the folders of its topics:
right is that very folder.
"""

from __future__ import annotations

import posixpath
import re
import tempfile
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

from bench.chance import wilson
from bench.notekeeper import TEXTS, Keeper, keeper
from index.meaning import MANY, available, embed_by
from jobs.notekeeper.tools.save_note import save_note

Row = list[str]
SETS = ("from_nothing.txt", "everyday.txt", "strangers.txt")
HALVES = ("open", "held")
ASKED = {"from_nothing.txt": "from_nothing_questions.txt", "strangers.txt": "strangers_questions.txt"}


def main(arguments: list[str]) -> int:
    """Print the figures a language and set, then all."""
    from offline.wire.server import serve

    with tempfile.TemporaryDirectory() as place, serve() as model:
        for name in SETS:
            total: Counter[str] = Counter()
            for language in languages(name):
                (folder := Path(place, name, language)).mkdir(parents=True)
                with keeper(folder, model) as held:
                    counted = filed(held, language, name)
                    counted += answered(held, language, ASKED[name]) if name in ASKED else Counter()
                counted += beside(Path(place), language, model, name)
                total += counted
                print(f"{name} {language}: {told(counted)}", flush=True)
            print(f"{name}, all: {told(total)}")
            if available(MANY):
                found = sum((by_meaning_alone(language, name) for language in languages(name)), Counter[str]())
                ways = ", ".join(f"{way} {count}" for way, count in found.items())
                print(f"  open, with notes, by the model of meaning alone, of the topic of its nearest: {ways}")
            print()
    return 0


def by_meaning_alone(language: str, name: str) -> Counter[str]:
    """How many messages of the open half are of the topic of what is nearest to them: a message of the others, the
    middle of those of a topic, a topic's name. More than that the notekeeper cannot know by meaning."""
    own = [row for row in rows(name) if row[0] == language]
    others = [row for row in own if row[1] != "open"]
    topics = {topic: [text for *_, each, text in others if each == topic] for _, _, topic, _ in others}
    near: dict[str, list[tuple[str, Any]]] = {
        "message": [(topic, embed_by(MANY, [text])[0]) for _, _, topic, text in others],
        "middle": [(topic, embed_by(MANY, texts).mean(0)) for topic, texts in topics.items()],
        "name": [(topic, embed_by(MANY, [topic.replace("-", " ")])[0]) for topic in topics],
    }
    counted: Counter[str] = Counter()
    for _, kind, topic, text in own:
        if kind == "open":
            vector = embed_by(MANY, [text])[0]
            for way, held in near.items():
                best = max(held, key=lambda one: float(one[1] @ vector) / float(one[1] @ one[1]) ** 0.5)
                counted[way] += best[0] == topic
    return counted


def rows(name: str) -> list[Row]:
    lines = (TEXTS / name).read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in line.split("|")] for line in lines if not line.startswith("#")]


def languages(name: str) -> list[str]:
    return list(dict.fromkeys(row[0] for row in rows(name)))


def filed(held: Keeper, language: str, name: str = SETS[0]) -> Counter[str]:
    """Send a language's messages; how many lie right, and how many pairs, each kind apart; in how many folders."""
    own = [row for row in rows(name) if row[0] == language]
    for *_, text in own:
        held.process(text)
    notes = dict(held.resources["kb"].notes())
    where = {text: posixpath.dirname(path) for *_, text in own for path, note in notes.items() if holds(note, text)}
    counted = judged(own, where)
    counted["folders"] = len({posixpath.dirname(path) for path in notes})
    return counted


def judged(own: list[Row], where: dict[str, str]) -> Counter[str]:
    """How many of the messages lie right, each kind apart, and their pairs; `where` gives the folder of each text."""
    topics = {folder: Counter(row[2] for row in own if where.get(row[3]) == folder) for folder in where.values()}
    counted: Counter[str] = Counter()
    for _, kind, topic, text in own:
        folder = where.get(text, "")
        counted[f"{kind} filed"] += folder not in ("", "general") and topics[folder].most_common(1)[0][0] == topic
        counted[f"{kind} sent"] += 1
    for (_, kind, topic, text), (_, other_kind, other_topic, other) in combinations(own, 2):
        if kind == other_kind:
            folder = where.get(text, "")
            together = folder == where.get(other, "") and folder not in ("", "general")
            counted[f"{kind} together"] += together
            counted[f"{kind} alike"] += topic == other_topic
            counted[f"{kind} both"] += together and topic == other_topic
    return counted


def beside(place: Path, language: str, model: str, name: str) -> Counter[str]:
    """Send each half of a set's messages where the other half lies in the folders of its topics."""
    own = [row for row in rows(name) if row[0] == language]
    counted: Counter[str] = Counter()
    for half in HALVES:
        (folder := place / "beside" / name / half / language).mkdir(parents=True)
        with keeper(folder, model) as held:
            kb = held.resources["kb"]
            for _, kind, topic, text in own:
                if kind != half:
                    save_note(kb, text[:30], text, topic)
            for _, kind, topic, text in own:
                if kind == half:
                    created = (held.process(text).report or {})["files_created"]
                    counted[f"{half} beside"] += [posixpath.dirname(path) for path in created] == [topic]
    return counted


def holds(note: str, text: str) -> bool:
    """Whether it is the note that was made of a text, and not one that only tells that it supersedes it."""
    return any(line == text for line in note.split("\n"))


def answered(held: Keeper, language: str, name: str) -> Counter[str]:
    """Ask a language's questions; how many are answered right, with the right source."""
    counted: Counter[str] = Counter()
    for _, kind, question, wanted in (row for row in rows(name) if row[0] == language):
        answer = held.task(question).answer
        source = re.search(r"^From (.+)\.$", answer, re.MULTILINE)
        said = wanted.casefold() in answer.partition("\n\nFrom ")[0].casefold()
        counted[f"{kind} right"] += bool(
            said and source and wanted.casefold() in held.resources["kb"].text(source[1]).casefold()
        )
        counted[f"{kind} asked"] += 1
    return counted


def told(counted: Counter[str]) -> str:
    """What was counted, in a line a kind; with the interval that chance leaves."""
    lines = []
    for kind in ("open", "held", "after"):
        if sent := counted[f"{kind} sent"]:
            low, high = wilson(counted[f"{kind} filed"], sent)
            lines += [
                f"{kind}: {counted[f'{kind} filed']} of {sent} filed right ({low:.0%} to {high:.0%}), pairs pure "
                f"{counted[f'{kind} both']} of {counted[f'{kind} together']}, together {counted[f'{kind} both']} of "
                f"{counted[f'{kind} alike']}"
            ]
            if asked := counted[f"{kind} asked"]:
                lines[-1] += f", {counted[f'{kind} right']} of {asked} answered right"
            if kind in HALVES:
                lines[-1] += f", with notes {counted[f'{kind} beside']} of {sent}"
    return "\n  ".join([f"{counted['folders']} folders", *lines])
