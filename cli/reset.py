"""Put the calculator back as shipped. What was changed or added is moved aside, never deleted."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from config import PROJECT, ConfigError

SHIPPED = PROJECT / "cli" / "calculator_as_shipped"
CALCULATOR = PROJECT / "calculator"


def reset_calculator(calculator: Path = CALCULATOR, shipped: Path = SHIPPED, kept: Path = PROJECT / ".runs") -> str:
    """Make `calculator` equal to `shipped` and return a sentence that says what was done.

    The old directory is moved below `kept` when anything in it differs. Raises ConfigError when the disk refuses.
    """
    if contents(calculator) == contents(shipped):
        return "The calculator is as shipped; nothing to reset."
    aside = kept / f"before-reset-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    fresh = calculator.with_name(f".{calculator.name}-{os.getpid()}")
    try:
        kept.mkdir(exist_ok=True)
        shutil.copytree(shipped, fresh)
        if calculator.exists():
            calculator.rename(aside)
        fresh.rename(calculator)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        advice = "Close what uses it, then try again."
        raise ConfigError(f"the calculator could not be reset ({error.strerror}). {advice}") from None
    if not aside.exists():
        return "The calculator is as shipped again."
    return f"The calculator is as shipped again. What was there lies in {aside.relative_to(kept.parent)}."


def contents(directory: Path) -> dict[str, bytes]:
    """Return path and content of every file, without what Python caches."""
    files = (path for path in sorted(directory.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}
