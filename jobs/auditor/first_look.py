"""What a small model is shown before it is asked to audit: the profile of the collection."""

from __future__ import annotations

from agent.run import Run
from agent.setup import Help
from config import Settings
from jobs.first_look import Calls, looks_first


def help_for(settings: Settings, run: Run) -> Help | None:
    return looks_first(settings, run, profiled)


def profiled(run: Run) -> Calls:
    return [("schema_sample", {})]
