import re

BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#{1,6}[ \t]+(.*)$", re.MULTILINE)


def sections(text):
    blind = BLOCK.sub(lambda block: re.sub(r"[^\n]", "x", block[0]), text)  # as long as before, without a heading
    marks = list(HEADING.finditer(blind))
    found = {}
    for mark, following in zip(marks, [*marks[1:], None]):
        plain = re.sub(r"[^\w -]", "", mark[1].strip().lower()).replace(" ", "-")
        name = plain
        for number in range(1, len(marks)):
            if name in found:
                name = f"{plain}-{number}"
        found[name] = text[mark.end() : following.start() if following else len(text)]
    return found


def objection(answer, read):
    named = [place.strip() for line in re.findall("^Source:(.*)$", answer, re.M) for place in line.split(",")]
    if not named:
        return "Say where it stands, in a line Source: path#section."
    unread = [place for place in named if place.split("#")[0] not in read]
    if unread:
        return f"Not read in this run: {', '.join(unread)}."
    missing = [p for p in named if "#" in p and p.split("#")[1] not in sections(read[p.split("#")[0]])]
    there = [f"{p.split('#')[0]}#{name}" for p in missing for name in sections(read[p.split("#")[0]])]
    return f"There is no such section: {', '.join(missing)}. There are: {' '.join(there)}" if missing else ""
