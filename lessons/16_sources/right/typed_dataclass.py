from __future__ import annotations
from dataclasses import dataclass, field
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


HEADING = re.compile(r"#{1,6}[ \t](.*)")


@dataclass
class Section:
    name: str
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()


def sections(text: str) -> dict[str, str]:
    parts: list[Section] = []
    in_code: bool = False
    for line in text.splitlines():
        if line.startswith("```"):
            in_code = not in_code
        heading: re.Match[str] | None = None if in_code else HEADING.match(line)
        if heading is not None:
            names: set[str] = {part.name for part in parts}
            parts.append(Section(told_apart(anchor(heading[1]), names)))
        elif parts:
            parts[-1].lines.append(line)
    return {part.name: part.text for part in parts}


def objection(answer: str, read: dict[str, str]) -> str:
    sources: list[str] = cited(answer)
    if not sources:
        return "Your answer names no source. End it with a line `Source: file#section`."
    for source in sources:
        path, mark, section = source.partition("#")
        if path not in read:
            return f"You have not read {path}. Read it first, or name another source."
        known: dict[str, str] = sections(read[path])
        if mark and section not in known:
            return f"{path} has no section {section}; it has {', '.join(known)}."
    return ""
