"""Where the course's page is: at the same address each time, so that a page which is still open finds it again.

What makes the address is kept for each learner's folder, in a file that only the person can read; not in that folder,
which git may carry.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from config import ConfigError, load_settings
from lessons.progress import write_whole

PORT = 8731  # wanted at the first start
# Else the system gives one of those that it also lends to any program for a moment, and that is gone at the next start.
OTHERS = range(PORT + 1, PORT + 20)
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True)
class Place:
    """`port`: the one to be had; `token`: what the address holds that nobody else knows."""

    port: int
    token: str


def name_of(learners_folder: Path) -> str:
    """A short name of a learner's folder, by which a browser keeps apart what was typed for one and for another."""
    return sha256(str(learners_folder.absolute()).encode()).hexdigest()[:12]


def wanted(learners_folder: Path) -> Place:
    """The place that was kept, or one made now."""
    with contextlib.suppress(ConfigError, OSError, ValueError, KeyError, TypeError):
        file = _file(learners_folder)
        others = file.stat().st_mode & 0o077 if os.name == "posix" else 0
        known = Place(**json.loads(file.read_text(encoding="utf-8")))
        if not others and isinstance(known.port, int) and 0 < known.port < 2**16 and TOKEN.fullmatch(known.token):
            return known
    return Place(PORT, secrets.token_urlsafe(32))


def keep(learners_folder: Path, place: Place) -> None:
    """Keep it for the next start; where that cannot be, the address is another one then. What was kept first stays: a
    port that is taken once is no reason to move."""
    with contextlib.suppress(ConfigError, OSError):
        file = _file(learners_folder)
        if wanted(learners_folder).token != place.token:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(file, json.dumps(asdict(place)))


def _file(learners_folder: Path) -> Path:
    return Path(load_settings().runs_directory) / f".course-{name_of(learners_folder)}.json"
