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
        env={},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    note = ""
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        end_group(process)
        output, _ = process.communicate()
        note = f"\nError: it was stopped after {timeout} seconds"
    end_group(process)
    if process.returncode and not note:
        note = f"\nProcess exited with code {process.returncode}"
    return output[:MOST] + note
