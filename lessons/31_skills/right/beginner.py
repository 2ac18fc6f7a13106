import os
import re

import skill_file  # given: skill_file.read(path) is a SKILL.md in its parts
from confine import inside  # lesson 3

NAME = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*")  # agentskills.io: at most 64 of these characters
LONGEST_DESCRIPTION = 1024  # characters, by the same format
PAGE = 10_000  # characters of instructions that a model is given


def skill(folder, name):
    if not NAME.fullmatch(name):
        return None
    path = name + "/SKILL.md"
    if not inside(folder, path):
        return None
    full = os.path.join(folder, path)
    if not os.path.isfile(full):
        return None
    parts = skill_file.read(full)
    if parts["name"] != name:
        return None
    if len(parts["description"]) < 1:
        return None
    if len(parts["description"]) > LONGEST_DESCRIPTION:
        return None
    return parts


def catalogue(folder):
    names = []
    for name in os.listdir(folder):
        if skill(folder, name) is not None:
            names.append(name)
    names.sort()
    text = ""
    for name in names:
        description = skill(folder, name)["description"]
        description = " ".join(description.split())
        if text != "":
            text = text + "\n"
        text = text + "- " + name + ": " + description
    return text


def read_skill(folder, name):
    found = skill(folder, name)
    if found is None:
        names = []
        for other in os.listdir(folder):
            if skill(folder, other) is not None:
                names.append(other)
        return "Error: there is no skill " + name + ". There are: " + ", ".join(sorted(names))
    text = found["instructions"]
    if len(text) > PAGE:
        text = text[:PAGE] + "\n[The rest is cut off.]"
    return text
