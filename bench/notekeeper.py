"""How well the notekeeper files, links and finds: `python -m bench notekeeper`.

The texts and questions in datasets/note_texts were written before anything was tuned; the notes are those that ship.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

from agent.contracts import AgentResult
from config import PROJECT, Settings
from index import meaning
from jobs.notekeeper.job import JOB, MAKE_A_NOTE
from jobs.notekeeper.knowledge_base import KnowledgeBase
from sandbox.files.root import Root

TEXTS = PROJECT / "datasets" / "note_texts"
NOTES = PROJECT / "samples" / "notes"
LANGUAGES = ("german", "russian")


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
    """Print the figures, by meaning where it is installed, and by words alone."""
    from offline.wire.server import serve

    for by_meaning in (True, False):
        if by_meaning and not meaning.available():
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
def keeper(folder: Path, model: str, **settings: Any) -> Iterator[Keeper]:
    """`model` is the address of a server on the OpenAI wire."""
    places = {"working_directory": folder, "runs_directory": folder.parent / "runs"}
    chosen = replace(Settings(), lmstudio_base_url=f"{model}/v1", **places, **settings)
    with Root(folder) as root, JOB.opens(chosen, root, lambda line: None) as resources:
        yield Keeper(chosen, root, resources)
