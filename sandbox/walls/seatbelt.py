"""Seatbelt: the wall of macOS, by /usr/bin/sandbox-exec.

THIS PROFILE HAS NEVER RUN. It is by design, from the documentation; we have no macOS to run it on. The tests look at
the command alone.

sandbox-exec(1) takes a profile in the language of the kernel's sandbox (the system's own are in
/System/Library/Sandbox/Profiles). Everything is denied but what is named here. Paths are passed as parameters with -D
and never pasted into the profile: a directory may be called `") (allow default) ("`.
"""

import os
import sys
from collections.abc import Sequence

PROGRAM = "/usr/bin/sandbox-exec"

_PLACEHOLDER = "{private}"

_PROFILE = """
(version 1)
(deny default)
(allow process-exec (literal (param "PYTHON")))
(allow signal (target self))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read*
  (literal "/") (literal "/dev/null") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/zero")
  (subpath "/usr/lib") (subpath "/usr/share/zoneinfo") (subpath "/var/db/timezone")
  (subpath "/System/Library") (subpath "/Library/Apple") (subpath "/private/etc/ssl")
  (subpath (param "WORK")) (subpath (param "PRIVATE")) {more})
(allow file-write*
  (literal "/dev/null") (subpath (param "WORK")) (subpath (param "PRIVATE")))
(deny file-write-create (vnode-type SYMLINK) (vnode-type FIFO) (vnode-type SOCKET))
(deny file-write-setugid)
(deny file-link)
(deny process-fork)
(deny network*)
"""


def around(command: Sequence[str], directory: str, readable: Sequence[str]) -> list[str]:
    """The command, run inside the sandbox, once `with_private` has named the private directory."""
    places = [sys.prefix, sys.base_prefix, *readable]
    parameters = {"PYTHON": os.path.realpath(command[0]), "WORK": directory, "PRIVATE": _PLACEHOLDER}
    parameters |= {f"READ{number}": os.path.realpath(place) for number, place in enumerate(places)}
    more = " ".join(f'(subpath (param "READ{number}"))' for number in range(len(places)))
    defined = [part for name, value in parameters.items() for part in ("-D", f"{name}={value}")]
    return [PROGRAM, "-p", _PROFILE.replace("{more}", more), *defined, *command]


def with_private(command: Sequence[str], private: str) -> list[str]:
    """The command of `around` with the private directory of this run; arguments of the program stay what they are."""
    place = command.index(f"PRIVATE={_PLACEHOLDER}")
    return [*command[:place], f"PRIVATE={private}", *command[place + 1 :]]
