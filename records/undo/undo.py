"""Taking a run back, and taking that back; showing what a run changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agent.contracts import AgentResult, TokenUsage
from agent.run import Event
from config import ConfigError
from records.folders import folders, new_folder, summary
from records.trace import Trace
from records.undo.keep import Kept, differences
from records.undo.patch import patch
from records.undo.tree import AVAILABLE, Entry, TooLarge, Tree, look, put_back, scan


class Conflict(ConfigError):
    """A person changed files that the run had changed too."""


@dataclass(frozen=True)
class Undone:
    """What an undo did, and the run that stands for it: undoing that one takes the undo back."""

    name: str
    paths: list[str]
    failed: list[str]


def undoable(runs: Path, working_directory: Path | None = None) -> Path:
    """Return the newest run that changed something and is not undone yet. Raises ConfigError when there is none."""
    known = {folder: summary(folder) for folder in folders(runs)}
    undone = undone_names(known.values())
    for folder, about in known.items():
        kept = None if about.undoes or folder.name in undone else Kept.load(folder)
        here = kept is not None and working_directory in (None, kept.top)
        if kept is not None and here and (kept.changes() or kept.under_way):
            return folder
    raise ConfigError("there is no run left that changed anything. See: python main.py --runs")


def undone_names(summaries: object) -> set[str]:
    """The runs that are undone now: undone by a run that is not itself undone."""
    undone: set[str] = set()
    for about in summaries:  # type: ignore[attr-defined] - the newest first
        if about.undoes and about.name not in undone:
            undone.add(about.undoes)
    return undone


def undo(folder: Path, runs: Path, *, keep_runs: int = 0, force: bool = False) -> Undone:
    """Put back everything that a run changed: contents, modes, what it made and what it deleted.

    Raises Conflict with a list when a person changed any of it since (`force` overrules), and ConfigError when there
    is nothing to undo or the directory is gone.
    """
    kept = loaded(folder)
    now = current(kept, list(kept.after))
    changed = changed_paths(kept, now)
    wanted = {path: kept.before.get(path) for path in changed if kept.before.get(path) != now.get(path)}
    if not wanted:
        raise ConfigError(f"nothing is left to undo of {folder.name}: all is as it was before it.")
    if not force:
        refuse_conflicts(folder, kept, now, wanted)
    return replace_all(folder, kept, wanted, runs, keep_runs)


def loaded(folder: Path) -> Kept:
    if not AVAILABLE:
        raise ConfigError("undo is not available on this system yet.")
    kept = Kept.load(folder)
    if kept is None or not (kept.after or kept.under_way):
        raise ConfigError(f"{folder.name} changed no file.")
    if not kept.top.is_dir():
        raise ConfigError(f"the working directory of {folder.name} is gone: {kept.top}.")
    return kept


def current(kept: Kept, paths: list[str], keep: Kept | None = None) -> Tree:
    save = keep.keep if keep else lambda data, digest: None
    try:
        return look(kept.top, paths, save) if kept.narrow or not kept.under_way else scan(kept.top, None, save)
    except (OSError, TooLarge) as error:
        raise ConfigError(f"{kept.top} cannot be read ({error}).") from None


def changed_paths(kept: Kept, now: Tree) -> list[str]:
    """What the run changed. Of one that was killed while a call was at work nobody can say what that call did: every
    difference since counts as its own. (Undo can be undone.)"""
    if not kept.under_way:
        return list(kept.after)
    if kept.narrow:
        return list(kept.before | kept.after)
    return differences(kept.before, now)


def refuse_conflicts(folder: Path, kept: Kept, now: Tree, wanted: Mapping[str, Entry | None]) -> None:
    conflicts = [
        path for path in wanted if path in kept.mixed or (not kept.under_way and now.get(path) != kept.after.get(path))
    ]
    if conflicts:
        some = "".join(f"\n  {path!r}"[:200] for path in conflicts[:50])
        raise Conflict(
            f"these files were changed by someone else since {folder.name}, so nothing was undone:{some}\n"
            f"To put them back all the same: python main.py --undo {folder.name} --force"
        )


def replace_all(folder: Path, kept: Kept, wanted: Mapping[str, Entry | None], runs: Path, keep_runs: int) -> Undone:
    """Put the wanted entries in place, as a run of its own that can be undone as well."""
    try:
        own = new_folder(runs, f"undo {folder.name[16:]}", 0)
    except OSError as error:
        raise ConfigError(f"an undo that could not be undone is not begun: {error.strerror}.") from None
    setting = {"prompt": f"undo {folder.name}", "provider": "", "undoes": folder.name}
    trace = Trace(own, {**setting, "working_directory": str(kept.top)})
    record = Kept(own, kept.top)
    now = look(kept.top, list(wanted), record.keep)
    record.begin({path: entry for path, entry in now.items() if path in wanted}, narrow=True)
    record.after = dict(wanted)
    unavailable = [path for path, entry in wanted.items() if entry and not entry.kept]
    for path in unavailable:
        del record.after[path]
    for entry in record.after.values():
        if entry and entry.kind == "file":
            record.keep(kept.bytes_of(entry.digest), entry.digest)
    record.write_after(under_way=True)
    failed = put_back(kept.top, record.after, record.bytes_of)
    record.write_after(under_way=False)
    failed += [f"{path} (too large: it had not been kept)" for path in unavailable]
    answer = f"Put back {len(record.after)} of {len(wanted)} entries that {folder.name} had changed."
    result = AgentResult(answer, "answered", 0, (), TokenUsage(), 0.0, "", "", tuple(failed))
    trace(Event("finished", 0.0, {"result": result}))
    trace.close()
    return Undone(own.name, list(record.after), failed)


def diff(folder: Path) -> bytes:
    """Return what a run changed as a patch that `git apply` takes; of a killed run, up to the last call that ended."""
    kept = loaded(folder)
    if kept.under_way:
        now = current(kept, list(kept.after), kept)
        kept.after = {path: now.get(path) for path in changed_paths(kept, now)}
    return patch(kept.changes(), kept.bytes_of)
