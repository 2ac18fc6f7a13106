"""Glassbox as an installed package: `from glassbox import Agent, AgentConfig, tool`, and the command `glassbox`.

In the clone the rooms (agent/, cli/, config.py, ...) lie beside this folder, in the wheel in it, byte for byte: one
name in site-packages, and what a person reads there is what the pages tell of. The rooms import each other by their
plain names, so the folder that holds them is put on the path here, and only when something of it is used. Rewriting
every import while a wheel is built was weighed: then the code that runs is not the code that is read, and what is named
by a string (a loop, a mind, a child process) breaks where nobody looks.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOMS = HERE if (HERE / "config.py").is_file() else HERE.parent

__all__ = [
    "Agent",
    "AgentConfig",
    "AgentResult",
    "ConfigError",
    "Event",
    "Job",
    "Kept",
    "Result",
    "Root",
    "Tool",
    "ToolError",
    "subagent",
    "tool",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    open_rooms()
    import doors.api

    return getattr(doors.api, name)


def open_rooms() -> None:
    """Put the rooms on the path, before all else. Raises ImportError where this program, or another package, has a
    module of the same name: whichever came first would be taken for the other."""
    if str(ROOMS) in sys.path:
        return
    program = getattr(sys.modules.get("__main__"), "__file__", None)
    for room in sorted({path.stem for path in ROOMS.iterdir() if is_room(path)}):
        found = PathFinder.find_spec(room)
        origin = Path(found.origin).resolve() if found and found.origin else None
        if origin and ROOMS not in origin.parents and not (program and origin == Path(program).resolve()):
            raise ImportError(
                f"Glassbox has a module named {room!r}, and so has {origin}. Rename that one, or start Glassbox "
                "as a process of its own: glassbox --json ..."
            )
    sys.path.insert(0, str(ROOMS))


def is_room(path: Path) -> bool:
    own = path.stem.startswith("__") or path == HERE
    return not own and (path.suffix == ".py" or (path / "__init__.py").is_file())
