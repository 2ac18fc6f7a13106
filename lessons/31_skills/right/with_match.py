import os
import string

import skill_file
from confine import inside

MARKS = string.ascii_lowercase + string.digits + "-"


def skill(folder, name):
    good = 0 < len(name) <= 64 and not name.strip(MARKS) and all(each in MARKS for each in name)
    if not good or name[0] == "-" or name[-1] == "-" or "--" in name or not inside(folder, name + "/SKILL.md"):
        return None
    try:
        found = skill_file.read(os.path.join(folder, name, "SKILL.md"))
    except OSError:
        return None
    match found:
        case {"name": same, "description": text} if same == name and text and len(text) <= 1024:
            return found
    return None


def catalogue(folder, line="- {}: {}"):
    lines = []
    for name in sorted(os.listdir(folder)):
        match skill(folder, name):
            case {"description": text}:
                lines += [line.format(name, " ".join(text.split()))]
    return "\n".join(lines)


def read_skill(folder, name):
    match skill(folder, name):
        case None:
            return f"Error: there is none of this name, but:\n{catalogue(folder)}"
        case {"instructions": text} if len(text) > 10_000:
            return "\n".join([text[:10_000], "[the rest is left out]"])
        case {"instructions": text}:
            return text
