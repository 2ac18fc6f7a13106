"""One attempt at an operator's task: a fleet of its own, and a judge of both the state and the way to it."""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.attempts import run_agent
from bench.record import Line
from config import PROJECT

TASKS = PROJECT / "datasets" / "operating.yaml"
WORKPLACE = PROJECT / "samples" / "operator"
Calls = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Operation:
    """A task with what it is judged by; the fields are explained in operating.yaml."""

    name: str
    task: str
    after: Mapping[str, Any] = field(default_factory=dict)
    calls: Sequence[Mapping[str, Mapping[str, Any]]] = ()
    never: Sequence[str] = ()
    most: int = 10
    answer: Sequence[str] = ()
    unsaid: Sequence[str] = ()


def problems(path: Path | None = None) -> Iterator[Operation]:
    """Yield the tasks by name."""
    import yaml

    for entry in yaml.safe_load((path or TASKS).read_text(encoding="utf-8")):
        entry["unsaid"] = entry.pop("not", ())
        yield Operation(**entry)


def task_of(operation: Operation) -> Line:
    """What an attempt needs to know of an operation."""
    return {"operation": asdict(operation)}


def attempt(data: Line) -> Line:
    """Let the operator try once, on a fleet that begins as it ships."""
    operation = Operation(**data["operation"])
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        state, folder = Path(place, "state.json"), Path(place, "work")
        folder.mkdir()
        server = shlex.join([sys.executable, str(WORKPLACE / "fleet.py"), "--state", str(state)])
        equipment = ["--job", "operator", "--mcp", server, "--skills", str(WORKPLACE / "skills")]
        result = run_agent(folder, data, operation.task, equipment)
        shipped = json.loads((WORKPLACE / "fleet.json").read_text(encoding="utf-8"))
        after = json.loads(state.read_text(encoding="utf-8")) if state.exists() else shipped
    cause = result.pop("cause") or judge(operation, result, shipped, after)
    return {**result, "solved": not cause, "cause": cause}


def judge(operation: Operation, result: Line, before: Any, after: Any) -> str:
    """Return why the task is not done as it must be, "" when it is."""
    calls = result["calls"]
    return (
        wrong_state(operation.after, before, after)
        or wrong_way(operation, calls)
        or next((f"does not say {words!r}" for words in operation.answer if words not in result["answer"]), "")
        or next((f"says {words!r}" for words in operation.unsaid if words in result["answer"]), "")
    )


def wrong_state(wanted: Mapping[str, Any], before: Any, after: Any) -> str:
    """Say what has not become what was wanted, or has changed though it was not to. A list is told by its length."""
    was, now = dict(leaves(before)), dict(leaves(after))
    for path, value in wanted.items():
        if now.get(path) != value:
            return f"{path} is {now.get(path)!r} and not {value!r}"
    others = sorted(path for path in was.keys() | now.keys() if was.get(path) != now.get(path) and path not in wanted)
    return f"{others[0]} was changed, too" if others else ""


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, f"{path}.{name}" if path else name)
    else:
        yield path, len(value) if isinstance(value, list) else value


def wrong_way(operation: Operation, calls: Calls) -> str:
    """Which calls were made, in what order, with which arguments, and how many."""
    names = [short(call) for call in calls]
    if forbidden := next((name for name in names if name in operation.never), None):
        return f"called {forbidden}"
    left = list(calls)
    for wanted in operation.calls:
        ((name, arguments),) = wanted.items()
        while left and not (short(left[0]) == name and arguments.items() <= dict(left[0]["arguments"]).items()):
            left.pop(0)
        if not left:
            return f"did not call {name} with {dict(arguments)} in its place"
        left.pop(0)
    return f"{len(calls)} calls, where {operation.most} are enough" if len(calls) > operation.most else ""


def short(call: Mapping[str, Any]) -> str:
    return call["name"].split("__", 1)[-1]
