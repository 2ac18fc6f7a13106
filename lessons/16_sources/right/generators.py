import re


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(text):
    fenced, current = False, None
    for line in text.split("\n"):
        if line[:3] == "```":
            fenced = not fenced
        if not fenced and re.match(r"#{1,6}[ \t]", line):
            if current:
                yield current
            current = (anchor(line.lstrip("#")), [])
        elif current:
            current[1].append(line)
    if current:
        yield current


def sections(text):
    found, times = {}, {}
    for name, lines in headings(text):
        times[name] = times.get(name, -1) + 1
        found[name + (f"-{times[name]}" if times[name] else "")] = "\n".join(lines).strip()
    return found


def problems(answer, read):
    sources = re.findall(r"(?m)^Source: *(.+)$", answer)
    if not sources:
        yield "There is no line that begins with Source:"
    for place in [each.strip() for line in sources for each in line.split(",")]:
        path, _, name = place.partition("#")
        if path not in read:
            yield f"The file {path} was not read."
        elif name and name not in sections(read[path]):
            yield f"There is no section {name} in {path}: {', '.join(sections(read[path]))}."


def objection(answer, read):
    return next(problems(answer, read), "")
