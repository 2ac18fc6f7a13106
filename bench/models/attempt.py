"""One attempt at a task by one of those that are compared: this agent with or without some of its mechanisms, or a
peer. All begin with the same copy, ask the same server, and are judged by the same judge.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench import children
from bench.attempts import run_agent
from bench.many.child import code_state
from bench.many.task import unpack
from bench.models.judge import judged
from bench.models.other_jobs import JOBS, words_for
from bench.models.tasks import ModelTask, packed_texts
from bench.record import Line
from config import PROJECT, load_settings, whole_environment

SCRIPTS = PROJECT / "bench" / "peers"
LONGEST_RESULT, LONGEST_ANSWER = 300, 1000  # characters kept in a record
TOLD = ("name", "kind", "held", "prompt", "keep", "answer", "unsaid", "made", "after")
DETAILS = (
    "answer",
    "calls",
    "changed",
    "cause",
    "was_right",
    "trace",
    "source",
)  # of a held task nobody is to see them


def task_of(task: ModelTask) -> Line:
    """What an attempt needs to know of a task."""
    told = {name: getattr(task, name) for name in TOLD}
    return {**told, "program": task.packed(), "hidden": packed_texts(task.hidden)}


def attempt(data: Line) -> Line:
    """Let one subject try once. `data` holds what `task_of` tells, and the subject, the provider, the seconds, the
    checkout to measure, the environment, and whether the trace is wanted."""
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        folder = Path(place, data["name"])
        folder.mkdir()
        unpack(data["program"], folder)
        began = time.monotonic()
        subject = data["subject"]
        if subject.get("peer"):
            result = run_peer(folder, data, subject["peer"])
        else:
            leaving = [word for name in subject["without"] for word in ("--without", name)]
            leaving += words_for(data, folder) if data["kind"] in JOBS else []
            leaving += ["--tries", str(data["tries"])] if data["tries"] > 1 else []
            result = run_agent(folder, data, data["prompt"], leaving, Path(data["checkout"]))
        if not result["stop_reason"] or "seconds" not in result:  # of one that was killed nobody has told the end
            result["seconds"] = round(time.monotonic() - began, 1)
        if result["cause"].startswith("the agent ended"):
            result["stop_reason"] = "provider_error"
        verdict = judged(data, folder, result)
        result = {**result, **verdict}
        places = {str(folder.resolve()): ".", str(folder): ".", place: "…", data["checkout"]: "…"}
    told = {"subject": subject["name"], "sort": data["kind"], "held": data["held"]}
    line = {**told, **slim(result, places), "program": code_state(Path(data["checkout"]))}
    return {name: value for name, value in line.items() if not data["held"] or name not in DETAILS}


def slim(result: Line, places: Mapping[str, str]) -> Line:
    """A result as it is recorded: no longer than somebody reads, and naming no place of this machine."""
    calls = [{**call, "result": (call["result"] or "")[:LONGEST_RESULT]} for call in result["calls"]]
    kept = {**result, "calls": calls, "answer": result["answer"][:LONGEST_ANSWER]}
    trace = {"trace": kept.pop("trace")} if "trace" in kept else {}  # it is kept beside the record, as it is
    text = json.dumps(kept)
    for path, shown in places.items():
        text = text.replace(json.dumps(path)[1:-1], shown)
    return {**json.loads(text), **trace}


def run_peer(folder: Path, data: Line, peer: Mapping[str, Any]) -> Line:
    """Run a peer's script; it writes what it does to a file as it goes, so that one that is killed is known too."""
    report = folder.parent / "report.json"
    environment = {**whole_environment(), **data["environment"]}
    settings = load_settings(environment=environment)
    gemini = data["provider"] == "gemini"
    asked = {
        **{name: data[name] for name in ("model", "prompt", "turns")},
        "address": settings.gemini_base_url if gemini else settings.lmstudio_base_url,
        "key": settings.gemini_api_key if gemini else settings.lmstudio_api_key,
        "temperature": settings.lmstudio_temperature,
        "path": str(Path(sys.executable).parent),  # where a shell finds a Python that has pytest
        "report": str(report),
    }
    command = [peer["python"], str(SCRIPTS / peer["script"]), str(folder), json.dumps(asked)]
    cause, ended, said = "", 0, ""
    try:
        ran = children.run(command, data["seconds"], environment, folder)
        ended, said = ran.returncode, ran.stderr
    except subprocess.TimeoutExpired:
        cause = f"not done after {data['seconds']:g} seconds"
    result = {"stop_reason": "", "answer": "", "calls": [], "turns": 0, "tokens": {"input": 0, "output": 0}}
    if report.is_file():
        result |= json.loads(report.read_text(encoding="utf-8"))
    if not cause and (ended or not result["stop_reason"]):
        last = (said.strip().splitlines() or [""])[-1][:LONGEST_RESULT]
        return {**result, "stop_reason": "provider_error", "cause": f"exit code {ended}: {last}"}
    return {**result, "cause": cause}
