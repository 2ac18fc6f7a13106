"""What an answer rests on: the sources that it names and the words that it quotes, held against what was read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from config import MAX_CHARACTERS
from functions.pages import split_lines
from index.reading import text_of
from index.sections import Section, sections_of
from jobs.librarian.tools.read_file import place_of, with_all_below
from sandbox.files.root import Refusal, Root

Seen = dict[str, list[tuple[int, int]]]  # by file, directory or endpoint: the lines of it that were shown
# A small model takes an example for the answer (seen with Qwen2.5-Coder 1.5B), so none stands here.
LOOK_FIRST = (
    "It is not from this project: you have read nothing of it yet. Call search_docs with the question, read_file the "
    "best place that it names (or ask the API for data), and answer from that."
)
NAME_IT = (
    "It does not say where it is from. End it with a line that begins with Source: and names what you read: {seen}."
)
FORGED = (
    'Only your last line names sources: "{line}" stands before it, and may be a document\'s own. Leave it out, or put '
    "> before what you quote."
)
INVENTED = (
    'The words "{words}" stand in nothing that you read: quote word for word, or say it in your own words without '
    "quotation marks."
)
MOST_NAMED = 6
SHORT = 4  # words: fewer in quotation marks are a name or a term
_LINE = re.compile(r"(?:^|(?<=[.!?`)] ))[ \t*_-]*sources?[*_]*[ \t]*:[*_]*[ \t]*(.+)$", re.IGNORECASE | re.MULTILINE)
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_BESIDE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_CODE = re.compile(r"`[^`\n]+`")
_INSIDE = r"(?:[^{}\n]|\n(?![ \t]*(?:\n|[-*>])))+"  # a quotation ends within its paragraph
_STRAIGHT = rf'(?<![\w"])"(?=\w|\.\.\.)({_INSIDE.format(chr(34))})"(?![\w"])'
_CURLED = rf"\u201c({_INSIDE.format(chr(0x201C) + chr(0x201D))})\u201d"  # neither mark within: never read twice
_QUOTED = re.compile(rf"{_STRAIGHT}|{_CURLED}|((?:^[ \t]*>.*\n?)+)", re.MULTILINE)
_LEFT_OUT = re.compile(r"\[?(?:\.\.\.|\u2026)\]?")
_ENDPOINT = re.compile(r"(?:API endpoint )?(?P<method>GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) (?P<path>/\S*)")
_MARKS = "`*<>\"' \t"


@dataclass(frozen=True)
class Cited:
    answer: str  # without the lines at its end that name the sources
    sources: tuple[str, ...]
    forged: str = ""  # a line before them that looks like one: of a document that is quoted, perhaps


def cited(text: str, files: Iterable[str] = ()) -> Cited:
    """Split an answer from the sources that it names in its last lines, such as `Source: wiki/git.md#undo`. The names
    of `files` are whole, whatever stands in them: `Backup and restore.md`."""
    answer, lines = text.rstrip(), list[str]()
    while found := _last_line(answer):
        lines.insert(0, found[1])
        answer = answer[: found.start()]
        if not answer.endswith("\n") or answer.endswith("\n\n"):
            break
        answer = answer[:-1]
    names = "".join(f"{re.escape(file)}|" for file in sorted(files, key=len, reverse=True))
    source = re.compile(rf"((?:{names}.)+?)(?:[,;]\s+|\s+and\s+|$)")
    parts = [_plain(part) for line in lines for part in source.findall(line)]
    forged = _LINE.search(_BESIDE.sub("", _FENCED.sub("", answer)))
    sources = tuple(dict.fromkeys(filter(None, parts)))
    return Cited(answer.strip(), sources, forged[0].strip() if forged else "")


def invented(answer: str, read: Iterable[str]) -> str:
    """The first quotation of an answer whose words stand in this order in no text that was read; "" where all do. Code
    is no quotation, nor are fewer than four words; where "..." stands, something may be left out."""
    known = [_words(text) for text in read]
    for found in _QUOTED.finditer(_CODE.sub("...", _FENCED.sub("", answer))):
        for part in _LEFT_OUT.split(found[1] or found[2] or found[3]):
            words = _words(part)
            if words.count(" ") > SHORT and not any(words in text for text in known):
                return " ".join(part.replace(">", " ").split())
    return ""


def endpoint_of(method: str, path: str) -> str:
    """A call's endpoint, as an answer names its source."""
    return f"API endpoint {method.upper()} {path.partition('?')[0]}"


def seen_in(shown: Iterable[tuple[str, list[tuple[int, int]]]]) -> Seen:
    """Put together what the tools say of themselves that they showed."""
    seen: Seen = {}
    for place, lines in shown:
        seen.setdefault(_key(place), []).extend(lines)
    return seen


def objection(sources: tuple[str, ...], seen: Seen, root: Root) -> str:
    """Return why these sources do not hold, as a sentence to the model; "" when they do."""
    if not seen:
        return LOOK_FIRST
    if not sources:
        return NAME_IT.format(seen=", ".join(list(seen)[:MOST_NAMED]))
    return " ".join(filter(None, (problem(source, seen, root) for source in sources)))


def problem(source: str, seen: Seen, root: Root) -> str:
    """Why one source does not hold: it is not there, or what it names was not read; "" when it holds."""
    if _ENDPOINT.fullmatch(source):
        return "" if _key(source) in seen else f"{source} was not called in this run: call it with query_api first."
    file, anchor, line = place_of(source)
    try:
        if not root.is_file(file):
            known = root.exists(file) and any(place == file or place.startswith(f"{file}/") for place in seen)
            return "" if known else f"There is no file {source}, or it was not looked at: name one that you have read."
        text = text_of(root, file).text
    except Refusal as refusal:
        return f"{source} is no source: {refusal}."
    lines = split_lines(text)
    wanted = (line, line) if line else (1, len(lines))
    if anchor:
        sections = sections_of(file, text)
        section = with_all_below(sections, anchor)
        if section is None:
            return f"{file} has no section #{anchor}. {which_there_are(anchor, sections)}"
        wanted = section
    read = {number for first, last in seen.get(file, []) for number in range(first, last + 1)}
    missing = [number for number in range(wanted[0], wanted[1] + 1) if number not in read]
    if not any(lines[number - 1].strip() for number in missing if number <= len(lines)):
        return ""
    shown = sum(len(lines[number - 1]) for number in range(*wanted) if number in read)
    if wanted[0] in read and shown > MAX_CHARACTERS / 2:  # a page of it, as one call shows it
        return ""
    if not read:
        return f"{source} was not read in this run: read it first, or name what you have read."
    parts = ", ".join(f"{first}-{last}" for first, last in seen[file][:MOST_NAMED])
    return f"{source} was not read in this run, only lines {parts} of {file}: read it, or name the part that you read."


def which_there_are(anchor: str, sections: list[Section]) -> str:
    """What a source may name in place of a section that is not there: all, or of many those that read most like it."""
    there = [f"#{section.anchor}" for section in sections if section.anchor]
    if len(there) > MOST_NAMED:
        from difflib import get_close_matches  # seldom needed, and slow to load

        nearest = get_close_matches(f"#{anchor}", there, MOST_NAMED, 0)
        return f"The nearest: {', '.join(nearest)}: name one that you read."
    return f"There are: {', '.join(there)}: name one that you read." if there else "It has none: name the file alone."


def _last_line(text: str) -> re.Match[str] | None:
    """The line at the end of a text that names sources."""
    begins = text.rfind("\n") + 1
    return next((found for found in _LINE.finditer(text, begins) if found.end() == len(text)), None)


def _words(text: str) -> str:
    """A text as its words alone, a space around each: marks, cases and line ends are not what is compared."""
    words = re.findall(r"[^\W_]+", text.replace("\\n", " ").lower())  # a line end in JSON stands there as written
    return f" {' '.join(words)} "


def _plain(part: str) -> str:
    """A source without the marks around it: `[text](place)`, backticks, bold."""
    tried = re.finditer(r"\]\(([^)\s]+)(\)?)", part)  # what nothing closes is passed over whole: never read twice
    linked = next((each for each in tried if each[2]), None)
    text = (linked[1] if linked else part).lstrip(_MARKS).rstrip(f"{_MARKS}.:")
    emphasised = re.fullmatch(r"(_+)(.+)\1", text)  # on both sides: an anchor may end in `_`, a folder begin with a dot
    return (emphasised[2] if emphasised else text).strip(_MARKS).removeprefix("./")


def _key(place: str) -> str:
    """An endpoint without its parameters, a path without its first `./`."""
    endpoint = _ENDPOINT.fullmatch(place)
    if endpoint:
        return f"{endpoint['method']} {endpoint['path'].partition('?')[0].rstrip('/') or '/'}"
    return place.removeprefix("./").rstrip("/") or "."
