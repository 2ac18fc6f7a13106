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


class NotSeen(Exception):
    """A place that was not shown to the model."""


def headings(text):
    """The lines that are headings, as (number of the line, title)."""
    open_fence = False
    for number, line in enumerate(text.split("\n")):
        open_fence ^= line.startswith("```")
        marks, space, title = line.replace("\t", " ").partition(" ")
        if space and not open_fence and marks in ("#", "##", "###", "####", "#####", "######"):
            yield number, title


def sections(text):
    lines, found = text.split("\n"), {}
    marks = list(headings(text))
    ends = [number for number, _ in marks[1:]] + [len(lines)]
    for (number, title), end in zip(marks, ends):
        found[told_apart(anchor(title), found)] = "\n".join(lines[number + 1 : end]).strip("\n")
    return found


def look(place, read):
    path, _, name = place.partition("#")
    try:
        page = sections(read[path])
    except KeyError:
        raise NotSeen(f"{path} is not among what was read ({', '.join(read) or 'nothing'})") from None
    if name and name not in page:
        raise NotSeen(f"{path} has no {name}; its sections are {', '.join(page) or 'none'}")


def objection(answer, read):
    problems = []
    for place in cited(answer):
        try:
            look(place, read)
        except NotSeen as error:
            problems.append(str(error))
    if not cited(answer):
        problems.append("no source stands in the answer")
    return "; ".join(problems)
