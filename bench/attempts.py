"""One attempt at a task: the agent is given a copy of a broken program, and what it leaves there is judged.

Solved means: the agent answered, and the program passes its own tests, as they were, and those that were held back.
"""

from __future__ import annotations

import contextlib
import functools
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import children
from bench.many.task import Packed, pack, unpack
from bench.record import Line
from cli.reset import put_calculator
from config import PROJECT, load_settings, whole_environment

BUGS = PROJECT / "datasets" / "bugs" / "open"
PROMPT = "fix the bug"
JUDGE_SECONDS = 60.0
WITHOUT_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # what nobody needs takes longer than the tests
TAKEN = ("stop_reason", "provider", "model", "turns", "tokens", "seconds")  # of a result, into the record
OVER_GEMINI = "offline-gemini"  # the built-in model, asked over the Gemini wire
VARIES = re.compile(r"\b\d+(\.\d+)? ?s(econds)?\b|\b0x[0-9a-f]+")

_served = contextlib.ExitStack()


@dataclass(frozen=True)
class Problem:
    """A broken program. `hidden` holds tests that the agent never sees, None where there are none."""

    name: str
    program: Path
    hidden: Path | None = None


def problems(folder: Path | None) -> Iterator[Problem]:
    """Yield the calculator and the bug set, or the programs below a folder, by name."""
    if folder is None:
        yield Problem("calculator", calculator())
    for case in sorted((folder or BUGS).iterdir()):
        if case.is_dir():
            program = case / "program" if (case / "program").is_dir() else case
            yield Problem(case.name, program, case / "hidden" if (case / "hidden").is_dir() else None)


@functools.cache
def calculator() -> Path:
    """The calculator as shipped, in a folder that is there as long as this process."""
    place = _served.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))
    return put_calculator(Path(place, "calculator"))


def attempt(data: Line) -> Line:
    """Let the agent try once; what it did, what it took, and whether the program is right now.

    `data` holds what `task_of` put there: the files, so that it can be done on any machine.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        folder = Path(place, data["name"])
        unpack(data["program"], folder)
        result = run_agent(folder, data)
        cause = result.pop("cause") or judge(data["program"], data["hidden"], folder)
    return {**result, "solved": not cause, "cause": cause}


def task_of(problem: Problem) -> Line:
    """What an attempt needs to know of a problem."""
    hidden = pack(problem.hidden) if problem.hidden else {}
    return {"name": problem.name, "program": pack(problem.program), "hidden": hidden}


def run_agent(
    folder: Path, data: Line, prompt: str = PROMPT, more: Sequence[str] = (), program: Path = PROJECT
) -> Line:
    """Run main.py as a person does. `cause` says why there is no answer, "" when there is one. `data` holds the
    provider, further environment, the seed, the seconds allowed, and whether the trace is wanted. `program` is the
    checkout that is measured."""
    runs = folder.parent / "runs"
    apart = {"GLASSBOX_RUNS_DIRECTORY": str(runs), "GLASSBOX_WORKING_DIRECTORY": ""}  # not among the person's own runs
    by_chance = {"PYTHONHASHSEED": str(data["seed"] % 2**32), "LLM_SEED": str(data["seed"] % 2**31)}
    environment = {**whole_environment(), **model(data["provider"]), **data["environment"], **apart, **by_chance}
    command = [sys.executable, str(program / "main.py"), prompt, "--json", "--workdir", str(folder), *more]
    nothing = {"stop_reason": "", "answer": "", "calls": []}
    try:
        ran = children.run(command, data["seconds"], environment, program)
    except subprocess.TimeoutExpired:
        until = so_far(runs, environment, program)
        return {**nothing, **until, **trace_in(runs, data), "cause": f"not done after {data['seconds']:g} seconds"}
    try:
        result = json.loads(ran.stdout)
    except ValueError:
        return {**nothing, "cause": f"the agent ended with exit code {ran.returncode}"}
    stop_reason = result["stop_reason"]
    return {
        **{name: result[name] for name in (*TAKEN, "answer", "source") if name in result},
        **trace_in(runs, data),
        "calls": [plain(call) for call in result["tool_calls"]],
        "cause": "" if stop_reason == "answered" else stop_reason,
    }


def so_far(runs: Path, environment: Mapping[str, str], program: Path) -> Line:
    """What a run had done that was killed: the program itself tells, from the trace; {} where there is none."""
    folders = [path.name for path in runs.glob("*") if (path / "trace.jsonl").is_file()]
    if not folders:
        return {}
    command = [sys.executable, str(program / "main.py"), "--result", folders[0]]
    with contextlib.suppress(subprocess.TimeoutExpired, ValueError, KeyError):
        result = json.loads(children.run(command, JUDGE_SECONDS, environment, program).stdout)
        told = {name: result[name] for name in TAKEN if name != "stop_reason"}
        return {**told, "calls": [plain(call) for call in result["tool_calls"]]}
    return {}


def model(provider: str) -> dict[str, str]:
    """The environment that points the agent at a model; the person's own settings hold for a real one."""
    if provider != OVER_GEMINI:
        return {"LLM_PROVIDER": provider}
    address = {"GEMINI_API_KEY": "none", "GEMINI_BASE_URL": built_in(), "GEMINI_MODEL": "glassbox-offline"}
    return {"LLM_PROVIDER": "gemini", **address}


def model_asked(provider: str) -> str:
    """The model that a provider is asked for, "" for the built-in one."""
    settings = load_settings()
    if provider == "lmstudio":
        from providers.discovery import look

        wanted = settings.lmstudio_model
        found = look(settings.lmstudio_base_url, settings.lmstudio_api_key, seconds=1.5, wanted=wanted)
        return found.model if found else wanted
    return settings.gemini_model if provider == "gemini" else ""


@functools.cache
def built_in() -> str:
    """The address of a built-in model that is served as long as this process lives."""
    from offline.wire.server import serve

    return _served.enter_context(serve())


def trace_in(runs: Path, data: Line) -> Line:
    """The trace of the run, as text, where it is wanted."""
    traces = list(runs.glob("*/trace.jsonl")) if data["traces"] else []
    return {"trace": traces[0].read_text(encoding="utf-8")} if traces else {}


def plain(call: Mapping[str, Any]) -> Line:
    """A call without what differs from run to run: ids, durations, addresses in memory."""
    result = VARIES.sub("…", call["result"] or "")
    return {"name": call["name"], "arguments": call["arguments"], "status": call["status"], "result": result}


def judge(program: Packed, hidden: Packed, folder: Path) -> str:
    """Return why the program in `folder` is not right, "" when it is. It was as `program` holds it."""
    before = {path: text for path, text in program.items() if path.endswith(".py")}
    after = {path: text for path, text in pack(folder).items() if path.endswith(".py")}
    if before == after:
        return "changed nothing"
    tests = {path: text for path, text in before.items() if is_test(path)}
    changed_a_test = any(after.get(path) != text for path, text in tests.items())
    unpack(tests, folder)
    if not passes(folder, tests):
        return "changed a test" if changed_a_test else "its tests still fail"
    if not hidden:
        return ""
    unpack(hidden, folder)
    return "" if passes(folder, hidden) else "held-back tests fail"


def is_test(path: str) -> bool:
    return Path(path).name.startswith(("test", "conftest"))


def passes(folder: Path, tests: Iterable[str]) -> bool:
    """Run the tests behind the sandbox's walls; pytest runs those written for unittest too."""
    from sandbox.files.root import Root
    from sandbox.running.process import Limits, run_python

    names = [path for path in tests if Path(path).name.startswith("test") and path.endswith(".py")]
    with Root(folder) as root:
        arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *names]
        limits = Limits(seconds=JUDGE_SECONDS)
        return run_python(root, arguments, limits=limits, environment=WITHOUT_PLUGINS).exit_code == 0
