"""What a small model is shown before it is asked to make a note, or for one: the notes that are near."""

from __future__ import annotations

from functools import partial

from agent.run import Run
from agent.setup import Help
from config import Settings
from jobs.first_look import Calls, looks_first

LONGEST = 500  # characters of a text that are searched for: a note says at its beginning what it is about


def help_for(settings: Settings, run: Run, order: str) -> Help | None:
    """`order` are the words that a text which becomes a note begins with."""
    return looks_first(settings, run, partial(near, order))


def near(order: str, run: Run) -> Calls:
    query = run.prompt.removeprefix(order).strip()[:LONGEST]
    return [("kb_vector_search", {"query": query})] if "kb_vector_search" in run.catalogue and query else []
