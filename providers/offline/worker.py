"""The program of the search's child process: reads request.json in its directory, writes JSON lines to stdout.

It is started as a script, in a sandbox that lets it read this folder alone, so it loads its neighbours as a package of
a private name: a project that has a `providers` of its own does not meet ours.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
from pathlib import Path
from typing import Any

PACKAGE = "_repairer"


def main() -> None:
    """Search as the request says; the last line is {"outcome": ...}."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != here]
    package = types.ModuleType(PACKAGE)
    package.__path__ = [str(here)]
    sys.modules[PACKAGE] = package
    search = importlib.import_module(f"{PACKAGE}.search")
    request = json.loads(Path("request.json").read_text("utf-8"))
    outcome = search.search(request["files"], Path.cwd(), request["seconds"], lambda line: _write({"progress": line}))
    _write({"outcome": _plain(outcome)})


def _plain(outcome: Any) -> dict[str, Any]:
    """The outcome as JSON: every candidate as its file, edits and words."""
    passing = [
        {
            "edits": [[edit.path, edit.start, edit.end, edit.text] for edit in candidate.edits],
            "operator": candidate.operator.words,
        }
        for candidate in outcome.passing
    ]
    return {**vars(outcome), "passing": passing}


def _write(record: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
