import glob
import os
import re

import skill_file  # given: skill_file.read(path) is a SKILL.md in its parts
from confine import inside  # lesson 3

NAME = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*")  # agentskills.io: at most 64 of these characters
LONGEST_DESCRIPTION = 1024  # characters, by the same format
PAGE = 10_000  # characters of instructions that a model is given


def skill(folder, name):
    path = f"{name}/SKILL.md"
    tests = [
        lambda: NAME.fullmatch(name),
        lambda: inside(folder, path),
        lambda: os.path.isfile(os.path.join(folder, path)),
        lambda: skill_file.read(os.path.join(folder, path))["name"] == name,
        lambda: 0 < len(skill_file.read(os.path.join(folder, path))["description"]) < LONGEST_DESCRIPTION + 1,
    ]
    return skill_file.read(os.path.join(folder, path)) if all(test() for test in tests) else None


def found_in(folder):
    paths = glob.glob("*/SKILL.md", root_dir=folder)
    skills = filter(None, (skill(folder, os.path.dirname(path)) for path in paths))
    return sorted(skills, key=lambda each: each["name"])


def catalogue(folder):
    return "\n".join("- {name}: {0}".format(re.sub(r"\s+", " ", s["description"]), **s) for s in found_in(folder))


def read_skill(folder, name):
    match skill(folder, name):
        case {"instructions": text} if len(text) > PAGE:
            return "\n".join([text[:PAGE], "[There is more, which does not fit.]"])
        case {"instructions": text}:
            return text
        case None:
            return "Error: I know these skills alone: " + " ".join(each["name"] for each in found_in(folder))
