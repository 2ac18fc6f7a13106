"""What can stand at the cursor of a prompt: a command and what it takes, a skill, a file of the working directory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

COMMAND = re.compile(r"/\S*")
ARGUMENT = re.compile(r"(?P<command>/\S+)[ ]+(?P<begun>\S*)")
FILE = re.compile(r"(?:^|.*\s)@(?P<begun>\S*)", re.DOTALL)
MOST_FILES = 10_000  # that are looked at
MOST_SHOWN = 50

Choices = Callable[[], Iterable[str]]  # what may stand behind a command


class AtTheCursor(Completer):
    """`commands` has the meaning of each word that begins with a slash and what may stand behind it; `paths` yields the
    files that may be named. A path takes the place of the @ and what was typed behind it."""

    def __init__(self, commands: Mapping[str, tuple[str, Choices]], paths: Callable[[], Iterable[str]]) -> None:
        self._commands, self._paths = commands, paths
        self._found: list[str] | None = None

    def forget(self) -> None:
        """Look at the files again: a run may have made some."""
        self._found = None

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        before = document.text_before_cursor
        if COMMAND.fullmatch(before):
            names = [name for name in self._commands if name.startswith(before)]
            yield from (Completion(name, -len(before), display_meta=self._commands[name][0]) for name in names)
        elif found := ARGUMENT.fullmatch(before):
            choices = self._commands.get(found["command"], ("", tuple))[1]
            yield from (Completion(each, -len(found["begun"])) for each in choices() if found["begun"] in each)
        elif found := FILE.fullmatch(before):
            for path in islice(self._like(found["begun"].lower()), MOST_SHOWN):
                yield Completion(path, -len(found["begun"]) - 1)

    def _like(self, begun: str) -> list[str]:
        """The paths that hold what was typed: first those whose name begins with it."""
        if self._found is None:
            # What cannot be printed is in no name that a person types, and commands the terminal.
            self._found = [path for path in islice(self._paths(), MOST_FILES) if path.isprintable()]
        like = [path for path in self._found if begun in path.lower()]
        return sorted(like, key=lambda path: not path.rpartition("/")[2].lower().startswith(begun))
