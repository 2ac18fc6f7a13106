"""The real agent in place of the learner's skills: its folders of instructions, and the tool that reads one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from config import ConfigError
from jobs.equipment.read_skill import read_skill as tool
from reach.skills import Skills


@contextmanager
def opened(folder: str) -> Iterator[Skills]:
    try:
        skills = Skills([folder])
    except ConfigError:  # a folder that holds none is the person's mistake
        skills = Skills([])
    yield skills
    skills.close()


def catalogue(folder: str) -> str:
    with opened(folder) as skills:
        return "\n".join(line for line in skills.prompt().split("\n") if line.startswith("- "))


def read_skill(folder: str, name: str) -> str:
    with opened(folder) as skills:
        return str(tool(skills, name))
