"""The notekeeper: it turns what it is sent into notes, finds them again, and keeps the folder in order."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from agent.run import Run
from agent.setup import Help, Hook
from config import ConfigError, Settings
from functions.tool import Resources, Tool
from jobs.job import Job, Option, Tell
from jobs.notekeeper.changes import Changes
from jobs.notekeeper.prompt import PROMPT
from jobs.notekeeper.settings import NotekeeperSettings
from sandbox.files.root import Refusal, Root

SETS = {
    "kb": "get_kb_structure kb_search_files kb_vector_search kb_search_content kb_read_file kb_check save_note",
    "files": "write_file edit_file move_note delete_file create_folder delete_folder",
    "git": "git_status git_diff git_branch git_commit git_pull git_push",
    "web": "fetch_url web_search",
    "memory": "store_memory update_memory forget_memory retrieve_memory list_categories",
    "plan": "plan",
    "github": "list_github_issues create_github_issue create_github_pr comment_on_issue",
}
SHARED = frozenset(("write_file", "edit_file", "git_status", "git_diff"))  # of functions/, not of its own folder
MAKE_A_NOTE = "Make a note of this:"  # what tells the two entries apart, for any model
LARGEST_TEXT = 200_000  # bytes of a file that becomes a note


def tools(resources: Resources) -> Iterable[Tool]:
    """The tools of the sets that are on, and of no other."""
    names = [name for each in resources["sets"] for name in SETS[each].split()]
    rooms = {name: "functions" if name in SHARED else "jobs.notekeeper.tools" for name in names}
    return [import_module(f"{room}.{name}").TOOL for name, room in rooms.items()]


@contextmanager
def opens(settings: Settings, root: Root, tell: Tell) -> Iterator[Resources]:
    """What the sets hold: the notes with their index, the repository, the web, the memory, GitHub."""
    sets = chosen(settings.of(NotekeeperSettings).notekeeper_tools)
    from jobs.notekeeper.opening import OPENERS

    with ExitStack() as stack:
        resources: dict[str, Any] = {"sets": sets}
        try:
            for name in ("kb", *(each for each in sets if each in OPENERS and each != "kb")):
                resources |= (opened := OPENERS[name](settings, root, tell))
                for value in opened.values():
                    stack.callback(value.close)
        except Refusal as refusal:
            raise ConfigError(f"{refusal}.") from None
        yield resources


def chosen(text: str) -> list[str]:
    """The sets that a person names. Raises ConfigError with those that there are."""
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in SETS:
            raise ConfigError(f"there is no set of tools {name!r}. --tools may name {', '.join(SETS)}, with commas.")
    return names


def hooks(settings: Settings, resources: Resources) -> Sequence[Hook]:
    """Who knows the files as they were when the run began."""
    return [Changes(resources["kb"].root)]


def report(run: Run, answer: str) -> dict[str, Any]:
    """The result's own part: what happened to the files, and the note that it is about."""
    from jobs.notekeeper.outcome import outcome

    changes = next(hook for hook in run.hooks if isinstance(hook, Changes)).since()
    return {**vars(changes), **outcome(run.resources["kb"], changes.files_created, changes.files_edited, answer)}


def entry(settings: Settings, text: str) -> str:
    """A task as it is; anything else is what a note is made of, a file's text where it names one."""
    if task := settings.of(NotekeeperSettings).notekeeper_task:
        return task
    return f"{MAKE_A_NOTE}\n\n{text_of(text)}" if text.strip() else ""


def text_of(words: str) -> str:
    """The text of the file that the words name, else the words. Raises ConfigError where they name one of which no note
    can be made: its name is not what was meant to be kept."""
    try:
        path = Path(words).expanduser()
        if len(words) > 1000 or not path.is_file():
            refuse_path(words, path)
            return words
        with path.open("rb") as file:
            data = file.read(LARGEST_TEXT + 1)
    except (OSError, ValueError, RuntimeError):  # no name of a file, or one that cannot be read
        return words
    try:
        return text_in(str(path), data)
    except ValueError:
        raise ConfigError(f"{path} is no text in UTF-8, so it cannot become a note. Save it as such a text.") from None


def refuse_path(words: str, path: Path) -> None:
    """Raise ConfigError for a word that only a path looks like: that of a folder, or of a text that is not there."""
    if "/" in words and path.is_dir():
        raise ConfigError(f"{words} is a folder. To work on the notes in it: --workdir {shlex.quote(words)}")
    if "://" not in words and re.fullmatch(
        r"\S+\.(txt|md|markdown|rst|html?|pdf|docx?|odt)", words.strip(), re.IGNORECASE
    ):
        raise ConfigError(f"there is no file {words}. To have the word itself kept, send more than it.")


def text_in(name: str, data: bytes) -> str:
    """The text of a file with these bytes. Raises ConfigError where it is too large for one note, ValueError where it
    is no text."""
    if len(data) > LARGEST_TEXT:
        raise ConfigError(f"{name} is larger than {LARGEST_TEXT:,} bytes, too much for one note.")
    text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise ValueError("it holds a NUL, as no text does")
    return text


def help(settings: Settings, run: Run) -> Help | None:
    """What a small model is given."""
    from jobs.notekeeper.first_look import help_for

    return help_for(settings, run)


JOB = Job(
    name="notekeeper",
    does="turns what you send it into notes, finds them again, and keeps the folder in order",
    example='python main.py --job notekeeper "Garlic is planted in October, five centimetres deep."',
    prompt=PROMPT,
    tools=tools,
    workplace="samples/notes",
    opens=opens,
    hooks=hooks,
    help=help,
    report=report,
    entry=entry,
    settings=NotekeeperSettings,
    options=(
        Option("--tools", "SETS", f"sets of tools, with commas: {', '.join(SETS)}", "notekeeper_tools"),
        Option("--task", "TEXT", "work on the folder instead of making a note", "notekeeper_task"),
        Option("--user", "NAME", "whose memory it keeps", "notekeeper_user"),
    ),
)
