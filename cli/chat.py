"""A conversation at the terminal: one prompt after the other, each a run that goes on from the one before."""

from __future__ import annotations

import argparse
import contextlib
import os
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from cli.desk import Desk, print_result
from cli.typed import Typed
from config import ConfigError

PROMPT = "> "
MOST_HISTORY = 1000  # prompts that are remembered
TOGETHER_SECONDS = 0.05  # between two lines of a paste; nobody types the next line so soon
LARGEST_PROMPT = 2**20  # characters that are taken for one prompt
HELP = """\
Say in plain words what to do. A line typed while the agent works is taken after its current tool calls.
  /undo   take the last changes back      /diff   show what the last run changed
  /view   open the last run as a page     /new    forget the conversation
  /help   this                            /quit   end (or Ctrl-D)"""


def chat(desk: Desk) -> int:
    """Read prompts until the person ends it. Ctrl-C ends the run that is under way, not the conversation."""
    talk = _Chat(desk)
    desk.typed = desk.approval.typed if desk.approval else Typed()
    session = desk.session
    desk.terminal.notice(f"Working in {session.root.path}. /help shows the commands.")
    with prompt_history(session.settings.runs_directory / "prompts"):
        while True:
            try:
                line = asked().strip()
            except EOFError:
                print(file=sys.stderr)
                return 0
            except KeyboardInterrupt:
                print(file=sys.stderr)
                continue
            if line in ("/quit", "/exit"):
                return 0
            if line:
                talk.take(line)


def asked() -> str:
    """One prompt: a line, or all the lines that came with it. What is pasted is one prompt, and not a run a line: most
    terminals mark it (bracketed paste, which readline understands), and of the others the lines come at once."""
    first, more = input(PROMPT), b""
    while os.name != "nt" and len(more) < LARGEST_PROMPT:
        if not select.select([sys.stdin.fileno()], [], [], TOGETHER_SECONDS)[0]:
            break
        data = os.read(sys.stdin.fileno(), 65536)  # past Python's buffer, which select() does not know
        if not data:
            break
        more += data
    return f"{first}\n{more.decode('utf-8', 'replace')}"


class _Chat:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.session = desk, desk.session
        self.last: Path | None = None  # the run to go on from

    def take(self, line: str) -> None:
        if not line.startswith("/") or line.split()[0][1:] in self.session.resources.get("skills", ()):
            return self._ask(line)
        command = self._commands().get(line.split()[0])
        if command is None:
            return print(f"There is no command {line.split()[0]!r}.\n{HELP}", file=sys.stderr)
        try:
            command()
        except ConfigError as error:
            print(f"Error: {error}", file=sys.stderr)
        return None

    def _ask(self, prompt: str) -> None:
        try:
            result = self.desk.run(prompt, continues=self.last)
        except ConfigError as error:
            return print(f"Error: {error}", file=sys.stderr)
        except KeyboardInterrupt:
            return print("Interrupted.", file=sys.stderr)
        self.last = self.session.folder or self.last
        return print_result(result, as_json=False, already_shown=self.desk.terminal.showed_answer)

    def _commands(self) -> dict[str, Callable[[], object]]:
        return {
            "/help": lambda: print(HELP, file=sys.stderr),
            "/new": self._forget,
            "/undo": lambda: self._run_command("undo"),
            "/diff": lambda: self._run_command("diff"),
            "/view": lambda: self._run_command("view"),
        }

    def _forget(self) -> None:
        self.last = None
        print("The conversation begins anew.", file=sys.stderr)

    def _run_command(self, name: str) -> None:
        from cli.commands import COMMANDS

        chosen = {"undo": "", "diff": "", "view": "", "against": None, "force": False}
        workdir = str(self.session.root.path)
        COMMANDS[name](self.session.settings, argparse.Namespace(**chosen, workdir=workdir))


@contextlib.contextmanager
def prompt_history(path: Path) -> Iterator[None]:
    """The arrow keys bring back earlier prompts, also those of other days, where there is a readline."""
    try:
        import readline
    except ImportError:
        yield
        return
    readline.set_history_length(MOST_HISTORY)
    readline.parse_and_bind("set enable-bracketed-paste on")  # Python turns it off
    with contextlib.suppress(OSError):
        readline.read_history_file(path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            readline.write_history_file(path)
            path.chmod(0o600)
