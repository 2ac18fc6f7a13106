"""Judging a repair: the files with the change made, and whether tests that the search never saw pass on them."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from offline.repair.reading.project import read_project
from offline.repair.repair import Finding
from sandbox.files.root import IGNORED, Root
from sandbox.running.process import Limits, Outcome, run_python

LARGEST_FILE = 1_000_000  # bytes; larger ones are not handed to the repairer


def read_files(folder: Path) -> dict[str, str]:
    """Every text file of a program, path -> text."""
    files = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not set(parts) & set(IGNORED) and path.stat().st_size <= LARGEST_FILE:
            try:
                files["/".join(parts)] = path.read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                continue
    return files


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """The same again: path -> text, below a folder."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())


def changed_files(files: Mapping[str, str], finding: Finding) -> dict[str, str]:
    """The files after the repair, done as `edit_file` does it."""
    parts = (finding.repair, *finding.repair.also) if finding.repair else ()
    return replaced(files, ((part.path, part.edits) for part in parts))


def replaced(files: Mapping[str, str], changes: Iterable[tuple[str, Iterable[tuple[str, str]]]]) -> dict[str, str]:
    """The files with each (old, new) of a path exchanged, in order."""
    changed = dict(files)
    for path, edits in changes:
        for old, new in edits:
            changed[path] = changed[path].replace(old, new)
    return changed


def passes(files: Mapping[str, str], tests: Collection[str], seconds: float = 60.0) -> bool:
    """Whether some test files pass, beside all the files, behind the sandbox."""
    return run_tests(files, tests, ("-x",), seconds).exit_code == 0


def run_tests(files: Mapping[str, str], tests: Collection[str], options: Sequence[str], seconds: float) -> Outcome:
    """Run some test files beside all the files, behind the sandbox; `options` are for pytest, where it is that."""
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        write_files(Path(place), files)
        chosen = sorted(path for path in tests if Path(path).name.startswith("test"))
        # What a project adds by itself is for its authors: coverage, plugins that are not here.
        plain = ("-q", "-oaddopts=", "--assert=plain", "-pno:cacheprovider", *options)
        as_pytest = read_project(files).framework == "pytest"
        run = ["-m", "pytest", *plain, *chosen] if as_pytest else ["-m", "unittest", *chosen]
        with Root(place) as root:
            return run_python(root, run, limits=Limits(seconds=seconds))
