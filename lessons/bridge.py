"""An MCP server that knows nothing: hands each message on through a folder, into the sandbox, and the answer back.

Started by the real agent in lesson 19: python bridge.py FOLDER. The learner's code answers there, behind its walls.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

LOOK_SECONDS = 0.002


def main() -> None:
    folder = Path(sys.argv[1])
    for number, line in enumerate(sys.stdin, 1):
        draft = folder / f"{number}.written"
        draft.write_text(line, encoding="utf-8")
        draft.rename(folder / f"{number}.in")
        answered = folder / f"{number}.out"
        while not answered.exists():
            time.sleep(LOOK_SECONDS)
        if reply := answered.read_text(encoding="utf-8").replace("\n", " "):
            print(reply, flush=True)


if __name__ == "__main__":
    main()
