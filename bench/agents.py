"""Runs of whole agents against the zero-latency server: time to the first request, processor time, memory, tokens."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench import children
from bench.progress import Task
from bench.record import Line
from bench.subjects import Subject
from bench.zero_latency import Script
from offline.scripted import ScriptedServer, serving

METER = Path(__file__).with_name("meter.py")
HANG_SECONDS = 600.0
NOTE = "Note {number}: the {number}th of many short notes, each as long as a small file's first lines. " * 2


def warm(subjects: Sequence[Subject], place: Path) -> None:
    """Run each once, uncounted: what a first start alone costs is nobody's speed."""
    folder = notes(place, 0)
    for subject in subjects:
        run(subject, Script(0, style=subject.style), folder)


def runs(subjects: Sequence[Subject], lengths: Mapping[int, int], place: Path) -> Iterator[Task]:
    """Runs of `lengths` turns (turns: how often), each subject beside the others."""
    folder = notes(place, max(lengths, default=0))
    for turns, repeats in lengths.items():
        for repeat in range(repeats):
            for subject in subjects:
                line = {"kind": "run", "subject": subject.name, "turns": turns, "repeat": repeat}
                yield Task(line, lambda s=subject, t=turns: run(s, Script(t, style=s.style), folder))


def parallel(subjects: Sequence[Subject], repeats: int, place: Path) -> Iterator[Task]:
    """One message with one call that takes 100 ms, and one with eight: seconds until their results are sent."""
    folder = notes(place, 0)
    for repeat in range(repeats):
        for subject in subjects:
            for calls in (1, 8):
                line = {"kind": "parallel", "subject": subject.name, "turns": calls, "repeat": repeat}
                yield Task(line, lambda s=subject, c=calls: run(s, Script(1, c, s.style, waiting=True), folder))


def notes(place: Path, count: int) -> Path:
    """A working directory with one small file for each turn."""
    folder = place / "work"
    (folder / "notes").mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / "notes" / f"{number}.txt").write_text(NOTE.format(number=number))
    return folder


def run(subject: Subject, script: Script, folder: Path) -> Line:
    """One run, in processes of its own. What fails is recorded as `failed`, with the reason."""
    with serving(*script.steps()) as seen:
        address = seen.address
        command = [sys.executable, "-I", "-S", str(METER)]
        command += subject.command(address, folder, waiting=script.waiting)
        try:
            ran = children.run(command, HANG_SECONDS, subject.environment(address, folder.parent / "runs"), folder)
        except subprocess.TimeoutExpired:
            return {"failed": f"not done after {HANG_SECONDS:g} seconds"}
    if ran.returncode:
        return {"failed": f"the meter ended with exit code {ran.returncode}"}
    cost = json.loads(ran.stdout)
    if cost["exit_code"] or len(seen.came) != script.turns + 1:
        last = ran.stderr.strip().splitlines()[-1:] or [""]
        return {"failed": f"exit code {cost['exit_code']}, {len(seen.came)} requests: {last[0][:200]}"}
    return {**figures(cost, seen), "seconds": round(cost["seconds"], 4)}


def figures(cost: Line, seen: ScriptedServer) -> Line:
    """What the meter and the server saw; tokens are estimated as a quarter of the characters."""
    return {
        "process_seconds": round(cost["process_seconds"], 4),
        "peak_bytes": cost["peak_bytes"],
        "first_request_seconds": round(seen.came[0] - cost["began"], 4),
        "first_request_tokens": seen.sizes[0] // 4,
        "tokens_per_request": sum(seen.sizes) // 4 // len(seen.sizes),
        "results_after_seconds": round(seen.came[1] - seen.answered[0], 4) if len(seen.came) > 1 else None,
    }
