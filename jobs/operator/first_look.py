"""What a small model is shown before it is asked to operate: what the servers list without being told what."""

from __future__ import annotations

import re

from agent.run import Run
from agent.setup import Help
from config import Settings
from jobs.first_look import Calls, looks_first

OF_A_SERVER = re.compile(r"\w+?__(?P<name>.+)")
LISTS = re.compile(r"list|status|state|overview|health", re.IGNORECASE)


def help_for(settings: Settings, run: Run) -> Help | None:
    return looks_first(settings, run, listed)


def listed(run: Run) -> Calls:
    """The calls of the servers' tools that only read, by their names list or tell a state, and need no argument."""
    calls = []
    for name, tool in run.catalogue.items():
        needed = tool.schema["parameters"].get("required")
        found = OF_A_SERVER.fullmatch(name)
        if found and LISTS.search(found["name"]) and tool.reads_only is True and not needed:
            calls.append((name, {}))
    return calls
