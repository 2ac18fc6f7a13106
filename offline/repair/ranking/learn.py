"""`python -m offline.repair.ranking.learn`: learn the table of `naturalness.py` from this Python's standard library.

The same library gives the same file, byte for byte.
"""

from __future__ import annotations

import ast
import gzip
import json
import sys
import sysconfig
from collections import Counter, defaultdict
from pathlib import Path

from .naturalness import TABLE, events

LEAST = 3  # times that a label is seen in a context before it is kept
LEAST_SIZE, MOST_SIZE = 500, 200_000  # bytes of a file: neither stubs nor tables
LEFT_OUT = {"test", "tests", "idlelib", "lib2to3", "site-packages", "encodings", "turtledemo", "__pycache__"}


def main(library: Path, target: Path) -> str:
    """Read the library, write the table; a line about it."""
    narrow: dict[str, Counter[str]] = defaultdict(Counter)
    wide: dict[str, Counter[str]] = defaultdict(Counter)
    files = 0
    for path in sorted(library.rglob("*.py")):
        if LEFT_OUT & set(path.relative_to(library).parts) or not LEAST_SIZE < path.stat().st_size < MOST_SIZE:
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        files += 1
        for close, far, name in events(tree):
            narrow[close][name] += 1
            wide[far][name] += 1
    text = json.dumps({"narrow": _kept(narrow), "wide": _kept(wide)}, sort_keys=True, separators=(",", ":"))
    target.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
    return f"{files} files of Python {sys.version.split()[0]}, {target.stat().st_size / 1e6:.2f} MB: {target.name}"


def _kept(counts: dict[str, Counter[str]]) -> dict[str, dict[str, int]]:
    kept = {context: {name: n for name, n in seen.items() if n >= LEAST} for context, seen in counts.items()}
    return {context: seen for context, seen in kept.items() if seen}


if __name__ == "__main__":
    print(main(Path(sysconfig.get_path("stdlib")), TABLE))
