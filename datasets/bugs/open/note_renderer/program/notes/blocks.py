"""Cut a note into blocks: headings, lists, quotes, code and paragraphs."""

from dataclasses import dataclass, field


@dataclass
class Block:
    kind: str
    lines: list = field(default_factory=list)
    level: int = 0


def heading_level(line):
    level = len(line) - len(line.lstrip("#"))
    if 1 <= level <= 6 and line[level : level + 1] == " ":
        return level
    return 0


def kind_of(line):
    if heading_level(line):
        return "heading"
    if line.startswith("- "):
        return "bullets"
    number, dot, _ = line.partition(". ")
    if dot and number.isdigit():
        return "numbers"
    if line.startswith(">"):
        return "quote"
    return "paragraph"


def strip_mark(kind, line):
    if kind == "heading":
        return line.lstrip("#").strip()
    if kind == "bullets":
        return line[2:].strip()
    if kind == "numbers":
        return line.partition(". ")[2].strip()
    if kind == "quote":
        return line[1:].strip()
    return line.strip()


def split_blocks(text):
    blocks = []
    current = None
    fence = None
    for line in text.splitlines():
        if fence is not None:
            if line.strip() == "```":
                fence = None
            else:
                fence.lines.append(line)
            continue
        if line.strip() == "```":
            fence = Block("code")
            blocks.append(fence)
            current = None
            continue
        if not line.strip():
            current = None
            continue
        kind = kind_of(line)
        if current is None or current.kind != kind or kind == "heading":
            current = Block(kind, level=heading_level(line))
            blocks.append(current)
        current.lines.append(strip_mark(kind, line))
    return blocks
