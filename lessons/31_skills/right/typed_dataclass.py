from __future__ import annotations
from dataclasses import asdict, dataclass
import os
import re

import skill_file  # given: skill_file.read(path) is a SKILL.md in its parts
from confine import inside  # lesson 3

NAME = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*")  # agentskills.io: at most 64 of these characters
LONGEST_DESCRIPTION = 1024  # characters, by the same format
PAGE = 10_000  # characters of instructions that a model is given


@dataclass(frozen=True, order=True)
class Skill:
    name: str
    description: str
    instructions: str

    def line(self) -> str:
        return f"- {self.name}: " + re.sub(r"\s+", " ", self.description)

    def page(self) -> str:
        if len(self.instructions) <= PAGE:
            return self.instructions
        return self.instructions[:PAGE] + f"\n[{len(self.instructions) - PAGE} characters are left out]"


def load(folder: str, name: str) -> Skill | None:
    path: str = f"{name}/SKILL.md"
    if NAME.fullmatch(name) is None or not inside(folder, path):
        return None
    try:
        found = Skill(**skill_file.read(os.path.join(folder, path)))
    except OSError:
        return None
    right: bool = found.name == name and 0 < len(found.description) <= LONGEST_DESCRIPTION
    return found if right else None


def everyone(folder: str) -> list[Skill]:
    loaded: list[Skill | None] = [load(folder, name) for name in os.listdir(folder)]
    return sorted(one for one in loaded if one is not None)


def skill(folder: str, name: str) -> dict[str, str] | None:
    found: Skill | None = load(folder, name)
    return None if found is None else asdict(found)


def catalogue(folder: str) -> str:
    return "\n".join(one.line() for one in everyone(folder))


def read_skill(folder: str, name: str) -> str:
    found: Skill | None = load(folder, name)
    if found is None:
        return "Error: no such skill. There are: " + ", ".join(one.name for one in everyone(folder))
    return found.page()
