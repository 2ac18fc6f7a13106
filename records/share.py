"""What is taken out of a run before it is shown to others: what looks like a key, and where the person's home is.

The keys that the program itself was given never stand in a trace (records/trace.py). A file or a command's output may
hold others.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

REMOVED = "[key removed]"
# The shapes that providers give their keys, so that scanners find them.
KEYS = re.compile(
    r"\bsk-[A-Za-z0-9_-]{20,}|\bAIza[0-9A-Za-z_-]{35}|\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{22,}"
    r"|\bglpat-[A-Za-z0-9_-]{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bhf_[A-Za-z0-9]{30,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    re.DOTALL,
)


def to_share(value: Any) -> Any:
    """Text, or data with texts in it, without what is nobody else's."""
    if isinstance(value, str):
        return _without_home(KEYS.sub(REMOVED, value))
    if isinstance(value, list):
        return [to_share(item) for item in value]
    if isinstance(value, dict):
        return {name: to_share(item) for name, item in value.items()}
    return value


def _without_home(text: str) -> str:
    home = _home()
    return re.sub(rf"{re.escape(home)}\b", "~", text) if home in text else text


@cache
def _home() -> str:
    try:
        return str(Path.home())
    except RuntimeError:  # an account without one
        return "~"
