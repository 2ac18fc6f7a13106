"""Lesson 16: say where it stands."""

import re


def anchor(heading):
    """What a link to a heading says, as GitHub makes it: `Undo a commit?` becomes `undo-a-commit`."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def told_apart(name, found):
    """The second `usage` of a page is `usage-1`, the third `usage-2`."""
    same = [name, *(f"{name}-{number}" for number in range(1, 1000))]
    return next(each for each in same if each not in found)


def cited(answer):
    """The places that an answer names in its lines `Source: ...`."""
    lines = re.findall(r"^Source: *(.+)$", answer, re.MULTILINE)
    return [place.strip() for line in lines for place in line.split(",")]


def sections(text):
    """Return {anchor: the text below that heading} for every heading of a Markdown page."""
    found, name, fenced = {}, "", False
    for line in text.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        if re.match("#{1,6}[ \t]", line) and not fenced:
            name = told_apart(anchor(line.lstrip("#")), found)
            found[name] = ""
        elif name:
            found[name] += line + "\n"
    return found


def objection(answer, read):
    """Return "" when the answer may be taken, else what to tell the model. `read` is {path: what was shown of it}."""
    if not cited(answer):
        return "Your answer does not say where it is from. End it with a line Source: and what you have read."
    for place in cited(answer):
        path, _, name = place.partition("#")
        if path not in read:
            return f"{path} was not read in this run: read it first, or name what you have read."
        if name and name not in sections(read[path]):
            return f"{path} has no section #{name}; it has {', '.join(sections(read[path]))}."
    return ""
