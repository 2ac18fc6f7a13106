"""Runs one command and prints what it cost as one line of JSON.

A process of its own, and a small one: Linux counts the memory of whoever starts a program into the program's own peak
(getrusage(2), ru_maxrss is kept over fork and exec), so that a large parent would hide what a small child needs.
"""

import json
import os
import sys
import time


def main(command: list[str]) -> None:
    """Run `command` with its standard output thrown away; CPU seconds, bytes at the peak, clock, exit code."""
    began = time.monotonic()
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    unit = 1 if sys.platform == "darwin" else 1024
    cost = {
        "began": began,
        "seconds": time.monotonic() - began,
        "process_seconds": usage.ru_utime + usage.ru_stime,
        "peak_bytes": usage.ru_maxrss * unit,
        "exit_code": os.waitstatus_to_exitcode(status),
    }
    print(json.dumps(cost))


if __name__ == "__main__":
    main(sys.argv[1:])
