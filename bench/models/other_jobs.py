"""The tasks of the other jobs (`--tasks jobs`): what each is begun with, and what the end of it must be.

`program` names a sample that ships, or `files` holds what is worked on. `answer` and `unsaid` are judged as everywhere.
`made` is the folder of the one note that must be new, with words that it must hold; `after` is what must be otherwise
in the operator's fleet, by its path, and all else as it was.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.many.task import Packed, pack
from bench.operating import WORKPLACE, wrong_state
from bench.record import Line
from config import PROJECT

JOBS = {
    "librarian": "the librarian: a question, with its source",
    "auditor": "the auditor: what is wrong with a table",
    "notekeeper": "the notekeeper: a note, in its folder",
    "operator": "the operator: a fleet of services",
}
SAMPLES = ("library", "notes")


def sample(name: str) -> Packed:
    return pack(PROJECT / "samples" / name) if name in SAMPLES else {}


def words_for(data: Line, folder: Path) -> list[str]:
    """The command line of a job, beside the prompt; what it works on lies in the folder."""
    words = ["--job", data["kind"]]
    if data["kind"] == "auditor":
        words += ["--data", str(folder)]
    if data["kind"] == "operator":
        server = shlex.join([sys.executable, str(WORKPLACE / "fleet.py"), "--state", str(state_beside(folder))])
        words += ["--mcp", server, "--skills", str(WORKPLACE / "skills")]
    return words


def state_beside(folder: Path) -> Path:
    return folder.parent / "state.json"


def right_end(data: Line, folder: Path, after: Packed, texts: Mapping[str, str], changed: Sequence[str]) -> bool:
    """Whether what is left behind is what was asked for; `texts` are the files that changed, as they are now."""
    if data["kind"] == "operator":
        shipped = json.loads((WORKPLACE / "fleet.json").read_text(encoding="utf-8"))
        state = state_beside(folder)
        now = json.loads(state.read_text(encoding="utf-8")) if state.exists() else shipped
        return not changed and not wrong_state(data["after"], shipped, now)
    if data["kind"] != "notekeeper":
        return not changed
    new = [path for path in changed if path in after and path not in data["program"]]
    gone = [path for path in changed if path not in after]
    if len(new) != 1 or gone or not new[0].startswith(f"{data['made']['folder']}/"):
        return False
    return all(word.lower() in texts[new[0]].lower() for word in data["made"]["words"])
