"""What an agent is for: coder.py, and one folder for each other job, known to the command line by being there."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from config import ConfigError

if TYPE_CHECKING:
    from jobs.job import Job

DEFAULT = "coder"


def names() -> list[str]:
    """The names of all jobs, the default first."""
    return [DEFAULT, *sorted(path.parent.name for path in Path(__file__).parent.glob("*/job.py"))]


def job_named(name: str) -> Job:
    """Return a job. Raises ConfigError with the names that there are."""
    if name not in names():
        raise ConfigError(f"there is no job {name!r}. It may be {', '.join(names())}. See: python main.py --jobs")
    job: Job = import_module(f"jobs.{name}" if name == DEFAULT else f"jobs.{name}.job").JOB
    return job
