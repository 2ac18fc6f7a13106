"""Reading what was kept of a run; records/undo/kept.py wrote it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from config import ConfigError
from records.undo.kept import CALLS, FORMAT, Kept
from records.undo.tree import Entry


def load(folder: Path) -> Kept | None:
    """Read what is kept of a run; None when it changed nothing. Raises ConfigError when that cannot be read."""
    place = folder / "kept"
    try:
        before = json.loads((place / "before.json").read_bytes())
        after = json.loads((place / "after.json").read_bytes())
        watched = json.loads((place / "watched.json").read_bytes()) if after["under_way"] else {}
        announced = _lines(place / "announced.jsonl") if after["under_way"] else []
        if before["format"] != FORMAT:
            raise ConfigError(f"{folder.name} was kept by an older Glassbox, whose undo this one does not read.")
        identity = before["identity"]
        kept = Kept(folder, Path(before["working_directory"]), identity and (identity[0], identity[1]))
        kept.before, kept.after = _entries(before["entries"]), _entries(after["changed"])
        kept.watched = {path: entry for path, entry in _entries(watched.get("entries", {})).items() if entry}
        kept.temporary = _name(before.get("temporary", kept.temporary))
        for path, kind, digest in announced:
            if path:  # else it is the working directory itself
                kept.say(_path(path), kind, digest)
        kept.mixed, kept.unsure, kept.gaps = (set(map(_path, after[each])) for each in ("mixed", "unsure", "gaps"))
        kept.narrow, kept.under_way = after["narrow"], after["under_way"]
        kept.paths = None if after["paths"] is None else set(map(_path, after["paths"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"what was kept of {folder.name} cannot be read ({error.strerror}).") from None
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ConfigError(f"what was kept of {folder.name} is damaged ({error!r:.200}).") from None
    return kept


def by_call(kept: Kept) -> dict[int, dict[str, Entry | None]]:
    """What changed with each call of a run, by its number among those that ended, from 0. Raises ConfigError where the
    run changed files and this was not kept."""
    found: dict[int, dict[str, Entry | None]] = {}
    try:
        lines = (kept.folder / CALLS).read_bytes().splitlines()
    except OSError:
        if kept.changes():
            name = kept.folder.parent.name
            raise ConfigError(f"{name} was kept by an older Glassbox: its steps have no files.") from None
        lines = []
    for line in lines:
        # A line that a killed run left half written, or that a disk has damaged.
        with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
            noted = json.loads(line)
            found.setdefault(int(noted["call"]), {}).update(_entries(noted["changed"]))
    return found


def _lines(path: Path) -> list[list[str]]:
    """What was announced; a line that a kill cut short stands for what was not begun."""
    with suppress(FileNotFoundError):
        return [json.loads(line) for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    return []


def _entries(plain: Mapping[str, Any]) -> dict[str, Entry | None]:
    return {_path(path): entry and _entry(*entry) for path, entry in plain.items()}


def _entry(kind: str, mode: int, digest: str, owner: Any) -> Entry:
    if kind not in ("file", "directory", "link") or not isinstance(mode, int) or not isinstance(digest, str):
        raise ValueError(f"{kind!r}, {mode!r}, {digest!r} are no entry")
    return Entry(kind, mode, digest, owner and (int(owner[0]), int(owner[1])))


def _path(path: str) -> str:
    """A path of the working directory. Undo goes where it leads, outside the sandbox; so one that climbs out of it, by
    damage or by somebody's intent, is none."""
    for name in path.split("/"):
        _name(name)
    return path


def _name(name: str) -> str:
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        raise ValueError(f"{name!r} is no name")
    return name
