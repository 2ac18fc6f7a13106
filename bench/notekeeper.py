"""How well the notekeeper files, links and finds: `python -m bench notekeeper`; and how fast among how many notes:
`python -m bench notekeeper 1000 10000`.

The texts and questions in datasets/note_texts were written before anything was tuned; the notes are those that ship.
"""

from __future__ import annotations

import random
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from statistics import median
from typing import Any, TypeVar
from unittest import mock

from agent.contracts import AgentResult
from config import PROJECT, Settings
from index import meaning
from jobs.notekeeper.folders import MODEL
from jobs.notekeeper.job import JOB, MAKE_A_NOTE
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.settings import NotekeeperSettings
from jobs.notekeeper.tools.kb_check import kb_check
from jobs.notekeeper.tools.save_note import save_note
from sandbox.files.root import Root

TEXTS = PROJECT / "datasets" / "note_texts"
NOTES = PROJECT / "samples" / "notes"
LANGUAGES = ("german", "russian")
TIMED = 15
SYLLABLES = ["".join(pair) for pair in product("bdfgklmnprst", "aeiou")]
WORDS = ["".join(three) for three in islice(product(SYLLABLES[::4], SYLLABLES, SYLLABLES[::4]), 0, 13_500, 4)][:3_000]
T = TypeVar("T")


@dataclass(frozen=True)
class Filed:
    """How forty texts became notes: in the right folder, with links to their own topic, in which time (seconds)."""

    right: int
    links: int
    sensible: int
    seconds: list[float]
    doubled: int  # texts that changed anything when they were sent a second time

    @property
    def median(self) -> float:
        """Of a note after the first, which loads what the search needs."""
        return sorted(self.seconds[1:])[len(self.seconds) // 2]


def main(arguments: list[str]) -> int:
    """Print the figures, by meaning where it is installed, and by words alone; with numbers the times among as many
    notes."""
    if arguments:
        if not all(each.isdigit() for each in arguments):
            raise SystemExit("python -m bench notekeeper takes numbers of notes, as 1000 10000, or nothing.")
        for number in map(int, arguments):
            with tempfile.TemporaryDirectory() as place:
                print(times(Path(place), number), flush=True)
        return 0
    from offline.wire.server import serve

    for by_meaning in (True, False):
        if by_meaning and not meaning.available(MODEL):
            print("By meaning: not installed. Add it with: uv sync --extra notekeeper\n")
            continue
        with tempfile.TemporaryDirectory() as place, serve() as model, searching(by_meaning=by_meaning):
            print("By meaning and words:" if by_meaning else "By words alone:")
            filed = file_texts(Path(place), model)
            print(f"  folder right: {filed.right} of {len(texts())} texts; doubled when sent again: {filed.doubled}")
            print(f"  links to the text's own topic: {filed.sensible} of {filed.links}")
            print(f"  a note: {filed.median * 1000:.0f} ms (median), {max(filed.seconds[1:]) * 1000:.0f} ms at most")
            for name, found in answered(Path(place)).items():
                told = ", ".join(f"{right} of {asked} {kind}" for kind, (right, asked) in found.items())
                print(f"  note among the first three, {name}: {told}")
            print()
    return 0


@dataclass(frozen=True)
class Times:
    """Seconds among so many notes: to build the index, for each search, for each save, for a look at the files with a
    search after each, and for a check; `processor` is what of each save was not waiting for others."""

    notes: int
    build: float
    search: list[float]
    save: list[float]
    processor: list[float]
    after: list[float]
    check: float

    def __str__(self) -> str:
        each = (
            ("search", self.search),
            ("save", self.save),
            ("of it processor", self.processor),
            ("look and search after a save", self.after),
        )
        told = (
            f"{name} {median(of) * 1000:.0f} ms ({min(of) * 1000:.0f} to {max(of) * 1000:.0f})" for name, of in each
        )
        return f"{self.notes:,} notes: built in {self.build:.1f} s; {'; '.join(told)}; check {self.check:.1f} s"


def times(place: Path, number: int) -> Times:
    """What takes how long. Each of fifteen saves is looked up by a word of its own, so that it must be found."""
    draw = random.Random(1)
    write_notes(place / "notes", number)
    with Root(place / "notes") as root:
        kb = KnowledgeBase(root, place / "index")
        build, _ = timed(lambda: kb.search("first", 5))
        search = [timed(lambda: kb.search(words_of(draw, 4), 5))[0] for _ in range(TIMED)]
        save_note(kb, "Warm up", words_of(draw, 40), "topic1")  # reads every title
        save, processor, after = [], [], []
        for at in range(TIMED):
            text, own = f"{words_of(draw, 40)} own{at}sign.", f"own{at}sign"
            began = time.thread_time()
            seconds, told = timed(lambda at=at, text=text: save_note(kb, f"New {at}", text, "topic1"))
            save.append(seconds)
            processor.append(time.thread_time() - began)
            seconds, found = timed(lambda own=own: (kb.index.refresh(), kb.search(own, 1))[1])
            after.append(seconds)
            if not told.startswith("Created") or found[0].title != f"New {at}":
                raise RuntimeError(f"the note was not found again: {told}")
        check, _ = timed(lambda: kb_check(kb))
        kb.close()
    return Times(number, build, search, save, processor, after, check)


def write_notes(folder: Path, number: int, *, folders: int = 50) -> None:
    """So many notes of forty words out of three thousand that nobody knows."""
    draw = random.Random(2)
    for at in range(number):
        below = folder / f"topic{at % folders}"
        below.mkdir(parents=True, exist_ok=True)
        text = f"# {words_of(draw, 3)} {at}\n\n{words_of(draw, 40)}.\n"
        (below / f"note-{at}.md").write_text(text, encoding="utf-8")


def words_of(draw: random.Random, number: int) -> str:
    return " ".join(draw.sample(WORDS, number))


def timed(work: Callable[[], T]) -> tuple[float, T]:
    began = time.perf_counter()
    made = work()
    return time.perf_counter() - began, made


@contextmanager
def searching(*, by_meaning: bool) -> Iterator[None]:
    """With the embeddings, or as if they were not installed."""
    with mock.patch.object(meaning, "available", return_value=by_meaning):
        yield


def texts() -> list[tuple[str, str]]:
    """The forty texts, each with the folder that it belongs to."""
    parts = re.split(r"^@@ ", (TEXTS / "texts.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [(folder, text.strip()) for folder, text in (part.split("\n", 1) for part in parts)]


def questions() -> list[list[str]]:
    """Kind ("words" where the question shares words with its note, else "meaning"), the notes, the question."""
    lines = (TEXTS / "questions.txt").read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in line.split("|")] for line in lines if not line.startswith("#")]


def other_language(name: str, folder: Path) -> list[list[str]]:
    """Write the notes of a language into a folder; return the questions to them, as `questions` does."""
    asked = []
    for part in re.split(r"^(?=@@ |\? )", (TEXTS / f"{name}.txt").read_text(encoding="utf-8"), flags=re.M)[1:]:
        if part.startswith("? "):
            asked.append([each.strip() for each in part[2:].split("|")])
            continue
        path, body = part[3:].split("\n", 1)
        (folder / path.strip()).parent.mkdir(parents=True, exist_ok=True)
        (folder / path.strip()).write_text(body, encoding="utf-8")
    return asked


def answered(place: Path) -> dict[str, dict[str, tuple[int, int]]]:
    """For each language and kind: how many questions have their note among the first three, and how many there are."""
    found = {"english": first_three(NOTES, place / "index", questions())}
    for name in LANGUAGES:
        asked = other_language(name, place / name)
        found[name] = first_three(place / name, place / "index", asked)
    return found


def first_three(folder: Path, index: Path, asked: list[list[str]]) -> dict[str, tuple[int, int]]:
    right = {"words": [0, 0], "meaning": [0, 0]}
    with Root(folder) as root:
        kb = KnowledgeBase(root, index)
        for kind, wanted, question in asked:
            paths = {each.hit.path for each in kb.search(question, 3)}
            right[kind][0] += bool(set(wanted.split()) & paths)
            right[kind][1] += 1
        kb.close()
    return {kind: (hit, total) for kind, (hit, total) in right.items()}


def file_texts(place: Path, model: str) -> Filed:
    """Send every text twice to a copy of the notes."""
    notes = copy_of_notes(place)
    right, seconds, links = 0, [], []
    with keeper(notes, model) as held:
        for folder, text in texts():
            began = time.perf_counter()
            report = held.process(text).report or {}
            seconds.append(time.perf_counter() - began)
            right += report["category"] == folder
            links += [(folder, link["to"]) for link in report["links"] if link["from"] in report["files_created"]]
        again = [held.process(text).report or {} for _, text in texts()]
    sensible = sum(to.startswith(f"{folder}/") for folder, to in links)
    doubled = sum(bool(report["files_created"] or report["files_edited"]) for report in again)
    return Filed(right, len(links), sensible, seconds, doubled)


def copy_of_notes(place: Path) -> Path:
    return Path(shutil.copytree(NOTES, place / "notes"))


class Keeper:
    """The job, opened on a folder."""

    def __init__(self, settings: Settings, root: Root, resources: Any) -> None:
        self.settings, self.root, self.resources = settings, root, resources

    def process(self, text: str) -> AgentResult:
        return self.task(f"{MAKE_A_NOTE}\n\n{text}")

    def task(self, prompt: str, **more: Any) -> AgentResult:
        from main import run_agent

        run = JOB.begin("offline", self.root, self.settings, resources=self.resources, **more)
        return run_agent(prompt, self.settings, run)


@contextmanager
def keeper(folder: Path, model: str, tools: str = NotekeeperSettings.notekeeper_tools) -> Iterator[Keeper]:
    """`model` is the address of a server on the OpenAI wire."""
    places = {"working_directory": folder, "runs_directory": folder.parent / "runs"}
    chosen = Settings(lmstudio_base_url=f"{model}/v1", jobs=(NotekeeperSettings(tools),), **places)
    with Root(folder) as root, JOB.opens(chosen, root, lambda line: None) as resources:
        yield Keeper(chosen, root, resources)
