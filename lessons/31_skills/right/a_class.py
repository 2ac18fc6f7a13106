import os
import re

import skill_file
from confine import inside


class Skills(dict):
    def __init__(self, folder):
        super().__init__()
        self.folder = folder
        for name in sorted(os.listdir(folder)):
            try:
                self[name] = self.checked(name)
            except (ValueError, OSError):
                pass

    def checked(self, name):
        if len(name) > 64 or re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name) is None:
            raise ValueError("name")
        if not inside(self.folder, name + "/SKILL.md"):
            raise ValueError("place")
        found = skill_file.read(self.folder + "/" + name + "/SKILL.md")
        if found["name"] != name or len(found["description"]) not in range(1, 1025):
            raise ValueError("fields")
        return found

    def __str__(self):
        return "\n".join(f"- {name}: " + re.sub(r"\s+", " ", each["description"]) for name, each in self.items())


def skill(folder, name):
    return Skills(folder).get(name)


def catalogue(folder):
    return str(Skills(folder))


def read_skill(folder, name):
    skills = Skills(folder)
    if name not in skills:
        return f"Error: {name[:50]!r} is none of the skills {list(skills)}"
    text = skills[name]["instructions"]
    return text if len(text) < 10_001 else text[:10_000] + "\n[...]"
