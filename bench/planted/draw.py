"""A draw: packages and bugs by a seed alone, and what could not be drawn and why; written down, it can be repeated."""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from bench.planted.bugs import KINDS, Bug, plant
from bench.planted.packages import NoPackage, Package, load, names, without_failing
from bench.verdict import passes
from offline.repair.changes.edits import Edit, apply_edits
from offline.repair.reading.project import read_project

MOST_TRIES = 12  # bugs planted in a package until its tests see one
MOST_LOOKS = 100  # places looked at for them: most files have no `await`
HANGING = 3.0  # times what the tests take, and as many seconds more: then a bug counts as seen


def drawn_lines(seed: int, count: int, path: Path, cache: Path) -> Iterator[dict[str, Any]]:
    """Lines until so many hold a bug, each in a package of its own, as far as the list of packages reaches. Each is
    written to a file as it is drawn; what that holds already comes first, so that a draw that was ended goes on."""
    known = read(path) if path.is_file() else []
    waiting, bugs = names(), 0
    random.Random(seed).shuffle(waiting)
    path.parent.mkdir(parents=True, exist_ok=True)
    for place, name in enumerate(waiting):
        if bugs == count:
            return
        line = known[place] if place < len(known) else _drawn(seed, name, cache)
        if place >= len(known):
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        bugs += "bug" in line
        yield line


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a draw that was written down. Raises OSError, and ValueError for what is none."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _drawn(seed: int, name: str, cache: Path) -> dict[str, Any]:
    same = {"package": name, "seed": seed, "day": date.today().isoformat()}
    try:
        package = without_failing(load(name, cache))
        about = {**same, "version": package.version, "licence": package.licence, "left_out": list(package.left_out)}
        return {**about, "bug": asdict(_seen_bug(package, random.Random(f"{seed} {name}")))}
    except NoPackage as error:
        return {**same, "failure": str(error)}


def recalled(line: dict[str, Any], cache: Path) -> tuple[Package, Bug]:
    """The package and the bug of a line of a draw. Raises NoPackage where they can be had no more."""
    package = load(line["package"], cache, line["version"]).without(line["left_out"])
    told = line["bug"]
    bug = Bug(**{**told, "edit": Edit(**told["edit"])})
    if package.files.get(bug.edit.path, "")[bug.edit.start : bug.edit.end] != bug.right:
        raise NoPackage("it is not as it was when it was drawn")
    return package, bug


def _seen_bug(package: Package, chance: random.Random) -> Bug:
    """A bug that the package's own tests see."""
    files = package.files
    programs = sorted(read_project(files).program_paths)
    sizes = [len(files[path]) for path in programs]
    tried = 0
    for _ in range(MOST_LOOKS if programs else 0):
        kind, path = chance.choice(KINDS), chance.choices(programs, sizes)[0]
        try:
            edit = plant(path, files[path], kind, chance)
            broken = apply_edits(files[path], (edit,)) if edit else ""
            if edit is None or ast.dump(ast.parse(broken)) == ast.dump(ast.parse(files[path])):
                continue
        except (SyntaxError, ValueError, RecursionError):
            continue
        tried += 1
        if tried > MOST_TRIES:
            break
        if not passes({**files, path: broken}, package.tests, HANGING + HANGING * package.seconds):
            text = files[path]
            return Bug(kind, edit, text.count("\n", 0, edit.start) + 1, text[edit.start : edit.end], edit.text)
    raise NoPackage("its tests saw none of the bugs that were planted")
