"""What tool results have shown: listings become entries, pages become files, and what is still to be asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from config import MAX_CHARACTERS
from offline.wire.conversation import Call, Step

ENTRY = re.compile(r"- (?P<name>.+): file_size=(?P<size>\d+) bytes, is_dir=(?P<is_dir>True|False)")
PAGE_NOTE = re.compile(
    r"\[\.\.\.File \"[^\n]*\" truncated at \d+ characters\]\n"
    r"\[(?:Lines? [\d-]+ of (?P<lines>\d+))?[^\n]*Read on with start_line=(?P<next>\d+)\.\]\Z"
)
LINE = re.compile(r"[^\n]*\n|[^\n]+")  # as the tool counts them
OVERLAP = 0.6  # of a page's lines: those of the next may be longer
LEFT_OUT = re.compile(r"\[This output \([\d,]+ characters\) was left out to make room\.")
IGNORED = frozenset(("node_modules", "venv", "site-packages"))
SETTINGS_FILES = frozenset(("conftest.py", "pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"))
DATA = re.compile(r"\.(?:csv|dat|html|ini|jsonl?|md|rst|sql|tmpl|toml|tsv|txt|xml|ya?ml)")
INSTALLED = re.compile(r"(?:^|/)[^/]+\.(?:dist|egg)-info/(?:METADATA|PKG-INFO|entry_points\.txt)$")
LARGEST_FILE = 400_000  # bytes
MOST_DATA = 400_000  # of data that no program names, in all
MOST_FILES = 400
MOST_FOLDERS = 100
MOST_CALLS = 100  # in one reply


@dataclass(frozen=True)
class Listed:
    """One entry of a directory: its name, its path from the working directory, its size in bytes."""

    name: str
    path: str
    size: int
    is_directory: bool


def listing(step: Step) -> list[Listed]:
    """Return the entries that one get_dir_info result shows."""
    folder = PurePosixPath(str(step.arguments.get("directory", ".")))
    matches = (ENTRY.fullmatch(line) for line in step.result.splitlines())
    return [
        Listed(match["name"], str(folder / match["name"]), int(match["size"]), match["is_dir"] == "True")
        for match in matches
        if match
    ]


def more_to_list(listed: Sequence[Step]) -> tuple[Call, ...]:
    """Return the calls that list the folders seen but not looked into: none that is hidden or somebody else's."""
    seen = {str(PurePosixPath(str(step.arguments.get("directory", ".")))) for step in listed}
    folders = [entry for step in listed for entry in listing(step) if entry.is_directory]
    wanted = [
        entry.path
        for entry in folders
        if entry.path not in seen and entry.name not in IGNORED and not entry.name.startswith((".", "__"))
    ]
    room = max(0, MOST_FOLDERS - len(seen))
    return tuple(Call("get_dir_info", {"directory": path}) for path in wanted[:room])


def more_to_read(read: Sequence[Step], listed: Sequence[Step] = (), others: Sequence[str] = ()) -> tuple[Call, ...]:
    """Return the calls that read on: first the programs, settings and `others`, then the next pages and the data they
    name.

    Where something was left out again because the context window is short, nothing more would find room.
    """
    if any(left_out(step) for step in read):
        return ()
    asked = {str(step.arguments["file_path"]) for step in read}
    new = [path for path in dict.fromkeys((*wanted_files(read, listed), *others)) if path not in asked]
    return (*(Call("get_file_content", {"file_path": path}) for path in new), *more_pages(read))[:MOST_CALLS]


def more_pages(read: Sequence[Step]) -> tuple[Call, ...]:
    """Return the calls that read on in the files that were not read to their end: all pages at once, from where they
    may begin."""
    if any(left_out(step) for step in read):
        return ()
    asked = {(str(step.arguments["file_path"]), int(step.arguments.get("start_line", 1))) for step in read}
    calls = []
    for path, pages in pages_of(read).items():
        text, at, lines = joined(pages)
        each = int(OVERLAP * at / max(1, len(text) // MAX_CHARACTERS)) or 1
        end = min((start for start in pages if start > at), default=lines + 1)
        starts = (start for start in (at, *range(at + each, end, each)) if at and (path, start) not in asked)
        calls += [Call("get_file_content", {"file_path": path, "start_line": start}) for start in starts]
    return tuple(calls[:MOST_CALLS])


def pages_of(read: Sequence[Step]) -> dict[str, dict[int, str]]:
    """The pages of each file that the results have shown, by the line that each begins with."""
    pages: dict[str, dict[int, str]] = {}
    for step in read:
        if not step.failed and not left_out(step):
            own = pages.setdefault(str(step.arguments["file_path"]), {})
            own[int(step.arguments.get("start_line", 1))] = step.result
    return pages


def joined(pages: Mapping[int, str]) -> tuple[str, int, int]:
    """The text of pages as far as none is lacking, the line to read on with (0: none), and how many lines there are,
    where that is told."""
    text, at, more, lines = list[str](), min(pages), 0, 0
    for start in sorted(pages):
        if start > at:
            break
        note = PAGE_NOTE.search(pages[start])
        own = LINE.findall(PAGE_NOTE.sub("", pages[start]))
        if start + len(own) > at or not text:
            text += own[at - start :]
            at, more = start + len(own), int(note["next"]) if note else 0
            lines = int(note["lines"] or 0) if note else 0
    return "".join(text), more, lines


def left_out(step: Step) -> bool:
    """Whether the client has put a note in place of a result, to make room."""
    return LEFT_OUT.match(step.result) is not None


def read_again(read: Sequence[Step]) -> tuple[Call, ...]:
    """Return the calls that read all programs again, together, when the text of one is no longer in the conversation.

    One at a time would never do: the client makes room for each by leaving out another.
    """
    latest = {(str(step.arguments["file_path"]), step.arguments.get("start_line", 1)): step for step in read}
    programs = [step for (path, _), step in latest.items() if path.endswith(".py") and step.result]
    return tuple(Call(step.name, step.arguments) for step in programs) if any(map(left_out, programs)) else ()


def wanted_files(read: Sequence[Step], listed: Sequence[Step]) -> list[str]:
    """Return the paths worth reading: Python files, test settings, data files whose names the programs mention, what a
    package is known by where a program asks for it, and the smallest of those files that lie in a folder with programs
    or below one: they may be found by looking what is there."""
    entries = [entry for step in listed for entry in listing(step)]
    small = [entry for entry in entries if not entry.is_directory and entry.size <= LARGEST_FILE]
    programs = [entry.path for entry in small if entry.name.endswith(".py") or entry.name in SETTINGS_FILES]
    text = "\n".join(step.result for step in read if str(step.arguments["file_path"]).endswith(".py"))
    asks = "metadata" in text  # importlib.metadata.version("me")
    named = [entry for entry in small if entry.name in text or (asks and INSTALLED.search(entry.path))]
    data = [entry.path for entry in named if entry.path not in programs]
    homes = {PurePosixPath(path).parent for path in programs} - {PurePosixPath(".")}
    known, room = {*programs, *data}, MOST_DATA
    for entry in sorted(small, key=lambda entry: entry.size):
        path = PurePosixPath(entry.path)
        if DATA.fullmatch(path.suffix) and homes & {*path.parents} and entry.path not in known:
            room -= entry.size
            data += [entry.path] if room >= 0 else []
    return [*programs, *data][:MOST_FILES]


def files_shown(read: Sequence[Step]) -> dict[str, str]:
    """Return path and whole text of every file that the results have shown, pages put together."""
    return {path: joined(pages)[0] for path, pages in pages_of(read).items()}
