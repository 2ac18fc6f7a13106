"""A conversation at the terminal: one prompt after the other, each a run that goes on from the one before."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from cli.desk import Desk, print_result
from cli.plain_prompt import asked, prompt_history
from cli.screen.terminal import can_draw
from cli.signals import to_end
from cli.typed import Typed
from config import PROVIDERS, ConfigError
from records.folders import folders

Do = Callable[[list[str], argparse.Namespace], object]  # what a command line does, after an earlier one
ABOUT = "Say in plain words what to do. A line typed while the agent works is taken after its current tool calls."


class Command(NamedTuple):
    """What a person types behind a slash: what it does with the words behind it, a line about it, and which words those
    may be."""

    do: Callable[[list[str]], object]
    about: str
    choices: Callable[[], Iterable[str]] = tuple


def chat(desk: Desk, options: argparse.Namespace, do: Do) -> argparse.Namespace | None:
    """Read prompts until the person ends it. Ctrl-C ends the run that is under way, not the conversation; a request to
    end (SIGTERM, SIGHUP) ends both. `do` is given the options of a command line, those of this one with more. Returns
    the options of the conversation that the person goes over to, None where they want no other."""
    with contextlib.ExitStack() as stack:
        talk = _Chat(desk, options, do, stack)
        desk.typed = typed = desk.approval.typed if desk.approval else Typed()
        desk.terminal.notice(f"Working in {desk.session.root.path}. /help shows the commands.")
        ask = stack.enter_context(talk.prompt())
        while talk.next is None:
            if to_end:
                raise KeyboardInterrupt
            try:
                left = typed()
                if typed.ended and not left:
                    raise EOFError
                if line := ask(left).strip():
                    talk.take(line)
            except EOFError:
                print(file=sys.stderr)
                break
            except KeyboardInterrupt:
                print(file=sys.stderr)
    return talk.next


class _Chat:
    def __init__(self, desk: Desk, options: argparse.Namespace, do: Do, open_things: contextlib.ExitStack) -> None:
        self.desk, self.session, self.options, self._do, self._open = desk, desk.session, options, do, open_things
        self.last: Path | None = None  # the run to go on from
        self.next: argparse.Namespace | None = None
        self.keys: tuple[str, ...] = ()
        self._say = desk.terminal.say  # which breaks lines between words, where the screen can
        self.commands = self._commands()

    @contextlib.contextmanager
    def prompt(self) -> Iterator[Callable[[Sequence[str]], str]]:
        """What asks for a prompt, given the lines that no run has taken; with all its keys where the terminal can draw
        and the package is there."""
        runs = self.session.settings.runs_directory
        if self.options.plain or not can_draw(sys.stderr) or find_spec("prompt_toolkit") is None:
            with prompt_history(runs / "prompts"):
                yield asked
            return
        from cli.edited_prompt import KEYS, EditedPrompt

        self.keys = KEYS
        known = {name: (command.about, command.choices) for name, command in self.commands.items()}
        skills = self.session.resources.get("skills") or {}
        known |= {f"/{name}": (skill.description, tuple) for name, skill in skills.items()}
        if "mcp" in self.session.resources:
            prompts = self.session.resources["mcp"].prompts()
            known |= {f"/{name}": (prompt.usage(), tuple) for name, (_, prompt) in prompts.items()}
        root = self.session.root
        yield EditedPrompt(runs / "prompts.edited", known, lambda: (path for path, _ in root.walk(".")))

    def take(self, line: str) -> None:
        name, *words = line.split()
        if not line.startswith("/") or self._starts_something(line):
            return self._ask(line)
        command = self.commands.get({"/exit": "/quit"}.get(name, name))
        if command is None:
            self._say(f"There is no command {name!r}.")
            return self._help([])
        try:
            command.do(words)
        except ConfigError as error:
            self._say(f"Error: {error}")
        except KeyboardInterrupt:
            self._say("Interrupted.")
        except SystemExit:  # --help or --version stood behind the command, and was answered
            pass
        return None

    def _starts_something(self, line: str) -> bool:
        """Whether a line with a slash is no command, but a skill's name, or that of an MCP server's prompt."""
        held = self.session.resources
        if "mcp" in held:
            from jobs.equipment.prompted import names_one

            if names_one(line, held["mcp"]):
                return True
        return line.split()[0][1:] in held.get("skills", ())

    def _ask(self, prompt: str) -> None:
        try:
            result = self.desk.run(prompt, continues=self.last)
        except ConfigError as error:
            return self._say(f"Error: {error}")
        except KeyboardInterrupt:
            return self._say("Interrupted.")
        self.last = self.session.folder or self.last
        return print_result(result, as_json=False, already_shown=self.desk.terminal.showed_answer)

    def _commands(self) -> dict[str, Command]:
        def runs() -> list[str]:
            return [folder.name for folder in folders(self.session.settings.runs_directory)]

        def jobs() -> list[str]:
            from jobs.elsewhere import names_elsewhere
            from jobs.job import names

            return [*names(), *names_elsewhere(names())]

        def option(name: str) -> Callable[[list[str]], object]:
            return lambda words: self._as_option(name, words)

        return {
            "/undo": Command(option("undo"), "take the last changes back, or those of a run: /undo RUN", runs),
            "/diff": Command(option("diff"), "show what the last run changed", runs),
            "/view": Command(option("view"), "open the last run as a page", runs),
            "/runs": Command(option("runs"), "list the runs"),
            "/watch": Command(self._watch, "watch the runs from now on in a browser"),
            "/fork": Command(self._fork, "go on from a step, on a copy: /fork 7, /fork 7 --edit, /fork RUN:7", runs),
            "/model": Command(self._model, "ask another model of the provider; alone: say which is asked"),
            "/job": Command(self._job, "go over to another job", jobs),
            "/new": Command(self._forget, "forget the conversation"),
            "/help": Command(self._help, "this"),
            "/quit": Command(self._quit, "end (or Ctrl-D)"),
        }

    def _help(self, words: list[str]) -> None:
        lines = [f"  {name:8}{command.about}" for name, command in self.commands.items()]
        for line in (ABOUT, *lines, *self.keys):
            self._say(line)

    def _quit(self, words: list[str]) -> None:
        raise EOFError

    def _forget(self, words: list[str]) -> None:
        self.last = None
        self._say("The conversation begins anew.")

    def _as_option(self, name: str, words: list[str], workdir: str = "") -> None:
        """A command is the option of its name, in this directory."""
        before = {**vars(self.options), "workdir": workdir or str(self.session.root.path)}
        self._do([f"--{name}", *words], argparse.Namespace(**before))

    def _fork(self, words: list[str]) -> None:
        """A step alone is one of this conversation's last run. The files get a place of the fork's own."""
        if words and ":" not in words[0] and self.last:
            words = [f"{self.last.name}:{words[0]}", *words[1:]]
        before = {**vars(self.options), "workdir": None}
        self._do(["--fork", *words], argparse.Namespace(**before))
        self._say("The fork is done; the conversation goes on where it was.")

    def _watch(self, words: list[str]) -> None:
        if self.desk.watching is None:
            from cli.watch import watching

            page = watching(self.session.settings, self.options, self.desk.terminal.notice)
            self.desk.watching = self._open.enter_context(page)
            if self.desk.approval:
                self.desk.approval.steering = self.desk.watching.steering
        if self.last:
            self.desk.watching.show(self.last)
        else:
            self._say("The page opens when the next run begins.")

    def _model(self, words: list[str]) -> None:
        provider, session = PROVIDERS[self.session.provider], self.session
        field = provider.setting("model")
        if words and (not provider.wire or provider.name == "offline"):
            raise ConfigError(f"{provider.name} has one model. Begin again with --provider to ask another one.")
        if words:
            chosen: dict[str, Any] = {field: words[0]}
            session.settings = replace(session.settings, **chosen)
            self.options.model = words[0]
        named = getattr(session.settings, field) if provider.wire else ""
        self._say(f"{provider.name}: {named or 'the model that it has'}")

    def _job(self, words: list[str]) -> None:
        if not words:
            return self._as_option("jobs", [])
        from jobs.job import job_named

        job_named(words[0])  # which says what there is where there is no such job
        self.next = argparse.Namespace(**{**vars(self.options), "job": words[0]})
        return None
