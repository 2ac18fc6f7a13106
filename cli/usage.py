"""What --help says before and after the options."""

from __future__ import annotations

from config import COMMAND

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
