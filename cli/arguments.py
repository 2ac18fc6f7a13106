"""The command line: the argument parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from config import COMMAND, PROVIDERS, VERSION

if TYPE_CHECKING:
    from jobs.job import Option

EXIT_USAGE = 1


class Parser(argparse.ArgumentParser):
    """argparse, with this program's exit code for a wrong command line."""

    def error(self, message: str) -> Any:
        self.exit(EXIT_USAGE, f"Error: {message}. See: {COMMAND} --help\n")

    def format_help(self) -> str:
        from cli import usage

        self.description, self.epilog = usage.DESCRIPTION, usage.EPILOG
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()


def parser(options: Iterable[Option] = ()) -> Parser:
    """The parser of a command line; `options` are those that the chosen job has beside the others."""
    build = Parser(prog=COMMAND.split()[-1])
    add = build.add_argument
    add("prompt", nargs="*", help='what to do, in plain words; "-" reads it from standard input')
    add("--job", metavar="NAME", help="what kind of agent it is; see --jobs")
    add("--jobs", action="store_true", help="list the jobs")
    add("--provider", metavar="NAME", help=f"which model to ask: {', '.join(PROVIDERS)} (LLM_PROVIDER)")
    add(
        "--workdir", metavar="DIR", help="the directory to work in (GLASSBOX_WORKING_DIRECTORY; default: the job's own)"
    )
    add(
        "--mcp",
        metavar="SERVER",
        action="append",
        help="use an MCP server: a file, a command or an address (repeatable)",
    )
    add(
        "--mcp-tools",
        metavar="PATTERN",
        action="append",
        help="of the servers' tools offer only these, such as 'files__read_*' (repeatable)",
    )
    add("--mcp-login", metavar="SERVER", help="log in at an MCP server, by its address or its name in --mcp, and end")
    add("--mcp-logout", metavar="SERVER", help="forget the login at an MCP server, and end")
    add("--skills", metavar="DIR", dest="skills_paths", action="append", help="use the skills in a folder (repeatable)")
    add("--max-iters", metavar="N", help="at most N requests to the model, 0 for no limit (MAX_ITERS; default: 20)")
    add("--max-seconds", metavar="N", help="at most N seconds, 0 for no limit (GLASSBOX_MAX_SECONDS; default: 0)")
    add("--model-size", metavar="SIZE", help="small, large or auto: how much help the model gets (default: auto)")
    add("--without", metavar="NAME", action="append", help="leave out a part of that help (docs/small-models.md)")
    add("--assist", metavar="HOW", help="off, suggest or finish: what the search for a repair does for a small model")
    add("--verbose", action="store_true", help="show the prompt, every argument, every result and the tokens")
    add("--json", action="store_true", help="print one JSON object on standard output instead of the answer")
    add("--sandbox", action="store_true", help="try the sandbox on this system, show what holds, and end")
    add("--allow-unconfined", action="store_true", help="run the model's code even where no wall can hold it in")
    add("--plain", action="store_true", help="plain lines, without colour or a status line (as with NO_COLOR)")
    add("--theme", metavar="NAME", help="terminal (its own colours), light, dark or contrast (no colour at all)")
    add("--ask", action="store_true", help="show each change and each command, and wait for y, n, a or a comment")
    add(
        "--watch", nargs="?", const="", metavar="RUN", help="watch the run in a browser; a run's name: one that is kept"
    )
    add("--step", action="store_true", help="with --watch: pause before each request and each call")
    add("--continue", dest="go_on", nargs="?", const="", metavar="PROMPT", help="go on with the last run here")
    add("--home", action="store_true", help="all runs in a browser: search, sort, open, watch, fork")
    add("--runs", action="store_true", help="list the runs that are kept")
    add("--view", nargs="?", const="", metavar="RUN", help="open a run as a page (default: the last one)")
    add("--svg", nargs="?", const="", metavar="RUN", help="write a run as a short animation (default: the last one)")
    add("--against", metavar="RUN", help="with --view or --svg: another run, side by side")
    add("--result", metavar="RUN", help="print the JSON result of a run, also of one that was killed")
    add("--diff", nargs="?", const="", metavar="RUN", help="print what a run changed, as a patch for git apply")
    add("--fork", metavar="RUN:STEP", help="go on from a step of a run, on a copy of the files as they were then")
    add("--edit", nargs="?", const="", metavar="FILE", help="with --fork: change what stands there, in your editor")
    add("--model", metavar="NAME", help="which of the provider's models to ask (LMSTUDIO_MODEL, GEMINI_MODEL)")
    add("--undo", nargs="?", const="", metavar="RUN", help="put back what a run changed; undoes an undo, too")
    add("--force", action="store_true", help="with --undo: also what somebody else changed, or may have")
    add("--reset", action="store_true", help="put the calculator back as shipped, bug included")
    add("--version", action="version", version=f"glassbox {VERSION}")
    for option in options:
        add(option.flag, metavar=option.metavar, dest=option.setting, help=option.help)
    return build


def parsed(arguments: list[str], before: argparse.Namespace | None = None) -> argparse.Namespace:
    """Parse a command line, with the options of the job that it names; what it does not name stays as it was `before`.
    Raises ConfigError when there is no such job."""
    named = chosen_job(arguments)
    if not named:
        return parser().parse_args(arguments, before)
    from jobs.job import job_named

    return parser(job_named(named).options).parse_args(arguments, before)


def chosen_job(arguments: list[str]) -> str:
    """The job that a command line names, before the options that only this job has are known."""
    first = Parser(add_help=False, allow_abbrev=False)
    first.add_argument("--job", default="")
    return str(first.parse_known_args(arguments)[0].job)
