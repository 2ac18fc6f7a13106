"""`python -m librarian "question"`: the librarian's answer as one JSON object, for scripts and evaluations."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace

    from agent.contracts import AgentResult

EXAMPLE = 'python -m librarian "How do you resolve a merge conflict?"'


def main(arguments: list[str]) -> int:
    """Print `{"answer", "status", "source", "warnings", "tool_calls"}` and return the exit code. The options are those
    of main.py."""
    from cli import start

    return start.main(["--job", "librarian", *arguments], answered)


def answered(options: Namespace) -> int:
    import json

    from cli import desk, signals, start
    from cli.arguments import EXIT_LIMIT

    def printed(result: AgentResult) -> None:
        print(json.dumps(result.report), flush=True)

    prompt = start.prompt_from(options.prompt, example=EXAMPLE)
    settings = desk.settings_for(options)
    with signals.interruptible(), desk.desk_for(settings, options) as open_desk:
        result = open_desk.run(prompt, then=printed)
    return desk.EXIT_CODES.get(result.stop_reason, EXIT_LIMIT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
