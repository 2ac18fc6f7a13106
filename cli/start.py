"""From a command line to an exit code: the housekeeping commands, and one run from prompt to answer."""

from __future__ import annotations

import argparse
import contextlib
import errno
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cli.arguments import EXIT_USAGE, chosen_job, parser
from cli.screen.lasting import lasting, leave
from config import PROJECT, PROVIDERS, ConfigError, Settings, load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from agent.contracts import AgentResult
    from agent.run import Run
    from cli.approval import Approval
    from cli.screen.terminal import Terminal
    from cli.watch import Watching
    from jobs.job import Job
    from records.fork import Fork
    from session import Record, Session

EXIT_ANSWERED, EXIT_PROVIDER, EXIT_LIMIT, EXIT_INTERRUPTED = 0, 2, 3, 130
EXIT_CODES = {"answered": EXIT_ANSWERED, "provider_error": EXIT_PROVIDER, "interrupted": EXIT_INTERRUPTED}


def main(arguments: list[str]) -> int:
    """Run one command line and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # not a real stream: a test, or a window without a console
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.stderr = lasting(sys.stderr)
    options = argparse.Namespace(json="--json" in arguments, provider="")
    try:
        options = parsed(arguments)
        code = dispatch(options)
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


def dispatch(options: argparse.Namespace) -> int:
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
            return fork(settings, options)
    if options.watch is not None and not options.prompt and options.go_on is None and watches_only(options):
        from cli.watch import watch

        return watch(settings, options)
    if talks(options):
        from cli.chat import chat

        with interruptible(), session(settings, options) as opened:
            return chat(opened)
    prompt, continues = what_to_do(settings, options)
    with interruptible():
        return run_once(prompt, continues, settings, options)


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


def run_once(prompt: str, continues: Path | None, settings: Settings, options: argparse.Namespace) -> int:
    """Run the loop on one prompt, print what came of it."""
    with session(settings, options) as desk:
        return ended(desk.run(prompt, continues=continues), desk, options)


def ended(result: AgentResult, desk: Desk, options: argparse.Namespace) -> int:
    """Print what came of a run, stay as long as its page is open; return the exit code."""
    print_result(result, as_json=options.json, already_shown=desk.terminal.showed_answer)
    if desk.watching:
        sys.stdout.flush()
        desk.watching.linger()
    return EXIT_CODES.get(result.stop_reason, EXIT_LIMIT)


def print_result(result: AgentResult, *, as_json: bool, already_shown: bool) -> None:
    """Put the answer, or the JSON object, on standard output, alone."""
    if as_json:
        import json

        print(json.dumps(result.to_json(), ensure_ascii=False))
    elif result.answer and not already_shown:
        from cli.screen.terminal import printable

        print(printable(result.answer) if sys.stdout.isatty() else result.answer)


@dataclass
class Desk:
    """A session with a person before it: what they see, type, allow and watch."""

    session: Session
    terminal: Terminal
    approval: Approval | None
    typed: Callable[[], Sequence[str]]
    watching: Watching | None

    def run(self, prompt: str, *, continues: Path | None = None, forks: Fork | None = None) -> AgentResult:
        """Run the loop on one prompt, shown, and asked about where the person wants that; see Session.run."""
        steering = self.watching.steering if self.watching else None
        more: dict[str, Any] = {"approve": self.approval} if self.approval else {}
        try:
            return self.session.run(
                prompt,
                listeners=[self.terminal],
                began=self._began,
                continues=continues,
                forks=forks,
                hooks=[steering] if steering else [],
                typed=lambda: [*self.typed(), *(steering.said() if steering else ())],
                **more,
            )
        finally:
            self.terminal.close()

    def _began(self, run: Run, record: Record | None) -> None:
        from cli.screen.terminal import announce_sandbox

        self.terminal.follow(run, record and record.folder, record and record.keeper)
        if self.watching and record:
            record.trace.text_seconds = 0.0  # each piece is shown when it is there
            self.watching.begin(run, record.folder)
        announce_sandbox(run)


@contextlib.contextmanager
def session(settings: Settings, options: argparse.Namespace) -> Iterator[Desk]:
    """Open a session with the terminal, and the page where the person wants one, before it."""
    from cli.screen.terminal import Terminal, may_run_unconfined
    from session import opened

    seen = sys.stdout.isatty() and not options.json
    terminal = Terminal(sys.stderr, verbose=options.verbose, stdout_is_seen=seen, plain=options.plain)
    tell = terminal.notice

    def unconfined(provider: str) -> bool:
        return may_run_unconfined(provider, options.allow_unconfined, tell)

    with (
        watched(settings, options, tell) as page,
        opened(settings, job_of(options), tell=tell, unconfined=unconfined) as opened_session,
    ):
        approval = None
        if options.ask:
            from cli.approval import Approval

            approval = Approval(terminal, page.steering if page else None)
        yield Desk(opened_session, terminal, approval, approval.typed if approval else tuple, page)


@contextlib.contextmanager
def watched(settings: Settings, options: argparse.Namespace, tell: Callable[[str], None]) -> Iterator[Watching | None]:
    """The page of the session's runs, where the person wants one."""
    if options.watch is None and not options.step:
        yield None
        return
    from cli.watch import watching

    with watching(settings, options, tell) as page:
        yield page
