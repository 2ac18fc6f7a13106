"""The real agent in place of the learner's grade(): the bench's judge, whose tests the lesson runs, and the gate. The
loop around them is the lesson's: the real one starts a program for each attempt."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from bench import attempts
from bench.many.task import pack, unpack
from lessons.checker import load_file
from lessons.course import LESSONS

Files = dict[str, str]

gate = load_file(LESSONS / "13_gate" / "shipped.py", "shipped_gate")


def packed(files: Mapping[str, str]) -> Files:
    return {path: base64.b64encode(text.encode()).decode() for path, text in files.items()}


def texts(folder: Path) -> Files:
    return {path: base64.b64decode(text).decode() for path, text in pack(folder).items()}


def grade(task: dict[str, Files], run: dict[str, Any], passes: Callable[[Files], bool]) -> str:
    def run_tests(folder: Path, tests: Iterable[str]) -> bool:
        """These and no others, as the real one does."""
        return passes(
            {path: text for path, text in texts(folder).items() if path in tests or not attempts.is_test(path)}
        )

    attempts.passes = run_tests
    with tempfile.TemporaryDirectory() as place:
        unpack(packed(run["files"]), Path(place))
        return attempts.judge(packed(task["files"]), packed(task["hidden"]), Path(place))


def evaluate(agent: Callable[[Files], Any], task: dict[str, Files], runs: int, passes: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"why": [], "careful": 0, "tokens": 0}
    for _ in range(runs):
        try:
            run = agent(dict(task["files"]))
            row["why"].append(grade(task, run, passes))
            row["careful"] += gate.may_finish(run["steps"]) == ""
            row["tokens"] += run["tokens"]
        except Exception as error:
            row["why"].append(f"crashed: {error}")
    return row | {"solved": row["why"].count("")}
