"""Lesson 31: read it when you need it."""

import os
import re

import skill_file  # given: skill_file.read(path) is a SKILL.md in its parts
from confine import inside  # lesson 3

NAME = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*")  # agentskills.io: at most 64 of these characters
LONGEST_DESCRIPTION = 1024  # characters, by the same format
PAGE = 10_000  # characters of instructions that a model is given


def skill(folder, name):
    """Return {"name", "description", "instructions"} of the skill in folder/name/SKILL.md, None where none is to be used."""
    path = f"{name}/SKILL.md"
    if not NAME.fullmatch(name) or not inside(folder, path) or not os.path.isfile(os.path.join(folder, path)):
        return None
    found = skill_file.read(os.path.join(folder, path))
    if found["name"] != name or not 0 < len(found["description"]) <= LONGEST_DESCRIPTION:
        return None
    return found


def catalogue(folder):
    """What the system prompt says of the skills in a folder: "- name: description", a line each, sorted by name."""
    found = [skill(folder, name) for name in sorted(os.listdir(folder))]
    return "\n".join(f"- {each['name']}: {' '.join(each['description'].split())}" for each in found if each)


def read_skill(folder, name):
    """The tool: the instructions of one skill, or "Error: " and the names of those that there are."""
    found = skill(folder, name)
    if not found:
        return f"Error: there is no skill {name!r}; there are:\n{catalogue(folder)}"
    text = found["instructions"]
    if len(text) > PAGE:
        return f"{text[:PAGE]}\n[cut after {PAGE:,} of {len(text):,} characters]"
    return text
