"""What the notekeeper's tests share: a copy of the notes, and its runs in this process, through the built-in model."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from agent.contracts import AgentResult
from config import PROJECT, Settings
from jobs.notekeeper import JOB, MAKE_A_NOTE
from main import run_agent
from sandbox.files.root import Root

TEXTS = PROJECT / "tests" / "notekeeper_texts"
NOTES = PROJECT / "workplaces" / "notes"


def texts() -> list[tuple[str, str]]:
    """The forty texts, each with the folder that it belongs to."""
    parts = re.split(r"^@@ ", (TEXTS / "texts.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [(folder, text.strip()) for folder, text in (part.split("\n", 1) for part in parts)]


def copy_of_notes(folder: Path) -> Path:
    return Path(shutil.copytree(NOTES, folder / "notes"))


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file's bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Keeper:
    """The job, opened on a folder."""

    def __init__(self, settings: Settings, root: Root, held: Any) -> None:
        self.settings, self.root, self.held = settings, root, held

    def process(self, text: str) -> AgentResult:
        return self.task(f"{MAKE_A_NOTE}\n\n{text}")

    def task(self, prompt: str, **more: Any) -> AgentResult:
        run = JOB.begin("offline", self.root, self.settings, held=self.held, **more)
        return run_agent(prompt, self.settings, run)


@contextmanager
def keeper(folder: Path, model: str, said: list[str] | None = None, **settings: Any) -> Iterator[Keeper]:
    """`model` is the address of a server on the OpenAI wire; `said` gets what the person is told."""
    chosen = replace(
        Settings(),
        lmstudio_base_url=f"{model}/v1",
        working_directory=folder,
        runs_directory=folder.parent / "runs",
        **settings,
    )
    tell = (said if said is not None else []).append
    with Root(folder) as root, JOB.opens(chosen, root, tell) as held:
        yield Keeper(chosen, root, held)
