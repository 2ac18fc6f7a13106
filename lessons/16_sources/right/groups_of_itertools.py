import itertools
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
    lines = text.split("\n")
    fences = itertools.accumulate(line.startswith("```") for line in lines)
    heads = [bool(re.match(r"#{1,6}\s", line)) and count % 2 == 0 for line, count in zip(lines, fences)]
    numbers = itertools.accumulate(heads)
    found = {}
    for number, pairs in itertools.groupby(zip(numbers, lines), key=lambda pair: pair[0]):
        if number:
            head, *body = [line for _, line in pairs]
            found[told_apart(anchor(head.split(None, 1)[1]), found)] = "\n".join(body)
    return found


def complaints(sources, read):
    if not sources:
        yield "No source: add a line that begins with Source:"
    for file, _, part in (source.partition("#") for source in sources):
        if file not in read:
            yield f"{file} was not read."
        elif part and part not in (there := sections(read[file])):
            yield f"{file} holds no #{part}. There are: " + ", ".join(f"#{name}" for name in there)


def objection(answer, read):
    return next(complaints(cited(answer), read), "")
