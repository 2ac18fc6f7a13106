"""The command line as --help shows it: what can be said, as tables. cli/start.py makes the parser of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from config import COMMAND, PROVIDERS, VERSION


class Argument(NamedTuple):
    """A flag, what stands for its value in --help ("" without one), its line there, and what else argparse is told."""

    flag: str
    value: str
    help: str
    how: Mapping[str, Any] = {}


# As the last line of --help tells them.
EXIT_ANSWERED, EXIT_USAGE, EXIT_PROVIDER, EXIT_LIMIT, EXIT_INTERRUPTED = 0, 1, 2, 3, 130

SWITCH = {"action": "store_true"}
AGAIN = {"action": "append"}
MAYBE = {"nargs": "?", "const": ""}  # its value may be left out

RUN = (  # of a run
    Argument("prompt", "", 'what to do, in plain words; "-" reads it from standard input', {"nargs": "*"}),
    Argument("--job", "NAME", "what kind of agent it is; see --jobs"),
    Argument("--provider", "NAME", f"which model to ask: {', '.join(PROVIDERS)} (LLM_PROVIDER)"),
    Argument("--model", "NAME", "which of the provider's models to ask (LMSTUDIO_MODEL, GEMINI_MODEL)"),
    Argument("--workdir", "DIR", "the directory to work in (GLASSBOX_WORKING_DIRECTORY; default: the job's own)"),
    Argument("--mcp", "SERVER", "use an MCP server: a file, a command or an address (repeatable)", AGAIN),
    Argument("--mcp-tools", "PATTERN", "offer only these of the servers' tools: 'files__read_*' (repeatable)", AGAIN),
    Argument("--skills", "DIR", "use the skills in a folder (repeatable)", AGAIN | {"dest": "skills_paths"}),
    Argument("--max-iters", "N", "at most N requests to the model, 0 for no limit (MAX_ITERS; default: 20)"),
    Argument("--max-seconds", "N", "at most N seconds, 0 for no limit (GLASSBOX_MAX_SECONDS; default: 0)"),
    Argument("--model-size", "SIZE", "small, large or auto: how much help the model gets (default: auto)"),
    Argument("--without", "NAME", "leave out a part of that help (docs/small-models.md)", AGAIN),
    Argument("--assist", "HOW", "off, suggest or finish: what the search for a repair does for a small model"),
    Argument("--tries", "N", "try up to N times where the tests do not pass, and keep the best (default: 1)"),
    Argument("--verbose", "", "show the prompt, every argument, every result and the tokens", SWITCH),
    Argument("--json", "", "print one JSON object on standard output instead of the answer", SWITCH),
    Argument("--allow-unconfined", "", "run the model's code even where no wall can hold it in", SWITCH),
    Argument("--plain", "", "plain lines, without colour or a status line (as with NO_COLOR)", SWITCH),
    Argument("--theme", "NAME", "terminal (its own colours), light, dark or contrast (no colour at all)"),
    Argument("--ask", "", "show each change and each command, and wait for y, n, a or a comment", SWITCH),
    Argument("--watch", "RUN", "watch the run in a browser; a run's name: one that is kept", MAYBE),
    Argument("--step", "", "with --watch: pause before each request and each call", SWITCH),
    Argument("--continue", "PROMPT", "go on with the last run here", MAYBE | {"dest": "go_on"}),
    Argument("--against", "RUN", "with --view or --svg: another run, side by side"),
    Argument("--edit", "FILE", "with --fork: change what stands there, in your editor", MAYBE),
    Argument("--force", "", "with --undo: also what somebody else changed, or may have", SWITCH),
    Argument("--version", "", "print the version, and end", {"action": "version", "version": f"glassbox {VERSION}"}),
)
INSTEAD = (  # of a run; the first that is given is done
    Argument("--reset", "", "put the calculator back as shipped, bug included", SWITCH),
    Argument("--sandbox", "", "try the sandbox on this system, show what holds, and end", SWITCH),
    Argument("--jobs", "", "list the jobs", SWITCH),
    Argument("--runs", "", "list the runs that are kept", SWITCH),
    Argument("--view", "RUN", "open a run as a page (default: the last one)", MAYBE),
    Argument("--svg", "RUN", "write a run as a short animation (default: the last one)", MAYBE),
    Argument("--result", "RUN", "print the JSON result of a run, also of one that was killed"),
    Argument("--diff", "RUN", "print what a run changed, as a patch for git apply", MAYBE),
    Argument("--undo", "RUN", "put back what a run changed; undoes an undo, too", MAYBE),
    Argument("--mcp-login", "SERVER", "log in at an MCP server, by its address or its name in --mcp, and end"),
    Argument("--mcp-logout", "SERVER", "forget the login at an MCP server, and end"),
    Argument("--home", "", "all runs in a browser: search, sort, open, watch, fork", SWITCH),
    Argument("--page", "NAMES", "with --job notekeeper: a page to talk to, or one for each of these people", MAYBE),
    Argument("--fork", "RUN:STEP", "go on from a step of a run, on a copy of the files as they were then"),
)

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
  python main.py --job NAME --help          (what another kind of agent takes)
  python main.py --watch "fix the bug"      (see it in a browser while it works)
  python main.py --home                     (all runs, in a browser)
  python main.py --view                     (the last run, as a page to step through)
  python main.py --fork RUN:7 --edit        (what if step 7 had been something else?)
  python main.py --undo                     (take the last run's changes back)

settings stand in .env (see .env.example); the environment wins over it, and options win over both.
exit codes: 0 answered, 1 usage or configuration, 2 provider or model failed, 3 a limit was reached, 130 interrupted.
""".replace("python main.py", COMMAND)
