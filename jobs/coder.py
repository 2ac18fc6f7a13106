"""The coder, the default: it reads, edits, runs and tests the files of one directory."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from agent.gates import Gate, Verified
from config import Settings
from jobs.job import Held, Job
from prompts import PARTS


def tools(held: Held) -> Iterable[ModuleType]:
    """Looking comes first: a model tends to take what it is told of first."""
    from functions import (
        edit_file,
        get_dir_info,
        get_file_content,
        run_python_file,
        run_tests,
        search_files,
        write_file,
    )

    return get_dir_info, get_file_content, search_files, run_tests, run_python_file, edit_file, write_file


def gates(settings: Settings, held: Held) -> list[Gate]:
    """What was changed must have been run, unless the person turned that off."""
    return [Verified()] if settings.verify else []


JOB = Job(
    name="coder",
    does="reads, edits, runs and tests the files of one directory",
    example='python main.py "fix the bug"',
    prompt=PARTS["coder"],
    tools=tools,
    gates=gates,
)
