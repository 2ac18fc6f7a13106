"""The coder, the default: it reads, edits, runs and tests the files of one directory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from agent.gates import Gate, Verified
from agent.run import Run
from agent.setup import Help
from config import Settings
from functions.tool import Resources, Tool
from jobs.job import Job, Tell
from prompts import CODER
from sandbox.files.root import Root

BUILT_IN = "glassbox-offline"  # its name among a server's models


def tools(resources: Resources) -> Iterable[Tool]:
    """Looking comes first: a model tends to take what it is told of first. git is there in a repository."""
    from functions import (
        edit_file,
        get_dir_info,
        get_file_content,
        run_python_file,
        run_tests,
        search_files,
        write_file,
    )

    modules = [get_dir_info, get_file_content, search_files, run_tests, run_python_file, edit_file, write_file]
    if "repository" in resources:
        from functions import git_diff, git_status

        modules += [git_status, git_diff]
    return [module.TOOL for module in modules]


@contextmanager
def opens(settings: Settings, root: Root, tell: Tell) -> Iterator[Resources]:
    """The repository that the directory lies in, where there is one that git may be used on."""
    if not any(os.path.lexists(folder / ".git") for folder in (root.path, *root.path.parents)):
        yield {}
        return
    from reach.repository import repository_for

    with repository_for(root, tell) as repository:
        yield {"repository": repository} if repository else {}


def gates(settings: Settings, resources: Resources) -> list[Gate]:
    """What was changed must have been run, unless the person turned that off."""
    return [Verified()] if settings.verify else []


def help(settings: Settings, run: Run) -> Help | None:
    """What a small model is given; the built-in one, on whichever wire, needs nothing, and reads no suspects."""
    if run.provider == "offline" or run.model.startswith(BUILT_IN):
        from functions import run_tests

        run.catalogue.replace(run_tests.PLAIN if name == "run_tests" else tool for name, tool in run.catalogue.items())
        return None
    from jobs.small_models import help_for

    return help_for(settings, run)


JOB = Job(
    name="coder",
    does="reads, edits, runs and tests the files of one directory",
    example='python main.py "fix the bug"',
    prompt=CODER,
    tools=tools,
    opens=opens,
    gates=gates,
    help=help,
)
