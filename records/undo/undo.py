"""Taking a run back, and taking that back; showing what a run changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from agent.contracts import AgentResult, TokenUsage
from agent.events import Finished
from config import COMMAND, ConfigError
from records.folders import Summary, folders, summary
from records.trace import Trace, new_folder
from records.undo.kept import NOBODY_KNOWS, Kept
from records.undo.load import load
from records.undo.patch import patch
from records.undo.put_back import CHANGED, HOLDS, put_back
from records.undo.tree import (
    AVAILABLE,
    Entry,
    Keep,
    TooLarge,
    Tree,
    identity_of,
    look,
    scan,
    with_folders,
)
from sandbox.files.directory import DIRECTORY
from sandbox.running.temporary import remove_all

WHOLE, NOT_WHOLE = "answered", "interrupted"  # how an undo ended
UNKEEPABLE = "what is there now is too large to be given back: move it away, then undo again"
NOT_BEGUN = "an undo that could not be undone is not begun: {}."
MOST_LISTED = 50  # paths in a message


class Conflict(ConfigError):
    """Somebody changed files that the run had changed too: their `paths`."""

    def __init__(self, sentence: str, paths: Sequence[str]) -> None:
        super().__init__(sentence)
        self.paths = paths


@dataclass(frozen=True)
class Undone:
    """What an undo did, and the run that stands for it: undoing that one takes the undo back."""

    name: str
    paths: list[str]  # that are as they were, which was looked at
    failed: list[str]  # each with why
    left: list[str]  # as they are: nobody can tell whether they are the run's
    whole: bool  # nothing is left that could be put back at another time


def undoable(runs: Path, working_directory: Path | None = None) -> Path:
    """Return the newest run that changed something and is not undone yet: of a directory, or of any but the copies that
    forks work in. Raises ConfigError when there is none."""
    known = {folder: summary(folder) for folder in folders(runs)}
    undone = undone_names(known.values())
    for folder, about in known.items():
        try:
            kept = None if about.undoes or folder.name in undone else load(folder)
        except ConfigError as error:  # it may be the one that is meant
            raise ConfigError(f"{error} To undo another: {COMMAND} --undo NAME. See: {COMMAND} --runs") from None
        here = kept is not None and (
            not kept.top.is_relative_to(runs.resolve()) if working_directory is None else working_directory == kept.top
        )
        if kept is not None and here and (kept.changes() or kept.under_way):
            return folder
    raise ConfigError(f"there is no run left that changed anything. See: {COMMAND} --runs")


def undone_names(summaries: Iterable[Summary]) -> set[str]:
    """The runs that are undone now: by an undo that put back all that it could, and is not itself undone. `summaries`
    are the newest first."""
    undone: set[str] = set()
    for about in summaries:
        if about.undoes and about.stop_reason == WHOLE and about.name not in undone:
            undone.add(about.undoes)
    return undone


def undo(folder: Path, runs: Path, *, force: bool = False) -> Undone:
    """Put back what a run changed: contents, modes, what it made and what it deleted.

    What changed while code was at work is left, as it may be somebody else's, unless `force` says otherwise; what was
    deleted then comes back all the same, since nothing is lost by that. Raises Conflict with a list when somebody
    changed since what the run had changed (`force` overrules), and ConfigError when there is nothing to undo.
    """
    kept = loaded(folder)
    with opened(kept, force=force) as top:
        half_done = temporaries(kept)
        settle(kept, top)
        now = look(top, [*kept.after, *half_done])
        for path in half_done & now.keys():
            kept.before[path], kept.after[path] = None, now[path]
        wanted = {path: kept.before.get(path) for path in kept.after if kept.before.get(path) != now.get(path)}
        if not wanted:
            raise ConfigError(
                f"nothing is left to undo of {folder.name}: all is as it was before it. To undo another: {COMMAND} "
                f"--undo NAME. See: {COMMAND} --runs"
            )
        left: list[str] = []
        if not force:
            refuse_conflicts(folder, kept, now, wanted)
            left = unsure(kept, now, wanted)
        if len(left) == len(wanted):
            raise Conflict(f"nothing was undone. {left_alone(folder.name, left)}", left)
        rest = {path: entry for path, entry in wanted.items() if path not in left}
        return replace_all(folder, kept, top, rest, now, left, runs)


def loaded(folder: Path) -> Kept:
    if not AVAILABLE:
        raise ConfigError("undo is not available on this system yet.")
    kept = load(folder)
    if kept is None or not (kept.after or kept.under_way):
        raise ConfigError(f"{folder.name} changed no file.")
    return kept


@contextmanager
def opened(kept: Kept, *, force: bool = False) -> Iterator[int]:
    """The descriptor of the working directory, if it still is the one that the run worked in (`force`: or another)."""
    try:
        top = os.open(kept.top, DIRECTORY)
    except OSError:
        raise ConfigError(f"the working directory of {kept.folder.parent.name} is gone: {kept.top}.") from None
    try:
        if not force and kept.identity not in (None, identity_of(top)):
            raise ConfigError(
                f"{kept.top} is not the directory that {kept.folder.parent.name} worked in: another has taken its "
                f"place. To put its files there all the same: {COMMAND} --undo {kept.folder.parent.name} --force"
            )
        yield top
    finally:
        os.close(top)


def settle(kept: Kept, top: int, keep: Keep | None = None) -> None:
    """Of a run that was killed while a call was at work, what is as that call had announced it is the run's; of the
    rest nobody can say whether the call did it, or somebody else since."""
    if not kept.under_way:
        return
    try:
        if kept.paths is None:
            with suppress(TooLarge):
                kept.settle(scan(top, {}, keep, kept.gaps), NOBODY_KNOWS)
                return
            kept.paths = {*kept.after, *kept.watched}  # code made too many: what was there is all that can be looked at
        seen = look(top, sorted(kept.paths), keep)
    except OSError as error:
        raise ConfigError(f"{kept.top} cannot be read ({error}).") from None
    kept.settle(seen, NOBODY_KNOWS)


def temporaries(kept: Kept) -> set[str]:
    """Where a killed run can have left a file of its temporary name: beside what it changed or was changing."""
    return {f"{path.rpartition('/')[0]}/{kept.temporary}".lstrip("/") for path in {*kept.after, *kept.announced}}


def refuse_conflicts(folder: Path, kept: Kept, now: Tree, wanted: Mapping[str, Entry | None]) -> None:
    changed_since = {path for path in wanted if now.get(path) != kept.after[path]} - kept.unsure
    conflicts = sorted(changed_since | (kept.mixed & wanted.keys()))
    if conflicts:
        raise Conflict(
            f"these files were changed by someone else since {folder.name}, so nothing was undone:{listed(conflicts)}\n"
            f"To put them back all the same: {COMMAND} --undo {folder.name} --force",
            conflicts,
        )


def unsure(kept: Kept, now: Tree, wanted: Mapping[str, Entry | None]) -> list[str]:
    """What is left alone: what may be somebody else's and is there, the old name of what may have been renamed (also
    over another file, as editors save), what lies below such a thing where a folder was, and the folders that hold such
    a thing."""
    left = {path for path in wanted if path in kept.unsure and path in now}
    names = {
        now[path].digest
        for path in left
        if now[path].kind == "file" and not ((was := wanted[path]) and was.digest == now[path].digest)
    }
    renamed = {
        path for path in kept.unsure & wanted.keys() - now.keys() if (was := wanted[path]) and was.digest in names
    }
    instead = {path for path in left if now[path].kind != "directory"}
    above = with_folders(sorted(left))
    left |= {path for path in wanted if wanted[path] is None and path in above}
    below = {path for path in wanted if instead & (with_folders([path]) - {path})} if instead else set()
    return sorted(left | renamed | below)


def left_alone(name: str, paths: Sequence[str]) -> str:
    """Why these were left, with the next command."""
    return (
        f"These changed while code was at work, by that code or by somebody else, and were left as they are:"
        f"{listed(paths)}\nTo put them back too: {COMMAND} --undo {name} --force"
    )


def listed(paths: Sequence[str]) -> str:
    more = len(paths) - MOST_LISTED
    return "".join(f"\n  {path!r}"[:200] for path in paths[:MOST_LISTED]) + (f"\n  and {more} more" if more > 0 else "")


def replace_all(
    folder: Path, kept: Kept, top: int, wanted: dict[str, Entry | None], seen: Tree, left: list[str], runs: Path
) -> Undone:
    """Put the wanted entries in place of what was `seen` there, as a run of its own that can be undone as well; there
    is none, and its name is "", where not one of them could be."""
    try:
        own = new_folder(runs, f"undo {folder.name[16:]}", 0)
    except OSError as error:
        raise ConfigError(NOT_BEGUN.format(error.strerror)) from None
    setting = {"prompt": f"undo {folder.name}", "provider": "", "undoes": folder.name}
    trace = Trace(own, {**setting, "working_directory": str(kept.top)})
    record = Kept(own, kept.top, identity_of(top))
    try:
        now = look(top, list(wanted), record.keep)
        lost = copied(kept, record, wanted)
        failed = {path: UNKEEPABLE for path in wanted.keys() - lost.keys() if path in now and not now[path].kept}
        failed |= {
            path: CHANGED
            for path in wanted.keys() - lost.keys() - failed.keys()
            if changed(seen.get(path), now.get(path))
        }
        record.after = {path: entry for path, entry in wanted.items() if path not in {*lost, *failed}}
        record.before = {path: now.get(path) for path in record.after}
        record.write()  # before anything is done: what a kill leaves undone is as it was, and nothing is left to undo
    except OSError as error:  # such as a full disk
        trace.close()
        remove_all(own)
        raise ConfigError(NOT_BEGUN.format(error.strerror)) from None
    failed |= put_back(top, record.after, record.bytes_of, now)
    is_now = look(top, list(record.after), record.keep)
    for path in [path for path in record.after.keys() - failed.keys() if is_now.get(path) != record.after[path]]:
        failed[path] = "it did not become what it was"
        if is_now.get(path) != record.before[path]:  # somebody else wrote into it at this moment: no way back is lost
            record.after[path] = is_now.get(path)
            record.mixed.add(path)
    record.after = {path: entry for path, entry in record.after.items() if path not in failed or path in record.mixed}
    said = [f"{path} ({why})" for path, why in {**failed, **lost}.items()]
    if not record.after:
        trace.close()
        remove_all(own)
        return Undone("", [], said, left, whole=False)
    record.before = {path: record.before[path] for path in record.after}
    record.write()
    answer = f"Put back {len(record.after)} of {len(wanted) + len(left)} entries that {folder.name} had changed."
    whole = all(why == HOLDS and wanted[path] is None for path, why in failed.items())
    ended = WHOLE if whole else NOT_WHOLE
    result = AgentResult(answer, ended, 0, (), TokenUsage(), 0.0, "", "", tuple(said))
    trace(Finished(result))
    trace.close()
    return Undone(own.name, list(record.after), said, left, whole=whole)


def copied(kept: Kept, record: Kept, wanted: Mapping[str, Entry | None]) -> dict[str, str]:
    """Copy the bytes that are wanted from one record into another; return the paths whose bytes nobody has any more,
    each with why. Raises OSError where they cannot be written."""
    lost: dict[str, str] = {}
    for path, entry in wanted.items():
        if entry and not entry.kept:
            lost[path] = "too large: it had not been kept"
        elif entry and entry.kind == "file":
            try:
                data = kept.bytes_of(entry.digest)
            except OSError as error:
                lost[path] = str(error.strerror)
            else:
                record.keep(data, entry.digest)
    return lost


def changed(was: Entry | None, now: Entry | None) -> bool:
    """Whether what was seen is another by now; of what was too much to be read then, or is now, its stamp tells."""
    return was != now and not (was and now and not (was.kept and now.kept) and was.stamp == now.stamp)


def diff(folder: Path) -> bytes:
    """Return what a run changed as a patch that `git apply` takes, with what changed while its code was at work. Raises
    ConfigError where what was kept of it is damaged."""
    kept = loaded(folder)
    if kept.under_way:
        with opened(kept) as top:
            settle(kept, top, kept.keep)
    try:
        return patch(kept.changes(), kept.bytes_of)
    except OSError as error:
        raise ConfigError(f"what {folder.name} changed cannot be shown: {error.strerror}.") from None
