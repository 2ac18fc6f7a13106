"""What a person is told of a failure that never should be, in place of a traceback."""

from __future__ import annotations

from pathlib import PurePath
from traceback import extract_tb

BROKEN = (
    "Something in the program that runs this agent has failed, and not what you asked for: {said} ({file}, line "
    "{line}). What was done until then is kept (python main.py --view); please report it with this line."
)


def said_of(error: Exception) -> str:
    """Return what failed and where, in one line."""
    place = extract_tb(error.__traceback__)[-1]
    said = f"{type(error).__name__}: {error}".rstrip(": ")
    return BROKEN.format(said=said, file=PurePath(place.filename).name, line=place.lineno)
