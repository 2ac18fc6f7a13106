import os

import confine
import skill_file
from skill_file import LARGEST

LETTERS = set("abcdefghijklmnopqrstuvwxyz0123456789")


def named_well(name):
    parts = name.split("-")
    return len(name) < 65 and all(part and set(part) <= LETTERS for part in parts)


def skill(folder, name):
    if named_well(name) and confine.inside(folder, name) and confine.inside(folder, f"{name}/SKILL.md"):
        file = os.path.join(folder, name, "SKILL.md")
        if os.path.isfile(file) and os.path.getsize(file) <= 4 * LARGEST:
            parts = skill_file.read(file)
            if parts["name"] == name and parts["description"] and len(parts["description"]) < 1025:
                return parts


def catalogue(folder):
    lines = []
    with os.scandir(folder) as entries:
        for entry in entries:
            parts = skill(folder, entry.name)
            if parts is not None:
                lines.append((entry.name, "- " + entry.name + ": " + " ".join(parts["description"].split())))
    return "\n".join(line for _, line in sorted(lines))


def read_skill(folder, name):
    parts = skill(folder, name)
    if parts is None:
        return "Error: no such skill. These are there:\n\n" + (catalogue(folder) or "none")
    text, rest = parts["instructions"][:10_000], parts["instructions"][10_000:]
    return text + (f"\n[and {len(rest)} characters]" if rest else "")
