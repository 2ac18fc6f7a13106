import os
import re

import skill_file  # given: skill_file.read(path) is a SKILL.md in its parts
from confine import inside  # lesson 3

NAME = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*")  # agentskills.io: at most 64 of these characters
LONGEST_DESCRIPTION = 1024  # characters, by the same format
PAGE = 10_000  # characters of instructions that a model is given


def opened(folder, name):
    """Raises LookupError or OSError for what is no skill to be used."""
    if not NAME.fullmatch(name):
        raise LookupError("a bad name")
    path = f"{name}/SKILL.md"
    if not inside(folder, path):
        raise LookupError("it lies outside")
    parts = skill_file.read(f"{folder}/{path}")
    if parts["name"] != name:
        raise LookupError("another name in it")
    if len(parts["description"]) not in range(1, LONGEST_DESCRIPTION + 1):
        raise LookupError("a description that is too long or missing")
    return parts


def skill(folder, name):
    try:
        return opened(folder, name)
    except (LookupError, OSError):
        return None


def names(folder):
    yield from (name for name in sorted(os.listdir(folder)) if skill(folder, name))


def catalogue(folder):
    lines = []
    for name in names(folder):
        lines += ["- " + name + ": " + " ".join(skill(folder, name)["description"].split())]
    return "\n".join(lines)


def read_skill(folder, name):
    try:
        text = opened(folder, name)["instructions"]
    except (LookupError, OSError) as error:
        return f"Error: {name!r} cannot be read ({error}); take one of: {', '.join(names(folder))}"
    return text[:PAGE] + ("\n[...]" if len(text) > PAGE else "")
