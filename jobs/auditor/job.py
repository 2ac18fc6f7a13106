"""The auditor: finds what is wrong with a collection of data, and proves it with a query that anybody can run again."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agent.gates import Gate
from agent.run import Run
from agent.setup import Help, Hook
from config import COMMAND, ConfigError, Settings
from functions.tool import Resources, Tool
from jobs.auditor.audit import Audit
from jobs.auditor.gates import gates_of
from jobs.auditor.memory import StateMemory
from jobs.auditor.page import page
from jobs.auditor.prompt import PROMPT
from jobs.auditor.report import markdown, partial, report
from jobs.auditor.settings import AuditorSettings
from jobs.auditor.store import Store
from jobs.job import Job, Option, Tell
from reach.database import DUCKDB_FILES, SQLITE_FILES, TEXT_FILES, open_database
from reach.database.database import Failed, Refused
from sandbox.files.root import Root

STORE = "audits.sqlite"


def tools(resources: Resources) -> Iterable[Tool]:
    from jobs.auditor.tools import get_stats, run_query, schema_sample, write_finding

    return [module.TOOL for module in (schema_sample, get_stats, run_query, write_finding)]


@contextmanager
def opens(settings: Settings, root: Root, tell: Tell) -> Iterator[Resources]:
    """The database, the audit of one of its collections, and the store of earlier ones."""
    own = settings.of(AuditorSettings)
    store = Store(own.audit_store or str(settings.runs_directory / STORE))
    with open_database(own.audit_data or str(root.path), tell) as database:
        tell(database.describe())
        try:
            collection = chosen(database, own.audit_collection, tell)
            audit = Audit(database, collection)
        except (Failed, Refused) as problem:  # such as a file that is damaged behind its first page
            raise ConfigError(f"{database.source} cannot be audited: {problem}.") from None
        if not audit.size:
            raise ConfigError(f"{collection} in {database.source} has no rows, so there is nothing to audit.")
        yield {"database": database, "audit": audit, "store": store, "compare": own.audit_compare}


def chosen(database: Any, wanted: str, tell: Tell) -> str:
    """The collection that is asked for, else the largest."""
    names = database.collections()
    if wanted and wanted not in names:
        raise ConfigError(f"there is no collection {wanted!r} in {database.source}; there are {', '.join(names[:40])}.")
    if wanted or len(names) == 1:
        return wanted or names[0]
    largest = max(names, key=database.size)
    others = ", ".join(name for name in names if name != largest)
    tell(f"The largest collection is looked at, {largest}; choose another with --collection: {others}.")
    return largest


class Ended(Hook):
    """The store is told how the audit ended: one that was stopped is no history."""

    def ended(self, run: Run) -> None:
        audit = run.resources["audit"]
        if audit.number:
            run.resources["store"].end(audit.number, "ended" if audit.concluded else "stopped")


def entry(settings: Settings, text: str) -> str:
    """What is asked. A path in its place is data for which --data was forgotten: other data would be audited."""
    words = text.strip()
    if words and not settings.of(AuditorSettings).audit_data and is_data(words):
        how = f"{COMMAND} --job auditor --data {shlex.quote(words)}"
        raise ConfigError(f"{words} is data, and no question about other data. To audit it: {how}")
    return text


def is_data(words: str) -> bool:
    """Whether words are the path of something, or of what only data would be called."""
    if " " not in words and (
        "://" in words or Path(words).suffix.lower() in (*TEXT_FILES, *SQLITE_FILES, *DUCKDB_FILES)
    ):
        return True
    try:
        return Path(words).expanduser().exists()
    except (OSError, ValueError, RuntimeError):  # no name of a file
        return False


def gates(settings: Settings, resources: Resources) -> Sequence[Gate]:
    return gates_of(settings)


def pages(result: Mapping[str, Any], events: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """What `--view` writes beside the trace: the report as a page, and as Markdown."""
    told = result.get("report") or partial(events)
    return {"report.html": page(told), "report.md": markdown(told)}


def help(settings: Settings, run: Run) -> Help | None:
    """What a small model is given."""
    from jobs.auditor.first_look import help_for

    return help_for(settings, run)


JOB = Job(
    name="auditor",
    does="finds what is wrong with a collection of data, and proves it",
    example="python main.py --job auditor --data visits.csv",
    prompt=PROMPT,
    tools=tools,
    workplace="samples/clinic",
    opens=opens,
    gates=gates,
    hooks=lambda settings, held: [Ended()],
    memory=StateMemory,
    help=help,
    report=report,
    settings=AuditorSettings,
    options=(
        Option("--data", "SOURCE", "a file, a folder, postgresql:// or mongodb:// (AUDIT_DATA)", "audit_data"),
        Option("--collection", "NAME", "which table, file or collection (AUDIT_COLLECTION)", "audit_collection"),
        Option("--compare", "AUDIT", "an earlier audit's number to compare with (default: the last)", "audit_compare"),
    ),
    entry=entry,
    default_prompt="Audit the collection: find what is wrong with it, and prove it.",
    pages=pages,
)
