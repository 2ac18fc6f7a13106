"""From a command line to an exit code: the housekeeping commands, and one run from prompt to answer."""

from __future__ import annotations

import argparse
import contextlib
import errno
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from cli.arguments import EXIT_USAGE, chosen_job, parser
from cli.screen.lasting import lasting, leave
from config import PROJECT, PROVIDERS, ConfigError, Settings, load_settings
from providers import loop_of

if TYPE_CHECKING:
    from pathlib import Path

    from agent.contracts import AgentResult
    from agent.run import Run
    from cli.session import Session
    from cli.watch import Watching
    from jobs.job import Job

EXIT_ANSWERED, EXIT_PROVIDER, EXIT_LIMIT, EXIT_INTERRUPTED = 0, 2, 3, 130
EXIT_CODES = {"answered": EXIT_ANSWERED, "provider_error": EXIT_PROVIDER, "interrupted": EXIT_INTERRUPTED}

Loop = Callable[[str, Settings, "Run"], "AgentResult"]


def main(arguments: list[str], lmstudio_loop: Loop) -> int:
    """Run one command line and return the exit code. `lmstudio_loop` is the loop that lives in main.py."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # not a real stream: a test, or a window without a console
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.stderr = lasting(sys.stderr)
    options = argparse.Namespace(json="--json" in arguments, provider="")
    try:
        options = parsed(arguments)
        code = dispatch(options, lmstudio_loop)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a full disk can still be told
        return code
    except ConfigError as error:
        if options.json:
            print_failure(str(error), options)
        print(f"Error: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough; see the note on SIGPIPE in Python's docs
        leave(sys.stdout)
        return EXIT_ANSWERED
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
            raise
        leave(sys.stdout)
        print(f"Error: what this prints cannot be written ({error.strerror}).", file=sys.stderr)
        return EXIT_USAGE


def parsed(arguments: list[str]) -> argparse.Namespace:
    """Parse a command line, with the options of the job that it names. Raises ConfigError when there is no such job."""
    named = chosen_job(arguments)
    if not named:
        return parser().parse_args(arguments)
    from jobs import job_named

    return parser(job_named(named).options).parse_args(arguments)


def print_failure(sentence: str, options: argparse.Namespace) -> None:
    """With --json a script gets its object also when no run could begin."""
    import json

    from agent.contracts import AgentResult, TokenUsage

    result = AgentResult("", "provider_error", 0, (), TokenUsage(), 0.0, options.provider or "", "", (sentence,))
    print(json.dumps(result.to_json(), ensure_ascii=False))


def dispatch(options: argparse.Namespace, lmstudio_loop: Loop) -> int:
    if options.reset:
        from cli.reset import reset_calculator

        print(reset_calculator(), file=sys.stderr)
        return EXIT_ANSWERED
    if options.sandbox:
        from sandbox.running.levels import level
        from sandbox.running.report import table

        print(table(level()))
        return EXIT_ANSWERED
    if options.jobs:
        from cli.commands import jobs

        return jobs()
    settings = settings_for(options)
    for command in ("runs", "view", "svg", "result", "diff", "undo"):
        if getattr(options, command) not in (None, False):
            from cli import commands

            return getattr(commands, command)(settings, options)
    if options.fork:
        from cli.fork import fork

        with interruptible():
            return fork(settings, options, lmstudio_loop)
    if options.watch is not None and not options.prompt and options.go_on is None and watches_only(options):
        from cli.watch import watch

        return watch(settings, options)
    if talks(options):
        from cli.chat import chat

        with interruptible(), session(settings, options, lmstudio_loop) as opened:
            return chat(opened)
    prompt, continues = what_to_do(settings, options)
    with interruptible():
        return run_once(prompt, continues, settings, options, lmstudio_loop)


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


def settings_for(options: argparse.Namespace) -> Settings:
    """The settings of a command line. Where the person names no working directory, it is the job's own."""
    given = {"llm_provider": options.provider, "working_directory": options.workdir}
    if options.model:
        given |= {provider.setting("model"): options.model for provider in PROVIDERS.values()}
    if options.ask:
        given["api_writes"] = "on"  # each is asked about
    settings = load_settings({**vars(options), **given})
    if options.job and "working_directory" not in settings.chosen:
        settings = replace(settings, working_directory=PROJECT / job_of(options).workplace)
    return settings


def job_of(options: argparse.Namespace) -> Job:
    from jobs import DEFAULT, job_named

    return job_named(options.job or DEFAULT)


def what_to_do(settings: Settings, options: argparse.Namespace) -> tuple[str, Path | None]:
    """Return the prompt, and the run to go on with. Raises ConfigError when there is none."""
    if options.go_on is None:
        job = job_of(options)
        return prompt_from(options.prompt or [job.default_prompt], lambda text: job.entry(settings, text)), None
    from records.folders import last_in
    from records.history import history_of, last_prompt

    folder = last_in(settings.runs_directory, settings.working_directory)
    words = [word for word in (options.go_on, *options.prompt) if word]
    return prompt_from(words or [last_prompt(history_of(folder))]), folder


def prompt_from(words: list[str], entry: Callable[[str], str] = str) -> str:
    """Return the prompt, from the command line or from standard input, as the job's `entry` makes it. Raises
    ConfigError when there is none."""
    prompt = " ".join(words)
    if prompt == "-":
        prompt = sys.stdin.buffer.read().decode("utf-8", "replace")
    prompt = entry(prompt)
    if not prompt.strip():
        raise ConfigError('there is nothing to do. Say what, for example: python main.py "fix the bug"')
    return prompt.strip()


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Treat a polite request to end (SIGTERM) like Ctrl-C: tools are stopped, the run is closed."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run_once(
    prompt: str, continues: Path | None, settings: Settings, options: argparse.Namespace, lmstudio_loop: Loop
) -> int:
    """Run the loop on one prompt, print what came of it."""
    with session(settings, options, lmstudio_loop) as opened:
        return ended(opened.run(prompt, continues=continues), opened, options)


def ended(result: AgentResult, opened: Session, options: argparse.Namespace) -> int:
    """Print what came of a run, stay as long as its page is open; return the exit code."""
    from cli.session import print_result

    print_result(result, as_json=options.json, already_shown=opened.terminal.showed_answer)
    if opened.watching:
        sys.stdout.flush()
        opened.watching.linger()
    return EXIT_CODES.get(result.stop_reason, EXIT_LIMIT)


@contextlib.contextmanager
def session(settings: Settings, options: argparse.Namespace, lmstudio_loop: Loop) -> Iterator[Session]:
    """Open the working directory, choose the provider, and yield what runs begin from."""
    from cli.sandbox_notice import may_run_unconfined
    from cli.screen.terminal import Terminal
    from cli.session import Session
    from jobs.equipment.equipped import equipped
    from sandbox.files.root import Refusal, Root

    try:
        root = Root(settings.working_directory)
    except Refusal as refusal:
        raise ConfigError(f"{refusal}. Choose it with --workdir: now it is {settings.working_directory}") from None
    seen = sys.stdout.isatty() and not options.json
    terminal = Terminal(sys.stderr, verbose=options.verbose, stdout_is_seen=seen, plain=options.plain)
    with (
        watched(settings, options, terminal.notice) as page,
        root,
        chosen_provider(settings, terminal.notice) as (name, loop, settings),
    ):
        root.allow_unconfined = may_run_unconfined(name, options.allow_unconfined, terminal.notice)
        job = job_of(options)
        with equipped(job, settings, root, terminal.notice) as (job, resources):
            approval = None
            if options.ask:
                from cli.approval import Approval

                approval = Approval(terminal, page.steering if page else None)
            typed = approval.typed if approval else tuple
            yield Session(
                name,
                loop,
                settings,
                options,
                root,
                terminal,
                approval,
                typed,
                job=job,
                resources=resources,
                watching=page,
            )


@contextlib.contextmanager
def watched(settings: Settings, options: argparse.Namespace, tell: Callable[[str], None]) -> Iterator[Watching | None]:
    """The page of the session's runs, where the person wants one."""
    if options.watch is None and not options.step:
        yield None
        return
    from cli.watch import watching

    with watching(settings, options, tell) as page:
        yield page


@contextlib.contextmanager
def chosen_provider(settings: Settings, notice: Callable[[str], None]) -> Iterator[tuple[str, Loop, Settings]]:
    """Yield the provider's name, its loop and the settings to run it with; the built-in model is served meanwhile."""
    name = settings.llm_provider or available_provider(settings, notice)
    loop = loop_of(name, settings)
    if name != "offline":
        yield name, loop, settings
        return
    from offline.wire.server import serve

    with serve() as address:
        yield name, loop, replace(settings, lmstudio_base_url=f"{address}/v1", lmstudio_model="")


def available_provider(settings: Settings, notice: Callable[[str], None]) -> str:
    """Without LLM_PROVIDER: LM Studio when it answers, else the built-in model, and one line that says so."""
    from providers.discovery import look

    found = look(settings.lmstudio_base_url, settings.lmstudio_api_key, seconds=0.5)
    if found and found.model:
        return "lmstudio"
    notice(
        "Using the built-in offline model: it repairs small bugs by search, without a language model. "
        "For a real one start LM Studio's server, or set LLM_PROVIDER=gemini and GEMINI_API_KEY (see .env.example)."
    )
    return "offline"
