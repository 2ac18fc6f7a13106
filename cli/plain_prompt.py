"""A prompt read from a plain terminal, with the keys of readline where there is one."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

PROMPT = "> "
MOST_HISTORY = 1000  # prompts that are remembered
TOGETHER_SECONDS = 0.05  # between two lines of a paste; nobody types the next line so soon
LARGEST_PROMPT = 2**20  # characters that are taken for one prompt


def asked(left: Sequence[str]) -> str:
    """One prompt: a line, or all the lines that came with it. What is pasted is one prompt, and not a run a line: most
    terminals mark it (bracketed paste, which readline understands), and of the others the lines come at once. The lines
    that no run has taken (`left`) are the next prompt."""
    for line in left:
        print(f"{PROMPT}{line}", file=sys.stderr)
        if "readline" in sys.modules:  # which remembers by itself what it read itself
            sys.modules["readline"].add_history(line)
    first, more = "\n".join(left) or input(PROMPT), b""
    while os.name != "nt" and len(more) < LARGEST_PROMPT:
        if not select.select([sys.stdin.fileno()], [], [], TOGETHER_SECONDS)[0]:
            break
        data = os.read(sys.stdin.fileno(), 65536)  # past Python's buffer, which select() does not know
        if not data:
            break
        more += data
    return f"{first}\n{more.decode('utf-8', 'replace')}"


@contextlib.contextmanager
def prompt_history(path: Path) -> Iterator[None]:
    """The arrow keys bring back earlier prompts, also those of other days, where there is a readline."""
    try:
        import readline
    except ImportError:
        yield
        return
    readline.set_history_length(MOST_HISTORY)
    readline.parse_and_bind("set enable-bracketed-paste on")  # Python turns it off
    with contextlib.suppress(OSError):
        readline.read_history_file(path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            readline.write_history_file(path)
            path.chmod(0o600)
