"""What a person has before them while a session is open: the screen, what they type, what they allow, the page."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.arguments import EXIT_ANSWERED, EXIT_INTERRUPTED, EXIT_LIMIT, EXIT_PROVIDER
from cli.signals import heeded
from config import PLACE, PROVIDERS, Settings, load_settings

if TYPE_CHECKING:
    from agent.contracts import AgentResult
    from agent.run import Run
    from cli.approval import Approval
    from cli.screen.terminal import Terminal
    from cli.watch import Watching
    from jobs.job import Job
    from records.fork import Fork
    from records.trace import Record
    from session import Session

EXIT_CODES = {"answered": EXIT_ANSWERED, "provider_error": EXIT_PROVIDER, "interrupted": EXIT_INTERRUPTED}


def job_of(options: argparse.Namespace) -> Job:
    from jobs.job import DEFAULT, job_named

    return job_named(options.job or DEFAULT)


def settings_for(options: argparse.Namespace) -> Settings:
    """The settings of a command line. Where the person names no working directory, it is the job's own."""
    given = {"llm_provider": options.provider, "working_directory": options.workdir}
    if options.model:
        given |= {provider.setting("model"): options.model for provider in PROVIDERS.values()}
    if options.ask:
        given |= dict.fromkeys(job_of(options).with_ask, "on")  # each is asked about
    settings = load_settings({**vars(options), **given})
    if options.job and "working_directory" not in settings.chosen:
        settings = replace(settings, working_directory=PLACE / job_of(options).workplace)
    return settings


def run_once(desk: Desk, options: argparse.Namespace, prompt: str, **more: Any) -> int:
    """Run the loop on one prompt, print what came of it, stay as long as its page is open; return the exit code. `more`
    is what Desk.run takes."""

    def printed(result: AgentResult) -> None:
        print_result(result, as_json=options.json, already_shown=desk.terminal.showed_answer)

    result = desk.run(prompt, then=printed, **more)
    if desk.watching:
        desk.watching.linger()
    return EXIT_CODES.get(result.stop_reason, EXIT_LIMIT)


def print_result(result: AgentResult, *, as_json: bool, already_shown: bool) -> None:
    """Put the answer, or the JSON object, on standard output, alone."""
    if as_json:
        import json

        print(json.dumps(result.to_json()), flush=True)
    elif result.answer and not already_shown:
        from cli.screen.terminal import printable

        print(printable(result.answer) if sys.stdout.isatty() else result.answer, flush=True)


@dataclass
class Desk:
    """A session with a person before it: what they see, type, allow and watch."""

    session: Session
    terminal: Terminal
    approval: Approval | None
    typed: Callable[[], Sequence[str]]
    watching: Watching | None

    def run(
        self,
        prompt: str,
        *,
        continues: Path | None = None,
        forks: Fork | None = None,
        then: Callable[[AgentResult], object] = lambda result: None,
    ) -> AgentResult:
        """Run the loop on one prompt, shown, and asked about where the person wants that; see Session.run. `then` is
        done with the result before another Ctrl-C can come between."""
        steering = self.watching.steering if self.watching else None
        more: dict[str, Any] = {"approve": self.approval} if self.approval else {}
        with contextlib.ExitStack() as until_it_ends:
            try:
                result = self.session.run(
                    prompt,
                    listeners=[self.terminal],
                    began=partial(self._began, until_it_ends),
                    continues=continues,
                    forks=forks,
                    hooks=[steering] if steering else [],
                    typed=lambda: [*self.typed(), *(steering.said() if steering else ())],
                    **more,
                )
            finally:
                self.terminal.close()
            then(result)
            return result

    def _began(self, until_it_ends: contextlib.ExitStack, run: Run, record: Record | None) -> None:
        until_it_ends.enter_context(heeded(run))
        self.terminal.follow(run, *((record.folder, record.keeper) if record else ()))
        if self.watching and record:
            record.trace.text_seconds = 0.0  # each piece is shown when it is there
            self.watching.begin(run, record.folder)
        announce_sandbox(run)


@contextlib.contextmanager
def desk_for(settings: Settings, options: argparse.Namespace) -> Iterator[Desk]:
    """Open a session with the terminal, and the page where the person wants one, before it."""
    from session import opened

    seen = sys.stdout.isatty() and not options.json
    terminal = screen(options.verbose)(sys.stderr, stdout_is_seen=seen, plain=options.plain, theme=settings.theme)
    tell = terminal.notice

    def unconfined(provider: str) -> bool:
        return may_run_unconfined(provider, options.allow_unconfined, tell)

    with contextlib.ExitStack() as stack:
        page = stack.enter_context(watched(settings, options, tell))
        approval, outside = None, None
        if options.ask:
            from cli.approval import Approval

            approval = Approval(terminal, page.steering if page else None)
        if approval or settings.mcp:
            from cli.elicited import at_hand

            outside = at_hand(settings, options, terminal, approval)
        opening = opened(settings, job_of(options), tell=tell, unconfined=unconfined, outside=outside)
        opened_session = stack.enter_context(opening)
        yield Desk(opened_session, terminal, approval, approval.typed if approval else tuple, page)


def screen(verbose: bool) -> type[Terminal]:
    """What is said of a run, or all of it."""
    if verbose:
        from cli.screen.verbose import Verbose

        return Verbose
    from cli.screen.terminal import Terminal

    return Terminal


@contextlib.contextmanager
def watched(settings: Settings, options: argparse.Namespace, tell: Callable[[str], None]) -> Iterator[Watching | None]:
    """The page of the session's runs, where the person wants one."""
    if options.watch is None and not options.step:
        yield None
        return
    from cli.watch import watching

    with watching(settings, options, tell) as page:
        yield page


def may_run_unconfined(provider: str, allowed: bool, notice: Callable[[str], None]) -> bool:
    """Whether code may run where no wall holds it: the person's own (the built-in model), or with the person's word.

    The word is `allowed` (--allow-unconfined), or a yes at the terminal, asked for only where no wall was found.
    """
    from cli.typed import awaited_line
    from sandbox.running import launcher, levels

    levels.warm()
    if provider == "offline" or allowed:
        return True
    if sys.stdin is None or not sys.stdin.isatty() or launcher.supervisor().walls.confined:
        return False
    notice(levels.level().warning)
    print("Run the model's code here without a wall? [y/N] ", end="", file=sys.stderr, flush=True)
    return awaited_line().lower() in ("y", "yes")


def announce_sandbox(run: Run) -> None:
    """Tell the run what the self-test observes, as soon as it has; the tools wait for it before they run any code."""
    from sandbox.running.levels import level

    def observe() -> None:
        observed = level()
        run.confined(observed.line, observed.told(run.root.allow_unconfined))

    threading.Thread(target=observe, daemon=True).start()
