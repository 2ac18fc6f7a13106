"""Eight real attempts to get out, made behind the real walls at every start. Runs inside; prints one JSON line each.

A version number promises, an attempt shows: a sandbox elsewhere enforced nothing and reported success (NVIDIA OpenShell
issue 584). Each attempt does no harm where it succeeds. Arguments: the directory around the working directory, the
process number of the agent, and the names of the agent's environment variables, which must not be known in here.
"""

import json
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path


def read_outside(outside: str, agent: int) -> str:
    return Path(outside, "secret").read_text()


def write_outside(outside: str, agent: int) -> None:
    Path(outside, "written").write_text("escaped")


def open_a_socket(outside: str, agent: int) -> None:
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()


def signal_the_parent(outside: str, agent: int) -> None:
    os.kill(agent, signal.SIGCONT)  # does nothing to a process that is not stopped


def execute_a_shell(outside: str, agent: int) -> None:
    process = os.posix_spawn("/bin/sh", ["sh", "-c", "exit 0"], {})
    if os.waitpid(process, 0)[1]:
        raise PermissionError("the shell did not run")


def make_a_symbolic_link(outside: str, agent: int) -> None:
    os.symlink(os.path.join(outside, "secret"), "link")


def read_a_secret_of_the_environment(outside: str, agent: int) -> None:
    names = [name for name in sys.argv[3:] if name in os.environ]
    if not names:
        Path(f"/proc/{agent}/environ").read_bytes()


def change_the_limits_of_the_parent(outside: str, agent: int) -> None:
    resource.prlimit(agent, resource.RLIMIT_NOFILE, resource.prlimit(agent, resource.RLIMIT_NOFILE))


ATTEMPTS: tuple[Callable[[str, int], object], ...] = (
    read_outside,
    write_outside,
    open_a_socket,
    signal_the_parent,
    execute_a_shell,
    make_a_symbolic_link,
    read_a_secret_of_the_environment,
    change_the_limits_of_the_parent,
)


def main() -> None:
    for attempt in ATTEMPTS:
        try:
            attempt(sys.argv[1], int(sys.argv[2]))
        except Exception as error:
            held, detail = True, f"{type(error).__name__}: {error}"
        else:
            held, detail = False, "it worked"
        print(json.dumps([attempt.__name__.replace("_", " "), held, detail]), flush=True)


if __name__ == "__main__":
    main()
