"""The program of the search's child process: reads request.json in its directory, writes JSON lines to stdout.

It is started as a script, in a sandbox that lets it read this folder alone, so it loads its neighbours as a package of
a private name: a project that has a `providers` of its own does not meet ours.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

PACKAGE = "_repairer"
MOST_IN_MEMORY = 4_000_000  # characters of a program, of which there are up to ten copies


def main() -> None:
    """Search as the request says; the last line is {"outcome": ...}."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != here]
    package = types.ModuleType(PACKAGE)
    package.__path__ = [str(here)]
    sys.modules[PACKAGE] = package
    search = importlib.import_module(f"{PACKAGE}.search")
    write = _take_stdout()
    request = json.loads(Path("request.json").read_text("utf-8"))
    end = min(request["end"], time.monotonic() + request["seconds"])  # that clock is the same for every process
    told: dict[str, Any] = {}
    try:
        outcome = search.search(
            request["files"],
            request["hint"],
            _place(request["files"]),
            end,
            lambda line: write({"progress": line}),
            _keeper(write, told),
            request["solutions"],
            request["only"],
            request["first"],
            request["failing"],
            request["known"],
        )
    except Exception as error:  # a mistake of ours: what was found until then stands, and it is said
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}"
        message = f"A mistake of its own ended the search: {where}."
        write({"best": {"status": told.get("status", "failed"), "message": message}})
        return
    write({"outcome": _plain(outcome)})


def _place(files: Mapping[str, str]) -> Path:
    """Where the search works: its temporary directory, where the sandbox lets tests make links. That may lie in memory
    (`namespaces.PRIVATE_BYTES`), so copies of a large program lie here, and tests that make links fail."""
    return Path(tempfile.mkdtemp()) if sum(map(len, files.values())) <= MOST_IN_MEMORY else Path.cwd()


def _keeper(write: Callable[[dict[str, Any]], None], told: dict[str, Any]) -> Callable[[Any], None]:
    """A function that writes the best outcome so far: of it what differs from the one before, which is `told`."""

    def keep(best: Any) -> None:
        plain = _plain(best)
        write({"best": {key: value for key, value in plain.items() if key not in told or told[key] != value}})
        told.update(plain)

    return keep


def _plain(outcome: Any) -> dict[str, Any]:
    """The outcome as JSON: every candidate as its file, edits and words."""
    passing = [_plain_candidate(candidate) for candidate in outcome.passing]
    return {**vars(outcome), "passing": passing, "partial": outcome.partial and _plain_candidate(outcome.partial)}


def _plain_candidate(candidate: Any) -> dict[str, Any]:
    edits = [[edit.path, edit.start, edit.end, edit.text] for edit in candidate.edits]
    return {"edits": edits, "operator": candidate.operator.words}


def _take_stdout() -> Callable[[dict[str, Any]], None]:
    """A function that writes JSON lines to where standard output goes; from then on prints go nowhere."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.close(nothing)

    def write(record: dict[str, Any]) -> None:
        output.write(json.dumps(record) + "\n")
        output.flush()

    return write


if __name__ == "__main__":
    main()
