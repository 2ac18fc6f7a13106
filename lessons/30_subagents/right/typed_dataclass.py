from __future__ import annotations
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from concurrent.futures import ThreadPoolExecutor

from asking import loop  # given: lesson 6 once more, with tools and limits of its own
from messages import start  # lesson 1

SYSTEM = "Another agent asks you. It sees nothing but your answer: say all that it needs, and no more."
READS = {"list_files", "read_file", "search"}  # what changes nothing
MOST_TURNS = 8  # of one agent
DEEPEST = 3  # agents below one another


Tools = dict[str, Callable[..., str]]


@dataclass(frozen=True)
class Agent:
    model: Callable[..., dict[str, Any]]
    tools: Tools
    budget: dict[str, int]
    depth: int

    def allowed(self) -> Tools:
        reading: Tools = {name: tool for name, tool in self.tools.items() if name in READS}
        return reading | {"ask": replace(self, depth=self.depth + 1).work}

    def work(self, task: str) -> str:
        if not task.split():
            return "Error: say what the task is"
        if self.depth >= DEEPEST:
            return f"Error: no more than {DEEPEST} agents below one another; do it yourself"
        try:
            said: str = loop(self.model, start(SYSTEM, task), self.allowed(), MOST_TURNS, self.budget)
        except Exception as error:
            return f"Error: {type(error).__name__}: {error}"
        return said or "Error: no answer came"


def delegate(task: str, model: Any, tools: Tools, budget: dict[str, int], depth: int) -> str:
    return Agent(model, tools, budget, depth).work(task)


def delegate_all(tasks: list[str], model: Any, tools: Tools, budget: dict[str, int], depth: int) -> list[str]:
    if not tasks:
        return []
    with ThreadPoolExecutor(max_workers=len(tasks)) as pool:
        return list(pool.map(Agent(model, tools, budget, depth).work, tasks))
