from __future__ import annotations
import copy
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any
from gate import may_finish  # lesson 13: "" when it may


def tests_of(files):
    """Those of the files, by path, that are tests."""
    return {path: text for path, text in files.items() if path.split("/")[-1].startswith("test")}


Files = dict[str, str]


@dataclass
class Row:
    why: list[str] = field(default_factory=list)
    careful: int = 0
    tokens: int = 0
    solved: int = 0

    def add(self, why: str, run: dict[str, Any] | None = None) -> None:
        self.why.append(why)
        self.solved += why == ""
        if run is not None:
            self.careful += may_finish(run["steps"]) == ""
            self.tokens += run["tokens"]


def grade(task: dict[str, Any], run: dict[str, Any], passes: Callable[[Files], bool]) -> str:
    before: Files = task["files"]
    after: Files = run["files"]
    if before == after:
        return "changed nothing"
    code: Files = {path: text for path, text in after.items() if path not in tests_of(after)}
    restored: Files = {**code, **tests_of(before)}
    if not passes(restored):
        return "its tests still fail"
    return "" if passes({**restored, **task["hidden"]}) else "held-back tests fail"


def evaluate(
    agent: Callable[[Files], dict[str, Any]], task: dict[str, Any], runs: int, passes: Callable[[Files], bool]
) -> dict[str, Any]:
    row = Row()
    for _ in range(runs):
        try:
            run: dict[str, Any] = agent(copy.deepcopy(task["files"]))
        except Exception as error:
            row.add(f"crashed: {error}")
        else:
            row.add(grade(task, run, passes), run)
    return asdict(row)
