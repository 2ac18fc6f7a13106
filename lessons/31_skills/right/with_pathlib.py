from pathlib import Path
import os
import re

import skill_file  # given: skill_file.read(path) is a SKILL.md in its parts
from confine import inside  # lesson 3

NAME = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*")  # agentskills.io: at most 64 of these characters
LONGEST_DESCRIPTION = 1024  # characters, by the same format
PAGE = 10_000  # characters of instructions that a model is given


def skill(folder, name):
    file = Path(folder) / name / "SKILL.md" if NAME.fullmatch(name) else None
    if not file or not inside(folder, f"{name}/SKILL.md") or not file.is_file():
        return None
    found = skill_file.read(file)
    if found["name"] != name or not 1 <= len(found["description"]) <= LONGEST_DESCRIPTION:
        return None
    return found


def usable(folder):
    return {path.name: found for path in sorted(Path(folder).iterdir()) if (found := skill(folder, path.name))}


def catalogue(folder):
    return "\n".join(f"- {name}: {' '.join(one['description'].split())}" for name, one in usable(folder).items())


def read_skill(folder, name):
    if not (found := skill(folder, name)):
        return f"Error: no skill {name!r}; the skills are {', '.join(usable(folder)) or 'none'}"
    text = found["instructions"]
    return text if len(text) <= PAGE else f"{text[:PAGE]}\n[cut here: {len(text) - PAGE} characters more]"
