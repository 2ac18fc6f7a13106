"""What to quote of a piece: paragraphs, lists and code of a document, lines of a source file. Nothing is reworded."""

from __future__ import annotations

import re

from offline.librarian.steps import Piece
from offline.librarian.words import met, share, stem

MOST = 1_200  # characters of a document that are quoted
_HEADING = re.compile(r"#{1,6} |[=~^-]{3,}\s*$")
_FENCE = re.compile(r"\s*(```|~~~)")
# What a word of a question looks for in a file of instructions, where the line itself does not hold the word.
_MEANT = {
    "image": r"^FROM ",
    "stages": r"^FROM |--from",
    "copied": r"^COPY ",
    "port": r"^EXPOSE|--port|^\s*-\s*[\"']?(?:[\d.]+:)?\d+:\d+",
    "command": r"^(CMD|ENTRYPOINT) |command:",
    "user": r"^USER ",
    "volume": r"^VOLUME |volumes:",
}
INSTRUCTIONS = {stem(word): re.compile(pattern) for word, pattern in _MEANT.items()}


def blocks(text: str) -> list[str]:
    """The paragraphs, lists, tables and blocks of code of a document, in order; a list is not torn from the line that
    announces it, nor what is indented from the paragraph above it."""
    found: list[list[str]] = [[]]
    fenced = apart = False
    for line in text.splitlines():
        begins = bool(_FENCE.match(line))
        if not line.strip() and not fenced:
            apart = bool(found[-1])
            continue
        if apart and (fenced or line[0].isspace() or _goes_on(found[-1])):
            found[-1].append("")
        elif apart:
            found.append([])
        found[-1].append(line)
        fenced, apart = fenced ^ begins, False
    return ["\n".join(block).rstrip() for block in found if block]


def _goes_on(block: list[str]) -> bool:
    """A colon announces what follows, and a numbered list may hold blocks of code between its steps."""
    return block[-1].rstrip().endswith(":") or bool(re.match(r"\d+\. ", block[0])) and block[-1].startswith((" ", "\t"))


def body(piece: Piece) -> list[str]:
    """The blocks of a section without its own heading."""
    return [block for block in blocks(own(piece)) if not (_HEADING.match(block) and "\n" not in block)]


def own(piece: Piece) -> str:
    """A section without those below it; all of it where it has no text of its own."""
    lines = piece.text.splitlines()
    fenced = False
    for number, line in enumerate(lines):
        fenced ^= bool(_FENCE.match(line))
        if number and not fenced and _HEADING.match(line) and line.startswith("#"):
            return "\n".join(lines[:number]) if any(map(str.strip, lines[1:number])) else piece.text
    return piece.text


def sentences(text: str) -> list[str]:
    return [each for each in re.split(r"(?<=[.!?:])\s+|\n\n|\n(?=[-*] |\d+\. )", text) if each.strip()]


def passage(piece: Piece, wanted: list[str], most: int = MOST) -> str:
    """What answers of a section: all of it where it is short, else its best blocks in order."""
    parts = body(piece)
    sizes = [_size(part) for part in parts]
    if sum(sizes) <= most:
        return "\n\n".join(parts)
    best = sorted(range(len(parts)), key=lambda place: (-len(met(wanted, parts[place])), place))
    chosen: list[int] = []
    for place in best:
        if not chosen or sum(sizes[each] for each in chosen) + sizes[place] <= most:
            chosen.append(place)
    return "\n\n".join(parts[place] for place in sorted(chosen))


def _size(block: str) -> int:
    """Characters, those of indented lines by half: an example is worth its length."""
    return sum(len(line) // (1 + line[:1].isspace()) for line in block.splitlines())


def lines_about(piece: Piece, wanted: list[str], most: int = 8) -> list[tuple[int, str]]:
    """The lines of a source file that have most to do with the question, in order, each with its number."""
    lines = piece.text.splitlines()
    scores = [_score(line, wanted) for line in lines]
    for place, line in enumerate(lines):
        if scores[place] and line.rstrip().endswith(":") and not line.lstrip().startswith(("def ", "class ", "async ")):
            for below in _under(lines, place):  # a key of YAML: what it says stands below it
                scores[below] = max(scores[below], 0.9 * scores[place])
    best = sorted((place for place, score in enumerate(scores) if score), key=lambda place: (-scores[place], place))
    return [(piece.first + place, lines[place]) for place in sorted(best[:most])]


def whole_or_lines(piece: Piece, wanted: list[str], short: int = 14) -> str:
    """A short piece of source whole, of a long one the lines that matter, each with its number."""
    lines = piece.text.rstrip().splitlines()
    if len(lines) <= short:
        return fenced(piece.text.rstrip())
    return numbered(lines_about(piece, wanted))


def numbered(lines: list[tuple[int, str]]) -> str:
    return "\n".join(f"- line {number}: `{line.strip()}`" for number, line in lines)


def fenced(text: str) -> str:
    return f"```\n{text}\n```"


def docstring(piece: Piece) -> str:
    """The first sentence that a piece of Python says of itself, "" where it says nothing."""
    found = re.search(r'"""(.+?)(?:"""|\n\s*\n)', piece.text, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def _score(line: str, wanted: list[str]) -> float:
    if not line.strip() or line.lstrip().startswith(("import ", "from ")):
        return 0.0
    meant = sum(1.0 for word in wanted if word in INSTRUCTIONS and INSTRUCTIONS[word].search(line))
    return share(wanted, line) + meant


def _under(lines: list[str], place: int) -> list[int]:
    indent = len(lines[place]) - len(lines[place].lstrip())
    below = []
    for number in range(place + 1, min(place + 8, len(lines))):
        if lines[number].strip() and len(lines[number]) - len(lines[number].lstrip()) <= indent:
            break
        below.append(number)
    return below
