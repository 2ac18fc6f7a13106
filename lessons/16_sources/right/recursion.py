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


def below(lines, fenced=False):
    """Split lines into what stands before the next heading, and what begins with it."""
    if not lines:
        return [], []
    first, *rest = lines
    if not fenced and re.match("#{1,6}[ \t]", first):
        return [], lines
    text, others = below(rest, fenced != first.startswith("```"))
    return [first, *text], others


def gather(lines, found):
    if not lines:
        return found
    heading, *rest = lines
    text, others = below(rest)
    name = told_apart(anchor(heading.lstrip("#")), found)
    return gather(others, {**found, name: "\n".join(text) + "\n"})


def sections(text):
    return gather(below(text.split("\n"))[1], {})


def first_of(sources, read):
    if not sources:
        return ""
    path, *names = sources[0].split("#", 1)
    if path not in read:
        return f"the file {path!r} was not read in this run"
    if names and names[0] not in sections(read[path]):
        return f"{path!r} has no section {names[0]!r}, only {sorted(sections(read[path]))}"
    return first_of(sources[1:], read)


def objection(answer, read):
    return first_of(cited(answer), read) if cited(answer) else "say where this stands: Source: path#section"
