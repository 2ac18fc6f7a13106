"""One attempt at a task: the agent is given a copy of a broken program, and what it leaves there is judged.

Solved means: the agent answered, and the program passes its own tests, as they were, and those that were held back.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import children
from bench.record import Line
from config import PROJECT, whole_environment

BUGS = Path(__file__).with_name("bugs") / "open"
CALCULATOR = PROJECT / "cli" / "calculator_as_shipped"
PROMPT = "fix the bug"
JUDGE_SECONDS = 60.0
VARIES = re.compile(r"\b\d+(\.\d+)? ?s(econds)?\b|\b0x[0-9a-f]+")


@dataclass(frozen=True)
class Problem:
    """A broken program. `hidden` holds tests that the agent never sees, None where there are none."""

    name: str
    program: Path
    hidden: Path | None = None


def problems(folder: Path | None, only: str = "") -> Iterator[Problem]:
    """Yield the calculator and the bug set, or the programs below a folder, by name."""
    if folder is None:
        yield from (each for each in [Problem("calculator", CALCULATOR)] if only in each.name)
    for case in sorted((folder or BUGS).iterdir()):
        if case.is_dir() and only in case.name:
            program = case / "program" if (case / "program").is_dir() else case
            yield Problem(case.name, program, case / "hidden" if (case / "hidden").is_dir() else None)


def attempt(problem: Problem, environment: Mapping[str, str], seconds: float) -> Line:
    """Let the agent try once; what it did, what it took, and whether the program is right now."""
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        folder = Path(place, problem.name)
        shutil.copytree(problem.program, folder, ignore=shutil.ignore_patterns("__pycache__"))
        result = run_agent(folder, environment, seconds)
        cause = result.pop("cause") or judge(problem, folder)
    return {**result, "solved": not cause, "cause": cause}


def run_agent(
    folder: Path, environment: Mapping[str, str], seconds: float, prompt: str = PROMPT, more: Sequence[str] = ()
) -> Line:
    """Run main.py as a person does. `cause` says why there is no answer, "" when there is one."""
    command = [sys.executable, str(PROJECT / "main.py"), prompt, "--json", "--workdir", str(folder), *more]
    apart = {
        "GLASSBOX_RUNS_DIRECTORY": str(folder.parent / "runs"),
        "GLASSBOX_WORKING_DIRECTORY": "",
    }  # not among the person's own runs
    try:
        ran = children.run(command, seconds, {**whole_environment(), **environment, **apart}, PROJECT)
    except subprocess.TimeoutExpired:
        return {"stop_reason": "", "answer": "", "calls": [], "cause": f"not done after {seconds:g} seconds"}
    try:
        result = json.loads(ran.stdout)
    except ValueError:
        return {
            "stop_reason": "",
            "answer": "",
            "calls": [],
            "cause": f"the agent ended with exit code {ran.returncode}",
        }
    stop_reason = result["stop_reason"]
    return {
        "stop_reason": stop_reason,
        "turns": result["turns"],
        "tokens": result["tokens"],
        "seconds": result["seconds"],
        "answer": result["answer"],
        "calls": [plain(call) for call in result["tool_calls"]],
        "cause": "" if stop_reason == "answered" else stop_reason,
    }


def plain(call: Mapping[str, Any]) -> Line:
    """A call without what differs from run to run: ids, durations, addresses in memory."""
    result = VARIES.sub("…", call["result"] or "")
    return {"name": call["name"], "arguments": call["arguments"], "status": call["status"], "result": result}


def judge(problem: Problem, folder: Path) -> str:
    """Return why the program in `folder` is not right, "" when it is."""
    before, after = texts(problem.program), texts(folder)
    if before == after:
        return "changed nothing"
    tests = {path: text for path, text in before.items() if is_test(path)}
    changed_a_test = any(after.get(path) != text for path, text in tests.items())
    put(folder, tests)
    if not passes(folder, tests):
        return "changed a test" if changed_a_test else "its tests still fail"
    if problem.hidden is None:
        return ""
    held_back = texts(problem.hidden)
    put(folder, held_back)
    return "" if passes(folder, held_back) else "held-back tests fail"


def texts(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def is_test(path: str) -> bool:
    return Path(path).name.startswith(("test", "conftest"))


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def passes(folder: Path, tests: Mapping[str, bytes]) -> bool:
    """Run the tests behind the sandbox's walls; pytest runs those written for unittest too."""
    from sandbox.files.root import Root
    from sandbox.running.process import Limits, run_python

    names = [path for path in tests if Path(path).name.startswith("test")]
    with Root(folder) as root:
        arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *names]
        return run_python(root, arguments, limits=Limits(seconds=JUDGE_SECONDS)).exit_code == 0
