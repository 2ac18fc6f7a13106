"""The folders of the runs: finding, listing, reading and pruning them. records/trace.py makes them."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.contracts import AgentResult, TokenUsage, files_and_lines, readable_arguments
from config import COMMAND, ConfigError
from records.lines import event_in
from sandbox.running.temporary import remove_all

COPY = "files"  # in a fork's folder
NAME = re.compile(r"\d{8}-\d{6}(-[a-z0-9-]+)?")
LONGEST_LINE_END = 4 * 2**20  # bytes looked at from the end of a trace for its last line


def under_way(folder: Path) -> bool:
    """Whether somebody may still be writing a run's trace; on Windows that is not known, and so True."""
    return is_held(folder / "trace.jsonl")


def is_held(path: Path) -> bool:
    """Whether a program holds a file (`hold` in records/trace.py); on Windows that is not known, and so True."""
    if sys.platform == "win32":
        return True
    import fcntl

    with contextlib.suppress(OSError), path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def prune(runs: Path, keep: int) -> None:
    """Delete all but the newest `keep` runs, those that are under way, forks in whose files somebody has worked since,
    and what holds things that were moved aside. What is no run is left alone."""
    for folder in folders(runs)[keep:]:
        kept = _worked_in(folder) or _holds_what_was_moved(folder)
        if not kept and not (under_way(folder) and not summary(folder).stop_reason):
            remove_all(folder)  # a quarantine in it may be deeper than a recursion


def _holds_what_was_moved(folder: Path) -> bool:
    """Whether anything was moved aside that may be a person's, such as a repository that was begun while code ran.
    Compiled Python is nobody's."""
    with contextlib.suppress(OSError):
        listed = (folder / "quarantine" / "contents.txt").read_text(encoding="utf-8", errors="replace").splitlines()
        return any(not line.endswith((".pyc", ".pyo")) for line in listed)
    return False


def _worked_in(folder: Path) -> bool:
    """Whether anything in a fork's copy of the files is younger than the last line of its trace."""
    from sandbox.files.directory import DIRECTORY, folders

    try:
        ended = (folder / "trace.jsonl").stat().st_mtime_ns
        top = os.open(folder / COPY, DIRECTORY)
    except OSError:
        return False
    try:
        found = (entry for _, _, entries in folders(top) for entry in entries)
        return any(entry.stat(follow_symlinks=False).st_ctime_ns >= ended for entry in found)
    except OSError:  # somebody is at work there right now
        return True
    finally:
        os.close(top)


def folders(runs: Path) -> list[Path]:
    """The folders of all runs, the newest first. When one began its trace says: the time in its name is a person's,
    which is set back in autumn, and on a flight."""
    with contextlib.suppress(OSError):
        found = [entry for entry in runs.iterdir() if NAME.fullmatch(entry.name) and (entry / "trace.jsonl").exists()]
        return sorted(found, key=lambda folder: (began(folder), folder.name), reverse=True)
    return []


def began(folder: Path) -> float:
    """When a run did, in Unix time; of a trace whose first line cannot be read what its name says, as near as it is."""
    with contextlib.suppress(OSError, ConfigError, TypeError, ValueError):
        if os.name == "nt":  # where that is when it was made
            return folder.stat().st_ctime
        if told := float(next(read_events(folder), {}).get("began") or 0.0):
            return told
    with contextlib.suppress(OverflowError, ValueError):
        return time.mktime(time.strptime(folder.name[:15], "%Y%m%d-%H%M%S"))
    return 0.0


def find(runs: Path, name: str) -> Path:
    """Return the folder of a run: the newest for "", else by name, part of a name, or path. Raises ConfigError."""
    if NAME.fullmatch(name) and (runs / name / "trace.jsonl").is_file():  # the others need not be looked at
        return runs / name
    known = folders(runs)
    if not known and not (name and _is_run(Path(name))):
        raise ConfigError(f'there are no runs yet. Begin one, for example: {COMMAND} "fix the bug"')
    if not name:
        return known[0]
    exact = [folder for folder in known if folder.name == name] or [folder for folder in known if name in folder.name]
    if len(exact) == 1:
        return exact[0]
    if exact:
        some = ", ".join(folder.name for folder in exact[:4])
        raise ConfigError(f"{name!r} fits {len(exact)} runs ({some}, ...). Give more of the name.")
    if _is_run(Path(name)):
        return Path(name).resolve()
    raise ConfigError(f"there is no run {name[:200]!r}. See: {COMMAND} --runs")


def _is_run(folder: Path) -> bool:
    with contextlib.suppress(OSError):  # such as a name that is too long to be one
        return (folder / "trace.jsonl").is_file()
    return False


def last_in(runs: Path, working_directory: Path) -> Path:
    """Return the newest run of a working directory, undos excepted. Raises ConfigError when there is none."""
    wanted = os.path.realpath(working_directory)
    last: tuple[Path, str] | None = None
    for folder in folders(runs):
        about = summary(folder)
        if about.working_directory == wanted and not about.undoes:
            return folder
        if not about.undoes:
            last = last or (folder, about.working_directory)
    how = f'Begin one: {COMMAND} "..."'
    if last:
        job = next(read_events(last[0]), {}).get("job")
        job = f" --job {job}" if job else ""
        how = f"To go on with the last one: {COMMAND}{job} --workdir {shlex.quote(last[1])}"
        how += ' --continue "..."'
    raise ConfigError(f"there is no run of this working directory to go on with ({wanted}). {how}")


def read_events(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a trace; what a killed run or a full disk left half written, or a disk has damaged, is passed
    over (`damaged` counts it)."""
    try:
        with (folder / "trace.jsonl").open("rb") as lines:
            for line in lines:
                event = event_in(line)
                if event:
                    yield event
    except FileNotFoundError:  # pruned by another run at this moment, or never begun
        return
    except OSError as error:
        raise ConfigError(f"the trace of {folder.name} cannot be read ({error.strerror}).") from None


def damaged(folder: Path) -> int:
    """How many lines of a trace hold no event. One without an end does not count: a kill leaves it half written."""
    with contextlib.suppress(OSError), (folder / "trace.jsonl").open("rb") as lines:
        return sum(event_in(line) is None for line in lines if line.endswith(b"\n"))
    return 0


@dataclass(frozen=True)
class Summary:
    """A run in one line of `--runs`."""

    name: str
    prompt: str
    provider: str
    model: str
    stop_reason: str  # "" for a run that was killed, or is still under way
    turns: int
    seconds: float
    undoes: str
    working_directory: str
    parent: str = ""  # of a fork: the run that it goes on from, and the step
    step: int = 0


def summary(folder: Path) -> Summary:
    """Read the first and the last line of a trace, whatever lies between them."""
    first: dict[str, Any] = {}
    last: dict[str, Any] = {}
    with contextlib.suppress(ConfigError):  # one that cannot be read keeps no other from being listed
        first, last = next(read_events(folder), {}), last_event(folder)
    result = last.get("result") if last.get("kind") == "finished" else None
    result = result if isinstance(result, dict) else {}
    forked = first.get("forked")
    forked = forked if isinstance(forked, dict) else {}
    return Summary(
        name=folder.name,
        prompt=str(first.get("prompt", "")),
        provider=str(first.get("provider", "")),
        model=str(result.get("model", "")),
        stop_reason=str(result.get("stop_reason", "")),
        turns=int(result.get("turns") or last.get("turn") or 0),
        seconds=float(result.get("seconds") or last.get("at") or 0.0),
        undoes=str(first.get("undoes", "")),
        working_directory=str(first.get("working_directory", "")),
        parent=str(forked.get("from", "")),
        step=int(forked.get("step") or 0),
    )


def last_event(folder: Path) -> dict[str, Any]:
    """The last line of a trace that is whole."""
    path = folder / "trace.jsonl"
    with contextlib.suppress(OSError), path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - LONGEST_LINE_END))
        for line in reversed(file.read().splitlines()):
            if event := event_in(line):
                return event
    last: dict[str, Any] = {}
    for last in read_events(folder):  # noqa: B007 - the last line is longer than what was looked at
        pass
    return last


def result_of(folder: Path) -> dict[str, Any]:
    """Return a run's AgentResult as `--json` prints it. Of a run that was killed it is built from what was kept, and
    says `interrupted`."""
    first: dict[str, Any] = {}
    model, text, sandbox, at, turns, errors = "", "", "", 0.0, 0, []
    tokens, calls = TokenUsage(), list[dict[str, Any]]()
    open_calls: dict[str, dict[str, Any]] = {}
    drawn: dict[int, Any] = {}
    for event in read_events(folder):
        kind, at = event["kind"], float(event.get("at") or at)
        if kind == "finished" and isinstance(result := event.get("result"), dict):
            return result
        if kind == "run":
            first = event
        elif kind == "started":
            model = event.get("model", "")
        elif kind == "sandbox":
            sandbox = str(event.get("line", ""))
        elif kind == "asking":
            turns = int(event.get("turn", turns))
        elif kind == "error":
            errors.append(str(event.get("text", "")))
        elif kind == "replied":
            text = event.get("text") or text
            usage = event["usage"]
            tokens = tokens + TokenUsage(usage["input"], usage["output"])
            open_calls = {call["id"]: _entry(call, turns) for call in event.get("calls", ())}
            calls.extend(open_calls.values())
        elif kind == "call_finished" and event.get("id") in open_calls:
            status = "completed" if event.get("ok") else "error"
            open_calls[event["id"]].update(result=event["content"], status=status, seconds=event["seconds"])
            drawn[id(open_calls[event["id"]])] = event.get("sources") or []
    errors.append("The run was killed before it could end.")
    provider = str(first.get("provider", ""))
    ended = (text, "interrupted", turns, tuple(calls), tokens, at, provider, model, tuple(errors))
    rests_on = tuple(files_and_lines(drawn.get(id(call), []) for call in calls))
    result = AgentResult(*ended, sandbox=sandbox, sources=rests_on, job=str(first.get("job", "")))
    return result.to_json()


def _entry(call: dict[str, Any], turn: int) -> dict[str, Any]:
    arguments = readable_arguments(call.get("arguments") or {})
    entry = {"id": call["id"], "turn": turn, "name": call["name"], "arguments": arguments}
    return {**entry, "result": None, "status": "called", "seconds": None}
