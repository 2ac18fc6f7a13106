"""The command line: the argument parser, the housekeeping commands, and one run from prompt to exit code."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from config import PROVIDERS, VERSION, ConfigError, Settings, load_settings, need

if TYPE_CHECKING:
    from pathlib import Path

    from agent.contracts import AgentResult
    from agent.run import Run
    from cli.session import Session

EXIT_ANSWERED, EXIT_USAGE, EXIT_PROVIDER, EXIT_LIMIT, EXIT_INTERRUPTED = 0, 1, 2, 3, 130
EXIT_CODES = {"answered": EXIT_ANSWERED, "provider_error": EXIT_PROVIDER, "interrupted": EXIT_INTERRUPTED}

Loop = Callable[[str, Settings, "Run"], "AgentResult"]

DESCRIPTION = """\
A coding agent that you can see through. It reads, edits, runs and tests the files of one directory.

With nothing configured it uses LM Studio where that runs, else a built-in model that repairs bugs without any network.
"""
EPILOG = """\
examples:
  python main.py "fix the bug"
  python main.py "run the tests" --provider offline
  python main.py "why does parse() fail on empty input?" --workdir ~/project --verbose
  echo "what files are in the root?" | python main.py -
  python main.py                            (on a terminal: a conversation)
  python main.py --view                     (the last run, as a page to step through)
  python main.py --undo                     (take the last run's changes back)

settings stand in .env (see .env.example); the environment wins over it, and options win over both.
exit codes: 0 answered, 1 usage or configuration, 2 provider or model failed, 3 a limit was reached, 130 interrupted.
"""


class Parser(argparse.ArgumentParser):
    """argparse, with this program's exit code for a wrong command line."""

    def error(self, message: str) -> Any:
        self.exit(EXIT_USAGE, f"Error: {message}. See: python main.py --help\n")


def parser() -> Parser:
    formatter = argparse.RawDescriptionHelpFormatter
    build = Parser(prog="main.py", description=DESCRIPTION, epilog=EPILOG, formatter_class=formatter)
    add = build.add_argument
    add("prompt", nargs="*", help='what to do, in plain words; "-" reads it from standard input')
    add("--provider", metavar="NAME", help=f"which model to ask: {', '.join(PROVIDERS)} (LLM_PROVIDER)")
    add("--workdir", metavar="DIR", help="the directory to work in (WORKING_DIRECTORY; default: the calculator)")
    add("--max-iters", metavar="N", help="at most N requests to the model, 0 for no limit (MAX_ITERS; default: 20)")
    add("--max-seconds", metavar="N", help="at most N seconds, 0 for no limit (MAX_SECONDS; default: 0)")
    add("--verbose", action="store_true", help="show the prompt, every argument, every result and the tokens")
    add("--json", action="store_true", help="print one JSON object on standard output instead of the answer")
    add("--sandbox", action="store_true", help="try the sandbox on this system, show what holds, and end")
    add("--allow-unconfined", action="store_true", help="run the model's code even where no wall can hold it in")
    add("--plain", action="store_true", help="plain lines, without colour or a status line (as with NO_COLOR)")
    add("--ask", action="store_true", help="show each change and each command, and wait for y, n, a or a comment")
    add("--continue", dest="go_on", nargs="?", const="", metavar="PROMPT", help="go on with the last run here")
    add("--runs", action="store_true", help="list the runs that are kept")
    add("--view", nargs="?", const="", metavar="RUN", help="open a run as a page (default: the last one)")
    add("--against", metavar="RUN", help="with --view: another run, side by side")
    add("--result", metavar="RUN", help="print the JSON result of a run, also of one that was killed")
    add("--diff", nargs="?", const="", metavar="RUN", help="print what a run changed, as a patch for git apply")
    add("--undo", nargs="?", const="", metavar="RUN", help="put back what a run changed; undoes an undo, too")
    add("--force", action="store_true", help="with --undo: also what a person changed since")
    add("--reset", action="store_true", help="put the calculator back as shipped, bug included")
    add("--version", action="version", version=f"glassbox {VERSION}")
    return build


def main(arguments: list[str], lmstudio_loop: Loop) -> int:
    """Run one command line and return the exit code. `lmstudio_loop` is the loop that lives in main.py."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # not a real stream: a test, or a window without a console
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    options = parser().parse_args(arguments)
    try:
        return dispatch(options, lmstudio_loop)
    except ConfigError as error:
        if options.json:
            print_failure(str(error), options)
        print(f"Error: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough; see the note on SIGPIPE in Python's docs
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_ANSWERED


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

        print(level().table())
        return EXIT_ANSWERED
    settings = settings_for(options)
    for command in ("runs", "view", "result", "diff", "undo"):
        if getattr(options, command) not in (None, False):
            from cli import commands

            return getattr(commands, command)(settings, options)
    if talks(options):
        from cli.chat import chat

        with interruptible(), session(settings, options, lmstudio_loop) as opened:
            return chat(opened)
    prompt, continues = what_to_do(settings, options)
    with interruptible():
        return run_once(prompt, continues, settings, options, lmstudio_loop)


def talks(options: argparse.Namespace) -> bool:
    """Without a prompt, on a terminal, it is a conversation."""
    nothing_said = not options.prompt and options.go_on is None and not options.json
    return nothing_said and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def settings_for(options: argparse.Namespace) -> Settings:
    return load_settings(
        {
            "llm_provider": options.provider,
            "working_directory": options.workdir,
            "max_iters": options.max_iters,
            "max_seconds": options.max_seconds,
        }
    )


def what_to_do(settings: Settings, options: argparse.Namespace) -> tuple[str, Path | None]:
    """Return the prompt, and the run to go on with. Raises ConfigError when there is none."""
    if options.go_on is None:
        return prompt_from(options.prompt), None
    from records.conversation import conversation_of, last_prompt
    from records.folders import last_in

    folder = last_in(settings.runs_directory, settings.working_directory)
    words = [word for word in (options.go_on, *options.prompt) if word]
    return prompt_from(words or [last_prompt(conversation_of(folder))]), folder


def prompt_from(words: list[str]) -> str:
    """Return the prompt, from the command line or from standard input. Raises ConfigError when there is none."""
    prompt = " ".join(words)
    if prompt == "-":
        prompt = sys.stdin.buffer.read().decode("utf-8", "replace")
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
    from cli.session import print_result

    with session(settings, options, lmstudio_loop) as opened:
        result = opened.run(prompt, continues=continues)
    print_result(result, as_json=options.json, already_shown=opened.terminal.showed_answer)
    return EXIT_CODES.get(result.stop_reason, EXIT_LIMIT)


@contextlib.contextmanager
def session(settings: Settings, options: argparse.Namespace, lmstudio_loop: Loop) -> Iterator[Session]:
    """Open the working directory, choose the provider, and yield what runs begin from."""
    from cli.sandbox_notice import may_run_unconfined
    from cli.screen.terminal import Terminal
    from cli.session import Session
    from sandbox.files.root import Refusal, Root

    try:
        root = Root(settings.working_directory)
    except Refusal as refusal:
        raise ConfigError(f"{refusal}. Choose it with --workdir: now it is {settings.working_directory}") from None
    seen = sys.stdout.isatty() and not options.json
    terminal = Terminal(sys.stderr, verbose=options.verbose, stdout_is_seen=seen, plain=options.plain)
    approval = None
    if options.ask:
        from cli.approval import Approval

        approval = Approval(terminal, root)
    with root, chosen_provider(settings, lmstudio_loop, terminal.notice) as (name, loop, settings):
        root.allow_unconfined = may_run_unconfined(name, options.allow_unconfined, terminal.notice)
        yield Session(name, loop, settings, options, root, terminal, approval)


@contextlib.contextmanager
def chosen_provider(
    settings: Settings, lmstudio_loop: Loop, notice: Callable[[str], None]
) -> Iterator[tuple[str, Loop, Settings]]:
    """Yield the provider's name, its loop and the settings to run it with; the built-in model is served meanwhile."""
    name = settings.llm_provider or available_provider(settings, notice)
    need("google.genai" if name == "gemini" else "openai")
    if name == "gemini":
        from providers.gemini import run_agent

        yield name, run_agent, settings
    elif name == "lmstudio":
        yield name, lmstudio_loop, settings
    else:
        from offline.wire.server import serve

        with serve() as address:
            yield name, lmstudio_loop, replace(settings, lmstudio_base_url=f"{address}/v1", lmstudio_model="")


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
