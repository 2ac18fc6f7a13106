"""From a command line to an exit code: one run, from prompt to answer. Every other command: cli/otherwise.py."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, TextIO

from cli import arguments as said
from cli.arguments import EXIT_ANSWERED, EXIT_INTERRUPTED, EXIT_USAGE
from cli.signals import heard, interruptible
from config import COMMAND, ConfigError, Settings

if TYPE_CHECKING:
    from pathlib import Path

FIRST = f'{COMMAND} "fix the bug"'
NO_ROOM = (errno.ENOSPC, errno.EIO, errno.EDQUOT)  # what a full or broken disk says


def main(arguments: list[str], does: Callable[[argparse.Namespace], int] | None = None) -> int:
    """Run one command line and return the exit code. `does` is what it asks for (None: `dispatch`)."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - closed before the start
    sys.stdout = sys.stdout or closed_before(1)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # not in a test, or a window without a console
            stream.reconfigure(errors="backslashreplace")
    sys.stderr = Lasting(sys.stderr) if sys.stderr else closed_before(2)
    options, code = argparse.Namespace(json="--json" in arguments, provider=""), EXIT_ANSWERED
    try:
        try:
            heard()
            options = parsed(arguments)
            code = (does or dispatch)(options)
        except ConfigError as error:
            code = EXIT_USAGE
            print(f"Error: {error}", file=sys.stderr)
            if options.json:
                print_failure(str(error), options)
        sys.stdout.flush()  # here, where a full disk can still be told
        return code
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough; see the note on SIGPIPE in Python's docs
        leave(sys.stdout)
        return code
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            print("Error: no more files may be open at once here. Allow more (ulimit -n).", file=sys.stderr)
            return EXIT_USAGE
        if error.errno not in NO_ROOM:
            raise
        leave(sys.stdout)
        print(f"Error: what this prints cannot be written ({error.strerror}).", file=sys.stderr)
        return EXIT_USAGE


class Parser(argparse.ArgumentParser):
    """argparse, whose word for a wrong command line is a ConfigError as every other: a script gets its object then."""

    def error(self, message: str) -> Any:
        raise ConfigError(f"{message}. See: {COMMAND} --help")


def parsed(arguments: list[str], before: argparse.Namespace | None = None) -> argparse.Namespace:
    """Parse a command line, with the options of the job that it names; what it does not name stays as it was `before`.
    Its `instead` is what is asked for instead of a run, "" for a run. Raises ConfigError for what it does not know."""
    first = Parser(add_help=False, allow_abbrev=False)  # before the options that only one job has are known
    first.add_argument("--job", default="")
    named = first.parse_known_args(arguments)[0].job
    parser = Parser(COMMAND.split()[-1], None, said.DESCRIPTION, said.EPILOG)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    for each in said.RUN:
        add(parser, each)
    if named:
        from jobs.job import job_named

        for option in job_named(named).options:
            parser.add_argument(option.flag, metavar=option.metavar, dest=option.setting, help=option.help)
    group = parser.add_argument_group("instead of a run")
    instead = [add(group, each) for each in said.INSTEAD]
    options = parser.parse_args(arguments, before)
    if options.watch and (options.prompt or options.go_on is not None):
        options.prompt.insert(0, options.watch)  # no run's name, but the first word of a prompt
    options.instead = next((name for name in instead if getattr(options, name) not in (None, False)), "")
    return options


def add(parser: argparse._ActionsContainer, each: said.Argument) -> str:
    """Let a parser know an argument; return where its value will be found."""
    how = {**each.how, "metavar": each.value} if each.value else each.how
    return parser.add_argument(each.flag, help=each.help, **how).dest


def print_failure(sentence: str, options: argparse.Namespace) -> None:
    """With --json a script gets its object also when no run could begin."""
    import json

    from agent.contracts import AgentResult, TokenUsage

    result = AgentResult("", "provider_error", 0, (), TokenUsage(), 0.0, options.provider or "", "", (sentence,))
    print(json.dumps(result.to_json()))


def dispatch(options: argparse.Namespace) -> int:
    """Do what a command line asks for: mostly one run. Without a prompt, or with a command, cli/otherwise.py knows."""
    if options.instead or not options.prompt:
        from cli.otherwise import otherwise

        code = otherwise(options, lambda words, before: dispatch(parsed(words, before)))
        if code is not None:
            return code
    from cli.desk import desk_for, run_once, settings_for  # what --help does without

    settings = settings_for(options)
    prompt, continues = what_to_do(settings, options)
    with interruptible(), desk_for(settings, options) as desk:
        return run_once(desk, options, prompt, continues=continues)


def what_to_do(settings: Settings, options: argparse.Namespace) -> tuple[str, Path | None]:
    """Return the prompt, and the run to go on with. Raises ConfigError when there is none."""
    if options.go_on is None:
        from cli.desk import job_of

        job = job_of(options)
        words = options.prompt or [job.default_prompt]
        return prompt_from(words, lambda text: job.entry(settings, text), job.example if options.job else FIRST), None
    from records.folders import last_in
    from records.history import history_of, last_prompt

    folder = last_in(settings.runs_directory, settings.working_directory)
    words = [word for word in (options.go_on, *options.prompt) if word]
    return prompt_from(words or [last_prompt(history_of(folder))]), folder


def prompt_from(words: list[str], entry: Callable[[str], str] = str, example: str = FIRST) -> str:
    """Return the prompt, from the command line or from standard input, as the job's `entry` makes it. Raises
    ConfigError, with a command that would do, when there is none."""
    prompt = " ".join(words)
    if prompt == "-":
        prompt = sys.stdin.buffer.read().decode("utf-8", "replace")
    prompt = entry(prompt)
    if not prompt.strip():
        raise ConfigError(f"there is nothing to do. Say what, for example: {example}")
    return prompt.strip()


def closed_before(number: int) -> TextIO:
    """The null device in the place of an output that was closed before the start (None in Python): its number must not
    go to a file that is opened later."""
    to_nothing(number)
    return open(number, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - a descriptor, which stays open


class Lasting:
    """A text stream whose writing never fails because the other end was closed; everything else is the stream's."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with self._whoever_listens():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._whoever_listens():
            self._stream.flush()

    @contextlib.contextmanager
    def _whoever_listens(self) -> Any:
        try:
            yield
        except BrokenPipeError:
            leave(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def leave(stream: TextIO) -> None:
    """Write the rest to nowhere, also what Python itself flushes at the end."""
    to_nothing(stream.fileno())


def to_nothing(number: int) -> None:
    """Let a descriptor lead to the null device."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, number)
    if null != number:
        os.close(null)
