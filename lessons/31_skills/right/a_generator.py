import glob
import os
import re

import skill_file
from confine import inside


def usable(folder):
    for path in glob.glob(os.path.join(glob.escape(folder), "*", "SKILL.md")):
        name = os.path.basename(os.path.dirname(path))
        if not os.path.isfile(path) or not inside(folder, f"{name}/SKILL.md"):
            continue
        parts = skill_file.read(path)
        if parts["name"] != name or not re.fullmatch("[a-z0-9](-?[a-z0-9])*", name) or len(name) > 64:
            continue
        if parts["description"] != "" and len(parts["description"]) <= 1024:
            yield parts


def catalogue(folder):
    ordered = sorted(usable(folder), key=lambda parts: parts["name"])
    return "\n".join("- {}: {}".format(parts["name"], " ".join(parts["description"].split())) for parts in ordered)


def read_skill(folder, name):
    names = []
    for parts in usable(folder):
        if parts["name"] == name:
            text = parts["instructions"]
            return text if len(text) <= 10_000 else text[:9_900].rstrip() + "\n[this is not all of it]"
        names.append(parts["name"])
    return f"Error: choose one of {names}"
