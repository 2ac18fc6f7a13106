"""Tests of many small folders, quickly: a process that has pytest loaded forks for each. Several hundred starts behind
the sandbox's walls would take minutes, and these programs are our own.

As a script it answers each line of standard input, JSON as [folder, test files], by the exit code of pytest.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

Passes = Callable[[Path, Iterable[str]], bool]


@contextlib.contextmanager
def quick_runs() -> Iterator[Passes]:
    """Yield what does as `bench.attempts.passes` does, without the walls."""
    command = [sys.executable, __file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:

        def passes(folder: Path, tests: Iterable[str]) -> bool:
            names = [path for path in tests if Path(path).name.startswith("test") and path.endswith(".py")]
            process.stdin.write(json.dumps([str(folder), names]) + "\n")
            process.stdin.flush()
            return process.stdout.readline().strip() == "0"

        yield passes
        process.stdin.close()


def main() -> None:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # a plugin that nobody needs takes longer than the tests
    import pytest

    for line in sys.stdin:
        folder, names = json.loads(line)
        child = os.fork()
        if not child:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.chdir(folder)
            sys.path.insert(0, folder)
            sys.dont_write_bytecode = True
            options = ["-q", "--assert=plain", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", folder]
            os._exit(int(pytest.main([*options, *names])))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
