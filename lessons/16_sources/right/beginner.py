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


def is_heading(line):
    count = 0
    while count < len(line) and line[count] == "#":
        count = count + 1
    if count < 1:
        return False
    if count > 6:
        return False
    if len(line) == count:
        return False
    return line[count] == " " or line[count] == "\t"


def sections(text):
    result = {}
    current = None
    inside_code = False
    lines = text.split("\n")
    for i in range(len(lines)):
        line = lines[i]
        if line[0:3] == "```":
            if inside_code:
                inside_code = False
            else:
                inside_code = True
        if inside_code == False and is_heading(line) == True:  # noqa: E712
            title = line
            while title[0] == "#":
                title = title[1:]
            current = told_apart(anchor(title), result)
            result[current] = ""
        else:
            if current is not None:
                result[current] = result[current] + line + "\n"
    return result


def objection(answer, read):
    places = cited(answer)
    if len(places) == 0:
        return "The answer has no source. Please add one."
    for place in places:
        if "#" in place:
            position = place.index("#")
            path = place[:position]
            name = place[position + 1 :]
        else:
            path = place
            name = None
        if path not in read.keys():
            return "The file " + path + " was not read."
        if name is not None:
            all_sections = sections(read[path])
            if name not in all_sections.keys():
                message = "There is no section " + name + " in " + path + ". There are these:"
                for each in all_sections.keys():
                    message = message + " " + each
                return message
    return ""
