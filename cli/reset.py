"""Put the calculator back as shipped. What was changed or added is moved aside, never deleted."""

from __future__ import annotations

import io
import os
import shutil
import time
import zipfile
from pathlib import Path

from config import PLACE, PROJECT, ConfigError

SHIPPED = PROJECT / "samples" / "calculator.zip"
CALCULATOR = PLACE / "calculator"


def reset_calculator(calculator: Path = CALCULATOR, kept: Path = PLACE / ".runs") -> str:
    """Make `calculator` what is shipped and return a sentence that says what was done.

    The old directory is moved below `kept` when anything in it differs. Raises ConfigError when the disk refuses.
    """
    if contents(calculator) == shipped():
        return "The calculator is as shipped; nothing to reset."
    aside = kept / f"before-reset-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    fresh = calculator.with_name(f".{calculator.name}-{os.getpid()}")
    try:
        kept.mkdir(exist_ok=True)
        put_calculator(fresh)
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


def put_calculator(folder: Path) -> Path:
    """Put the calculator as shipped, bug included, into a new folder, and return the folder. Raises OSError."""
    folder.mkdir(parents=True)
    for name, data in shipped().items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return folder


def shipped() -> dict[str, bytes]:
    """Path and content of every file of the calculator as shipped."""
    with zipfile.ZipFile(SHIPPED) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def contents(directory: Path) -> dict[str, bytes]:
    """Return path and content of every file, without what Python caches."""
    files = (path for path in sorted(directory.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}


def packed(files: dict[str, bytes]) -> bytes:
    """What `SHIPPED` holds for these files: the same bytes for the same files, whenever and wherever it is made."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:  # stored: what is compressed differs with the version of zlib
        for name in sorted(files):
            member = zipfile.ZipInfo(name)
            member.create_system, member.external_attr = 3, 0o644 << 16  # as on Linux, also when made on Windows
            archive.writestr(member, files[name])
    return made.getvalue()
