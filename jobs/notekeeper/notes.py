"""A note as text: its front matter, its links, its paragraphs, and the name of its file.

The front matter is the part of YAML that Obsidian and static site generators share: `key: text`, and lists of texts.
"""

from __future__ import annotations

import json
import posixpath
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from jobs.notekeeper.code import code_in, without_code
from jobs.notekeeper.front import comments, entries, says_nothing

LONGEST_NAME = 60  # characters of a file name, at most four bytes each
RELATED = "## Related"
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PLAIN = re.compile(r"[^\W_][\w ./()+-]*")  # a text that YAML reads as itself, but for the words below
_SPECIAL = re.compile(r"(?i)true|false|yes|no|on|off|null|y|n|[\d.+-][\d.,:e+_-]*")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_TARGET = r"(?P<{}><[^<>\n]+>|(?!<)(?:[^()\s]|\([^()\s]*\))+)(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?"
_TEXT = r"(?P<text>(?:[^\[\]\n]|\n(?!\s*\n)|\[[^\[\]\n]*\])*+)"  # also a picture that leads somewhere
_BEHIND = rf"\]\(\s*{_TARGET.format('target')}\s*\)"
_DEFINED = rf"^ {{0,3}}\[(?!\^)(?P<label>[^\[\]\n]+)\]:[ \t]*{_TARGET.format('defined')}[ \t]*$"
_LINK = re.compile(rf"(?<!!)\[{_TEXT}{_BEHIND}|{_DEFINED}|\[\[(?P<wiki>[^\[\]\n]+)\]\]", re.MULTILINE)
_FILE = re.compile(rf"{_BEHIND}|{_DEFINED}", re.MULTILINE)
_AWAY = re.compile(r"[a-zA-Z][\w+.-]*:|//")  # an address
_WORD = re.compile(r"\w+")
_DEVICES = re.compile(r"(con|prn|aux|nul|clock|com\d|lpt\d)")

Front = dict[str, "str | list[str]"]


@dataclass(frozen=True)
class Link:
    """A link of a note. `raw` is as it stands, at `start`; `target` its path or title, `anchor` the place in it
    ("#part", or ""), `shown` the words that a reader sees; `wiki`: [[...]]."""

    raw: str
    target: str
    line: int
    wiki: bool
    anchor: str = ""
    shown: str = ""
    start: int = 0


Resolver = Callable[[Link, str], str | None]


@dataclass(frozen=True)
class Target:
    """The path in a link, a picture or the definition of a link: from where to where it is spelled, without its anchor
    and its brackets, and what it says."""

    start: int
    end: int
    path: str


def split_note(text: str) -> tuple[Front, str]:
    """The front matter and the rest. What no list and no text is, is left out, and so is what is said twice."""
    found = _FRONT.match(text)
    if not found:
        return {}, text
    read = entries(found[1])
    keys = Counter(entry.key for entry in read)
    front = {entry.key: entry.says for entry in read if entry.says is not None and keys[entry.key] == 1}
    return front, text[found.end() :]


def front_of(text: str) -> str:
    """The lines of the front matter, "" where there is none."""
    found = _FRONT.match(text)
    return found[1] if found else ""


def join_note(front: Mapping[str, str | list[str]], body: str) -> str:
    """A note with its front matter, in the order given; empty values are left out."""
    lines = "".join(_front_lines(key, value) for key, value in front.items())
    return f"---\n{lines}---\n\n{body.strip()}\n"


def with_front(text: str, key: str, value: str | list[str]) -> str:
    """The text with one key of its front matter set; every other line of it stays. A text without front matter stays
    as it is, and so does one where that is more than can be read here."""
    found = _FRONT.match(text)
    read = entries(found[1]) if found else []
    own = [entry.says for entry in read if entry.key == key]
    unread = any(not entry.key and not says_nothing(entry.lines) for entry in read)
    if not found or unread or len(own) > 1 or None in own:
        return text
    new = _front_lines(key, value)
    block = "".join(comments(entry.lines) + new if entry.key == key else entry.lines for entry in read)
    return text[: found.start(1)] + block + new * (not own) + text[found.end(1) :]


def title_of(path: str, text: str) -> str:
    """A note's title: of its front matter, else its first heading, else its file's name."""
    front, body = split_note(text)
    if isinstance(front.get("title"), str) and front["title"]:
        return str(front["title"])
    heading = re.search(r"^#[^\S\n]+(\S.*)$", body, re.MULTILINE)
    if heading:
        return heading[1].rstrip("#").rstrip() or "#"
    return posixpath.basename(path).removesuffix(".md").replace("-", " ")


def file_name(title: str) -> str:
    """A name for every system: lower case letters and digits of any script with hyphens, without ".md"."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", title).casefold())
    name = re.sub(r"[\W_]+", "-", plain)[:LONGEST_NAME].strip("-")
    return f"note-{name}".rstrip("-") if not name or _DEVICES.fullmatch(name) else name


def links_in(text: str) -> Iterator[Link]:
    """The links to other notes: neither to the web, nor to a place in the same note, nor in code."""
    plain = _plain(text) if "[" in text else ""
    line, counted = 1, 0
    for found in _LINK.finditer(plain):
        line, counted = line + plain.count("\n", counted, found.start()), found.start()
        wiki = found["wiki"] is not None
        target = found["target"] or found["defined"] or ""
        named, _, alias = found["wiki"].partition("|") if wiki else (unquote(target.strip("<>")), "", "")
        target, mark, place = named.strip().partition("#")
        if target.strip() and (wiki or not _AWAY.match(target)):
            raw = text[found.start() : found.end()]
            shown = (alias or named).strip() if wiki else found["label"] or text[slice(*found.span("text"))]
            yield Link(raw, target.strip(), line, wiki, mark + place, shown, found.start())


def files_in(text: str) -> Iterator[Target]:
    """What a note shows or names by a path, pictures and documents among it; none in code."""
    for found in _FILE.finditer(_plain(text)):
        start, end = found.span("target" if found["target"] else "defined")
        spelled = text[start:end].strip("<>").partition("#")[0]
        start += text[start] == "<"
        path = unquote(spelled).strip()
        if path and not path.startswith("/") and not _AWAY.match(path):
            yield Target(start, start + len(spelled), path)


def resolver(known: Mapping[str, str]) -> Resolver:
    """What tells to which of these notes a link of the note at a path leads, None where to none. `known`: path ->
    title, as they are now; of several with the name of a wiki link it is the first."""
    names = dict[str, str]()
    for other, title in known.items():
        plain = other.removesuffix(".md").casefold()
        for name in (title.casefold(), plain, posixpath.basename(plain)):
            names.setdefault(name, other)

    def resolved(link: Link, path: str) -> str | None:
        if link.wiki:
            return names.get(link.target.removesuffix(".md").casefold())
        there = way_from(path, link.target)
        return there if there in known else f"{there}.md" if f"{there}.md" in known else None

    return resolved


def link_to(path: str, other: str, title: str, anchor: str = "") -> str:
    """A Markdown link from the note at `path` to another, or to a place in it."""
    return f"[{re.sub(r'[][]', '', title)}]({way_to(path, other)}{quote(anchor, safe='#')})"


def way_to(path: str, other: str) -> str:
    """How a link in the note at `path` spells the path of another file."""
    return quote(posixpath.relpath(other, posixpath.dirname(path) or "."))


def way_from(path: str, target: str) -> str:
    """The path that a link in the note at `path` leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def with_link(text: str, link: str) -> str:
    """The text with one more link in the list of related notes at its end."""
    related = parted(text)[1].strip()
    between = "\n" if related not in ("", RELATED) else "\n\n" if related else f"\n\n{RELATED}\n\n"
    return f"{text.rstrip()}{between}- {link}\n"


def with_paragraphs(text: str, more: list[str]) -> str:
    """The text with more blocks at its end, before the related notes."""
    before, related = parted(text)
    return "\n\n".join([before.rstrip(), *more]) + f"\n{related}"


def parted(text: str) -> tuple[str, str]:
    """A text and its list of related notes: links alone, at its end. What a person wrote there is text."""
    end = len(text)
    while end:
        start = text.rfind("\n", 0, end - 1) + 1
        line = text[start:end].rstrip()
        if start and line == RELATED and text[end - 1] == "\n":
            return text[: start - 1], text[start - 1 :]
        if line and not _is_link_alone(line):
            break
        end = start
    return text, ""


def _is_link_alone(line: str) -> bool:
    """Whether a line is an item of a list with one link and nothing else."""
    if line[:3] not in ("- [", "* ["):
        return False
    return ("](" in line[3:] and line.endswith(")")) or (line[3:4] == "[" and line.endswith("]]"))


def paragraphs(text: str) -> list[str]:
    """The blocks of a note that say something: neither headings nor the list of related notes."""
    return [block for block in blocks(text) if not re.fullmatch(r"#+ .*", block)]


def blocks(text: str) -> list[str]:
    """What blank lines part in a note, headings too, without the list of related notes. Code is one, as it stands, and
    what is indented belongs to what is before it."""
    body = parted(split_note(text)[1])[0]
    lines = body.split("\n")
    for first, last in code_in(body):
        lines[first:last] = (line if line.strip() else f"\0{line}" for line in lines[first:last])
    whole = re.split(r"\n[^\S\n]*\n(?![ \t]{2}|\t|[ \t]*\n)", "\n".join(lines))
    return [block.replace("\0", "").strip("\n").rstrip() for block in whole if block.strip("\0 \t\n")]


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Every three words in a row: what two notes share of them tells whether one repeats the other."""
    words = _WORD.findall(text.casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False)) or frozenset([tuple(words)])


def _front_lines(key: str, value: str | list[str]) -> str:
    if isinstance(value, list):
        return "".join([f"{key}:\n", *(f"- {_quoted(each)}\n" for each in value)]) if value else ""
    return f"{key}: {_quoted(value)}\n" if value else ""


def _plain(text: str) -> str:
    """A note without its code. The front matter stays: a link in it is one."""
    front = _FRONT.match(text)
    start = front.end() if front else 0
    return text[:start] + without_code(text[start:])


def _quoted(text: str) -> str:
    """A text as YAML takes it: JSON's way of quoting is also YAML's."""
    text = " ".join(text.split())
    if _DATE.fullmatch(text) or (_PLAIN.fullmatch(text) and not _SPECIAL.fullmatch(text)):
        return text
    return json.dumps(text, ensure_ascii=False)
