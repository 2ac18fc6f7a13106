"""What the built-in operator changes and what it leaves: `python -m bench operator`, some seconds, without a server.

The tasks are those of datasets/operating_unseen.yaml, of datasets/operating_fresh.yaml, which was written after the
rules that the first led to, of datasets/operating_said.yaml, in people's own words, and of
datasets/operating_plain.yaml, plain orders by hands that never saw the rules. They are counted by kind: what must
change nothing (negations, questions, conditions, reports) apart from what is to be done, and what the rules were fitted
to ("open") apart from what nobody looked at ("held").
`python -m bench quality --job operator` tries tasks through the whole agent, and with real models.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.operating import WORKPLACE, Operation, judge, problems, short
from config import PROJECT, need
from offline.operator import mind
from offline.wire.conversation import Conversation, Step

SETS = tuple(PROJECT / "datasets" / f"operating_{which}.yaml" for which in ("unseen", "fresh", "said", "plain"))
LOOKS = ("list_services", "get_service", "get_logs", "read_skill")
READ_SKILL = {"name": "read_skill", "parameters": {"type": "object", "properties": {"name": {"type": "string"}}}}
SYSTEM = "read_skill\n- incident: how to handle an incident\n- safe-restart: how to restart a service safely"
KINDS = {"open": "open", "held": "never looked at", "later": "written last", "said": "as people say it"}
MOST = 40  # steps of one task


def main(arguments: list[str]) -> int:
    """Print how many of each kind went right, and what of the open ones did not; exit code 1 where something changed
    that must not."""
    build = argparse.ArgumentParser(prog="python -m bench operator", description=__doc__)
    build.add_argument("--tasks", type=Path, nargs="+", default=SETS, help="files of tasks (default: those four)")
    need("mcp", "mcp")
    return max([counted(path) for path in build.parse_args(arguments).tasks])


def counted(path: Path) -> int:
    """Try the tasks of one file, and print and return what main is to."""
    print(path.stem)
    judged = [(each, Fleet().judged(each)) for each in problems(path)]
    every = Counter(kind_of(each) for each, _ in judged)
    right = Counter(kind_of(each) for each, cause in judged if not cause)
    for kind, total in every.items():
        print(f"  {kind:38}{right[kind]} of {total}")
    for each, cause in judged:
        if cause and each.name.startswith("open-"):
            print(f"    {each.name}: {each.task!r}: {cause}")
    return int(any(cause for each, cause in judged if "-nothing-" in each.name))


def kind_of(operation: Operation) -> str:
    what = "must change nothing" if "-nothing-" in operation.name else "to be done"
    return f"{what}, {KINDS[operation.name.partition('-')[0]]}"


class Fleet:
    """The fleet that ships, its tools called as functions, and what was called."""

    def __init__(self) -> None:
        spec = importlib.util.spec_from_file_location("fleet_of_a_bench", WORKPLACE / "fleet.py")
        assert spec
        assert spec.loader
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        self.before = json.loads(json.dumps(self.module.STATE))
        self.schemas: dict[str, Mapping[str, Any]] = {
            f"fleet__{tool.name}": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
            for tool in asyncio.run(self.module.server.list_tools())
        }
        self.calls: list[dict[str, Any]] = []

    @property
    def changes(self) -> list[dict[str, Any]]:
        """The calls that do more than look."""
        return [call for call in self.calls if short(call) not in LOOKS]

    def answer(self, name: str, arguments: dict[str, Any]) -> str:
        self.calls.append({"name": name, "arguments": arguments})
        if name == "read_skill":
            return (WORKPLACE / "skills" / arguments["name"] / "SKILL.md").read_text(encoding="utf-8")
        try:
            result = getattr(self.module, short({"name": name}))(**arguments)
        except (self.module.ToolError, TypeError) as error:
            return f"Error: {error}"
        return result if isinstance(result, str) else json.dumps(result)

    def do(self, task: str) -> str:
        """Let the mind do a task; return its answer."""
        schemas = {**self.schemas, "read_skill": READ_SKILL}
        steps: tuple[Step, ...] = ()
        for _ in range(MOST):
            seen = Conversation(task, steps, tools=frozenset(schemas), system=SYSTEM, schemas=schemas)
            decision = mind.decide(seen, lambda *_: None, threading.Event())  # type: ignore[arg-type]
            if not decision.calls:
                return decision.text
            made = [(call, self.answer(call.name, dict(call.arguments))) for call in decision.calls]
            steps += tuple(Step("", call.name, dict(call.arguments), result) for call, result in made)
        raise AssertionError(f"no end: {self.calls}")

    def judged(self, operation: Operation) -> str:
        """Why a task is not done as it must be; of what must change nothing, no change may even be tried."""
        answer = self.do(operation.task)
        if "-nothing-" in operation.name and self.changes:
            return f"called {short(self.changes[0])}"
        state = json.loads(json.dumps(self.module.STATE))
        return judge(operation, {"calls": self.calls, "answer": answer}, self.before, state)
