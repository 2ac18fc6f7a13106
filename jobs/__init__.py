"""What an agent is for, one file a job. A job that is added here is known to the command line by its file alone."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from config import ConfigError

if TYPE_CHECKING:
    from jobs.job import Job

DEFAULT = "coder"
NO_JOBS = frozenset(("equipped", "job"))  # what a job is made of


def names() -> list[str]:
    """The names of all jobs, the default first."""
    found = {path.stem for path in Path(__file__).parent.glob("[a-z]*.py")} - NO_JOBS - {DEFAULT}
    return [DEFAULT, *sorted(found)]


def job_named(name: str) -> Job:
    """Return a job. Raises ConfigError with the names that there are."""
    if name not in names():
        raise ConfigError(f"there is no job {name!r}. It may be {', '.join(names())}. See: python main.py --jobs")
    return import_module(f"jobs.{name}").JOB
