"""`python -m bench planted`: one-token bugs planted in published packages, repaired with the packages' own tests.

Ten pure-Python packages whose source distributions hold their tests are downloaded once with pip (exact versions, no
dependencies) into a folder of the person's cache; which bugs are planted depends on the seed alone. A bug counts when
the package's own tests see it; a repair is "as it was" when the program is what the authors wrote.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from bench.many.command import chosen
from bench.verdict import changed_files, passes
from config import ConfigError
from offline.repair.changes.edits import Edit, apply_edits
from offline.repair.changes.operators import logic, names, values
from offline.repair.reading.project import protected_lines, read_project
from offline.repair.reading.source import Source, statement_of
from offline.repair.reading.vocabulary import Vocabulary
from offline.repair.repair import repair

# The package, and the beginnings of the paths that are left out: what needs other packages, or is not Python to repair.
PACKAGES = {
    "inflection==0.5.1": (), "more-itertools==10.5.0": ("docs/",), "toolz==0.12.1": ("toolz/tests/test_tlz",),
    "tabulate==0.9.0": ("benchmark/",), "jsonpointer==3.0.0": (), "cachetools==5.5.0": ("docs/",),
    "webcolors==24.8.0": ("docs/",), "xmltodict==0.13.0": (), "parse==1.20.2": (), "idna==3.10": ("tools/",),
}  # fmt: skip
LARGEST = 2_000_000  # bytes of one distribution
DOWNLOAD_SECONDS = 120
SUITE_SECONDS = 60.0
MOST_TRIES = 15  # bugs planted until the suite sees one
KINDS = (
    (ast.Compare, logic.comparison), (ast.BinOp, logic.arithmetic), (ast.BoolOp, logic.connective),
    (ast.Constant, values.number), (ast.Constant, values.truth), (ast.Name, names.variable),
)  # fmt: skip


@dataclass(frozen=True)
class Planted:
    """How one bug went."""

    package: str
    place: str  # "pkg/a.py:12"
    right: str
    wrong: str
    status: str
    repaired: bool
    as_it_was: bool
    seconds: float
    tried: int
    change: str


def main(arguments: list[str]) -> int:
    """Download, plant, repair, print; exit code 0, 1 when nothing could be downloaded, 130 when interrupted."""
    options = _options(arguments)
    cancelled, results = threading.Event(), []
    try:
        options.packages = chosen([*PACKAGES], options.only, "package")
        for result in _measure_all(options, cancelled):
            results.append(result)
            print(json.dumps(asdict(result)) if options.json else line_of(result), flush=True)
    except ConfigError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        cancelled.set()
        print("interrupted: what follows is what was finished", file=sys.stderr)
    print(totals(results), file=sys.stderr)
    return 130 if cancelled.is_set() else 0 if results else 1


def plant(files: dict[str, str], paths: list[str], chance: random.Random) -> Edit | None:
    """A one-token change of a program file, chosen by chance; None when the chosen place allows none."""
    path = chance.choice(sorted(paths))
    source = Source(path, files[path])
    kind, make = chance.choice(KINDS)
    protected = protected_lines(source.tree)
    simple = (ast.Return, ast.If, ast.Assign, ast.While, ast.For)
    every = [node for node in ast.walk(source.tree) if isinstance(node, kind) and node.lineno not in protected]
    places = [node for node in every if isinstance(statement_of(node), simple)]
    if not places:
        return None
    node = chance.choice(places)
    made = [one for one in make(node, source, Vocabulary({path: source})) if isinstance(one, Edit)][:6]
    return chance.choice(made) if made else None


def read_package(archive: Path, left_out: tuple[str, ...]) -> dict[str, str]:
    """The text files of a source distribution, below its own top folder."""
    files: dict[str, str] = {}
    with tarfile.open(archive) as held:
        for member in held.getmembers():
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:]).as_posix().removeprefix("src/")
            wanted = path.endswith((".py", ".txt", ".json", ".csv", ".cfg", ".toml", ".xml")) and "egg-info" not in path
            if not member.isfile() or not wanted or path.startswith(left_out) or path in ("setup.py", "noxfile.py"):
                continue
            content = held.extractfile(member)
            try:
                files[path] = content.read().decode("utf-8") if content else ""
            except UnicodeDecodeError:
                continue
    return files


def line_of(result: Planted) -> str:
    """One line for a person."""
    verdict = "as it was" if result.as_it_was else "otherwise" if result.repaired else result.status
    bug = f"{result.place}: {result.right} -> {result.wrong}"
    return f"{result.package:24}{verdict:12}{result.seconds:6.1f} s {result.tried:6} tried  {bug}  {result.change}"


def totals(results: list[Planted]) -> str:
    """How many bugs, how many repaired, how many as they were, the median."""
    if not results:
        return "no bug was planted"
    repaired, same = sum(one.repaired for one in results), sum(one.as_it_was for one in results)
    median = statistics.median(one.seconds for one in results)
    return f"{len(results)} bugs, {repaired} repaired, {same} of them as they were; median {median:.1f} s"


def _measure_all(options: argparse.Namespace, cancelled: threading.Event) -> Iterator[Planted]:
    for name in options.packages:
        archive = _archive(name, options.cache)
        if archive is None:
            print(f"{name} could not be downloaded: left out", file=sys.stderr)
            continue
        files = read_package(archive, PACKAGES[name])
        if not passes(files, _tests(files), SUITE_SECONDS):
            print(f"{name}: its own tests do not pass here: left out", file=sys.stderr)
            continue
        chance, planted = random.Random(f"{options.seed} {name}"), set[Edit]()
        for _ in range(options.bugs):
            edit = _seen_bug(files, chance, planted)
            if edit is not None and not cancelled.is_set():
                planted.add(edit)
                yield _measure(name, files, edit, options.seconds, cancelled)


def _seen_bug(files: dict[str, str], chance: random.Random, planted: set[Edit]) -> Edit | None:
    """A bug that the package's own tests see, and that was not planted before."""
    project = read_project(files)
    programs = [path for path in project.program_paths if not path.startswith(("docs", "bench", "examples"))]
    for _ in range(MOST_TRIES):
        edit = plant(files, programs, chance)
        if edit is None or edit in planted:
            continue
        broken = {**files, edit.path: apply_edits(files[edit.path], (edit,))}
        try:
            ast.parse(broken[edit.path])
        except SyntaxError:
            continue
        if not passes(broken, _tests(files), SUITE_SECONDS):
            return edit
    return None


def _measure(name: str, files: dict[str, str], edit: Edit, seconds: float, cancelled: threading.Event) -> Planted:
    right = files[edit.path]
    wrong = apply_edits(right, (edit,))
    finding = repair({**files, edit.path: wrong}, seconds=seconds, cancelled=cancelled)
    changed = changed_files({**files, edit.path: wrong}, finding)
    place = f"{edit.path}:{right.count(chr(10), 0, edit.start) + 1}"
    one = finding.repair
    change = " ".join(f"{one.old_line} -> {one.new_line}".split()) if one else finding.message
    repaired = one is not None
    same = repaired and ast.dump(ast.parse(changed[edit.path])) == ast.dump(ast.parse(right))
    return Planted(name, place, right[edit.start : edit.end], edit.text, finding.status, repaired, same,
                   round(finding.seconds, 2), finding.tried, change)  # fmt: skip


def _tests(files: dict[str, str]) -> list[str]:
    return [path for path in read_project(files).test_paths if PurePosixPath(path).name.startswith("test")]


def _archive(name: str, cache: Path) -> Path | None:
    """The source distribution of a package, downloaded if it is not there; None when that fails."""
    cache.mkdir(parents=True, exist_ok=True)
    stem = name.replace("==", "-").lower()
    known = [path for path in cache.glob("*.tar.gz") if path.name.lower().replace("_", "-") == f"{stem}.tar.gz"]
    if not known:
        with tempfile.TemporaryDirectory() as place:
            environment = Path(place, "environment")
            command = [sys.executable, "-m", "venv", str(environment)]
            python = str(environment / "bin" / "python")
            pip = [python, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(cache), name]
            for step in (command, pip):
                try:
                    subprocess.run(step, check=True, capture_output=True, timeout=DOWNLOAD_SECONDS)
                except (OSError, subprocess.SubprocessError):
                    return None
        known = [path for path in cache.glob("*.tar.gz") if path.name.lower().replace("_", "-") == f"{stem}.tar.gz"]
    return known[0] if known and known[0].stat().st_size <= LARGEST else None


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench planted", description=__doc__)
    parser.add_argument("--bugs", type=int, default=4, help="bugs in each package (default 4)")
    parser.add_argument("--seed", type=int, default=1, help="which bugs (default 1)")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit for one bug (default 60)")
    parser.add_argument("--only", default="", help="only the packages whose name contains this")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "glassbox" / "planted", help="downloads")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each bug")
    return parser.parse_args(arguments)
