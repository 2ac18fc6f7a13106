"""The built-in model's minds, one folder a job: what is asked, what to do next, what to say.

A mind is a `mind.py` in a folder of its own beside this file, with `TOOLS`, the names of the tools it knows (a name may
hold "*"), and `decide(conversation, think, cancelled) -> Decision`. Adding a mind is adding a folder.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from types import ModuleType

from offline.wire.conversation import Conversation, Decision, Think

Decide = Callable[[Conversation, Think, threading.Event], Decision]
DEFAULT = "coder"


def decide(conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Let the mind decide that knows most of the conversation's tools; a client that is none of ours is the coder's, by
    way of its own tools."""
    from offline.foreign import answering  # after the minds: it is made of the coder's

    mind = mind_for(conversation.known)
    if answering.is_foreign(conversation, is_strange=getattr(mind, "STRANGERS", False)):
        return answering.decide(conversation, think, cancelled)
    return mind.decide(conversation, think, cancelled)


def mind_for(tools: frozenset[str]) -> ModuleType:
    """Return the mind that knows most of the tools; of several the one that knows least beside them, then the coder.
    One that knows none of them is never taken, but for the coder, or where all of them are strange one that picks among
    STRANGERS. A name with "*" counts as one, whatever it fits: with
    the many tools of a server beside its own, a job stays that job."""

    def fitness(name: str) -> tuple[int, int, bool, bool]:
        known = minds()[name].TOOLS
        fitting = sum(any(fnmatchcase(tool, pattern) for tool in tools) for pattern in known)
        strangers = bool(tools) and not fitting and getattr(minds()[name], "STRANGERS", False)
        return fitting, -len(known) if fitting else 0, strangers, name == DEFAULT

    return minds()[max(minds(), key=fitness)]


@cache
def minds() -> dict[str, ModuleType]:
    """The minds by name, in the order of their names."""
    names = sorted(path.parent.name for path in Path(__file__).parent.glob("*/mind.py"))
    return {name: importlib.import_module(f"offline.{name}.mind") for name in names}
