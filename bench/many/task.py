"""A run that is to be made, as plain data: it can go to another process, and to another machine."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.files.root import IGNORED

Packed = dict[str, str]  # path -> what stands in it, in base64


@dataclass(frozen=True)
class Task:
    """`work` names what does it, "package.module:function", which is called with `data` (as JSON can carry it) and the
    seed and gives the fields of a record. Past `limit` seconds it hangs, and whoever does it is killed."""

    name: str
    repeat: int
    work: str
    data: Mapping[str, Any]
    limit: float

    @property
    def key(self) -> tuple[str, int]:
        return self.name, self.repeat


def digest(data: Any) -> str:
    """A short name of some data, that is another one when anything in it differs."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()[:12]


def pack(folder: Path) -> Packed:
    """Return the files below a folder, as a task carries them."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    parts = {path.relative_to(folder).as_posix(): path for path in files}
    kept = {name: path for name, path in parts.items() if not {*Path(name).parts} & {*IGNORED}}
    return {name: base64.b64encode(path.read_bytes()).decode() for name, path in kept.items()}


def unpack(packed: Mapping[str, str], folder: Path) -> None:
    """Write packed files below a folder. Raises OSError when a link in it leads out."""
    for name, text in packed.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.parent.resolve().is_relative_to(folder.resolve()):
            raise OSError(f"{name} leads out of its folder")
        path.unlink(missing_ok=True)  # a link in its place would be written through
        path.write_bytes(base64.b64decode(text))
