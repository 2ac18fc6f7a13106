"""Lesson 10: code that a model wrote."""

import os
import signal
import subprocess
import sys

MOST = 10_000  # characters


def end_group(process):
    """End a process and all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        if process.poll() is None:  # else nothing was left to end
            raise


def run_python(path, timeout):
    """Run a Python file for at most timeout seconds and return what it printed."""
    process = subprocess.Popen(
        [sys.executable, path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    raise NotImplementedError("finish Popen's arguments, wait with communicate, end the group, return the text")
