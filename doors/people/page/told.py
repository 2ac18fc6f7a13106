"""What came of a message, as the page shows it: read from what is kept of its run, so that a reload tells the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from agent.contracts import readable_arguments
from config import ConfigError
from jobs.notekeeper.job import MAKE_A_NOTE
from jobs.notekeeper.notes import title_of
from offline.notekeeper.order import UNDO
from records.folders import Summary, folders, last_event, summary, under_way
from records.undo.kept import Kept
from records.undo.load import load
from records.undo.patch import patch
from records.undo.tree import Entry
from records.undo.undo import undone_names

MOST_TURNS = 30
LONGEST = 4_000  # characters of a message that are shown
LARGEST_DIFF = 2**18  # bytes


def turns(runs: Path, folder: str) -> list[dict[str, Any]]:
    """The last messages of a working directory with what came of each, oldest first, those under way left out."""
    known = [summary(each) for each in folders(runs)]
    undos = undos_of(known)
    mine = [each for each in known if each.working_directory == folder and not each.undoes]
    ended = [each for each in mine if each.stop_reason or not under_way(runs / each.name)]
    return [turn(runs / each.name, undos.get(each.name, "")) for each in reversed(ended[:MOST_TURNS])]


def undos_of(known: Iterable[Summary]) -> dict[str, str]:
    """Of each run that is undone the undo, which can be undone in turn. `known` are the newest first."""
    known = list(known)
    undone = undone_names(known)
    return {each.undoes: each.name for each in reversed(known) if each.undoes in undone and each.name not in undone}


def turn(run: Path, undo: str) -> dict[str, Any]:
    """A message, the steps, the answer or why there is none, and a card for each file that was changed."""
    about, last = summary(run), last_event(run)
    result: Mapping[str, Any] = last["result"] if last.get("kind") == "finished" else {}
    problem = " ".join(result.get("errors", ())) if result else "The program ended before this was done."
    failed = not result or result["stop_reason"] in ("provider_error", "interrupted")
    calls = result.get("tool_calls") or ()
    return {
        "run": run.name,
        "asked": cut(about.prompt.removeprefix(MAKE_A_NOTE).strip()),
        "steps": [step(each["name"], each["arguments"], each["status"] == "completed") for each in calls],
        "answer": said(str(result.get("answer", ""))),
        "problem": problem if failed or not result["answer"] else "",
        "cards": [] if failed and undo else list(_cards(run)),
        "undo": undo,
    }


def step(name: str, arguments: Any, ok: bool | None) -> dict[str, Any]:
    """A call in a line: its name, its first argument, and whether it went well, None while it works."""
    arguments = readable_arguments(arguments)
    first = next(iter(arguments.values()), "") if isinstance(arguments, dict) else arguments
    first = first if isinstance(first, str) else ", ".join(map(str, first)) if isinstance(first, list) else str(first)
    return {"name": name, "about": " ".join(first.split())[:120], "ok": ok}


def said(answer: str) -> str:
    """An answer without the command of the terminal that takes it back: here that is a button."""
    return cut(answer.replace(UNDO, "").strip())


def cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n[...{len(text) - LONGEST:,} characters more]"


def _cards(run: Path) -> Iterator[dict[str, Any]]:
    kept = _kept(run)
    for path, (old, new) in sorted(kept.changes().items()) if kept else ():
        entry = new or old
        if kept and entry and entry.kind == "file":
            what = "changed" if old and new else "new" if new else "deleted"
            yield {"path": path, "title": _title(path, kept, entry), "what": what}


def _kept(run: Path) -> Kept | None:
    try:
        return load(run)
    except ConfigError:  # damaged, or of an older program
        return None


def _title(path: str, kept: Kept, entry: Entry) -> str:
    """The title that the note has, or had, by what was kept of it."""
    try:
        return title_of(path, kept.bytes_of(entry.digest).decode("utf-8-sig"))
    except (OSError, ValueError):  # too large to be kept, or no text
        return path


def diffs(run: Path) -> dict[str, str]:
    """What a run changed, by path, as the lines of a diff."""
    kept, found = _kept(run), {}
    for path, pair in kept.changes().items() if kept else ():
        text = patch({path: pair}, kept.bytes_of) if kept else b""
        start = text.find(b"@@")
        found[path] = text[start:][:LARGEST_DIFF].decode("utf-8", "replace") if start >= 0 else ""
    return found
