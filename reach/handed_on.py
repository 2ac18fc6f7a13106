"""What of the environment is handed on to programs that the person named."""

from __future__ import annotations

from config import environment_of

HANDED_ON = (  # of the environment, to programs that the person named; what the MCP specification's own SDK hands on
    *("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"),
    *("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE"),
    *("SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"),
)


def plain_environment() -> dict[str, str]:
    """Return what a program that the person named is started with: where things are and how to write, and no secret."""
    return environment_of(HANDED_ON)
