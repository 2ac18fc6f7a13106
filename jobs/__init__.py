"""What an agent is for: coder.py, and one folder for each other job, known to the command line by being there."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jobs.job import Job

DEFAULT = "coder"


def names() -> list[str]:
    """The names of all jobs, the default first."""
    return [DEFAULT, *sorted(path.parent.name for path in Path(__file__).parent.glob("*/job.py"))]


def job_named(name: str) -> Job:
    """Return a job, this program's own or another package's. Raises ConfigError with the names that there are."""
    if name in names():
        job: Job = import_module(f".{name}" if name == DEFAULT else f".{name}.job", __package__).JOB
        return job
    from jobs.elsewhere import job_of_a_package

    return job_of_a_package(name, names())
