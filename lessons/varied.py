"""What is a little different for each learner: one number of a lesson, by the learner's name.

`lessons/*/varied.txt` says which: `MOST = 20: 12 to 30 by 1`, a name in start.py, solution.py and check.py, its value
for who has no name, and the others. Below stand the pieces of the page that say the number, with {} in its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from config import environment_of

FILE = "learner.txt"  # in the learner's folder: the name by which their numbers are drawn
SETTING = "GLASSBOX_LEARNER"
LONGEST = 100  # characters of a name
HEAD = re.compile(r"(\w+) = ([\d_]+): ([\d_]+) to ([\d_]+) by ([\d_]+)")


@dataclass(frozen=True)
class Varied:
    """One number: its `usual` value, and a learner's `own`."""

    name: str
    usual: int
    own: int
    pieces: tuple[str, ...] = ()

    def within(self, text: str) -> str:
        """A lesson's text, code or page, with the learner's number in it."""
        text = re.sub(rf"^{self.name} = {self.usual:_}\b", f"{self.name} = {self.own:_}", text, flags=re.MULTILINE)
        for piece in self.pieces:
            text = text.replace(piece.format(f"{self.usual:,}"), piece.format(f"{self.own:,}"))
        return text


def varied(folder: Path, learner: str) -> Varied | None:
    """What varies in a lesson's folder, for a learner; "" is nobody in particular. None where nothing does."""
    path = folder / "varied.txt"
    if not path.exists():
        return None
    head, *pieces = path.read_text(encoding="utf-8").splitlines()
    found = HEAD.fullmatch(head)
    assert found, f"{path}: {head}"
    name, (usual, first, last, step) = found[1], map(int, found.groups()[1:])
    others = [value for value in range(first, last + 1, step) if value != usual]
    drawn = int.from_bytes(sha256(f"{learner}/{folder.name}".encode()).digest())
    return Varied(name, usual, others[drawn % len(others)] if learner else usual, tuple(pieces))


def known_as(folder: Path) -> str:
    """The name that a learner's folder bears, or ""."""
    try:
        return plain((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""


def name_for(folder: Path) -> str:
    """The same for the learner who works there; the setting names a folder that is begun now. Raises ValueError, with
    the two names, where the folder was begun under another."""
    known, given = known_as(folder), plain(environment_of([SETTING]).get(SETTING, ""))
    if given and given != known and any(folder.glob("*.py")):
        raise ValueError(known, given)
    return given or known


def plain(name: str) -> str:
    return " ".join(name.split()).casefold()[:LONGEST]
