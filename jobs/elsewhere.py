"""Jobs of other packages: entry points of the group "glassbox.jobs", each with the job's name, and a Job as value."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from config import COMMAND, ConfigError

if TYPE_CHECKING:
    from jobs.job import Job

GROUP = "glassbox.jobs"


def names_elsewhere(own: Sequence[str]) -> list[str]:
    """The names of the jobs that installed packages bring; one of ours is ours."""
    return sorted({each.name for each in entry_points(group=GROUP)} - set(own))


def job_of_a_package(name: str, own: Sequence[str], kind: type[Job]) -> Job:
    """Return the job of that name. Raises ConfigError where no package, or more than one, brings it, and where what it
    brings cannot be loaded, or is none."""
    found: list[EntryPoint] = list(entry_points(group=GROUP, name=name))
    if not found:
        there = ", ".join([*own, *names_elsewhere(own)])
        raise ConfigError(f"there is no job {name!r}. It may be {there}. See: {COMMAND} --jobs")
    packages = sorted({each.dist.name if each.dist else each.value for each in found})
    if len(packages) > 1:
        raise ConfigError(
            f"the job {name!r} is in several packages ({', '.join(packages)}). Keep one of them installed."
        )
    try:
        job = found[0].load()
    except Exception as error:  # whatever another's code does where it is loaded
        raise ConfigError(
            f"the job {name!r} of {packages[0]} cannot be loaded ({type(error).__name__}: {error})."
        ) from None
    if not isinstance(job, kind):
        raise ConfigError(f"the job {name!r} of {packages[0]} is no Job: {found[0].value} is a {type(job).__name__}.")
    return job
