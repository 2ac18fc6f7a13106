"""The tasks, a file of YAML each: a small program, what a person asks for, and what the end of it is judged by.

`program` is `calculator` for the one that ships, or `files` holds it. `hidden` are tests that the agent never sees,
`keep` files that must stay as they are, `answer` expressions that the answer must match and `unsaid` those that it must
not. `solution`, `right` and `wrong` are for the tests of the tasks alone: a change that solves it, whole files or
[old, new] pairs, and answers that are and are not taken.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.attempts import calculator
from bench.many.task import Packed, pack
from bench.models.other_jobs import JOBS, sample
from config import PROJECT, ConfigError

SETS = PROJECT / "datasets" / "models"
KINDS = {
    "repair": "repair a bug with failing tests",
    "sentence": "repair from a sentence",
    "write": "write a function for given tests",
    "feature": "change a feature in two files",
    "answer": "answer where and why",
    "leave": "leave alone what needs no change",
}
EVERY_KIND = KINDS | JOBS
FIRST = "calculator"  # the README's own command, before all others


@dataclass(frozen=True)
class ModelTask:
    """A task. One that is `held` is counted and never looked at, so that nobody tunes to it."""

    name: str
    kind: str
    prompt: str
    held: bool = False
    program: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict)
    keep: Sequence[str] = ()
    answer: Sequence[str] = ()
    unsaid: Sequence[str] = ()
    made: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    solution: Mapping[str, Any] = field(default_factory=dict)
    right: str = ""
    wrong: str = ""

    def packed(self) -> Packed:
        """The program as an attempt begins with it."""
        program = pack(calculator()) if self.program == "calculator" else sample(self.program)
        return {**program, **packed_texts(self.files)}


def packed_texts(files: Mapping[str, str]) -> Packed:
    return {path: base64.b64encode(text.encode()).decode() for path, text in files.items()}


def tasks_of(chosen: str) -> list[ModelTask]:
    """The tasks of a set: "all", "open" or "held" of the coder's, "jobs" of the others', or a folder of such files; the
    first one first, then kind by kind.

    Raises ConfigError that names the file and what is wrong with it.
    """
    both = {"all": SETS, "jobs": SETS / "jobs"}.get(chosen)
    folders = [both / "open", both / "held"] if both else [SETS / chosen, Path(chosen)]
    found = [folder for folder in folders if folder.is_dir()]
    if not found:
        raise ConfigError(f"there is no set of tasks {chosen!r}; there are all, open, held and jobs, or name a folder")
    every = [task for folder in (found if both else found[:1]) for task in read_folder(folder)]
    if not every:
        raise ConfigError(f"{chosen} holds no task; a task is a file that ends with .yaml")
    order = list(EVERY_KIND)
    return sorted(every, key=lambda task: (task.name != FIRST, order.index(task.kind), task.held, task.name))


def read_folder(folder: Path) -> Iterator[ModelTask]:
    import yaml

    for path in sorted(folder.glob("*.yaml")):
        try:
            told = yaml.safe_load(path.read_text(encoding="utf-8"))
            task = ModelTask(name=path.stem, held=folder.name == "held", **told)
            for expression in (*task.answer, *task.unsaid):
                re.compile(expression)
        except (OSError, TypeError, ValueError, re.error, yaml.YAMLError) as error:
            raise ConfigError(f"the task {path.name} cannot be read: {error}") from None
        if task.kind not in EVERY_KIND:
            raise ConfigError(f"the task {path.name} is of the kind {task.kind!r}; there are {', '.join(EVERY_KIND)}")
        yield task
