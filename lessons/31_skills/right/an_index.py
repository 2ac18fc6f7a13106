"""All skills are read first; a name that a model sends is looked up, and never becomes a path."""

from pathlib import Path
from re import compile

from skill_file import read

GOOD = compile("[a-z0-9]+(-[a-z0-9]+)*")


def all_skills(folder):
    index = {}
    for place in sorted(Path(folder).iterdir(), key=lambda each: each.name):
        file = place / "SKILL.md"
        if place.is_symlink() or file.is_symlink() or not file.is_file():
            continue
        parts = read(file)
        words = parts["description"].split()
        fits = 1 <= len(place.name) <= 64 and GOOD.fullmatch(place.name) and parts["name"] == place.name
        if fits and words and len(parts["description"]) <= 1024:
            index[place.name] = (" ".join(words), parts["instructions"])
    return index


def catalogue(folder):
    return "\n".join(f"- {name}: {description}" for name, (description, _) in all_skills(folder).items())


def read_skill(folder, name):
    index = all_skills(folder)
    try:
        _, instructions = index[name]
    except KeyError:
        return "Error: the skills are " + ", ".join(index)
    if len(instructions) <= 10_000:
        return instructions
    cut = instructions.rfind(" ", 0, 10_000)
    return instructions[:cut] + f"\n[{len(instructions) - cut} characters more]"
