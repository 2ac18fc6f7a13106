"""What a command line asks for beside a run of one prompt: a command, a page, a conversation."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from cli.arguments import EXIT_ANSWERED
from cli.desk import desk_for, job_of, settings_for
from cli.signals import interruptible
from config import COMMAND, ConfigError, Settings

Do = Callable[[list[str], argparse.Namespace], object]  # what a command line does, after an earlier one
Command = Callable[[Settings, argparse.Namespace], int]


def otherwise(options: argparse.Namespace, do: Do) -> int | None:
    """Do it and return the exit code; None where a run of one prompt is what is asked for. `do` takes the options of
    another command line, out of a conversation."""
    if options.instead and options.prompt:
        flag, words = f"--{options.instead.replace('_', '-')}", " ".join(options.prompt)
        raise ConfigError(f"{flag} has no use for {words[:80]!r}, so nothing was done. See: {COMMAND} --help")
    if options.instead == "reset":
        from cli.reset import reset_calculator

        print(reset_calculator(), file=sys.stderr)
        return EXIT_ANSWERED
    if options.instead == "sandbox":
        from sandbox.running.levels import level
        from sandbox.running.report import table

        print(table(level()))
        return EXIT_ANSWERED
    if options.instead == "jobs":
        from cli.commands import jobs

        return jobs()
    settings = settings_for(options)
    if options.instead:
        return command(options.instead)(settings, options)
    if options.watch is not None and not options.prompt and options.go_on is None and watches_only(options):
        from cli.watch import watch

        return watch(settings, options)
    return converse(settings, options, do) if talks(options) and not knows_what_to_do(settings, options) else None


def command(name: str) -> Command:
    """What is done for a flag."""
    if name == "home":
        from cli.watch import home

        return home
    if name == "page":
        from cli.page import page

        return page
    if name == "fork":
        from cli.fork import fork

        return fork
    if name in ("mcp_login", "mcp_logout"):
        from cli.login import login, logout

        return login if name == "mcp_login" else logout
    from cli.commands import COMMANDS

    return COMMANDS[name]


def watches_only(options: argparse.Namespace) -> bool:
    """Whether --watch names a run; else what stands behind it is the prompt."""
    from cli.watch import names_a_run

    if names_a_run(options.watch):
        return True
    options.prompt = [options.watch]
    return False


def talks(options: argparse.Namespace) -> bool:
    """Without a prompt, on a terminal, it is a conversation."""
    nothing_said = not options.prompt and options.go_on is None and not options.json
    return nothing_said and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def knows_what_to_do(settings: Settings, options: argparse.Namespace) -> bool:
    """Whether the job has something to do without a prompt: an audit, a task that an option names."""
    job = job_of(options)
    return bool(job.entry(settings, job.default_prompt).strip())


def converse(settings: Settings, options: argparse.Namespace, do: Do) -> int:
    """A conversation, and another one for each job that the person goes over to."""
    from cli.chat import chat

    with interruptible(), desk_for(settings, options) as desk:
        following = chat(desk, options, do)
    while following:
        try:
            with interruptible(), desk_for(settings_for(following), following) as desk:
                options, following = following, chat(desk, following, do)
        except ConfigError as error:
            if following is options:  # nor can the one before be opened again
                raise
            print(f"Error: {error}", file=sys.stderr)
            following = options
    return EXIT_ANSWERED
