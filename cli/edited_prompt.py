"""A prompt that is edited: several lines, pastes, history, completion, the person's editor. prompt_toolkit draws it and
knows its keys; it is an extra, and imported in a conversation alone.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output.defaults import create_output
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.completion import AtTheCursor, Choices
from cli.plain_prompt import PROMPT

LONGEST_KEPT = 10_000  # characters; what is longer was pasted, and stands in the run's trace
KEYS = (
    "  Enter sends, Alt-Enter or Ctrl-J begins a line, up and down bring back earlier prompts, Ctrl-R searches them,",
    "  @ names a file, Ctrl-X Ctrl-E opens the prompt in your editor (EDITOR).",
)


class EditedPrompt:
    """Called, it asks for one prompt and returns it. Raises EOFError for Ctrl-D and KeyboardInterrupt for Ctrl-C, as
    input() does."""

    def __init__(
        self,
        kept: Path,
        commands: Mapping[str, tuple[str, Choices]],
        paths: Callable[[], Iterable[str]],
    ) -> None:
        """`kept` is the file of earlier prompts."""
        self._completer = AtTheCursor(commands, paths)
        output = create_output(sys.stderr)  # standard output is for answers
        if isinstance(output, Vt100_Output):
            output.enable_cpr = False  # a late answer to "where is the cursor?" would be taken for typed text
        self._session: PromptSession[str] = PromptSession(
            PROMPT,
            multiline=True,
            completer=self._completer,
            complete_in_thread=True,
            enable_open_in_editor=True,
            history=history_in(kept),
            key_bindings=keys(),
            output=output,
        )

    def __call__(self, left: Sequence[str]) -> str:
        """Ask for one prompt. The lines that no run has taken (`left`) are given back, to be changed and sent, above
        the line that was only begun."""
        self._completer.forget()
        return self._session.prompt(default="".join(f"{line}\n" for line in left))


def keys() -> KeyBindings:
    """Enter sends, unless it chooses what is offered, or more comes at once behind it: that is a paste of a terminal
    that does not mark one (bracketed paste)."""
    bound = KeyBindings()

    @bound.add("enter")
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.complete_state and buffer.complete_state.current_completion:
            buffer.complete_state = None
        elif event.app.key_processor.input_queue or more_comes():
            buffer.newline(copy_margin=False)
        else:
            buffer.validate_and_handle()

    @bound.add("escape", "enter")
    @bound.add("c-j")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.newline(copy_margin=False)

    return bound


def more_comes() -> bool:
    return os.name != "nt" and bool(select.select([sys.stdin.fileno()], [], [], 0)[0])


class Kept(FileHistory):
    """Earlier prompts in a file, without those that are too long to be brought back by a key."""

    def store_string(self, string: str) -> None:
        if len(string) <= LONGEST_KEPT:
            super().store_string(string)


def history_in(path: Path) -> History:
    """Earlier prompts, in a file for the person alone to read; those of this conversation where none can be written."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        path.chmod(0o600)
    except OSError:
        return InMemoryHistory()
    return Kept(str(path))
