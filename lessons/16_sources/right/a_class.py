import re


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


class Page:
    def __init__(self, text):
        self.found, self.name, self.fenced = {}, None, False
        for line in text.split("\n"):
            self.take(line)

    def take(self, line):
        if line.startswith("```"):
            self.fenced = not self.fenced
        level = len(line) - len(line.lstrip("#"))
        if 0 < level < 7 and line[level : level + 1] in (" ", "\t") and not self.fenced:
            self.name = self.fresh(anchor(line[level:]))
            self.found[self.name] = ""
        elif self.name is not None:
            self.found[self.name] += f"{line}\n"

    def fresh(self, name):
        number, wanted = 1, name
        while wanted in self.found:
            wanted, number = f"{name}-{number}", number + 1
        return wanted


def sections(text):
    return Page(text).found


def objection(answer, read):
    named = [each.strip() for line in re.findall(r"^Source: *(.+)$", answer, re.M) for each in line.split(",")]
    if named == []:
        return "Name your Source."
    bad = [each for each in named if each.split("#")[0] not in read]
    if not bad:
        bad = [
            each for each in named if "#" in each and each.split("#", 1)[1] not in sections(read[each.split("#")[0]])
        ]
    there = {path: list(sections(text)) for path, text in read.items()}
    return f"It is not there, or was not read: {'; '.join(bad)}. There is: {there}" if bad else ""
