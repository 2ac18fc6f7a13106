"""Which paths a glob fits: "*.py", "pkg/*.py", "pkg/**/*.py", "*.{py,txt}"."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

MOST_CHOICES = 64  # of a glob with braces; past it they stand for themselves
BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")


def choices(glob: str) -> list[str]:
    """A glob with choices in braces as the globs that it stands for: "*.{py,txt}" is two."""
    globs = [glob.removeprefix("./") or "*"]
    while len(globs) < MOST_CHOICES and (found := BRACES.search(globs[0])):
        before, after = globs[0][: found.start()], globs[0][found.end() :]
        globs = [*globs[1:], *(f"{before}{choice}{after}" for choice in found[1].split(","))]
    return globs


def fits(parts: Sequence[str], glob: str) -> bool:
    """Whether a path, given by its names, fits a glob, in which "**" is any number of folders, also none; a glob
    without "/" speaks of the last name alone."""
    if "/" not in glob:
        return fnmatchcase(parts[-1], glob)
    reached = {0}
    for each in glob.split("/"):
        if each == "**":
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {place + 1 for place in reached if place < len(parts) and fnmatchcase(parts[place], each)}
        if not reached:
            return False
    return len(parts) in reached
