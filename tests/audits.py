"""Audits as tests run them: the real job, the real loop, over real HTTP."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scripted import scripted
from wire_run import loop_of, settings_for

from agent.contracts import AgentResult
from agent.events import Listener
from bench.faults import Table
from config import Settings, checks_of
from functions.tool import Resources
from jobs.auditor.job import JOB
from jobs.auditor.settings import AuditorSettings
from sandbox.files.root import Root


def audit(
    address: str, wire: str, source: str, place: Path, *, listeners: Sequence[Listener] = (), **changes: Any
) -> AgentResult:
    """Audit a source with the model at an address."""
    own = AuditorSettings(source, **{name: changes.pop(name) for name in checks_of(AuditorSettings) if name in changes})
    settings = settings_for(wire, address, jobs=(own,), runs_directory=place / "runs", **changes)
    return run_with(settings, wire, place, listeners)


def run_with(
    settings: Settings, wire: str, place: Path, listeners: Sequence[Listener] = (), resources: Resources | None = None
) -> AgentResult:
    """Run the job on what its settings name, or on what is `resources` already."""
    place.mkdir(exist_ok=True)
    name = "gemini" if wire == "gemini" else "lmstudio"
    settings = replace(settings, llm_provider=name)
    opened = contextlib.nullcontext(resources) if resources else None
    with Root(place) as root, opened or JOB.opens(settings, root, lambda line: None) as holding:
        run = JOB.begin(name, root, settings, list(listeners), resources=holding)
        return loop_of(wire)(JOB.default_prompt, settings, run)


def audit_by_script(calls: Sequence[Any], wire: str, source: str, place: Path, **changes: Any) -> Any:
    """Audit with a model that says what the test tells it to; return the result and the script with its requests."""
    with scripted(*calls) as script:
        changes = {"max_iters": 0, "max_repeats": 0, **changes}
        return audit(script.address, wire, source, place, **changes), script


def write_csv(path: Path, table: Table) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    return str(path)
