"""After a run of code: what did it leave behind that some other program would run later, outside?

A wall holds a process, not the person's tools. A `.git` with hooks, or a settings folder of an editor, is plain files
to the kernel, and code to the next program that comes by (githooks(5); safe.directory and core.fsmonitor in
git-config(1)). Only what was not there before the run counts; it is moved aside, never deleted, and told to the model
and to the person.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.files.names import is_repository, shown

RUN_BY_OTHERS = frozenset(
    # direnv, editors, containers, hooks of npm packages; Python itself, in every program that is started here
    {".envrc", ".vscode", ".idea", ".devcontainer", ".husky", "sitecustomize.py", "usercustomize.py"}
)
ONLY_TOLD = "conftest.py"  # pytest runs it, but it is also an ordinary part of a project's tests
# Inside a repository that was there before: what version control runs
_COMMANDS_OF_A_REPOSITORY = ("config", "config.worktree", "hooks", "hgrc", "info/attributes", "repo/config.toml")
_LARGEST_REMEMBERED = 2**20
_MOST_ENTRIES = 50_000  # names looked at, the top ones first; in a larger tree what lies deeper is not seen

place: Path | None = None  # where found ones go; the agent says: a folder of the run. None: a temporary directory


@dataclass
class Before:
    """What was there before the run."""

    found: set[tuple[str, int, int]] = field(default_factory=set)  # path, device, file number
    repositories: list[str] = field(default_factory=list)
    remembered: dict[str, bytes] = field(default_factory=dict)  # path below the root -> content
    bare: bool = False


def look(root: Path) -> Before:
    before = Before(bare=_is_bare_repository(root))
    for path in _run_by_others(root):
        before.found.add(_identity(root, path))
        if is_repository(path.rpartition("/")[2]) and not (root / path).is_symlink():
            before.repositories.append(path)
            before.remembered |= _commands(root, path)
    return before


def check(root: Path, before: Before, into: Path | None = None) -> list[str]:
    """Move aside what is new, put back what was changed inside a repository. Sentences for the model and the person."""
    told: list[str] = []
    for path in list(_run_by_others(root)):
        if _identity(root, path) in before.found:
            continue
        if path == ONLY_TOLD:
            told.append('The code made "conftest.py", which pytest will run, outside the sandbox too: read it first.')
            continue
        _move_aside(root, path, into)
        told.append(_sentence(path))
    if not before.bare and _is_bare_repository(root):
        _move_aside(root, "HEAD", into)
        told.append(_sentence("HEAD"))
    return told + _restore(root, before)


def _sentence(path: str) -> str:
    return (
        f'The code made "{shown(path)}", which other programs would run later, outside the sandbox; it was moved aside '
        "and is not in the working directory any more."
    )


def _run_by_others(root: Path) -> Iterator[str]:
    """Paths below the root that other programs run; never looks inside them, never follows a link."""
    queue, seen = [""], 0
    while queue and seen < _MOST_ENTRIES:
        folder = queue.pop(0)
        try:
            entries = list(os.scandir(root / folder))
        except OSError:
            continue
        seen += len(entries)
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if is_repository(entry.name) or entry.name.casefold() in RUN_BY_OTHERS or path == ONLY_TOLD:
                yield path
            elif entry.is_dir(follow_symlinks=False):
                queue.append(path)


def _identity(root: Path, path: str) -> tuple[str, int, int]:
    status = os.lstat(root / path)
    return path, status.st_dev, status.st_ino


def _is_bare_repository(root: Path) -> bool:
    """Git takes a directory with these three for a repository, and reads its `config`."""
    return all((root / name).exists() for name in ("HEAD", "objects", "refs"))


def _move_aside(root: Path, path: str, into: Path | None) -> None:
    folder = into or place or Path(tempfile.mkdtemp(prefix="glassbox-quarantine-"))
    folder.mkdir(parents=True, exist_ok=True)
    target, number = folder / path.rpartition("/")[2], 1
    while os.path.lexists(target):
        number += 1
        target = folder / f"{path.rpartition('/')[2]}.{number}"
    shutil.move(root / path, target)


def _commands(root: Path, repository: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for name in _COMMANDS_OF_A_REPOSITORY:
        top = root / repository / name
        for file in [top, *(top.iterdir() if top.is_dir() else ())]:
            if file.is_file() and not file.is_symlink() and file.stat().st_size <= _LARGEST_REMEMBERED:
                found[str(file.relative_to(root))] = file.read_bytes()
    return found


def _restore(root: Path, before: Before) -> list[str]:
    """For systems where a repository cannot be made read-only: its commands are put back as they were."""
    changed: list[str] = []
    for repository in before.repositories:
        now = _commands(root, repository) if os.path.lexists(root / repository) else {}
        was = {path: data for path, data in before.remembered.items() if path.startswith(f"{repository}/")}
        for path in sorted(now.keys() | was.keys()):
            if now.get(path) == was.get(path):
                continue
            changed.append(path)
            if path in was:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(was[path])
            else:
                (root / path).unlink()
    return [
        f'The code changed "{shown(path)}", which version control runs; it was put back as it was.' for path in changed
    ]
