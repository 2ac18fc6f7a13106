"""The built-in model's minds, one folder a job: what is asked, what to do next, what to say.

A mind is a folder beside this file: its `__init__.py` has `TOOLS`, the names of the tools that it knows (a name may
hold "*"), its `mind.py`, which is loaded once it is needed, `decide(conversation, think, cancelled) -> Decision`.
Adding a mind is adding a folder.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from types import ModuleType

from offline.foreign import is_ours
from offline.wire.conversation import Conversation, Decision, Think

Decide = Callable[[Conversation, Think, threading.Event], Decision]
DEFAULT = "coder"


def decide(conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Let the mind decide that knows most of the conversation's tools; a client that is none of ours is the coder's, by
    way of its own tools."""
    folder = mind_for(conversation.known)
    if not is_ours(conversation):
        from offline.foreign import answering

        if answering.is_foreign(conversation, is_strange=getattr(folder, "STRANGERS", False)):
            return answering.decide(conversation, think, cancelled)
    decision: Decision = importlib.import_module(f"{folder.__name__}.mind").decide(conversation, think, cancelled)
    return decision


def mind_for(tools: frozenset[str]) -> ModuleType:
    """Return the folder of the mind that knows most of the tools; of several the one that knows least beside them, then
    the coder. One that knows none of them is never taken, but for the coder, or where all of them are strange one that
    picks among STRANGERS. A name with "*" counts as one, whatever it fits: with the many tools of a server beside its
    own, a job stays that job."""

    def fitness(name: str) -> tuple[int, int, bool, bool]:
        known = minds()[name].TOOLS
        fitting = sum(any(fnmatchcase(tool, pattern) for tool in tools) for pattern in known)
        strangers = bool(tools) and not fitting and getattr(minds()[name], "STRANGERS", False)
        return fitting, -len(known) if fitting else 0, strangers, name == DEFAULT

    return minds()[max(minds(), key=fitness)]


@cache
def minds() -> dict[str, ModuleType]:
    """The folders of the minds by name, in the order of their names."""
    names = sorted(path.parent.name for path in Path(__file__).parent.glob("*/mind.py"))
    return {name: importlib.import_module(f"offline.{name}") for name in names}
